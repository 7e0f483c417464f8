"""Which module every exported name lives in: one table for users, one for extensions, loaded name by name.

Names are loaded when they are first used, so that ``sfumato --help`` answers at once and an audit rule loads nothing of
what it judges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["EXTENDING", "PUBLIC", "lazily"]

PUBLIC: Mapping[str, tuple[str, ...]] = {
    "sfumato.advice.advise": ("Advice", "ColumnAdvice", "PolicyAnswer", "TableAnswer", "advise"),
    "sfumato.advice.explain": ("explain",),
    "sfumato.advice.latticemap": ("LatticeMap", "lattice"),
    "sfumato.auditor.audit": ("audit",),
    "sfumato.auditor.verdict": ("Audit", "Criterion", "audit_schema"),
    "sfumato.adversaries.attacked": ("Attack", "Attacked"),
    "sfumato.adversaries.contract": ("Exposure",),
    "sfumato.comparisons.compare": ("compare",),
    "sfumato.comparisons.compared": ("Compared", "Tried"),
    "sfumato.engine.attacking": ("attack",),
    "sfumato.engine.deliver": ("Delivered", "deliver"),
    "sfumato.engine.job": ("Job",),
    "sfumato.engine.matrix": ("Cell", "Matrix", "methods"),
    "sfumato.engine.release": ("Release",),
    "sfumato.engine.run": ("bound", "job", "publish"),
    "sfumato.engine.written": ("Written",),
    "sfumato.errors": (
        "AuditFailed",
        "Cancelled",
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
    "sfumato.knowledge.build": ("BuiltKnowledge", "build_knowledge"),
    "sfumato.knowledge.inspect": ("KnowledgeCheck", "check_knowledge"),
    "sfumato.measures.contract": ("Figure",),
    "sfumato.measures.measure": ("measure",),
    "sfumato.measures.measured": ("Measured", "Measurement"),
    "sfumato.notebook.chart": ("Chart",),
    "sfumato.partition.boxes.bound": ("Bound",),
    "sfumato.policy.document": ("Policy", "policy_schema"),
    "sfumato.policy.forms": ("Anatomized", "Generalized", "Permuted", "Randomized", "Ring", "Sliced"),
    "sfumato.policy.load": ("read_policy",),
    "sfumato.policy.methods": (
        "Anatomy",
        "Arp",
        "Auto",
        "Boxes",
        "Bsgi",
        "BsgiFree",
        "Hilbert",
        "Incognito",
        "Lattice",
        "Mondrian",
        "Sweep",
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
        "Proximity",
        "QsCL",
        "QsT",
        "RecursiveCL",
        "SimpleL",
        "TCloseness",
        "TauL",
        "UniqueDistinctL",
        "UniqueDistinctLiteral",
    ),
    "sfumato.policy.steps": ("GeneralizeSensitive", "Polish", "Refine", "TermSuppression"),
    "sfumato.release.like": ("Like",),
    "sfumato.release.onegroup": ("OneGroup", "one_group"),
    "sfumato.release.target": ("Target",),
    "sfumato.release.document_bytes": ("release_schema",),
    "sfumato.risk.report": ("Reidentification",),
    "sfumato.reports.explained": ("Explanation",),
    "sfumato.reports.facts": ("ReportFacts", "facts_schema"),
    "sfumato.reports.file": ("ReportFile",),
    "sfumato.reports.report": ("Report", "report"),
    "sfumato.suggestions.suggest": ("Suggestion", "Suggestions", "suggest"),
    "sfumato.suggestions.template": ("write_policy",),
    "sfumato.table.databases": ("Address", "address_of"),
    "sfumato.table.read": ("read",),
    "sfumato.table.spark.given": ("SparkTable",),
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
"""What `sfumato` offers."""

EXTENDING: Mapping[str, tuple[str, ...]] = {
    "sfumato.auditor.exactly": ("largest_ratio", "log_sum_sign", "smallest_ratio", "times"),
    "sfumato.auditor.rules.contract": ("Case", "Rule", "Ruling", "Undecidable"),
    "sfumato.fit": ("NATIVE", "Fit", "KeepsPersonsApart", "adapted", "fit_apart", "refused"),
    "sfumato.errors": ("Infeasible", "NoneFound", "Refused"),
    "sfumato.exact": ("as_fraction", "as_text"),
    "sfumato.forms.contract": ("Material", "Published", "Publisher", "Spans"),
    "sfumato.forms.rows": ("ShownRows",),
    "sfumato.adversaries.contract": ("Adversary", "Arms", "Exposure", "Persona"),
    "sfumato.loss.contract": ("Loss", "Weighted"),
    "sfumato.measures.contract": ("About", "Circumstances", "Figure", "Measure"),
    "sfumato.models.column": ("OfColumn",),
    "sfumato.models.compare": ("compare",),
    "sfumato.models.contract": ("Columns", "Facts", "Groups", "Histogram", "Model", "Neighbours", "ShareCaps"),
    "sfumato.models.induced": ("Induced",),
    "sfumato.models.runs": ("distinct", "maxima", "reduced"),
    "sfumato.models.values": ("which_codes",),
    "sfumato.partition.contract": ("Partition", "Partitioner", "Recoding", "Task"),
    "sfumato.partition.steps.contract": ("Bind", "StepMaker"),
    "sfumato.policy.forms": ("Form",),
    "sfumato.policy.methods": ("Method",),
    "sfumato.policy.phrases": ("Phrases",),
    "sfumato.policy.promise": ("Capping",),
    "sfumato.policy.promises": ("Count", "Promise", "Ratio", "Values", "promise"),
    "sfumato.policy.sections": ("Section",),
    "sfumato.policy.steps": ("Step",),
    "sfumato.randomness": ("Randomness",),
    "sfumato.release.opening": ("Opened",),
    "sfumato.release.subject": ("Lacking", "Subject"),
    "sfumato.release.views.contract": ("Seen", "View"),
    "sfumato.table.domain": ("Domain", "SetDomain"),
    "sfumato.table.tuples": ("Tuples",),
    "sfumato.taxonomy.tree": ("Taxonomy",),
}
"""What `sfumato.extend` offers."""


def lazily(
    module: str, homes: Mapping[str, tuple[str, ...]], *besides: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a module whose names live elsewhere."""
    home = {name: place for place, names in homes.items() for name in names}
    names = sorted([*home, *besides])

    def load(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(import_module(home[name]), name)

    return load, lambda: names, names
