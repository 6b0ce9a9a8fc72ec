"""The plot of the power, or the half width, by the number of samples."""

from sklearn_ordinal.groups._sample_sizes import RequiredSamplesDisplay

N_SAMPLES, POWER = [100, 200, 400], [0.3, 0.52, 0.81]


def display(n_samples=N_SAMPLES, values=POWER, band=None, **options):
    options = {"required": (395, 0.8), "criterion": "cem_ord", **options}
    return RequiredSamplesDisplay(n_samples, values, band, **options)


def test_the_curve_the_band_and_the_required_number_are_drawn():
    drawn = display(band=([0.2, 0.4, 0.7], [0.4, 0.6, 0.9])).plot()
    assert drawn.line_.get_xydata().tolist() == [[100, 0.3], [200, 0.52], [400, 0.81]]
    assert drawn.required_.get_xydata().tolist() == [[395, 0.8]]
    assert drawn.target_.get_ydata().tolist() == [0.8, 0.8]
    texts = [text.get_text() for text in drawn.legend_.get_texts()]
    assert texts == ["cem_ord: 395", "power of 0.8", "pilot drawn again"]
    assert drawn.legend_.get_title().get_text() == "Required samples"
    assert drawn.ax_.get_ylim() == (0, 1)


def test_without_a_band_the_legend_does_not_name_it():
    drawn = display(value_name="half width", required=(395, 0.02)).plot()
    assert drawn.band_ is None
    assert drawn.legend_.get_texts()[-1].get_text() == "half width of 0.02"
