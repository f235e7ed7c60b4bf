"""nw distance: values against closed forms and POT, JSON, plans, threads, interrupts."""

import json
import os
import pty
import signal
import subprocess
import time

import numpy as np
import ot
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

from command import EXAMPLES, NW, CommandTest, main

FIELDS = {
    "distance", "method", "n", "m", "dim", "primal", "dual", "gap", "converged", "seconds",
    "peak_rss_mb",
}  # fmt: skip


def written_to_terminal(descriptor):
    """All that is left to read; one read gives a page of it at most. Closes the descriptor."""
    os.set_blocking(descriptor, False)
    written = b""
    try:
        while part := os.read(descriptor, 1 << 16):
            written += part
    except OSError:  # nothing is left: EAGAIN, or EIO where the other end is closed
        pass
    os.close(descriptor)
    return written


class Distance(CommandTest):
    def clouds(self, n, m, d, seed=1):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d)) + 0.5
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "y.npy", y)
        return x, y

    def test_json_has_the_promised_fields(self):
        self.clouds(30, 20, 3)
        result = self.nw_json("distance", "x.npy", "y.npy")
        self.assertEqual(FIELDS - set(result), set())
        self.assertEqual((result["n"], result["m"], result["dim"]), (30, 20, 3))
        self.assertIs(result["converged"], True)
        self.assertEqual(result["method"], "exact")

    def test_agrees_with_pot_for_both_orders(self):
        x, y = self.clouds(60, 45, 4)
        for p, metric in ((1, "euclidean"), (2, "sqeuclidean")):
            result = self.nw_json("distance", "x.npy", "y.npy", "--p", p)
            cost = ot.emd2([], [], ot.dist(x, y, metric))
            self.assertAlmostEqual(result["primal"], cost, delta=1e-9 * cost)
            self.assertAlmostEqual(result["distance"] ** p, cost, delta=1e-9 * cost)
            self.assertLessEqual(abs(result["gap"]), 1e-9 * cost)

    def test_weights_by_column_and_by_file_agree_with_pot(self):
        rng = np.random.default_rng(7)
        x, y = rng.normal(size=(12, 2)), rng.normal(size=(9, 2))
        a, b = rng.random(12), rng.random(9)
        for name, points, weights in (("x", x, a), ("y", y, b)):
            rows = np.column_stack([points, weights])
            np.savetxt(
                self.folder / f"{name}.csv", rows, "%.17g", ",", header="u,v,count", comments=""
            )
            np.savetxt(self.folder / f"{name}.txt", weights, "%.17g")
        expected = ot.emd2(a / a.sum(), b / b.sum(), ot.dist(x, y, "euclidean"))
        by_column = self.nw_json("distance", "x.csv", "y.csv", "--weight-column", "count")
        by_file = self.nw_json(
            "distance", "x.csv", "y.csv", "--columns", "u,v", "--weights", "x.txt", "y.txt"
        )
        self.assertAlmostEqual(by_column["distance"], expected, delta=1e-9 * expected)
        self.assertEqual(by_column["distance"], by_file["distance"])

    def test_plan_and_potentials_prove_the_distance(self):
        x, y = self.clouds(25, 40, 2)
        result = self.nw_json(
            "distance", "x.npy", "y.npy", "--plan", "plan.csv", "--potentials", "duals.npz"
        )
        plan = np.loadtxt(self.folder / "plan.csv", delimiter=",", skiprows=1)
        i, j, mass = plan[:, 0].astype(int), plan[:, 1].astype(int), plan[:, 2]
        cost = ot.dist(x, y, "euclidean")
        self.assertAlmostEqual((cost[i, j] * mass).sum(), result["distance"], places=12)
        np.testing.assert_allclose(np.bincount(i, mass, 25), 1 / 25, rtol=1e-12)
        np.testing.assert_allclose(np.bincount(j, mass, 40), 1 / 40, rtol=1e-12)
        duals = np.load(self.folder / "duals.npz")
        f, g = duals["f"], duals["g"]
        self.assertLessEqual((f[:, None] + g[None, :] - cost).max(), 1e-12)
        self.assertAlmostEqual(f.mean() + g.mean(), result["distance"], places=12)

    def test_plan_is_the_same_as_npz_and_potentials_as_csv(self):
        self.clouds(8, 6, 2)
        self.nw("distance", "x.npy", "y.npy", "--plan", "p.csv", "--potentials", "f.csv")
        self.nw("distance", "x.npy", "y.npy", "--plan", "p.npz", "--potentials", "f.npz")
        plan, duals = np.load(self.folder / "p.npz"), np.load(self.folder / "f.npz")
        table = np.loadtxt(self.folder / "p.csv", delimiter=",", skiprows=1)
        np.testing.assert_array_equal(table.T, [plan["source"], plan["target"], plan["mass"]])
        table = np.loadtxt(self.folder / "f.csv", delimiter=",", skiprows=1)
        np.testing.assert_array_equal(table[table[:, 0] == 1, 2], duals["f"])
        np.testing.assert_array_equal(table[table[:, 0] == 2, 2], duals["g"])

    def test_on_the_line_is_the_mean_gap_of_sorted_values(self):
        x, y = self.clouds(500, 500, 1)
        result = self.nw_json("distance", "x.npy", "y.npy")
        expected = np.abs(np.sort(x[:, 0]) - np.sort(y[:, 0])).mean()
        self.assertAlmostEqual(result["distance"], expected, places=12)

    def test_of_a_translated_cloud_is_the_length_of_the_move(self):
        x, _ = self.clouds(100, 5, 3)
        np.save(self.folder / "y.npy", x + [2.0, 3.0, 6.0])
        for p in (1, 2):
            result = self.nw_json("distance", "x.npy", "y.npy", "--p", p)
            self.assertAlmostEqual(result["distance"], 7.0, places=9)

    def test_same_numbers_for_every_thread_count_and_run(self):
        self.clouds(300, 280, 2)
        for method in ("exact", "sinkhorn", "sliced"):
            seen = set()
            for threads in (1, 2, 3, 1):
                result = self.nw_json(
                    "distance", "x.npy", "y.npy", "--method", method, "--threads", threads
                )
                seen.add((result["distance"], result["primal"], result["dual"]))
            self.assertEqual(len(seen), 1, method)

    def test_seed_decides_the_directions_of_the_sliced_distance(self):
        self.clouds(50, 50, 5)
        values = [
            self.nw_json("distance", "x.npy", "y.npy", "--method", "sliced", "--seed", seed)
            for seed in (1, 1, 2)
        ]
        self.assertEqual(values[0]["distance"], values[1]["distance"])
        self.assertNotEqual(values[0]["distance"], values[2]["distance"])
        self.assertGreater(values[0]["standard_error"], 0)

    def test_approximate_methods_bound_the_exact_value(self):
        x, y = self.clouds(80, 80, 3)
        exact = ot.emd2([], [], ot.dist(x, y, "euclidean"))
        for method in ("sinkhorn", "sliced"):
            result = self.nw_json("distance", "x.npy", "y.npy", "--method", method)
            self.assertLessEqual(result["dual"], exact * (1 + 1e-9), method)
            self.assertGreaterEqual(result["primal"], exact * (1 - 1e-9), method)
        self.assertIn("marginal_error", self.nw_json("distance", "x.npy", "y.npy", "--method", "sinkhorn"))

    def test_a_gap_asked_for_stops_early_and_the_curve_shows_how_it_closed(self):
        self.clouds(1000, 1000, 2)
        best = self.nw_json("distance", "x.npy", "y.npy", "--quiet")
        rough = self.nw_json("distance", "x.npy", "y.npy", "--quiet", "--gap", "1e-2")
        self.assertEqual(rough["termination"], "gap reached")
        self.assertIs(rough["converged"], True)
        self.assertIs(rough["exact"], False)
        self.assertLess(rough["pivots"], best["pivots"])
        self.assertLessEqual(rough["primal"] - rough["dual"], 1e-2 * rough["primal"])
        self.assertLessEqual(rough["dual"], best["distance"])
        self.assertGreaterEqual(rough["primal"], best["distance"])
        curve = best["gap_curve"]
        gaps = [(point["primal"] - point["dual"]) / point["primal"] for point in curve]
        self.assertGreater(gaps[0], gaps[-1])
        self.assertEqual(sorted(point["seconds"] for point in curve), [point["seconds"] for point in curve])
        self.assertIn("certified to", self.nw("distance", "x.npy", "y.npy", "--gap", "1e-2").stdout)
        done = self.nw("distance", "x.npy", "y.npy", "--gap", "1.5")
        self.assert_refused(done, 2, "gap must lie in [0, 1), got 1.5")

    def test_a_time_limit_gives_the_best_plan_and_bound_at_hand(self):
        x, y = self.clouds(1000, 1000, 2)
        best = self.nw_json("distance", "x.npy", "y.npy", "--quiet")["distance"]
        done = self.nw("distance", "x.npy", "y.npy", "--method", "exact", "--time-limit", "1e-6",
                       "--plan", "plan.npz", "--json", "r.json")  # fmt: skip
        self.assertEqual(done.returncode, 4, done.stderr)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual(result["termination"], "interrupted")
        self.assertLessEqual(result["dual"], best)
        self.assertGreaterEqual(result["primal"], best)
        plan = np.load(self.folder / "plan.npz")
        np.testing.assert_allclose(np.bincount(plan["source"], plan["mass"], 1000), 1 / 1000, rtol=1e-9)
        np.testing.assert_allclose(np.bincount(plan["target"], plan["mass"], 1000), 1 / 1000, rtol=1e-9)
        cost = np.linalg.norm(x[plan["source"]] - y[plan["target"]], axis=1) @ plan["mass"]
        self.assertAlmostEqual(cost, result["primal"], delta=1e-9)

    def test_pairs_of_a_folder_give_the_matrix_of_distances(self):
        rng = np.random.default_rng(3)
        samples = [rng.normal(k, 1, size=(15 + k, 2)) for k in range(4)]
        (self.folder / "many").mkdir()
        for k, sample in enumerate(samples):
            np.save(self.folder / "many" / f"s{k}.npy", sample)
        for p, metric in ((1, "euclidean"), (2, "sqeuclidean")):
            result = self.nw_json("distance", "--pairs", "many", "--p", p)
            self.assertEqual(result["names"], ["s0.npy", "s1.npy", "s2.npy", "s3.npy"])
            for i in range(4):
                self.assertEqual(result["distances"][i][i], 0)
                for j in range(i):
                    cost = ot.emd2([], [], ot.dist(samples[i], samples[j], metric)) ** (1 / p)
                    self.assertAlmostEqual(result["distances"][i][j], cost, delta=1e-9 * cost)
                    self.assertEqual(result["distances"][i][j], result["distances"][j][i])
        self.nw("distance", "--pairs", "many", "--matrix", "m.csv")
        table = np.loadtxt(self.folder / "m.csv", delimiter=",", skiprows=1)
        self.assertEqual(table.shape, (4, 4))
        self.assert_refused(self.nw("distance", "--pairs", "many", "--gap", "0.1"), 2, "--gap does not fit --pairs")
        self.assert_refused(self.nw("distance", "--pairs", "none"), 3, "none")
        self.assert_refused(self.nw("distance"), 2, "X is missing")

    def test_other_costs_are_those_of_pot_on_the_matrix_of_scipy(self):
        x, y = self.clouds(30, 25, 3)
        for metric, exponent in (("cityblock", 1.0), ("chebyshev", 1.5), ("cosine", 1.0), ("euclidean", 1.7)):
            costs = cdist(x, y, metric) ** exponent
            expected = ot.emd2([], [], costs)
            found = self.nw_json("distance", "x.npy", "y.npy", "--cost", metric, "--exponent", exponent,
                                 "--plan", "plan.npz", "--potentials", "potentials.npz")  # fmt: skip
            self.assertAlmostEqual(found["primal"], expected, delta=1e-9 * expected)
            self.assertAlmostEqual(found["distance"] ** exponent, expected, delta=1e-9 * expected)
            self.assertEqual((found["settings"]["cost"], found["settings"]["exponent"]), (metric, exponent))
            self.assertIs(found["exact"], True)
            self.assertEqual(FIELDS - set(found), set())
            plan, potentials = np.load(self.folder / "plan.npz"), np.load(self.folder / "potentials.npz")
            paid = (costs[plan["source"], plan["target"]] * plan["mass"]).sum()
            self.assertAlmostEqual(paid, expected, delta=1e-9 * expected)
            self.assertLess((potentials["f"][:, None] + potentials["g"] - costs).max(), 1e-9)
        precision = np.diag([4.0, 1.0, 0.25]) + 0.1
        np.savetxt(self.folder / "precision.csv", precision, delimiter=",", header="a,b,c", comments="")
        expected = ot.emd2([], [], cdist(x, y, "mahalanobis", VI=precision))
        found = self.nw_json("distance", "x.npy", "y.npy", "--precision", "precision.csv")
        self.assertAlmostEqual(found["primal"], expected, delta=1e-9 * expected)

    def test_mass_may_be_left_at_a_price(self):
        x, y = self.clouds(14, 11, 2)
        costs, price = cdist(x, y), 0.9
        rows, columns = np.kron(np.eye(14), np.ones(11)), np.kron(np.ones(14), np.eye(11))
        solved = linprog((costs - 2 * price).ravel(), np.vstack([rows, columns]),
                         np.concatenate([np.full(14, 1 / 14), np.full(11, 1 / 11)]))  # fmt: skip
        found = self.nw_json("distance", "x.npy", "y.npy", "--price", price)
        self.assertAlmostEqual(found["primal"], solved.fun + 2 * price, delta=1e-8)
        mass = {metric["name"]: metric["value"] for metric in found["metrics"]}
        self.assertAlmostEqual(mass["moved"], solved.x.sum(), delta=1e-8)
        self.assertAlmostEqual(mass["moved"] + mass["left_x"], 1.0, delta=1e-12)
        self.assertAlmostEqual(mass["moved"] + mass["left_y"], 1.0, delta=1e-12)
        said = self.nw("distance", "x.npy", "y.npy", "--price", price).stdout
        self.assertRegex(said, r"\Acost = .*; moved .* of the mass, left .* of X and .* of Y at 0.9 a unit\ncertified")

    def test_options_that_do_not_fit_other_costs_are_refused(self):
        self.clouds(5, 5, 2)
        refused = (
            (("--cost", "cityblock", "--p", "2"), "--p does not fit --cost; its power is --exponent"),
            (("--price", "1", "--method", "sinkhorn"), "--method does not fit --cost"),
            (("--exponent", "3"), "exponent must lie in [1, 2], got 3"),
            (("--price", "-1"), "price must not be negative, got -1"),
            (("--cost", "maze"), "maze"),
        )
        for options, words in refused:
            self.assert_refused(self.nw("distance", "x.npy", "y.npy", *options), 2, words)
        done = self.nw("distance", "x.npy", "y.npy", "--precision", "x.npy")
        self.assert_refused(done, 3, "5 x 2 numbers; the data have 2 coordinates")

    def test_certify_says_how_far_any_plan_is_from_the_optimum(self):
        x, y = self.clouds(40, 30, 2)
        for p, metric in ((1, "euclidean"), (2, "sqeuclidean")):
            cost = ot.dist(x, y, metric)
            best = ot.emd2([], [], cost)
            self.nw("distance", "x.npy", "y.npy", "--p", p, "--plan", "best.npz")
            self.nw("distance", "x.npy", "y.npy", "--p", p, "--plan", "best.csv")
            for name in ("best.npz", "best.csv"):
                found = self.nw_json("certify", "x.npy", "y.npy", "--p", p, "--plan", name)
                self.assertAlmostEqual(found["plan_cost"], best, delta=1e-9 * best)
                self.assertLess(found["relative_gap"], 1e-9)
                self.assertIs(found["feasible"], True)
            uniform = np.full((40, 30), 1 / 1200)
            np.save(self.folder / "uniform.npy", uniform)
            found = self.nw_json("certify", "x.npy", "y.npy", "--p", p, "--plan", "uniform.npy")
            self.assertAlmostEqual(found["plan_cost"], cost.mean(), delta=1e-9)
            self.assertAlmostEqual(found["relative_gap"], cost.mean() / best - 1, delta=1e-6)
            self.assertLess(found["source_error"] + found["target_error"], 1e-12)
            uniform[0] *= 2
            np.save(self.folder / "off.npy", uniform)
            found = self.nw_json("certify", "x.npy", "y.npy", "--p", p, "--plan", "off.npy")
            self.assertIs(found["feasible"], False)
            marginal = uniform.sum(1) / uniform.sum()
            self.assertAlmostEqual(found["source_error"], np.abs(marginal - 1 / 40).sum(), delta=1e-12)
        said = self.nw("certify", "x.npy", "y.npy", "--plan", "uniform.npy").stdout
        self.assertRegex(said, r"the plan costs [0-9.]+ % more than the optimum")
        np.save(self.folder / "bad.npy", np.ones((7, 5)))
        self.assert_refused(self.nw("certify", "x.npy", "y.npy", "--plan", "bad.npy"), 3, "7 x 5 numbers")
        self.file("rows.csv", "source,target,mass\n0,30,1\n")
        self.assert_refused(
            self.nw("certify", "x.npy", "y.npy", "--plan", "rows.csv"), 3, "the target is 30", "from 0 to 29"
        )

    def test_says_so_and_exits_with_4_when_it_did_not_converge(self):
        self.clouds(200, 200, 2)
        for arguments in (
            ["--method", "sinkhorn", "--epsilon", "0.001", "--max-iterations", "2"],
            ["--method", "exact", "--max-pivots", "1"],
        ):
            done = self.nw("distance", "x.npy", "y.npy", *arguments, "--json", "r.json")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("NOT CONVERGED", done.stdout)
            self.assertIs(json.loads((self.folder / "r.json").read_text())["converged"], False)

    def test_reads_every_format_of_the_same_points_alike(self):
        x, y = self.clouds(20, 20, 2)
        np.savez_compressed(self.folder / "x.npz", x=x)
        np.savetxt(self.folder / "x.tsv", x, "%.17g", "\t")
        np.save(self.folder / "x-fortran.npy", np.asfortranarray(x))
        distances = {
            self.nw_json("distance", name, "y.npy")["distance"]
            for name in ("x.npy", "x.npz", "x.tsv", "x-fortran.npy")
        }
        self.assertEqual(len(distances), 1)

    def test_reads_a_pipe(self):
        self.clouds(20, 20, 2)
        line = f"cat '{EXAMPLES}/spring.csv' | '{NW}' distance /dev/stdin '{EXAMPLES}/autumn.csv' -q --columns 1-2"
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(float(done.stdout), 17.346246410027973)


