"""Roles, types and hierarchies suggested for tables."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

from sfumato.demo.hospital import hospital
from sfumato.policy.load import read_policy
from sfumato.policy.yaml import parse_yaml
from sfumato.suggestions.hints import topics_of
from sfumato.suggestions.suggest import Suggestion
from sfumato.suggestions.suggest import suggested as suggest
from sfumato.suggestions.template import write_policy

ROWS = 200


def by_name(frame: pl.DataFrame) -> dict[str, Suggestion]:
    return {each.name: each for each in suggest(frame)}


def one(name: str, values: list[object]) -> Suggestion:
    return suggest(pl.DataFrame({name: values}))[0]


def cycle(values: Sequence[str | None]) -> list[object]:
    return [values[row % len(values)] for row in range(ROWS)]


def test_the_hospital() -> None:
    found = by_name(hospital(2000, 0).cast(pl.String))
    roles = {name: each.role for name, each in found.items()}
    assert roles == {
        "name": "identifier",
        "zip": "quasi",
        "age": "quasi",
        "sex": "quasi",
        "admission": "quasi",
        "ward": None,
        "disease": "sensitive",
    }
    assert {name: each.type for name, each in found.items() if each.type != "text"} == {
        "age": "integer",
        "admission": "date",
    }
    assert found["zip"].hierarchy == {"mask": "right"}
    assert found["age"].hierarchy == {"intervals": [5, 10, 20]}
    assert found["admission"].hierarchy == {"dates": ["month", "quarter", "year"]}
    assert found["sex"].hierarchy is None
    assert all(each.reasons for each in found.values())


def test_names_that_repeat_may_be_of_persons_with_several_rows() -> None:
    persons = one("patient_id", cycle([f"P{number}" for number in range(60)]))
    assert persons.role == "individual" and "one person has several" in persons.reasons[-1]
    wards = one("ward_id", cycle([f"P{number}" for number in range(60)]))
    assert wards.role is None, "a key that repeats and is not called a person's may be of anything"
    assert any("several rows of one person (individual)" in reason for reason in wards.reasons)
    groups = one("client_id", cycle([f"P{number}" for number in range(3)]))
    assert groups.role is None, "three values in 200 rows are no persons"
    assert one("patient_id", [f"P{number}" for number in range(ROWS)]).role == "identifier", "everybody has one row"


def test_native_types_and_text_agree() -> None:
    frame = hospital(500, 1)
    typed, text = suggest(frame), suggest(frame.cast(pl.String))
    assert [(each.role, each.type, each.hierarchy) for each in typed] == [
        (each.role, each.type, each.hierarchy) for each in text
    ]


def test_an_adult_like_header() -> None:
    header = (
        "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
        " capital-gain capital-loss hours-per-week native-country income"
    )
    frame = pl.DataFrame({name: cycle(["1", "2", "3"]) for name in header.split()})
    roles = {each.name: each.role for each in suggest(frame)}
    sensitive = {"capital-gain", "capital-loss", "income"}
    assert {name for name, role in roles.items() if role == "sensitive"} == sensitive
    assert {name for name, role in roles.items() if role == "weight"} == {"fnlwgt"}
    assert {name for name, role in roles.items() if role is None} == {"hours-per-week"}
    others = sensitive | {"fnlwgt", "hours-per-week"}
    assert {name for name, role in roles.items() if role == "quasi"} == set(roles) - others


def test_a_sampling_weight_is_one_column_of_numbers() -> None:
    numbers, holes = cycle(["1.5", "2.5", "310"]), cycle(["1.5", None, "3.5"])
    frame = pl.DataFrame({"age": numbers, "pweight": numbers, "body_weight": numbers})
    found = {each.name: each for each in suggest(frame)}
    assert (found["pweight"].role, found["pweight"].hierarchy) == ("weight", None)
    assert found["body_weight"].role is None
    assert any("a weight, of sampling or of a body" in reason for reason in found["body_weight"].reasons)
    text = write_policy(list(found.values()), "survey.csv").replace("role: decide", "role: drop")
    assert read_policy(parse_yaml(text, "policy")).weight == "pweight"
    two = {each.name: each.role for each in suggest(frame.with_columns(finalwgt=pl.col("pweight")))}
    assert (two["pweight"], two["finalwgt"]) == (None, None)
    lacking = suggest(pl.DataFrame({"pweight": holes}))[0]
    assert lacking.role is None and "but not every row has a number" in lacking.reasons


@pytest.mark.parametrize(
    ("names", "role"),
    [
        ("Nachname prénom Apellidos codice_fiscale E-Mail phoneNumber SSN Straße", "identifier"),
        ("Geburtsdatum date_de_naissance fechaNacimiento sesso Geschlecht sexe PLZ codePostal edad età", "quasi"),
        ("Familienstand nationalité Nationalität ocupación titolo_di_studio ZIPCode zip_code gender DOB", "quasi"),
        ("Diagnose maladie enfermedad malattia Gehalt salaire salario reddito religion Konfession", "sensitive"),
    ],
)
def test_names_in_five_languages(names: str, role: str) -> None:
    for name in names.split():
        assert {topic.role for topic in topics_of(name)} == {role}, name


@pytest.mark.parametrize("name", ["percentage", "message", "wardrobe", "hours", "score", "language", "idle", "x", ""])
def test_words_inside_words_mean_nothing(name: str) -> None:
    assert topics_of(name) == ()


def test_roles_by_figures() -> None:
    frame = pl.DataFrame(
        {
            "token": [f"t{row:05x}" for row in range(ROWS)],
            "counter": [str(row + 17) for row in range(ROWS)],
            "measure": [str(7 * row) for row in range(ROWS)],
            "spread": [str(row % 40) for row in range(ROWS)],
            "flag": [str(row % 2) for row in range(ROWS)],
            "constant": ["c"] * ROWS,
        }
    )
    roles = {name: each.role for name, each in by_name(frame).items()}
    assert roles == {
        "token": "identifier",  # every text its own
        "counter": "identifier",  # 17, 18, 19, ...
        "measure": None,  # unique numbers may be anything
        "spread": "quasi",  # 40 equally frequent values tell 98 % of the pairs apart, no row alone
        "flag": None,
        "constant": None,
    }
    assert {name for name, each in by_name(frame.head(10)).items() if each.role} == set()


def test_nothing_is_suggested_as_insensitive() -> None:
    frame = pl.DataFrame({name: cycle(["a", "b"]) for name in ("colour", "ward", "comment", "insensitive")})
    assert {each.role for each in suggest(frame)} == {None}


def test_contradictions_are_left_to_a_person() -> None:
    both = one("age at diagnosis", cycle(["40", "50"]))
    assert both.role is None
    assert any("age" in reason for reason in both.reasons)
    assert any("health" in reason for reason in both.reasons)
    assert one("diagnosis date", cycle(["2024-01-05", "2024-02-06"])).role is None
    assert one("patient id", cycle(["p1", "p2", "p3"])).role is None
    assert one("patient id", [f"p{row}" for row in range(ROWS)]).role == "identifier"
    assert one("country name", cycle(["p1", "p2", "p3"])).role == "quasi"


def test_ambiguous_dates_are_left_to_a_person() -> None:
    found = one("birth date", cycle(["01/02/1960", "03/04/1970"]))
    assert (found.role, found.type, found.hierarchy) == (None, "text", None)
    assert any("day or month first" in reason for reason in found.reasons)


def test_one_date_format_for_the_file() -> None:
    german, iso = cycle(["31.12.1960", "01.02.1970"]), cycle(["2024-01-01", "2024-05-01"])
    found = by_name(pl.DataFrame({"birth": german, "admission": german, "discharge": iso}))
    assert found["birth"].settings == {"date": "%d.%m.%Y"}
    assert (found["discharge"].type, found["discharge"].role) == ("text", None)
    assert any("%d.%m.%Y" in reason for reason in found["discharge"].reasons)
    tie = by_name(pl.DataFrame({"birth": german, "discharge": iso}))
    assert (tie["birth"].type, tie["discharge"].type) == ("text", "date")


def test_one_decimal_mark_for_the_file() -> None:
    found = by_name(pl.DataFrame({"height": cycle(["1,5", "2,5"]), "width": cycle(["1,5"]), "depth": cycle(["1.5"])}))
    assert [each.type for each in found.values()] == ["number", "number", "text"]


def test_hierarchies() -> None:
    numbers: list[object] = [str(row % 41) for row in range(ROWS)]
    assert one("spread", numbers).hierarchy == {"intervals": [2, 4, 8]}
    assert one("zip", cycle(["8000", "10115", "4000"])).hierarchy is None
    assert one("zip", cycle(["08000", "10115"])).hierarchy == {"mask": "right"}
    many = one("occupation", cycle([f"job {index}" for index in range(30)]))
    assert many.hierarchy == {"balanced": {"fanout": 3}}
    assert any("hierarchy file" in reason for reason in many.reasons)
    assert one("occupation", cycle(["a", "b"])).hierarchy is None


def test_the_span_gives_no_value_away() -> None:
    found = one("salary", [str(value) for value in (0, 48217, 31999)])
    assert found.evidence.span == 50000
    assert any("bins" in reason for reason in found.reasons)


def test_quasi_identifiers_together() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "age": ["40", "40", "40", "50"], "note": ["a", "b", "c", "d"]})
    found = by_name(frame)
    together = found["sex"].together
    assert together is not None and together == found["age"].together
    assert (together.columns, together.distinct, together.unique) == (("sex", "age"), 3, 2)
    assert found["note"].together is None


def test_empty_and_odd_tables() -> None:
    assert suggest(pl.DataFrame()) == ()
    nothing = suggest(pl.DataFrame({"age": [], "x": []}, schema={"age": pl.String, "x": pl.String}))
    assert [each.role for each in nothing] == ["quasi", None]
    odd = pl.DataFrame({"list": [[1], [2]], "bytes": [b"a", b"b"], "big": [1e308, -1e308], "tiny": [0.0, 5e-324]})
    assert [each.role for each in suggest(odd)] == [None] * 4
