"""The installed package serves a project that knows nothing but find_package(nw)."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, HERE, VERSION, COMPILER, COMPONENT = sys.argv[1:6]


def run(*command, **more):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


class TheInstalledPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nw-install-"))
        cls.prefix = cls.scratch / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    def build_and_run(self, consumer):
        build = self.scratch / consumer
        run(
            "cmake", "-S", pathlib.Path(HERE) / consumer, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            env=dict(os.environ, CXXFLAGS=os.environ.get("CXXFLAGS", "")),
        )  # fmt: skip
        run("cmake", "--build", build)
        return run(build / consumer).strip()

    def test_is_found_linked_and_run_by_a_separate_project(self):
        self.assertEqual(self.build_and_run("consumer"), f"nw {VERSION} distance 5")

    def test_lets_a_separate_project_learn(self):
        if COMPONENT != "torch":
            self.skipTest("built without LibTorch")
        self.assertEqual(self.build_and_run("torch_consumer"), "steps 3 components 2")

    def test_says_when_a_component_is_missing(self):
        if COMPONENT == "torch":
            self.skipTest("built with LibTorch")
        with self.assertRaisesRegex(AssertionError, "torch"):
            self.build_and_run("torch_consumer")

    def test_holds_the_command_and_no_private_header(self):
        said = run(self.prefix / "bin" / "nw", "--version")
        self.assertEqual(said.strip(), f"nw {VERSION}")
        headers = [path.name for path in (self.prefix / "include").rglob("*.hpp")]
        self.assertIn("exact.hpp", headers)
        private = {path.name for path in pathlib.Path(HERE).parents[1].glob("src/*/*.hpp")}
        self.assertEqual(private & set(headers), set())

    def test_is_refused_when_a_newer_version_is_asked_for(self):
        scratch = self.scratch / "newer"
        scratch.mkdir()
        (scratch / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(newer LANGUAGES CXX)\n"
            "find_package(nw 99.0 REQUIRED)\n"
        )
        done = subprocess.run(
            ["cmake", "-G", "Ninja", "-S", scratch, "-B", scratch / "build",
             f"-DCMAKE_PREFIX_PATH={self.prefix}"],
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("99.0", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
