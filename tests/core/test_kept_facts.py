"""Facts of the samples, clusters and systems, that evidence keeps where it loses its samples."""

import copy
import io
import pickle
from dataclasses import replace

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, OrdinalScores
from sklearn_ordinal.groups import GroupReport
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.reports import OrdinalReport
from sklearn_ordinal.systems import compare_systems

RNG = np.random.default_rng(0)
N = 60
TRUE = np.arange(N) % 3
FIRST = np.where(RNG.random(N) < 0.7, TRUE, RNG.integers(3, size=N))
SECOND = np.where(RNG.random(N) < 0.6, TRUE, RNG.integers(3, size=N))
CLUSTERS = np.arange(N) // 6
REGION = np.where(np.arange(N) % 2, "north", "south")
PROBA = RNG.dirichlet(np.ones(3), N)
OPTIONS = {"n_resamples": 19, "random_state": 0}

CLUSTERED = OrdinalConfusion.from_predictions(TRUE, FIRST, clusters=CLUSTERS)
SYSTEMS = OrdinalConfusion.from_systems(TRUE, {"a": FIRST, "b": SECOND})
PER_SAMPLE = [
    OrdinalForecasts.from_probabilities(TRUE, PROBA, clusters=CLUSTERS),
    OrdinalScores.from_scores(TRUE, PROBA[:, 2], clusters=CLUSTERS),
]


def read_back(report, tmp_path):
    report.to_json(tmp_path / "report.json")
    return type(report).from_json(tmp_path / "report.json")


def test_counts_that_lost_their_clusters_are_not_resampled(tmp_path):
    report = OrdinalReport.from_predictions(CLUSTERED)
    kept = [report.confusion, read_back(report, tmp_path).confusion, replace(CLUSTERED)]
    for confusion in kept:
        assert confusion.is_clustered
        with pytest.raises(ValueError, match="do not tell how to draw them"):
            bootstrap_interval(confusion, **OPTIONS)
        with pytest.raises(ValueError, match="must not have clusters or strata to be added"):
            confusion + confusion


def test_groups_that_lost_their_clusters_are_not_resampled():
    groups = OrdinalConfusion.from_predictions(TRUE, FIRST, by=REGION, clusters=CLUSTERS)
    assert groups.pooled().is_clustered
    assert groups["north"].is_clustered
    with pytest.raises(ValueError, match="do not tell which samples to draw together"):
        GroupReport.from_predictions(replace(groups))


@pytest.mark.parametrize("evidence", PER_SAMPLE)
def test_samples_keep_their_clusters(evidence, tmp_path):
    metric = "concordance"
    expected = bootstrap_interval(evidence, metrics=metric, **OPTIONS)
    report = OrdinalReport.from_predictions(evidence, metrics=metric)
    saved = read_back(report, tmp_path).evidence[0]
    for kept in (saved, replace(evidence), pickle.loads(pickle.dumps(evidence))):
        assert kept == evidence
        assert bootstrap_interval(kept, metrics=metric, **OPTIONS) == expected


@pytest.mark.parametrize("clusters", [np.arange(4), np.full(N, 0.5), np.full(N, "a")])
@pytest.mark.parametrize("evidence", PER_SAMPLE)
def test_clusters_that_are_not_an_integer_per_sample_are_refused(evidence, clusters):
    with pytest.raises(ValueError, match="clusters must"):
        replace(evidence, clusters=clusters)


@pytest.mark.parametrize(
    "systems",
    [
        SYSTEMS + SYSTEMS,
        OrdinalConfusion.stack([SYSTEMS, SYSTEMS]),
        SYSTEMS.at_prevalence([0.2, 0.3, 0.5]),
        SYSTEMS.weighted_by_class(np.array([1.0, 2.0, 3.0])),
        replace(SYSTEMS),
        copy.deepcopy(SYSTEMS),
    ],
)
def test_systems_on_the_same_samples_are_never_pooled(systems):
    assert systems.has_systems
    with pytest.raises(ValueError, match="must hold different samples to be pooled"):
        systems.pooled()


def test_sums_of_systems_are_no_groups_and_have_no_pairs():
    with pytest.raises(ValueError, match="got several systems on the same samples"):
        GroupReport.from_predictions(SYSTEMS + SYSTEMS)
    with pytest.raises(
        ValueError, match="must hold the samples of the systems, which sums, stacks"
    ):
        compare_systems(SYSTEMS + SYSTEMS, **OPTIONS)
    assert not SYSTEMS["a"].has_systems
    with pytest.raises(ValueError, match="has_systems must be False for one matrix"):
        replace(SYSTEMS["a"], has_systems=True)


