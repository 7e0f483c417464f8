"""Who may import whom: the folders stay apart, and what is light stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import fields
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

import sfumato
from sfumato.policy.promises import PROMISES
from tests.support.sources import imported, nodes_of, tree_of

SOURCE = Path(sfumato.__file__).parent
TESTS = Path(__file__).parent
BENCHMARKS = TESTS.parent / "benchmarks"
EXPERIMENTS = TESTS.parent / "experiments"
CONTRACTS = {"contract"}

# A folder, and the folders whose concrete members it never imports.
LOOKERS = {"measures", "risk", "adversaries", "reports", "comparisons"}
SURFACES = {"cli", "notebook", "workbench"}
MAKERS = {"models", "partition", "forms", "auditor", "engine", "advice", "suggestions", *SURFACES, *LOOKERS}
APART = {
    "models": {*MAKERS, "release"} - {"models"},
    "partition": {*MAKERS, "release"} - {"partition"},
    "forms": {*MAKERS, "release"} - {"forms"},
    "release": {*MAKERS, "kernels", "loss"},
    "auditor": {*MAKERS, "kernels", "loss"} - {"auditor"},
    "policy": {*MAKERS, "release", "kernels", "loss"},
    "suggestions": {*MAKERS, "release", "kernels", "loss"} - {"suggestions"},
    "taxonomy": {*MAKERS, "release", "kernels", "loss", "knowledge"},
    "table": {*MAKERS, "release", "kernels", "loss"},
    "kernels": {*MAKERS, "release", "policy", "table", "taxonomy", "knowledge", "loss"},
    "knowledge": {*MAKERS, "release", "loss"},
    "loss": {*MAKERS, "release"},
    "measures": {*MAKERS} - {"measures", "risk"},
    "risk": {*MAKERS, "kernels", "loss"} - {"risk"},
    "adversaries": {*MAKERS, "kernels", "loss"} - {"adversaries"},
    "reports": {
        "models",
        "partition",
        "forms",
        "engine",
        "advice",
        "suggestions",
        *SURFACES,
        "comparisons",
        "kernels",
        "loss",
    },
    "comparisons": {*MAKERS, "kernels", "loss"} - {"auditor", "engine", "notebook", *LOOKERS},
    "notebook": {*MAKERS, "release", "kernels", "loss"} - {"notebook", "auditor", "risk", "reports", "comparisons"},
    "engine": {"suggestions", "cli", "workbench", "reports", "comparisons"},
    "advice": {"suggestions", "cli", "workbench"},
}


# What an audit judges, and what it could do without.
JUDGED = ("sfumato.models", "sfumato.partition", "sfumato.forms", "sfumato.kernels", "sfumato.engine", "numba")
DECIDING = (*JUDGED[:-1], *(f"sfumato.knowledge.{name}" for name in ("aim", "belief", "judge", "linking", "loops")))
# What the auditor may take from folders that also decide: readers of tables, knowledge as data, counting, words. Where
# somebody gives it the original table, that is read and coded as any table is: which rows are equal, and in what order
# values stand, is data. What may be published of it, nobody there decides.
READERS = {
    "knowledge": {"named", "table"},
    "table": {"dictionaries", "domain", "formats", "packing", "read", "table", "tally", "tuples", "words"},
}

# Where promises and models may be named, and where they are listed for others.
HOMES = ("policy/", "models/", "auditor/rules/")
LISTS = {"__init__.py", "exports.py", "extend.py"}


def reexported(file: Path) -> set[str]:
    """Names that a file imports from the package under their own name, for type checkers."""
    return {
        alias.asname
        for node in nodes_of(file)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("sfumato.")
        for alias in node.names
        if alias.asname is not None
    }


def defined(folder: str) -> dict[str, ast.ClassDef]:
    """Every class of a folder by its name."""
    files = (SOURCE / folder).rglob("*.py")
    return {node.name: node for file in files for node in nodes_of(file) if isinstance(node, ast.ClassDef)}


def descendants(folder: str, base: str) -> set[str]:
    """The classes of a folder that are made from a base, directly or not."""
    bases = {name: {*map(ast.unparse, node.bases)} for name, node in defined(folder).items()}
    found = {base}
    for _ in bases:
        found |= {name for name, mine in bases.items() if mine & found}
    return found - {base}


def named(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that a file imports, uses or asks another thing for."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {part for alias in node.names for part in (alias.name, alias.asname) if part is not None}
    return found


def texts(nodes: Iterable[ast.AST]) -> set[str]:
    """The texts among some nodes."""
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def recognised(nodes: Iterable[ast.AST], names: set[str], settings: set[str]) -> set[str]:
    """Texts by which a file tells promises apart: a name that it compares with, a setting that it looks for."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Compare):
            found |= texts(ast.walk(node)) & names
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            found |= texts(node.args) & settings
    return found


