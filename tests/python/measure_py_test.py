"""nw.compare, nw.choose_k and nw.normalized_wasserstein from Python."""
import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import nw

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"

CENTRES = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])


def mixture(rng, pi, n, centres=CENTRES):
    return centres[rng.choice(len(pi), n, p=pi)] + rng.standard_normal((n, 2))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(8)
    return mixture(rng, [0.6, 0.3, 0.1], 250), mixture(rng, [0.1, 0.3, 0.6], 250)


@pytest.fixture(scope="module")
def result(data):
    return nw.compare(*data, k=3, resamplings=99)


def test_compare_tells_proportions_from_members(data, result):
    assert result.verdict == "proportions"
    assert result.p_same < 0.05 < result.p_components
    order = np.argsort(result.pi_x)
    np.testing.assert_allclose(result.pi_x[order], [0.1, 0.3, 0.6], atol=0.08)
    np.testing.assert_allclose(result.pi_y[order], [0.6, 0.3, 0.1], atol=0.08)
    moved = data[1] + np.where(data[1][:, :1] > 5, 2.0, 0.0)
    assert nw.compare(data[0], moved, k=3, resamplings=99).verdict == "components"


def test_compare_equals_the_command_on_the_same_file(tmp_path, data, result):
    command = os.environ.get("NW_COMMAND", os.path.join(os.path.dirname(nw._nw.__file__), "../../bin/nw"))
    if not os.path.exists(command):
        pytest.skip("the command is not built")
    for name, points in zip("xy", data):
        np.save(tmp_path / f"{name}.npy", points)
    said = subprocess.run([command, "compare", "x.npy", "y.npy", "--k", "3", "--resamplings", "99",
                           "--json", "-"], cwd=tmp_path, capture_output=True, text=True, check=True)
    fields = json.loads(said.stdout)
    own = result.to_dict()
    for name in ("sentence", "details", "metrics", "warnings", "settings", "converged", "command", "seeds"):
        assert own.get(name) == fields.get(name), name
    assert own["metrics"] and own["settings"]
    for name in ("wasserstein", "normalized_wasserstein", "p_same", "p_components", "pi_x", "pi_y", "verdict"):
        assert np.all(fields[name] == np.asarray(getattr(result, name))), name


def test_compare_decides_the_same_for_every_number_of_threads_and_every_seed(data, result):
    again = nw.compare(*data, k=3, resamplings=99, threads=1)
    first, second = result.to_dict(), again.to_dict()
    for record in (first, second):
        del record["seconds"], record["created"]
    assert first == second
    other = nw.compare(*data, k=3, resamplings=99, seed=1)
    assert (other.p_same, other.p_components) == (result.p_same, result.p_components)
    assert other.floor != result.floor


def test_compare_results_are_small_objects_that_notebooks_draw(tmp_path, result):
    html = result._repr_html_()
    assert html.startswith('<div class="nw-result">') and "<svg" in html and "<script" not in html
    assert str(result).startswith("proportions: ")
    assert result.to_dict()["verdict"] == "proportions"
    again = pickle.loads(pickle.dumps(result))
    assert again._repr_html_() == html and len(again.components) == 3
    result.save_report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    with pytest.raises(OSError, match="folder does not exist"):
        result.save_report(tmp_path / "absent" / "page.html")


def test_choose_k_finds_the_modes_of_one_and_of_two_data_sets(data):
    one = nw.choose_k(data[0], max_k=6)
    assert int(one) == 3 and one.reached_floor
    values = [point.nw for point in one.curve]
    assert values == sorted(values, reverse=True)
    assert one.fit.pi_y is None and one.fit.centres.shape == (3, 2)
    two = nw.choose_k(*data, max_k=6)
    assert two.k == 3 and two.fit.pi_y.sum() == pytest.approx(1)
    assert "<svg" in two._repr_html_()


def test_normalized_wasserstein_is_small_when_only_the_mix_differs(data):
    result = nw.normalized_wasserstein(*data, k=3)
    assert float(result) < 0.2 * float(nw.wasserstein(*data))
    assert result.value == pytest.approx(result.cost_x + result.cost_y)
    distances = np.linalg.norm(result.centres[:, None] - CENTRES[None], axis=2)
    assert (distances.min(axis=0) < 0.5).all()


