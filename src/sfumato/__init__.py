"""sfumato publishes tables about people in which no one can be told apart, and says what that promise covers.

    import sfumato as sf

    patients = sf.read("patients.csv", policy="patients.yaml")
    release = sf.publish(patients, sf.KAnonymity(5) & sf.EntropyL(3, on="disease"))
    release.write("out/")
    sf.audit("out/", "patients.yaml").raise_for_failure()

Names are loaded when they are first used, so that ``sfumato --help`` answers at once.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.audit.auditor import audit as audit
    from sfumato.audit.verdict import Audit as Audit
    from sfumato.audit.verdict import Criterion as Criterion
    from sfumato.audit.verdict import audit_schema as audit_schema
    from sfumato.engine.advise import Advice as Advice
    from sfumato.engine.advise import ColumnAdvice as ColumnAdvice
    from sfumato.engine.advise import PolicyAnswer as PolicyAnswer
    from sfumato.engine.advise import TableAnswer as TableAnswer
    from sfumato.engine.advise import advise as advise
    from sfumato.engine.explore import LatticeMap as LatticeMap
    from sfumato.engine.explore import lattice as lattice
    from sfumato.engine.knowing import KnowledgeCheck as KnowledgeCheck
    from sfumato.engine.knowing import check_knowledge as check_knowledge
    from sfumato.engine.look import suggest as suggest
    from sfumato.engine.matrix import Cell as Cell
    from sfumato.engine.matrix import Matrix as Matrix
    from sfumato.engine.matrix import methods as methods
    from sfumato.engine.release import Release as Release
    from sfumato.engine.release import Written as Written
    from sfumato.engine.run import publish as publish
    from sfumato.errors import AuditFailed as AuditFailed
    from sfumato.errors import HierarchyError as HierarchyError
    from sfumato.errors import Infeasible as Infeasible
    from sfumato.errors import InputError as InputError
    from sfumato.errors import NoneFound as NoneFound
    from sfumato.errors import PolicyError as PolicyError
    from sfumato.errors import Refused as Refused
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.errors import SfumatoWarning as SfumatoWarning
    from sfumato.errors import TableError as TableError
    from sfumato.policy.document import Policy as Policy
    from sfumato.policy.document import policy_schema as policy_schema
    from sfumato.policy.forms import Anatomized as Anatomized
    from sfumato.policy.forms import Generalized as Generalized
    from sfumato.policy.forms import Permuted as Permuted
    from sfumato.policy.forms import Randomized as Randomized
    from sfumato.policy.forms import Ring as Ring
    from sfumato.policy.forms import Sliced as Sliced
    from sfumato.policy.load import read_policy as read_policy
    from sfumato.policy.methods import Anatomy as Anatomy
    from sfumato.policy.methods import Arp as Arp
    from sfumato.policy.methods import Bsgi as Bsgi
    from sfumato.policy.methods import BsgiFree as BsgiFree
    from sfumato.policy.methods import Hilbert as Hilbert
    from sfumato.policy.methods import Incognito as Incognito
    from sfumato.policy.methods import Lattice as Lattice
    from sfumato.policy.methods import Mondrian as Mondrian
    from sfumato.policy.methods import Polish as Polish
    from sfumato.policy.methods import Sweep as Sweep
    from sfumato.policy.methods import TermSuppression as TermSuppression
    from sfumato.policy.promises import AllOf as AllOf
    from sfumato.policy.promises import AlphaK as AlphaK
    from sfumato.policy.promises import DeltaDisclosure as DeltaDisclosure
    from sfumato.policy.promises import DistinctL as DistinctL
    from sfumato.policy.promises import EntropyL as EntropyL
    from sfumato.policy.promises import KAnonymity as KAnonymity
    from sfumato.policy.promises import MultiAttribute as MultiAttribute
    from sfumato.policy.promises import NpdRecursive as NpdRecursive
    from sfumato.policy.promises import PairwiseL as PairwiseL
    from sfumato.policy.promises import PdRecursive as PdRecursive
    from sfumato.policy.promises import Promise as Promise
    from sfumato.policy.promises import QsCL as QsCL
    from sfumato.policy.promises import QsT as QsT
    from sfumato.policy.promises import RecursiveCL as RecursiveCL
    from sfumato.policy.promises import SimpleL as SimpleL
    from sfumato.policy.promises import TauL as TauL
    from sfumato.policy.promises import TCloseness as TCloseness
    from sfumato.policy.promises import UniqueDistinctL as UniqueDistinctL
    from sfumato.policy.promises import UniqueDistinctLiteral as UniqueDistinctLiteral
    from sfumato.policy.suggest import Suggestion as Suggestion
    from sfumato.policy.template import write_policy as write_policy
    from sfumato.release.like import Like as Like
    from sfumato.release.target import Target as Target
    from sfumato.release.written import release_schema as release_schema
    from sfumato.table.read import read as read
    from sfumato.table.table import Table as Table
    from sfumato.taxonomy.hierarchies import ReadyFacts as ReadyFacts
    from sfumato.taxonomy.hierarchies import build_hierarchy as build_hierarchy
    from sfumato.taxonomy.hierarchies import check_hierarchy as check_hierarchy
    from sfumato.taxonomy.hierarchies import read_hierarchy as read_hierarchy
    from sfumato.taxonomy.hierarchies import ready_hierarchies as ready_hierarchies
    from sfumato.taxonomy.hierarchies import write_hierarchy as write_hierarchy
    from sfumato.taxonomy.tree import Taxonomy as Taxonomy

__version__ = "0.1.0"

_HOMES = {
    "sfumato.audit.auditor": ("audit",),
    "sfumato.audit.verdict": ("Audit", "Criterion", "audit_schema"),
    "sfumato.engine.advise": ("Advice", "ColumnAdvice", "PolicyAnswer", "TableAnswer", "advise"),
    "sfumato.engine.explore": ("LatticeMap", "lattice"),
    "sfumato.engine.knowing": ("KnowledgeCheck", "check_knowledge"),
    "sfumato.release.like": ("Like",),
    "sfumato.engine.look": ("suggest",),
    "sfumato.engine.matrix": ("Cell", "Matrix", "methods"),
    "sfumato.engine.release": ("Release", "Written"),
    "sfumato.engine.run": ("publish",),
    "sfumato.release.target": ("Target",),
    "sfumato.errors": (
        "AuditFailed",
        "HierarchyError",
        "Infeasible",
        "InputError",
        "NoneFound",
        "PolicyError",
        "Refused",
        "SfumatoError",
        "SfumatoWarning",
        "TableError",
    ),
    "sfumato.policy.document": ("Policy", "policy_schema"),
    "sfumato.policy.load": ("read_policy",),
    "sfumato.policy.forms": ("Anatomized", "Generalized", "Permuted", "Randomized", "Ring", "Sliced"),
    "sfumato.policy.methods": (
        "Anatomy",
        "Arp",
        "Bsgi",
        "BsgiFree",
        "Hilbert",
        "Incognito",
        "Lattice",
        "Mondrian",
        "Polish",
        "Sweep",
        "TermSuppression",
    ),
    "sfumato.policy.promises": (
        "AllOf",
        "AlphaK",
        "DeltaDisclosure",
        "DistinctL",
        "EntropyL",
        "KAnonymity",
        "MultiAttribute",
        "NpdRecursive",
        "PairwiseL",
        "PdRecursive",
        "Promise",
        "QsCL",
        "QsT",
        "RecursiveCL",
        "SimpleL",
        "TCloseness",
        "TauL",
        "UniqueDistinctL",
        "UniqueDistinctLiteral",
    ),
    "sfumato.policy.suggest": ("Suggestion",),
    "sfumato.policy.template": ("write_policy",),
    "sfumato.release.written": ("release_schema",),
    "sfumato.table.read": ("read",),
    "sfumato.table.table": ("Table",),
    "sfumato.taxonomy.hierarchies": (
        "ReadyFacts",
        "build_hierarchy",
        "check_hierarchy",
        "read_hierarchy",
        "ready_hierarchies",
        "write_hierarchy",
    ),
    "sfumato.taxonomy.tree": ("Taxonomy",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, "__version__"])


class _Package(ModuleType):
    """Two public functions share their name with a folder: the function is the attribute, the folder is imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sfumato' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
