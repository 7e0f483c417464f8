"""What is hidden beside the cells of a release is found, whoever wrote its digest anew; honest releases hold."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS, Form
from sfumato.table.formats import FORMATS
from sfumato.table.formats.parquet import places
from tests.support.form_tables import policy_for, released

SECRET = "Eve has flu"
PLAIN = sf.Generalized()
PROMISE = {"model": "simple-l", "l": 2, "on": "disease"}
WHOLE: dict[str, Any] = {"partition": {"method": "lattice", "minimum": {"age": 1, "sex": 1, "town": 1}}}


def written(tmp_path: Path, form: Form = PLAIN, kind: str = "parquet") -> Path:
    released(form, PROMISE, **WHOLE).write(tmp_path / "out", kind="csv" if kind == "csv" else "parquet")
    return tmp_path / "out"


def problems(folder: Path, form: Form = PLAIN) -> list[str]:
    found = [*sf.audit(folder, policy_for(form, PROMISE, **WHOLE)).problems]
    assert not any(SECRET in problem for problem in found)
    return found


def forge(folder: Path, change: Callable[[bytes], bytes], name: str = "table") -> None:
    """Change a table, and the digest that release.json has of it."""
    (table,) = folder.glob(f"{name}.*")
    before = table.read_bytes()
    after = change(before)
    assert after != before
    table.write_bytes(after)
    document = folder / "release.json"
    old, new = (hashlib.sha256(data).hexdigest() for data in (before, after))
    document.write_text(document.read_text(encoding="utf-8").replace(old, new), encoding="utf-8", newline="\n")


def amend(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change release.json, written as sfumato writes it."""
    path = folder / "release.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("form", [cls.model_validate({}) for cls in FORMS.values()], ids=list(FORMS))
def test_an_honest_release_hides_nothing(form: Form, kind: str, tmp_path: Path) -> None:
    folder = written(tmp_path, form, kind)
    assert problems(folder, form) == []
    assert sf.audit(folder, policy_for(form, PROMISE, **WHOLE), tmp_path / "out.internal.json").holds


def test_one_file_hides_nothing(tmp_path: Path) -> None:
    for name in ("one.csv", "two.parquet"):
        released(PLAIN, PROMISE, **WHOLE).write(tmp_path / name)
        assert sf.audit(tmp_path / name, policy_for(PLAIN, PROMISE, **WHOLE)).problems == ()


def _again(data: bytes, **how: Any) -> bytes:
    made = io.BytesIO()
    pq.write_table(pq.read_table(io.BytesIO(data)), made, **how)
    return made.getvalue()


def _field_metadata(data: bytes) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    fields = [field.with_metadata({"note": SECRET}) for field in table.schema]
    made = io.BytesIO()
    pq.write_table(table.cast(pa.schema(fields)), made, store_schema=False)
    return made.getvalue()


def _arrow_schema(data: bytes) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    made = io.BytesIO()
    pq.write_table(table.cast(pa.schema([f.with_metadata({"note": SECRET}) for f in table.schema])), made)
    return made.getvalue()


def _unused_dictionary_values(data: bytes) -> bytes:
    table = pq.read_table(io.BytesIO(data))
    town = table.column("town").combine_chunks().dictionary_encode()
    more = pa.DictionaryArray.from_arrays(
        town.indices, pa.concat_arrays([town.dictionary, pa.array([SECRET], town.dictionary.type)])
    )
    made = io.BytesIO()
    pq.write_table(table.set_column(table.schema.get_field_index("town"), "town", more), made, store_schema=False)

    return made.getvalue()


def _before_the_footer(data: bytes) -> bytes:
    length = int.from_bytes(data[-8:-4], "little")
    footer = len(data) - 8 - length
    return data[:footer] + SECRET.encode() + data[footer:]


def _writer(data: bytes) -> bytes:
    at = data.rindex(b"parquet-cpp-arrow")
    return data[:at] + b"Eve has flu ....." + data[at + 17 :]


def _statistics(data: bytes) -> bytes:
    """The largest disease, as the footer has it (it comes after the pages)."""
    at = data.rindex(b"flu")
    return data[:at] + b"Eve" + data[at + 3 :]


PARQUET = {
    "field metadata": _field_metadata,
    "metadata in the Arrow schema": _arrow_schema,
    "dictionary values": _unused_dictionary_values,
    "bytes before the footer": _before_the_footer,
    "another writer": _writer,
    "statistics": _statistics,
    "page index": lambda data: _again(data, store_schema=False, write_page_index=True),
    "compression": lambda data: _again(data, store_schema=False, compression="none"),
}


@pytest.mark.parametrize("where", PARQUET)
def test_hidden_in_parquet(where: str, tmp_path: Path) -> None:
    folder = written(tmp_path)
    forge(folder, PARQUET[where])
    assert any("table.parquet: " in problem for problem in problems(folder))


def test_a_file_of_another_version_is_not_vouched_for(tmp_path: Path) -> None:
    folder = written(tmp_path)
    now = f"version {pa.__version__}".encode()
    later = b"version 9" + b"9" * (len(now) - 9)
    forge(folder, lambda data: data.replace(now, later))
    assert any("install it to judge this file" in problem for problem in problems(folder))


