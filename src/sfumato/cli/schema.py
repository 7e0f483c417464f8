"""`sfumato schema`: the JSON Schemas of everything that is read or written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from sfumato.cli import documents, findings
from sfumato.cli.shared import print_json

__all__ = ["command"]


def command(
    which: Annotated[
        str,
        typer.Argument(
            metavar="[policy|release|audit|advise|anonymize|attack|compare|explain|facts|init|knowledge|measure|methods|error]",
            help="Which document.",
            show_default=True,
        ),
    ] = "policy",
) -> None:
    """Print a JSON Schema: of the policy, of release.json, of what a command prints with --json, or of an error.

    Editors use the first one to complete and check policies as you type.

    Example:  sfumato schema policy > policy.schema.json
    """
    import sfumato as sf

    schemas: dict[str, Callable[[], dict[str, Any]]] = {
        "policy": sf.policy_schema,
        "release": sf.release_schema,
        "audit": sf.audit_schema,
        "advise": lambda: documents.ADVISE,
        "anonymize": lambda: documents.ANONYMIZE,
        "attack": lambda: findings.ATTACK,
        "compare": lambda: findings.COMPARE,
        "explain": lambda: findings.EXPLAIN,
        "facts": sf.facts_schema,
        "init": lambda: documents.INIT,
        "knowledge": lambda: documents.KNOWLEDGE,
        "measure": lambda: findings.MEASURE,
        "methods": lambda: documents.METHODS,
        "error": lambda: documents.ERROR,
    }
    if which not in schemas:
        raise sf.InputError(f"there is no schema of that name; choose one of: {', '.join(schemas)}")
    print_json(schemas[which]())
