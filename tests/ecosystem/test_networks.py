"""The recipes for PyTorch of docs/guide/training.rst, which shows the lines between the marks.

They are run where torch is installed, as in the step ``torch`` of .ci/run.
"""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, mean_absolute_error

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal.metrics import cem_ord_score

torch = pytest.importorskip("torch", reason="several gigabytes, not in the extra test-all")

N_CLASSES = 4


@pytest.fixture
def data():
    """Return features and classes for training and for validation, and loaders of them."""
    torch.manual_seed(0)
    y = torch.arange(600) % N_CLASSES
    X = torch.randn(600, 2) + y[:, None]
    sets = [
        torch.utils.data.TensorDataset(X[part], y[part]) for part in (slice(400), slice(400, None))
    ]
    return [torch.utils.data.DataLoader(part, batch_size=64) for part in sets]


def test_torchmetrics_on_a_device():
    pytest.importorskip("torchmetrics")
    batches = [([0, 1, 2], [0, 2, 2]), ([3], [1])]
    loader = [map(torch.tensor, batch) for batch in batches]
    # [torchmetrics]
    from torchmetrics.classification import MulticlassConfusionMatrix

    device = "cuda" if torch.cuda.is_available() else "cpu"
    matrix = MulticlassConfusionMatrix(num_classes=4).to(device)
    for y_true, y_pred in loader:
        matrix.update(y_pred.to(device), y_true.to(device))
    confusion = OrdinalConfusion.from_counts(matrix.compute().cpu())
    value = get_metric("cem_ord")(confusion)
    # [end]
    assert confusion.counts.sum() == 4
    assert value == cem_ord_score([0, 1, 2, 3], [0, 2, 2, 1], labels=range(4))
    error = get_metric("ordinal_mean_absolute_error")(confusion)
    assert error == mean_absolute_error([0, 1, 2, 3], [0, 2, 2, 1])


def test_early_stopping_over_a_loader(data):
    training, validation = data
    model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

    # [batches]
    def predicted(model, loader):
        model.eval()
        with torch.inference_mode():
            for X, y in loader:
                yield y.cpu(), model(X).argmax(dim=1).cpu()

    def cem_ord(model, loader):
        confusion = OrdinalConfusion.from_batches(predicted(model, loader), labels=range(4))
        return get_metric("cem_ord")(confusion)

    # [end]
    values = []
    # [early_stopping]
    best, patience = -np.inf, 5
    for epoch in range(100):
        model.train()
        for X, y in training:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(X), y).backward()
            optimizer.step()
        value = cem_ord(model, validation)
        if value > best:
            best, best_epoch = value, epoch
            best_state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        values.append(value)
        if epoch - best_epoch >= patience:
            break
    model.load_state_dict(best_state)
    # [end]
    print(f"early stopping: CEM_ORD {best:.3f} in epoch {best_epoch} of {len(values)}")
    assert best == max(values) == cem_ord(model, validation)
    assert len(values) == best_epoch + 6 < 100
    y = torch.cat([y for _, y in validation])
    y_pred = torch.cat([pred for _, pred in predicted(model, validation)])
    assert best == cem_ord_score(y.numpy(), y_pred.numpy())
    confusion = OrdinalConfusion.from_batches(predicted(model, validation), labels=range(4))
    assert get_metric("accuracy")(confusion) == pytest.approx(accuracy_score(y, y_pred))


def test_coral_and_corn(data):
    (X, y), (X_test, y_test) = (loader.dataset.tensors for loader in data)
    n_classes = N_CLASSES

    # [coral]
    class Coral(torch.nn.Module):
        """One weight for all thresholds, so that the outputs fall from threshold to threshold."""

        def __init__(self, n_features, n_classes):
            super().__init__()
            self.score = torch.nn.Linear(n_features, 1, bias=False)
            self.bias = torch.nn.Parameter(torch.linspace(1, -1, n_classes - 1))

        def forward(self, X):
            return self.score(X) + self.bias

    def threshold_loss(logits, y, *, is_conditional):
        thresholds = torch.arange(logits.shape[1], device=logits.device)
        losses = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, (y[:, None] > thresholds).float(), reduction="none"
        )
        # In CORN networks, only samples that reach a class train the threshold above it.
        return losses[y[:, None] >= thresholds].mean() if is_conditional else losses.mean()

    # [end]
    def fit(model, *, is_conditional):
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        for _ in range(100):
            optimizer.zero_grad()
            threshold_loss(model(X), y, is_conditional=is_conditional).backward()
            optimizer.step()
        return model

    # [forecasts]
    coral = fit(Coral(2, n_classes), is_conditional=False)
    corn = fit(torch.nn.Linear(2, n_classes - 1), is_conditional=True)
    with torch.inference_mode():
        above = {
            "CORAL": torch.sigmoid(coral(X_test)),
            "CORN": torch.sigmoid(corn(X_test)).cumprod(dim=1),
        }
    forecasts = {
        name: OrdinalForecasts.from_cumulative(y_test, outputs.cpu(), labels=range(n_classes))
        for name, outputs in above.items()
    }
    # [end]
    score = get_metric("ranked_probability_score")
    for name, outputs in above.items():
        is_above = y_test[:, None] > torch.arange(n_classes - 1)
        # The sum over the thresholds of the squared error, averaged over the samples.
        expected = ((outputs - is_above.float()) ** 2).sum(dim=1).mean().item()
        print(f"{name}: ranked probability score {score(forecasts[name]):.3f}")
        assert score(forecasts[name]) == pytest.approx(expected, rel=1e-5)
        assert score(forecasts[name]) < 0.4
