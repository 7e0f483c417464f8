"""Numbers in the paper's text about Adult."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Experiment, Printed, Row
from experiments.paper001.data import Census, census, sampled
from experiments.shapes import number

__all__ = ["FACTS"]

_AT: Row = {"table": "Adult"}


def measure(people: Census, settings: Row) -> Sequence[Row]:
    """Rows, different values of some columns, people of two ages, and how much more frequent one salary is.

    And of groups of five rows of which each has one of three values by chance, how many have one value alone.
    """
    names = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass", "income", "occupation")
    counts = {name.replace("-", "_"): people.frame[name].n_unique() for name in names}
    age, salaries = people.frame["age"], people.frame["income"].value_counts(sort=True)["count"]
    sample = sampled(people).frame
    alone = _VALUES_OF_ONE * (1 / _VALUES_OF_ONE) ** _SIZE
    return [
        {
            "rows": people.frame.height,
            **counts,
            "aged_81_to_90": int(((age >= 81) & (age <= 90)).sum()),
            "aged_31_to_40": int(((age >= 31) & (age <= 40)).sum()),
            "median_of_an_age": float(sample["age"].value_counts()["count"].median() or 0),  # type: ignore[arg-type]
            "salary_ratio": round(int(salaries[0]) / int(salaries[-1]), 4),
            "one_in": round(1 / alone, 4),
            "groups_alone": round(_GROUPS * alone, 4),
            "people_alone": round(_GROUPS * alone * _SIZE, 4),
        }
    ]


_GROUPS, _SIZE, _VALUES_OF_ONE = 12_000, 5, 3
_VALUES = {
    "age": 74,
    "sex": 2,
    "race": 5,
    "marital_status": 7,
    "education": 16,
    "native_country": 41,
    "workclass": 7,
    "income": 2,
    "occupation": 41,
}
_WHY = {"occupation": "41 is that of countries, three lines further up; there are 14 occupations"}
_ABOUT = "ours is the median; the sample is another"
_RATIO = "34,014 and 11,208 people: three times"

FACTS = Experiment(
    paper="001",
    name="fig4",
    title="rows and domains of Adult",
    points=(_AT,),
    quick=(_AT,),
    prepare=census,
    measure=measure,
    printed=(
        Printed("rows", 45222, number("rows", _AT)),
        *(
            Printed(f"values of {name.replace('_', ' ')}", many, number(name, _AT), 0, _WHY.get(name, ""))
            for name, many in _VALUES.items()
        ),
        Printed("people aged 81 to 90", 114, number("aged_81_to_90", _AT)),
        Printed("people aged 31 to 40", 12_291, number("aged_31_to_40", _AT)),
        Printed("rows of an age in the sample of 5 %, about", 20, number("median_of_an_age", _AT), 0, _ABOUT),
        Printed("one salary so many times as frequent as the other", 4, number("salary_ratio", _AT), 0, _RATIO),
        Printed("one in so many groups of five rows has one of three values alone", 81, number("one_in", _AT)),
        Printed("such groups among 12,000", 148, number("groups_alone", _AT)),
        Printed("people in them", 740, number("people_alone", _AT), 0, "5 · 12,000 / 81 is 740.7"),
    ),
)
