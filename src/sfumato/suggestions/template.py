"""A commented policy from suggestions: what was found, what is suggested and why, what a person has to decide.

It holds names, counts and shares; never a value of the data.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from sfumato.policy.written import flow, scalar
from sfumato.suggestions.evidence import Evidence, percent
from sfumato.suggestions.suggest import Suggestion

__all__ = ["write_policy"]

_WIDTH = 118
_LONGEST_KEY = 1000  # YAML ends a key on one line after 1024 characters
_DEFAULTS = {"date": "%Y-%m-%d", "decimal": ".", "encoding": "utf-8"}
_ROLES = """\
Roles: identifier (dropped), individual (says whose a row is; dropped), quasi (others may know it: generalized),
sensitive (what the promise protects), quasi-sensitive (terms that betray something together), insensitive (published as
it is), weight (how many people a row of a survey stands for; dropped), drop (left out). Figures: alone = rows whose
value no other row has; entropy in bits and as a share of the bits that name one row; separation = share of the pairs of
rows that the column tells apart."""


_KNOWLEDGE = """\
TO DO: add knowledge: {file: ...}, which terms go with which label, as others may know it; before that the policy is not
valid. Then look at it with: sfumato knowledge check DATA -p POLICY"""


_ONE_ROW = """\
One row of every person is published, drawn by your secret key: then every method serves. To publish all rows say
rows: all, and choose a method that keeps persons apart: sfumato methods --persons"""

# With more columns than this left to decide, one decision serves those that a person gives no role of their own.
_FEW_UNDECIDED = 5


def write_policy(suggestions: Sequence[Suggestion], source: str, input: Mapping[str, str] | None = None) -> str:
    """The policy document of some suggestions, as YAML; not valid before every role is decided.

    suggestions   from `sf.suggest`
    source        the name of the data, for the document's first line
    input         further settings of how the data is written
    """
    undecided = [each.name for each in suggestions if each.role is None]
    many = len(undecided) > _FEW_UNDECIDED
    lines = [
        *_head(suggestions, source, many),
        "version: 1",
        "columns:",
        *(line for each in suggestions for line in _column(each, many)),
        *(_others(len(undecided)) if many else ()),
        "privacy:",
        *_privacy(suggestions),
        "partition: {method: auto}   # runs what promises most for this table, and keeps what loses least",
        "form: {publish: generalized}",
        "suppression: {limit: 0}    # largest share of rows that may be left out",
        "missing: category          # a missing value is a value of its own; or: error, drop",
        *_input(suggestions, input or {}),
    ]
    return "\n".join(lines) + "\n"


def _comment(text: str, indent: str = "") -> list[str]:
    wrapped = textwrap.wrap(text, _WIDTH - len(indent), break_long_words=False, break_on_hyphens=False)
    return [f"{indent}# {line}" for line in wrapped]


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(scalar, names))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _others(count: int) -> Iterator[str]:
    yield ""
    yield from _comment(
        f"TO DO: decide the role of the {count} columns that are left undecided above. drop leaves them out; give those"
        " that you need a role of their own first, by taking the # from their line."
    )
    yield "others: {role: decide}"
    yield ""


def _head(suggestions: Sequence[Suggestion], source: str, many: bool) -> Iterator[str]:
    rows = suggestions[0].evidence.rows if suggestions else 0
    size = f"{_count(rows, 'row')}, {_count(len(suggestions), 'column')}"
    yield from _comment(f"Policy for {scalar(source)} ({size}), suggested by `sfumato init`.")
    yield from _comment("Every role is a suggestion: its figures and reasons stand above it. Check each of them.")
    undecided = [each.name for each in suggestions if each.role is None]
    if undecided:
        number = _count(len(undecided), "role")
        how = " (others: serves all that you give none)" if many else ""
        yield from _comment(f"TO DO: decide {number}{how}, before that the policy is not valid: {_names(undecided)}.")
    together = next((each.together for each in suggestions if each.together is not None), None)
    if together is not None:
        yield from _comment(
            f"Together the suggested quasi-identifiers ({_names(together.columns)}) have"
            f" {_count(together.distinct, 'combination')} in {_count(together.rows, 'row')}"
            f" (distinctness {percent(together.distinctness)}), tell {percent(together.separation)} of the pairs"
            f" of rows apart, and leave {_count(together.unique, 'row')} alone with theirs."
        )
    if not any(each.role == "quasi" for each in suggestions):
        yield from _comment("No column is suggested as a quasi-identifier; a policy needs at least one.")
    yield from _comment(" ".join(_ROLES.splitlines()))


def _column(given: Suggestion, many: bool) -> Iterator[str]:
    """The entry of a column; a mere comment, if its role is one of many left to decide."""
    indent = "  "
    before = f"{indent}# " if many and given.role is None else indent
    yield ""
    yield from _comment(_figures(given.evidence), indent)
    yield from _comment(f"{given.role or 'undecided'}: {'; '.join(given.reasons)}", indent)
    settings: dict[str, object] = {"role": given.role or "decide"}
    if given.role == "quasi-sensitive":
        if given.separator is not None:
            settings["separator"] = given.separator
        yield from _comment(_KNOWLEDGE, indent)
    elif given.role == "individual":
        settings["rows"] = "one"
        yield from _comment(_ONE_ROW, indent)
    elif given.role != "identifier":
        settings["type"] = given.type
    if given.hierarchy is not None and given.role is not None:
        settings["hierarchy"] = given.hierarchy
    if given.role is None and given.hierarchy is not None:
        yield from _comment(f"if quasi, add: hierarchy: {flow(given.hierarchy)}", indent)
    key = scalar(given.name)
    if len(key) < _LONGEST_KEY:
        yield f"{before}{key}: {flow(settings)}"
    else:
        yield f"{before}? {key}"
        yield f"{before}: {flow(settings)}"


def _figures(found: Evidence) -> str:
    parts = [
        _count(found.distinct, "value"),
        f"{found.missing or 'none'} missing",
        f"{percent(found.uniqueness)} of rows alone",
        f"entropy {found.entropy:.2f} bits ({percent(min(found.normalised_entropy, 1.0))})",
        f"separation {percent(found.separation)}",
    ]
    if found.length is not None:
        parts.append(f"all of length {found.length}")
    return ", ".join(parts)


def _privacy(suggestions: Sequence[Suggestion]) -> Iterator[str]:
    rows = suggestions[0].evidence.rows if suggestions else 0
    yield from _comment("Every group of rows that look alike has at least k rows.", "  ")
    if rows < 5:
        yield from _comment(f"The table has only {_count(rows, 'row')}: no release of it can keep k = 5.", "  ")
    yield "  - {model: k-anonymity, k: 5}"
    sensitive = [each for each in suggestions if each.role == "sensitive"]
    if not sensitive:
        yield from _comment("No sensitive column is suggested. With one, promise diversity as well, such as", "  ")
        yield "  # - {model: entropy-l, l: 3, on: COLUMN}"
    for each in sensitive:
        yield from _promise(each)
    for name in (each.name for each in suggestions if each.role == "quasi-sensitive"):
        yield from _comment(
            f"{scalar(name)}: of the labels that a group's terms may stand for, the likeliest is believed no more than"
            " those from the third on together.",
            "  ",
        )
        yield f"  - {flow({'model': 'qs-cl', 'c': 1, 'l': 3, 'on': name})}"
    yield ""


def _promise(given: Suggestion) -> Iterator[str]:
    found, name = given.evidence, scalar(given.name)
    share = percent(found.most / found.rows) if found.rows else "0 %"
    yield from _comment(
        f"{name}: {_count(found.values, 'value')}, the most frequent in {share} of rows, so the table can keep simple l"
        f" up to {found.best_l}, entropy l at least as far, and distinct l up to {found.values}.",
        "  ",
    )
    if found.best_l >= 2:
        promise: dict[str, object] = {"model": "entropy-l", "l": min(3, found.best_l), "on": given.name}
    elif found.values >= 2:
        yield from _comment(
            "One value is in more than half of the rows: two different values are all that can be asked,", "  "
        )
        yield from _comment("which bounds no one's odds. Consider recursive-cl or t-closeness.", "  ")
        promise = {"model": "distinct-l", "l": 2, "on": given.name}
    else:
        yield from _comment("It has no two values: nothing can be promised about it.", "  ")
        return
    yield f"  - {flow(promise)}"


def _input(suggestions: Sequence[Suggestion], given: Mapping[str, str]) -> Iterator[str]:
    found = {**given, **{key: value for each in suggestions for key, value in each.settings.items()}}
    settings: dict[str, object] = {key: value for key, value in found.items() if _DEFAULTS.get(key) != value}
    marks = sorted({mark for each in suggestions for mark in each.marks})
    if marks:
        settings["missing_values"] = ["", *marks]
    if settings:
        yield f"input: {flow(settings)}"
