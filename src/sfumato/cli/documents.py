"""JSON Schemas of what commands print with `--json`; audits have their own."""

from __future__ import annotations

from typing import Any

__all__ = ["ADVISE", "ANONYMIZE", "ATTACK", "ERROR", "INIT", "KNOWLEDGE", "MEASURE", "METHODS"]

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}


def _object(description: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


_CELLS: dict[str, Any] = {
    "loss": {"type": "number", "description": "mean over its cells, a suppressed row counting as 1"},
    "says_nothing": {**_COUNT, "description": "rows of which it says nothing, suppressed ones included"},
}
_SHARE: dict[str, Any] = {"type": ["number", "null"]}
_RELEASE = _object(
    "what was done",
    {
        "worthless": {**_TEXTS, "description": "what says next to nothing though the promise is kept; empty: none"},
        "remedies": {**_TEXTS, "description": "what would help then"},
        "rows": _COUNT,
        "suppressed": _COUNT,
        "dropped": _COUNT,
        "repeated": {**_COUNT, "description": "rows left out since another row of their person stays"},
        "loss": _object(
            "mean loss of a cell",
            {
                "metric": _TEXT,
                "value": {"type": "number"},
                "columns": {"type": "object", "additionalProperties": _object("a quasi-identifier", _CELLS)},
                "sensitive": {
                    "type": "object",
                    "additionalProperties": _object("a sensitive column", {**_CELLS, "generalized": _COUNT}),
                },
                "correspondence": {**_SHARE, "description": "GLP, where whose value is whose is what a form hides"},
                "protection": {**_SHARE, "description": "excessive protection, where a promise caps shares"},
                "terms": {
                    "type": "object",
                    "description": "per quasi-sensitive column, the cost T of terms that are not shown",
                    "additionalProperties": {"type": "number"},
                },
            },
        ),
        "blank_cells": {"type": "object", "additionalProperties": _COUNT},
        "suppressed_terms": {"type": "object", "additionalProperties": _COUNT},
        "levels": {
            "type": "object",
            "description": "per column, the level that all rows show; empty if it varies from row to row",
            "additionalProperties": _object("a level", {"level": _COUNT, "height": _COUNT}),
        },
        "notes": _TEXTS,
    },
)

ANONYMIZE = _object(
    "sfumato anonymize --json",
    {"release": _RELEASE, "files": _TEXTS, "manifest": _TEXT, "audit": {"description": "see: sfumato schema audit"}},
)

_NAMES: dict[str, Any] = {"type": "object", "additionalProperties": _TEXT}
METHODS = _object(
    "sfumato methods --json",
    {
        "models": _NAMES,
        "methods": _NAMES,
        "forms": _NAMES,
        "matrix": {
            "type": "array",
            "items": _object(
                "whether a model, a partitioner and a form go together",
                {
                    "model": _TEXT,
                    "method": _TEXT,
                    "form": _TEXT,
                    "status": {"enum": ["native", "adapted", "refused"]},
                    "why": _TEXT,
                },
            ),
        },
        "broken": {**_NAMES, "description": "pieces of other packages that cannot be used, and why"},
    },
)

_PROMISE: dict[str, Any] = {"type": "object", "description": "a promise, as in a policy"}
_INSTEAD: dict[str, Any] = {
    "type": "object",
    "description": "what to write in the policy so that it keeps the promise; empty: nothing is known",
    "additionalProperties": {"type": "object"},
}
_RELATION = _object(
    "requirements of other kinds beside a part of the promise",
    {
        "promise": _PROMISE,
        "implied_by": {
            "type": "array",
            "items": _object("the weakest of its kind", {"promise": _PROMISE, "possible": {"type": "boolean"}}),
        },
        "implies": {"type": "array", "items": _PROMISE},
        "found": {
            "type": ["array", "null"],
            "items": _object(
                "by search, what the policy's algorithm kept it with",
                {
                    "promise": _PROMISE,
                    "classes": _COUNT,
                    "suppressed": _COUNT,
                    "protection": {"type": "number", "description": "excessive protection"},
                },
            ),
        },
    },
)
ADVISE = _object(
    "sfumato advise --json",
    {
        "rows": _COUNT,
        "columns": {
            "type": "array",
            "items": _object(
                "what can be promised about a sensitive column",
                {
                    "column": _TEXT,
                    "values": _COUNT,
                    "top": _COUNT,
                    "best_l": _COUNT,
                    "strongest": {"type": "array", "items": {"type": "object"}},
                    "recursive": {
                        "type": "array",
                        "items": _object("per l, what c must exceed", {"l": _COUNT, "c_exceeds": {"type": "number"}}),
                    },
                    "tau": {
                        "type": "array",
                        "items": _object("per l, the least tau of (tau,l)", {"l": _COUNT, "tau": _TEXT}),
                    },
                },
            ),
        },
        "promise": _PROMISE,
        "searched": {"type": "object", "description": "with every l raised by partition.slack"},
        "table": _object(
            "whether any method and form could keep the promise",
            {
                "possible": {"type": ["boolean", "null"], "description": "shown to be, shown not to be, or neither"},
                "reason": _TEXT,
                "nearest": {"type": ["object", "null"], "description": "a promise that the whole table keeps"},
                "excess": {
                    "type": ["integer", "null"],
                    "description": "rows of too frequent values it is enough to leave out",
                },
                "frequent": {"type": ["integer", "null"], "description": "of how many values, the most frequent ones"},
            },
        ),
        "policy": _object(
            "what the policy does with its method and form: what anonymize does",
            {
                "outcome": {"enum": ["kept", "refused", "none found", "infeasible", "not confirmed"]},
                "exit_code": {"enum": [0, 2, 3, 4, 5]},
                "reason": _TEXT,
                "nearest": {"type": ["object", "null"], "description": "a promise that this policy keeps"},
                "instead": _INSTEAD,
            },
        ),
        "allowed": {"type": "integer", "description": "rows that suppression.limit allows to leave out"},
        "relations": {"type": "array", "items": _RELATION},
    },
)

KNOWLEDGE = _object(
    "sfumato knowledge check --json",
    {
        "columns": {
            "type": "array",
            "items": _object(
                "how its knowledge covers a quasi-sensitive column",
                {
                    "column": _TEXT,
                    **dict.fromkeys(("labels", "terms", "rows", "linked", "unlinked", "certain"), _COUNT),
                    **dict.fromkeys(("unknown", "unknown_rows"), _COUNT),
                    **dict.fromkeys(("unreached", "unused", "bare"), _TEXTS),
                    "length": {"type": ["integer", "null"], "description": "terms of every row, if all have as many"},
                },
                {"unknown_terms": {"type": "object", "additionalProperties": _COUNT}},
            ),
        },
    },
)

_NUMBER: dict[str, Any] = {"type": "number"}
_LOOKED: dict[str, Any] = {
    "version": {"const": 1},
    "rows": {**_COUNT, "description": "of the original table, as far as it is known"},
    "suppressed": {**_COUNT, "description": "of these, rows that the release does not have"},
}
_NEEDS = {**_TEXTS, "description": "what must be there beside the release"}
_LACKS = {**_TEXT, "description": "what is not there, and would be needed; empty: nothing"}
_SETTINGS: dict[str, Any] = {"type": "object", "description": "with which settings"}
_FIGURE = _object(
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
    return {"type": "array", "items": _object(description, required)}


_ABOVE = {
    "threshold": {**_TEXT, "description": "exactly as meant"},
    "convention": {"enum": ["below", "at most"], "description": "what the risk must be"},
    "k": {**_COUNT, "description": "the least number of rows with which it is"},
    "people": {**_COUNT, "description": "of whom it is not"},
    "share": _NUMBER,
}
_ATTACKER = _object(
    "how sure one attacker is about who a row is",
    {
        "people": _COUNT,
        "largest": _NUMBER,
        "mean": _NUMBER,
        "nowhere": {**_COUNT, "description": "people whom no row fits"},
        "above": _list("people by a threshold", _ABOVE),
    },
)
_SETS = {"size": _COUNT, "sets": _COUNT, "looked": _COUNT, "minimal": _COUNT, "rows": _COUNT}
_UNIQUE = _object(
    "rows that no other equals",
    {
        "rows": _COUNT,
        "sizes": _list("sets of so many columns: minimal uniques, and rows of which it is the least size", _SETS),
        "columns": _list("what a column does to it", {"column": _TEXT, "share": _NUMBER, "without": _COUNT}),
        "sets": _list("columns by which most are unique", {"columns": _TEXTS, "unique": _COUNT, "minimal": _COUNT}),
    },
)
_SIZES = _object(
    "classes by size",
    {
        **dict.fromkeys(("classes", "rows", "smallest", "largest"), _COUNT),
        "by_size": _list("classes of one size", {"size": _COUNT, "classes": _COUNT, "rows": _COUNT}),
    },
)
_SIDE = _object(
    "risk by one table",
    {
        "prosecutor": _ATTACKER,
        "journalist": _or_null(_ATTACKER),
        "marketer": {**_NUMBER, "description": "expected share of right links"},
        "sizes": _SIZES,
        "unique": _UNIQUE,
        "population_uniques": {**_SHARE, "description": "people who alone fit in the population; expected, by weights"},
        "right_if_unique": {**_SHARE, "description": "how likely a match with a unique row is right, by weights"},
    },
)
_GUESS = _object(
    "how sure the best guess is",
    {
        "people": _COUNT,
        "largest": _NUMBER,
        "mean": _NUMBER,
        "surer": _list("people of whom it is so sure", {"at_least": _TEXT, "people": _COUNT, "share": _NUMBER}),
        "by_tenth": {"type": "array", "items": _COUNT, "description": "people by tenths; the last is 1"},
    },
)
_RISK = _object(
    "the risk of being found",
    {
        "before": {**_or_null(_SIDE), "description": "by the original table"},
        "after": {**_or_null(_SIDE), "description": "by the release"},
        "register": {"enum": ["", "population", "weights"], "description": "what a journalist's risk rests on"},
        "population": {**_SHARE, "description": "people of the register, or that weights sum to"},
        "guesses": _list(
            "the best guess of a sensitive column",
            {
                "column": _TEXT,
                "totals": {**_SHARE, "description": "by the totals alone"},
                **dict.fromkeys(("before", "groups", "people"), _or_null(_GUESS)),
                "lacks": _LACKS,
            },
        ),
        "lacks": _LACKS,
        "notes": _TEXTS,
    },
)
MEASURE = _object(
    "sfumato measure --json",
    {
        **_LOOKED,
        "measures": {
            "type": "array",
            "items": _object(
                "one measure",
                {
                    "measure": _TEXT,
                    "settings": _SETTINGS,
                    "figure": {"anyOf": [_FIGURE, {"type": "null"}]},
                    "lacks": _LACKS,
                    "about": _object(
                        "the measure in words",
                        {
                            **dict.fromkeys(("title", "formula", "range", "reference"), _TEXT),
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

_EXPOSURE = _object(
    "what one adversary learns",
    {
        "on": {"type": ["string", "null"], "description": "the sensitive column; null: which row is whose"},
        "people": {**_COUNT, "description": "of whom something was tried"},
        "exposed": {**_COUNT, "description": "of these, exposed as the persona says it"},
        "surest": {**_NUMBER, "description": "the largest chance that anything is believed with"},
        "right": {**_SHARE, "description": "the share of guesses that are right; null: not known"},
        "baseline": {**_SHARE, "description": "the share that a guess by the totals alone gets right"},
        "details": {"type": "object", "description": "what stands behind it; never a value of the data"},
    },
)
ATTACK = _object(
    "sfumato attack --json",
    {
        **_LOOKED,
        "attacks": {
            "type": "array",
            "items": _object(
                "one adversary",
                {
                    "adversary": _TEXT,
                    "settings": _SETTINGS,
                    "exposures": {"type": "array", "items": _EXPOSURE},
                    "lacks": _LACKS,
                    "persona": _object(
                        "the adversary in words",
                        {**dict.fromkeys(("title", "assumes", "exposes", "reference"), _TEXT), "needs": _NEEDS},
                    ),
                },
            ),
        },
    },
)

INIT = _object(
    "sfumato init --json",
    {
        "policy": _TEXT,
        "roles": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "reasons": {"type": "object", "additionalProperties": _TEXTS},
        "undecided": _TEXTS,
    },
)

ERROR = _object(
    "any command with --json, when it fails",
    {"error": _TEXT, "exit_code": {"enum": [1, 2, 3, 4, 5, 130]}, "message": _TEXT},
    {
        "problems": {
            "type": "array",
            "items": _object("a mistake in the policy", {"path": _TEXT, "got": _TEXT, "allowed": _TEXT}),
        },
        "nearest": {"type": "object", "description": "a promise that this policy keeps, as in a policy"},
        "instead": _INSTEAD,
        "audit": {"description": "see: sfumato schema audit"},
    },
)
