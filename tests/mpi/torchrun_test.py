"""Processes started the way torchrun starts them give the answer of one."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from team_cases import TwoHosts, domain, mixture

NW = os.path.abspath(sys.argv[1])
COMPARE = ["compare", "x.csv", "y.csv", "--k", "3", "--resamplings", "99", "--threads", "1"]
GAN = ["gan", "x.csv", "--k", "3", "--steps", "40", "--batch", "96", "--seed", "3", "--threads", "1",
       "--quiet"]  # fmt: skip
ADAPT = ["adapt", "--method", "nw", "--source", "source.csv", "--label-column", "group",
         "--target", "target.csv", "--target-label-column", "group", "--steps", "40", "--seed", "3", "--threads", "1", "--quiet"]  # fmt: skip
CLUSTER = ["cluster", "x.csv", "--method", "nw", "--k", "3", "--restarts", "1", "--steps", "40",
           "--seed", "3", "--threads", "1", "--quiet"]  # fmt: skip


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class AJobStartedLikeTorchrunDoes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-torchrun-"))
        self.addCleanup(shutil.rmtree, self.folder)
        mixture(self.folder / "x.csv", [0.6, 0.3, 0.1], 150, 1)
        mixture(self.folder / "y.csv", [0.1, 0.3, 0.6], 150, 2)
        domain(self.folder / "source.csv", [0.6, 0.3, 0.1], 300, 3)
        domain(self.folder / "target.csv", [0.1, 0.3, 0.6], 300, 4, shift=1.0)

    def start(self, processes, arguments, master="127.0.0.1", prefix=lambda rank: [],
              more=lambda rank: {}):
        port = str(free_port())
        job = []
        for rank in range(processes):
            environment = {
                **os.environ, **more(rank), "RANK": str(rank), "WORLD_SIZE": str(processes),
                "MASTER_ADDR": master, "MASTER_PORT": port,
            }  # fmt: skip
            job.append(subprocess.Popen(
                [*prefix(rank), NW, *arguments], cwd=self.folder, env=environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            ))  # fmt: skip
        return job

    def results(self, job):
        for process in job:
            output, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors + output)

    def alone(self, arguments):
        subprocess.run(
            [NW, *arguments, "--json", "alone.json"], cwd=self.folder, check=True,
            capture_output=True,
        )  # fmt: skip
        return json.loads((self.folder / "alone.json").read_text())

    def together(self):
        return json.loads((self.folder / "together.json").read_text())

    def test_compares_to_the_last_bit_as_one_process_does(self):
        alone = self.alone(COMPARE)
        for processes in (2, 4):
            self.results(self.start(processes, [*COMPARE, "--json", "together.json"]))
            for field in ("wasserstein", "normalized_wasserstein", "p_same", "p_components", "pi_x"):
                self.assertEqual(self.together()[field], alone[field], field)

    def test_learns_what_one_process_learns_from_the_same_batches(self):
        for arguments, field in ((GAN, "pi"), (ADAPT, "pi_target"), (CLUSTER, "pi")):
            alone = self.alone(arguments)
            self.results(self.start(2, [*arguments, "--json", "together.json"]))
            for found, right in zip(self.together()[field], alone[field], strict=True):
                self.assertAlmostEqual(found, right, delta=2e-3, msg=arguments[0])

    def test_spans_two_machines(self):
        alone = self.alone(COMPARE)
        hosts = TwoHosts(self)
        self.results(self.start(
            2, [*COMPARE, "--json", "together.json"], master=hosts.ADDRESSES[0],
            prefix=lambda rank: ["ip", "netns", "exec", hosts.names[rank]],
            more=lambda rank: {"GLOO_SOCKET_IFNAME": hosts.ends[rank]},
        ))  # fmt: skip
        self.assertEqual(self.together()["p_same"], alone["p_same"])

    def test_ends_when_a_process_is_lost_and_goes_on_from_its_checkpoint(self):
        alone = self.alone(GAN)
        short = [*GAN, "--checkpoint-every", "10", "--run", "run"]
        job = self.start(2, short)
        deadline = time.monotonic() + 60
        while not list(self.folder.glob("run/checkpoints/*.safetensors")):
            self.assertLess(time.monotonic(), deadline, "no checkpoint")
            self.assertIsNone(job[1].poll(), "ended before it was disturbed")
            time.sleep(0.01)
        job[1].kill()
        job[1].communicate()
        _, errors = job[0].communicate(timeout=30)
        self.assertEqual(job[0].returncode, 4, errors)
        self.assertIn("another process of this job is gone", errors)
        self.results(self.start(3, [*short, "--resume"]))
        result = json.loads((self.folder / "run" / "result.json").read_text())
        for found, right in zip(result["pi"], alone["pi"], strict=True):
            self.assertAlmostEqual(found, right, delta=2e-3)

    def test_says_what_the_launcher_left_out(self):
        done = subprocess.run(
            [NW, *COMPARE], cwd=self.folder, capture_output=True, text=True, timeout=60,
            env={**os.environ, "RANK": "", "WORLD_SIZE": "2", "MASTER_ADDR": "a", "MASTER_PORT": "1"},
        )  # fmt: skip
        self.assertEqual(done.returncode, 4)
        self.assertIn("RANK", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
