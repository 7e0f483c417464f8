"""Which run is at work on a release in a storage: it says so in a small file there, its claim.

Storages have no locks. So a run writes its claim first, and then looks for others: of two that begin at once, one at
least sees the other, because these storages list whatever was written before, and who sees another gives up. A claim
of a run that was killed must not stay for ever. It is over if the run was one of this folder and this user and lives
no more (the manifest that waits here is held by nobody); otherwise, if nothing was heard of it for a while by the clock
of the storage. A run that was not heard of for so long, for whatever reason, gives up by itself.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from sfumato.errors import InputError
from sfumato.release.pending import is_at_work
from sfumato.release.ways import StorageWay

__all__ = ["SILENCE", "Claim"]

SILENCE = 15 * 60.0
"""Seconds after which nobody waits for a run any more that is not heard of."""

_BEAT = 60.0


class Claim:
    """What one run says while it is at work.

    way       to the release
    manifest  the place of its manifest on this machine
    token     what tells the run from others
    """

    def __init__(self, way: StorageWay, manifest: Path, token: str) -> None:
        self.way, self.manifest, self.token = way, manifest, token
        self._files: Sequence[str] = ()
        self._said = 0.0

    def begin(self) -> None:
        """Be the only run at work: `InputError` if another one is. What killed runs left is cleared away."""
        self.way.begin(self.token)
        self.hold(())
        claims = self.way.claims()
        mine = claims.get(self.token)
        others = [token for token in claims if token != self.token]
        for token in others:
            alive = is_at_work(self.manifest, token)
            if alive is None:
                alive = mine is None or mine.written - claims[token].written < SILENCE
            if alive:
                raise InputError(
                    f"{self.way.store.uri}: another run is at work on it, or was killed elsewhere less than"
                    f" {SILENCE / 60:.0f} minutes ago; nothing was changed. Try again later"
                )
        for token in others:
            self.way.clear(token)

    def hold(self, files: Iterable[str]) -> None:
        """Say that these files are brought, or will be removed."""
        self._files = sorted(files)
        self._say()

    def _say(self) -> None:
        self.way.store.write(self.way.claim(self.token), json.dumps({"files": self._files}).encode())
        self._said = time.monotonic()

    def beat(self) -> None:
        """Be heard of, from time to time."""
        if time.monotonic() - self._said > _BEAT:
            self.require_held()
            self._say()

    def require_held(self) -> None:
        """`InputError` if others may have taken this run for dead."""
        silent = time.monotonic() - self._said
        if silent > SILENCE / 2 or not self.way.store.is_there(self.way.claim(self.token)):
            raise InputError(
                f"{self.way.store.uri}: this run stood still for too long, and another one may be at work; nothing was"
                " published. Run again"
            )
