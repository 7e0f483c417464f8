"""The key: made once, whole, and nothing else is left beside it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from sfumato import randomness
from sfumato.errors import InputError
from sfumato.randomness import Key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SFUMATO_KEY", raising=False)
    monkeypatch.setattr(randomness, "_config_folder", lambda: tmp_path / "sfumato")
    return tmp_path / "sfumato"


def test_a_key_is_made_once(folder: Path) -> None:
    assert Key.load() == Key.load()
    assert [path.name for path in folder.iterdir()] == ["key"]


@pytest.mark.parametrize("call", ["fsync", "link"])
def test_a_full_disk_leaves_no_draft_of_a_key(folder: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(InputError, match=r"No space left on device.*set SFUMATO_KEY"):
        Key.load()
    assert list(folder.iterdir()) == []


def test_an_interrupt_leaves_no_draft_of_a_key(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        Key.load()
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the environment is text")
def test_a_key_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SFUMATO_KEY", os.fsdecode(b"\xff" * 20))
    with pytest.raises(InputError, match="SFUMATO_KEY is not UTF-8"):
        Key.load()
