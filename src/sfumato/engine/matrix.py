"""Every promise with every algorithm in every form: what goes together, from their own declarations.

Each piece is asked with its default settings and with the variants that it declares; what only goes with a variant is
adapted by it. A third party's pieces are found through the same registries and appear beside the built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Generic, TypeVar

from sfumato.engine.plan import joined, searches, shows
from sfumato.engine.probe import probe
from sfumato.extension import broken, installed, why
from sfumato.fit import Fit, Status
from sfumato.forms.registry import publisher
from sfumato.models.contract import Facts, Model
from sfumato.models.registry import bind, binding
from sfumato.partition.registry import grouping
from sfumato.policy.forms import FORMS, Form
from sfumato.policy.methods import METHODS, Method
from sfumato.policy.promises import PROMISES, Promise, groups_of
from sfumato.policy.settings import Varied

__all__ = ["Cell", "Matrix", "methods"]

W = TypeVar("W")
V = TypeVar("V", bound=Varied)
_PLAIN = groups_of(2)
_ORDER: tuple[Status, ...] = ("native", "adapted", "refused")


@dataclass(frozen=True)
class Cell:
    """A promise, an algorithm and a form by name, whether they go together, and the settings with which they do.

    model, method, form   their names
    status     native, adapted or refused
    why        how it is adapted, or why it is refused
    promise, partition, publication   the settings
    persons    asked for tables in which somebody has several rows
    """

    model: str
    method: str
    form: str
    status: Status
    why: str
    promise: Promise
    partition: Method
    publication: Form
    persons: bool = False

    def __repr__(self) -> str:
        why = f": {self.why}" if self.why else ""
        return f"<Cell: {self.model} × {self.method} × {self.form} is {self.status}{why}>"

    def as_dict(self) -> dict[str, str]:
        return {"model": self.model, "method": self.method, "form": self.form, "status": self.status, "why": self.why}


@dataclass(frozen=True)
class Matrix:
    """All cells, what each name says of itself, and pieces of other packages that are broken, with the reason.

    models    promises by name, and what each says
    methods   likewise algorithms
    forms     likewise forms
    cells     one for each three of them; `cell` finds it
    broken    what is installed and cannot be loaded
    """

    models: Mapping[str, str]
    methods: Mapping[str, str]
    forms: Mapping[str, str]
    cells: tuple[Cell, ...]
    broken: Mapping[str, str]

    def __repr__(self) -> str:
        sizes = f"{len(self.models)} models × {len(self.methods)} methods × {len(self.forms)} forms"
        return f"<Matrix: {sizes}, refused: {sum(cell.status == 'refused' for cell in self.cells)}>"

    def cell(self, model: str, method: str, form: str) -> Cell:
        return next(cell for cell in self.cells if (cell.model, cell.method, cell.form) == (model, method, form))

    def as_dict(self) -> dict[str, Any]:
        return {
            "models": dict(self.models),
            "methods": dict(self.methods),
            "forms": dict(self.forms),
            "matrix": [cell.as_dict() for cell in self.cells],
            "broken": dict(self.broken),
        }


def methods(*, persons: bool = False) -> Matrix:
    """Models, partitioners and forms that are installed, and which of them go together.

    persons    for tables in which somebody has several rows (role `individual`), which must not share a group
    """
    faults: dict[str, str] = {}
    promises = _usable(PROMISES, "sfumato.promises", _ask, faults)
    algorithms = _usable(METHODS, "sfumato.partition_settings", _try_algorithm, faults)
    forms = _usable(FORMS, "sfumato.form_settings", _try_form, faults)
    return Matrix(
        {name: _says(words) for name, words in promises.items()},
        {name: _says(words) for name, words in algorithms.items()},
        {name: _says(words) for name, words in forms.items()},
        tuple(_cells(promises, algorithms, forms, persons)),
        faults,
    )


def _usable(
    table: Mapping[str, type[W]], group: str, use: Callable[[type[W]], object], faults: dict[str, str]
) -> dict[str, type[W]]:
    """Pieces that can be loaded and asked; another package's mistake must not hide what everybody else offers."""
    faults |= broken(table, group)
    usable: dict[str, type[W]] = {}
    for name, words in installed(table, group).items():
        try:
            use(words)
        except Exception as error:  # whatever another package does
            faults[name] = why(error)
        else:
            usable[name] = words
    return usable


def _ask(words: type[Promise]) -> Model:
    try:
        sample = words.sample()
    except ValueError:
        raise ValueError("its `example` cannot be asked for") from None
    return bind(sample, Facts.of(probe(sample)))


def _try_algorithm(words: type[Method]) -> None:
    for settings in words.variants():
        grouping(settings, binding(Facts.of(probe(_PLAIN)))).fit(_ask(type(_PLAIN)))


def _try_form(words: type[Form]) -> None:
    for settings in words.variants():
        publisher(settings).fit(_ask(type(_PLAIN)))


def _says(words: type) -> str:
    return (words.__doc__ or "").strip().partition("\n")[0]


@dataclass(frozen=True)
class _Variant(Generic[V]):
    """Settings of an algorithm or a form, and what of them is not the default."""

    settings: V
    changed: list[str]

    @classmethod
    def all_of(cls, pieces: Iterable[type[V]]) -> list[list[_Variant[V]]]:
        return [[cls(each, _changes(each)) for each in piece.variants()] for piece in pieces]


_Answers = list[tuple[_Variant[V], Fit]]


def _cells(
    promises: Mapping[str, type[Promise]],
    algorithms: Mapping[str, type[Method]],
    forms: Mapping[str, type[Form]],
    persons: bool,
) -> Iterator[Cell]:
    """Algorithms and forms know nothing of one another, so that each is asked once of a promise."""
    methods, ways = _Variant.all_of(algorithms.values()), _Variant.all_of(forms.values())
    for name, words in promises.items():
        promise = words.sample()
        facts = Facts.of(probe(promise))
        model, binder = bind(promise, facts), binding(facts)
        searched = [
            [(each, searches(grouping(each.settings, binder), model, persons=persons)) for each in method]
            for method in methods
        ]
        shown = [[(each, shows(publisher(each.settings), model, persons=persons)) for each in way] for way in ways]
        for method, way in product(searched, shown):
            yield _best(name, promise, method, way, persons)


def _best(name: str, promise: Promise, searched: _Answers[Method], shown: _Answers[Form], persons: bool) -> Cell:
    """The first of the best among the variants; a variant that is needed adapts."""
    found: list[tuple[int, int, Cell]] = []
    for (method, search), (form, show) in product(searched, shown):
        answer, changed = joined(search, show), [*method.changed, *form.changed]
        status: Status = "adapted" if answer.status == "native" and changed else answer.status
        why = f"with {', '.join(changed)}" if status == "adapted" and changed else "; ".join(answer.reasons)
        names = method.settings.method, form.settings.publish
        cell = Cell(name, *names, status, why, promise, method.settings, form.settings, persons)
        found.append((_ORDER.index(status), len(answer.reasons), cell))
    return min(found, key=lambda each: each[:2])[2]


def _changes(settings: Varied) -> list[str]:
    """Settings that are not the default, as a policy writes them."""
    told = settings.told().items()
    return [f"{key}: {str(value).lower() if isinstance(value, bool) else value}" for key, value in told]
