"""Learning in the interpreter's own process: fast answers, probabilities, progress, Ctrl-C, pickles."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

pytest.importorskip("sklearn")
import nw  # noqa: E402
from nw import _library  # noqa: E402

EXTENSION, REASON = _library._extension()
if EXTENSION is None:
    pytest.skip(f"nw._nw_torch cannot be loaded: {REASON}", allow_module_level=True)

CENTRES = np.array([[0.0, 0.0], [8.0, 0.0]])


def mixture(seed, share, n=240):
    rng = np.random.default_rng(seed)
    labels = rng.choice(2, n, p=[1 - share, share])
    return CENTRES[labels] + rng.normal(size=(n, 2)), labels


X, LABELS = mixture(0, 0.25)
TARGET, TARGET_LABELS = mixture(1, 0.75)


@pytest.fixture(scope="module")
def adapter():
    return nw.Adapter(steps=200, random_state=0).fit(X, LABELS, TARGET)


@pytest.fixture(scope="module")
def clustering():
    return nw.MixtureClustering(2, steps=60, restarts=1, random_state=0).fit(X)


def two_kinds(share, seed, noise=0.0, n=120):
    """Rows near (2, 2, 2, 2), `share` of them, and near its opposite; the noise comes last."""
    rng = np.random.default_rng(seed)
    centres = np.where(np.arange(n)[:, None] < share * n, 2.0, -2.0)
    rows = centres + 0.1 * rng.normal(size=(n, 4))
    return rows + noise * rng.normal(size=rows.shape)


@pytest.fixture(scope="module")
def denoiser():
    return nw.Denoiser(2, steps=300, random_state=0).fit(two_kinds(0.3, 1, noise=0.5), two_kinds(0.8, 2))


def quickest(call, times=5):
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def test_no_process_is_started(monkeypatch):
    def refuse(*arguments, **more):
        raise AssertionError(f"a process was started: {arguments}")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    model = nw.MixtureClustering(2, steps=5, restarts=1, random_state=0).fit(X)
    assert model.predict(X).shape == (len(X),)


def test_a_hundred_rows_are_predicted_within_twenty_milliseconds(adapter):
    assert quickest(lambda: adapter.predict(TARGET[:100])) < 0.020


def test_probabilities_are_those_of_the_predicted_classes(adapter, clustering):
    for model in (adapter, clustering):
        probability = model.predict_proba(TARGET)
        assert probability.shape == (len(TARGET), 2)
        np.testing.assert_allclose(probability.sum(axis=1), 1.0, atol=1e-6)
        np.testing.assert_array_equal(probability.argmax(axis=1), model.predict(TARGET))


def test_the_row_order_of_what_is_predicted_does_not_matter(adapter):
    order = np.random.default_rng(2).permutation(len(TARGET))
    np.testing.assert_allclose(adapter.predict_proba(TARGET[order]), adapter.predict_proba(TARGET)[order],
                               atol=1e-5)


def test_models_are_pickled_as_bytes_and_give_the_same_answers(adapter, clustering):
    for model in (adapter, clustering):
        stored = pickle.dumps(model)
        np.testing.assert_array_equal(pickle.loads(stored).predict_proba(TARGET), model.predict_proba(TARGET))


def test_a_pickle_is_read_by_another_process(adapter, tmp_path):
    (tmp_path / "model.pickle").write_bytes(pickle.dumps((adapter, TARGET)))
    code = ("import pickle; model, rows = pickle.load(open('model.pickle', 'rb'));"
            "print(int(model.predict(rows).sum()))")
    printed = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    assert int(printed.stdout) == int(adapter.predict(TARGET).sum())


def test_a_denoiser_brings_noisy_rows_nearer_to_their_originals(denoiser):
    clean, noisy = two_kinds(0.5, 3), two_kinds(0.5, 3, noise=0.5)
    denoised = denoiser.transform(noisy)
    assert ((denoised - clean) ** 2).mean() < 0.8 * ((noisy - clean) ** 2).mean()
    assert denoiser.denoised_.shape == (120, 4) and denoiser.removed_variance_ > 0.0


def test_a_denoiser_is_pickled_and_says_what_does_not_fit_it(denoiser):
    rows = two_kinds(0.5, 5, noise=0.5)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(denoiser)).transform(rows), denoiser.transform(rows))
    with pytest.raises(ValueError, match="features"):
        denoiser.transform(rows[:, :2])
    with pytest.raises(ValueError, match="magic"):
        nw.Denoiser(method="magic").fit(rows, rows)
    with pytest.raises(ValueError, match="n_components must be a whole number"):
        nw.Denoiser(0).fit(rows, rows)


def test_progress_reports_stages_and_fractions_that_grow():
    seen = []
    nw.Adapter(steps=300, random_state=0, progress=lambda stage, share: seen.append((stage, share))).fit(
        X, LABELS, TARGET)
    assert len(seen) >= 2 and all(isinstance(stage, str) for stage, _ in seen)
    # The adapted classifier, then the one that judges it.
    stages = list(dict.fromkeys(stage for stage, _ in seen))
    assert stages == ["nw", "source-only"]
    for stage in stages:
        shares = [share for own, share in seen if own == stage]
        assert shares == sorted(shares) and 0.0 <= shares[0] and shares[-1] <= 1.0


def test_an_error_of_the_callback_stops_the_fit_and_is_raised():
    def fail(stage, share):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        nw.Adapter(steps=100000, random_state=0, progress=fail).fit(X, LABELS, TARGET)


def test_interrupting_keeps_what_was_learnt():
    model = nw.Adapter(steps=1000000, random_state=0)
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(nw.Interrupted) as caught:
        model.fit(X, LABELS, TARGET)
    assert time.monotonic() - start < 30
    assert isinstance(caught.value, KeyboardInterrupt) and caught.value.partial is model
    assert model.interrupted_ and model.predict(TARGET).shape == (len(TARGET),)


def test_the_number_of_torch_threads_stays_as_it_was(adapter):
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    nw.Adapter(steps=3, random_state=0, n_jobs=1 if before > 1 else 2).fit(X, LABELS, TARGET)
    assert torch.get_num_threads() == before


def test_one_libtorch_is_loaded_beside_pytorch():
    code = ("import numpy as np, nw\n"
            "try:\n    import torch\nexcept ImportError:\n    pass\n"
            "from nw import _library; _library._extension()\n"
            "paths = {line.split()[-1] for line in open('/proc/self/maps') if 'libtorch_cpu' in line}\n"
            "print(len(paths))")
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "1", printed.stdout + printed.stderr


def test_importing_nw_loads_neither_the_extension_nor_torch():
    code = "import sys, nw; print('nw._nw_torch' in sys.modules, 'torch' in sys.modules, 'sklearn' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.split() == ["False"] * 3


def test_the_command_takes_over_where_the_extension_is_missing_and_that_is_said(monkeypatch):
    monkeypatch.setattr(_library, "_extension", lambda: (None, ImportError("no such file")))
    _library._warn_that_the_command_learns.cache_clear()
    with pytest.warns(RuntimeWarning, match="nw learns by the program .*no such file"):
        model = nw.MixtureClustering(2, steps=5, restarts=1, random_state=0).fit(X)
    assert model.predict(TARGET).shape == (len(TARGET),)
    with pytest.raises(RuntimeError, match="predict_proba needs learning in this process"):
        model.predict_proba(TARGET)


def test_options_that_cannot_be_are_named():
    with pytest.raises(ValueError, match="magic.*nw"):
        nw.Adapter(method="magic").fit(X, LABELS, TARGET)
    with pytest.raises(ValueError, match="steps"):
        nw.Adapter(steps=0).fit(X, LABELS, TARGET)
    with pytest.raises(ValueError, match='n_clusters must be a whole number of at least 1, or "auto"'):
        nw.MixtureClustering(-1).fit(X)
