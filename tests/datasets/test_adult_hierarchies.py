"""Hierarchies of our own for Adult: every value has its place, and nothing that is no value has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato import datasets
from sfumato.datasets.catalogue import ADULT, ADULT_ARX

# What UCI's adult.names lists.
VALUES = {
    "workclass": "Private Self-emp-not-inc Self-emp-inc Federal-gov Local-gov State-gov Without-pay Never-worked",
    "education": "Bachelors Some-college 11th HS-grad Prof-school Assoc-acdm Assoc-voc 9th 7th-8th 12th Masters 1st-4th"
    " 10th Doctorate 5th-6th Preschool",
    "marital-status": "Married-civ-spouse Divorced Never-married Separated Widowed Married-spouse-absent"
    " Married-AF-spouse",
    "occupation": "Tech-support Craft-repair Other-service Sales Exec-managerial Prof-specialty Handlers-cleaners"
    " Machine-op-inspct Adm-clerical Farming-fishing Transport-moving Priv-house-serv Protective-serv Armed-Forces",
    "relationship": "Wife Own-child Husband Not-in-family Other-relative Unmarried",
    "race": "White Asian-Pac-Islander Amer-Indian-Eskimo Other Black",
    "native-country": "United-States Cambodia England Puerto-Rico Canada Germany Outlying-US(Guam-USVI-etc) India Japan"
    " Greece South China Cuba Iran Honduras Philippines Italy Poland Jamaica Vietnam Mexico Portugal Ireland France"
    " Dominican-Republic Laos Ecuador Taiwan Haiti Columbia Hungary Guatemala Nicaragua Scotland Thailand Yugoslavia"
    " El-Salvador Trinadad&Tobago Peru Hong Holand-Netherlands",
}


def leaves(tree: Any) -> Iterator[str]:
    if isinstance(tree, Mapping):
        for below in tree.values():
            yield from leaves(below)
    elif isinstance(tree, list):
        for each in tree:
            yield from leaves(each)
    else:
        yield tree


def test_every_column_has_one() -> None:
    assert set(datasets.adult_hierarchies()) == {*ADULT.columns, *ADULT_ARX.columns}


@pytest.mark.parametrize("name", VALUES)
def test_every_value_has_one_place(name: str) -> None:
    found = list(leaves(datasets.adult_hierarchies()[name]["hierarchy"]["tree"]))
    assert sorted(found) == sorted(VALUES[name].split())


def test_levels_by_hand() -> None:
    """What a row shows on its way up, through a policy."""
    row = {"age": 37, "education": "12th", "marital-status": "Separated", "native-country": "Holand-Netherlands"}
    row |= {"occupation": "Armed-Forces", "race": "Black", "hours-per-week": 41, "sex": "Male"}
    shown = {
        "age": ["[35, 40)", "[30, 40)", "[20, 40)", "[0, 40)", "*"],
        "education": ["grade 9 to 12", "no diploma", "*"],
        "marital-status": ["spouse elsewhere", "has a spouse", "*"],
        "native-country": ["Western Europe", "Europe", "*"],
        "occupation": ["for safety", "services", "*"],
        "race": ["*"],
        "hours-per-week": ["[40, 45)", "[40, 50)", "[40, 60)", "[40, 80)", "*"],
        "sex": ["*"],
    }
    ours = datasets.adult_hierarchies()
    for name, expected in shown.items():
        frame = pl.DataFrame({name: [row[name]]})
        columns = {name: {"role": "quasi", **ours[name]}}
        policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 1}]}
        tuples = sf.read(frame, policy).encode()
        tree = tuples[name].taxonomy
        assert tree is not None
        node, above = int(tuples.codes[name][0]), []
        while (node := int(tree.parent[node])) >= 0:
            above.append(tree.labels[node])
        assert above == expected, name


def test_what_is_given_is_the_callers_own() -> None:
    datasets.adult_hierarchies()["education"]["hierarchy"]["tree"].clear()
    assert datasets.adult_hierarchies()["education"]["hierarchy"]["tree"]


@pytest.mark.data
@pytest.mark.parametrize("load", [datasets.adult_complete, datasets.adult_arx], ids=["adult", "adult_arx"])
def test_the_real_table_is_read_with_them(
    load: Callable[[], pl.DataFrame], real: Callable[[Callable[[], Any]], Any]
) -> None:
    people = real(load)
    ours = datasets.adult_hierarchies()
    columns = {name: {"role": "quasi", **ours[name]} for name in people.columns}
    policy = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    coded = sf.read(people, policy).encode()
    assert coded.rows == people.height
    assert all(column.taxonomy is not None for column in coded.quasi)