def test_progress_is_called_and_its_exceptions_come_through(data):
    seen = []
    nw.compare(*data, k=3, resamplings=199, progress=lambda stage, fraction: seen.append((stage, fraction)))
    assert seen and all(isinstance(s, str) and 0 <= f <= 1 for s, f in seen)

    def refuse(stage, fraction):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        nw.compare(*data, k=3, progress=refuse)


def test_other_threads_run_meanwhile(data):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)

    worker = threading.Thread(target=tick)
    worker.start()
    begin = time.monotonic()
    nw.compare(*data, resamplings=199)
    end = time.monotonic()
    done.set()
    worker.join()
    during = [t for t in ticks if begin < t < end]
    gaps = np.diff([begin, *during, end])
    assert gaps.max() < 0.5 * (end - begin), "the lock was held"


@pytest.mark.parametrize("call", [
    "nw.compare(x, y, resamplings=5000)", "nw.choose_k(x, y, max_k=60, beyond_floor=0)",
    "nw.wasserstein(np.repeat(x, 20, 0) + rng.normal(size=(40000, 2)), rng.normal(size=(40000, 2)), "
    "method='exact')"])
def test_control_c_stops_the_work(call):
    code = ("import numpy as np, nw\nrng = np.random.default_rng(0)\n"
            "x, y = rng.normal(size=(2000, 2)), rng.normal(size=(2000, 2))\n"
            f"print('go', flush=True)\n{call}\nprint('finished')")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "go\n"
    time.sleep(0.7)
    if process.poll() is not None:
        pytest.fail(f"ended too early: {process.communicate()}")
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and "finished" not in out
    assert time.monotonic() - begin < 10


def scored(rng, n, shares):
    """Scores of three normal classes for equal shares, with odds that are too sure of themselves."""
    centres = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    label = rng.choice(3, n, p=shares)
    points = centres[label] + rng.standard_normal((n, 2))
    log = -2.0 * ((points[:, None] - centres) ** 2).sum(2) / 2.0  # twice the log density
    scores = np.exp(log - log.max(1, keepdims=True))
    return scores / scores.sum(1, keepdims=True), label


def numpy_em(posterior, prior):
    """Saerens, Latinne and Decaestecker 2002, a line at a time."""
    share = prior.copy()
    for _ in range(5000):
        weighted = posterior * (share / prior)
        share = (weighted / weighted.sum(1, keepdims=True)).mean(0)
    return share


def test_label_shift_agrees_with_em_in_numpy_and_with_the_closed_form_by_confusion():
    rng = np.random.default_rng(5)
    scores_x, labels = scored(rng, 1200, [0.5, 0.3, 0.2])
    scores_y, truth = scored(rng, 900, [0.2, 0.2, 0.6])
    result = nw.label_shift(scores_x, labels, scores_y, calibrate=False, resamplings=19)
    prior = np.bincount(labels) / len(labels)
    np.testing.assert_allclose(result.likelihood.share, numpy_em(scores_y, prior), atol=2e-5)
    mean = np.stack([scores_x[labels == c].mean(0) for c in range(3)], axis=1)
    closed = np.linalg.solve(mean, scores_y.mean(0))
    assert closed.min() > 0  # inside the simplex, where the constraint does nothing
    np.testing.assert_allclose(result.confusion.share, closed, atol=1e-5)
    weighted = scores_y * (result.likelihood.share / prior)
    np.testing.assert_allclose(result.corrected, weighted / weighted.sum(1, keepdims=True), atol=1e-9)


def test_label_shift_calibrates_and_finds_the_mix_in_three_ways():
    rng = np.random.default_rng(6)
    scores_x, labels = scored(rng, 1500, [0.5, 0.3, 0.2])
    scores_y, truth = scored(rng, 1500, [0.2, 0.2, 0.6])
    names = np.array(["cat", "dog", "emu"])
    result = nw.label_shift(scores_x, names[labels], scores_y, resamplings=49)
    assert result.classes == ["cat", "dog", "emu"] and result.tenable
    assert "class emu changes most" in result.sentence
    found = np.bincount(truth) / len(truth)
    for way in (result.likelihood, result.confusion, result.transport):
        np.testing.assert_allclose(way.share, found, atol=0.07)
        assert np.all(way.interval[:, 0] <= way.share) and np.all(way.share <= way.interval[:, 1])
    better = (result.corrected.argmax(1) == truth).mean() - (scores_y.argmax(1) == truth).mean()
    assert better > 0.0
    with pytest.raises(ValueError, match="not a probability"):
        nw.label_shift(10 * scores_x, names[labels], scores_y)


