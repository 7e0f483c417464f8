"""Every adversary on a release of every form: what they learn, or what they lack; the same again."""

from __future__ import annotations

import pytest

import sfumato as sf
from sfumato.adversaries.registry import ADVERSARIES
from sfumato.policy.forms import FORMS
from tests.measures.test_every_form import near, policy_of
from tests.release.test_fits import POLICY, people


@pytest.mark.parametrize("form", [*FORMS])
def test_adversaries_on_every_form(form: str) -> None:
    release = sf.publish(people(11, 90), policy=policy_of(form), seed=1)
    found = sf.attack(release, seed=3)
    assert [each.name for each in found.attacks] == [*ADVERSARIES]
    for each in found.attacks:
        assert bool(each.exposures) != bool(each.lacks), each.name
        for exposure in each.exposures:
            assert 0 <= exposure.exposed <= exposure.people, each.name
            assert 0 <= exposure.surest <= 1 + 1e-9, each.name
            assert exposure.right is None or 0 <= exposure.right <= 1, each.name
    assert near(sf.attack(release, seed=3).to_dict(), found.to_dict())
    assert str(found.summary()).count("\n") >= 2 * len(ADVERSARIES) - 1


def test_nothing_is_told_of_values() -> None:
    release = sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)
    text = f"{sf.attack(release, seed=3).to_dict()}"
    assert not [value for value in ("'d0'", "'d1'", "'d2'", "'d3'", "'d4'") if value in text]


def test_adversaries_that_are_not_there_are_named() -> None:
    release = sf.publish(people(11, 90), policy=policy_of("generalized"), seed=1)
    with pytest.raises(sf.InputError, match=r"there is no adversary 'devil'; there are: .*homogeneity"):
        sf.attack(release, only=["devil"])
    with pytest.raises(sf.InputError, match="adversary 'homogeneity': no such setting: 'l'; it has sure"):
        sf.attack(release, only=[{"adversary": "homogeneity", "l": 3}])
    bare = sf.attack(release.table, POLICY, only=["homogeneity"])
    assert bare["homogeneity"].lacks == "the original table" and "not tried" in bare.summary()
