"""Tables that say where pieces live: every entry is there and is what its name says, and nothing is loaded before."""

from __future__ import annotations

import ast
import calendar
import os
import re
import shutil
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import Any

import pytest

import sfumato
from sfumato import extension
from sfumato.adversaries.registry import ADVERSARIES
from sfumato.auditor.rules import RULES, Rule
from sfumato.extension import Pieces, installed, registered
from sfumato.forms.registry import FORMS as PUBLISHERS
from sfumato.loss.registry import LOSSES
from sfumato.measures.registry import MEASURES
from sfumato.models.registry import MODELS
from sfumato.notebook.cards import CARDS
from sfumato.partition.registry import PARTITIONERS
from sfumato.partition.steps.registry import STEP_MAKERS
from sfumato.policy.forms import FORMS
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import METHODS
from sfumato.policy.promises import PROMISES
from sfumato.policy.steps import STEPS
from sfumato.release.views import VIEWS
from sfumato.stores.registry import STORES
from sfumato.table.databases import DATABASES
from sfumato.table.formats import FORMATS, Format
from sfumato.table.storages import STORAGES
from sfumato.taxonomy.ready import READY
from tests.support.sources import nodes_of, tree_of
from tests.test_import_law import modules_after

SOURCE = Path(sfumato.__file__).parent
TABLES: dict[str, Pieces[Any]] = {
    "adversaries/registry.py": ADVERSARIES,
    "auditor/rules/__init__.py": RULES,
    "forms/registry.py": PUBLISHERS,
    "loss/registry.py": LOSSES,
    "measures/registry.py": MEASURES,
    "models/registry.py": MODELS,
    "notebook/cards.py": CARDS,
    "partition/registry.py": PARTITIONERS,
    "partition/steps/registry.py": STEP_MAKERS,
    "policy/forms/__init__.py": FORMS,
    "policy/methods/__init__.py": METHODS,
    "policy/promises/__init__.py": PROMISES,
    "policy/steps.py": STEPS,
    "release/views/__init__.py": VIEWS,
    "stores/registry.py": STORES,
    "table/databases/__init__.py": DATABASES,
    "table/formats/__init__.py": FORMATS,
    "table/storages/__init__.py": STORAGES,
    "taxonomy/ready/__init__.py": READY,
}
ENTRIES = [(place, name) for place, table in TABLES.items() for name in table]


def test_no_table_is_forgotten() -> None:
    made = {
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for node in nodes_of(file)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Pieces"
    }
    assert made == {*TABLES}


@pytest.mark.parametrize(("place", "name"), ENTRIES)
def test_every_piece_lives_where_its_table_says(place: str, name: str) -> None:
    """In the folder of the table, and under a name of its own: not one that its file imports from elsewhere."""
    home = TABLES[place].homes[name]
    assert isinstance(home, str)
    module, _, called = home.partition(":")
    file = SOURCE.parent / Path(*module.split("."))
    file = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    assert file.is_relative_to((SOURCE / place).parent)
    body = tree_of(file).body
    defined = {each.name for each in body if isinstance(each, (ast.ClassDef, ast.FunctionDef))}
    defined |= {ast.unparse(target) for each in body if isinstance(each, ast.Assign) for target in each.targets}
    assert called in defined
    assert TABLES[place][name] is not None


def _joined(name: str) -> str:
    return name.replace("-", "").lower()


def test_every_piece_is_what_its_name_says() -> None:
    assert {name: cls.name for name, cls in PROMISES.items()} == {name: name for name in PROMISES}
    for table, key in ((METHODS, "method"), (FORMS, "publish"), (STEPS, "step")):
        told = {name: cls.model_fields[key].default for name, cls in table.items()}
        assert told == {name: name for name in table}
    for name, rule in RULES.items():
        assert isinstance(rule, Rule) and str(RULES.homes[name]).endswith(f":{name.upper().replace('-', '_')}")
    for name, view in VIEWS.items():
        assert getattr(view, "__name__", "") == f"see_{name}"
    assert {name: ready.name for name, ready in READY.items()} == {name: name for name in READY}
    for name, format in FORMATS.items():
        assert isinstance(format, Format) and name in format.called.lower()
    for name, loss in LOSSES.items():
        assert getattr(loss, "__name__", "").lower() == _joined(name)


def test_members_of_different_axes_go_together() -> None:
    """By the names of their classes; the two BSGI are one algorithm, and all-of is no entry of a policy."""
    assert {*MODELS} == {*PROMISES, "all-of"} and {*RULES} == {*PROMISES} - {"multi-attribute"}
    assert {*METHODS} == {*PARTITIONERS} and {*STEPS} == {*STEP_MAKERS}
    assert {*FORMS} == {*PUBLISHERS} == {*VIEWS} and {*LOSSES} == {*LOSS_METRICS}
    for name, promise in PROMISES.items():
        assert MODELS[name].__name__ == f"{promise.__name__}Model" and _joined(name) == promise.__name__.lower()
    for name, method in METHODS.items():
        assert PARTITIONERS[name].__name__ == f"{method.__name__.removesuffix('Free')}Partitioner"
    for name, form in FORMS.items():
        assert PUBLISHERS[name].__name__ == f"{form.__name__}Publisher"


