"""Releases of version 1, which had what single forms say among the settings of every release, are judged as before."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato.policy.forms import FORMS
from sfumato.release.document_bytes import read_manifest, read_release_document, to_bytes

FRAME = pl.DataFrame(
    {
        "age": [20, 21, 22, 33, 34, 35, 36, 50],
        "town": list("aabbccdd"),
        "ill": list("fcafcafc"),
    }
)
SETTINGS = [*({"publish": name} for name in FORMS), {"publish": "generalized", "numbers": "bounds"}]
FIRST: dict[str, Any] = {"count": None, "slices": [], "retention": None, "bounds": {}}


def policy_of(form: dict[str, Any]) -> dict[str, Any]:
    columns = {
        "age": {"role": "quasi", "type": "integer"},
        "town": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    }
    lattice = {"method": "lattice", "minimum": {"age": 1, "town": 1}}
    return {
        "columns": columns,
        "privacy": [{"model": "simple-l", "l": 2, "on": "ill"}],
        "partition": lattice,
        "form": form,
    }


def save(path: Path, document: dict[str, Any]) -> None:
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def first(folder: Path, manifest: Path, **more: Any) -> None:
    """Both documents as version 1 wrote them."""
    document, sealed = (json.loads(path.read_text(encoding="utf-8")) for path in (folder / "release.json", manifest))
    made: dict[str, Any] = {}
    for key, value in document.items():
        made |= {**FIRST, **value, **more} if key == "shown" else {key: 1 if key == "version" else value}
    save(folder / "release.json", made)
    kept: dict[str, Any] = {}
    for key, value in sealed.items():
        kept |= {"rings": [], "blocks": {}, **value} if key == "sealed" else {key: 1 if key == "version" else value}
    kept["release_sha256"] = hashlib.sha256((folder / "release.json").read_bytes()).hexdigest()
    save(manifest, kept)


@pytest.mark.parametrize("form", SETTINGS, ids=lambda form: "-".join(form.values()))
def test_version_1_is_judged_as_before(form: dict[str, Any], tmp_path: Path) -> None:
    policy = policy_of(form)
    written = sf.publish(FRAME, policy=policy, seed=1).write(tmp_path / "out")
    now = [sf.audit(tmp_path / "out", policy, each) for each in (None, written.manifest)]
    documents = read_release_document(tmp_path / "out" / "release.json")[0], read_manifest(written.manifest)
    first(tmp_path / "out", written.manifest)
    assert [sf.audit(tmp_path / "out", policy, each) for each in (None, written.manifest)] == now and now[1].holds
    read = read_release_document(tmp_path / "out" / "release.json")[0], read_manifest(written.manifest)
    if form["publish"] not in ("generalized", "ring", "permuted"):
        assert json.loads(to_bytes(read[0]))["shown"] == json.loads(to_bytes(documents[0]))["shown"] != {}
    assert json.loads(to_bytes(read[1]))["sealed"] == json.loads(to_bytes(documents[1]))["sealed"]
    sf.publish(FRAME, policy=policy, seed=2).write(tmp_path / "out", force=True)
    assert json.loads((tmp_path / "out" / "release.json").read_text(encoding="utf-8"))["version"] == 2


@pytest.mark.parametrize(
    "more",
    [
        {"count": "Eve has flu"},
        {"slices": [["ill"]]},
        {"retention": "1/2"},
        {"count": 0},
        {"count": []},
        {"bounds": "x"},
    ],
)
def test_what_its_form_does_not_say_is_refused(more: dict[str, Any], tmp_path: Path) -> None:
    policy = policy_of({"publish": "permuted"})
    written = sf.publish(FRAME, policy=policy, seed=1).write(tmp_path / "out")
    first(tmp_path / "out", written.manifest, **more)
    with pytest.raises(sf.InputError, match="shown: Extra inputs are not permitted") as caught:
        sf.audit(tmp_path / "out", policy)
    assert "Eve" not in str(caught.value)


def test_nothing_hides_in_the_order_or_the_spaces_of_version_1(tmp_path: Path) -> None:
    policy = policy_of({"publish": "generalized"})
    written = sf.publish(FRAME, policy=policy, seed=1).write(tmp_path / "out")
    first(tmp_path / "out", written.manifest)
    path = tmp_path / "out" / "release.json"
    honest = json.loads(path.read_text(encoding="utf-8"))
    assert not sf.audit(tmp_path / "out", policy).problems
    turned = dict(reversed(honest.items()))
    save(path, turned)
    assert any("another order" in problem for problem in sf.audit(tmp_path / "out", policy).problems)
    save(path, {**honest, "tables": [dict(reversed(honest["tables"][0].items()))]})
    assert any("another order" in problem for problem in sf.audit(tmp_path / "out", policy).problems)
    path.write_text(json.dumps(honest), encoding="utf-8")
    assert any("spaces" in problem for problem in sf.audit(tmp_path / "out", policy).problems)
    save(path, {**honest, "version": 2})
    with pytest.raises(sf.InputError, match="count: Extra inputs"):
        sf.audit(tmp_path / "out", policy)
