"""The way in: attack a release. Here, since an adversary who knows the algorithm runs it."""

from __future__ import annotations

from collections.abc import Iterable

from sfumato.adversaries.attack import attacked
from sfumato.adversaries.attacked import Attacked
from sfumato.adversaries.contract import Arms
from sfumato.adversaries.registry import ADVERSARIES, AdversaryLike, adversary_of
from sfumato.engine.remaking import remaker
from sfumato.policy.load import PolicyLike
from sfumato.progress import Progress, silent
from sfumato.release.beside import OtherRelease, beside, received_of
from sfumato.release.opening import ManifestLike
from sfumato.release.subject import Subject
from sfumato.release.writing import Blank

__all__ = ["attack"]


def attack(
    release: object,
    policy: PolicyLike | None = None,
    manifest: ManifestLike | None = None,
    *,
    original: object | None = None,
    other: Iterable[OtherRelease] = (),
    only: Iterable[AdversaryLike] | None = None,
    register: object | None = None,
    population: object | None = None,
    rules: object | None = None,
    seed: int = 0,
    progress: Progress = silent,
    blank: Blank = "auto",
) -> Attacked:
    """Attack a release with every adversary, and score them against the truth.

    release      a `Release`, a folder with ``release.json``, a table file, any frame; also one that another tool made
    policy       what its columns are; a `Release` brings it along, with its table
    manifest     the holder's, for a written release
    original     the table it was made from: who is in it is what adversaries know, and what they are scored by
    other        further releases about the same people, or some of them: each a `Release`, or (release, policy), or
                 (release, policy, manifest); one that is given without a policy has that of the first
    only         which adversaries, by name or with settings; all, if it is not given
    register     people from outside, a file or frame with some of the quasi-identifiers, exact or generalized
    population   people of the same population, a file or frame with quasi-identifiers and secrets; or combinations of
                 these with a column `count`
    rules        what is known never to be, a YAML or JSON file or a list of mappings: ``{"where": {"sex": "male"},
                 "never": {"disease": ["breast cancer"]}}``
    seed         of what is drawn at random
    progress     called with (stage, done, in all)
    blank        what an empty cell of a bare table is: missing, suppressed, or (auto) suppressed where none is missing
    """
    subject = Subject.of(release, policy, manifest, original, blank)
    chosen = [adversary_of(each) for each in (ADVERSARIES if only is None else only)]
    found = [received_of(each, policy or subject.policy.given) for each in other]
    others = () if subject.original is None else tuple(beside(each, subject.original) for each in found)
    arms = Arms(seed, progress, register, population, rules, remaker(subject), others)
    return attacked(subject, chosen, arms)
