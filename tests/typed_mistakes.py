"""Wrong calls, each of which mypy and pyright must report. They are never run."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from pathlib import Path

from sklearn_ordinal import OrdinalReport, OrdinalScale, get_metric, ordinal_report
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.meta_evaluation import check_properties
from sklearn_ordinal.metrics import cem_ord_score, multioutput_score, threshold_roc_auc_score


def make_mistakes(report: OrdinalReport, path: Path) -> None:
    y_true, y_pred = [0, 1, 2], [0, 2, 2]
    number: int = ordinal_report(y_true, y_pred)  # type: ignore[assignment]
    text: str = ordinal_report(y_true, y_pred, output_dict=True)  # type: ignore[assignment]
    ordinal_report(y_true, y_pred, unanswered="skip")  # type: ignore[call-overload]
    ordinal_report(y_true, y_pred, label=[0, 1, 2])  # type: ignore[call-overload]
    OrdinalReport.from_predictions(y_true, y_pred, digit=3)  # type: ignore[call-arg]
    page: str = report.to_html(path)  # type: ignore[assignment]
    latex: str = report.to_latex(path)  # type: ignore[assignment]
    content: dict[str, float] = report.to_json()  # type: ignore[assignment]
    report.to_markdown(detail=True)  # type: ignore[call-overload]
    OrdinalScale({"low": 0})  # type: ignore[arg-type]
    cem_ord_score(y_true, y_pred, [0, 1, 2])  # type: ignore[call-arg]
    cem_ord_score(y_true, y_pred, adjusted="yes")  # type: ignore[arg-type]
    get_metric("cem_ord").name = "mine"  # type: ignore[misc]
    bootstrap_interval(y_true, y_pred)["cem_ord"]  # type: ignore[index]
    print(bootstrap_interval(y_true, y_pred, ["cem_ord"]).low)  # type: ignore[attr-defined]
    print(bootstrap_interval(y_true, y_pred, "all").low)  # type: ignore[attr-defined]
    bootstrap_interval(y_true, y_pred, method="normal")  # type: ignore[call-overload]
    paired_difference(y_true, y_pred, y_pred, "cem_ord").keys()  # type: ignore[attr-defined]
    check_properties(["cem_ord", "accuracy"])  # type: ignore[arg-type]
    area: list[float] = threshold_roc_auc_score(y_true, y_pred)  # type: ignore[assignment]
    print(multioutput_score([[0]], [[0]], "cem_ord").shape)  # type: ignore[attr-defined]
    print(number, text, page, latex, content, area)