class Interrupted(CommandTest):
    def test_ctrl_c_stops_in_order_with_bounds_and_exit_code_4(self):
        rng = np.random.default_rng(3)
        # Large enough to be still at work when the signal comes, whatever the machine.
        np.save(self.folder / "x.npy", rng.standard_cauchy(size=(30000, 3)))
        np.save(self.folder / "y.npy", rng.standard_cauchy(size=(30000, 3)))
        process = subprocess.Popen(
            [NW, "distance", "x.npy", "y.npy", "--method", "exact", "--json", "r.json"],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.assertIn("level", process.stderr.readline())  # progress: it is at work and listens
        self.assertIsNone(process.poll(), "finished before it could be interrupted")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=150)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn("NOT CONVERGED", out)
        result = json.loads((self.folder / "r.json").read_text())
        self.assertEqual((result["converged"], result["termination"]), (False, "interrupted"))

    def test_progress_appears_after_a_second_as_lines_and_not_under_quiet(self):
        rng = np.random.default_rng(4)
        np.save(self.folder / "x.npy", rng.normal(size=(4000, 2)))
        np.save(self.folder / "y.npy", rng.normal(size=(4000, 2)))
        slow = ["distance", "x.npy", "y.npy", "--method", "sinkhorn", "--epsilon", "0.0001"]
        slow += ["--max-iterations", "1000000", "--tolerance", "1e-12"]
        for quiet in ([], ["--quiet"]):
            process = subprocess.Popen(
                [NW, *slow, *quiet], cwd=self.folder,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            time.sleep(2.5)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            if quiet:
                self.assertEqual(err, "")
            else:
                self.assertRegex(err, r"\Anw: distance: \d+ s, iteration \d+, marginal error")
                self.assertNotIn("\r", err)

    def test_progress_on_a_terminal_is_a_bar_that_is_erased_at_the_end(self):
        rng = np.random.default_rng(4)
        np.save(self.folder / "x.npy", rng.normal(size=(4000, 2)))
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be opened here: {error}")
        process = subprocess.Popen(
            [NW, "distance", "x.npy", "x.npy", "--method", "sinkhorn", "--epsilon", "0.0001"]
            + ["--max-iterations", "1000000", "--tolerance", "1e-12"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        shown = written_to_terminal(ours).decode()
        self.assertRegex(shown, r"\A\rdistance \[[.#]+\]  \d+ s")
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-20:]))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
