"""Asking one method, whatever the planner would choose.

Tests of methods go through this module, so that the way methods are asked is written here alone.
"""

import time
from dataclasses import replace
from math import inf

import numpy as np

import sfumato as sf
from sfumato import planner
from sfumato.algorithms.deadline import Deadline
from sfumato.measures import as_measure
from sfumato.planner import METHODS
from sfumato.question.query import Query


def question(a, b, measure="rand", quantity="expectation"):
    """The question that ``compare`` would ask."""
    return Query.of(sf.as_partition(a), sf.as_partition(b), as_measure(measure), quantity)


def plans(name, query, policy):
    """The welcome plans of one method, the preferred first; none where the question is not its."""
    method = next(method for method in METHODS if method.name == name)
    if not any(scope.holds(query) for scope in method.scopes):
        return []
    made = [replace(plan, method=name) for plan in method.plan(query, policy)]
    welcome = [plan for plan in made if policy.accepts(plan.guarantee)]
    return sorted(welcome, key=lambda plan: policy.rank(plan.guarantee))


def planned(name, a, b, measure="rand", quantity="expectation", *, engine=None, **budget):
    """What one method would do, or None where it cannot answer; ``budget`` changes the policy."""
    policy = replace((engine or sf.Auto()).policy(), **budget)
    return next(iter(plans(name, question(a, b, measure, quantity), policy)), None)


def answer(
    name,
    a,
    b,
    measure="rand",
    quantity="expectation",
    *,
    engine=None,
    rng=0,
    clock=time.monotonic,
    **budget,
):
    """The answer of one method, or None where it cannot answer; ``budget`` changes the policy."""
    query = question(a, b, measure, quantity)
    policy = replace((engine or sf.Auto()).policy(), **budget)
    made = plans(name, query, policy)
    if not made:
        return None
    deadline = Deadline(inf if policy.max_seconds is None else policy.max_seconds, clock=clock)
    return planner.run(made[0], query, policy, lambda: np.random.default_rng(rng), deadline)
