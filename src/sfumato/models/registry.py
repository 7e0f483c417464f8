"""Which class judges which promise. A third party's joins through the entry-point group ``sfumato.models``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sfumato.errors import Refused
from sfumato.extension import Pieces, registered
from sfumato.models.contract import Facts, Model
from sfumato.policy.promises import Promise

__all__ = ["MODELS", "bind", "binding", "model_class"]

MODELS: Pieces[type[Model]] = Pieces(
    {
        "all-of": "sfumato.models.conjunction:Conjunction",
        "alpha-k": "sfumato.models.alpha_k:AlphaKModel",
        "delta-disclosure": "sfumato.models.delta_disclosure:DeltaDisclosureModel",
        "distinct-l": "sfumato.models.distinct:DistinctLModel",
        "entropy-l": "sfumato.models.entropy:EntropyLModel",
        "k-anonymity": "sfumato.models.k_anonymity:KAnonymityModel",
        "multi-attribute": "sfumato.models.multi_attribute:MultiAttributeModel",
        "npd-recursive": "sfumato.models.npd_recursive:NpdRecursiveModel",
        "pairwise-l": "sfumato.models.pairwise:PairwiseLModel",
        "pd-recursive": "sfumato.models.pd_recursive:PdRecursiveModel",
        "proximity": "sfumato.models.proximity:ProximityModel",
        "qs-cl": "sfumato.models.qs_cl:QsCLModel",
        "qs-t": "sfumato.models.qs_t:QsTModel",
        "recursive-cl": "sfumato.models.recursive:RecursiveCLModel",
        "simple-l": "sfumato.models.simple:SimpleLModel",
        "t-closeness": "sfumato.models.t_closeness:TClosenessModel",
        "tau-l": "sfumato.models.tau_l:TauLModel",
        "unique-distinct-l": "sfumato.models.unique_distinct:UniqueDistinctLModel",
        "unique-distinct-literal": "sfumato.models.unique_distinct_literal:UniqueDistinctLiteralModel",
    }
)


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
