"""Random policies: every promise leads in turn, with every algorithm, step, form and loss."""

from __future__ import annotations

from random import Random
from typing import Any

from .case import Case, inner
from .tables import Sample, sample

__all__ = ["BASES", "FORMS", "LEADS", "make_case"]

BASES = (
    "k-anonymity",
    "distinct-l",
    "entropy-l",
    "recursive-cl",
    "pd-recursive",
    "npd-recursive",
    "simple-l",
    "pairwise-l",
    "unique-distinct-l",
    "unique-distinct-literal",
    "alpha-k",
    "t-closeness",
    "delta-disclosure",
    "tau-l",
)
LEADS = (*BASES, *(f"multi-attribute {base}" for base in BASES), *("qs-cl", "qs-t") * 4, *("proximity",) * 3)
FORMS = ("generalized", "permuted", "anatomized", "sliced", "ring", "randomized")
BY_ID = ("pairwise-l", "unique-distinct-l", "unique-distinct-literal")
METHODS = ("mondrian", "lattice", "incognito", "anatomy", "hilbert", "bsgi", "bsgi-free", "arp", "sweep")
SEARCHES = ("mondrian", "mondrian", "lattice", "lattice", "lattice", "incognito", "sweep")
LOSSES = (
    *("ncp", "geometric", "discernibility", "average-class-size", "height", "precision"),
    *("non-uniform-entropy", "information-utility"),
)

ROWS = ("k-anonymity", "alpha-k")
SHAPES = ("distinct-l", "entropy-l", "recursive-cl", "simple-l")
UNIFORM = (*SHAPES, "pd-recursive", "tau-l", "pairwise-l", "unique-distinct-l", "unique-distinct-literal")

Settings = dict[str, Any]


def fitting(lead: str) -> tuple[str, ...]:
    """Forms that can carry a promise; the others refuse it."""
    base = lead.split()[-1]
    if base in ROWS:
        return ("generalized",)
    drawn = ("ring",) * (lead in UNIFORM and lead not in BY_ID) + ("randomized",) * 3 * (lead in SHAPES)
    return ("generalized", "permuted", "anatomized", "sliced", *drawn)


def make_case(seed: int) -> Case:
    """The case of a seed; the leading promise goes round, everything else is drawn."""
    rng = Random(seed)
    lead = LEADS[seed % len(LEADS)]
    form = rng.choice(fitting(lead) if rng.random() < 0.97 else FORMS)
    several, terms = lead.startswith("multi"), lead.startswith("qs")
    secrets = rng.choice([2, 2, 2, 3]) if several else rng.choice([0, 1, 1, 2]) if terms else rng.choice([1, 1, 1, 2])
    people = lead in UNIFORM and form != "ring" and rng.random() < 0.2
    table = sample(rng, secrets=secrets, sets=terms or rng.random() < 0.05, people=people)
    privacy = _privacy(rng, lead, form, table)
    partition = _partition(rng, privacy, table)
    if form == "randomized" and rng.random() < 0.7:
        partition["slack"] = rng.choice([1, 1, 2])
    policy: Settings = {
        "version": 1,
        "columns": dict(table.columns),
        "privacy": privacy,
        "partition": partition,
        "form": _form(rng, form, privacy, table),
        "loss": {"metric": rng.choice(LOSSES)},
        "suppression": {"limit": rng.choice(["0", "0.2", "0.5", "0.5", "1"]), "keep": rng.random() < 0.25},
    }
    if rng.random() < 0.15:
        policy["missing"] = "drop"
    return Case(seed, table.rows, policy, rng.choice(["csv", "csv", "parquet"]))


def _privacy(rng: Random, lead: str, form: str, table: Sample) -> list[Settings]:
    """The leading promise, and at times others that the form can carry."""
    made = [_promise(rng, lead, table)]
    while rng.random() < 0.25:
        others = [base for base in BASES if form in fitting(base)]
        others = [base for base in others if "person" not in table.columns or base in UNIFORM]
        others = [base for base in others if form != "randomized" or base in SHAPES]
        others += ["qs-cl"] * bool(table.named("quasi-sensitive") and form in fitting("qs-cl"))
        made.append(_promise(rng, rng.choice(others), table))
    found = [promise for promise in made if promise is not None]
    first = next(iter(table.named("sensitive")), None)
    return found or [{"model": "distinct-l", "l": 2, **({} if first is None else {"on": first})}]


