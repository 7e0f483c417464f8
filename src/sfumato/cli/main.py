"""The command line: a thin surface over the public API.

Exit codes: 0 promise kept · 2 bad input or usage · 3 infeasible: no release keeps the promise · 4 audit failed or
undecidable · 5 this policy found none, another method may · 130 stopped with Ctrl-C · 1 anything else.
"""

from __future__ import annotations

import atexit
import contextlib
import copy
import errno
import gc
import json
import os
import re
import signal
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from sfumato.cli import (
    advise,
    anonymize,
    attack,
    audit,
    compare,
    demo,
    explain,
    hierarchy,
    init,
    knowledge,
    measure,
    methods,
    report,
    schema,
    serve,
)
from sfumato.cli.shared import Interrupts, Stopped, print_nothing_more
from sfumato.errors import InputError, NoneFound, PolicyError, SfumatoError, SfumatoWarning

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["app", "look_seldom", "run"]

# Errors of the file system that a person mends by naming another place.
_PLACES = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG)

_STDERR = 2

_PASSWORD = re.compile(r"://[^/?#@]*:[^/?#]*@|[?&](?:ssl)?password=")

_OBJECTS = 20_000
"""How many more there are before some are looked through; Python's own number is 700."""

app = typer.Typer(
    name="sfumato",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from sfumato import __version__

        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Publish tables about people in which no one can be told apart.

    A first run:   sfumato demo

    With your data:

    \b
      sfumato init patients.csv                                suggest roles, write patients.yaml
      sfumato anonymize patients.csv -p patients.yaml -o out/  make, audit and write a release
      sfumato audit out/ -p patients.yaml                      judge a release from its files
      sfumato measure out/ -p patients.yaml --original patients.csv   what it still says, and what it lost
      sfumato attack out/ -p patients.yaml --original patients.csv    what adversaries learn from it
      sfumato advise patients.csv -p patients.yaml             what can be promised on this table at all
      sfumato methods                                          what can be promised, and how

    On a page in your browser:   sfumato serve patients.csv

    Exit codes: 0 promise kept, 2 bad input or usage, 3 infeasible: no release keeps the promise, 4 audit failed or
    undecidable, 5 this policy found none, another method may, 130 stopped with Ctrl-C, 1 anything else.
    """


app.command("init")(init.command)
app.command("advise")(advise.command)
app.command("anonymize")(anonymize.command)
app.command("audit")(audit.command)
app.command("measure")(measure.command)
app.command("attack")(attack.command)
app.command("report")(report.command)
app.command("explain")(explain.command)
app.command("compare")(compare.command)
app.add_typer(hierarchy.app, name="hierarchy")
app.add_typer(knowledge.app, name="knowledge")
app.command("methods")(methods.command)
app.command("schema")(schema.command)
app.command("demo")(demo.command)
app.command("serve")(serve.command)


def run(arguments: Sequence[str] | None = None) -> None:
    """The entry point of the `sfumato` script: every outcome has its exit code, no traceback shows data."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:  # the process is ours
        look_seldom()
    warnings.showwarning = _show_warning
    _open_stderr()
    _warn_of_passwords(given)
    interrupts = Interrupts()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, interrupts)
    try:
        code = _asked(given)(given, standalone_mode=False)
        if code == Stopped.exit_code:  # the argument parser has met the interrupt
            raise Stopped("stopped")
        sys.exit(code if isinstance(code, int) else 0)
    except SfumatoError as error:
        if interrupts.seen:
            _stopped(error, as_json="--json" in given)
        _report(error, as_json="--json" in given)
        sys.exit(error.exit_code)
    except (typer.Abort, KeyboardInterrupt, Stopped) as stop:
        _stopped(stop, as_json="--json" in given)
    except BrokenPipeError:
        print_nothing_more()
        sys.exit(1)
    except Exception as error:
        if interrupts.seen:  # what ran below took the interrupt for a fault of its own
            _stopped(error, as_json="--json" in given)
        if hasattr(error, "show") and hasattr(error, "format_message"):  # a usage error of the argument parser
            if "--json" in given:
                _say(error.format_message(), 2, "UsageError", as_json=True)
            else:
                error.show()
            sys.exit(2)
        sys.exit(_report_unexpected(error, as_json="--json" in given))
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        _report(InputError("the data has cells or types that cannot be read"), as_json="--json" in given)
        sys.exit(InputError.exit_code)


