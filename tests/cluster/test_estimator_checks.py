"""The estimators follow scikit-learn's conventions."""

import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import sfumato as sf
from cluster.estimators import estimators

ESTIMATORS = estimators(2)


# The checks allow five iterations and a few objects, so neither warning is news.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@parametrize_with_checks(ESTIMATORS)
def test_the_checks_of_scikit_learn_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_a_fitted_estimator_carries_a_partition_and_fits_in_a_pipeline(estimator):
    objects = [[0.0, 1.0], [0.1, 1.2], [0.2, 0.9], [5.0, 4.0], [5.2, 4.1], [5.1, 3.8]]
    fitted = clone(estimator).set_params(random_state=0).fit(objects)
    assert isinstance(fitted.partition_, sf.Partition)
    assert fitted.partition_.harden().equivalent(sf.HardPartition(fitted.labels_))
    pipeline = make_pipeline(StandardScaler(), clone(estimator).set_params(random_state=0))
    assert sf.compare(pipeline.fit_predict(objects), [0, 0, 0, 1, 1, 1]).mean == 1