def _promise(rng: Random, name: str, table: Sample) -> Any:
    """Settings of a promise; None if the table has nothing that it could speak of."""
    if name.startswith("multi-attribute"):
        inner = _promise(rng, name.split()[1], table)
        of = None if inner is None else {key: value for key, value in inner.items() if key not in ("on", "of")}
        return None if of is None else {"model": "multi-attribute", "of": of}
    if name.startswith("qs"):
        return {"model": name, **_about_terms(rng, name, table)}
    if name == "k-anonymity":
        return {"model": name, "k": rng.randint(1, 3), **_sets(rng, table)}
    secrets = table.named("sensitive")
    if not secrets:
        return None
    if name == "proximity":
        secrets = [each for each in secrets if table.columns[each].get("type") == "integer" and _plain(table, each)]
        if not secrets:
            return None
    on = rng.choice(secrets)
    return {"model": name, **_about_values(rng, name, on, table), "on": on}


def _sets(rng: Random, table: Sample) -> Settings:
    """At times, sets of quasi-identifiers that somebody may know; every one is in a set."""
    quasi = table.named("quasi")
    if len(quasi) < 2 or rng.random() < 0.6:
        return {}
    place = rng.randint(1, len(quasi) - 1)
    shared = [rng.choice(quasi)] if rng.random() < 0.3 else []
    sets = [quasi[:place], list(dict.fromkeys([*shared, *quasi[place:]]))]
    return {"of": sets if {*sets[0]} != {*sets[1]} else [quasi]}


def _plain(table: Sample, name: str) -> bool:
    """Whether the numbers of a column are not made bins."""
    return "difference" not in table.columns[name] and "bins" not in table.columns[name]


def _about_values(rng: Random, name: str, on: str, table: Sample) -> Settings:
    column = table.columns[on]
    found = sorted({row[on] or "" for row in table.rows} - {""})
    plain = _plain(table, on)
    if name in ("recursive-cl", "pd-recursive"):
        made: Settings = {"c": rng.choice(["1", "2", "3/2", "4"]), "l": rng.choice([1, 2, 2, 3])}
        if name == "pd-recursive" and plain and found:
            made["disclosable"] = rng.sample(found, 1)
        return made
    if name == "npd-recursive":
        named = {"disclosable": found[:1], "protected": found[1:2]} if plain and found else {}
        return {"c1": rng.choice(["2", "4"]), "c2": rng.choice(["5", "20"]), "l": 2, **named}
    if name in ("entropy-l", "simple-l"):
        return {"l": rng.choice(["1.5", "2", "2", "5/2", "3"])}
    if name == "alpha-k":
        return {"alpha": rng.choice(["1/2", "2/3", "0.9"]), "k": rng.randint(1, 3)}
    if name == "proximity":
        relative = rng.random() < 0.4
        nearness = rng.choice(["0", "1/10", "1/3", "9/10"] if relative else ["0", "1/2", "1", "3", "10"])
        told = {"neighbourhood": "relative"} if relative else {}
        return {"e": nearness, "m": rng.choice(["1", "3/2", "2", "2", "3"]), **told}
    if name == "delta-disclosure":
        return {"delta": rng.choice(["0.5", "1", "2"])}
    if name == "t-closeness":
        distances = ["equal", "equal"]
        distances += ["hierarchical"] * ("hierarchy" in column)
        distances += ["ordered"] * ("order" in column or column.get("type") == "integer")
        return {"t": rng.choice(["0.2", "0.4", "0.6"]), "distance": rng.choice(distances)}
    if name == "tau-l":
        made = {"tau": rng.choice(["1/2", "3/5", "4/5"]), "l": rng.choice([2, 3, 3])}
        kind = rng.random()
        if kind < 0.2:
            made["weights"] = "table"
        elif kind < 0.3 and plain and found:
            made["weights"] = {found[0]: "2"}
        elif kind < 0.4 and made["l"] == 3:
            made["psi"] = [made["tau"], "9/10"]
        return made
    return {"l": rng.choice([1, 2, 2, 2, 3])}


