"""Asking one method, whatever the planner would choose."""

from dataclasses import replace

import numpy as np

import sfumato as sf
from sfumato.measures import as_measure
from sfumato.planner import method_named
from sfumato.question.query import Query


def answer(name, a, b, measure="rand", quantity="expectation", *, engine=None, **budget):
    """The answer of one method, or None where it cannot answer; ``budget`` changes the policy."""
    query = Query.of(sf.as_partition(a), sf.as_partition(b), as_measure(measure), quantity)
    policy = replace((engine or sf.Auto()).policy(), **budget)
    method = method_named(name)
    plan = method.plan(query, policy)
    if plan is None:
        return None
    rng = np.random.default_rng(0)
    return method.run(plan, rng=rng, deadline=None, progress=lambda share: None)
