"""`sfumato serve`, before anything is served."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.support.command import Cli


def test_without_the_extra_it_says_how_to_install_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr("sfumato.cli.serve.find_spec", lambda name: None if name == "starlette" else found(name))
    outcome = cli("serve")
    assert outcome.code == 2
    assert "pip install 'sfumato[workbench]'" in outcome.err


def test_a_file_that_is_not_there_and_words_that_are_not(cli: Cli, here: Path) -> None:
    outcome = cli("serve", "nothing.csv", "--no-open")
    assert (outcome.code, outcome.err) == (2, "error: nothing.csv: no such file\n")
    outcome = cli("serve", "--language", "xx", "--no-open")
    assert outcome.code == 2 and "there are no words in 'xx'" in outcome.err


def test_a_port_that_is_taken_is_said(cli: Cli, here: Path) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        outcome = cli("serve", "--port", str(other.getsockname()[1]), "--no-open")
    assert outcome.code == 2 and "is taken; choose another with --port" in outcome.err
