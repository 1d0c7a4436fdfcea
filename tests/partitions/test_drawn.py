"""Drawn partitions: what goes in, what they are, and what can be made of them."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import oracle
import sfumato as sf
from sfumato.partitions import IndependentPartition
from sfumato.partitions.reading import drawn_labels as module

DRAWS = [[0, 0, 1, 1], [4, 4, 2, 2], [0, 0, 0, 1], [0, 1, 2, 3]]


@pytest.mark.parametrize(
    ("labels", "weights", "message"),
    [
        ([0, 1, 1], None, "labels must be 2-D, draws by objects; got 3 entries"),
        ([[0.0, np.nan]], None, r"Draw 0 has no label for object 1 \(nan\)"),
        ([["a", "b"], ["a", np.nan]], None, r"Draw 1 has no label for object 1 \(nan\)"),
        ([["a", "b"], ["a", None]], None, r"Draw 1 has no label for object 1 \(None\)"),
        ([[0.0, 0.5]], None, r"Draw 0, object 1 is 0.5: labels must be whole"),
        ([[0.0, np.inf]], None, r"Draw 0, object 1 is inf"),
        (DRAWS, [1, -1, 1, 1], r"weights\[1\] is -1"),
        (DRAWS, [1, np.nan, 1, 1], r"weights\[1\] is nan"),
        (DRAWS, [1, np.inf, 1, 1], r"weights\[1\] is inf"),
        (DRAWS, [0, 0, 0, 0], "All weights are zero"),
        (DRAWS, [1, 1], r"weights must be 4 numbers, one per draw; got shape \(2,\)"),
        (DRAWS, ["a"] * 4, "weights must be 4 numbers"),
        (DRAWS, 0.25, "weights must be 4 numbers"),
    ],
)
def test_labels_that_are_no_draws_and_weights_that_are_none_are_refused(labels, weights, message):
    with pytest.raises(sf.InputError, match=message):
        sf.DrawnPartition(labels, weights)


@pytest.mark.parametrize("labels", [[[2**63, 2**63 + 1, -1]], [["1", 1, "a"]]])
def test_labels_in_lists_are_taken_as_they_are(labels):
    assert sf.DrawnPartition(labels).codes.tolist() == [[0, 1, 2]]


def test_weights_are_divided_by_their_sum():
    assert sf.DrawnPartition(DRAWS, [1, 2, 3, 4]).weights.tolist() == [0.1, 0.2, 0.3, 0.4]
    huge = sf.DrawnPartition(DRAWS, [1e308] * 4).weights
    assert huge.tolist() == [0.25] * 4


def test_draws_without_weight_do_not_count():
    drawn = sf.DrawnPartition(DRAWS, [1, 1, 1, 0])
    assert (drawn.n_clusters, drawn.n_draws, len(drawn.distinct.weights)) == (2, 4, 2)
    assert sf.compare(drawn, DRAWS[0], quantity="range").lower == oracle.rand(
        tuple(DRAWS[0]), tuple(DRAWS[2])
    )


def test_memory_is_stated_before_it_is_used(monkeypatch):
    monkeypatch.setattr(module, "MOST_LABELS", 10)
    with pytest.raises(sf.CostError, match=r"4 draws of 4 objects need about 3.84e-07 GB"):
        sf.DrawnPartition(DRAWS)


def test_a_drawn_partition_is_no_statement_about_single_objects():
    drawn = sf.DrawnPartition(DRAWS)
    assert not isinstance(drawn, IndependentPartition)
    assert not hasattr(drawn, "statements")
    for refused in (
        lambda: sf.relational(drawn),
        lambda: sf.compare(drawn, DRAWS[0]).contributions(),
        lambda: sf.compare(drawn, DRAWS[0]).expected_table(),
        lambda: sf.indices.campello(drawn, DRAWS[0]),
        lambda: sf.indices.pair_brier_interval(drawn, DRAWS[0]),
        lambda: sf.interop.to_evclust(drawn),
    ):
        with pytest.raises(sf.UnsupportedError, match="depend on each other"):
            refused()
    assert sf.compare(drawn, DRAWS[0]).hardened is None


def test_it_never_changes_and_can_be_copied():
    drawn = sf.DrawnPartition(DRAWS, [1, 2, 3, 4])
    assert drawn.distinct.weights == pytest.approx([0.3, 0.3, 0.4])
    for version in (drawn, copy.deepcopy(drawn), pickle.loads(pickle.dumps(drawn))):
        assert version == drawn
        assert not version.codes.flags.writeable
        with pytest.raises(AttributeError, match="never changes"):
            version.weights = None
    assert drawn != sf.DrawnPartition(DRAWS)
    assert drawn != sf.HardPartition(DRAWS[0])


def test_it_says_what_it_is():
    drawn = sf.DrawnPartition(DRAWS)
    assert repr(drawn) == "DrawnPartition(4 objects, 4 clusters, 4 draws, 3 distinct)"
    assert "<td>2</td><td>0.750</td>" in drawn._repr_html_()
    assert drawn.draw(2).codes.tolist() == [0, 0, 0, 1]
    assert drawn.draw(-1).n_clusters == 4
    for at in (4, -5, 1.0, True):
        with pytest.raises(sf.InputError, match="There is no draw"):
            drawn.draw(at)


def test_draws_are_sampled_by_their_weights():
    drawn = sf.DrawnPartition(DRAWS, [0, 0, 1, 3])
    rng = np.random.default_rng(0)
    sizes = [drawn.sample(rng).n_clusters for _ in range(400)]
    assert sizes.count(4) == pytest.approx(300, abs=40)
    assert sizes.count(2) == 400 - sizes.count(4)


def test_objects_can_be_taken_and_dropped():
    drawn = sf.DrawnPartition(DRAWS)
    taken = drawn.take([3, 2])
    assert taken.codes.tolist() == [[0, 0], [0, 0], [0, 1], [0, 1]]
    some = drawn.drop([False, False, True, False])
    assert sf.compare(some, ["x", "x", "y", "y"]).mean == pytest.approx(
        sf.compare(drawn.take([0, 1, 3]), ["x", "x", "y"]).mean
    )


def test_columns_of_a_dataframe_are_the_objects():
    frame = pd.DataFrame(DRAWS, columns=["p", "q", "r", "s"])
    truth = pd.Series(["y", "y", "x", "x"], index=["s", "r", "q", "p"])
    drawn = sf.DrawnPartition(frame)
    assert drawn.index.tolist() == ["p", "q", "r", "s"]
    assert sf.compare(drawn, truth).mean == sf.compare(DRAWS_AS_DRAWN, ["x", "x", "y", "y"]).mean
    assert sf.DrawnPartition(pd.DataFrame(DRAWS)).index is None
    with pytest.raises(sf.InputError, match="different objects"):
        sf.compare(drawn, truth.rename({"p": "z"}))


DRAWS_AS_DRAWN = sf.DrawnPartition(DRAWS)


@pytest.mark.parametrize(
    ("other", "paired", "message"),
    [
        (DRAWS[0], True, "not drawn against hard"),
        (sf.DrawnPartition(DRAWS[:3]), True, r"\(4 and 3\)"),
        (sf.DrawnPartition(DRAWS, [1, 2, 3, 4]), True, "same weights"),
        (DRAWS_AS_DRAWN, "yes", "True or False"),
        ([0, 1, 1], False, "4 and 3 objects"),
    ],
)
def test_pairs_need_two_chains_of_one_length(other, paired, message):
    with pytest.raises(sf.InputError, match=message):
        sf.compare(DRAWS_AS_DRAWN, other, paired=paired)


def test_as_partition_takes_draws_when_told_so():
    assert sf.as_partition(DRAWS, kind="drawn") == DRAWS_AS_DRAWN
    assert sf.as_partition(DRAWS_AS_DRAWN) is DRAWS_AS_DRAWN
    with pytest.raises(sf.InputError, match="no noise="):
        sf.as_partition(DRAWS, kind="drawn", missing="drop")
    with pytest.raises(sf.InputError, match="not a special fuzzy one"):
        sf.as_partition(DRAWS_AS_DRAWN, kind="fuzzy")


@pytest.mark.parametrize("loss", ["vi", "binder", "adjusted_rand"])
def test_a_point_estimate_says_what_it_is_worth(loss):
    estimate = DRAWS_AS_DRAWN.point_estimate(loss, rng=0)
    measure = {"vi": "variation_of_information", "binder": "rand"}.get(loss, loss)
    mean = sf.compare(DRAWS_AS_DRAWN, estimate, measure=measure).mean
    expected = mean if loss == "vi" else 1 - mean
    (note,) = estimate.notes
    assert f"expected loss {expected:.6g}, on the 4 draws it was searched on" in note
    assert "attained" in note
    assert "not proven" in note
    assert note in sf.compare(estimate, DRAWS[0]).notes


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("credible_ball", {"center": [0, 1, 1]}, "4 and 3 objects"),
        ("memberships", {"reference": [0, 1, 1]}, "4 and 3 objects"),
        ("point_estimate", {"loss": "rand"}, "Unknown loss 'rand'"),
        ("point_estimate", {"n_starts": 0}, "n_starts"),
        ("point_estimate", {"rng": "x"}, "rng"),
        ("credible_ball", {"loss": "adjusted_rand"}, "Unknown loss of a credible ball"),
        *(("credible_ball", {"level": it}, "level must be") for it in (0, 1.5, "x", np.nan)),
    ],
)
def test_options_of_estimates_are_checked(name, options, message):
    with pytest.raises(sf.InputError, match=message):
        getattr(DRAWS_AS_DRAWN, name)(**options)


@pytest.mark.parametrize("loss", ["vi", "binder"])
def test_a_credible_ball_is_the_smallest_that_holds_the_level(loss):
    rng = np.random.default_rng(0)
    draws, weights = rng.integers(0, 3, (40, 6)), rng.dirichlet(np.ones(40))
    drawn, center = sf.DrawnPartition(draws, weights), (0, 0, 1, 1, 2, 2)
    literal = {
        "vi": oracle.variation_of_information,
        "binder": lambda a, b: 1 - oracle.rand(a, b),
    }[loss]
    distances = np.array([literal(center, tuple(row)) for row in draws])
    for level in (0.1, 0.5, 0.95, 1.0):
        ball = drawn.credible_ball(list(center), level, loss=loss)
        radii = [r for r in distances if weights[distances <= r + 1e-9].sum() >= level - 1e-12]
        assert ball.radius == pytest.approx(min(radii), abs=1e-12)
        assert ball.is_inside.tolist() == (distances <= ball.radius + 1e-9).tolist()
        assert ball.mass == pytest.approx(weights[ball.is_inside].sum())
        inside = [row for row, is_in in zip(draws, ball.is_inside, strict=True) if is_in]
        sizes = [len(set(row)) for row in inside]
        far = {
            "horizontal": inside,
            "upper_vertical": [r for r, s in zip(inside, sizes, strict=True) if s == min(sizes)],
            "lower_vertical": [r for r, s in zip(inside, sizes, strict=True) if s == max(sizes)],
        }
        for name, rows in far.items():
            largest = max(literal(center, tuple(row)) for row in rows)
            expected = {
                oracle.canonical(tuple(row))
                for row in rows
                if literal(center, tuple(row)) >= largest - 1e-9
            }
            found = {oracle.canonical(tuple(side.codes)) for side in getattr(ball, name)}
            assert found == expected
    assert repr(ball).startswith("<ball of radius")


def test_a_ball_without_a_center_is_around_the_point_estimate():
    ball = DRAWS_AS_DRAWN.credible_ball(level=0.5, rng=0)
    assert ball.center.equivalent(DRAWS_AS_DRAWN.point_estimate(rng=0))
    assert ball.radius == 0.0


def test_memberships_are_shares_of_draws_after_matching():
    reference = ["a", "a", "b", "b"]
    found = DRAWS_AS_DRAWN.memberships(reference)
    assert found.names == ("a", "b", "unmatched")
    # Draw 3 is four single objects: one of each cluster finds its partner.
    assert found.memberships[:, 2].sum() == pytest.approx(0.5)
    assert found.memberships[0, 0] >= 0.75
    assert "which objects go together is lost" in found.notes[-1]
    assert found.notes[-1] in sf.compare(found, reference).notes
    plain = sf.DrawnPartition(DRAWS[:3]).memberships(reference)
    assert plain.names == ("a", "b")
    assert plain.memberships == pytest.approx(np.array([[1, 0], [1, 0], [1 / 3, 2 / 3], [0, 1]]))


def test_averaging_after_relabelling_is_another_question():
    # Two objects that are always together and jump together.
    drawn = sf.DrawnPartition([[0, 0, 0, 1], [1, 1, 0, 1]])
    truth = [0, 0, 0, 1]
    fuzzy = drawn.memberships(truth)
    assert sf.compare(drawn, truth).mean == pytest.approx((1 + 1 / 3) / 2)
    assert sf.compare(fuzzy, truth).mean != pytest.approx((1 + 1 / 3) / 2)


def test_a_cluster_may_be_called_unmatched():
    found = sf.DrawnPartition([[0, 0, 1], [0, 0, 0]]).memberships(["unmatched"] * 3)
    assert found.names == ("unmatched", "unmatched_")
    assert found.memberships.tolist() == [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]
