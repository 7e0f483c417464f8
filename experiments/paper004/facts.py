"""Numbers in the paper's text about the table and the synthetic knowledge."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Experiment, Printed, Row
from experiments.paper004.data import QUASI, Patients, knowledge, patients
from experiments.shapes import number
from sfumato import datasets
from sfumato.datasets.catalogue import complete

__all__ = ["FACTS"]

_AT: Row = {"table": "Adult"}


def measure(people: Patients, settings: Row) -> Sequence[Row]:
    """Rows of Adult with nothing missing, rows used, labels, mean terms of a label, mean labels of a term."""
    known = knowledge()
    pairs = len(known.row_terms)
    return [
        {
            "complete": complete(datasets.adult_training()).height,
            "used": people.frame.height,
            "quasi": len(QUASI),
            "labels": len(known.labels),
            "terms_of_a_label": round(pairs / known.rows, 4),
            "labels_of_a_term": round(pairs / len(known.terms), 4),
        }
    ]


FACTS = Experiment(
    paper="004",
    name="text",
    title="what the text says of the table and the knowledge",
    points=(_AT,),
    quick=(_AT,),
    prepare=patients,
    measure=measure,
    printed=(
        Printed("rows without missing values", 30612, number("complete", _AT), 0, "digits are turned: it is 30,162"),
        Printed("rows used", 3000, number("used", _AT)),
        Printed("quasi-identifiers", 8, number("quasi", _AT)),
        Printed("labels", 3000, number("labels", _AT)),
        Printed("mean terms of a label", 20, number("terms_of_a_label", _AT)),
        Printed("mean labels of a term", 100, number("labels_of_a_term", _AT)),
    ),
)
