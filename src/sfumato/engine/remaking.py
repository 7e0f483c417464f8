"""What the algorithm of a release would have made of another table: handed to adversaries who know it."""

from __future__ import annotations

import warnings

import polars as pl

from sfumato.adversaries.contract import Remake
from sfumato.engine.job import would_be
from sfumato.errors import Cancelled, SfumatoError
from sfumato.release.received import Received, receive
from sfumato.release.subject import Subject
from sfumato.table.read import read

__all__ = ["remaker"]


def remaker(subject: Subject) -> Remake | None:
    """The algorithm that its policy names; None if there is no original table, and so nobody who could be in it."""
    if subject.original is None:
        return None
    policy = subject.original.policy.given

    def remake(frame: pl.DataFrame, seed: int) -> Received | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                release = would_be(read(frame, policy), seed)
        except Cancelled:
            raise
        except SfumatoError:  # of such a table nothing would have been released
            return None
        shown, kept = release.held
        return receive(shown, release.source.policy, kept)

    return remake
