"""The paper's future work: a knowledge table that is built, tried on a published table of diseases and symptoms.

4,920 cases of 41 diseases, and the list of 321 pairs made from them. From cases, from pairs, from texts made of the
cases, with the symptoms as vocabulary or by their words alone; and what each says of the cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

import sfumato as sf
from experiments.contract import Claim, Experiment, Found, Row, Verdict
from sfumato.datasets.store import find_files
from sfumato.knowledge.check import check
from sfumato.knowledge.read import read_knowledge

__all__ = ["BUILT", "Diseases", "diseases"]

SOURCES = ("pairs", "cases", "cases, share 1/2", "texts, vocabulary", "texts, words")
_LABEL = "Disease"


@dataclass(frozen=True)
class Diseases:
    """Cases, one per row, with their symptoms; and pairs of a disease and a symptom, with how many cases show it."""

    cases: pl.DataFrame
    pairs: pl.DataFrame

    @property
    def terms(self) -> list[list[str]]:
        """The symptoms of every case."""
        return [[term for term in row if term] for row in self.cases.drop(_LABEL).iter_rows()]

    @property
    def texts(self) -> pl.DataFrame:
        """A sentence per case."""
        made = [f"The patient has {', '.join(terms).replace('_', ' ')}." for terms in self.terms]
        return self.cases.select(_LABEL, pl.Series("text", made))


def diseases() -> Diseases:
    files = find_files("disease_symptom", {"cases": "kaggle_rows.csv.gz", "pairs": "kaggle_pairs.csv"})
    cases = pl.read_csv(files["cases"], infer_schema=False)
    plain = pl.exclude(_LABEL).str.replace_all(" ", "")  # as the pairs spell them
    return Diseases(cases.with_columns(plain), pl.read_csv(files["pairs"], infer_schema=False))


def measure(data: Diseases, settings: Row) -> Sequence[Row]:
    """How large the knowledge is, how much of the published pairs it has, and how many cases it links or gives away."""
    built = _built(data, str(settings["source"]))
    listed = {(label, term) for label, term in data.pairs.select(_LABEL, "Symptom").iter_rows()}
    covered = check(read_knowledge(built.labels), data.terms)
    return [
        {
            **built.as_dict(),
            "of_published": round(len(listed & {*built.pairs}) / len(listed), 4),
            "linked": covered.linked,
            "one_label": covered.unique,
        }
    ]


def _built(data: Diseases, source: str) -> sf.BuiltKnowledge:
    if source == "pairs":
        return sf.build_knowledge(data.pairs, label=_LABEL, term="Symptom", count="rows")
    if source.startswith("cases"):
        return sf.build_knowledge(data.cases, "cases", share="1/2" if "share" in source else 0)
    if source == "texts, words":
        return sf.build_knowledge(data.texts, "texts", most="1/2")
    return sf.build_knowledge(data.texts, "texts", vocabulary=sorted({*data.pairs["Symptom"]}))


def _same(found: Found) -> Verdict:
    sources = ("pairs", "cases", "texts, vocabulary")
    shares = {source: found.at("of_published", {"source": source}) for source in sources}
    sizes = {source: found.at("pairs", {"source": source}) for source in sources}
    told = ", ".join(
        f"{source}: {sizes[source]:.0f} pairs, {shares[source]:.0%} of those published" for source in sources
    )
    return Verdict(min(shares.values()) == 1 and len({*sizes.values()}) == 1, told)


def _linked(found: Found) -> Verdict:
    linked, whole = found.at("linked", {"source": "pairs"}), found.at("linked", {"source": "cases"})
    one = found.at("one_label", {"source": "cases"})
    return Verdict(linked == whole == 4920, f"{whole:.0f} of 4,920 linked, {one:.0f} of them to one disease")


BUILT = Experiment(
    paper="004",
    name="built",
    title="a knowledge table built from a published one of diseases and symptoms",
    points=tuple({"source": source} for source in SOURCES),
    quick=tuple({"source": source} for source in SOURCES[:2]),
    prepare=diseases,
    measure=measure,
    claims=(
        Claim("built", "ours: pairs, cases, and texts with a vocabulary give the same knowledge", _same),
        Claim("built", "ours: it links every case", _linked),
    ),
)
