"""Publishing to a storage that ends in the middle: what stood there still does, or the new release; never a mix.

The process is killed, the wire is cut or the user interrupts, at every step that a publication has.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.release.pending import Pending
from sfumato.table.storages.stored import StoredFolder
from tests.support.command import KEY
from tests.support.examples import some
from tests.support.storages import (
    OTHER,
    POLICY,
    BucketStorage,
    FolderStorage,
    StoragePlace,
    bucket_on,
    left_here,
    people_file,
)
from tests.support.wires import wire

CHANGES = ("write", "bring", "remove", "make_folder", "remove_folder", "move")
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")


def steps(meet: Callable[[str, int], None], patch: pytest.MonkeyPatch) -> list[str]:
    """Call `meet` before every step that changes something, with its name and number; the list has their names."""
    met: list[str] = []

    def watched(kind: type, name: str, said: Callable[[tuple[Any, ...]], str]) -> None:
        done = getattr(kind, name)

        def meeting(self: Any, *given: Any) -> Any:
            met.append(said(given))
            meet(met[-1], len(met))
            return done(self, *given)

        patch.setattr(kind, name, meeting)

    for change in CHANGES:
        watched(StoredFolder, change, lambda given, change=change: _said(change, given))  # type: ignore[misc]
    watched(Pending, "put", lambda _: "manifest")
    return met


def _said(change: str, given: tuple[Any, ...]) -> str:
    goal = "document" if given[0] == "release.json" else "claim" if "sfumato" in str(given[0]) else "file"
    return f"{change} {goal}" if change in ("write", "remove") else change


def killed(target: str, at: int, policy: dict[str, Any], force: bool, told: dict[str, str]) -> None:
    """In a process of its own: publish, and die before a step."""
    os.environ |= {**told, "SFUMATO_KEY": KEY}
    release = sf.publish("people.csv", policy=policy)
    with pytest.MonkeyPatch.context() as patch:
        steps(lambda _, step: os.kill(os.getpid(), signal.SIGKILL) if step == at else None, patch)
        release.write(target, force=force)


def die(target: str, at: int, policy: dict[str, Any] = OTHER, force: bool = True) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sfumato.engine.run", "sfumato.release.storage_target", __name__])
    told = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    process = context.Process(target=killed, args=(target, at, policy, force, told))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL


def stands(storage: StoragePlace) -> str:
    """Which release a reader finds who begins with the document; whole: its files are those that this describes."""
    files = storage.files()
    if "release.json" not in files:
        return "none"
    name, policy = ("old", POLICY) if len(json.loads(files["release.json"])["promise"]) == 2 else ("new", OTHER)
    audit = sf.audit(storage.uri, policy)
    assert all("does not name" in problem for problem in audit.problems), audit.problems
    assert all(criterion.holds for criterion in audit.criteria)
    return name


def in_order(storage: StoragePlace) -> None:
    """The next run puts everything right, and leaves nothing about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = sf.publish("people.csv", policy=POLICY).write(storage.uri, force=True)
    assert sf.audit(storage.uri, POLICY, written.manifest).holds, "it has its own manifest, and nothing lies beside it"
    assert stands(storage) == "old"
    assert len(storage.files()) == 2, [*storage.files()]
    assert left_here() == []


@pytest.fixture
def standing(storage: StoragePlace) -> StoragePlace:
    sf.publish(people_file(), policy=POLICY).write(storage.uri)
    return storage


def names_of_steps(storage: StoragePlace, policy: dict[str, Any] = OTHER) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        met = steps(lambda name, step: None, patch)
        sf.publish("people.csv", policy=policy).write(storage.uri, force=True)
    return met


def outcomes(storage: StoragePlace, names: list[str]) -> list[str]:
    """What has to stand there after a kill before each step, from what makes a release appear."""
    if storage.kind == "s3":
        last = names.index("write document")
        return ["old" if at <= last else "new" for at in range(len(names))]
    aside, appears = (at for at, name in enumerate(names) if name == "move")
    return ["old" if at <= aside else "none" if at <= appears else "new" for at in range(len(names))]


