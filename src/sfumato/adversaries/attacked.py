"""What `sf.attack` answers: who learns what, and what could not be tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sfumato.adversaries.contract import Exposure, Persona
from sfumato.displayed import Displayed
from sfumato.errors import one_line
from sfumato.table.words import counted

__all__ = ["Attack", "Attacked"]


@dataclass(frozen=True)
class Attack:
    """One adversary on a release: what they learn, or what they lack.

    name        of the adversary
    persona     who that is: what they know, what they do, when somebody is exposed
    settings    with which they were tried
    exposures   what they learn, of each secret
    lacks       what they would need, if they were not tried
    """

    name: str
    persona: Persona
    settings: Mapping[str, Any] = field(default_factory=dict)
    exposures: tuple[Exposure, ...] = ()
    lacks: str = ""

    def __repr__(self) -> str:
        told = f"needs {self.lacks}" if self.lacks else f"exposes {counted(self.exposed, 'person', 'people')}"
        return f"<Attack: {self.name} {told}>"

    @property
    def exposed(self) -> int:
        """The most people that are exposed, of any secret."""
        return max((each.exposed for each in self.exposures), default=0)

    def lines(self) -> list[str]:
        """A few lines for a person."""
        head = [f"{self.name}: {self.persona.title}", f"  {self.persona.assumes}"]
        if self.lacks:
            return [*head, f"  not tried: needs {self.lacks}"]
        return [*head, *(_line(each) for each in self.exposures)]

    def as_dict(self) -> dict[str, Any]:
        exposures = [{**asdict(each), "details": dict(each.details)} for each in self.exposures]
        told = {"adversary": self.name, "settings": dict(self.settings), "exposures": exposures, "lacks": self.lacks}
        return {**told, "persona": asdict(self.persona)}


@dataclass(frozen=True)
class Attacked(Displayed):
    """All attacks on a release. `version` counts breaking changes of its JSON form.

    rows      of the table, `suppressed` ones among them
    attacks   one for each adversary; ``attacked["linking"]`` is that of one
    """

    rows: int
    suppressed: int
    attacks: tuple[Attack, ...]
    version: int = 1

    def __repr__(self) -> str:
        tried = [each for each in self.attacks if not each.lacks]
        most = max((each.exposed for each in tried), default=0)
        return f"<Attacked: {len(tried)} of {len(self.attacks)} adversaries tried, people exposed: at most {most}>"

    def __getitem__(self, name: str) -> Attack:
        """The attack of one adversary. `KeyError` if it was not tried."""
        found = [each for each in self.attacks if each.name == name]
        if not found:
            raise KeyError(name)
        return found[0]

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "version": self.version,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "attacks": [each.as_dict() for each in self.attacks],
        }

    def summary(self) -> str:
        """A few lines for each adversary."""
        return "\n".join(line for each in self.attacks for line in each.lines())


def _line(each: Exposure) -> str:
    about = "" if each.on is None else f"{one_line(each.on)}: "
    text = f"  {about}exposed: {each.exposed} of {each.people} people, surest {each.surest:.4g}"
    if each.right is not None:
        text += f"; guesses right: {each.right:.4g}"
        text += "" if each.baseline is None else f" (by totals alone: {each.baseline:.4g})"
    return text + "".join(f"; {key}: {_shortly(value)}" for key, value in each.details.items())


def _shortly(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
