"""A release in a storage: made and audited on this machine, then brought there, and let appear in one step.

What is brought is read again and compared with what was audited. The internal manifest never goes there: it is a file
in the folder in which the run was begun. See `ways` for what a storage can do in one step, and `claims` for runs that
meet.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from sfumato.errors import InputError, SfumatoError, SfumatoWarning
from sfumato.release.claims import Claim
from sfumato.release.commit import staging
from sfumato.release.pending import Pending, is_at_work, require_replaceable, settle, waits
from sfumato.release.staged import Made, Staged
from sfumato.release.target import Draft, Put, Target
from sfumato.release.ways import DOCUMENT, StorageWay, named_by, named_in, way_to
from sfumato.table.formats import FORMATS, either, endings
from sfumato.table.storages.stored import StoredFile
from sfumato.table.storages.uri import Uri

__all__ = ["StorageTarget"]

V = TypeVar("V")

_WAITS = (0.0, 0.5, 2.0, 5.0)
"""Seconds after which it is looked whether a release appeared of which nobody heard any more."""


@dataclass(frozen=True)
class StorageTarget(Target):
    """A folder of a storage.

    uri      of the folder
    kind     of the tables: csv, …; None: as the data came
    force    whether a release that is there may be replaced
    looked   files that were there when they were last found to be of a release, as sfumato wrote it
    """

    uri: Uri
    kind: str | None
    force: bool
    looked: Mapping[str, StoredFile] = field(default_factory=dict, repr=False)

    @classmethod
    def at(cls, uri: Uri, force: bool = False, kind: str | None = None) -> StorageTarget:
        """Check a place before any work is done for it: that it can be reached, and is free."""
        if Path(uri.name).suffix.lower() in endings():
            raise InputError(f"{uri}: a release in a storage is a folder, with the table in it; name one, such as out/")
        if kind is not None and kind not in FORMATS:
            raise InputError(f"the format of a release must be {either(FORMATS)}")
        made, way = cls(uri, kind, force), way_to(uri)
        if any(is_at_work(made.manifest, token) for token in way.claims()):
            raise InputError(f"{uri}: another run is at work on it; nothing was changed. Try again later")
        looked, sha256 = made._require_free(way)
        if not waits(made.manifest):  # else it is put right first, when no other run is at work
            require_replaceable(made.manifest, force, sha256)
        return replace(made, looked=looked)

    def __str__(self) -> str:
        return str(self.uri)

    @property
    def manifest(self) -> Path:
        return Path(self.uri.manifest_name)

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.manifest,)

    @property
    def folder(self) -> Path | None:
        return None

    @property
    def in_parts(self) -> bool:
        return True

    def require_room(self, tables: int) -> None:
        """It is a folder."""

    def require_other_than(self, inputs: Iterable[str | Path]) -> None:
        """No table is read by a URI; a file of this machine must not be where the manifest goes."""
        for given in map(Path, inputs):
            if given.exists() and self.manifest.exists() and given.samefile(self.manifest):
                raise InputError(f"{self.manifest} is what the release is made from; choose another name")

    def put(self, draft: Draft[V]) -> Put[V]:
        way = way_to(self.uri)
        with staging(Path(self.uri.title)) as stage:
            inside, private = stage.folder / "release", stage.folder / "private"
            place = Staged(inside, private, self.kind or draft.kind, digests=way.digests)
            made = place.made(draft, DOCUMENT, stage.folder / self.manifest.name)
            self._bring(way, made)
        files = (*(file.name for file in made.tables), DOCUMENT)
        return Put(made.verdict, made.document, made.sealed, uris=tuple(f"{self.uri}{name}" for name in files))

    def _bring(self, way: StorageWay, made: Made[V]) -> None:
        """Bring what was audited there, and the manifest to its place."""
        pending, appearing = Pending.of(made.sealed, self.manifest), False
        claim = Claim(way, self.manifest, pending.token)
        digests = {file: sha256 or "" for entry in made.document.tables for file, sha256 in entry.files}
        try:
            self._begun(way, claim, [file.name for file in made.tables])
            for file in made.tables:
                way.bring(claim.token, file, digests[file.name], claim.beat)
            claim.require_held()
            appearing = True
            way.appear(claim.token, made.public)
            way.clear(claim.token)
        except BaseException as stop:
            self._stopped(stop, way, pending, appearing)
        else:
            pending.put()

    def _begun(self, way: StorageWay, claim: Claim, brought: Iterable[str]) -> None:
        """Be the only run at work, look again whether the place is free, and say what will come and go."""
        if way.is_half_done() and not self.force:
            raise self._half_done()
        claim.begin()
        looked, sha256 = self._require_free(way, claim.beat)
        settle(self.manifest, sha256)
        require_replaceable(self.manifest, self.force, sha256)
        claim.hold({*brought, *(name for name in looked if name != DOCUMENT)})

    def _require_free(
        self, way: StorageWay, beat: Callable[[], None] = lambda: None
    ) -> tuple[Mapping[str, StoredFile], str | None]:
        """Refuse what stands there unless it may be replaced; else its files, and the SHA-256 of its document.

        Only what sfumato wrote is replaced, and only as it was written: files that were not looked at yet are read.
        """
        if way.is_half_done() and not self.force:
            raise self._half_done()
        raw = way.store.read(DOCUMENT)
        try:
            standing = None if raw is None else named_by(raw, self.uri)
        except SfumatoError:
            raise self._strange("its release.json is not as sfumato writes it") from None
        if (standing is not None or (not way.digests and way.store.is_there())) and not self.force:
            raise InputError(f"{self.uri} exists; nothing was changed. Use --force (force=True) to replace it whole")
        there = way.store.listed()
        named = {} if standing is None else standing[1]
        ours = {*named, *way.left(), *([] if standing is None else [DOCUMENT])}
        strange = [name for name in there if name not in ours]
        strange += [
            name
            for name, sha256 in named.items()
            if name in there and self.looked.get(name) != there[name] and way.store.digest(name, beat) != sha256
        ]
        if strange:
            raise self._strange(f"{len(strange)} files in it are not as sfumato wrote them and would be lost")
        release = {name: found for name, found in there.items() if name in named or name == DOCUMENT}
        return release, None if standing is None else standing[0]

    def _strange(self, why: str) -> InputError:
        return InputError(
            f"{self.uri} is not just a release: {why}; nothing was changed. Move them away, or choose another name"
        )

    def _half_done(self) -> InputError:
        return InputError(
            f"{self.uri}: a run was killed while it put a release in place there; nothing was changed. Use --force"
            " (force=True): what that run did is undone, and this release takes its place"
        )

    def _stopped(self, stop: BaseException, way: StorageWay, pending: Pending, appearing: bool) -> None:
        """Raise what stopped the run, unless the release had appeared and only nobody heard of it."""
        there = self._appeared(way, pending.release_sha256) if appearing else False
        if there is None:
            pending.leave()
            raise InputError(
                f"{self.uri}: the connection was lost while the release was put in place, and whether it stands there"
                f" is not known: audit it. Its manifest waits in {pending.path}"
            ) from None
        cleared = False
        with suppress(SfumatoError):
            way.clear(pending.token)
            cleared = True
        if there:
            pending.put()
        else:  # what waits here tells the next run that this one is over
            (pending.remove if cleared else pending.leave)()
        if isinstance(stop, KeyboardInterrupt):
            raise KeyboardInterrupt(f"{self.uri} was written" if there else "nothing was written") from None
        if not there or not isinstance(stop, SfumatoError):
            raise stop
        if not cleared:
            warnings.warn(
                f"{self.uri} was written, but the connection was lost then: what it replaced, or notes of this run, may"
                " still lie there; the next run with --force removes them",
                SfumatoWarning,
                stacklevel=2,
            )

    def _appeared(self, way: StorageWay, sha256: str) -> bool | None:
        """Whether the release stands there after nobody answered; None: nobody answers."""
        for wait in _WAITS:
            time.sleep(wait)
            with suppress(SfumatoError):
                standing = named_in(way.store)
                return standing is not None and standing[0] == sha256
        return None
