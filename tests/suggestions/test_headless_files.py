"""A file whose first line is a row: no command shows what stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from tests.support.command import Cli

FILES = {
    "numbers": "47,13053,1984-02-11\n31,13068,1990-01-30\n",
    "mixed": "Smith,female,47,flu\nJones,female,31,flu\nMiller,male,52,gout\n",
    "recurring": "Ithaca,nurse,flu\nIthaca,clerk,flu\nLansing,nurse,gout\n",
    "spaced": "Ithaca ,nurse, flu\nIthaca,clerk,flu\nLansing,nurse,gout\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", ["init", "hierarchy"])
def test_a_first_row_is_not_shown(name: str, command: str, tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "people.csv"
    path.write_text(FILES[name], encoding="utf-8")
    given = ["init", str(path)]
    if command == "hierarchy":
        given = ["hierarchy", "build", str(path), "--column", "age", "--mask", "right", "-o", "age.csv"]
    done = cli(*given)
    assert done.code == 2
    told = done.out + done.err
    assert "as if it were a row" in told and "names of the columns" in told
    for field in FILES[name].splitlines()[0].split(","):
        assert field.strip() not in told
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", ["name,sex,zip\nAnn,f,1\nsex,m,2\n", "2019,2020,town,kind,sex\n1,2,a,b,f\n", "a,b,c,d\na,1,2,3\n"]
)
def test_names_are_names(text: str, tmp_path: Path) -> None:
    """A value of another column, years among other names, or one name that happens to be a value."""
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    assert [each.name for each in sf.suggest(tmp_path / "people.csv")] == text.splitlines()[0].split(",")
