"""The independent auditor: it reads a release, a policy and, for the holder, the manifest.

It imports nothing that it judges and shares no decision code with it. Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.audit.auditor import audit as audit
    from sfumato.audit.rules import RULES as RULES
    from sfumato.audit.rules.contract import Case as Case
    from sfumato.audit.rules.contract import Rule as Rule
    from sfumato.audit.rules.contract import Ruling as Ruling
    from sfumato.audit.rules.contract import Undecidable as Undecidable
    from sfumato.audit.verdict import Audit as Audit
    from sfumato.audit.verdict import Criterion as Criterion
    from sfumato.audit.verdict import audit_schema as audit_schema

_HOME = {
    "Audit": "verdict",
    "Case": "rules.contract",
    "Criterion": "verdict",
    "RULES": "rules",
    "Rule": "rules.contract",
    "Ruling": "rules.contract",
    "Undecidable": "rules.contract",
    "audit": "auditor",
    "audit_schema": "verdict",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sfumato.audit' has no attribute {name!r}")
    return getattr(import_module(f"sfumato.audit.{_HOME[name]}"), name)
