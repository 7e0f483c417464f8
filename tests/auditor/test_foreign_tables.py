"""Small tables as other tools print them, beside their original: true ones pass, and what is untrue is found."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.auditor.verdict import Audit
from tests.support.command import Cli

ORIGINAL = """\
name,age,zip,sex,admitted,disease
Ann,23,81667,female,2020-01-05,flu
Bob,27,81675,male,2020-02-10,gout
Cem,25,81667,male,2020-03-31,flu
Dot,34,81925,female,2020-04-01,gout
Eve,38,81931,female,2020-06-30,asthma
Fay,31,81925,female,2020-05-05,flu
"""

COLUMNS: dict[str, Any] = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "type": "integer"},
    "zip": {"role": "quasi"},
    "sex": {"role": "quasi"},
    "admitted": {"role": "quasi", "type": "date"},
    "disease": {"role": "sensitive"},
}
POLICY: dict[str, Any] = {
    "columns": COLUMNS,
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "distinct-l", "l": 2}],
    "suppression": {"limit": "1/3"},
}

ARX = """\
age;zip;sex;admitted;disease
[20, 30[;816**;{female, male};[2020-01-01, 2020-04-01[;flu
[20, 30[;816**;{female, male};[2020-01-01, 2020-04-01[;gout
[20, 30[;816**;{female, male};[2020-01-01, 2020-04-01[;flu
[30, 40[;819**;female;[2020-04-01, 2020-07-01[;gout
[30, 40[;819**;female;[2020-04-01, 2020-07-01[;asthma
[30, 40[;819**;female;[2020-04-01, 2020-07-01[;flu
"""
ARX_SUPPRESSED = """\
age;zip;sex;admitted;disease
[20, 30[;816**;*;2020;flu
[20, 30[;816**;*;2020;gout
[20, 30[;816**;*;2020;flu
*;*;*;*;gout
*;*;*;*;asthma
"""
SDCMICRO = """\
"age","zip","sex","admitted","disease"
NA,81667,NA,NA,"flu"
"20-29",NA,NA,"2020-02","gout"
NA,81667,NA,NA,"flu"
"30-39",NA,"female",NA,"gout"
"30-39",NA,"female",NA,"asthma"
"30-39",NA,"female",NA,"flu"
"""
PANDAS = """\
age,zip,sex,admitted,disease
"(20.0, 30.0]",816**, male,2020Q1,gout
"(20.0, 30.0]",816**,*,2020Q1,flu
"(20.0, 30.0]",816**,*,2020Q1,flu
"(30.0, 40.0]",819**,female ,2020Q2,flu
"(30.0, 40.0]",819**,female ,2020Q2,gout
"(30.0, 40.0]",819**,female ,2020Q2,asthma
"""
ANJANA = """\
age,zip,sex,admitted,disease
"[20, 30)",81***,*,2020,flu
"[20, 30)",81***,*,2020,flu
"[20, 30)",81***,*,2020,gout
3*,81***,*,2020,flu
3*,81***,*,2020,gout
3*,81***,*,2020,asthma
"""
PLAIN = """\
age,zip,sex,admitted,disease
<30,8****,nan,<=2020-03-31,flu
<30,8****,nan,<=2020-03-31,flu
<30,8****,nan,<=2020-03-31,gout
30+,8****,,>=2020-04,gout
30+,8****,,>=2020-04,flu
30+,8****,,>=2020-04,asthma
"""


@pytest.fixture
def original(tmp_path: Path) -> Path:
    file = tmp_path / "mine.csv"
    file.write_text(ORIGINAL)
    return file


def judged(theirs: str, original: Path, policy: Any = POLICY, **how: Any) -> Audit:
    file = original.with_name("theirs.csv")
    file.write_text(theirs)
    return sf.audit(file, policy, original=original, **how)


@pytest.mark.parametrize("theirs", [ARX, ARX_SUPPRESSED, SDCMICRO, PANDAS, ANJANA, PLAIN])
def test_true_tables_are_true(theirs: str, original: Path) -> None:
    truth = judged(theirs, original).truth
    assert truth is not None and truth.holds and truth.exact, truth


@pytest.mark.parametrize("theirs", [ARX, ANJANA, PLAIN])
def test_what_was_promised_is_judged_as_ever(theirs: str, original: Path) -> None:
    audit = judged(theirs, original)
    assert audit.holds and audit.suppressed == 0 and audit.rows == 6


def test_stars_and_rows_that_are_missing_count_as_suppressed(original: Path) -> None:
    audit = judged(ARX_SUPPRESSED, original, {**POLICY, "privacy": [{"model": "k-anonymity", "k": 2}]})
    assert audit.truth is not None and (audit.truth.left_out, audit.truth.starred) == (1, 2)
    assert audit.suppressed == 3
    (limit,) = [each for each in audit.criteria if each.model == "suppression"]
    assert limit.verdict == "fails" and limit.level == Fraction(1, 2)


BROKEN = {
    "an untrue cell": ("[20, 30[;816**;{female, male};[2020-01-01, 2020-04-01[;gout", "[80, 90[;816**;*;2020;gout"),
    "a value of another": ("819**;female;[2020-04-01, 2020-07-01[;asthma", "819**;male;2020;asthma"),
    "a swapped secret": ("[30, 40[;819**;female;[2020-04-01, 2020-07-01[;flu", "[30, 40[;819**;female;2020;gout"),
    "a day too late": ("[2020-04-01, 2020-07-01[;asthma", "[2020-04-01, 2020-06-30[;asthma"),
    "a secret of nobody": ("[2020-04-01, 2020-07-01[;asthma", "[2020-04-01, 2020-07-01[;plague"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_untrue_is_found(what: str, original: Path) -> None:
    audit = judged(ARX.replace(*BROKEN[what], 1), original)
    assert audit.truth is not None and audit.truth.untrue == 1 and not audit.holds
    assert "rows that no row of the original table accounts for: 1" in audit.problems


def test_a_row_that_stands_twice_is_found(original: Path) -> None:
    lines = ARX.splitlines()
    audit = judged("\n".join([*lines[:2], *lines[3:], lines[1]]) + "\n", original)
    assert audit.truth is not None and audit.truth.untrue == 1  # two of them have the flu, not three
    audit = judged("\n".join([*lines[:5], lines[4], lines[6]]) + "\n", original)
    assert audit.truth is not None and (audit.truth.untrue, audit.truth.more) == (1, 0)
    audit = judged(ARX + lines[-1] + "\n", original)
    assert audit.truth is not None and (audit.truth.untrue, audit.truth.more) == (1, 1)
    assert "the table has 1 row more than the original table" in audit.problems


def test_what_cannot_be_read_is_said_with_its_column(original: Path) -> None:
    audit = judged(ARX.replace("816**", "old town"), original)
    assert audit.truth is not None and audit.truth.unread == {"zip": 3} and audit.truth.untrue == 3
    problem = "column 'zip': cells that fit no value of the original table: 3, of which cannot be read: 3"
    assert problem in audit.problems and "old town" not in audit.summary()


def test_labels_of_a_hierarchy_in_a_file_are_read(original: Path) -> None:
    tree = ["81667;old town;*", "81675;old town;*", "81925;new town;*", "81931;new town;*"]
    original.with_name("zip.csv").write_text("\n".join(tree) + "\n")
    policy = original.with_name("policy.yaml")
    columns = {**COLUMNS, "zip": {"role": "quasi", "hierarchy": {"file": "zip.csv"}}}
    policy.write_text(str({**POLICY, "columns": columns}))
    audit = judged(ARX.replace("816**", "old town").replace("819**", "new town"), original, policy)
    assert audit.holds, audit.summary()
    audit = judged(ARX.replace("816**", "new town"), original, policy)
    assert audit.truth is not None and audit.truth.untrue > 0 and not audit.truth.cells


def test_averages_are_numbers_that_nobody_has(original: Path) -> None:
    """Microaggregation: read, and not true."""
    audit = judged(ARX.replace("[20, 30[", "24.6").replace("[30, 40[", "34.333"), original)
    assert audit.truth is not None and audit.truth.cells == {"age": 6} and not audit.truth.unread


def test_an_empty_cell_is_what_it_is_said_to_be(original: Path) -> None:
    as_missing = judged(SDCMICRO, original, blank="missing").truth
    assert as_missing is not None and as_missing.cells == {"age": 2, "zip": 4, "sex": 3, "admitted": 5}
    original.write_text(ORIGINAL.replace("Ann,23", "Ann,"))
    auto, suppressed = (judged(SDCMICRO, original, blank=blank).truth for blank in ("auto", "suppressed"))
    assert auto is not None and auto.untrue == 1 and not auto.cells
    assert suppressed is not None and suppressed.holds
    with pytest.raises(sf.InputError, match="blank: an empty cell is one of auto, missing, suppressed"):
        judged(SDCMICRO, original, blank="gone")


def test_a_secret_that_was_taken_away_is_no_value(original: Path) -> None:
    audit = judged(ARX.replace(";asthma", ";NA"), original)
    assert audit.truth is not None and audit.truth.hidden == {"disease": 1} and not audit.truth.untrue
    assert not audit.holds


def test_the_original_decides_what_was_undecidable(original: Path) -> None:
    """Flu is 3 of 6 originally, and 2 of 3 in the first group: a distance of 1/6 + 0 + ... = 1/3 at most."""
    policy = {**POLICY, "privacy": [{"model": "t-closeness", "t": "1/3"}, {"model": "delta-disclosure", "delta": 9}]}
    file = original.with_name("theirs.csv")
    file.write_text(ARX)
    before = sf.audit(file, policy)
    assert [each.verdict for each in before.criteria] == ["undecidable", "undecidable"] and before.truth is None
    assert "truth" not in before.to_dict()
    after = sf.audit(file, policy, original=original)
    closeness, disclosure = after.criteria
    # Originally flu 1/2, gout 1/3, asthma 1/6; first group 2/3, 1/3, 0; second 1/3 each: 1/6 away, either of them.
    assert closeness.verdict == "holds" and str(closeness.level) == "1/6"
    assert disclosure.verdict == "fails"  # the first group has no asthma
    assert after.to_dict()["truth"]["exact"] is True


def test_a_person_in_every_row_needs_no_manifest(original: Path) -> None:
    policy = {**POLICY, "columns": {**COLUMNS, "name": {"role": "individual"}}}
    (persons,) = [each for each in judged(ARX, original, policy).criteria if each.model == "rows-per-person"]
    assert persons.verdict == "holds"
    original.write_text(ORIGINAL.replace("Bob", "Ann"))
    (persons,) = [each for each in judged(ARX, original, policy).criteria if each.model == "rows-per-person"]
    assert persons.verdict == "undecidable"


def test_rows_that_the_missing_rule_drops_may_be_published_by_others(original: Path) -> None:
    original.write_text(ORIGINAL.replace("Ann,23", "Ann,"))
    truth = judged(ARX.replace("[20, 30[", "", 1), original, {**POLICY, "missing": "drop"}).truth
    assert truth is not None and truth.holds and (truth.original, truth.left_out) == (6, 0)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "theirs", [ARX, *(pytest.param(each, marks=pytest.mark.thorough) for each in (SDCMICRO, PANDAS, ANJANA, PLAIN))]
)
def test_measures_and_adversaries_take_them(theirs: str, original: Path) -> None:
    file = original.with_name("theirs.csv")
    file.write_text(theirs)
    measured = sf.measure(file, POLICY, original=original)
    attacked = sf.attack(file, POLICY, original=original)
    assert measured.rows == attacked.rows == 6
    assert measured["discernibility"].value
    assert "the original table" not in {each.lacks for each in measured.measurements}


def test_the_command_line_takes_the_original(original: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy, theirs, sfumato = original.with_name("policy.yaml"), original.with_name("theirs.csv"), Cli(capsys)
    policy.write_text(str(POLICY))
    theirs.write_text(ARX)
    good = sfumato("audit", str(theirs), "-p", str(policy), "--original", str(original))
    assert good.code == 0 and "compared with the original table of 6 rows" in good.out
    theirs.write_text(ARX.replace("816**", "919**"))
    bad = sfumato("audit", str(theirs), "-p", str(policy), "--original", str(original), "--json")
    assert bad.code == 4 and bad.json["truth"]["cells"] == {"zip": 3}
    theirs.write_text(SDCMICRO)
    blank = sfumato("measure", str(theirs), "-p", str(policy), "--original", str(original), "--blank", "suppressed")
    assert blank.code == 0
