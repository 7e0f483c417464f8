"""Numbers in the paper's text about the table and the synthetic knowledge."""

from __future__ import annotations

from collections.abc import Sequence

from experiments.contract import Experiment, Printed, Row
from experiments.paper004 import progress, queries, search
from experiments.paper004.data import DEFAULTS, QUASI, Patients, knowledge, patients
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
            **{f"{name}_of_a_row" if name == "terms" else name: value for name, value in DEFAULTS.items()},
            "groups_of_fig6": search.DATASETS,
            "groups_of_fig8": len(progress.DATASETS),
            "queries": queries.QUERIES_DRAWN,
        }
    ]


_SECONDS = "searches are given so much work instead, the same on every machine"
_SETTINGS = {
    "terms of a row, n": ("terms_of_a_row", 9.0, 0),
    "rows of a group, d": ("rows", 5.0, 0),
    "c": ("c", 1.0, 0),
    "l": ("l", 30.0, 0),
    "t": ("t", 0.4, 1),
    "groups of each point of Figures 6 and 7": ("groups_of_fig6", 10.0, 0),
    "groups of Figure 8": ("groups_of_fig8", 6.0, 0),
}

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
        *(Printed(words, paper, number(name, _AT), digits) for words, (name, paper, digits) in _SETTINGS.items()),
        Printed("queries of each kind", 10_000, number("queries", _AT), 0, "a tenth, for time: they are drawn alike"),
        Printed("seconds for a group, Figures 6, 7 and 9 to 11", 10, None, 0, _SECONDS),
        Printed("seconds for a group, Figure 8", 100, None, 0, _SECONDS),
    ),
)
