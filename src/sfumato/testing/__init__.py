"""Does a piece keep its contract? Checks on random tables, for the built-in pieces and for yours.

    from sfumato.testing import check_form, check_model, check_partitioner

    check_model(MyPromise(2))            # its model and its audit rule
    check_partitioner(MyMethod())        # with every promise that it accepts
    check_form(MyForm())                 # with every promise and algorithm that go with it

The pieces have to be registered: by an entry point, as in a release of yours. A failure is an `AssertionError` that
says what was expected, of what, on which table, and the seed that makes that table again. ``python -m sfumato.testing``
runs every promise with every algorithm in every form that is installed.
"""

from __future__ import annotations

from sfumato.testing.form import check_form
from sfumato.testing.model import check_model
from sfumato.testing.partitioner import check_partitioner
from sfumato.testing.triple import Ends, check_triple, triples

__all__ = ["Ends", "check_form", "check_model", "check_partitioner", "check_triple", "triples"]
