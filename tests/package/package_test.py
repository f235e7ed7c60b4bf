"""The packages install into an empty root, and what they hold works there."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

CPACK, BUILD, VERSION, MPIRUN = (sys.argv[1:5] + [""])[:4]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class ThePackages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nw-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        run(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", cls.scratch / "made", cwd=cls.scratch)
        cls.files = {run("dpkg-deb", "-f", path, "Package").strip(): path
                     for path in (cls.scratch / "made").glob("*.deb")}
        cls.root = cls.scratch / "root"
        for path in cls.files.values():
            run("dpkg-deb", "-x", path, cls.root)
        libraries = {path.parent for path in cls.root.rglob("*.so.*")}
        cls.environment = dict(os.environ, PATH=f"{cls.root}/usr/bin:/usr/bin:/bin",
                               LD_LIBRARY_PATH=":".join(map(str, libraries)))

    def nw(self, *arguments, **more):
        return run(self.root / "usr/bin/nw", *arguments, env=self.environment, **more)

    def commands(self):
        listed = self.nw("--help").split("Subcommands:")[1]
        return re.findall(r"^  ([a-z][a-z-]+)", listed, re.M)

    def test_are_the_command_the_headers_and_the_module(self):
        self.assertLessEqual({"nw", "libnw-dev", "python3-nw"}, set(self.files))
        for name, path in self.files.items():
            self.assertEqual(run("dpkg-deb", "-f", path, "Version").strip(), VERSION, name)
        self.assertIn("libc6", run("dpkg-deb", "-f", self.files["nw"], "Depends"))
        self.assertIn("python3-numpy", run("dpkg-deb", "-f", self.files["python3-nw"], "Depends"))

    def test_bring_what_jobs_of_several_processes_need(self):
        suggested = run("dpkg-deb", "-f", self.files["nw"], "Suggests")
        for name, module, library in (("nw-mpi", "nw_mpi.so", "libopenmpi"), ("nw-torch", "nw_c10d.so", "libtorch")):
            if name not in self.files:
                continue
            self.assertIn(name, suggested)
            needs = run("dpkg-deb", "-f", self.files[name], "Depends")
            self.assertIn(f"nw (= {VERSION})", needs)
            self.assertIn(library, needs)
            self.assertIn(f"./usr/lib/nw/{module}", run("dpkg-deb", "-c", self.files[name]))

    def test_compare_in_a_job_of_two_processes_in_the_fresh_root(self):
        arguments = ["compare", EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv", "--columns", "age,income",
                     "--k", "3", "--resamplings", "99", "--quiet"]
        alone = self.nw(*arguments)
        if MPIRUN and "nw-mpi" in self.files:
            said = run(MPIRUN, "--oversubscribe", "--allow-run-as-root", "--mca", "plm_rsh_agent", "", "-n", "2",
                       self.root / "usr/bin/nw", *arguments, env=self.environment)
            self.assertEqual(said, alone)
        if (self.root / "usr/lib/nw/nw_c10d.so").exists():
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                place = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(probe.getsockname()[1])}
            job = [subprocess.Popen([self.root / "usr/bin/nw", *map(str, arguments)], text=True,
                                    stdout=subprocess.PIPE, env={**self.environment, **place, "RANK": str(rank)})
                   for rank in range(2)]
            self.assertEqual([process.communicate(timeout=120)[0] for process in job], [alone, ""])

    def test_overlap_nowhere(self):
        owner = {}
        for name, path in self.files.items():
            for line in run("dpkg-deb", "-c", path).splitlines():
                if not line.endswith("/"):
                    file = line.split(" ./", 1)[1]
                    self.assertNotIn(file, owner, f"{name} and {owner.get(file)}")
                    owner[file] = name
        self.assertGreater(len(owner), 40)

    def test_run_a_comparison_in_the_fresh_root(self):
        said = self.nw("compare", EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv", "--columns",
                       "age,income", "--k", "3", "--report", self.scratch / "page.html", cwd=self.scratch)
        self.assertTrue(said.startswith("Only the mix changed\n"), said)
        self.assertTrue((self.scratch / "page.html").exists())

    def test_hold_a_module_that_is_imported_from_the_fresh_root(self):
        code = ("import nw, numpy as np; r = np.random.default_rng(0); "
                "x = r.normal(size=(80, 2)); print(nw.__file__, nw.compare(x, x + 9, k=1, resamplings=99).verdict)")
        place = self.root / "usr/lib/python3/dist-packages"
        said = run("/usr/bin/python3", "-B", "-c", code, cwd=self.scratch,
                   env=dict(self.environment, PYTHONPATH=str(place)))
        self.assertIn(str(place), said)
        self.assertIn("components", said)

    def test_have_a_man_page_for_every_command_with_every_option(self):
        pages = self.root / "usr/share/man/man1"
        self.assertIn("compare", self.commands())
        for command in self.commands():
            page = pages / f"nw-{command}.1"
            plain = page.read_text().replace("\\-", "-")
            for option in re.findall(r"(--[a-z][a-z0-9-]+)", self.nw(command, "--help").split("Examples:")[0]):
                self.assertIn(option, plain, command)
        if not shutil.which("groff"):
            self.skipTest("no groff")
        for page in pages.glob("*.1"):
            done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)

    def complete_in_bash(self, *words):
        script = self.root / "usr/share/bash-completion/completions/nw"
        quoted = " ".join(f"'{word}'" for word in words)
        code = (f"source '{script}'; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _nw; "
                "printf '%s\\n' \"${COMPREPLY[@]}\"")
        return run("bash", "-c", code, cwd=self.scratch).split()

    def test_complete_commands_options_and_choices_in_bash(self):
        self.assertEqual(self.complete_in_bash("nw", "comp"), ["compare"])
        self.assertEqual(set(self.complete_in_bash("nw", "")) & set(self.commands()), set(self.commands()))
        self.assertEqual(self.complete_in_bash("nw", "compare", "--resam"), ["--resamplings"])
        self.assertEqual(self.complete_in_bash("nw", "distance", "--method", "s"), ["sinkhorn", "sliced"])
        (self.scratch / "points.csv").write_text("1\n")
        self.assertEqual(self.complete_in_bash("nw", "compare", "poi"), ["points.csv"])

    def test_hold_completions_that_zsh_and_fish_can_parse(self):
        checked = 0
        for shell, file in (("zsh", "zsh/vendor-completions/_nw"), ("fish", "fish/vendor_completions.d/nw.fish")):
            path = self.root / "usr/share" / file
            self.assertIn("compare", path.read_text())
            if shutil.which(shell):
                run(shell, "-n", path)
                checked += 1
        if checked == 0:
            self.skipTest("neither zsh nor fish is here")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
