"""Runs inside the peers' own environment, as a program: one tool, one job, one file of published rows.

    python inside.py JOB.json

The job says the tool, the data, what is a quasi-identifier, the promise, the limits, and where to write. What a tool
prints is left to it; what it raises ends the program with the message as the last line of standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

Job = dict[str, Any]


def _frame(job: Job, categories: bool) -> Any:
    """The rows; texts as categories where a tool asks for that."""
    pandas: Any = import_module("pandas")
    frame = pandas.read_csv(job["data"], dtype={name: "int64" if name == "age" else "str" for name in job["columns"]})
    if categories:
        frame = frame.astype({name: "category" for name in job["columns"] if name != "age"})
    return frame


def anjana(job: Job) -> Any:
    """Full-domain generalization by hierarchies; `l` counts different values."""
    pandas: Any = import_module("pandas")
    tool: Any = import_module("anjana.anonymity")
    levels = {}
    for name in job["quasi"]:
        file = pandas.read_csv(job["hierarchies"][name], dtype=str)
        levels[name] = {place: file[column].values for place, column in enumerate(file.columns)}
        if name == "age":
            levels[name][0] = levels[name][0].astype("int64")
    frame, limit = _frame(job, categories=False), job["suppress"]
    if "l" in job:
        return tool.l_diversity(frame, [], job["quasi"], job["sensitive"], job["k"], job["l"], limit, levels)
    return tool.k_anonymity(frame, [], job["quasi"], job["k"], limit, levels)


def anonypy(job: Job) -> Any:
    """Mondrian; groups are shown as sets and intervals, with a row per sensitive value and its count."""
    pandas: Any = import_module("pandas")
    tool: Any = import_module("anonypy")
    given = tool.Preserver(_frame(job, categories=True), job["quasi"], job["sensitive"])
    made = given.anonymize_l_diversity(job["k"], job["l"]) if "l" in job else given.anonymize_k_anonymity(job["k"])
    frame = pandas.DataFrame(made)
    for name in job["quasi"]:
        frame[name] = [cell[0] for cell in frame[name]]  # each is a list of one text
    return frame


def anonypyx(job: Job) -> Any:
    """Mondrian or MDAV; groups are shown as sets and intervals, with a row per sensitive value and its count."""
    tool: Any = import_module("anonypyx")
    asked = {"k": job["k"], "l": job["l"]} if "l" in job else {"k": job["k"]}
    return tool.Anonymiser(
        _frame(job, categories=True),
        feature_columns=job["quasi"],
        sensitive_column=job["sensitive"],
        generalisation_strategy="human-readable",
        algorithm=job["algorithm"],
        **asked,
    ).anonymise()


def pycanon(job: Job) -> Any:
    """No anonymization: what the tool measures of a published file, as a frame of one row."""
    pandas: Any = import_module("pandas")
    tool: Any = import_module("pycanon.anonymity")
    frame = pandas.read_csv(job["data"], dtype=str)
    found = {"k": tool.k_anonymity(frame, job["quasi"])}
    if "l" in job:
        found["l"] = tool.l_diversity(frame, job["quasi"], [job["sensitive"]])
    return pandas.DataFrame([found])


TOOLS: dict[str, Callable[[Job], Any]] = {
    "anjana": anjana,
    "anonypy": anonypy,
    "anonypyx": anonypyx,
    "pycanon": pycanon,
}


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    resource: Any = import_module("resource")  # which Windows has not
    resource.setrlimit(resource.RLIMIT_AS, (job["bytes"], job["bytes"]))
    resource.setrlimit(resource.RLIMIT_CPU, (job["seconds"], job["seconds"]))
    TOOLS[job["tool"]](job).to_csv(job["out"], index=False)


if __name__ == "__main__":
    main()
