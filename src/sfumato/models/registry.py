"""Which class judges which promise. A third party's joins through the entry-point group ``sfumato.models``."""

from __future__ import annotations

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.models.alpha_k import AlphaK
from sfumato.models.conjunction import AllOf
from sfumato.models.contract import Facts, Model
from sfumato.models.delta_disclosure import DeltaDisclosure
from sfumato.models.distinct import DistinctL
from sfumato.models.entropy import EntropyL
from sfumato.models.k_anonymity import KAnonymity
from sfumato.models.multi_attribute import MultiAttribute
from sfumato.models.npd_recursive import NpdRecursive
from sfumato.models.pairwise import PairwiseL
from sfumato.models.pd_recursive import PdRecursive
from sfumato.models.qs_cl import QsCL
from sfumato.models.qs_t import QsT
from sfumato.models.recursive import RecursiveCL
from sfumato.models.simple import SimpleL
from sfumato.models.t_closeness import TCloseness
from sfumato.models.tau_l import TauL
from sfumato.models.unique_distinct import UniqueDistinctL
from sfumato.models.unique_distinct_literal import UniqueDistinctLiteral
from sfumato.policy.promises import Promise

__all__ = ["MODELS", "bind", "model_class"]

MODELS: dict[str, type[Model]] = {
    "all-of": AllOf,
    "alpha-k": AlphaK,
    "delta-disclosure": DeltaDisclosure,
    "distinct-l": DistinctL,
    "entropy-l": EntropyL,
    "k-anonymity": KAnonymity,
    "multi-attribute": MultiAttribute,
    "npd-recursive": NpdRecursive,
    "pairwise-l": PairwiseL,
    "pd-recursive": PdRecursive,
    "qs-cl": QsCL,
    "qs-t": QsT,
    "recursive-cl": RecursiveCL,
    "simple-l": SimpleL,
    "t-closeness": TCloseness,
    "tau-l": TauL,
    "unique-distinct-l": UniqueDistinctL,
    "unique-distinct-literal": UniqueDistinctLiteral,
}


def model_class(name: str) -> type[Model]:
    """The model of the promise of that name, built in or registered by an installed package."""
    found = registered(MODELS, "sfumato.models", name)
    if found is not None:
        return found
    raise Refused(f"no model is registered for the promise {name!r}; there are: {', '.join(MODELS)}")


def bind(promise: Promise, facts: Facts) -> Model:
    """The model that judges a promise on one table; `Refused` if the table cannot be asked for it."""
    return model_class(promise.name).bind(promise, facts)
