"""Mistakes that no single setting shows: names that do not match, promises without their column.

Works on the document as written, so that these are reported together with mistakes of form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from sfumato.errors import Problem, one_line
from sfumato.exact import as_fraction
from sfumato.policy.forms import form_class
from sfumato.policy.naming import is_wildcard, meant, names_in
from sfumato.policy.promises import promise_class
from sfumato.policy.setcheck import check_coarsened, check_sets, check_term_weights, check_terms_promise

__all__ = ["crosscheck", "missing_files"]

_UNITS = ("day", "month", "quarter", "year", "decade")


def crosscheck(raw: Mapping[str, Any]) -> list[Problem]:
    """Every such mistake; parts that are malformed are left to the form check.

    A wildcard is taken for one column here, and for those that the document names and it matches. What else it matches
    shows with the data, and is checked then.
    """
    given = _mapping(raw, "columns").items()
    columns = {name: column for name, column in given if isinstance(column, Mapping) and isinstance(name, str)}
    others = raw.get("others")
    written = {**columns, **({_OTHERS: others} if isinstance(others, Mapping) else {})}
    named = {name: written[rule] for name, rule in _standing(columns, others, names_in(raw)).items()}
    found = [
        *_document(raw),
        *_columns(written),
        *_lists(written),
        *_roles(written),
        *check_sets(written),
        *_promises(raw, written | named),
        *_names(raw, written | named),
        *_slices(raw, written | named),
        *check_term_weights(raw, written),
        *check_coarsened(raw, written | named),
    ]
    return [_placed(problem) for problem in found]


_OTHERS = "others: *"
"""What the columns of `others:` are called among the rest, here alone."""


def _standing(columns: Mapping[str, Any], others: object, names: list[str]) -> dict[str, str]:
    """Names that a wildcard or `others:` stands for, with the rule."""
    found = meant(columns, others if isinstance(others, Mapping) else None, names)
    return {name: rule or _OTHERS for rule, matched in found.by_rule.items() for name in matched}


def _placed(problem: Problem) -> Problem:
    """The problem where it stands in the document."""
    return Problem(problem.path.replace(f"columns.{_OTHERS}", "others"), problem.got, problem.allowed)


def _mapping(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, Mapping) else {}


def _with_role(columns: Mapping[str, Any], role: str) -> list[str]:
    return [name for name, column in columns.items() if column.get("role") == role]


def _document(raw: Mapping[str, Any]) -> Iterator[Problem]:
    if isinstance(raw.get("version"), bool):
        yield Problem("version", repr(raw["version"]), "must be a whole number")
    if "%y" in str(_mapping(raw, "input").get("date", "")):
        yield Problem("input.date", "", "a year of two digits can be of either century; use %Y and four digits")


def _lists(columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Lists whose order or repetition makes no sense."""
    for name, column in columns.items():
        hierarchy = column.get("hierarchy")
        settings = hierarchy if isinstance(hierarchy, Mapping) else {}
        order = column.get("order")
        if isinstance(order, (list, tuple)) and len(set(map(str, order))) < len(order):
            yield Problem(f"columns.{name}.order", "", "a value stands twice")
        bins = _numbers(column.get("bins"))
        if any(low >= high for low, high in pairwise(bins)):
            yield Problem(f"columns.{name}.bins", "", "edges must ascend")
        widths = _numbers(settings.get("intervals"))
        if any(low <= 0 or high <= low or (high / low).denominator != 1 for low, high in pairwise(widths)):
            allowed = "each width must be a larger multiple of the one before"
            yield Problem(f"columns.{name}.hierarchy.intervals", "", allowed)
        lengths = _numbers(settings.get("prefix"))
        if any(longer <= shorter for longer, shorter in pairwise(lengths)):
            yield Problem(f"columns.{name}.hierarchy.prefix", "", "each prefix must be shorter than the one before")
        units = settings.get("dates")
        ranks = [_UNITS.index(unit) for unit in units if unit in _UNITS] if isinstance(units, (list, tuple)) else []
        if any(low >= high for low, high in pairwise(ranks)):
            yield Problem(f"columns.{name}.hierarchy.dates", "", "each unit must be coarser than the one before")


