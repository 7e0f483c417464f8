"""`sfumato schema`: the JSON Schemas of everything that is read or written."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.shared import print_json

__all__ = ["command"]


def command(
    which: Annotated[
        str, typer.Argument(metavar="[policy|audit|release]", help="Which document.", show_default=True)
    ] = "policy",
) -> None:
    """Print a JSON Schema: of the policy document, of `audit --json`, or of release.json.

    Editors use the first one to complete and check policies as you type.

    Example:  sfumato schema policy > policy.schema.json
    """
    import sfumato as sf

    schemas = {"policy": sf.policy_schema, "audit": sf.audit_schema, "release": sf.release_schema}
    if which not in schemas:
        raise sf.InputError(f"there is no schema of that name; choose one of: {', '.join(schemas)}")
    print_json(schemas[which]())