def strangers() -> list[tuple[str, Iterable[ast.AST]]]:
    """The files that must not know which promises and models there are, and all that they are made of."""
    places = ((file.relative_to(SOURCE).as_posix(), file) for file in SOURCE.rglob("*.py"))
    return [(place, nodes_of(file)) for place, file in places if not place.startswith(HOMES) and place not in LISTS]


def test_promises_and_models_are_named_only_at_home() -> None:
    """Others ask them what they declare, so that those of another package are asked alike."""
    classes = descendants("policy", "Promise") | descendants("models", "Model")
    assert {cls.__name__ for cls in PROMISES.values()} | {"AllOf", "Conjunction", "OfTerms", "TauLModel"} <= classes
    broken = {place: found for place, nodes in strangers() if (found := named(nodes) & classes)}
    assert not broken


def test_nobody_tells_promises_apart_by_their_words() -> None:
    settings = {field.name for cls in PROMISES.values() for field in fields(cls)} | {"promises"}
    assert {"on", "of", "l", "weights"} <= settings
    broken = {place: found for place, nodes in strangers() if (found := recognised(nodes, {*PROMISES}, settings))}
    assert not broken


def test_words_of_promises_decide_nothing() -> None:
    """What a promise means is computed by its model and by its rule, each for itself."""
    asked = {"psi": "models/psi.py", "allowed_share": "auditor/rules/tau_l.py"}
    for name, home in asked.items():
        assert name in {node.name for node in tree_of(SOURCE / home).body if isinstance(node, ast.FunctionDef)}
    methods = {node.name for node in ast.walk(defined("policy")["TauL"]) if isinstance(node, ast.FunctionDef)}
    assert methods == {"_fits", "capping", "weighing", "with_slack"}


@pytest.mark.parametrize("folder", APART)
def test_folders_stay_apart(folder: str) -> None:
    for file in (SOURCE / folder).rglob("*.py"):
        for name in imported(file):
            parts = name.split(".")
            if len(parts) > 2 and parts[1] in APART[folder] and parts[2] not in CONTRACTS:
                pytest.fail(f"{file.relative_to(SOURCE)} imports {name}")


def test_the_auditor_takes_data_from_others_and_no_decision() -> None:
    for file in (SOURCE / "auditor").rglob("*.py"):
        for name in imported(file):
            _, folder, *rest = [*name.split("."), "", ""]
            assert folder not in READERS or rest[0] in READERS[folder], f"{file.relative_to(SOURCE)} imports {name}"


def test_only_formats_know_kinds_of_files() -> None:
    """Readers and writers of table files, and their names, stay in one folder; so does the library for YAML."""
    libraries = {"csv": "table/formats", "pyarrow.csv": "table/formats", "pyarrow.parquet": "table/formats"}
    libraries |= {"pyreadstat": "table/formats", "python_calamine": "table/formats"}
    libraries["yaml"] = "policy/yaml.py"
    calls = {f"{verb}_{kind}" for verb in ("read", "scan", "sink", "write") for kind in ("csv", "parquet")}
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).as_posix()
        for node in nodes_of(file):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert place.startswith(libraries.get(name, "")), f"{place} imports {name}"
            if not place.startswith("table/formats"):
                assert not (isinstance(node, ast.Attribute) and node.attr in calls), f"{place} reads or writes a kind"
                assert not (isinstance(node, ast.Constant) and node.value == "parquet"), f"{place} names a kind"


# What surfaces take beside the public API. The workbench shows facts as reports do, by their words, pictures and
# sentences, and holds its folder as a run holds its own; `sfumato serve` starts it.
BESIDE = {
    "cli": ("sfumato.cli", "sfumato.errors", "sfumato.demo", "sfumato.workbench.launch"),
    "workbench": (
        "sfumato.workbench",
        "sfumato.errors",
        "sfumato.demo.hospital",
        "sfumato.release.locks",
        "sfumato.reports.charts",
        "sfumato.reports.html.details",
        "sfumato.reports.html.sheet",
        "sfumato.reports.markup",
        "sfumato.reports.wording",
    ),
}


