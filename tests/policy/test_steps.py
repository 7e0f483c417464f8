"""Steps as a list: the same as flags, in an order that can work, and a digest that did not change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import Any, ClassVar, Literal

import polars as pl
import pytest

import sfumato as sf
from sfumato import extension
from sfumato.errors import NoneFound
from sfumato.fit import Fit
from sfumato.models.contract import Model
from sfumato.partition.contract import Partition, Partitioner, Task
from sfumato.partition.steps.contract import Bind
from sfumato.policy.steps import Step

PLAIN: dict[str, Any] = {
    "version": 1,
    "columns": {
        "age": {"role": "quasi", "type": "integer"},
        "town": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "privacy": [{"model": "distinct-l", "l": 2}],
}
TERMS: dict[str, Any] = {
    "version": 1,
    "columns": {
        **PLAIN["columns"],
        "t": {"role": "quasi-sensitive", "separator": "|", "knowledge": {"labels": {"A": ["a"], "B": ["b"]}}},
    },
    "privacy": [*PLAIN["privacy"], {"model": "qs-cl", "c": 2, "l": 2}],
}
FRAME = pl.DataFrame(
    {
        "age": [20 + 7 * row % 41 for row in range(60)],
        "town": [f"town {row * row % 5}" for row in range(60)],
        "disease": [f"d{row * 3 % 7}" for row in range(60)],
        "t": [("a", "b", "a|b")[row % 3] for row in range(60)],
    }
)

# What was written before steps had a list, the digest that it had then, and the same as a list.
KNOWN: list[tuple[dict[str, Any], str, list[Any]]] = [
    ({"method": "mondrian"}, "98d4f2011b91b4482da26a8efe08e51830b47e1f06a0644750c130d74c2a819c", []),
    (
        {"method": "mondrian", "refine": True},
        "c14192ad1a50f011841a3008a5f0d15d58d2492084fec3bdb368d21dc605898a",
        ["refine"],
    ),
    (
        {"method": "mondrian", "refine": True, "residuals": "own"},
        "eb90d0714ba1a2254ab141cd416f47ddd411314224a4d62170274df3df0cf637",
        [{"step": "refine", "residuals": "own"}],
    ),
    (
        {"method": "mondrian", "polish": True},
        "d4942c8f533f496d366ddfb71cdbec72c744bee298e7f13e0fb019db11193ce9",
        [{"step": "polish"}],
    ),
    (
        {"method": "lattice", "polish": {"work": 1000}},
        "18f2b024ecfb0271b7301602376a17532668affd22d4c5a8dc466cfa3ab0443c",
        [{"step": "polish", "work": 1000}],
    ),
    (
        {"method": "hilbert", "polish": {"work": 0}},
        "93280c639b12c9c3283739e72d8f36b35a6c71bd3223dccd0ccc844efc6dba1a",
        [sf.Polish(work=0)],
    ),
    (
        {"method": "sweep", "refine": True, "polish": True},
        "2fc983c08c32b4e7c24590457b752824d3e8a279c81ec0f02589e0d1f685e283",
        ["refine", "polish"],
    ),
    (
        {"method": "arp", "residuals": "own"},
        "10b211d4f903bc54ce56a5415756daf5ec527f3825eaf5a36b03d819d025c684",
        [],
    ),
    (
        {"method": "arp", "refine": True, "residuals": "own"},
        "6a276dfe59ed282e588110ebbb6e5a88ea43f4c7636011755e2e15436ebb0819",
        [sf.Refine(residuals="own")],
    ),
    (
        {"method": "mondrian", "terms": True},
        "7d90fadd15bb8048aac22c4c50e6094f85945f5044c692c79705d43f2ccd5272",
        ["suppress-terms"],
    ),
    (
        {"method": "mondrian", "refine": True, "polish": {"work": 7}, "terms": {"phases": "one", "balance": "1/3"}},
        "b15859094872f20ee9ee02e5476dd65c2013c117f9b6e84fd6ba86bb87e19ffb",
        ["refine", sf.Polish(work=7), sf.TermSuppression(phases="one", balance="1/3")],
    ),
]


def read(partition: dict[str, Any]) -> sf.Policy:
    steps = [getattr(step, "step", step) for step in partition.get("steps", ())]
    about_terms = "terms" in partition or "suppress-terms" in steps
    return sf.read_policy({**(TERMS if about_terms else PLAIN), "partition": partition})


def as_list(flags: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    """The same settings with steps; what ARP leaves over itself is a setting of its own."""
    own = ("residuals",) if flags.get("method") == "arp" else ()
    kept = {name: each for name, each in flags.items() if name in ("method", *own)}
    return {**kept, "steps": steps}


@pytest.mark.parametrize(("flags", "digest", "steps"), KNOWN, ids=[json.dumps(each[0]) for each in KNOWN])
def test_flags_and_the_list_are_one_policy_with_the_digest_it_always_had(
    flags: dict[str, Any], digest: str, steps: list[Any]
) -> None:
    by_flags, by_list = read(flags), read(as_list(flags, steps))
    assert by_flags.digest == by_list.digest == digest
    assert by_flags.partition == by_list.partition
    assert by_flags.as_dict() == by_list.as_dict()
    again = sf.read_policy(json.loads(json.dumps(by_list.as_dict())))
    assert (again.partition, again.digest) == (by_list.partition, digest)


def test_a_policy_is_written_with_steps_and_flags_can_still_be_read() -> None:
    method = sf.Mondrian(refine=True, polish={"work": 7})
    assert method.model_dump(mode="json") == {
        "method": "mondrian",
        "slack": 0,
        "steps": [{"step": "refine", "residuals": "across"}, {"step": "polish", "work": 7}],
        "relaxed": False,
    }
    assert (method.refine, method.residuals, method.polish, method.terms) == (True, "across", sf.Polish(work=7), None)
    listed = sf.Lattice(steps=[sf.Refine(residuals="own"), "suppress-terms"])
    assert (listed.refine, listed.residuals, listed.polish, listed.terms) == (True, "own", False, sf.TermSuppression())


def test_arp_cuts_by_its_own_setting_and_the_step_by_its_own() -> None:
    """What flags cannot say is hashed as it is, and read back."""
    apart = read({"method": "arp", "residuals": "own", "steps": ["refine"]})
    assert apart.partition.residuals == "own" and apart.partition.steps == (sf.Refine(),)
    together = read({"method": "arp", "residuals": "own", "refine": True})
    assert apart.digest != together.digest
    again = sf.read_policy(apart.as_dict())
    assert (again.partition, again.digest) == (apart.partition, apart.digest)


@pytest.mark.filterwarnings("ignore:qs-cl")
@pytest.mark.parametrize(
    ("flags", "steps"),
    [
        ({"refine": True}, ["refine"]),
        (
            {"refine": True, "residuals": "own", "polish": {"work": 3000}},
            [sf.Refine(residuals="own"), sf.Polish(work=3000)],
        ),
        ({"terms": {"search": "adaptive"}}, [{"step": "suppress-terms", "search": "adaptive"}]),
        ({"polish": {"work": 3000}, "terms": True}, [{"step": "polish", "work": 3000}, "suppress-terms"]),
    ],
)
def test_the_same_release(flags: dict[str, Any], steps: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """By a fixed seed, and by a key, which takes the digest in."""
    monkeypatch.setenv("SFUMATO_KEY", "a key for tests only")
    document = TERMS if "terms" in flags else {**PLAIN, "columns": {**PLAIN["columns"], "t": {"role": "drop"}}}
    for seed in (1, None):
        first, second = (
            sf.publish(FRAME, policy={**document, "partition": {"method": "mondrian", **how}}, seed=seed)
            for how in (flags, {"steps": steps})
        )
        assert first.table.equals(second.table)
        assert first.notes == second.notes


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"steps": ["polish", "refine"]},
            "partition.steps: has refine after polish: refine deals the rows of every group",
        ),
        (
            {"steps": ["suppress-terms", "polish"]},
            "has polish after suppress-terms: terms are suppressed in groups that stay",
        ),
        ({"steps": ["suppress-terms", "refine"]}, "has refine after suppress-terms"),
        ({"steps": ["refine", "refine"]}, "has the step refine twice"),
        ({"steps": ["polish", "polish"]}, "has the step polish twice: give the one polish the work of both"),
        ({"steps": ["suppress-terms"] * 2}, "has the step suppress-terms twice"),
        ({"steps": ["refine"], "refine": True}, "partition: says refine beside steps"),
        ({"steps": ["refine"], "polish": True}, "partition: says polish beside steps"),
        ({"steps": [], "terms": {}}, "partition: says terms beside steps"),
        ({"steps": ["refine"], "residuals": "own"}, "partition: says residuals beside steps"),
        (
            {"steps": ["blur"]},
            "partition.steps[0].step: must be one of: refine, polish, suppress-terms, generalize-sensitive"
            " (got 'blur')",
        ),
        ({"steps": [{"work": 3}]}, "partition.steps[0]: must be the name of a step"),
        ({"steps": "refine"}, "partition.steps: must be a list"),
        ({"steps": [{"step": "polish", "work": -1}]}, "partition.steps[0].work: input should be greater than or equal"),
        ({"steps": ["refine", {"step": "refine", "work": 1}]}, "partition.steps[1].work: is not a setting here"),
        ({"refine": "yes please"}, "partition.refine: must be true or false"),
    ],
)
def test_what_cannot_work_is_refused_where_it_stands(given: dict[str, Any], says: str) -> None:
    with pytest.raises(sf.PolicyError, match=re.escape(says)):
        sf.read_policy({**PLAIN, "partition": given})


def test_a_flag_that_says_no_contradicts_nothing() -> None:
    given = {"method": "mondrian", "steps": ["refine"], "polish": False, "terms": False, "refine": False}
    assert read(given).partition == sf.Mondrian(refine=True)


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(sf.PolicyError) as error:
        sf.Mondrian(polish=3, refine="x", steps=["blur"])
    assert {problem.path for problem in error.value.problems} == {"polish", "refine", "steps[0].step"}


def test_the_schema_knows_steps_and_flags() -> None:
    mondrian = next(
        each
        for each in sf.policy_schema()["properties"]["partition"]["oneOf"]
        if each["properties"]["method"]["const"] == "mondrian"
    )
    assert {"steps", "refine", "residuals", "polish", "terms"} <= mondrian["properties"].keys()
    one = mondrian["properties"]["steps"]["items"]["anyOf"]
    assert {"enum": ["refine", "polish", "suppress-terms", "generalize-sensitive"]}.items() <= one[0].items()
    names = [each["properties"]["step"]["const"] for each in one[1:]]
    assert names == ["refine", "polish", "suppress-terms", "generalize-sensitive"]
    assert all("step" in each["required"] for each in one[1:])
    assert one[2]["properties"]["work"]["minimum"] == 0


# --- a step of another package ----------------------------------------------------------------------------------------


class Shout(Step):
    """Leave groups as they are, and say how many there are."""

    step: Literal["shout"] = "shout"
    not_after: ClassVar[Mapping[str, str]] = {"suppress-terms": "it would be too late"}


class Shouting:
    """The step itself."""

    def __init__(self, base: Partitioner, options: Shout, bind: Bind) -> None:
        self.base, self.bind = base, bind

    def fit(self, model: Model) -> Fit:
        return self.base.fit(model)

    def partition(self, task: Task) -> Partition:
        found = self.base.partition(task)
        if not self.bind(sf.KAnonymity(1)).survives_merging:
            raise NoneFound("what is bound is asked")
        return Partition(found.tuples, found.groups, found.counts, notes=(f"{found.groups.max() + 1} groups!",))


@pytest.fixture
def shout(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("shout", f"{__name__}:Shout", "sfumato.step_settings"),
        EntryPoint("shout", f"{__name__}:Shouting", "sfumato.steps"),
        EntryPoint("whisper", f"{__name__}:Shout", "sfumato.step_settings"),
    ]
    monkeypatch.setattr(
        extension,
        "entry_points",
        lambda group, name=None: [each for each in entries if each.group == group and name in (None, each.name)],
    )


def test_a_step_of_another_package(shout: None) -> None:
    policy = {
        **PLAIN,
        "columns": {**PLAIN["columns"], "t": {"role": "drop"}},
        "partition": {"steps": ["refine", "shout"]},
    }
    release = sf.publish(FRAME, policy=policy, seed=1)
    assert any(note.endswith("groups!") for note in release.notes)
    read_back = sf.read_policy(sf.read_policy(policy).as_dict())
    assert read_back.digest == sf.read_policy(policy).digest != sf.read_policy({**policy, "partition": {}}).digest
    with pytest.raises(sf.PolicyError, match="has shout after suppress-terms: it would be too late"):
        sf.Mondrian(steps=["suppress-terms", "shout"])


def test_a_step_that_is_only_half_installed(monkeypatch: pytest.MonkeyPatch, shout: None) -> None:
    policy = {**PLAIN, "columns": {**PLAIN["columns"], "t": {"role": "drop"}}}
    half = sf.Mondrian(steps=[Shout()])
    monkeypatch.setattr(extension, "entry_points", lambda group, name=None: [])
    with pytest.raises(sf.Refused, match="the step 'shout' is not installed"):
        sf.publish(FRAME, policy=sf.read_policy(policy).model_copy(update={"partition": half}), seed=1)
