"""A policy that was made before, alone or packed with the files that it names, as the workbench hands it out."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from sfumato.errors import InputError
from sfumato.workbench.draft import PolicyDraft
from sfumato.workbench.folder import PrivateFolder
from sfumato.workbench.jobs.publish import named_files

__all__ = ["PACKED", "reopened"]

PACKED = ".zip"
_POLICY = "policy.yaml"
_OURS = re.compile(r"[a-z]+-[0-9a-f]{8}(?:\.[a-z]{2,8}){1,2}")
"""Names that the workbench gives to files of hierarchies and knowledge."""
_FILES, _BYTES = 200, 50 * 2**20
"""Of all that is packed together."""


def reopened(given: Path, folder: PrivateFolder, names: Sequence[str]) -> PolicyDraft:
    """The draft of a policy for a table with these columns; an error says what is wrong with it.

    Files that are packed with it are kept in the private folder, if the policy names them and their names are of ours.
    """
    import sfumato as sf

    if given.suffix != PACKED:
        return PolicyDraft.reopened(sf.read_policy(given), names)
    place = folder.new("policy")
    place.mkdir(mode=0o700)
    try:
        _unpack(given, place)
        draft = PolicyDraft.reopened(sf.read_policy(place / _POLICY), names)
        for name in named_files(draft.document):
            if not (folder.path / name).exists():
                shutil.move(place / name, folder.path / name)
        return draft
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _unpack(given: Path, place: Path) -> None:
    """The policy and files of ours; anything else that is packed is left where it is."""
    try:
        with zipfile.ZipFile(given) as archive:
            members = archive.infolist()
            if len(members) > _FILES or sum(member.file_size for member in members) > _BYTES:
                raise InputError("more is packed than a policy and its files")
            wanted = [member for member in members if member.filename == _POLICY or _OURS.fullmatch(member.filename)]
            for member in wanted:
                with (place / PurePosixPath(member.filename).name).open("xb") as file:
                    file.write(archive.read(member)[:_BYTES])
    except zipfile.BadZipFile:
        raise InputError("this is no zip file") from None
    if not (place / _POLICY).exists():
        raise InputError(f"there is no {_POLICY} in it")