def _numbers(given: object) -> list[Fraction]:
    """The numbers of a list; none if it is not one: the form check says so."""
    try:
        return [as_fraction(number) for number in given] if isinstance(given, (list, tuple)) else []
    except ValueError:
        return []


def _roles(columns: Mapping[str, Any]) -> Iterator[Problem]:
    for name, column in columns.items():
        role = column.get("role")
        if is_wildcard(name) and role in ("individual", "quasi-sensitive", "weight"):
            yield Problem(f"columns.{name}.role", repr(role), "is of one column: name it")
        if role == "individual" and column.get("missing") == "category":
            allowed = "rows of unknown persons are not rows of one person: must be error or drop"
            yield Problem(f"columns.{name}.missing", "'category'", allowed)
        if role == "weight":
            yield from _weight(column, f"columns.{name}")
    for name in _with_role(columns, "individual")[1:]:
        yield Problem(f"columns.{name}.role", "'individual'", "only one column can say whose a row is")
    for name in _with_role(columns, "weight")[1:]:
        yield Problem(f"columns.{name}.role", "'weight'", "only one column can hold sampling weights; drop the others")
    if columns and not _with_role(columns, "quasi"):
        yield Problem("columns", "", "at least one column must have the role 'quasi'")


def _weight(column: Mapping[str, Any], path: str) -> Iterator[Problem]:
    """A sampling weight is a number in every row, and nothing else."""
    if column.get("type") not in (None, "integer", "number"):
        yield Problem(f"{path}.type", repr(column["type"]), "a sampling weight is a number: integer or number")
    if column.get("order") is not None:
        yield Problem(f"{path}.order", "", "a sampling weight is a number, and has its order already")
    if column.get("missing") not in (None, "error"):
        allowed = "every row needs its sampling weight: must be error"
        yield Problem(f"{path}.missing", repr(column["missing"]), allowed)


def _columns(columns: Mapping[str, Any]) -> Iterator[Problem]:
    for name, column in columns.items():
        role, kind, path = column.get("role"), column.get("type") or "text", f"columns.{name}"
        if column.get("rows") not in (None, "all") and role != "individual":
            yield Problem(f"{path}.rows", "", "only the column that says whose a row is (individual) can have it")
        if column.get("pseudonym") and role != "identifier":
            yield Problem(f"{path}.pseudonym", "", "only an identifier can have one")
        if column.get("unique") is not None and role != "insensitive":
            yield Problem(f"{path}.unique", "", "only an insensitive column can have it")
        for key in ("bins", "difference"):
            if column.get(key) is not None and (role != "sensitive" or kind not in ("integer", "number")):
                yield Problem(f"{path}.{key}", "", "only a sensitive column of type integer or number can have it")
        if column.get("bins") is not None and column.get("difference") is not None:
            yield Problem(f"{path}.difference", "", "give either bins or difference, not both")
        if column.get("same") is not None and (role not in ("sensitive", "quasi-sensitive") or kind != "text"):
            yield Problem(f"{path}.same", "", "only a sensitive or quasi-sensitive column of type text can have it")
        if column.get("order") is not None and kind != "text":
            yield Problem(f"{path}.order", "", f"a column of type {kind} has its order already")
        if column.get("order") is not None and column.get("hierarchy") is not None:
            yield Problem(f"{path}.order", "", "a column with a hierarchy has its order from there")
        hierarchy = column.get("hierarchy")
        if hierarchy is not None and (column.get("bins") is not None or column.get("difference") is not None):
            yield Problem(f"{path}.hierarchy", "", "a binned column cannot have one: its bins are its values")
        if hierarchy is not None and role not in ("quasi", "sensitive", "quasi-sensitive"):
            yield Problem(f"{path}.hierarchy", "", "only quasi, sensitive and quasi-sensitive columns have one")
        if isinstance(hierarchy, Mapping):
            if "intervals" in hierarchy and kind == "date":
                yield Problem(f"{path}.hierarchy", "", "intervals need the column's type: integer, number or text")
            if "prefix" in hierarchy and kind != "text":
                yield Problem(f"{path}.hierarchy", "", "prefixes need the column's type: text")
            if "dates" in hierarchy and kind != "date":
                yield Problem(f"{path}.hierarchy", "", "dates need the column's type: date")


