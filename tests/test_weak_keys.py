"""A key that repeats a few characters is no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

import sfumato as sf
from sfumato.randomness import Key

WEAK = [" " * 20, "k" * 32, "ab" * 16, "a b c d e " * 4, "\t" * 20]


@pytest.mark.parametrize("key", WEAK)
def test_a_uniform_key_is_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_KEY", key)
    with pytest.raises(sf.InputError, match="fewer than 6 different characters") as error:
        Key.load()
    assert "secrets.token_hex(32)" in str(error.value) and key not in str(error.value)


@pytest.mark.parametrize("key", WEAK[1:4])
def test_so_is_one_in_the_key_file(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_KEY", raising=False)
    monkeypatch.setattr("sfumato.randomness._config_folder", lambda: tmp_path)
    (tmp_path / "key").write_text(key, encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    with pytest.raises(sf.InputError, match="key file is no secret") as error:
        Key.load()
    assert key not in str(error.value)


def test_a_key_that_is_made_is_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SFUMATO_KEY", raising=False)
    monkeypatch.setattr("sfumato.randomness._config_folder", lambda: tmp_path)
    assert Key.load() == Key.load()
    monkeypatch.setenv("SFUMATO_KEY", "0918273645546372")
    Key.load()
