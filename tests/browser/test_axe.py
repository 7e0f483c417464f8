"""axe comes by its digest, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.axe import VERSION, AxeMissing, axe_source

FILE = f"axe-core-{VERSION}.tgz"


def test_it_is_fetched_once(axe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was fetched is kept, and needs no registry any more."""
    monkeypatch.setenv("npm_config_registry", "file:///nowhere")
    assert axe_source() == axe and f"axe v{VERSION}" in axe


def test_another_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", tmp_path.as_uri())
    with pytest.raises(AxeMissing, match="could not be downloaded"):
        axe_source(tmp_path / "cache")
    served = tmp_path / "axe-core" / "-" / FILE
    served.parent.mkdir(parents=True)
    served.write_bytes(b"something else")
    with pytest.raises(AxeMissing, match="another SHA-256"):
        axe_source(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_without_npm_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("npm_config_registry", raising=False)
    monkeypatch.delenv("NPM_CONFIG_REGISTRY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AxeMissing, match=r"install npm, or set \$npm_config_registry"):
        axe_source(tmp_path / "cache")
