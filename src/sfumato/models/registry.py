"""Which class judges which promise. A third party's joins through the entry-point group ``sfumato.models``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sfumato.errors import Refused
from sfumato.extension import registered
from sfumato.models.alpha_k import AlphaKModel
from sfumato.models.conjunction import Conjunction
from sfumato.models.contract import Facts, Model
from sfumato.models.delta_disclosure import DeltaDisclosureModel
from sfumato.models.distinct import DistinctLModel
from sfumato.models.entropy import EntropyLModel
from sfumato.models.k_anonymity import KAnonymityModel
from sfumato.models.multi_attribute import MultiAttributeModel
from sfumato.models.npd_recursive import NpdRecursiveModel
from sfumato.models.pairwise import PairwiseLModel
from sfumato.models.pd_recursive import PdRecursiveModel
from sfumato.models.proximity import ProximityModel
from sfumato.models.qs_cl import QsCLModel
from sfumato.models.qs_t import QsTModel
from sfumato.models.recursive import RecursiveCLModel
from sfumato.models.simple import SimpleLModel
from sfumato.models.t_closeness import TClosenessModel
from sfumato.models.tau_l import TauLModel
from sfumato.models.unique_distinct import UniqueDistinctLModel
from sfumato.models.unique_distinct_literal import UniqueDistinctLiteralModel
from sfumato.policy.promises import Promise

__all__ = ["MODELS", "bind", "binding", "model_class"]

MODELS: dict[str, type[Model]] = {
    "all-of": Conjunction,
    "alpha-k": AlphaKModel,
    "delta-disclosure": DeltaDisclosureModel,
    "distinct-l": DistinctLModel,
    "entropy-l": EntropyLModel,
    "k-anonymity": KAnonymityModel,
    "multi-attribute": MultiAttributeModel,
    "npd-recursive": NpdRecursiveModel,
    "pairwise-l": PairwiseLModel,
    "pd-recursive": PdRecursiveModel,
    "proximity": ProximityModel,
    "qs-cl": QsCLModel,
    "qs-t": QsTModel,
    "recursive-cl": RecursiveCLModel,
    "simple-l": SimpleLModel,
    "t-closeness": TClosenessModel,
    "tau-l": TauLModel,
    "unique-distinct-l": UniqueDistinctLModel,
    "unique-distinct-literal": UniqueDistinctLiteralModel,
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


def binding(facts: Facts) -> Callable[[Promise], Model]:
    """`bind` on one table, for whoever has to bind promises of its own and should not see more of it."""
    return partial(bind, facts=facts)