CSV: dict[str, Callable[[bytes], bytes]] = {
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "ends of lines": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines": lambda data: data + b"\n\n",
    "no last end of line": lambda data: data.rstrip(b"\n"),
    "quotes": lambda data: data.replace(b"flu", b'"flu"', 1),
}


@pytest.mark.parametrize("where", CSV)
def test_hidden_in_csv(where: str, tmp_path: Path) -> None:
    folder = written(tmp_path, kind="csv")
    forge(folder, CSV[where])
    assert any("its bytes are not those that its cells" in problem for problem in problems(folder))


DOCUMENT: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "version": (lambda each: each.update(sfumato=SECRET), "version of sfumato"),
    "table": (lambda each: each["tables"][0].update(name=SECRET), "tables have other names"),
    "promise": (lambda each: each["promise"].append({"model": "distinct-l", "l": 2, "on": SECRET}), "states a promise"),
    "listed": (
        lambda each: each["promise"].append({"model": "pd-recursive", "c": 2, "l": 2, "disclosable": [SECRET]}),
        "states a promise",
    ),
    "number": (lambda each: each["promise"][0].update(l=int("7" * 60)), "states a promise"),
    "number as text": (lambda each: each["promise"][0].update(l="02"), "states a promise"),
    "form": (lambda each: each["form"].update(group_id=True), "form has other settings"),
}


@pytest.mark.parametrize("where", DOCUMENT)
def test_words_in_the_document(where: str, tmp_path: Path) -> None:
    folder = written(tmp_path)
    change, message = DOCUMENT[where]
    amend(folder, change)
    assert any(message in problem for problem in problems(folder))


def test_slices_in_the_document_are_those_of_the_policy(tmp_path: Path) -> None:
    folder = written(tmp_path, sf.Sliced())
    amend(folder, lambda each: each["form"].update(slices=[[SECRET]]))
    assert any("form has other settings" in problem for problem in problems(folder, sf.Sliced()))


def test_the_group_id_has_no_name_of_its_own(tmp_path: Path) -> None:
    folder = written(tmp_path, sf.Permuted(), "csv")
    forge(folder, lambda data: data.replace(b",group\n", f",{SECRET}\n".encode(), 1))
    document = folder / "release.json"
    document.write_text(document.read_text(encoding="utf-8").replace('"group"', f'"{SECRET}"'), encoding="utf-8")
    found = [*sf.audit(folder, policy_for(sf.Permuted(), PROMISE, **WHOLE)).problems]
    assert any("column of the group has another name" in problem for problem in found)


def test_a_file_has_the_name_of_its_table(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "table.parquet").rename(folder / f"{SECRET}.parquet")
    amend(folder, lambda each: each["tables"][0].update(file=f"{SECRET}.parquet"))
    assert any(
        "calls a table file otherwise" in problem
        for problem in sf.audit(folder, policy_for(PLAIN, PROMISE, **WHOLE)).problems
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\n \n",
        lambda text: text.replace("\n ", "\n\t"),
        lambda text: text.replace('"version"', '"\\u0076ersion"'),
        lambda text: "\ufeff" + text,
        lambda text: text.replace('"published": 10', '"published":10'),
    ],
    ids=["after", "tabs", "escapes", "mark", "spaces"],
)
def test_the_document_has_one_notation(change: Callable[[str], str], tmp_path: Path) -> None:
    folder = written(tmp_path)
    path = folder / "release.json"
    before = path.read_text(encoding="utf-8")
    assert change(before) != before
    path.write_text(change(before), encoding="utf-8", newline="\n")
    assert any("its bytes are more than its settings" in problem for problem in problems(folder))


def test_a_document_of_a_version_with_fewer_settings_is_as_good(tmp_path: Path) -> None:
    folder = written(tmp_path)
    amend(folder, lambda each: each.pop("suppressed_terms"))
    assert problems(folder) == []


@pytest.mark.parametrize("name", ["release.json", "table.parquet"])
def test_a_link_is_not_what_was_published(name: str, tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / name).rename(tmp_path / "elsewhere")
    try:
        (folder / name).symlink_to(tmp_path / "elsewhere")
    except OSError:
        pytest.skip("this system does not let us make links")
    assert any(f"{name}: is a link" in problem for problem in problems(folder))


def test_a_table_of_an_older_writer_is_judged_by_the_holders_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version may write other bytes for the same cells; what a forger added is no longer what was audited."""
    folder, policy = written(tmp_path), policy_for(PLAIN, PROMISE, **WHOLE)
    older = replace(FORMATS["parquet"], into=lambda frame, file: frame.write_parquet(file, compression="gzip"))
    monkeypatch.setitem(FORMATS.homes, "parquet", older)
    monkeypatch.setattr(places, "_own_writer", lambda: "parquet-cpp-arrow version 9.9")
    (problem,) = sf.audit(folder, policy).problems
    assert "shows only with that version, or by the internal manifest" in problem
    manifest = tmp_path / "out.internal.json"
    assert sf.audit(folder, policy, manifest).holds
    cells = pl.read_parquet(folder / "table.parquet")
    forge(folder, lambda _: _rewritten(cells, compression="snappy"))
    assert not sf.audit(folder, policy, manifest).holds


def _rewritten(frame: pl.DataFrame, compression: Literal["snappy"]) -> bytes:
    file = io.BytesIO()
    frame.write_parquet(file, compression=compression)
    return file.getvalue()
