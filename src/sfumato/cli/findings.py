"""JSON Schemas of what is found of releases: `sfumato measure`, `attack`, `explain` and `compare` with `--json`."""

from __future__ import annotations

from typing import Any

from sfumato.cli.documents import COUNT, SHARE, TEXT, TEXTS, object_of

__all__ = ["ATTACK", "COMPARE", "EXPLAIN", "MEASURE"]

_NUMBER: dict[str, Any] = {"type": "number"}
_LOOKED: dict[str, Any] = {
    "version": {"const": 1},
    "rows": {**COUNT, "description": "of the original table, as far as it is known"},
    "suppressed": {**COUNT, "description": "of these, rows that the release does not have"},
}
_NEEDS = {**TEXTS, "description": "what must be there beside the release"}
_LACKS = {**TEXT, "description": "what is not there, and would be needed; empty: nothing"}
_SETTINGS: dict[str, Any] = {"type": "object", "description": "with which settings"}
_FIGURE = object_of(
    "what was measured",
    {
        "value": _NUMBER,
        "columns": {"type": "object", "additionalProperties": _NUMBER},
        "details": {"type": "object", "description": "what stands behind it"},
    },
)


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(description: str, required: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": object_of(description, required)}


_ABOVE = {
    "threshold": {**TEXT, "description": "exactly as meant"},
    "convention": {"enum": ["below", "at most"], "description": "what the risk must be"},
    "k": {**COUNT, "description": "the least number of rows with which it is"},
    "people": {**COUNT, "description": "of whom it is not"},
    "share": _NUMBER,
}
_ATTACKER = object_of(
    "how sure one attacker is about who a row is",
    {
        "people": COUNT,
        "largest": _NUMBER,
        "mean": _NUMBER,
        "nowhere": {**COUNT, "description": "people whom no row fits"},
        "above": _list("people by a threshold", _ABOVE),
    },
)
_SETS = {"size": COUNT, "sets": COUNT, "looked": COUNT, "minimal": COUNT, "rows": COUNT}
_UNIQUE = object_of(
    "rows that no other equals",
    {
        "rows": COUNT,
        "sizes": _list("sets of so many columns: minimal uniques, and rows of which it is the least size", _SETS),
        "columns": _list("what a column does to it", {"column": TEXT, "share": _NUMBER, "without": COUNT}),
        "sets": _list("columns by which most are unique", {"columns": TEXTS, "unique": COUNT, "minimal": COUNT}),
    },
)
_SIZES = object_of(
    "classes by size",
    {
        **dict.fromkeys(("classes", "rows", "smallest", "largest"), COUNT),
        "by_size": _list("classes of one size", {"size": COUNT, "classes": COUNT, "rows": COUNT}),
    },
)
_SIDE = object_of(
    "risk by one table",
    {
        "prosecutor": _ATTACKER,
        "journalist": _or_null(_ATTACKER),
        "marketer": {**_NUMBER, "description": "expected share of right links"},
        "sizes": _SIZES,
        "unique": _UNIQUE,
        "population_uniques": {**SHARE, "description": "people who alone fit in the population; expected, by weights"},
        "right_if_unique": {**SHARE, "description": "how likely a match with a unique row is right, by weights"},
    },
)
_GUESS = object_of(
    "how sure the best guess is",
    {
        "people": COUNT,
        "largest": _NUMBER,
        "mean": _NUMBER,
        "surer": _list("people of whom it is so sure", {"at_least": TEXT, "people": COUNT, "share": _NUMBER}),
        "by_tenth": {"type": "array", "items": COUNT, "description": "people by tenths; the last is 1"},
    },
)
_RISK = object_of(
    "the risk of being found",
    {
        "before": {**_or_null(_SIDE), "description": "by the original table"},
        "after": {**_or_null(_SIDE), "description": "by the release"},
        "register": {"enum": ["", "population", "weights"], "description": "what a journalist's risk rests on"},
        "population": {**SHARE, "description": "people of the register, or that weights sum to"},
        "guesses": _list(
            "the best guess of a sensitive column",
            {
                "column": TEXT,
                "totals": {**SHARE, "description": "by the totals alone"},
                **dict.fromkeys(("before", "groups", "people"), _or_null(_GUESS)),
                "lacks": _LACKS,
            },
        ),
        "lacks": _LACKS,
        "notes": TEXTS,
    },
)
MEASURE = object_of(
    "sfumato measure --json",
    {
        **_LOOKED,
        "measures": {
            "type": "array",
            "items": object_of(
                "one measure",
                {
                    "measure": TEXT,
                    "settings": _SETTINGS,
                    "figure": {"anyOf": [_FIGURE, {"type": "null"}]},
                    "lacks": _LACKS,
                    "about": object_of(
                        "the measure in words",
                        {
                            **dict.fromkeys(("title", "formula", "range", "reference"), TEXT),
                            "better": {"enum": ["lower", "higher", "neither"]},
                            "needs": _NEEDS,
                        },
                    ),
                },
            ),
        },
        "risk": {**_or_null(_RISK), "description": "null: it was not asked for"},
    },
)

_EXPOSURE = object_of(
    "what one adversary learns",
    {
        "on": {"type": ["string", "null"], "description": "the sensitive column; null: which row is whose"},
        "people": {**COUNT, "description": "of whom something was tried"},
        "exposed": {**COUNT, "description": "of these, exposed as the persona says it"},
        "surest": {**_NUMBER, "description": "the largest chance that anything is believed with"},
        "right": {**SHARE, "description": "the share of guesses that are right; null: not known"},
        "baseline": {**SHARE, "description": "the share that a guess by the totals alone gets right"},
        "details": {"type": "object", "description": "what stands behind it; never a value of the data"},
    },
)
ATTACK = object_of(
    "sfumato attack --json",
    {
        **_LOOKED,
        "attacks": {
            "type": "array",
            "items": object_of(
                "one adversary",
                {
                    "adversary": TEXT,
                    "settings": _SETTINGS,
                    "exposures": {"type": "array", "items": _EXPOSURE},
                    "lacks": _LACKS,
                    "persona": object_of(
                        "the adversary in words",
                        {**dict.fromkeys(("title", "assumes", "exposes", "reference"), TEXT), "needs": _NEEDS},
                    ),
                },
            ),
        },
    },
)

_MAYBE: dict[str, Any] = {"type": ["integer", "null"]}
COMPARE = object_of(
    "sfumato compare --json",
    {
        "version": {"const": 1},
        "metric": TEXT,
        "rows": COUNT,
        "bound": {**SHARE, "description": "what no release under the promise loses less than; null: not known"},
        "ways": {
            "type": "array",
            "items": object_of(
                "one way to make a release",
                {
                    "label": TEXT,
                    "outcome": {"enum": ["kept", "refused", "infeasible", "none found", "failed"]},
                    "reason": TEXT,
                    **dict.fromkeys(("loss", "overall", "matches", "surest", "queries", "seconds", "memory"), SHARE),
                    **dict.fromkeys(("suppressed", "groups"), _MAYBE),
                    "unbeaten": {"type": "boolean"},
                },
            ),
        },
    },
)

EXPLAIN = object_of(
    "sfumato explain --json",
    {
        "version": {"const": 1},
        "about": {"enum": ["release", "policy", "group"], "description": "policy: of data, nothing was published"},
        "language": {**TEXT, "description": "of the words"},
        "parts": _list("what is said", {"title": TEXT, "lines": TEXTS}),
        "facts": {"description": "see: sfumato schema facts"},
    },
)
