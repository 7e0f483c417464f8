"""sfumato publishes tables about people in which no one can be told apart, and says what that promise covers.

    import sfumato as sf

    patients = sf.read("patients.csv", policy="patients.yaml")
    release = sf.publish(patients, sf.KAnonymity(5) & sf.EntropyL(3, on="disease"))
    release.write("out/")
    sf.audit("out/", "patients.yaml").raise_for_failure()

Names are loaded when they are first used, so that ``sfumato --help`` answers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.exports import PUBLIC, lazily

if TYPE_CHECKING:
    from sfumato.adversaries.attacked import Attack as Attack
    from sfumato.adversaries.attacked import Attacked as Attacked
    from sfumato.adversaries.contract import Exposure as Exposure
    from sfumato.advice.advise import Advice as Advice
    from sfumato.advice.advise import ColumnAdvice as ColumnAdvice
    from sfumato.advice.advise import PolicyAnswer as PolicyAnswer
    from sfumato.advice.advise import TableAnswer as TableAnswer
    from sfumato.advice.advise import advise as advise
    from sfumato.advice.explain import explain as explain
    from sfumato.advice.latticemap import LatticeMap as LatticeMap
    from sfumato.advice.latticemap import lattice as lattice
    from sfumato.auditor.audit import audit as audit
    from sfumato.auditor.verdict import Audit as Audit
    from sfumato.auditor.verdict import Criterion as Criterion
    from sfumato.auditor.verdict import audit_schema as audit_schema
    from sfumato.comparisons.compare import compare as compare
    from sfumato.comparisons.compared import Compared as Compared
    from sfumato.comparisons.compared import Tried as Tried
    from sfumato.engine.attacking import attack as attack
    from sfumato.engine.deliver import Delivered as Delivered
    from sfumato.engine.deliver import deliver as deliver
    from sfumato.engine.job import Job as Job
    from sfumato.engine.matrix import Cell as Cell
    from sfumato.engine.matrix import Matrix as Matrix
    from sfumato.engine.matrix import methods as methods
    from sfumato.engine.release import Release as Release
    from sfumato.engine.run import bound as bound
    from sfumato.engine.run import job as job
    from sfumato.engine.run import publish as publish
    from sfumato.engine.written import Written as Written
    from sfumato.errors import AuditFailed as AuditFailed
    from sfumato.errors import Cancelled as Cancelled
    from sfumato.errors import HierarchyError as HierarchyError
    from sfumato.errors import Infeasible as Infeasible
    from sfumato.errors import InputError as InputError
    from sfumato.errors import NoneFound as NoneFound
    from sfumato.errors import PolicyError as PolicyError
    from sfumato.errors import Refused as Refused
    from sfumato.errors import SfumatoError as SfumatoError
    from sfumato.errors import SfumatoWarning as SfumatoWarning
    from sfumato.errors import TableError as TableError
    from sfumato.knowledge.build import BuiltKnowledge as BuiltKnowledge
    from sfumato.knowledge.build import build_knowledge as build_knowledge
    from sfumato.knowledge.inspect import KnowledgeCheck as KnowledgeCheck
    from sfumato.knowledge.inspect import check_knowledge as check_knowledge
    from sfumato.measures.contract import Figure as Figure
    from sfumato.measures.measure import measure as measure
    from sfumato.measures.measured import Measured as Measured
    from sfumato.measures.measured import Measurement as Measurement
    from sfumato.notebook.chart import Chart as Chart
    from sfumato.partition.boxes.bound import Bound as Bound
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
    from sfumato.policy.methods import Auto as Auto
    from sfumato.policy.methods import Boxes as Boxes
    from sfumato.policy.methods import Bsgi as Bsgi
    from sfumato.policy.methods import BsgiFree as BsgiFree
    from sfumato.policy.methods import Hilbert as Hilbert
    from sfumato.policy.methods import Incognito as Incognito
    from sfumato.policy.methods import Lattice as Lattice
    from sfumato.policy.methods import Mondrian as Mondrian
    from sfumato.policy.methods import Sweep as Sweep
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
    from sfumato.policy.promises import Proximity as Proximity
    from sfumato.policy.promises import QsCL as QsCL
    from sfumato.policy.promises import QsT as QsT
    from sfumato.policy.promises import RecursiveCL as RecursiveCL
    from sfumato.policy.promises import SimpleL as SimpleL
    from sfumato.policy.promises import TauL as TauL
    from sfumato.policy.promises import TCloseness as TCloseness
    from sfumato.policy.promises import UniqueDistinctL as UniqueDistinctL
    from sfumato.policy.promises import UniqueDistinctLiteral as UniqueDistinctLiteral
    from sfumato.policy.steps import GeneralizeSensitive as GeneralizeSensitive
    from sfumato.policy.steps import Polish as Polish
    from sfumato.policy.steps import Refine as Refine
    from sfumato.policy.steps import TermSuppression as TermSuppression
    from sfumato.release.document_bytes import release_schema as release_schema
    from sfumato.release.like import Like as Like
    from sfumato.release.onegroup import OneGroup as OneGroup
    from sfumato.release.onegroup import one_group as one_group
    from sfumato.release.target import Target as Target
    from sfumato.reports.explained import Explanation as Explanation
    from sfumato.reports.facts import ReportFacts as ReportFacts
    from sfumato.reports.facts import facts_schema as facts_schema
    from sfumato.reports.file import ReportFile as ReportFile
    from sfumato.reports.report import Report as Report
    from sfumato.reports.report import report as report
    from sfumato.risk.report import Reidentification as Reidentification
    from sfumato.suggestions.suggest import Suggestion as Suggestion
    from sfumato.suggestions.suggest import Suggestions as Suggestions
    from sfumato.suggestions.suggest import suggest as suggest
    from sfumato.suggestions.template import write_policy as write_policy
    from sfumato.table.databases import Address as Address
    from sfumato.table.databases import address_of as address_of
    from sfumato.table.read import read as read
    from sfumato.table.spark.given import SparkTable as SparkTable
    from sfumato.table.table import Table as Table
    from sfumato.taxonomy.hierarchies import ReadyFacts as ReadyFacts
    from sfumato.taxonomy.hierarchies import build_hierarchy as build_hierarchy
    from sfumato.taxonomy.hierarchies import check_hierarchy as check_hierarchy
    from sfumato.taxonomy.hierarchies import read_hierarchy as read_hierarchy
    from sfumato.taxonomy.hierarchies import ready_hierarchies as ready_hierarchies
    from sfumato.taxonomy.hierarchies import write_hierarchy as write_hierarchy
    from sfumato.taxonomy.tree import Taxonomy as Taxonomy

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazily(__name__, PUBLIC, "__version__")
