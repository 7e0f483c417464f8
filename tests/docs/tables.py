"""Tables of the reference pages, made from the declarations they describe.

A page holds them between ``<!-- generated: NAME -->`` and ``<!-- end -->``. Bring all pages up to date with

    python -m tests.docs.tables
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from pydantic.fields import FieldInfo

import sfumato as sf
from benchmarks import cold, learnt, leastloss, measures, reports, scale, sidebyside
from benchmarks.choices import show as choices
from benchmarks.peers.tables import markdown, stored
from experiments import evidence
from experiments import pages as papers
from sfumato.adversaries.registry import ADVERSARIES
from sfumato.cli.main import app
from sfumato.exact import as_text
from sfumato.measures.registry import MEASURES
from sfumato.policy import columns, document, losses
from sfumato.policy.columns import Strict
from sfumato.policy.forms import FORMS
from sfumato.policy.losses import LOSS_METRICS
from sfumato.policy.methods import METHODS
from sfumato.policy.promises import PROMISES, Promise
from sfumato.policy.steps import STEPS
from tests.docs.pages import PAGES

__all__ = ["commands", "sections", "settings", "updated"]

_SIGNS = {"ge": "≥ {}", "gt": "> {}", "le": "≤ {}", "lt": "< {}"}
_PLACES = {
    "Column": "columns",
    "Method": "partition",
    "Form": "form",
    "Balanced": "hierarchies",
    "KnowledgeFile": "quasi-sensitive-columns",
    "KnowledgeInline": "quasi-sensitive-columns",
    "LossSettings": "loss",
    "Step": "steps",
    "SuppressionSettings": "suppression",
    "TermSuppression": "suppress-terms",
    "GeneralizeSensitive": "generalize-sensitive",
}
_COMPLETION = ("install_completion", "show_completion")


@cache
def sections() -> dict[str, str]:
    """Every generated section by its name."""
    made = {f"settings of {cls.__name__}": _settings(cls) for cls in settings()}
    made["promises"] = _promises()
    made["losses"] = _table(("metric", "what is lost"), [[_code(name), says] for name, says in LOSS_METRICS.items()])
    made |= {"matrix": _matrix(), "matrix for persons": _matrix(persons=True), "reasons": _reasons()}
    made |= {f"options of {name}": _options(command) for name, command in commands()}
    made |= {name: _table(head, rows) for name, (head, rows) in markdown(stored()).items()}
    made |= {name: _table(head, rows) for name, (head, rows) in choices.markdown(choices.stored()).items()}
    made["first runs"] = _table(cold.HEAD, list(cold.lines(cold.stored())))
    made["measures at a million rows"] = _table(measures.HEAD, list(measures.lines(measures.stored())))
    made["reports at a million rows"] = _table(reports.HEAD, list(reports.lines(reports.stored())))
    made["tables that are not held"] = _table(scale.HEAD, list(scale.lines(scale.stored())))
    made["methods side by side"] = _table(sidebyside.HEAD, list(sidebyside.lines(sidebyside.stored())))
    made["lost and learnt"] = _table(learnt.head(learnt.stored()), list(learnt.lines(learnt.stored())))
    made["least losses"] = _table(leastloss.HEAD, list(leastloss.lines(leastloss.stored())))
    made |= {name: _table(head, rows) for name, (head, rows) in papers.tables()}
    made["papers"] = _table(evidence.HEAD, evidence.lines())
    made["adversaries"] = _adversaries()
    made["all measures"] = _measures()
    made |= {f"names of {kind}": _names(kind) for kind in ("promises", "errors", "functions", "classes")}
    return made


def updated(text: str) -> str:
    """A page with its generated sections as they should be."""
    made = sections()
    return re.sub(
        r"(<!-- generated: (.+?) -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}",
        text,
        flags=re.DOTALL,
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    cells = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells)


def _code(text: object) -> str:
    return f"`{text}`"


# --- settings of the policy -------------------------------------------------------------------------------------------


def settings() -> tuple[type[Strict], ...]:
    """Every part of the policy document, in reading order."""
    before, after = ([*map(_defined, modules)] for modules in ((document, columns), (losses,)))
    tables = (METHODS.values(), STEPS.values(), FORMS.values())
    parts = [part for listed in (*before, *tables, *after) for part in listed]
    return tuple(part for part in parts if not part.__subclasses__())


def _defined(module: types.ModuleType) -> list[type[Strict]]:
    """Those that a module defines."""
    found = [part for part in vars(module).values() if inspect.isclass(part) and issubclass(part, Strict)]
    return [part for part in found if part.__module__ == module.__name__]


def _settings(cls: type[Strict]) -> str:
    rows = []
    for name, info in cls.model_fields.items():
        words = info.description or _summary(info.annotation)
        rows.append([_code(name), allowed(info.annotation, info.metadata), _default(info), words])
    return _table(("setting", "allowed", "default", "meaning"), rows)


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True)
    return "" if value in (None, {}) or isinstance(value, Strict) else _written(value)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return _code(str(value).lower())
    if isinstance(value, tuple):
        return _code("[" + ", ".join(f'"{item}"' for item in value) + "]")
    return _code(as_text(value) if isinstance(value, Fraction) else value)


def _summary(annotation: Any) -> str:
    known = inspect.isclass(annotation) and issubclass(annotation, Strict)
    return _first_line(annotation) if known else ""


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0].replace("``", "`")


# --- what a setting may be --------------------------------------------------------------------------------------------


def allowed(annotation: Any, metadata: Iterable[Any] = ()) -> str:
    """The values that a type allows, in words."""
    if get_origin(annotation) is Annotated:
        inner, *more = get_args(annotation)
        return allowed(inner, [*more, *metadata])
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return ", ".join(_written(value) for value in inside)
    if origin in (Union, types.UnionType):
        return " or ".join(allowed(each, metadata) for each in inside if each is not type(None))
    if origin is tuple and get_origin(inside[0]) is tuple and get_args(inside[0])[-1] is not ...:
        return f"mapping of values to {allowed(get_args(inside[0])[1])}"
    if origin is tuple:
        return f"list of {allowed(inside[0])}{_length(metadata)}"
    if origin is dict:
        return f"mapping of names to {allowed(inside[1])}"
    if inspect.isclass(annotation) and issubclass(annotation, Strict):
        return f"[`{{{next(iter(annotation.model_fields))}: …}}`](#{_place(annotation)})"
    if inspect.isclass(annotation) and issubclass(annotation, Promise):
        return "[promise](#promises)"
    if annotation is str:
        return "one character" if any(getattr(part, "max_length", None) == 1 for part in metadata) else "text"
    words = {bool: "`true`, `false`", int: "whole number", Fraction: "number"}
    return words.get(annotation, "anything") + _bounds(metadata)


def _place(cls: type[Strict]) -> str:
    """The heading of the page that has the settings of a part."""
    name = cls.__name__
    return _PLACES.get(name, "hierarchies" if name.endswith("Hierarchy") else name.removesuffix("Settings").lower())


def _length(metadata: Iterable[Any]) -> str:
    least = max((getattr(part, "min_length", None) or 0 for part in _parts(metadata)), default=0)
    return f", at least {least}" if least > 1 else ""


def _bounds(metadata: Iterable[Any]) -> str:
    parts = _parts(metadata)
    found = [sign.format(getattr(each, name)) for name, sign in _SIGNS.items() for each in parts if hasattr(each, name)]
    return f" {' and '.join(found)}" if found else ""


def _parts(metadata: Iterable[Any]) -> list[Any]:
    return [part for item in metadata for part in (item.metadata if isinstance(item, FieldInfo) else [item])]


# --- promises ---------------------------------------------------------------------------------------------------------


def _promises() -> str:
    rows = []
    for name, cls in PROMISES.items():
        hints = get_type_hints(cls, include_extras=True)
        words = [_parameter(field, hints[field.name]) for field in dataclasses.fields(cls)]
        rows.append([f"[`{name}`](../explanation/promises.md#{name})", "<br>".join(words), _first_line(cls)])
    return _table(("model", "parameters", "says"), rows)


def _parameter(field: dataclasses.Field[Any], hint: Any) -> str:
    if field.name == "on":
        return "`on`"
    default = "" if field.default in (dataclasses.MISSING, ()) else f", default {_written(field.default)}"
    return f"{_code(field.name)} {allowed(hint)}{default}"


# --- the matrix ------------------------------------------------------------------------------------------------------


def _matrix(persons: bool = False) -> str:
    matrix = sf.methods(persons=persons)
    rows = [
        [_code(form), _code(model), *(matrix.cell(model, method, form).status for method in matrix.methods)]
        for form in matrix.forms
        for model in matrix.models
    ]
    return _table(("form", "model", *map(_code, matrix.methods)), rows)


def _reasons() -> str:
    why: dict[str, list[str]] = {}
    for cell in sf.methods().cells:
        if cell.why:
            why.setdefault(cell.why, []).append(f"{_code(cell.model)} × {_code(cell.method)} × {_code(cell.form)}")
    return _table(("because", "which"), [[reason, "<br>".join(cells)] for reason, cells in why.items()])


# --- the command line -------------------------------------------------------------------------------------------------


def commands() -> Iterator[tuple[str, Any]]:
    """Every command that can be run, subcommands included, and `sfumato` itself."""
    root: Any = typer.main.get_command(app)
    yield "sfumato", root
    waiting = [("sfumato", root)]
    while waiting:
        above, group = waiting.pop(0)
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                waiting.append((f"{above} {name}", command))
            else:
                yield f"{above} {name}", command


def _options(command: Any) -> str:
    rows = []
    for parameter in command.params:
        if parameter.name in _COMPLETION:
            continue
        if parameter.param_type_name == "argument":
            name = _code(parameter.metavar or parameter.name.upper())
        else:
            flags = ["/".join([parameter.opts[0], *parameter.secondary_opts]), *parameter.opts[1:]]
            value = "" if parameter.is_flag else f" {parameter.metavar or 'NUMBER'}"
            name = ", ".join(_code(flag + value) for flag in flags)
        default = parameter.default
        shown = "required" if parameter.required else "" if default is None or default is False else _code(default)
        rows.append([name, shown, parameter.help or ""])
    return _table(("argument or option", "default", "meaning"), rows)


# --- adversaries ------------------------------------------------------------------------------------------------------


def _adversaries() -> str:
    rows = []
    for name, cls in ADVERSARIES.items():
        own = [f"{_code(each.name)} {_plainly(each.default)}" for each in dataclasses.fields(cls)]  # type: ignore[arg-type]
        who, needs = cls.persona, "; ".join(cls.persona.needs)
        words = f"{who.title}: {who.assumes}"
        rows.append([_code(name), words, who.exposes, "<br>".join(own), needs, who.reference])
    return _table(("adversary", "who that is", "somebody is exposed if", "settings", "needs", "described in"), rows)


# --- measures ---------------------------------------------------------------------------------------------------------


def _measures() -> str:
    rows = []
    for name, cls in MEASURES.items():
        own = [f"{_code(each.name)} {_plainly(each.default)}" for each in dataclasses.fields(cls)]  # type: ignore[arg-type]
        about = cls.about
        says, needs = f"{about.title}: {about.formula}", "; ".join(about.needs)
        rows.append([_code(name), says, about.range, about.better, "<br>".join(own), needs, about.reference])
    return _table(("measure", "what it is", "range", "better", "settings", "needs", "described in"), rows)


def _plainly(value: object) -> str:
    return "–" if value is None else _written(value)


# --- the public names -------------------------------------------------------------------------------------------------


def _names(kind: str) -> str:
    rows = []
    for name in sf.__all__:
        thing = getattr(sf, name)
        if name != "__version__" and _kind(thing) == kind:
            shown = f"{name}{_arguments(thing)}" if kind == "functions" else name
            rows.append([_code(f"sf.{shown}"), _first_line(thing)])
    return _table(("name", "what it is"), rows)


def _kind(thing: Any) -> str:
    if not inspect.isclass(thing):
        return "functions"
    if issubclass(thing, Exception):
        return "errors"
    return "promises" if issubclass(thing, Promise) else "classes"


def _arguments(function: Any) -> str:
    bare = inspect.Signature(
        [each.replace(annotation=inspect.Parameter.empty) for each in inspect.signature(function).parameters.values()]
    )
    return re.sub(r"<function (\w+) at 0x[0-9a-f]+>", r"\1", str(bare))


if __name__ == "__main__":
    for page in PAGES.values():
        Path(page.path).write_text(updated(page.text), encoding="utf-8")