def test_a_comparison_says_how_much_and_where(data):
    x, y = data
    y = y.copy()
    near = np.linalg.norm(y - CENTRES[1], axis=1) < 4.5
    y[near, 1] += 1.5
    result = nw.compare(x, y, k=3, resamplings=99)
    assert result.verdict == "components"
    record = json.loads(result.record)
    assert record["effect"]["mix_change"] == result.effect.mix_change == result.proportion_change
    moved = [c for c in result.components if c.status == "moved"]
    assert moved and moved[0].columns_moved[0]["column"] == "2"
    assert moved[0].columns_moved[0]["to"] - moved[0].columns_moved[0]["from"] > 0.8
    for written, held in zip(record["components"], result.components):
        status = {"shifted": "moved", "new-in-y": "new in y", "missing-from-y": "missing from y"}
        assert status.get(written["status"], written["status"]) == held.status
        assert written.get("columns_moved", []) == [
            {k: v for k, v in move.items() if v != ""} for move in held.columns_moved]
    for column in result.column_changes:
        assert abs(column["change_between"] + column["change_within"] - column["change"]) < 1e-9
    assert len(result.rows) == len(x) + len(y)
    assert abs(sum(abs(row[4]) for row in result.rows) - 1.0) < 1e-9


def named_before(sentence, words):
    """Numbers of components in the clause of a sentence that ends in `words`."""
    before, found, _ = sentence.partition(words)
    return [int(n) for n in re.findall(r"\d+", before[before.rindex("component"):])] if found else []


@pytest.mark.parametrize("seed", range(4))
def test_object_record_and_sentence_of_random_mixtures_agree(seed):
    rng = np.random.default_rng(seed)
    centres = 6 * rng.normal(size=(3, 2))
    pi = [rng.dirichlet(np.ones(3)) for _ in range(2)]
    if seed % 2:
        pi[0] = np.r_[pi[0][:2] / pi[0][:2].sum(), 0]  # one that is new
    x, y = (centres[rng.choice(3, 200, p=p)] + rng.normal(size=(200, 2)) for p in pi)
    result = nw.compare(x, y, resamplings=49)
    record = json.loads(result.record)
    for name in ("verdict", "sentence", "p_same", "p_components", "k"):
        assert record[name] == getattr(result, name), name
    for name in ("pi_x", "pi_y"):
        np.testing.assert_array_equal(record[name], getattr(result, name))
        assert abs(sum(record[name]) - 1) < 1e-9
    assert str(result) == f"{result.verdict}: {result.sentence}"
    status = {"shifted": "moved", "new-in-y": "new in y", "missing-from-y": "missing from y"}
    assert len(record["components"]) == len(result.components) == result.k
    for j, (written, held) in enumerate(zip(record["components"], result.components)):
        assert status.get(written["status"], written["status"]) == held.status
        assert (held.mass_x, held.mass_y) == (result.pi_x[j], result.pi_y[j])
        assert (written["mass_x"], written["mass_y"]) == (held.mass_x, held.mass_y)
    for words, held in ((" new in Y (", "new in y"), (" missing from Y (", "missing from y"), (" differ, most in", "moved")):
        named = [j + 1 for j, c in enumerate(result.components) if c.status == held]
        assert named_before(result.sentence, words) == named, result.sentence
    assert sorted(j for member in result.members for j in member) == list(range(1, result.k + 1))
    joined = [member for member in result.members if len(member) > 1]
    assert record.get("members", result.members) == result.members and ("members" in record) == bool(joined)
    assert any("taken for one member" in note for note in result.notes) == bool(joined)


def test_a_group_that_moved_too_far_is_hinted_at_as_in_the_record():
    pandas = pytest.importorskip("pandas")
    frames = [pandas.read_csv(EXAMPLES / name)[["age", "income"]] for name in ("spring.csv", "winter.csv")]
    result = nw.compare(*frames)
    (move,) = result.possible_moves
    assert result.components[move["gone"] - 1].status == "missing from y"
    assert result.components[move["appeared"] - 1].status == "new in y"
    (written,) = json.loads(result.record)["possible_moves"]
    columns = [{k: v for k, v in gap.items() if v != ""} for gap in move["columns"]]
    assert written == {**move, "columns": columns} and columns[0]["column"] == "income"
