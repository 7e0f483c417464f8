"""What your own promise, algorithm, step, form, loss or audit rule needs, in one place.

    from sfumato.extend import Groups, OfColumn, Promise, promise

=============  =====================================================  =============================================
you write      from                                                   entry points (all pieces under one name)
=============  =====================================================  =============================================
a promise      `promise`, `Promise`, `Count`, `Ratio`, `Values`       ``sfumato.promises``
its model      `Model`, `OfColumn`, `Facts`, `Groups`, `Histogram`    ``sfumato.models``
what it says   `Capping`, `ShareCaps`, `Induced`, `Neighbours`, where it can
its rule       `Rule`, `Case`, `Ruling`, `Undecidable`                ``sfumato.rules``
an algorithm   `Method`; `Partitioner`, `Task`, `Partition`           ``sfumato.partition_settings``, ``.partitioners``
a step on top  `Step`; `StepMaker`, `Bind`, `fit_apart`               ``sfumato.step_settings``, ``.steps``
a form         `Form`; `Publisher`, `Material`, `Published`           ``sfumato.form_settings``, ``.forms``
its rows       `ShownRows`, `Spans`
its words      `Section`, `Phrases`, named by its `Form`
its view       `View`, `Opened`, `Seen`, if values are not all        ``sfumato.views``
a loss         `Loss`, `Weighted`                                     ``sfumato.losses``
=============  =====================================================  =============================================

Nobody asks of which class a promise, a model or a rule is: each declares what it can. `Promise`, `Model` and `Rule` say
what there is to declare; what they have themselves suits most.

`fit` of an algorithm or a form answers `NATIVE`, `adapted` or `refused`. One that also serves tables in which somebody
has several rows has `fit_persons` as well (`KeepsPersonsApart`); without it, it is refused for them. Names are loaded
when they are first used: a rule that takes what it needs from here loads nothing of what it judges. `sfumato.testing`
checks the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.exports import EXTENDING, lazily

if TYPE_CHECKING:
    from sfumato.adversaries.contract import Adversary as Adversary
    from sfumato.adversaries.contract import Arms as Arms
    from sfumato.adversaries.contract import Exposure as Exposure
    from sfumato.adversaries.contract import Persona as Persona
    from sfumato.auditor.exactly import largest_ratio as largest_ratio
    from sfumato.auditor.exactly import log_sum_sign as log_sum_sign
    from sfumato.auditor.exactly import smallest_ratio as smallest_ratio
    from sfumato.auditor.exactly import times as times
    from sfumato.auditor.rules.contract import Case as Case
    from sfumato.auditor.rules.contract import Rule as Rule
    from sfumato.auditor.rules.contract import Ruling as Ruling
    from sfumato.auditor.rules.contract import Undecidable as Undecidable
    from sfumato.errors import Infeasible as Infeasible
    from sfumato.errors import NoneFound as NoneFound
    from sfumato.errors import Refused as Refused
    from sfumato.exact import as_fraction as as_fraction
    from sfumato.exact import as_text as as_text
    from sfumato.fit import NATIVE as NATIVE
    from sfumato.fit import Fit as Fit
    from sfumato.fit import KeepsPersonsApart as KeepsPersonsApart
    from sfumato.fit import adapted as adapted
    from sfumato.fit import fit_apart as fit_apart
    from sfumato.fit import refused as refused
    from sfumato.forms.contract import Material as Material
    from sfumato.forms.contract import Published as Published
    from sfumato.forms.contract import Publisher as Publisher
    from sfumato.forms.contract import Spans as Spans
    from sfumato.forms.rows import ShownRows as ShownRows
    from sfumato.loss.contract import Loss as Loss
    from sfumato.loss.contract import Weighted as Weighted
    from sfumato.measures.contract import About as About
    from sfumato.measures.contract import Circumstances as Circumstances
    from sfumato.measures.contract import Figure as Figure
    from sfumato.measures.contract import Measure as Measure
    from sfumato.models.column import OfColumn as OfColumn
    from sfumato.models.compare import compare as compare
    from sfumato.models.contract import Columns as Columns
    from sfumato.models.contract import Facts as Facts
    from sfumato.models.contract import Groups as Groups
    from sfumato.models.contract import Histogram as Histogram
    from sfumato.models.contract import Model as Model
    from sfumato.models.contract import Neighbours as Neighbours
    from sfumato.models.contract import ShareCaps as ShareCaps
    from sfumato.models.induced import Induced as Induced
    from sfumato.models.runs import distinct as distinct
    from sfumato.models.runs import maxima as maxima
    from sfumato.models.runs import reduced as reduced
    from sfumato.models.values import which_codes as which_codes
    from sfumato.partition.contract import Partition as Partition
    from sfumato.partition.contract import Partitioner as Partitioner
    from sfumato.partition.contract import Recoding as Recoding
    from sfumato.partition.contract import Task as Task
    from sfumato.partition.steps.contract import Bind as Bind
    from sfumato.partition.steps.contract import StepMaker as StepMaker
    from sfumato.policy.forms import Form as Form
    from sfumato.policy.methods import Method as Method
    from sfumato.policy.phrases import Phrases as Phrases
    from sfumato.policy.promise import Capping as Capping
    from sfumato.policy.promises import Count as Count
    from sfumato.policy.promises import Promise as Promise
    from sfumato.policy.promises import Ratio as Ratio
    from sfumato.policy.promises import Values as Values
    from sfumato.policy.promises import promise as promise
    from sfumato.policy.sections import Section as Section
    from sfumato.policy.steps import Step as Step
    from sfumato.randomness import Randomness as Randomness
    from sfumato.release.opening import Opened as Opened
    from sfumato.release.subject import Lacking as Lacking
    from sfumato.release.subject import Subject as Subject
    from sfumato.release.views.contract import Seen as Seen
    from sfumato.release.views.contract import View as View
    from sfumato.table.domain import Domain as Domain
    from sfumato.table.domain import SetDomain as SetDomain
    from sfumato.table.tuples import Tuples as Tuples
    from sfumato.taxonomy.tree import Taxonomy as Taxonomy

__getattr__, __dir__, __all__ = lazily(__name__, EXTENDING)
