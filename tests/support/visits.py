"""A hospital's table of visits, seeded, with the traits of a real one.

Fifty columns, ages in bands, `?` for missing, keys of visits and of patients who come again, diagnosis codes of unequal
length, a column for every drug.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

DRUGS = [f"agent{number}" for number in range(23)]
HEAD = (
    *[
        "encounter_id",
        "patient_nbr",
        "race",
        "gender",
        "age",
        "weight",
        "admission_type_id",
        "discharge_disposition_id",
    ],
    *[
        "admission_source_id",
        "time_in_hospital",
        "payer_code",
        "medical_specialty",
        "num_lab_procedures",
        "num_procedures",
    ],
    *["num_medications", "number_outpatient", "number_emergency", "number_inpatient", "diag_1", "diag_2", "diag_3"],
    *["number_diagnoses", "max_glu_serum", "A1Cresult"],
    *DRUGS,
    *["change", "diabetesMed", "readmitted"],
)


def code(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.03:
        return "?"
    return (
        f"V{draw.randint(10, 80)}"
        if kind < 0.1
        else f"250.{draw.randint(0, 93):02}"
        if kind < 0.4
        else str(draw.randint(100, 999))
    )


def visit(number: int, draw: random.Random) -> list[object]:
    decade = min(9, max(0, int(draw.gauss(6, 1.6))))
    return [
        1000000 + number * 37,
        5000 + draw.randint(0, 420) * 91,
        draw.choice(["Caucasian"] * 6 + ["AfricanAmerican", "Asian", "?"]),
        draw.choice(["Male", "Female"]),
        f"[{10 * decade}-{10 * decade + 10})",
        draw.choice(["?"] * 9 + ["[75-100)", "[50-75)"]),
        *(draw.randint(1, most) for most in (8, 28, 20, 14)),
        draw.choice(["?", "MC", "HM"]),
        draw.choice(["?", "Cardiology", "Surgery-General"]),
        *(draw.randint(low, high) for low, high in ((1, 90), (0, 6), (1, 60), (0, 3), (0, 3), (0, 6))),
        *(code(draw) for _ in range(3)),
        draw.randint(1, 9),
        draw.choice(["None", "None", ">200", "Norm"]),
        draw.choice(["None", "None", ">7", "Norm"]),
        *(draw.choice(["No"] * 9 + ["Steady", "Up", "Down"]) for _ in DRUGS),
        draw.choice(["Ch", "No"]),
        draw.choice(["Yes", "No"]),
        draw.choice(["NO", ">30", "<30"]),
    ]


def write_visits(path: Path, rows: int, seed: int = 7, columns: Sequence[str] = HEAD) -> None:
    """The table as a CSV file; `columns` chooses among its columns, and their order."""
    draw = random.Random(seed)
    chosen = [HEAD.index(name) for name in columns]
    lines = (visit(number, draw) for number in range(rows))
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *([line[place] for place in chosen] for line in lines)])
