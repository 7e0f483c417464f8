"""Hierarchies for Adult, written for sfumato: what every level means, and why it is drawn there.

Numbers grow into intervals whose widths people read at a glance. Categories are put together by what they mean, never
by how often they occur or by what they say about income, so that a hierarchy tells nothing of the data.

age             5, 10, 20 and 40 years: a census's age groups, decades, and two wider steps
education       by what was finished: no diploma (up to grade 6, 7 to 8, 9 to 12), high school, college without a
                bachelor's degree, a degree (bachelor's, or beyond it)
education-num   the same ladder as numbers, 1 to 16: two, four and eight rungs
marital-status  by whether there is a spouse now: living together, apart, not any more, never
relationship    by the place in the household: a spouse, another relative, nobody's relative
occupation      by the work that is done: office (managing or supporting), manual (craft, machines, land and loads),
                services (for people, or for their safety)
workclass       by who pays: an employer, government, oneself, nobody
native-country  by region, then by continent, as the United Nations group countries (M49). Some names in the data say
                too little: "South" and "Hong" are read as South Korea and Hong Kong, and the outlying islands of the
                United States, which lie in two oceans, stand with the Caribbean ones
race            White, Black, and what few were, together
sex, income     no level between a value and nothing
hours-per-week  5, 10, 20 and 40 hours
capital-gain, capital-loss, fnlwgt    powers of ten, from a thousand on; weights from ten thousand on

``?`` is no value: it stands for a missing one, and no tree has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["ADULT_HIERARCHIES"]

_INTERVALS: Mapping[str, Sequence[int]] = {
    "age": (5, 10, 20, 40),
    "education-num": (2, 4, 8),
    "hours-per-week": (5, 10, 20, 40),
    "capital-gain": (1_000, 10_000, 100_000),
    "capital-loss": (1_000, 10_000),
    "fnlwgt": (10_000, 100_000, 1_000_000),
}

_EDUCATION = {
    "no diploma": {
        "up to grade 6": ["Preschool", "1st-4th", "5th-6th"],
        "grade 7 to 8": ["7th-8th"],
        "grade 9 to 12": ["9th", "10th", "11th", "12th"],
    },
    "diploma": {
        "high school": ["HS-grad"],
        "some college": ["Some-college", "Assoc-voc", "Assoc-acdm"],
    },
    "degree": {
        "bachelor": ["Bachelors"],
        "beyond bachelor": ["Masters", "Prof-school", "Doctorate"],
    },
}

_MARITAL_STATUS = {
    "has a spouse": {
        "spouse at home": ["Married-civ-spouse", "Married-AF-spouse"],
        "spouse elsewhere": ["Married-spouse-absent", "Separated"],
    },
    "has no spouse": {
        "had a spouse": ["Divorced", "Widowed"],
        "never had a spouse": ["Never-married"],
    },
}

_RELATIONSHIP = {
    "spouse": ["Husband", "Wife"],
    "relative": ["Own-child", "Other-relative"],
    "no relative": ["Not-in-family", "Unmarried"],
}

_OCCUPATION = {
    "office": {
        "leading and expert": ["Exec-managerial", "Prof-specialty"],
        "supporting": ["Adm-clerical", "Sales", "Tech-support"],
    },
    "manual": {
        "craft and machines": ["Craft-repair", "Machine-op-inspct"],
        "land and loads": ["Farming-fishing", "Handlers-cleaners", "Transport-moving"],
    },
    "services": {
        "for people": ["Other-service", "Priv-house-serv"],
        "for safety": ["Protective-serv", "Armed-Forces"],
    },
}

_WORKCLASS = {
    "an employer": ["Private"],
    "government": ["Federal-gov", "Local-gov", "State-gov"],
    "oneself": ["Self-emp-inc", "Self-emp-not-inc"],
    "nobody": ["Without-pay", "Never-worked"],
}

_NATIVE_COUNTRY = {
    "Americas": {
        "Northern America": ["United-States", "Canada"],
        "Caribbean": [
            "Cuba",
            "Dominican-Republic",
            "Haiti",
            "Jamaica",
            "Puerto-Rico",
            "Trinadad&Tobago",
            "Outlying-US(Guam-USVI-etc)",
        ],
        "Central America": ["El-Salvador", "Guatemala", "Honduras", "Mexico", "Nicaragua"],
        "South America": ["Columbia", "Ecuador", "Peru"],
    },
    "Asia": {
        "Eastern Asia": ["China", "Hong", "Japan", "South", "Taiwan"],
        "South-eastern Asia": ["Cambodia", "Laos", "Philippines", "Thailand", "Vietnam"],
        "Southern Asia": ["India", "Iran"],
    },
    "Europe": {
        "Northern Europe": ["England", "Ireland", "Scotland"],
        "Western Europe": ["France", "Germany", "Holand-Netherlands"],
        "Southern Europe": ["Greece", "Italy", "Portugal", "Yugoslavia"],
        "Eastern Europe": ["Hungary", "Poland"],
    },
}

_RACE = {"*": ["White", "Black", {"another": ["Amer-Indian-Eskimo", "Asian-Pac-Islander", "Other"]}]}

_TREES: Mapping[str, Mapping[str, Any]] = {
    "education": _EDUCATION,
    "marital-status": _MARITAL_STATUS,
    "relationship": _RELATIONSHIP,
    "occupation": _OCCUPATION,
    "workclass": _WORKCLASS,
    "native-country": _NATIVE_COUNTRY,
    "race": _RACE,
}

_FLAT = ("sex", "income", "salary-class")

ADULT_HIERARCHIES: Mapping[str, Mapping[str, Any]] = {
    **{name: {"type": "integer", "hierarchy": {"intervals": [*widths]}} for name, widths in _INTERVALS.items()},
    **{name: {"hierarchy": {"tree": tree}} for name, tree in _TREES.items()},
    **{name: {"hierarchy": "flat"} for name in _FLAT},
}
"""For every column of Adult what a policy says of it beside its role."""
