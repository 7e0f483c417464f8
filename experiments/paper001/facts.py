"""Numbers in the paper's text about Adult."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Experiment, Printed, Row
from experiments.paper001.data import Census, census
from experiments.shapes import number

__all__ = ["FACTS"]

_AT: Row = {"table": "Adult"}


def measure(people: Census, settings: Row) -> Sequence[Row]:
    """Rows, and different values of some columns."""
    names = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass", "income", "occupation")
    counts = {name.replace("-", "_"): people.frame[name].n_unique() for name in names}
    return [{"rows": people.frame.height, **counts}]


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
    ),
)
