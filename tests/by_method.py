"""Asking one method, whatever the planner would choose.

Tests of methods go through this module, so that the way methods are asked is written here alone.
"""

from dataclasses import replace

import numpy as np

import sfumato as sf
from sfumato.measures import as_measure
from sfumato.planner import method_named
from sfumato.query import Query


def question(a, b, measure="rand", quantity="expectation"):
    """The question as methods see it."""
    return Query.of(sf.as_partition(a), sf.as_partition(b), as_measure(measure), quantity)


def planned(name, a, b, measure="rand", quantity="expectation", *, engine=None, **budget):
    """What one method would do, or None where it cannot answer; ``budget`` changes the policy."""
    policy = replace((engine or sf.Auto()).policy(), **budget)
    return method_named(name).plan(question(a, b, measure, quantity), policy)


def answer(name, a, b, measure="rand", quantity="expectation", *, engine=None, rng=0, **budget):
    """The answer of one method, or None where it cannot answer; ``budget`` changes the policy."""
    plan = planned(name, a, b, measure, quantity, engine=engine, **budget)
    if plan is None:
        return None
    return method_named(name).run(
        plan, rng=np.random.default_rng(rng), deadline=None, progress=lambda share: None
    )