@pytest.mark.parametrize("folder", BESIDE)
def test_surfaces_use_only_the_public_api(folder: str) -> None:
    for file in (SOURCE / folder).rglob("*.py"):
        for name in imported(file):
            public = name == "sfumato" or name.split(".")[1] in sfumato.__all__
            beside = any(f"{name}.".startswith(f"{each}.") for each in BESIDE[folder])
            within = any(f"{each}.".startswith(f"{name}.") for each in BESIDE[folder])  # from sfumato.reports import …
            assert public or beside or within, f"{file}: {name}"


def modules_after(code: str) -> set[str]:
    """Which modules a fresh interpreter has loaded after running some code."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    return set(done.stdout.split())


def test_nothing_rests_on_what_is_there_for_others() -> None:
    """The conformance suite and the list for extensions look at the product, never the other way round."""
    for file in SOURCE.rglob("*.py"):
        within = file.relative_to(SOURCE).parts[0]
        for name in imported(file):
            assert within == "testing" or not name.startswith("sfumato.testing"), f"{file}: {name}"
            assert not name.startswith("sfumato.extend."), f"{file}: {name}"


def test_the_conformance_suite_needs_no_test_tools_and_no_surface() -> None:
    for file in (SOURCE / "testing").rglob("*.py"):
        assert not {name for name in imported(file) if name.startswith(("sfumato.cli", "sfumato.demo"))}, file
    loaded = modules_after("import sfumato.testing")
    assert not {name.partition(".")[0] for name in loaded} & {"pytest", "hypothesis", "typer", "numba"}


def test_what_extensions_need_is_sorted_typed_real_and_light() -> None:
    from sfumato import extend

    assert list(extend.__all__) == sorted(extend.__all__)
    for name in extend.__all__:
        assert getattr(extend, name) is not None
    assert reexported(SOURCE / "extend.py") == set(extend.__all__)
    loaded = modules_after("from sfumato.extend import *")
    assert not {name for name in loaded if name.startswith(("numba", "sfumato.kernels", "sfumato.engine"))}


def test_an_audit_rule_of_another_package_loads_nothing_that_it_judges() -> None:
    loaded = modules_after("from sfumato.extend import Case, Rule, Ruling, as_text, largest_ratio, times")
    assert not {name for name in loaded if name.startswith(JUDGED)}


def test_help_loads_nothing_heavy() -> None:
    loaded = modules_after("import sfumato.cli.main")
    assert not loaded & {"numpy", "polars", "pyarrow", "numba", "pydantic", "yaml", "rich.table"}


def test_an_audit_loads_nothing_that_it_judges() -> None:
    loaded = modules_after("import sfumato\nsfumato.audit")
    assert not {name for name in loaded if name.startswith(JUDGED)}


def test_an_audit_runs_nothing_that_it_judges() -> None:
    """Of generalized values and of terms, whose judgement needs most."""
    loaded = modules_after(
        """
