"""What is proven of Adult with ARX's hierarchies: no local recoding loses less."""

from __future__ import annotations

import pytest

import sfumato as sf
from tests.partition.lattice.test_adult import JOBS, NCP, Data, data, document

__all__ = ["data"]

pytestmark = pytest.mark.data
LEAST = {"k 5": 0.041, "distinct 3": 0.0193, "entropy 3": 0.0193, "recursive (4,3)": 0.0193}


@pytest.mark.parametrize("limit", [0, 1])
@pytest.mark.parametrize("job", LEAST)
def test_the_bound_is_high_and_below_every_full_domain_recoding(data: Data, job: str, limit: int) -> None:
    frame, policy = document(data, job, "ncp", limit)
    found = sf.bound(frame, policy=policy)
    assert found.value is not None and found.over == "any local recoding with these hierarchies"
    known = NCP[job][limit]
    assert LEAST[job] <= found.value and (known is None or found.value <= known)


@pytest.mark.filterwarnings("ignore:column 'occupation'. in the worst group")
@pytest.mark.parametrize("job", ["k 5", "distinct 3"])
def test_boxes_comes_near_it(data: Data, job: str) -> None:
    frame, policy = document(data, job, "ncp", 0)
    release = sf.publish(frame, policy={**policy, "partition": {"method": "boxes"}}, seed=1)
    assert JOBS[job][0] == release.source.policy.privacy[0]
    assert release.bound.value is not None
    assert 0.8 * release.loss <= release.bound.value <= release.loss
