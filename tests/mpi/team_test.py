"""Several processes started as one job give the answer of one, and a lost one ends the job."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from team_cases import TwoHosts, domain, mixture

NW = os.path.abspath(sys.argv[1])
MPIRUN = sys.argv[2]
HAS_TORCH = pathlib.Path(NW).with_name("nw-torch").exists()
# More processes than cores, as root, without a remote shell: what a test machine allows.
LAUNCH = [MPIRUN, "--oversubscribe", "--allow-run-as-root", "--mca", "plm_rsh_agent", ""]
GAN = ["--k", "3", "--steps", "40", "--batch", "96", "--seed", "3", "--threads", "1", "--quiet"]
ADAPT = ["--method", "nw", "--source", "source.csv", "--label-column", "group", "--target", "target.csv",
         "--target-label-column", "group", "--steps", "60", "--seed", "3", "--threads", "1",
         "--quiet"]  # fmt: skip
# Few steps: the rates are high here, and a difference in the last bit grows tenfold every few steps.
CLUSTER = ["--method", "nw", "--k", "3", "--restarts", "2", "--steps", "8", "--seed", "3",
           "--threads", "1", "--quiet"]  # fmt: skip


class AJobOfSeveralProcesses(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-mpi-"))
        self.addCleanup(shutil.rmtree, self.folder)
        mixture(self.folder / "x.csv", [0.6, 0.3, 0.1], 150, 1)
        mixture(self.folder / "y.csv", [0.1, 0.3, 0.6], 150, 2)
        domain(self.folder / "source.csv", [0.6, 0.3, 0.1], 300, 3)
        domain(self.folder / "target.csv", [0.1, 0.3, 0.6], 300, 4, shift=1.0)

    def run_job(self, processes, *arguments):
        launch = LAUNCH + ["-n", str(processes)] if processes > 1 else []
        done = subprocess.run(
            [*launch, NW, *map(str, arguments)],
            cwd=self.folder, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def result(self, processes, *arguments):
        self.run_job(processes, *arguments, "--json", f"result{processes}.json")
        return json.loads((self.folder / f"result{processes}.json").read_text())

    def test_compares_to_the_last_bit_as_one_process_does(self):
        arguments = ["compare", "x.csv", "y.csv", "--k", "3", "--resamplings", "99", "--threads", "1"]
        alone = self.result(1, *arguments)
        for processes in (2, 4):
            together = self.result(processes, *arguments)
            for field in ("wasserstein", "normalized_wasserstein", "p_same", "p_components",
                          "pi_x", "pi_y", "pi_x_interval", "verdict", "evidence"):  # fmt: skip
                self.assertEqual(together[field], alone[field], field)

    def test_processes_read_different_files_and_answer_as_one_does(self):
        for name in "xy":
            lines = (self.folder / f"{name}.csv").read_text().splitlines(keepends=True)
            for part in range(3):
                (self.folder / f"{name}{part}.csv").write_text("".join(lines[50 * part : 50 * part + 50]))
        arguments = ["compare", "x?.csv", "y0.csv,y1.csv,y2.csv", "--k", "3", "--resamplings", "99",
                     "--threads", "1"]  # fmt: skip
        alone = self.result(1, *arguments)
        self.assertEqual([data["rows"] for data in alone["data"]], [150, 150])
        for processes in (2, 4):
            together = self.result(processes, *arguments)
            for field in ("wasserstein", "p_same", "p_components", "pi_x", "pi_y", "verdict", "evidence", "data"):
                self.assertEqual(together[field], alone[field], field)

    def test_a_file_that_cannot_be_read_ends_all_processes_with_its_name(self):
        shutil.copy(self.folder / "x.csv", self.folder / "x0.csv")
        done = subprocess.run(
            [*LAUNCH, "-n", "2", NW, "compare", "x0.csv,absent.csv", "y.csv"],
            cwd=self.folder, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("absent.csv", done.stderr)

    def test_shares_the_cases_of_a_benchmark(self):
        arguments = ["bench", "ot", "--sizes", "80", "--dims", "2,3,4", "--p", "1", "--no-peer"]
        alone = self.result(1, *arguments)["rows"]
        together = self.result(2, *arguments)["rows"]
        for found, right in zip(together, alone, strict=True):
            for field in ("case", "kind", "n", "m", "dim", "p", "primal", "pivots", "peer_seconds",
                          "relative_gap", "converged"):  # fmt: skip
                self.assertEqual(found[field], right[field], field)

    def test_prints_once(self):
        done = self.run_job(
            3, "compare", "x.csv", "y.csv", "--k", "3", "--resamplings", "99", "--quiet"
        )
        self.assertEqual(done.stdout.count("proportions") + done.stdout.count("components"), 1)

    def test_spans_two_machines(self):
        arguments = ["compare", "x.csv", "y.csv", "--k", "3", "--resamplings", "99", "--threads", "1"]
        alone = self.result(1, *arguments)
        hosts = TwoHosts(self)
        command = [*hosts.mpirun(MPIRUN, self.folder / "agent.sh"), NW, *arguments, "--json", "two.json"]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=120
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        together = json.loads((self.folder / "two.json").read_text())
        for field in ("wasserstein", "normalized_wasserstein", "p_same", "p_components"):
            self.assertEqual(together[field], alone[field], field)

    def assert_close(self, found, right, delta=2e-3):
        for a, b in zip(found, right, strict=True):
            self.assertAlmostEqual(a, b, delta=delta)

    @unittest.skipUnless(HAS_TORCH, "nw was built without LibTorch")
    def test_learns_what_one_process_learns_from_the_same_batches(self):
        alone = self.result(1, "gan", "x.csv", *GAN)
        for processes in (2, 4):
            together = self.result(processes, "gan", "x.csv", *GAN)
            self.assert_close(together["pi"], alone["pi"])
            self.assertAlmostEqual(together["wasserstein"], alone["wasserstein"], delta=5e-3)

    @unittest.skipUnless(HAS_TORCH, "nw was built without LibTorch")
    def test_adapts_as_one_process_does(self):
        # The second normalises by the rows of a step, which here lie in several processes.
        for more, counts in (([], (2, 4)), (["--set", "norm=2"], (2,))):
            alone = self.result(1, "adapt", *ADAPT, *more)
            for processes in counts:
                together = self.result(processes, "adapt", *ADAPT, *more)
                self.assert_close(together["pi_target"], alone["pi_target"])
                self.assertAlmostEqual(together["accuracy"], alone["accuracy"], delta=0.011)

    @unittest.skipUnless(HAS_TORCH, "nw was built without LibTorch")
    def test_clusters_as_one_process_does(self):
        alone = self.result(1, "cluster", "x.csv", *CLUSTER)
        for processes in (2, 4):
            together = self.result(processes, "cluster", "x.csv", *CLUSTER, "-o", "clusters.csv")
            self.assert_close(together["pi"], alone["pi"], delta=5e-3)
            self.assertEqual(together["start"], alone["start"])
            for found, right in zip(together["starts"], alone["starts"], strict=True):
                self.assertAlmostEqual(found["objective"], right["objective"], delta=5e-3)
        self.assertEqual(len((self.folder / "clusters.csv").read_text().split()), 151)

    @unittest.skipUnless(HAS_TORCH, "nw was built without LibTorch")
    def test_an_adaptation_that_lost_a_process_goes_on_with_another_number(self):
        alone = self.result(1, "adapt", *ADAPT)
        job = self.start_job("adapt", *ADAPT, "--checkpoint-every", "10", "--run", "run")
        self.lose_a_process(job, b"adapt")
        self.run_job(
            4, "adapt", *ADAPT, "--checkpoint-every", "10", "--run", "run", "--resume"
        )
        result = json.loads((self.folder / "run" / "result.json").read_text())
        self.assert_close(result["pi_target"], alone["pi_target"])

    @unittest.skipUnless(HAS_TORCH, "nw was built without LibTorch")
    def test_goes_on_from_a_checkpoint_with_another_number_of_processes(self):
        alone = self.result(1, "gan", "x.csv", *GAN)
        short = [*GAN, "--checkpoint-every", "10", "--run", "run"]
        self.lose_a_process(self.start_job("gan", "x.csv", *short), b"gan")
        self.run_job(3, "gan", "x.csv", *short, "--resume")
        result = json.loads((self.folder / "run" / "result.json").read_text())
        self.assert_close(result["pi"], alone["pi"])

    def start_job(self, *arguments):
        job = subprocess.Popen(
            [*LAUNCH, "-n", "2", NW, *arguments],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(self.end, job)
        return job

    @staticmethod
    def end(job):
        if job.poll() is None:
            job.terminate()  # the launcher ends its processes
            job.communicate(timeout=30)

    def lose_a_process(self, job, name):
        """Kills the last process of the job once there is a checkpoint; the others must end."""
        deadline = time.monotonic() + 150
        while not list(self.folder.glob("run/checkpoints/*.safetensors")):
            self.assertLess(time.monotonic(), deadline, "no checkpoint")
            self.assertIsNone(job.poll(), "ended before it was disturbed")
            time.sleep(0.01)
        victim = None
        for entry in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                values = entry.read_bytes().split(b"\0")
                command = (entry.parent / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            inside = str(self.folder).encode() == os.readlink(entry.parent / "cwd").encode()
            if inside and b"OMPI_COMM_WORLD_RANK=1" in values and name in command:
                victim = int(entry.parent.name)
        self.assertIsNotNone(victim)
        os.kill(victim, signal.SIGKILL)
        _, errors = job.communicate(timeout=30)
        self.assertNotEqual(job.returncode, 0)
        self.assertRegex(errors, "another process of this job is gone|signal 9")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
