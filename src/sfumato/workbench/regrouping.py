"""Groups of one column while they are being edited: what is looked at, what is on its way, and what was there before.

Every change is a file of its own in the private folder, which the policy names once it is sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.workbench.asks import Ask, Failure

if TYPE_CHECKING:
    from sfumato.workbench.desk import Workdesk
    from sfumato.workbench.worker import Doing

__all__ = ["Regrouping"]


@dataclass
class Regrouping:
    """column    whose groups they are
    open      the group that is looked into; empty: the one of everything
    earlier   the hierarchies that the column had before, the last one last
    failure   why the last change was none
    name      of the file that was sent last
    """

    column: str
    open: str = ""
    earlier: list[Any] = field(default_factory=list)
    failure: Failure | None = None
    name: str = ""
    _doing: Doing | None = None
    _said: str = ""

    @property
    def running(self) -> Doing | None:
        return self._doing

    def looked(self, desk: Workdesk) -> Doing:
        """The groups as they stand."""
        return desk.worker.ask(Ask("grouped", self._given(desk), "grouped"))

    def change(self, desk: Workdesk, change: Mapping[str, Any], said: str) -> None:
        """Begin a change of what is there; `said` is told when it is done."""
        self._begin(desk, self._given(desk), change, "", said)

    def send(self, desk: Workdesk, hierarchy: Mapping[str, Any], name: str, said: str) -> None:
        """Begin to take a file that was sent."""
        self.open = ""
        self._begin(desk, {**self._given(desk), "hierarchy": dict(hierarchy)}, {}, name, said)

    def undo(self, desk: Workdesk) -> None:
        """As it was before the last change."""
        if desk.draft is not None and self.earlier:
            desk.draft = desk.draft.changed(self.column, {"hierarchy": self.earlier.pop()})

    def take(self, desk: Workdesk) -> None:
        """What came of a change, once it is over."""
        doing = self._doing
        if doing is None or not doing.over or desk.draft is None:
            return
        self._doing = None
        if desk.draft.columns.get(self.column, {}).get("role") != "quasi":
            return
        if self.name:  # what was sent is written anew, or is none
            (desk.folder.path / str(doing.ask.given["hierarchy"]["file"])).unlink(missing_ok=True)
        if doing.state != "done":
            self.failure = doing.failure or Failure("gone", "")
            return
        self.earlier.append(desk.draft.columns[self.column].get("hierarchy"))
        hierarchy = {"file": str(doing.answer), "header": False, "format": "arx"}
        desk.draft = desk.draft.changed(self.column, {"hierarchy": hierarchy})
        desk.said = self._said

    def _given(self, desk: Workdesk) -> dict[str, Any]:
        settings: Mapping[str, Any] = {} if desk.draft is None else desk.draft.columns[self.column]
        hierarchy = settings.get("hierarchy") or "flat"
        return {
            "source": desk.asked,
            "column": self.column,
            "type": settings.get("type", "text"),
            "hierarchy": hierarchy,
        }

    def _begin(self, desk: Workdesk, given: dict[str, Any], change: Mapping[str, Any], name: str, said: str) -> None:
        self.failure, self.name, self._said = None, name, said
        to = desk.folder.new("levels", ".csv").name
        self._doing = desk.worker.ask(Ask("regrouped", {**given, "change": dict(change), "sent": name, "to": to}))