@POSIX
def test_a_process_that_is_killed_leaves_the_old_release_or_the_new_one(standing: StoragePlace) -> None:
    names = names_of_steps(standing)
    in_order(standing)
    wanted = outcomes(standing, names)
    assert {"old", "new"} <= {*wanted}
    assert names[-1] == "manifest"
    for at, outcome in some(enumerate(wanted, 1), kind=lambda case: case[1]):
        die(standing.uri, at)
        assert stands(standing) == outcome, (at, names[at - 1])
        in_order(standing)


@pytest.mark.thorough
@POSIX
def test_a_first_publication_that_is_killed_leaves_nothing_that_is_a_release(storage: StoragePlace) -> None:
    people_file()
    with pytest.MonkeyPatch.context() as patch:
        names = steps(lambda name, step: None, patch)
        sf.publish("people.csv", policy=POLICY).write(storage.uri).manifest.unlink()
    appears = names.index("write document" if storage.kind == "s3" else "move")
    for at in some(range(2, appears + 2), kind=lambda at: at <= appears):
        other = _like(storage, at)
        die(other.uri, at, POLICY, force=False)
        assert stands(other) == "none"
        written = sf.publish("people.csv", policy=POLICY).write(other.uri)  # nothing is replaced: without force
        assert sf.audit(other.uri, POLICY, written.manifest).problems == ()
        assert len(other.files()) == 2
        written.manifest.unlink()
        assert left_here() == []


def _like(storage: StoragePlace, number: int) -> StoragePlace:
    """Another empty one."""
    if isinstance(storage, BucketStorage):
        made = BucketStorage(storage.port, f"{storage.bucket}-{number}")
        made.client.create_dir(made.bucket)
        return made
    return type(storage)(storage.folder.with_name(f"there-{number}"))


@POSIX
def test_a_run_that_may_not_replace_does_not_undo(here: Path) -> None:
    """Between two renames nothing stands there; who has no leave to replace changes nothing."""
    storage = FolderStorage(here / "there")
    sf.publish(people_file(), policy=POLICY).write(storage.uri)
    names = names_of_steps(storage)
    in_order(storage)
    die(storage.uri, outcomes(storage, names).index("none") + 1)
    before = storage.files()
    with pytest.raises(InputError, match="a run was killed while it put a release in place"):
        sf.publish("people.csv", policy=POLICY).write(storage.uri)
    assert storage.files() == before
    with pytest.warns(sf.SfumatoWarning, match="was undone"):
        sf.publish("people.csv", policy=POLICY).write(storage.uri, force=True)
    in_order(storage)


def raising(error: type[BaseException], at: int) -> Callable[[str, int], None]:
    def meet(name: str, step: int) -> None:
        if step == at:
            raise error

    return meet


@pytest.mark.thorough
def test_what_fails_or_is_interrupted_says_what_was_written(standing: StoragePlace) -> None:
    names = names_of_steps(standing)
    in_order(standing)
    release = sf.publish("people.csv", policy=OTHER)
    cases = [*enumerate(outcomes(standing, names)[:-1], 1)]
    for at, outcome in some(cases, kind=lambda case: (case[1], names[case[0] - 1] == "bring")):
        said = "was written" if outcome == "new" else "nothing was written"
        with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            steps(raising(KeyboardInterrupt, at), patch)
            with pytest.raises(KeyboardInterrupt, match=said):
                release.write(standing.uri, force=True)
        assert stands(standing) == ("new" if outcome == "new" else "old"), (at, names[at - 1])
        assert left_here() == []
        in_order(standing)


@pytest.mark.thorough
def test_two_runs_at_once_do_not_mix(standing: StoragePlace) -> None:
    release, second = sf.publish("people.csv", policy=OTHER), sf.publish("people.csv", policy=POLICY)
    target = sf.Target.of(standing.uri, force=True)
    told: list[str] = []

    def meanwhile(name: str, step: int) -> None:
        if name == "bring" and not told:
            for place in (target, standing.uri):
                with pytest.raises(InputError, match="another run is at work") as raised:
                    second.write(place, force=True)
                told.append(str(raised.value))

    with pytest.MonkeyPatch.context() as patch:
        steps(meanwhile, patch)
        assert release.write(standing.uri, force=True).audit.holds
    assert len(told) == 2
    assert stands(standing) == "new"
    in_order(standing)