def _asked(given: Sequence[str]) -> typer.Typer:
    """The app with the one command that is asked for: to read the options of all takes longer than a short answer."""
    commands = [each for each in app.registered_commands if [each.name] == given[:1]]
    groups = [each for each in app.registered_groups if [each.name] == given[:1]]
    if not commands and not groups:
        return app
    made = copy.copy(app)
    made.registered_commands, made.registered_groups = commands, groups
    return made


def look_seldom() -> None:
    """For what nobody refers to any more: most of what a process has are modules, which stay until it ends."""
    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # nor is anything looked for then


def _warn_of_passwords(given: Sequence[str]) -> None:
    """An address with a password: whoever lists the processes of this machine sees it, and the shell keeps it."""
    if any(_PASSWORD.search(each) for each in given):
        typer.echo(
            "warning: a password on the command line is seen by other users of this machine; leave it out of the"
            " address and use PGPASSWORD, ~/.pgpass or a service file",
            err=True,
        )


def _open_stderr() -> None:
    """A run whose standard error is closed goes on: there is a place for what is said, and no file takes its number."""
    with contextlib.suppress(OSError):
        if sys.stderr is None:
            null = os.open(os.devnull, os.O_WRONLY)
            if null != _STDERR:
                os.dup2(null, _STDERR)
            sys.stderr = open(_STDERR, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - until the end


def _stopped(stop: BaseException, as_json: bool) -> NoReturn:
    message = str(stop) if isinstance(stop, Stopped) else "stopped"
    _say(message, Stopped.exit_code, "KeyboardInterrupt", as_json)
    sys.exit(Stopped.exit_code)


def _report(error: SfumatoError, as_json: bool) -> None:
    if not as_json:
        typer.echo(f"error: {error}", err=True)
        return
    facts: dict[str, Any] = {"error": type(error).__name__, "exit_code": error.exit_code, "message": str(error)}
    if isinstance(error, PolicyError):
        facts["problems"] = [
            {"path": problem.path, "got": problem.got, "allowed": problem.allowed} for problem in error.problems
        ]
    if isinstance(error, NoneFound):
        facts |= {"nearest": error.nearest.as_dict()} if error.nearest is not None else {}
        facts |= {"instead": error.instead} if error.instead else {}
    audit_result = getattr(error, "audit", None)
    if audit_result is not None:
        facts["audit"] = audit_result.to_dict()
    typer.echo(json.dumps(facts, ensure_ascii=False, indent=1))


def _report_unexpected(error: Exception, as_json: bool) -> int:
    """Name the kind of error only: the message of a foreign error may hold a value of the data."""
    if os.environ.get("SFUMATO_DEBUG"):
        raise error
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        code = 2 if error.errno in _PLACES else 1
        _say(f"{place}{error.strerror}", code, kind, as_json)
        return code
    _say(f"unexpected {kind}. SFUMATO_DEBUG=1 shows where (its output may hold data)", 1, kind, as_json)
    return 1


def _say(message: str, code: int, kind: str, as_json: bool) -> None:
    """An error in one line or one JSON document; silent if nobody can be told."""
    with contextlib.suppress(OSError):
        if as_json:
            typer.echo(json.dumps({"error": kind, "exit_code": code, "message": message}, ensure_ascii=False))
        else:
            typer.echo(f"error: {message}" if code != 130 else message, err=True)


def _show_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    if issubclass(category, SfumatoWarning):
        typer.echo(f"warning: {message}", err=True)
