"""Publishing to a database that ends in the middle: what stood there still does, or the new release; never a mix.

The process is killed, the server ends the connection, or the connection is cut, at every step that a writing has.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.release.pending import Pending
from sfumato.table.databases.postgresql import _SETTINGS
from sfumato.table.databases.session import Session
from tests.support.command import KEY
from tests.support.databases import MOSTLY_SQLITE, POLICY, Place, PostgresPlace, fill
from tests.support.examples import some
from tests.support.postgres import Server
from tests.support.wires import wire

OTHER: dict[str, Any] = {**POLICY, "privacy": [{"model": "k-anonymity", "k": 8}]}


def steps(meet: Callable[[str, int], None], patch: pytest.MonkeyPatch) -> list[str]:
    """Call `meet` before every step of a writing, with its name and number; the list has their names."""
    met: list[str] = []
    run, insert, put = Session.run, Session.insert, Pending.put

    def before(what: str) -> None:
        met.append(what)
        meet(what, len(met))

    def running(self: Session, sql: str) -> None:
        if not sql.startswith(("SET", "PRAGMA")):
            before(sql.partition(" ")[0])
        run(self, sql)

    def inserting(self: Session, table: Any, rows: Any) -> None:
        before("INSERT")
        insert(self, table, rows)

    def putting(self: Pending) -> None:
        before("manifest")
        put(self)

    patch.setattr(Session, "run", running)
    patch.setattr(Session, "insert", inserting)
    patch.setattr(Pending, "put", putting)
    return met


def killed(source: str, target: str, at: int) -> None:
    """In a process of its own: publish, and die before a step."""
    os.environ["SFUMATO_KEY"] = KEY
    release = sf.publish(source, policy=OTHER)
    with pytest.MonkeyPatch.context() as patch:
        steps(lambda _, step: os.kill(os.getpid(), signal.SIGKILL) if step == at else None, patch)
        release.write(target, force=True)


def stands(database: Place) -> str:
    """Which release stands there, by its document; whole: its cells are those that this describes."""
    text = database.rows("SELECT document FROM shown_release")[0][0]
    promise = json.loads(text)["promise"]
    name, policy = ("old", POLICY) if len(promise) == 2 else ("new", OTHER)
    audit = sf.audit(database.address("shown"), policy)
    assert audit.holds, audit.problems
    return name


def in_order(database: Place, name: str) -> None:
    """The next run puts everything right, and leaves nothing about."""
    policy = {"old": POLICY, "new": OTHER}[name]
    target = sf.Target.of(database.address("shown"), force=True)
    assert sf.audit(database.address("shown"), policy, target.manifest).holds, "it has its own manifest again"
    assert sf.publish(database.address("people"), policy=POLICY).write(target).audit.holds
    assert stands(database) == "old"
    assert not list(Path().glob(".*"))


@pytest.fixture
def standing(database: Place) -> Place:
    sf.publish(fill(database), policy=POLICY).write(database.address("shown"))
    return database


QUICK = {"DELETE": "old", "INSERT": "old", "COMMIT": "old", "manifest": "new"}


def names_of_steps(standing: Place) -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        met = steps(lambda name, step: None, patch)
        release = sf.publish(standing.address("people"), policy=POLICY)
        met.clear()
        release.write(standing.address("shown"), force=True)
    return met


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize(
    ("database", "before"), [("sqlite", "COMMIT"), ("postgresql", "manifest")], indirect=["database"]
)
def test_a_process_that_is_killed_leaves_the_old_release_or_the_new_one(standing: Place, before: str) -> None:
    names = names_of_steps(standing)
    die(standing, len(names) - names[::-1].index(before))
    assert stands(standing) == QUICK[before]
    in_order(standing, QUICK[before])


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
def test_a_process_that_is_killed_at_any_step(standing: Place) -> None:
    names = names_of_steps(standing)
    assert {*QUICK, "BEGIN"} <= {*names}
    for at, before in enumerate(names, 1):
        die(standing, at)
        assert stands(standing) == ("new" if before == "manifest" else "old"), (at, before)
        in_order(standing, stands(standing))


def die(standing: Place, at: int) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sfumato.engine.run", "sfumato.release.database_target"])
    process = context.Process(target=killed, args=(standing.address("people"), standing.address("shown"), at))
    process.start()
    process.join(120)
    assert process.exitcode == -signal.SIGKILL


def raising(error: type[BaseException], before: str) -> Callable[[str, int], None]:
    """Raise before a step of that name."""

    def meet(name: str, step: int) -> None:
        if name == before:
            raise error

    return meet


@MOSTLY_SQLITE
def test_a_first_publication_that_fails_leaves_nothing(database: Place) -> None:
    release = sf.publish(fill(database), policy=POLICY)
    before = sorted(path.name for path in Path().iterdir())
    for failing in ("CREATE", "INSERT", "COMMIT"):
        with pytest.MonkeyPatch.context() as patch:
            steps(raising(ZeroDivisionError, failing), patch)
            with pytest.raises(ZeroDivisionError):
                release.write(database.address("shown"))
        with pytest.raises(sf.TableError, match="no table"):
            sf.audit(database.address("shown"), POLICY)
        assert sorted(path.name for path in Path().iterdir()) == before


@MOSTLY_SQLITE
def test_an_interrupt_says_what_was_written(standing: Place) -> None:
    release = sf.publish(standing.address("people"), policy=OTHER)
    for before in ("INSERT", "COMMIT"):
        with pytest.MonkeyPatch.context() as patch:
            steps(raising(KeyboardInterrupt, before), patch)
            with pytest.raises(KeyboardInterrupt, match="nothing was written"):
                release.write(standing.address("shown"), force=True)
        assert stands(standing) == "old"
    with pytest.MonkeyPatch.context() as patch:
        commit = Session.commit

        def heard(self: Session) -> None:
            commit(self)
            raise KeyboardInterrupt

        patch.setattr(Session, "commit", heard)
        with pytest.raises(KeyboardInterrupt, match="shown was written"):
            release.write(standing.address("shown"), force=True)
    assert stands(standing) == "new"
    in_order(standing, "new")


@pytest.fixture
def served(postgres: Server, here: Path) -> PostgresPlace:
    place = PostgresPlace(postgres, f"s{os.urandom(4).hex()}")
    place.run(f"CREATE SCHEMA {place.schema}")
    sf.publish(fill(place), policy=POLICY).write(place.address("shown"))
    return place


def test_a_server_that_ends_the_connection_at_any_step(served: PostgresPlace) -> None:
    release = sf.publish(served.address("people"), policy=OTHER)
    mine = "backend_type = 'client backend' AND pid <> pg_backend_pid()"
    names = names_of_steps(served)
    cut = [at for at, name in enumerate(names, 1) if name not in ("BEGIN", "manifest")]
    for at in (cut[0], cut[len(cut) // 2], cut[-1]):

        def end(name: str, step: int, at: int = at) -> None:
            if step == at:
                served.rows(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {mine}")

        with pytest.MonkeyPatch.context() as patch:
            steps(end, patch)
            with pytest.raises(InputError, match="connection"):
                release.write(served.address("shown"), force=True)
        assert stands(served) == "old"
        assert not list(Path().glob(".*"))


class Ending:
    """Finds, in what a client sends, that a transaction is to be committed: the statement with its execution."""

    def __init__(self) -> None:
        self.begun = False

    def begins(self, data: bytes) -> bool:
        first = not self.begun and b"COMMIT\0" in data and b"E\0\0\0\t" in data
        self.begun = self.begun or first
        return first


@pytest.mark.parametrize(("where", "outcome"), some([("before", "old"), ("after", "new")]))
def test_a_wire_that_is_cut_when_all_was_to_appear(served: PostgresPlace, where: str, outcome: str) -> None:
    """Nobody hears whether it did: it is asked for, and the manifest follows the answer."""
    ending = Ending()

    def cut(data: bytes) -> str:
        return where if ending.begins(data) else ""

    release = sf.publish(served.address("people"), policy=OTHER)
    with wire(served.server.port, cut) as port:
        target = served.server.address(f"{served.schema}.shown", port=port)
        if outcome == "new":
            assert release.write(target, force=True).audit.holds
        else:
            with pytest.raises(InputError, match="connection"):
                release.write(target, force=True)
    assert ending.begun
    assert stands(served) == outcome
    in_order(served, outcome)


@pytest.mark.thorough
def test_a_server_that_is_gone_for_good_leaves_the_manifest_to_be_found(
    served: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.release.database_target._WAITS", (0.0,))
    ending = Ending()

    def cut(data: bytes) -> str:
        return "after" if ending.begins(data) else "before" if ending.begun else ""

    release = sf.publish(served.address("people"), policy=OTHER)
    with wire(served.server.port, cut) as port, pytest.raises(InputError, match="not known: audit it"):
        release.write(served.server.address(f"{served.schema}.shown", port=port), force=True)
    assert len(list(Path().glob(".*"))) == 1
    assert stands(served) == "new"
    in_order(served, "new")


def test_readers_see_one_release_while_another_takes_its_place(served: PostgresPlace) -> None:
    from sfumato.table.databases import address_of
    from sfumato.table.databases.session import reading

    address = address_of(served.address("shown"))
    assert address is not None
    with reading(address) as session:
        before = session.rows(f"SELECT count(DISTINCT zip), count(*) FROM {session.table.sql}")
        document = session.rows(f"SELECT document FROM {session.table.called('shown_release').sql}")
        sf.publish(served.address("people"), policy=OTHER).write(served.address("shown"), force=True)
        assert session.rows(f"SELECT count(DISTINCT zip), count(*) FROM {session.table.sql}") == before
        assert session.rows(f"SELECT document FROM {session.table.called('shown_release').sql}") == document
    assert stands(served) == "new"


@pytest.mark.thorough
def test_two_runs_at_once_do_not_mix(standing: Place) -> None:
    """The second waits or is told; what stands there afterwards is whole."""
    release = sf.publish(standing.address("people"), policy=OTHER)
    second = sf.publish(standing.address("people"), policy=POLICY)
    told: list[str] = []

    def meanwhile(name: str, step: int) -> None:
        if name == "INSERT" and not told:
            told.append("")
            with pytest.raises(InputError) as raised:
                second.write(standing.address("shown"), force=True)
            told.append(str(raised.value))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sfumato.table.databases.sqlite._BUSY", 10)
        patch.setitem(_SETTINGS, "lock_timeout", "10ms")
        steps(meanwhile, patch)
        release.write(standing.address("shown"), force=True)
    assert "try again when it is done" in told[1]
    assert stands(standing) == "new"
    in_order(standing, "new")
