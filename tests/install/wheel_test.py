"""`pip install .` into a fresh virtual environment gives the module, its stubs and the command.

The build folder of the tests is packed as it is (NW_BUILD_DIR), so nothing is compiled twice.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

BUILD, SOURCE, VERSION, LEARNS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "torch"
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("PYTHONPATH", "NW_COMMAND", "PIP_CONFIG_FILE")}
ENVIRONMENT.update(NW_BUILD_DIR=BUILD, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")


def run(*command, **more):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True,
                          stderr=subprocess.STDOUT, env=ENVIRONMENT, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


class TheWheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for module in ("setuptools", "wheel", "venv", "numpy", "pip"):
            if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode:
                print(f"skipped: this Python has no {module}")
                sys.exit(77)
        cls.scratch = tempfile.TemporaryDirectory(prefix="nw-wheel-")
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.environment = cls.folder / "v"
        run(sys.executable, "-m", "venv", "--system-site-packages", cls.environment)
        # setuptools leaves folders beside what it packs, so it gets links to the sources.
        cls.clone = cls.folder / "clone"
        cls.clone.mkdir()
        for entry in SOURCE.iterdir():
            if entry.name not in ("build", "python", ".git", "dist"):
                (cls.clone / entry.name).symlink_to(entry)
        (cls.clone / "python" / "nw").mkdir(parents=True)
        for entry in [*(SOURCE / "python").glob("*.py"), *(SOURCE / "python" / "nw").iterdir()]:
            if entry.is_file():
                (cls.clone / entry.relative_to(SOURCE)).symlink_to(entry)
        run(cls.environment / "bin" / "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", cls.folder,
            cls.clone, cwd=cls.folder)
        (cls.wheel,) = cls.folder.glob("*.whl")
        run(cls.environment / "bin" / "pip", "install", "--no-deps", cls.wheel, cwd=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def python(self, code):
        return run(self.environment / "bin" / "python", "-c", code, cwd=self.folder).strip()

    def test_is_named_after_the_measure_and_its_version(self):
        self.assertRegex(self.wheel.name, rf"^normalized_wasserstein-{VERSION}-cp3\d+-cp3\d+-linux_")

    def test_holds_the_module_its_types_and_the_programs(self):
        with zipfile.ZipFile(self.wheel) as archive:
            names = set(archive.namelist())
        for name in ("nw/__init__.py", "nw/py.typed", "nw/_nw.pyi", "nw/_nw_torch.pyi", "nw/bin/nw",
                     "nw_program.py"):
            self.assertIn(name, names)
        with zipfile.ZipFile(self.wheel) as archive:
            (entry_points,) = [name for name in names if name.endswith("entry_points.txt")]
            self.assertIn("nw = nw_program:main", archive.read(entry_points).decode())
        self.assertEqual("nw/bin/nw-torch" in names, LEARNS)
        self.assertEqual([name for name in names if "__pycache__" in name], [])

    def test_is_imported_from_the_environment_and_answers(self):
        printed = self.python(
            "import nw; print(nw.__file__); print(nw.__version__);"
            "print(nw.wasserstein([[0.0, 0.0]], [[3.0, 4.0]]).distance)")
        place, version, distance = printed.split("\n")
        self.assertTrue(place.startswith(str(self.environment)), place)
        self.assertEqual((version, float(distance)), (VERSION, 5.0))

    def test_command_compares_two_files(self):
        data = SOURCE / "examples" / "data"
        printed = run(self.environment / "bin" / "nw", "compare", data / "spring.csv", data / "autumn.csv",
                      "--columns", "age,income", "--k", "3", "--resamplings", "99", "--json", "-", "--quiet")
        self.assertEqual(json.loads(printed)["verdict"], "proportions")

    def test_command_passes_on_exit_codes_and_messages(self):
        done = subprocess.run([self.environment / "bin" / "nw", "distance", "absent.csv", "absent.csv"],
                              capture_output=True, text=True, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 3)
        self.assertIn("absent.csv", done.stderr)

    def test_learns_with_the_program_that_it_holds(self):
        if not LEARNS:
            self.skipTest("built without LibTorch")
        self.assertEqual(self.python(
            "import nw, numpy as np; rng = np.random.default_rng(0);"
            "model = nw.MixtureGAN(2, steps=3, random_state=0).fit(rng.normal(size=(60, 2)));"
            "print(model.sample(7)[0].shape)"), "(7, 2)")

    def test_refuses_an_install_in_place_with_what_to_do_instead(self):
        with self.assertRaisesRegex(AssertionError, "PYTHONPATH=build/dev/python imports what you edit"):
            run(self.environment / "bin" / "pip", "install", "--no-build-isolation", "--no-deps", "-e",
                self.clone, cwd=self.folder)


class TheSourceDistribution(unittest.TestCase):
    def test_names_every_folder_that_the_build_reads(self):
        listed = (SOURCE / "MANIFEST.in").read_text()
        root = (SOURCE / "CMakeLists.txt").read_text()
        for folder in ("src", "cli", "python"):
            self.assertIn(f"add_subdirectory({folder})", root)
        for folder in ("cmake", "cli", "experiments", "include", "python", "src", "web"):
            self.assertIn(f"graft {folder}\n", listed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
