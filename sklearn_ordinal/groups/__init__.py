"""Groups and times: values by group, contrasts, changes, and sample sizes."""

from sklearn_ordinal.groups._change_report import ChangeReport
from sklearn_ordinal.groups._change_report import report_change as report_change
from sklearn_ordinal.groups._group_contrasts import GroupContrasts
from sklearn_ordinal.groups._group_report import GroupReport
from sklearn_ordinal.groups._sample_sizes import RequiredSamples
from sklearn_ordinal.groups._sample_sizes import RequiredSamplesDisplay as RequiredSamplesDisplay
from sklearn_ordinal.groups._sample_sizes import required_samples as required_samples

__all__ = [
    "ChangeReport",
    "GroupContrasts",
    "GroupReport",
    "RequiredSamples",
]
