"""A synthetic hospital: nobody in it exists, yet its table is as revealing as a real one.

Postcodes, age, sex and admission date single out nearly every row; the disease depends on age and sex, so groups of
similar people have similar diseases. The ward is drawn apart from everything else: were it to follow the disease, it
could not be published as it is.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sfumato.demo.diseases import RISKS

__all__ = ["hospital"]

Ints = NDArray[np.int64]

_SYLLABLES = "ba be bo da del do fa fen ga go ka kel ko la lin lo ma mir mo na nor pa ra rin sa sol ta tor va vel zu"
_REGIONS = (("021", 0.3), ("037", 0.2), ("048", 0.1), ("482", 0.25), ("731", 0.15))
_CODES_PER_REGION = 12
_AGES = ((8.0, 5.0, 0.12), (34.0, 11.0, 0.33), (68.0, 13.0, 0.55))  # mean, deviation, share
_OLDEST = 99
_SEXES = ("F", "M")
_WARDS = ("north", "east", "south", "west")
_YEAR = "2024-01-01"
_DAYS = 366


def hospital(rows: int = 2000, seed: int = 0) -> pl.DataFrame:
    """The admissions of one year: name, zip, age, sex, admission, ward, disease. Same seed, same table."""
    random = np.random.default_rng(seed)
    age, sex = _ages(random, rows), random.integers(0, 2, rows)
    disease = _diseases(random, age, sex)
    return pl.DataFrame(
        {
            "name": _names(random, rows),
            "zip": _postcodes(random, rows),
            "age": age,
            "sex": pl.Series(_SEXES, dtype=pl.String).gather(sex),
            "admission": np.datetime64(_YEAR) + random.integers(0, _DAYS, rows).astype("timedelta64[D]"),
            "ward": pl.Series(_WARDS, dtype=pl.String).gather(random.integers(0, len(_WARDS), rows)),
            "disease": pl.Series(list(RISKS), dtype=pl.String).gather(disease),
        }
    )


def _names(random: np.random.Generator, rows: int) -> pl.Series:
    """Two invented words of two and three syllables."""
    syllables = pl.Series(_SYLLABLES.split(), dtype=pl.String)
    first, second, *rest = (syllables.gather(random.integers(0, len(syllables), rows)) for _ in range(5))
    return (first + second).str.to_titlecase() + " " + (rest[0] + rest[1] + rest[2]).str.to_titlecase()


def _postcodes(random: np.random.Generator, rows: int) -> pl.Series:
    """A few regions, in each of them a few postcodes, the first ones the most populous."""
    shares = np.array([share for _, share in _REGIONS])
    within = 1 / np.arange(2, 2 + _CODES_PER_REGION)
    codes = pl.Series(
        [f"{prefix}{13 * index % 100:02d}" for prefix, _ in _REGIONS for index in range(_CODES_PER_REGION)]
    )
    chances = np.outer(shares, within / within.sum()).ravel()
    return codes.gather(random.choice(len(codes), rows, p=chances / chances.sum()))


def _ages(random: np.random.Generator, rows: int) -> Ints:
    means, deviations, shares = (np.array(part) for part in zip(*_AGES, strict=True))
    part = random.choice(len(_AGES), rows, p=shares)
    years = np.rint(means[part] + deviations[part] * random.standard_normal(rows))
    return np.clip(years, 0, _OLDEST).astype(np.int64)


def _diseases(random: np.random.Generator, age: Ints, sex: Ints) -> Ints:
    """One disease per row, by the chances of its age and sex.

    The chances of each kind of patient add up to 1, so laid end to end they are one ascending line: a draw is one
    search in it for all rows.
    """
    chances = _chances()
    line = (np.arange(len(chances))[:, None] + np.cumsum(chances, axis=1)).ravel()
    kind = sex * (_OLDEST + 1) + age
    place = np.searchsorted(line, kind + random.random(len(kind)), side="right") - kind * chances.shape[1]
    disease: Ints = np.minimum(place, chances.shape[1] - 1)  # the last sum may fall short of 1 by a rounding
    return disease


def _chances() -> NDArray[np.float64]:
    """Chance of every disease (column) for every kind of patient (row): women by age, then men by age."""
    ages = np.arange(_OLDEST + 1)[:, None]
    risks = list(RISKS.values())
    typical, spread = np.array([risk.age for risk in risks]), np.array([risk.spread for risk in risks])
    women, frequency = np.array([risk.women for risk in risks]), np.array([risk.frequency for risk in risks])
    by_age = frequency * (0.03 + np.exp(-(((ages - typical) / spread) ** 2) / 2))
    weights = np.concatenate([by_age * women, by_age * (1 - women)])
    chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return chances
