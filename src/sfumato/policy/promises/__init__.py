"""What can be promised: the vocabulary of `privacy:`, one frozen value per promise, each in a file of its own.

This folder holds words only. What a promise *means* is decided twice and apart: in `sfumato.models` for the search
and in `sfumato.auditor` for the judgement. A third party's promise joins through the entry-point group
``sfumato.promises``. Names are loaded when they are first used: a policy needs those alone that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from sfumato.exports import lazily
from sfumato.extension import Pieces, registered
from sfumato.policy.parameters import Count as Count
from sfumato.policy.parameters import Ratio as Ratio
from sfumato.policy.parameters import Values as Values
from sfumato.policy.promise import Promise as Promise
from sfumato.policy.promise import promise as promise

if TYPE_CHECKING:
    from sfumato.policy.promises.alpha_k import AlphaK as AlphaK
    from sfumato.policy.promises.conjunction import AllOf as AllOf
    from sfumato.policy.promises.conjunction import all_of as all_of
    from sfumato.policy.promises.conjunction import only as only
    from sfumato.policy.promises.delta_disclosure import DeltaDisclosure as DeltaDisclosure
    from sfumato.policy.promises.distinct import DistinctL as DistinctL
    from sfumato.policy.promises.entropy import EntropyL as EntropyL
    from sfumato.policy.promises.k_anonymity import KAnonymity as KAnonymity
    from sfumato.policy.promises.k_anonymity import groups_of as groups_of
    from sfumato.policy.promises.multi_attribute import MultiAttribute as MultiAttribute
    from sfumato.policy.promises.npd_recursive import NpdRecursive as NpdRecursive
    from sfumato.policy.promises.pairwise import PairwiseL as PairwiseL
    from sfumato.policy.promises.pd_recursive import PdRecursive as PdRecursive
    from sfumato.policy.promises.proximity import Proximity as Proximity
    from sfumato.policy.promises.qs_cl import QsCL as QsCL
    from sfumato.policy.promises.qs_t import QsT as QsT
    from sfumato.policy.promises.recursive import RecursiveCL as RecursiveCL
    from sfumato.policy.promises.simple import SimpleL as SimpleL
    from sfumato.policy.promises.t_closeness import TCloseness as TCloseness
    from sfumato.policy.promises.tau_l import TauL as TauL
    from sfumato.policy.promises.unique_distinct import UniqueDistinctL as UniqueDistinctL
    from sfumato.policy.promises.unique_distinct_literal import UniqueDistinctLiteral as UniqueDistinctLiteral

PROMISES: Pieces[type[Promise]] = Pieces(
    {
        "k-anonymity": "sfumato.policy.promises.k_anonymity:KAnonymity",
        "distinct-l": "sfumato.policy.promises.distinct:DistinctL",
        "entropy-l": "sfumato.policy.promises.entropy:EntropyL",
        "recursive-cl": "sfumato.policy.promises.recursive:RecursiveCL",
        "pd-recursive": "sfumato.policy.promises.pd_recursive:PdRecursive",
        "npd-recursive": "sfumato.policy.promises.npd_recursive:NpdRecursive",
        "simple-l": "sfumato.policy.promises.simple:SimpleL",
        "pairwise-l": "sfumato.policy.promises.pairwise:PairwiseL",
        "unique-distinct-l": "sfumato.policy.promises.unique_distinct:UniqueDistinctL",
        "unique-distinct-literal": "sfumato.policy.promises.unique_distinct_literal:UniqueDistinctLiteral",
        "alpha-k": "sfumato.policy.promises.alpha_k:AlphaK",
        "proximity": "sfumato.policy.promises.proximity:Proximity",
        "t-closeness": "sfumato.policy.promises.t_closeness:TCloseness",
        "delta-disclosure": "sfumato.policy.promises.delta_disclosure:DeltaDisclosure",
        "tau-l": "sfumato.policy.promises.tau_l:TauL",
        "multi-attribute": "sfumato.policy.promises.multi_attribute:MultiAttribute",
        "qs-cl": "sfumato.policy.promises.qs_cl:QsCL",
        "qs-t": "sfumato.policy.promises.qs_t:QsT",
    }
)


def read_promise(given: object) -> Promise:
    """The promise that a policy entry such as ``{model: k-anonymity, k: 5}`` stands for."""
    if isinstance(given, Promise):
        return given
    if not isinstance(given, Mapping) or not isinstance(given.get("model"), str):
        raise ValueError("must be a mapping with a 'model', such as {model: k-anonymity, k: 5}")
    cls = promise_class(given["model"])
    made: Promise = TypeAdapter(cls).validate_python({key: value for key, value in given.items() if key != "model"})
    return made


AnyPromise = Annotated[
    Promise, BeforeValidator(read_promise), PlainSerializer(lambda given: cast(Promise, given).as_dict())
]


def promise_schema(cls: type[Promise]) -> dict[str, Any]:
    """JSON Schema of a policy entry that makes this promise."""
    schema = TypeAdapter(cls).json_schema()
    schema["properties"] = {"model": {"const": cls.name}, **schema["properties"]}
    schema["required"] = ["model", *schema.get("required", ())]
    return schema


def promise_class(name: str) -> type[Promise]:
    """The promise of that name, built in or registered by an installed package."""
    found = registered(PROMISES, "sfumato.promises", name)
    if found is None:
        raise ValueError(f"must be one of: {', '.join(PROMISES)}")
    return found


_BESIDE = {
    "sfumato.policy.promises.conjunction": ("AllOf", "all_of", "only"),
    "sfumato.policy.promises.k_anonymity": ("KAnonymity", "groups_of"),
}
__getattr__, __dir__, __all__ = lazily(
    __name__,
    PROMISES.places | _BESIDE,
    *("PROMISES", "AnyPromise", "Count", "Promise", "Ratio", "Values"),
    *("promise", "promise_class", "promise_schema", "read_promise"),
)
