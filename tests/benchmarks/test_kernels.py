"""Every registered kernel runs on every kind of data, and does what its name says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from benchmarks import kernels
from benchmarks.__main__ import STORED
from benchmarks.adult import QUASI, SENSITIVE
from benchmarks.contract import Rows, Workload
from benchmarks.enlarge import DATA, EXTRA
from benchmarks.kernels import apart, audit, floor, lattice, mondrian, publish, terms, tuples
from benchmarks.registry import FLOOR, KERNELS, SIZES
from benchmarks.results import LARGE, load
from tests.support.examples import some
from tests.support.tiny_adult import ROWS, tiny_adult

BY_NAME = {kernel.name: kernel for kernel in KERNELS}


def spread(names: Iterable[str]) -> list[tuple[str, str]]:
    """Kernels on every kind of data; in quick runs on one each."""
    return some(product(names, DATA), kind=itemgetter(0))


@pytest.fixture(scope="module", params=DATA)
def workload(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Workload:
    table, document, _ = tiny_adult(tmp_path_factory.mktemp("tiny"))
    return Workload(request.param, DATA[request.param](Rows.of_tuples(table), ROWS), document)


def rows_of(workload: Workload, names: list[str]) -> list[tuple[int, ...]]:
    return list(zip(*(workload.rows.codes[name].tolist() for name in names), strict=True))


@pytest.fixture
def quasi(workload: Workload) -> list[tuple[int, ...]]:
    return rows_of(workload, [column.name for column in workload.table.quasi])


@pytest.fixture
def secrets(workload: Workload) -> list[int]:
    return [code for (code,) in rows_of(workload, [SENSITIVE])]


def test_every_kernel_has_a_name_of_its_own_and_every_file_a_kernel() -> None:
    assert len(BY_NAME) == len(KERNELS)
    assert KERNELS[0] is FLOOR
    files = {path.stem for path in Path(next(iter(kernels.__path__))).glob("[a-z]*.py")}
    assert {kernel.run.__module__.rpartition(".")[2] for kernel in KERNELS} == files
    assert all(kernel.largest is None or kernel.largest in SIZES.values() for kernel in KERNELS)


def test_stored_ratios_are_of_kernels_that_are_and_name_their_targets() -> None:
    for name, stored in load(STORED).items():
        for data, sizes in stored.items():
            for size, entry in sizes.items():
                place = f"{name}, {data}, {size}"
                assert name in BY_NAME and data in DATA and size in SIZES, place
                assert entry.keys() == {"ratio", "target"}, place
                assert entry["ratio"] is not None and entry["ratio"] > 0, place
                assert entry["target"] == (BY_NAME[name].target.most(data) if SIZES[size] >= LARGE else None), place


def test_the_floor_counts_equal_rows(workload: Workload, quasi: list[tuple[int, ...]], secrets: list[int]) -> None:
    counted = floor.run(floor.prepare(workload))
    expected = Counter((*shown, secret) for shown, secret in zip(quasi, secrets, strict=True))
    assert {row[:-1]: row[-1] for row in counted.rows()} == expected


def test_tuples_count_equal_rows(workload: Workload, quasi: list[tuple[int, ...]], secrets: list[int]) -> None:
    made = tuples.run(tuples.prepare(workload))
    columns = [made.codes[column.name].tolist() for column in (*made.quasi, *made.sensitive)]
    expected = Counter((*shown, secret) for shown, secret in zip(quasi, secrets, strict=True))
    assert dict(zip(zip(*columns, strict=True), made.counts.tolist(), strict=True)) == expected


def test_the_audit_sees_every_class(workload: Workload, quasi: list[tuple[int, ...]], secrets: list[int]) -> None:
    classes: dict[tuple[int, ...], Counter[int]] = {}
    for shown, secret in zip(quasi, secrets, strict=True):
        classes.setdefault(shown, Counter())[secret] += 1
    reached = audit.run(audit.prepare(workload))
    assert reached.distinct_l == min(map(len, classes.values()))
    assert reached.simple_l == min(Fraction(each.total(), max(each.values())) for each in classes.values())
    whole = Counter(secrets)
    assert reached.t_equal.level == max(
        sum(
            max(Fraction(count, each.total()) - Fraction(whole[secret], ROWS), Fraction(0))
            for secret, count in each.items()
        )
        for each in classes.values()
    )
    assert reached.t_hierarchical.level is not None


@pytest.mark.parametrize("prepare", [mondrian.strict, mondrian.relaxed, mondrian.taxonomy])
def test_mondrian_cuts_and_keeps_three_values_in_every_group(prepare: Any, workload: Workload) -> None:
    found, secrets = mondrian.run(prepare(workload)), workload.table.codes[SENSITIVE]
    groups: dict[int, set[int]] = {}
    for label, secret in zip(found.groups.tolist(), secrets[found.tuples].tolist(), strict=True):
        groups.setdefault(label, set()).add(secret)
    assert len(groups) > 1
    assert found.counts.sum() == ROWS and not found.suppressed
    assert min(map(len, groups.values())) >= 3


def test_mondrian_jobs_differ_as_their_names_say(workload: Workload) -> None:
    strict, relaxed, taxonomy = (make(workload) for make in (mondrian.strict, mondrian.relaxed, mondrian.taxonomy))
    assert (strict.options.relaxed, relaxed.options.relaxed, taxonomy.options.relaxed) == (False, True, False)
    trees = [[column.taxonomy is not None for column in job.table.quasi] for job in (strict, relaxed, taxonomy)]
    assert not any(trees[0]) and not any(trees[1])
    assert trees[2] == [column.name != EXTRA for column in taxonomy.table.quasi]


@pytest.mark.parametrize("name", ["anatomy", "hilbert", "bsgi", "bsgi-free"])
def test_groups_of_different_values_are_as_many_as_can_be(name: str, workload: Workload) -> None:
    job = BY_NAME[name].prepare(workload)
    assert job.method.method == name
    labels, secrets = apart.run(job).labels.tolist(), workload.table.each().codes[SENSITIVE].tolist()
    assert len(set(labels)) == len(secrets) // 3
    assert len(set(zip(labels, secrets, strict=True))) == len(secrets)


def test_the_lattice_finds_its_optimum_among_its_minimal_nodes(workload: Workload) -> None:
    job = lattice.distinct(workload)
    minimal, best = lattice.minimal(job), lattice.optimum(job)
    assert best is not None and best.node in minimal
    saved = lattice.suppressing(job)
    assert saved is not None and saved.loss <= best.loss


def test_the_k_job_has_the_sensitive_column_for_the_last_quasi_identifier(workload: Workload) -> None:
    job = lattice.k(workload)
    extra = [EXTRA] if workload.data == "hard" else []
    assert sorted(column.name for column in job.table.quasi) == sorted([*QUASI[:-1], SENSITIVE, *extra])
    assert job.table.sensitive == ()
    assert lattice.optimum(job) is not None


def test_publish_makes_a_release_of_all_rows(workload: Workload, secrets: list[int]) -> None:
    release = publish.run(publish.prepare(workload))
    values = workload.table[SENSITIVE].values
    assert Counter(release.table[SENSITIVE].to_list()) == Counter(values[code] for code in secrets)
    assert release.judged().holds


@pytest.mark.parametrize(("name", "workload"), spread(["terms QS (1, 30)", "terms QS t = .4"]), indirect=["workload"])
def test_terms_are_suppressed_at_the_least_cost(name: str, workload: Workload) -> None:
    job = BY_NAME[name].prepare(workload)
    assert len(job.knowledge.labels) == 3000
    assert {(len(group), *group.lengths.tolist()) for group in job.groups} == {(5, 9, 9, 9, 9, 9)}
    assert {found.outcome for found in terms.run(job)} == {"optimal"}


@pytest.mark.parametrize(("name", "workload"), spread(BY_NAME), indirect=["workload"])
def test_every_kernel_runs_and_can_run_again(name: str, workload: Workload) -> None:
    kernel = BY_NAME[name]
    job = kernel.prepare(workload)
    kernel.run(job)
    kernel.run(job)