@pytest.mark.thorough
def test_a_run_that_was_killed_elsewhere_is_waited_for(standing: StoragePlace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing on this machine tells whether it lives: after a while of silence it is taken for dead."""
    names = names_of_steps(standing)
    in_order(standing)
    die(standing.uri, names.index("bring") + 2)
    for waiting in Path().glob(".*.internal.json.*"):
        waiting.unlink()
    release = sf.publish("people.csv", policy=POLICY)
    with pytest.raises(InputError, match="or was killed elsewhere less than 15 minutes ago"):
        release.write(standing.uri, force=True)
    assert stands(standing) == "old"
    monkeypatch.setattr("sfumato.release.claims.SILENCE", -1.0)
    monkeypatch.setattr("sfumato.release.claims.Claim.require_held", lambda self: None)
    in_order(standing)


def test_a_run_that_others_took_for_dead_gives_up(standing: StoragePlace) -> None:
    def removed(name: str, step: int) -> None:
        if name == "bring":
            claims = [each for each in standing.files() if "sfumato" in each and each.endswith(".json")]
            for claim in claims:
                _remove(standing, claim)

    release = sf.publish("people.csv", policy=OTHER)
    with pytest.MonkeyPatch.context() as patch:
        steps(removed, patch)
        with pytest.raises(InputError, match="another one may be at work; nothing was published"):
            release.write(standing.uri, force=True)
    assert stands(standing) == "old"


def _remove(storage: StoragePlace, name: str) -> None:
    if isinstance(storage, BucketStorage):
        storage.client.delete_file(f"{storage.bucket}/open/shown/{name}")
    else:
        (storage.folder / "open" / name.removeprefix("../")).unlink()


@pytest.fixture
def bucket(s3_port: int, here: Path, monkeypatch: pytest.MonkeyPatch) -> BucketStorage:
    made = bucket_on(s3_port, f"wire-{os.urandom(4).hex()}", monkeypatch)
    sf.publish(people_file(), policy=POLICY).write(made.uri)
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("first", ["table", "release.json"])
def test_a_wire_that_is_cut_and_stays_cut(bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch, first: str) -> None:
    monkeypatch.setattr("sfumato.release.storage_target._WAITS", (0.0,))
    begins, gone = f"PUT /{bucket.bucket}/open/shown/{first}".encode(), [False]

    def cut(data: bytes) -> str:
        gone[0] = gone[0] or data.startswith(begins)
        return "before" if gone[0] else ""

    release = sf.publish("people.csv", policy=OTHER)
    with wire(bucket.port, cut) as port, pytest.raises(InputError) as raised:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        release.write(bucket.uri, force=True)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{bucket.port}")
    assert gone[0]
    assert "NETWORK_CONNECTION" in str(raised.value) or "not known: audit it" in str(raised.value)
    assert stands(bucket) == "old"
    in_order(bucket)


class Sent:
    """Finds, in what a client sends, the end of a request that begins so."""

    def __init__(self, begins: str) -> None:
        self.begins, self.left, self.found = begins.encode(), 0, 0

    def ends(self, data: bytes) -> bool:
        if data.startswith(self.begins):
            head, _, body = data.partition(b"\r\n\r\n")
            length = re.search(rb"content-length: *(\d+)", head.lower())
            assert length is not None
            self.left, data = int(length[1]), body
        elif not self.left:
            return False
        self.left = max(self.left - len(data), 0)
        self.found += not self.left
        return not self.left


def test_a_wire_that_is_cut_when_all_was_to_appear(bucket: BucketStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody hears whether it did: it is asked for, and the manifest follows the answer."""
    sent = Sent(f"PUT /{bucket.bucket}/open/shown/release.json")
    release = sf.publish("people.csv", policy=OTHER)
    with wire(bucket.port, lambda data: "after" if sent.ends(data) else "") as port:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        written = release.write(bucket.uri, force=True)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{bucket.port}")
    assert sent.found
    assert stands(bucket) == "new"
    assert sf.audit(bucket.uri, OTHER, written.manifest).holds
    in_order(bucket)