import polars as pl
import sfumato as sf
tree = {"tree": {"ab": ["a", "b"], "cd": ["c", "d"]}}
knowledge = {"labels": {"A": ["x"], "B": ["y"], "C": ["z"]}}
columns = {
    "q": {"role": "quasi"},
    "s": {"role": "sensitive", "hierarchy": tree},
    "t": {"role": "quasi-sensitive", "separator": "|", "knowledge": knowledge},
}
privacy = [{"model": "tau-l", "tau": "1/2", "l": 2}, {"model": "qs-cl", "c": 2, "l": 2}, {"model": "qs-t", "t": 1}]
frame = pl.DataFrame({"q": ["1"] * 4, "s": ["a", "ab", "c", "d"], "t": ["x", "y", "x|y", "z"]})
audit = sf.audit(frame, {"columns": columns, "privacy": privacy}, whole=True)
assert [each.verdict for each in audit.criteria[:2]] == ["holds", "holds"], audit.summary()
"""
    )
    assert "sfumato.auditor.rules.quasi_sensitive" in loaded
    assert not {name for name in loaded if name.startswith(DECIDING)}


def test_folders_of_tests_are_those_of_the_source() -> None:
    """Beside them only what tests whole jobs, or is for tests."""
    beside = {"attack", "benchmarks", "browser", "docs", "experiments", "golden", "stories", "support"}
    folders = {file.parent.relative_to(TESTS) for file in TESTS.rglob("test_*.py")}
    for folder in folders - {Path()}:
        assert folder.parts[0] in beside or (SOURCE / folder).is_dir(), folder


@pytest.mark.parametrize("root", [SOURCE, TESTS, BENCHMARKS, EXPERIMENTS], ids=lambda root: root.name)
def test_files_are_short(root: Path) -> None:
    files = list(root.rglob("*.py"))
    assert files
    long = {
        str(file.relative_to(root)): count
        for file in files
        if (count := len(file.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long


def test_no_two_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in nodes_of(file):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(file.relative_to(SOURCE).as_posix())
    assert not {name: files for name, files in homes.items() if len(files) > 1}


def test_public_names_are_sorted_typed_and_real() -> None:
    assert list(sfumato.__all__) == sorted(sfumato.__all__)
    for name in sfumato.__all__:
        assert getattr(sfumato, name) is not None
    assert reexported(SOURCE / "__init__.py") == set(sfumato.__all__) - {"__version__"}


def test_no_public_name_shadows_a_module() -> None:
    modules = {file.stem for file in SOURCE.glob("*.py")} | {file.parent.name for file in SOURCE.glob("*/__init__.py")}
    assert not modules & {*sfumato.__all__}
    assert isinstance(import_module("sfumato.auditor.court"), ModuleType)
    assert isinstance(import_module("sfumato.forms.contract"), ModuleType)


def test_compiled_loops_rest_on_compiled_loops_alone() -> None:
    """A file of loops imports numpy, what compiles them and other files of loops: callers hand them arrays."""
    for file in [*SOURCE.rglob("kernels/*.py"), *SOURCE.rglob("loops/*.py"), *SOURCE.rglob("loops.py")]:
        for name in imported(file):
            allowed = name.startswith("sfumato.compiled") or {"kernels", "loops"} & {*name.split(".")}
            assert allowed, f"{file.relative_to(SOURCE)} imports {name}"
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).with_suffix("").parts
        text = file.read_text(encoding="utf-8")
        if place[0] not in ("compiled", "compiler"):
            assert "njit" not in text, f"{file.relative_to(SOURCE)}: loops are compiled by sfumato.compiled"
        if "sfumato.compiled" in imported(file) or "import numba" in text or "from numba" in text:
            assert {"compiled", "compiler", "kernels", "loops", "testing"} & {*place}, (
                f"{file.relative_to(SOURCE)} holds compiled loops"
            )


def test_loops_that_only_loops_call_are_called_by_nobody_else() -> None:
    """Compiled without an entrance from outside, which saves time; who calls one all the same ends the process.

    Those of one file have private names. Those that files of loops share may be imported by these, and by the one place
    that gives tests an entrance.
    """
    shared = set()
    for file in SOURCE.rglob("*.py"):
        lines = file.read_text(encoding="utf-8").splitlines()
        for above, line in pairwise(lines):
            if above in ("@compiled", "@inlined", "@inner", "@spliced") and line.startswith("def "):
                private = line.startswith("def _")
                assert above != "@compiled" or not private, f"{file.relative_to(SOURCE)}: {line}"
                if above != "@compiled" and not private:
                    place = ".".join(("sfumato", *file.relative_to(SOURCE).with_suffix("").parts))
                    shared.add(f"{place}.{line.removeprefix('def ').partition('(')[0]}")
    assert "sfumato.kernels.box_prices.price" in shared
    holding = {name.rpartition(".")[0] for name in shared}  # who has the module, has what is in it
    for folder in (SOURCE, TESTS, BENCHMARKS, EXPERIMENTS):
        for file in folder.rglob("*.py"):
            inside = {"kernels", "loops"} & {*file.with_suffix("").parts}
            if file.name != "compiled.py" and not inside and re.search("kernels|loops", file.read_text("utf-8")):
                for node in nodes_of(file):
                    if isinstance(node, ast.ImportFrom):
                        taken = {f"{node.module}.{each.name}" for each in node.names}
                        assert not taken & (shared | holding), f"{file}: {taken}"
    called = re.compile(r"\bloops(?:\.\w+)*\._[a-z]\w*\(")
    named = re.compile(r"from sfumato[\w.]*(?:loops|kernels)[\w.]* import .*\b_\w")
    for folder in (SOURCE, TESTS, BENCHMARKS, EXPERIMENTS):
        for file in folder.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            assert not called.search(text) and not named.search(text), file
