"""Looking around before a release: methods side by side, and one level per column, step by step."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

import sfumato as sf
from tests.support.workbench import Answered, Served, Visitor
from tests.workbench.test_mistakes import HOSTILE, csv

ROWS = [(f"0{2000 + at % 7}", 20 + at % 40, "abc"[at % 3]) for at in range(60)]
PROMISE = {"k": "3", "kind-0": "distinct-l", "l-0-distinct-l": "2", "limit": "0", "missing": "category"}
TRIED = ("mondrian", "lattice", "hilbert")


def decided(visitor: Visitor, content: bytes, **promise: str) -> None:
    """A table with two columns that others may know and a secret, and a promise."""
    visitor.send("/open", "people.csv", content)
    visitor.settled("/columns")
    for number, role in enumerate(("quasi", "quasi", "sensitive")):
        visitor.post("/columns", {"column": str(number), "role": role})
    visitor.post("/promise", {**PROMISE, "method": "mondrian", "form": "generalized", **promise})
    assert "Can be kept" in visitor.settled("/promise").text


def compared(visitor: Visitor, forms: tuple[str, ...] = ("generalized",)) -> Answered:
    """The page of a comparison of a few methods."""
    ticked = {f"method-{name}": "yes" for name in TRIED} | {f"form-{name}": "yes" for name in forms}
    assert visitor.post("/compare", ticked).goes_to == "/compare"
    return visitor.settled("/compare")


def policy(visitor: Visitor, folder: Path) -> sf.Policy:
    (folder / "policy.yaml").write_bytes(visitor.get("/policy.yaml").body)
    return sf.read_policy(folder / "policy.yaml")


def processes(temporary: Path) -> set[int]:
    """Processes of comparisons: what a worker started has its private folder in its surroundings."""
    found = set()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if f"TMPDIR={temporary}/sfumato-workbench-".encode() in (place / "environ").read_bytes():
                found.add(int(place.name))
        except OSError:
            continue
    return found - {os.getpid()}


def test_nothing_is_looked_at_before_there_is_a_promise(visitor: Visitor) -> None:
    for path in ("/compare", "/lattice"):
        assert visitor.get(path).goes_to == "/columns"
        for action in (path, f"{path}/use"):
            assert visitor.post(action, {"way": "0", "at": "0.0"}).status == 303
    assert visitor.post("/stop").goes_to == "/promise"


def test_methods_side_by_side(visitor: Visitor, tmp_path: Path) -> None:
    """Those that keep the promise with what they lose, and others with their reason, once for all of them."""
    decided(visitor, csv(ROWS))
    assert 'href="/compare"' in visitor.look("/promise").html
    first = visitor.get("/compare")
    assert "Publish one" not in first.text and first.html.count('type="checkbox"') == 11 + 6
    assert visitor.post("/compare", {"method-mondrian": "yes"}).goes_to == "/compare?again=1"
    assert "Tick at least one" in visitor.get("/compare?again=1").text
    page = compared(visitor, ("generalized", "anatomized"))
    assert page.html.count("<tr") == 1 + 3 + 1
    assert "mondrian, lattice, hilbert" in page.text and "k-anonymity speaks of rows" in page.text
    assert "does not go together" in page.text and "Publish one of them only" in page.text
    assert "CPU seconds" in page.text and visitor.get("/compare").text == page.text  # a reload shows the same
    assert page.html.count("<circle") == 2 * 3 and page.html.count('<a href="/compare?way=') == 2 * 3
    lattice = visitor.get("/compare?way=1")
    assert re.search(r'<tr class="chosen"><td><a href="/compare\?way=1#chosen"', lattice.html)
    for wrong in ("99", "3", "-1", "x", "9" * 5000):  # 3: refused, there is nothing to use
        assert visitor.get(f"/compare?way={wrong}").status == 200
        assert visitor.post("/compare/use", {"way": wrong}).goes_to == "/compare"
    assert visitor.post("/compare/use", {"way": "1", "then": "promise"}).goes_to == "/promise"
    assert policy(visitor, tmp_path).partition == sf.Lattice()
    assert "lattice: taken into the policy" in visitor.look("/promise").text
    assert "Use this method" in visitor.get("/compare").text  # it is still about the same promise
    visitor.post("/promise", {**PROMISE, "k": "5", "method": "lattice", "form": "generalized"})
    stale = visitor.get("/compare").text
    assert "have changed since" in stale and "Use this method" not in stale
    assert visitor.post("/compare/use", {"way": "0"}).goes_to == "/compare"
    assert policy(visitor, tmp_path).partition == sf.Lattice()


@pytest.mark.thorough
def test_a_way_becomes_a_release_that_reaches_what_was_compared(visitor: Visitor) -> None:
    decided(visitor, csv(ROWS))
    page = compared(visitor)
    kept = re.search(r"mondrian</(?:b></)?a></td>(?:<td[^>]*>[^<]*</td>){2}<td class=\"number\">([^<]+)<", page.html)
    assert kept is not None
    assert visitor.post("/compare/use", {"way": "0", "then": "release"}).goes_to == "/release"
    released = visitor.until("/release", "Criterion met").text
    assert re.search(rf"of the detail kept\s+{kept[1]}", released)
    assert "right matches" in released[released.index("Runs of this session") :]


def test_levels_step_by_step(visitor: Visitor, tmp_path: Path) -> None:
    """What is said of every node is what the public API says of it; what is used is published."""
    decided(visitor, csv(ROWS))
    assert 'href="/lattice"' in visitor.look("/promise").html
    (tmp_path / "people.csv").write_bytes(csv(ROWS))
    found = sf.lattice(tmp_path / "people.csv", policy=policy(visitor, tmp_path))
    assert found.best is not None
    assert "Look at the levels" in visitor.get("/lattice").text
    visitor.post("/lattice")
    page = visitor.settled("/lattice")
    best = tuple(found.best.values())
    assert f"zip {best[0]}, age {best[1]}" in page.text and "The promise is kept" in page.text
    nodes = {tuple(row[:2]): row for row in found.nodes.select(*found.columns, "passes", "suppressed").rows()}
    failing = next(levels for levels, row in nodes.items() if not row[2])
    page = visitor.get(f"/lattice?at={failing[0]}.{failing[1]}")
    assert f"not kept: {nodes[failing][3]} rows are in groups that break it" in page.text
    assert "Use these levels" not in page.text and "Go to the levels that lose least" in page.text
    beside = {levels for levels in nodes if sum(abs(a - b) for a, b in zip(levels, failing, strict=True)) == 1}
    assert {f"/lattice?at={a}.{b}" for a, b in beside} <= {*page.links("/lattice?at=")}
    assert all(visitor.get(each).status == 200 for each in {*page.links("/lattice?at=")})
    for wrong in ("9.9", "0", "0.0.0", "x", "-1.0", "9" * 5000, HOSTILE):
        assert "Use these levels" in visitor.get(f"/lattice?{urlencode({'at': wrong})}").text  # at the best
        assert visitor.post("/lattice/use", {"at": wrong}).goes_to == "/lattice"
    assert visitor.post("/lattice/use", {"at": f"{best[0]}.{best[1]}", "then": "release"}).goes_to == "/release"
    visitor.until("/release", "Criterion met")
    assert policy(visitor, tmp_path).partition == sf.Lattice(minimum=dict(found.best), maximum=dict(found.best))
    assert f"zip {best[0]}, age {best[1]}" in visitor.get("/lattice").text  # the walk goes on from there
    visitor.post("/promise", {**PROMISE, "k": "20", "method": "lattice", "form": "generalized"})
    assert "have changed since" in visitor.get("/lattice").text
    visitor.post("/demo")
    assert visitor.get("/lattice").status == visitor.get("/compare").status == 303  # nothing is known of another table


def test_a_lattice_too_large_to_be_counted_whole_is_walked_step_by_step(visitor: Visitor) -> None:
    """Ten columns of two values, each shown or not: 1,024 nodes, of which a page asks for eleven."""
    names = [f"q{at}" for at in range(10)]
    rows = [(*(str(at % 64 >> bit & 1) for bit in range(6)), *"0000", "abc"[at // 64]) for at in range(192)]
    visitor.send("/open", "many.csv", csv(rows, ",".join([*names, "disease"])))
    visitor.settled("/columns")
    for number in range(11):
        visitor.post("/columns", {"column": str(number), "role": "quasi" if number < 10 else "sensitive"})
    visitor.post("/promise", {**PROMISE, "method": "mondrian", "form": "generalized"})
    visitor.settled("/promise")
    visitor.post("/lattice")
    page = visitor.settled("/lattice")
    assert "1,024 choices of levels" in page.text and "loses least" in page.text
    assert re.search(r"groups of rows that look alike\s+64\s", page.text)  # of six bits, each with three diseases
    top = visitor.settled("/lattice?at=" + ".".join("1" * 10))
    assert len({*top.links("/lattice?at=")}) == 10 + 1  # one step finer each, and the best
    assert "All levels at once" not in top.text


def test_what_cannot_be_walked_is_said_with_the_reason(visitor: Visitor) -> None:
    """One recoding for all rows keeps no two rows of a person apart; then another promise can be looked at."""
    rows = [(f"p{at // 2}", *row[1:]) for at, row in enumerate(ROWS)]
    visitor.send("/open", "visits.csv", csv(rows, "person,age,disease"))
    visitor.settled("/columns")
    for number, role in enumerate(("individual", "quasi", "sensitive")):
        visitor.post("/columns", {"column": str(number), "role": role})
    visitor.post("/column/0", {"rows": "all"})
    visitor.post("/lattice")
    page = visitor.settled("/lattice")
    assert "These choices do not go together" in page.text and "rows of one person" in page.text
    visitor.post("/column/0", {"rows": "one"})
    visitor.post("/lattice")
    assert "No choice of levels keeps the promise" in visitor.settled("/lattice").text
    visitor.post("/promise", {**PROMISE, "method": "mondrian", "form": "generalized"})
    assert "have changed since" in visitor.get("/lattice").text
    visitor.post("/lattice")
    assert "The promise is kept" in visitor.settled("/lattice").text


def test_hostile_names_are_only_text(visitor: Visitor) -> None:
    head = f'"{HOSTILE.replace(chr(34), chr(39))}",age,"<img src=x onerror=alert(1)>"'
    rows = [('"</td><script>1</script>"', 20 + at % 9, f'"{"ab"[at % 2]}&<b>"') for at in range(40)]
    decided(visitor, csv(rows, head))
    pages = [compared(visitor, ("generalized", "anatomized"))]
    visitor.post("/lattice")
    pages.append(visitor.settled("/lattice"))
    for page in pages:
        assert page.status == 200 and page.html.count("<script") == 1 and "<img" not in page.html
    assert "alert('x')" in pages[1].text


@pytest.mark.thorough
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes in /proc")
def test_stop_ends_all_processes_of_a_comparison(serving: Callable[..., Served], tmp_path: Path) -> None:
    """Pages answer meanwhile, progress counts; after it, another worker does other work."""
    served = serving("--language", "en")
    visitor = served.entered()
    decided(visitor, csv(ROWS))
    ticked = {f"method-{name}": "yes" for name in (*TRIED, "boxes", "auto", "bsgi")}
    visitor.post("/compare", {**ticked, "form-generalized": "yes", "form-permuted": "yes"})
    page = visitor.until("/compare", "of 12")
    assert '<progress max="12"' in page.html and "Stop" in page.text
    assert len(processes(served.temporary)) >= 1
    assert visitor.post("/run").goes_to == "/compare"  # one thing at a time, and it says so
    assert "Something else is under way" in visitor.get("/compare").text
    assert visitor.get("/promise").status == 200 and visitor.get("/release").goes_to == "/compare"
    assert visitor.post("/stop").goes_to == "/compare"
    end = time.monotonic() + 20
    while processes(served.temporary) and time.monotonic() < end:
        time.sleep(0.05)
    assert not processes(served.temporary)
    assert "Stopped." in visitor.get("/compare").text
    assert "detail kept" in compared(visitor).text
    visitor.post("/compare", {**ticked, "form-ring": "yes", "form-sliced": "yes"})
    visitor.until("/compare", "of 12")
    decided(visitor, csv(ROWS[:48]))  # another table ends it, too
    assert "Methods to try" in visitor.get("/compare").text and not processes(served.temporary)
