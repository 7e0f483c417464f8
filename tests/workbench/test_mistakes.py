"""Every mistake is a page: what is wrong in plain words, what helps, and a button that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tests.support.workbench import Answered, Served, Visitor

ROWS = [(f"0{2000 + at % 7}", 20 + at, "abc"[at % 3]) for at in range(60)]
HOSTILE = '<script>alert("x")</script>'


def csv(rows: Sequence[tuple[object, ...]], head: str = "zip,age,disease", sign: str = ",") -> bytes:
    return "\n".join([head, *(sign.join(map(str, row)) for row in rows)]).encode() + b"\n"


def opened(visitor: Visitor, name: str, content: bytes) -> Answered:
    """What is shown after a file was sent."""
    answer = visitor.send("/open", name, content)
    if answer.status == 303:
        return visitor.settled("/data")
    return answer


@pytest.mark.parametrize("sign", [",", ";"])
def test_an_ambiguous_delimiter_is_a_question(visitor: Visitor, sign: str) -> None:
    """Every line has as many commas as semicolons: nothing decides, so a person does, by a button."""
    page = opened(visitor, "two.csv", b"a;x,b;y\n" + b"1;2,3;4\n" * 30)
    assert "What separates the fields?" in page.text and "input.delimiter" not in page.text
    assert 'name="delimiter"' in page.html and "A semicolon ;" in page.text
    visitor.post("/give", {"delimiter": sign})
    columns = visitor.settled("/columns").text
    assert ("a;x" in columns) == (sign == ",") and ("x,b" in columns) == (sign == ";")


def test_a_ragged_line_is_named(visitor: Visitor) -> None:
    page = opened(visitor, "ragged.csv", csv([*ROWS, ("1", 2, 3, 4)]))
    assert "more or fewer fields" in page.text and "ragged.csv" in page.text and "line 62" in page.text
    assert "input." not in page.text


def test_no_rows_and_no_names_are_said(visitor: Visitor) -> None:
    assert "There are no rows" in opened(visitor, "empty.csv", b"a,b\n").text
    assert "The first line must name the columns" in opened(visitor, "nothing.csv", b"").text
    assert "The first line must name the columns" in opened(visitor, "twice.csv", b"a,a\n1,2\n").text


def test_other_letters_are_asked_about(visitor: Visitor) -> None:
    table = "\n".join(["city,age,disease", *(f"Köln,{20 + at},a" for at in range(20))])
    page = opened(visitor, "umlaut.csv", table.encode("latin-1"))
    assert "How are letters written?" in page.text
    visitor.post("/give", {"encoding": "cp1252"})
    assert "Köln" in visitor.settled("/columns").text


def test_another_kind_of_file_is_refused(visitor: Visitor) -> None:
    for name in ("table.pdf", "table.docx", "table", "table.csv.exe"):
        assert "This is no table that can be read" in opened(visitor, name, b"x").text


def test_what_is_too_large_is_not_kept(serving: Callable[..., Served]) -> None:
    served = serving("--language", "en", SFUMATO_MAX_UPLOAD="200000")
    visitor = served.entered()
    answer = visitor.send("/open", "large.csv", b"a,b\n" + b"1,2\n" * 100_000)
    assert answer.status == 413
    assert "sfumato serve FILE" in answer.text
    assert {each.name.partition("-")[0] for each in served.kept()[1:]} == {"held", "open"}
    field = visitor.post("/columns", {"column": "x" * 300_000})
    assert field.status == 413
    assert visitor.get("/data").status == 200


def test_an_infeasible_promise_leads_to_the_nearest(visitor: Visitor) -> None:
    """Three diseases cannot be five: the page says so before any run, and a run says so too."""
    opened(visitor, "three.csv", csv(ROWS))
    assert "disease" in visitor.settled("/columns").text
    chosen = {"k": "5", "kind-0": "distinct-l", "l-0-distinct-l": "5", "limit": "0", "missing": "category"}
    visitor.post("/promise", {**chosen, "method": "mondrian", "form": "generalized"})
    page = visitor.settled("/promise")
    assert "Cannot be kept on this table" in page.text and "Nearest promise" in page.text
    visitor.post("/run")
    page = visitor.until("/release", "This promise cannot be kept")
    assert "Nothing was written." in page.text and "Use that one" in page.text
    assert visitor.post("/relax").goes_to == "/release"
    page = visitor.until("/release", "What would work")
    assert "Another promise" in page.text and "distinct-l (l=5, on=disease)" in page.text
    assert visitor.post("/relax/use", {"change": "99"}).goes_to == "/promise"
    assert "l: 5" in visitor.get("/policy.yaml").html  # there is no such change
    visitor.post("/relax/use", {"change": "0"})
    assert "Can be kept" in visitor.settled("/promise").text
    visitor.post("/promise", {**chosen, "method": "mondrian", "form": "generalized"})
    visitor.post("/run")
    visitor.until("/release", "This promise cannot be kept")
    visitor.post("/nearest", {"use": "nearest"})
    page = visitor.settled("/promise")
    assert "Can be kept" in page.text and "At least 3 different values of “disease”" in page.text
    visitor.post("/run")
    assert "Criterion met" in visitor.until("/release", "Criterion met").text


def test_what_is_no_number_changes_nothing(visitor: Visitor) -> None:
    opened(visitor, "three.csv", csv(ROWS))
    visitor.settled("/columns")
    before = visitor.get("/policy.yaml").html
    for k in ("0", "-3", "x", "", HOSTILE, "1" * 2000):
        visitor.post("/promise", {"k": k, "kind-0": "none", "limit": "0", "missing": "category"})
        assert HOSTILE not in visitor.look("/promise").html
        assert visitor.get("/policy.yaml").html == before
    visitor.post("/promise", {"k": "5", "kind-0": "none", "limit": "900", "missing": "sometimes"})
    assert visitor.get("/policy.yaml").html == before


def test_hostile_names_and_values_are_only_text(visitor: Visitor) -> None:
    head = f'"{HOSTILE.replace(chr(34), chr(39))}",age,"<img src=x onerror=alert(1)>"'
    rows = [('"</td><script>1</script>"', 20 + at % 9, f'"{"ab"[at % 2]}&<b>"') for at in range(40)]
    opened(visitor, "<b>hostile</b>.csv", csv(rows, head))
    pages = [visitor.settled("/data"), visitor.settled("/columns")]
    for number, role in enumerate(("quasi", "quasi", "sensitive")):
        visitor.post("/columns", {"column": str(number), "role": role})
        pages.append(visitor.settled(f"/column/{number}"))
    promise = {"k": "3", "kind-0": "distinct-l", "l-0-distinct-l": "2"}
    visitor.post("/promise", {**promise, "limit": "0", "missing": "category"})
    pages.append(visitor.settled("/promise"))
    visitor.post("/run")
    pages.append(visitor.until("/release", "Criterion met"))
    for page in pages:
        assert page.status == 200
        assert page.html.count("<script") == 1 and "<img" not in page.html and "<b>hostile" not in page.html
        assert "onerror" not in page.html or "&lt;img" in page.html
    assert "<img src=x onerror=alert(1)>" in pages[-1].text


def test_nonsense_is_answered_and_changes_nothing(visitor: Visitor) -> None:
    opened(visitor, "three.csv", csv(ROWS))
    visitor.settled("/columns")
    before = visitor.get("/policy.yaml").html
    for column, role in (("99", "quasi"), ("-1", "quasi"), ("0", "x"), ("", "")):
        assert visitor.post("/columns", {"column": column, "role": role}).status == 303
    for path in ("/column/99", "/column/x", "/column/-1"):
        assert visitor.get(path).goes_to == "/columns"
        assert visitor.post(path, {"type": "integer"}).status == 303
    assert visitor.post("/show", {"run": "99"}).status == 303
    assert visitor.post("/give", {"delimiter": "x"}).status == 303
    garbage = {"Origin": str(visitor.origin), "Content-Type": "multipart/form-data"}
    assert visitor.ask("POST", "/open", b"garbage", garbage).status == 400
    assert visitor.get("/policy.yaml").html == before