def _promises(raw: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    promises = raw.get("privacy")
    for index, promise in enumerate(promises if isinstance(promises, (list, tuple)) else ()):
        if isinstance(promise, Mapping) and isinstance(promise.get("model"), str):
            yield from _promise(promise, f"privacy[{index}]", raw, columns)
    yield from _in_no_set(promises, columns)


def _promise(
    promise: Mapping[str, Any], path: str, raw: Mapping[str, Any], columns: Mapping[str, Any]
) -> Iterator[Problem]:
    sensitive, model, on = _with_role(columns, "sensitive"), promise["model"], promise.get("on")
    if model == "multi-attribute":
        if len(sensitive) < 2 and not any(map(is_wildcard, sensitive)):
            yield Problem(path, f"{len(sensitive)}", "multi-attribute needs at least two sensitive columns")
        of = promise.get("of")
        if isinstance(of, Mapping):
            if of.get("on") is not None:
                yield Problem(f"{path}.of.on", repr(of["on"]), "it speaks of every sensitive column; leave 'on' out")
            if of.get("model") == "multi-attribute":
                yield Problem(f"{path}.of.model", "", "cannot be nested")
            yield from _group_id(of, f"{path}.of", raw)
            yield from _known_sets(of, f"{path}.of", columns)
        return
    try:
        words = promise_class(model)
    except ValueError:
        return  # the form check names it
    yield from _group_id(promise, path, raw)
    yield from _known_sets(promise, path, columns)
    if words.about_terms:
        yield from check_terms_promise(promise, path, columns)
    if not words.about_values:
        return
    if not sensitive:
        yield Problem(path, "", f"{model} needs a column with the role 'sensitive'")
    elif on is None and len(sensitive) > 1:
        yield Problem(f"{path}.on", "", f"which sensitive column? one of: {', '.join(map(one_line, sensitive))}")
    elif on is not None and on not in sensitive:
        yield Problem(f"{path}.on", repr(on), f"must be a sensitive column: {', '.join(map(one_line, sensitive))}")
    else:
        column = columns[on if on is not None else sensitive[0]]
        if promise.get("distance") == "hierarchical" and column.get("hierarchy") is None:
            yield Problem(f"{path}.distance", "'hierarchical'", "the column needs a hierarchy")
        if promise.get("neighbourhood") == "relative" and (column.get("type") or "text") not in ("integer", "number"):
            yield Problem(f"{path}.neighbourhood", "'relative'", "the column needs a type integer or number")
        unordered = (column.get("type") or "text") == "text" and column.get("order") is None
        if promise.get("distance") == "ordered" and unordered:
            yield Problem(f"{path}.distance", "'ordered'", "the column needs a type number or date, or an order: list")
        if words.needs_order and unordered:
            yield Problem(path, "", f"{model} needs a column of type number or date, or with an order: list")


def _known_sets(promise: Mapping[str, Any], path: str, columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Sets of quasi-identifiers that a promise is about name quasi-identifiers."""
    given, quasi = promise.get("of"), _with_role(columns, "quasi")
    sets = given if isinstance(given, (list, tuple)) else ()
    listed = [name for each in sets if isinstance(each, (list, tuple)) for name in each]
    for name in dict.fromkeys(map(str, listed)):
        if name not in quasi or is_wildcard(name):
            must = f"must name a quasi column: {', '.join(map(one_line, quasi))}"
            yield Problem(f"{path}.of", repr(name), must)


def _in_no_set(promises: object, columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Quasi-identifiers that nothing protects, because every promise asks of sets that lack them."""
    given = promises if isinstance(promises, (list, tuple)) else ()
    found = [promise.get("of") for promise in given if isinstance(promise, Mapping)]
    asked = [sets for sets in found if isinstance(sets, (list, tuple)) and sets]
    if not asked or len(asked) < len(found):
        return
    named = {name for sets in asked for each in sets if isinstance(each, (list, tuple)) for name in map(str, each)}
    for name in _with_role(columns, "quasi"):
        if name not in named and not is_wildcard(name) and name != _OTHERS:
            yield Problem("privacy", "", f"quasi column {name!r} is in no set of any promise: nothing would protect it")


def _group_id(promise: Mapping[str, Any], path: str, raw: Mapping[str, Any]) -> Iterator[Problem]:
    """A promise that can only be checked where groups have a published id."""
    model = promise.get("model")
    try:
        needed = isinstance(model, str) and promise_class(model).needs_group_id
    except ValueError:
        return  # the form check names it
    if needed and not _names_groups(_mapping(raw, "form")):
        yield Problem(
            path, "", f"{model} needs a published group id (form: group_id: true); without one promise simple-l"
        )


def _names_groups(form: Mapping[str, Any]) -> bool:
    found = form_class(form)
    return bool(form.get("group_id")) or (found is not None and found.names_groups)


def _slices(raw: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    """Slices name columns that are published, each once."""
    form = _mapping(raw, "form")
    slices = form.get("slices")
    parts = [part for part in slices if isinstance(part, (list, tuple))] if isinstance(slices, (list, tuple)) else []
    roles = ("quasi", "sensitive", "quasi-sensitive", *(("insensitive",) if form.get("insensitive") else ()))
    named = [name for part in parts for name in part]
    for name in dict.fromkeys(map(str, named)):
        if name not in columns or columns[name].get("role") not in roles:
            yield Problem("form.slices", repr(name), f"must name a column with the role {' or '.join(roles)}")
        elif named.count(name) > 1:
            yield Problem("form.slices", repr(name), "a column stands twice")


def _names(raw: Mapping[str, Any], columns: Mapping[str, Any]) -> Iterator[Problem]:
    quasi = _with_role(columns, "quasi")
    weighed = (*quasi, *_with_role(columns, "sensitive"))
    named = (("loss", "weights"), ("suppression", "columns"))
    mappings = (("partition", key) for key in ("minimum", "maximum", "value_weights"))
    for section, key in (*named, *mappings):
        for name in _mapping(_mapping(raw, section), key):
            if name not in (weighed if section == "loss" else quasi):
                words = ", ".join(map(one_line, weighed if section == "loss" else quasi))
                kind = "quasi or sensitive" if section == "loss" else "quasi"
                yield Problem(f"{section}.{key}.{name}", "", f"must name a {kind} column: {words}")
    given = _mapping(raw, "partition").get("importance")
    listed = given if isinstance(given, (list, tuple)) else ()
    for name in listed:
        if name not in quasi:
            yield Problem(
                "partition.importance", repr(name), f"must name a quasi column: {', '.join(map(one_line, quasi))}"
            )
        elif listed.count(name) > 1:
            yield Problem("partition.importance", repr(name), "a column stands twice")


def missing_files(raw: Mapping[str, Any], base: Path) -> Iterator[Problem]:
    """Files of hierarchies and knowledge that are not there."""
    placed = {f"columns.{name}": column for name, column in _mapping(raw, "columns").items()}
    for path, column in {**placed, "others": raw.get("others")}.items():
        for key in ("hierarchy", "knowledge"):
            settings = column.get(key) if isinstance(column, Mapping) else None
            file = settings.get("file") if isinstance(settings, Mapping) else None
            if isinstance(file, str) and not (base / file).is_file():
                yield Problem(f"{path}.{key}.file", repr(file), f"no such file in {base.absolute()}")