@pytest.mark.parametrize("folder", ["policy/promises", "policy/methods", "policy/forms"])
def test_names_of_a_folder_are_typed_as_they_are_loaded(folder: str) -> None:
    """What type checkers are told is what `lazily` loads."""
    package = f"sfumato.{folder.replace('/', '.')}"
    told = {
        alias.asname: node.module
        for node in nodes_of(SOURCE / folder / "__init__.py")
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{package}.")
        for alias in node.names
    }
    module = __import__(package, fromlist=["__all__"])
    assert {*told} <= {*module.__all__} and list(module.__all__) == sorted(module.__all__)
    for name in module.__all__:
        found = getattr(module, name)
        assert name not in told or found.__module__ == told[name]
    assert all(isinstance(name, str) and re.fullmatch(r"\w+", name) for name in told)


def test_a_piece_is_loaded_when_it_is_asked_for() -> None:
    table: Pieces[object] = Pieces({"dates": "calendar:TextCalendar", "none": "calendar:no_such", "own": 7})
    assert [*table] == ["dates", "none", "own"] and len(table) == 3 and "dates" in table and "other" not in table
    assert getattr(table["dates"], "__name__", "") == "TextCalendar" and table["own"] == 7
    assert registered(table, "sfumato.nothing", "own") == 7 and registered(table, "sfumato.nothing", "other") is None
    with pytest.raises(AttributeError, match="no_such"):
        table["none"]
    with pytest.raises(KeyError):
        table["other"]
    assert table.places == {"calendar": ("TextCalendar", "no_such")}
    whole: Pieces[object] = Pieces({"dates": "calendar:TextCalendar", "own": 7})
    assert [*installed(whole, "sfumato.nothing")] == ["dates", "own"]


def test_a_package_that_comes_or_goes_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though what is installed is looked through once only."""
    asked: list[str] = []

    def ask(group: str, name: str) -> EntryPoints:
        asked.append(name)
        return entry_points(group=group, name=name)

    monkeypatch.setattr(extension, "entry_points", ask)
    monkeypatch.syspath_prepend(tmp_path)

    def found(when: int) -> object:
        os.utime(tmp_path, ns=(when, when))  # clocks of folders are coarse
        pieces: Pieces[object] = Pieces({})
        return registered(pieces, "sfumato.nothing", "dates"), len(asked)

    assert found(1) == (None, 1) and found(1) == (None, 1)
    (tmp_path / "of_others-1.0.dist-info").mkdir()
    (tmp_path / "of_others-1.0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: of-others\nVersion: 1.0\n")
    (tmp_path / "of_others-1.0.dist-info/entry_points.txt").write_text("[sfumato.nothing]\ndates = calendar:MONDAY\n")
    assert found(2) == (calendar.MONDAY, 2) and found(2) == (calendar.MONDAY, 2)
    shutil.rmtree(tmp_path / "of_others-1.0.dist-info")
    assert found(3) == (None, 3)


RUN = r"""
import json, sys
from pathlib import Path
from sfumato.cli.main import run
columns = {"age": {"role": "quasi", "type": "integer"}, "town": {"role": "quasi"}, "ill": {"role": "sensitive"}}
policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}], "partition": {"method": "mondrian"}}
Path("policy.json").write_text(json.dumps(policy))
Path("data.csv").write_text("age,town,ill\n" + "".join(f"{20 + i % 5},{'ab'[i % 2]},{i % 3}\n" for i in range(40)))
try:
    run(["anonymize", "data.csv", "-p", "policy.json", "-o", "out", "-q"])
except SystemExit as end:
    assert not end.code
"""
NAMED = {
    "adversaries/registry.py": set(),
    "measures/registry.py": set(),
    "notebook/cards.py": set(),
    "policy/methods/__init__.py": {"mondrian"},
    "partition/registry.py": {"mondrian"},
    "policy/forms/__init__.py": {"generalized"},
    "forms/registry.py": {"generalized"},
    "release/views/__init__.py": {"generalized"},
    "loss/registry.py": {"ncp"},
    "models/registry.py": {"all-of", "k-anonymity"},
    "auditor/rules/__init__.py": {
        "k-anonymity",
        *("entropy-l", "recursive-cl", "t-closeness", "delta-disclosure", "tau-l"),
    },
    "policy/promises/__init__.py": {"k-anonymity", "delta-disclosure"},
    "policy/steps.py": {*STEPS},
    "partition/steps/registry.py": set(),
    "stores/registry.py": set(),
    "table/databases/__init__.py": set(),
    "table/formats/__init__.py": {*FORMATS},
    "table/storages/__init__.py": set(),
    "taxonomy/ready/__init__.py": set(),
}
"""What a plain release has to load; the auditor tells more levels of a sensitive column than are asked for."""
NEVER = ("advice.outcome", "engine.bound", "knowledge", "partition.boxes", "policy.yaml", "table.formats.parquet.read")


def test_a_run_loads_the_pieces_that_its_policy_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what lives with them in one file."""
    monkeypatch.chdir(tmp_path)
    loaded = modules_after(RUN)
    for place, table in TABLES.items():
        homes = {name: str(home).partition(":")[0] for name, home in table.homes.items()}
        assert loaded & {*homes.values()} == {homes[name] for name in NAMED[place]}, place
    assert not {name for name in loaded if name.startswith(tuple(f"sfumato.{each}" for each in NEVER))}


def test_tables_load_nothing_that_nobody_asked_for() -> None:
    """Not the pieces whose names are asked for, and of those beside it none."""
    registries = [place.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for place in TABLES]
    imports = "\n".join(f"import sfumato.{module}" for module in registries)
    loaded = modules_after(f"{imports}\nfrom sfumato.models.registry import MODELS\nassert 'tau-l' in [*MODELS]")
    homes = {str(home).partition(":")[0] for table in TABLES.values() for home in table.homes.values()}
    assert loaded & homes == {"sfumato.policy.steps"}  # of which settings of all algorithms have two