def _about_terms(rng: Random, name: str, table: Sample) -> Settings:
    if name == "qs-cl":
        return {"c": rng.choice(["1", "2", "3"]), "l": rng.choice([2, 2, 3])}
    column = table.columns["terms"]
    priors: list[Any] = ["table", "table", {"flu": "1/4", "cold": "1/4", "gout": "1/4", "mumps": "1/4"}]
    priors += ["knowledge"] * ("priors" in column["knowledge"])
    distances = ["euclidean", "euclidean", "emd", *["hierarchical"] * ("hierarchy" in column)]
    return {"t": rng.choice(["0.2", "0.35", "0.5"]), "prior": rng.choice(priors), "distance": rng.choice(distances)}


def _partition(rng: Random, privacy: list[Settings], table: Sample) -> Settings:
    """An algorithm with its options and steps, mostly one that serves the promises."""
    models = {promise["model"] for promise in privacy}
    by_id = any(inner(promise)["model"] in BY_ID for promise in privacy)
    about_terms = bool(models & {"qs-cl", "qs-t"})
    uniform = models <= {*UNIFORM, "qs-cl", "qs-t", "alpha-k"} and bool(models & {*UNIFORM})
    made: Settings = {}
    if about_terms and rng.random() < 0.6:
        made["terms"] = {
            "search": rng.choice(["optimal", "optimal", "adaptive", "dfs"]),
            "work": 50_000,
            "cost": rng.choice(["harmonic", "count", "share", "rarity"]),
            "infeasible": "withhold" if by_id or "person" in table.columns else rng.choice(["merge", "withhold"]),
            "phases": rng.choice(["two", "one"]),
        }
    apart = by_id or "person" in table.columns
    free = uniform and ("terms" in made or not about_terms)
    method = rng.choice(METHODS if free or rng.random() < 0.05 else SEARCHES)
    if "unique-distinct-literal" in models and rng.random() < 0.9:
        method = rng.choice(("anatomy", "hilbert", "bsgi", "bsgi-free", "arp"))
    elif (free and ((apart and method in SEARCHES) or rng.random() < 0.25)) or rng.random() < 0.02:
        made["refine"] = True
        made["residuals"] = rng.choice(["across", "own"])
    if rng.random() < 0.3:
        made["polish"] = rng.choice([True, {"work": 100_000}])
    if rng.random() < 0.1 and models & {*UNIFORM}:
        made["slack"] = 1
    tau = [promise["model"] for promise in privacy] == ["tau-l"]
    return {"method": method, **made, **_options(rng, method, tau)}


def _options(rng: Random, method: str, tau: bool) -> Settings:
    """Settings that only this algorithm has."""
    if method == "hilbert":
        return {"order": rng.choice(["hilbert", "hilbert", "idistance"])}
    if method in ("lattice", "incognito"):
        return {"choose": rng.choice(["best", "best", "random"])}
    if method == "mondrian":
        return {"relaxed": rng.random() < 0.3}
    if method in ("bsgi", "bsgi-free"):
        told = {"incorporate": rng.choice(["increase", "total"])}
        return {"information": rng.choice(["ncp", "heights", "loss"]), **told}
    if method == "arp":
        return {
            "order": rng.choice(["descending", "ascending"]),
            "split_merged": rng.random() < 0.7,
            "initial_only": rng.random() < 0.2,
        }
    if method == "sweep":
        made: Settings = {"worth": rng.choice(["uniform", "leaves", "occurring"])}
        return {**made, **rng.choice([{}, {"balance": "1"}, {"faithful": True}])} if tau else made
    return {}


def _form(rng: Random, form: str, privacy: list[Settings], table: Sample) -> Settings:
    by_id = any(inner(promise)["model"] in BY_ID for promise in privacy)
    if form == "generalized":
        named = by_id or "person" in table.columns
        return {"publish": form, "group_id": named or rng.random() < 0.3}
    if form == "ring":
        return {"publish": form, "draw": rng.choice(["matching", "rotation"])}
    made: Settings = {"publish": form, "insensitive": rng.random() < 0.7}
    together = any(inner(promise) is not promise for promise in privacy)
    if form == "permuted" and not together and rng.random() < 0.25:
        made["together"] = False
    if form == "sliced":
        made["width"] = rng.choice([1, 2, 2, 3])
        if rng.random() < 0.2:
            made["slices"] = [table.named("quasi"), [*table.named("sensitive"), *table.named("quasi-sensitive")]]
            made["slices"] = [part for part in made["slices"] if part]
    if form == "randomized":
        made["known"] = rng.choice(["counts", "shares"])
    return made
