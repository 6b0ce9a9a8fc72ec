"""
Predictions in DuckDB
=====================

A metric of labels needs only the counts of true and predicted classes. If the predictions are in
files or in a database, they are counted there, and the query returns one row for each pair of
classes. The example needs duckdb and narwhals, and statsmodels for the data.
"""

# %%
# A model rates marriages from 1, "very poor", to 5, "very good", and its predictions are in a
# parquet file, together with facts about each marriage:
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from statsmodels.datasets import fair

from sklearn_ordinal import GroupReport, OrdinalConfusion, get_metric
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay

survey = fair.load_pandas().data
y = survey["rate_marriage"].astype(int)
model = make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))
predicted = cross_val_predict(model, survey.drop(columns="rate_marriage"), y)

folder = TemporaryDirectory()
file = Path(folder.name) / "predictions.parquet"
answers = survey.assign(rating=y, predicted=predicted)
connection = duckdb.connect()
connection.sql("SELECT * FROM answers").write_parquet(str(file))

# %%
# Any query can be used as a table. This query makes three groups, and neither its result nor the
# file is read into memory:
table = connection.sql(f"""
    SELECT rating, predicted,
           CASE WHEN yrs_married < 5 THEN 'under 5 years'
                WHEN yrs_married < 15 THEN '5 to 15 years'
                ELSE '15 years and more' END AS married
    FROM '{file}'
""")
confusion = OrdinalConfusion.from_table(table, "rating", "predicted")
print(confusion)
print(f"CEM_ORD {get_metric('cem_ord')(confusion):.3f}")

# %%
# Metrics, reports and plots need only the counts:
OrdinalConfusionMatrixDisplay.from_confusion(
    confusion, target_names=["very poor", "poor", "fair", "good", "very good"], normalize="true"
)

# %%
# With ``by=``, DuckDB counts each group, and the report compares them:
by_duration = OrdinalConfusion.from_table(table, "rating", "predicted", by="married")
report = GroupReport.from_confusion(by_duration, metrics="cem_ord")
for group, interval in report.by_group["cem_ord"].items():
    print(f"{group:18} {interval}")
print("largest difference:", report.difference()["cem_ord"])
report.plot("cem_ord")

# %%
# The value is highest for the youngest marriages. But the p-value, which compares marriages with
# the same rating, is not small: young marriages are rated higher, and the higher ratings are
# predicted better.

# %%
# polars, Dask, Spark and Ibis work in the same way, see :doc:`/guide/tables`.
connection.close()
folder.cleanup()
plt.show()
