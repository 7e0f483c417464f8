"""Publishing again: a release about people of whom something was published before.

Each release keeps its promise; together they may not. So what is to be published is laid beside what was, as an
adversary would do it, and nothing is published where that tells more of somebody than the promise allows, which no
release alone does. What cannot be measured is refused too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sfumato.adversaries.composed import Composed
from sfumato.adversaries.looks import look
from sfumato.adversaries.rests import Rests
from sfumato.engine.believing import Judges
from sfumato.engine.release import Release
from sfumato.errors import InputError, Refused
from sfumato.models.contract import Facts
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress
from sfumato.release.beside import OtherRelease, beside, received_of, unknown_of
from sfumato.release.document_bytes import read_manifest
from sfumato.release.documents import EarlierEntry
from sfumato.release.received import Received
from sfumato.release.subject import Lacking, Subject
from sfumato.table.databases import Address, address_of, database_of
from sfumato.table.formats import endings
from sfumato.table.formats.source import name_of
from sfumato.table.storages import Uri, uri_of
from sfumato.table.table import Table
from sfumato.table.words import counted

__all__ = ["Earlier"]

_SEALED = ".internal.json"


@dataclass(frozen=True, eq=False)
class Earlier:
    """Releases that were published before, opened, by what they are called in messages."""

    releases: Mapping[str, Received]

    @classmethod
    def of(cls, given: Iterable[OtherRelease], policy: PolicyLike) -> Earlier | None:
        """Open them; None if there are none. An internal manifest stands for the release that it lies beside."""
        made = cls({_called(each, place): _opened(each, policy) for place, each in enumerate(given, 1)})
        made._require_complete()
        return made if made.releases else None

    def _require_complete(self) -> None:
        """All that a manifest says was published before its release must be here."""
        here = {received.evidence.document_sha256 for received in self.releases.values()}
        for name, received in self.releases.items():
            if received.evidence.document_sha256 is None:
                raise InputError(f"{name}: has no release.json; give the release as it was published, folder or file")
            manifest = received.evidence.manifest
            absent = [each for each in (manifest.before if manifest else ()) if each.release_sha256 not in here]
            if absent:
                raise Refused(
                    f"{name}: its manifest names {counted(len(absent), 'release')} published before it that you did not"
                    " give; give all that was published about these people (before, --before)"
                )

    def checked(self, release: Release, progress: Progress) -> tuple[tuple[str, ...], tuple[EarlierEntry, ...]]:
        """What to note of them, and what the manifest says; `Refused` if the release would expose anybody with them."""
        subject, table = Subject.of(release), release.source
        progress("compare", 0, len(self.releases))
        same = {name for name, received in self.releases.items() if look(received) == look(subject.received)}
        others = {
            name: self._beside(name, received, subject, table)
            for name, received in self.releases.items()
            if name not in same
        }
        people = self._people(subject, others, dict.fromkeys(same, table.rows))
        progress("compare", len(self.releases), len(self.releases))
        entries = tuple(
            EarlierEntry(
                release_sha256=str(received.evidence.document_sha256),
                input_sha256=_input(received),
                people=people[name],
            )
            for name, received in self.releases.items()
        )
        return tuple(
            _noted(name, each, table, name in same, people[name]) for name, each in self.releases.items()
        ), entries

    def _beside(self, name: str, received: Received, subject: Subject, table: Table) -> Subject:
        """One of them by the people of this table; refused where what both tell could not be measured."""
        shown = {column for frame in (*received.seen.people, received.seen.table) for column in frame.columns}
        unknown = [*unknown_of(received, table)]
        if unknown:
            raise _unmeasured(
                name, f"its quasi-identifier {unknown[0]!r} is no column of this table, or has no role in it"
            )
        told = [each for each in subject.sensitive if each in shown and each not in received.policy.sensitive]
        if told:
            raise _unmeasured(name, f"column {told[0]!r} is sensitive here, and was published there in another role")
        here = {column for frame in (*subject.people, subject.seen.table) for column in frame.columns}
        told = [each for each in received.policy.sensitive if each in shown & here and each not in subject.sensitive]
        if told:
            raise _unmeasured(name, f"column {told[0]!r} was sensitive there, and is published here in another role")
        terms = [each for each in subject.policy.sets if each in shown]
        if terms:
            raise _unmeasured(
                name, f"column {terms[0]!r} holds terms, and what several sets of them tell is not measured"
            )
        try:
            return beside(received, table)
        except Lacking as lacks:
            raise _unmeasured(name, f"it lacks {lacks}") from None

    def _people(self, subject: Subject, others: Mapping[str, Subject], found: dict[str, int]) -> dict[str, int]:
        """How many people may be in each, once nobody is exposed."""
        promises = (subject.policy.promise, *(each.policy.promise for each in self.releases.values()))
        judges = Judges.of(dict.fromkeys(promises), Facts.of(subject.tuples))
        told: list[str] = []
        people = dict.fromkeys(others, 0) | found
        for secret in subject.sensitive:
            concerned = {name: other for name, other in others.items() if secret in other.sensitive}
            if concerned:
                composed = _composed(subject, concerned, secret)
                met = [int(composed.counts[each].sum()) for each in composed.telling[1:]]
                people |= {name: max(people[name], many) for name, many in zip(concerned, met, strict=True)}
                told += _told(subject, composed, concerned.values(), judges) if any(met) else ()
        if told:
            raise Refused(
                f"beside what was published before ({', '.join(others)}) this release would tell more than is promised:"
                f" nothing is published\n  " + "\n  ".join(told) + "\n  publish the same release again, promise more of"
                " every class, or wait until more people are new"
            )
        return people


def _told(subject: Subject, composed: Composed, others: Iterable[Subject], judges: Judges) -> Iterator[str]:
    """Who would be exposed, in words."""
    secret = composed.secret
    judges.require_measurable(secret)
    exposed = int(composed.true_within(composed.together)[judges.exposed(composed)].sum())
    if exposed:
        yield (
            f"column {secret!r}: people of whom all releases together leave fewer values, or surer ones, than a promise"
            f" allows, and no release alone does: {exposed}"
        )
    new = sum(judges.broken(rests, secret) for other in others if (rests := _rests(subject, other, secret)) is not None)
    if new:
        yield f"column {secret!r}: people who stand out when earlier classes are taken out of theirs: {new}"


def _composed(subject: Subject, others: Mapping[str, Subject], secret: str) -> Composed:
    try:
        return Composed.of([subject, *others.values()], secret)
    except Lacking as lacks:
        raise _unmeasured(", ".join(others), f"it lacks {lacks}") from None


def _rests(subject: Subject, other: Subject, secret: str) -> Rests | None:
    """What is left of classes without those of another release; None where values are not exact: nothing can be taken
    out then."""
    try:
        return Rests.of(subject, other, secret)
    except Lacking:
        return None


def _noted(name: str, received: Received, table: Table, same: bool, people: int) -> str:
    of_it = " (made from the same table)" if _input(received) == table.digest else ""
    if same:
        return f"{name}{of_it}: this release looks the same, and adds nothing to it"
    if not people:
        return f"{name}{of_it}: nobody of this table fits a row of it"
    return f"{name}{of_it}: {counted(people, 'row')} of this table may be in it; beside it nobody is exposed"


def _input(received: Received) -> str | None:
    manifest = received.evidence.manifest
    return None if manifest is None else manifest.input.sha256


def _unmeasured(name: str, reason: str) -> Refused:
    return Refused(
        f"{name}: what it tells together with this release cannot be measured: {reason}; nothing is published"
    )


def _called(given: OtherRelease, place: int) -> str:
    named = given[0] if isinstance(given, tuple) and given else given
    return name_of(named) if isinstance(named, (str, Path, Address)) else f"earlier release {place}"


def _opened(given: OtherRelease, policy: PolicyLike) -> Received:
    """One of them, with the manifest that lies beside it, if it is its own."""
    if isinstance(given, (str, Path, Address)):
        given = (given, policy)
    if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[0], (str, Path, Address)):
        return received_of(given, policy)
    uri = uri_of(given[0])
    if uri is not None:
        return _with_manifest(uri, Path(uri.manifest_name), given[1], policy)
    address = address_of(given[0])
    if address is not None:
        return _with_manifest(address, database_of(address).manifest(address), given[1], policy)
    path = Path(str(given[0]))
    if path.name.endswith(_SEALED):
        release, manifest = _described_by(path), path
    else:
        stem = path.with_suffix("") if path.suffix.lower() in endings() else path
        release, manifest = path, stem.with_name(stem.name + _SEALED)
    received = _with_manifest(release, manifest, given[1], policy)
    if manifest == path and received.evidence.manifest is None:
        raise InputError(f"{manifest}: is the manifest of another release than the one beside it")
    return received


def _with_manifest(release: Path | Address | Uri, manifest: Path, its: PolicyLike, policy: PolicyLike) -> Received:
    """A release with this manifest, if there is such a file and it is its own."""
    found = received_of((release, its), policy)
    if not manifest.is_file() or read_manifest(manifest).release_sha256 != found.evidence.document_sha256:
        return found
    return received_of((release, its, manifest), policy)


def _described_by(manifest: Path) -> Path:
    """The release beside an internal manifest."""
    stem = manifest.with_name(manifest.name.removesuffix(_SEALED))
    for place in (stem, *(stem.with_name(stem.name + suffix) for suffix in endings())):
        if place.exists():
            return place
    raise InputError(f"{manifest}: there is no release beside it; give the release itself")
