"""Intervals and p-values of groups, for the tests of counts and of rows."""

from sklearn_ordinal.inference import infer_groups, with_pvalues


def inferred_groups(metrics, units, names, rng, *, prevalence, n_resamples):
    """Return intervals from resamples, and p-values from as many permutations."""
    options = {"confidence_level": 0.95, "n_resamples": n_resamples}
    return with_pvalues(
        infer_groups(metrics, units, names, rng, prevalence=prevalence, **options),
        metrics,
        units,
        rng,
        prevalence=prevalence,
        n_permutations=n_resamples,
    )
