"""Intervals and p-values of groups, for the tests of counts and of rows."""

from sklearn_ordinal.inference._group_values import (
    GroupedCounts,
    infer_from_influences,
    infer_from_sample_influences,
    with_pvalues,
)


def inferred_groups(metrics, drawn, exchanged, names, rng, *, prevalence, n_permutations):
    """Return intervals in closed form, with p-values."""
    is_counted = isinstance(drawn, GroupedCounts)
    infer = infer_from_influences if is_counted else infer_from_sample_influences
    return with_pvalues(
        infer(metrics, drawn, names, prevalence=prevalence, confidence_level=0.95),
        metrics,
        exchanged,
        rng,
        prevalence=prevalence,
        n_permutations=n_permutations,
    )
