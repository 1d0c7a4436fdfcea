"""How many nodes a search is given."""

import numpy as np

import sfumato as sf
from by_method import question
from sfumato.question.search_nodes import search_nodes
from strategies import random_rough


def rough(n, k, seed):
    return random_rough(np.random.default_rng(seed), n, k, 0.2)


def query(n, k, truth=None):
    return question(rough(n, k, 0), rough(n, k, 1) if truth is None else truth)


def test_small_problems_get_all_nodes():
    assert search_nodes(query(100, 3), sf.Auto().policy()) == sf.Auto().max_nodes


def test_many_types_get_fewer_nodes_where_a_bracket_is_welcome():
    large = query(2000, 8)
    usual = search_nodes(large, sf.Auto().policy())
    assert 10 <= usual < 1000
    more = sf.Auto(max_nodes=10 * sf.Auto().max_nodes)
    assert abs(search_nodes(large, more.policy()) - 10 * usual) <= 10
    assert search_nodes(large, sf.Exact().policy()) == sf.Exact().max_nodes
    assert search_nodes(large, sf.Bounds().policy()) == 0


def test_against_a_hard_truth_the_types_do_not_count():
    hard = query(2000, 8, np.arange(2000) % 8)
    assert search_nodes(hard, sf.Auto().policy()) == sf.Auto().max_nodes


def test_a_limit_of_time_knows_what_a_node_takes():
    policy = sf.Auto(max_seconds=1.0).policy()
    many, few = (search_nodes(query(n, k), policy) for n, k in ((2000, 8), (200, 4)))
    assert 0 < many < 100 < few <= sf.Auto().max_nodes


def test_a_search_with_fewer_nodes_says_so():
    found = sf.compare(rough(400, 8, 0), rough(400, 8, 1), engine=sf.Auto(max_nodes=1000))
    assert found.guarantee == "certified"
    assert any("a node takes long; raise max_nodes" in note for note in found.notes)
