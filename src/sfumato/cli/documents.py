"""JSON Schemas of what commands print with `--json`; audits have their own."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ADVISE",
    "ANONYMIZE",
    "COUNT",
    "ERROR",
    "INIT",
    "KNOWLEDGE",
    "METHODS",
    "SHARE",
    "TEXT",
    "TEXTS",
    "object_of",
]

TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"type": "array", "items": TEXT}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}


def object_of(description: str, required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """The schema of an object that has these properties and no other."""
    return {
        "type": "object",
        "description": description,
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


_CELLS: dict[str, Any] = {
    "loss": {"type": "number", "description": "mean over its cells, a suppressed row counting as 1"},
    "says_nothing": {**COUNT, "description": "rows of which it says nothing, suppressed ones included"},
}
SHARE: dict[str, Any] = {"type": ["number", "null"]}
_RELEASE = object_of(
    "what was done",
    {
        "worthless": {**TEXTS, "description": "what says next to nothing though the promise is kept; empty: none"},
        "remedies": {**TEXTS, "description": "what would help then"},
        "rows": COUNT,
        "suppressed": COUNT,
        "dropped": COUNT,
        "repeated": {**COUNT, "description": "rows left out since another row of their person stays"},
        "loss": object_of(
            "mean loss of a cell",
            {
                "metric": TEXT,
                "value": {"type": "number"},
                "columns": {"type": "object", "additionalProperties": object_of("a quasi-identifier", _CELLS)},
                "sensitive": {
                    "type": "object",
                    "additionalProperties": object_of("a sensitive column", {**_CELLS, "generalized": COUNT}),
                },
                "correspondence": {**SHARE, "description": "GLP, where whose value is whose is what a form hides"},
                "protection": {**SHARE, "description": "excessive protection, where a promise caps shares"},
                "terms": {
                    "type": "object",
                    "description": "per quasi-sensitive column, the cost T of terms that are not shown",
                    "additionalProperties": {"type": "number"},
                },
            },
        ),
        "blank_cells": {"type": "object", "additionalProperties": COUNT},
        "suppressed_terms": {"type": "object", "additionalProperties": COUNT},
        "levels": {
            "type": "object",
            "description": "per column, the level that all rows show; empty if it varies from row to row",
            "additionalProperties": object_of("a level", {"level": COUNT, "height": COUNT}),
        },
        "notes": TEXTS,
    },
)

ANONYMIZE = object_of(
    "sfumato anonymize --json",
    {"release": _RELEASE, "files": TEXTS, "manifest": TEXT, "audit": {"description": "see: sfumato schema audit"}},
    {"report": {**TEXT, "description": "the report, if one was asked for and could be written"}},
)

_NAMES: dict[str, Any] = {"type": "object", "additionalProperties": TEXT}
METHODS = object_of(
    "sfumato methods --json",
    {
        "models": _NAMES,
        "methods": _NAMES,
        "forms": _NAMES,
        "matrix": {
            "type": "array",
            "items": object_of(
                "whether a model, a partitioner and a form go together",
                {
                    "model": TEXT,
                    "method": TEXT,
                    "form": TEXT,
                    "status": {"enum": ["native", "adapted", "refused"]},
                    "why": TEXT,
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
_RELATION = object_of(
    "requirements of other kinds beside a part of the promise",
    {
        "promise": _PROMISE,
        "implied_by": {
            "type": "array",
            "items": object_of("the weakest of its kind", {"promise": _PROMISE, "possible": {"type": "boolean"}}),
        },
        "implies": {"type": "array", "items": _PROMISE},
        "found": {
            "type": ["array", "null"],
            "items": object_of(
                "by search, what the policy's algorithm kept it with",
                {
                    "promise": _PROMISE,
                    "classes": COUNT,
                    "suppressed": COUNT,
                    "protection": {"type": "number", "description": "excessive protection"},
                },
            ),
        },
    },
)
ADVISE = object_of(
    "sfumato advise --json",
    {
        "rows": COUNT,
        "columns": {
            "type": "array",
            "items": object_of(
                "what can be promised about a sensitive column",
                {
                    "column": TEXT,
                    "values": COUNT,
                    "top": COUNT,
                    "best_l": COUNT,
                    "strongest": {"type": "array", "items": {"type": "object"}},
                    "recursive": {
                        "type": "array",
                        "items": object_of("per l, what c must exceed", {"l": COUNT, "c_exceeds": {"type": "number"}}),
                    },
                    "tau": {
                        "type": "array",
                        "items": object_of("per l, the least tau of (tau,l)", {"l": COUNT, "tau": TEXT}),
                    },
                },
            ),
        },
        "promise": _PROMISE,
        "searched": {"type": "object", "description": "with every l raised by partition.slack"},
        "table": object_of(
            "whether any method and form could keep the promise",
            {
                "possible": {"type": ["boolean", "null"], "description": "shown to be, shown not to be, or neither"},
                "reason": TEXT,
                "nearest": {"type": ["object", "null"], "description": "a promise that the whole table keeps"},
                "excess": {
                    "type": ["integer", "null"],
                    "description": "rows of too frequent values it is enough to leave out",
                },
                "frequent": {"type": ["integer", "null"], "description": "of how many values, the most frequent ones"},
            },
        ),
        "policy": object_of(
            "what the policy does with its method and form: what anonymize does",
            {
                "outcome": {"enum": ["kept", "refused", "none found", "infeasible", "not confirmed"]},
                "exit_code": {"enum": [0, 2, 3, 4, 5]},
                "reason": TEXT,
                "nearest": {"type": ["object", "null"], "description": "a promise that this policy keeps"},
                "instead": _INSTEAD,
            },
        ),
        "allowed": {"type": "integer", "description": "rows that suppression.limit allows to leave out"},
        "relations": {"type": "array", "items": _RELATION},
    },
)

KNOWLEDGE = object_of(
    "sfumato knowledge check --json",
    {
        "columns": {
            "type": "array",
            "items": object_of(
                "how its knowledge covers a quasi-sensitive column",
                {
                    "column": TEXT,
                    **dict.fromkeys(("labels", "terms", "rows", "linked", "unlinked", "certain"), COUNT),
                    **dict.fromkeys(("unknown", "unknown_rows"), COUNT),
                    **dict.fromkeys(("unreached", "unused", "bare"), TEXTS),
                    "length": {"type": ["integer", "null"], "description": "terms of every row, if all have as many"},
                },
                {"unknown_terms": {"type": "object", "additionalProperties": COUNT}},
            ),
        },
    },
)

INIT = object_of(
    "sfumato init --json",
    {
        "policy": TEXT,
        "roles": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
        "reasons": {"type": "object", "additionalProperties": TEXTS},
        "undecided": TEXTS,
    },
)

ERROR = object_of(
    "any command with --json, when it fails",
    {"error": TEXT, "exit_code": {"enum": [1, 2, 3, 4, 5, 130]}, "message": TEXT},
    {
        "problems": {
            "type": "array",
            "items": object_of("a mistake in the policy", {"path": TEXT, "got": TEXT, "allowed": TEXT}),
        },
        "nearest": {"type": "object", "description": "a promise that this policy keeps, as in a policy"},
        "instead": _INSTEAD,
        "audit": {"description": "see: sfumato schema audit"},
    },
)
