"""Tables that are counted on a Spark cluster: only different rows, with how many there are of each, come here.

Nothing of Spark is loaded until somebody gives one of its frames, or asks for a session.
"""

from __future__ import annotations

from typing import TypeGuard

from sfumato.table.spark.given import SparkTable

__all__ = ["SparkTable", "is_spark"]


def is_spark(thing: object) -> TypeGuard[object]:
    """Whether it is a frame of Spark, classic or of Spark Connect, or one with settings."""
    if isinstance(thing, SparkTable):
        return True
    named = {cls.__module__ for cls in type(thing).__mro__ if cls.__name__ == "DataFrame"}
    return any(name.startswith("pyspark.sql.") for name in named)