def test_clusters_and_pairs_of_systems_decide_equality():
    plain = OrdinalConfusion.from_predictions(TRUE, FIRST)
    others = OrdinalConfusion.from_predictions(TRUE, FIRST, clusters=np.arange(N) // 3)
    assert plain != CLUSTERED
    assert others != CLUSTERED
    order = np.lexsort((SECOND, TRUE))
    # Within a true class, other samples have the predictions of the second system.
    second = SECOND.copy()
    second[np.sort(order[:20])] = SECOND[order[:20]]
    repaired = OrdinalConfusion.from_systems(TRUE, {"a": FIRST, "b": second})
    assert (repaired.counts == SYSTEMS.counts).all()
    assert repaired != SYSTEMS
    shuffled = RNG.permutation(N)
    for evidence, same in [
        (
            CLUSTERED,
            OrdinalConfusion.from_predictions(
                TRUE[shuffled], FIRST[shuffled], clusters=CLUSTERS[shuffled]
            ),
        ),
        (
            SYSTEMS,
            OrdinalConfusion.from_systems(
                TRUE[shuffled], {"a": FIRST[shuffled], "b": SECOND[shuffled]}
            ),
        ),
    ]:
        assert evidence == same
        assert hash(evidence) == hash(same)
        assert evidence == pickle.loads(pickle.dumps(evidence))
    assert PER_SAMPLE[0] != OrdinalForecasts.from_probabilities(TRUE, PROBA)


def test_repr_shows_clusters_and_systems():
    assert "60 samples in 10 clusters, rows true" in repr(CLUSTERED)
    assert "60 samples in clusters that were not kept," in repr(replace(CLUSTERED))
    assert repr(SYSTEMS).endswith("over the classes [0, 1, 2] and the systems ['a', 'b']")
    assert "60 samples in 10 clusters over the classes" in repr(PER_SAMPLE[0])


def test_scores_and_soft_counts_of_forecasts_keep_the_groups():
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=REGION, clusters=CLUSTERS)
    scores, confusion = forecasts.to_scores(), forecasts.to_confusion()
    assert scores.groups == confusion.groups == ("north", "south")
    assert scores["south"] == forecasts["south"].to_scores()
    assert confusion["south"] == forecasts["south"].to_confusion()
    assert confusion.is_clustered


@pytest.mark.parametrize("read", ["from_probabilities", "from_scores"])
def test_samples_keep_their_groups(read):
    kind = OrdinalForecasts if read == "from_probabilities" else OrdinalScores
    evidence = getattr(kind, read)(TRUE, PROBA, by=REGION, clusters=CLUSTERS)
    options = {"metrics": "concordance", "n_permutations": 19, "random_state": 0}
    expected = GroupReport.from_predictions(evidence, **options)
    saved = kind.from_json(io.StringIO(evidence.to_json()))
    for kept in (saved, replace(evidence), pickle.loads(pickle.dumps(evidence))):
        assert kept == evidence
        assert kept.groups == ("north", "south")
        assert kept["south"] == evidence["south"]
        assert GroupReport.from_predictions(kept, **options) == expected


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"groups": ("north",)}, "got 1 names for a stack of shape"),
        ({"groups": ("north", "north")}, "groups must name each entry once"),
        ({"groups": ()}, "group must be None, since groups is empty"),
        ({"group": None}, "group must hold the position in groups, from 0 to 1, of each"),
        ({"group": np.arange(N)}, "group must hold the position in groups, from 0 to 1, of each"),
        ({"group": np.zeros(N - 1, int)}, "group must hold the position in groups"),
        ({"group": np.full(N, 0.5)}, "group must hold the position in groups"),
    ],
)
def test_groups_that_do_not_fit_the_samples_are_refused(fields, message):
    evidence = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=REGION)
    with pytest.raises(ValueError, match=message):
        replace(evidence, **fields)


@pytest.mark.parametrize("is_unpickled", [False, True])
def test_arrays_of_kept_samples_are_read_only(is_unpickled):
    groups = OrdinalConfusion.from_predictions(TRUE, FIRST, by=REGION, clusters=CLUSTERS)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=REGION, clusters=CLUSTERS)
    for evidence in (groups, forecasts, SYSTEMS):
        kept = pickle.loads(pickle.dumps(evidence)) if is_unpickled else evidence
        values = [*vars(kept).values(), *(getattr(kept, "_samples", None) or ())]
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        assert not any(array.flags.writeable for array in arrays)
