"""What the documentation shows compiles, runs and resolves.

Blocks marked cpp are compiled: whole programs (with a main) are linked and run, fragments are
compiled as the body of a function. Blocks marked sh are run line by line in a copy of the examples;
lines that build the project or install packages are checked for existing scripts instead. Blocks
marked python are run where the module is built. Lines of
a cmake block must occur in the project that tests the installed package. Blocks marked json, text
or math are output or formulas. Nothing else is allowed, so that no code goes unchecked.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import at_hand
import markdown

COMPILER, LIBRARY, COMMAND = sys.argv[1:4]
FLAGS = sys.argv[4:]
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_CODE = {"json", "text", "math", "csv", "bibtex"}
# Open MPI wants neither root nor more processes than cores; test machines have both.
ANY_MACHINE = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_plm_rsh_agent": ""}  # fmt: skip
# What a test of the project must not do again: build and test the project.
PROJECT_COMMANDS = re.compile(r"^(git clone|cd |\./scripts/|scripts/|cmake |ctest |sudo )")


def documents():
    pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]
    return [page for page in pages if page.exists()] + sorted((ROOT / "docs").rglob("*.md"))


def blocks(*languages):
    found = []
    for path in documents():
        found += markdown.code_blocks(path, str(path.relative_to(ROOT)))
    return [block for block in found if not languages or block.language in languages]


def as_program(text):
    """A fragment becomes the body of a function; its includes go before it."""
    if re.search(r"\bint main\(", text):
        return text
    lines = text.split("\n")
    includes = [line for line in lines if line.startswith("#include")]
    body = [line for line in lines if not line.startswith("#include")]
    return "\n".join(includes + ["int main() {"] + body + ["}"]) + "\n"


class TheDocumentation(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nw-docs-"))
        shutil.copytree(ROOT / "examples", self.scratch / "examples")
        (self.scratch / "tests").symlink_to(ROOT / "tests")
        (self.scratch / "build").mkdir()
        for preset in ("dev", "release"):  # whichever is being tested stands for both
            (self.scratch / "build" / preset).symlink_to(pathlib.Path(COMMAND).parents[1])
        self.addCleanup(shutil.rmtree, self.scratch)

    def run_in_scratch(self, command, place):
        done = subprocess.run(
            command, cwd=self.scratch, shell=isinstance(command, str), executable=None,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
            env=dict(os.environ, **ANY_MACHINE,
                     PATH=f"{pathlib.Path(COMMAND).parent}:{os.environ['PATH']}"),
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, f"{place}: {command}\n{done.stdout}")
        return done.stdout

    def cannot_run(self, code):
        return at_hand.missing(code, COMMAND, self.scratch)

    def test_pages_are_short_enough_to_be_read(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().split("\n")) - 1, 120)
        for path in sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "docs/tutorials").glob("*.md")):
            with self.subTest(page=path.name):
                self.assertLessEqual(len(path.read_text().split("\n")) - 1, 200)

    def test_marks_every_block_with_a_language_that_is_checked(self):
        known = {"cpp", "sh", "cmake", "python"} | NOT_CODE
        self.assertEqual([str(b) for b in blocks() if b.language not in known], [])
        self.assertTrue(blocks("cpp") and blocks("sh"), "no blocks found: looking in a wrong place")

    def test_cpp_blocks_compile_and_programs_run(self):
        for number, block in enumerate(blocks("cpp")):
            with self.subTest(block=str(block)):
                source = self.scratch / f"block{number}.cpp"
                source.write_text(as_program(block.text))
                program = source.with_suffix("")
                self.run_in_scratch(
                    [COMPILER, *FLAGS, f"-I{ROOT}/include", str(source), LIBRARY]
                    + ["-lz", "-lpng", "-ljpeg", "-lzstd", "-llz4", "-pthread", "-o", str(program)],
                    block.place,
                )
                if "int main(" in block.text:
                    self.run_in_scratch([str(program)], block.place)

    def test_shell_blocks_run_and_print_what_the_text_blocks_show(self):
        printed, skipped = "", set()
        for block in blocks("sh"):
            with self.subTest(block=str(block)):
                lines = block.text.replace("\\\n", " ").split("\n")
                for line in filter(None, (line.split(" #")[0].strip() for line in lines)):
                    if line.startswith("#"):
                        continue
                    if PROJECT_COMMANDS.match(line):
                        for script in re.findall(r"(?:\./)?(scripts/[\w.]+)", line):
                            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
                        continue
                    if line.startswith("mpirun") and not shutil.which("mpirun"):
                        continue
                    if self.cannot_run(line):
                        skipped.add(block.page)
                        continue
                    printed += self.run_in_scratch(line, block.place)
        for block in blocks("text"):
            if block.page in skipped:
                continue  # its output may be that of a line which could not run here
            # Elsewhere the first line is the answer; what follows may hold times.
            whole = block.page == "README.md" or block.page.startswith("docs/tutorials/")
            for line in block.text.split("\n")[: None if whole else 1]:
                if line.strip() and not at_hand.COST.search(line):
                    self.assertIn(line.rstrip() + "\n", printed, block.place)

    def test_python_blocks_run(self):
        module = pathlib.Path(COMMAND).parents[1] / "python"
        if not list(module.glob("nw/_nw*.so")):
            self.skipTest("the Python module is not built")
        self.assertTrue(blocks("python"), "no blocks found: looking in a wrong place")
        for block in blocks("python"):
            with self.subTest(block=str(block)):
                if self.cannot_run(block.text):
                    continue
                program = self.scratch / "block.py"
                program.write_text(block.text)
                environment = f"PYTHONPATH={module} {sys.executable} -B {program}"
                self.run_in_scratch(environment, block.place)

    def test_cmake_blocks_are_what_the_test_of_the_installed_package_does(self):
        consumer = (ROOT / "tests/install/consumer/CMakeLists.txt").read_text()
        for block in blocks("cmake"):
            for line in filter(None, map(str.strip, block.text.split("\n"))):
                name = re.sub(r"\bconsumer\b|\bmy_program\b", "X", line)
                self.assertIn(name, re.sub(r"\bconsumer\b", "X", consumer), block.place)

    def test_relative_links_lead_somewhere(self):
        for path in documents() + [ROOT / "CHANGELOG.md"]:
            if not path.exists():
                continue
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text()):
                if "://" not in target and not target.startswith("mailto:"):
                    self.assertTrue((path.parent / target).exists(), f"{path.name}: {target}")

    def test_equation_tags_of_the_code_resolve(self):
        table = (ROOT / "docs/math.md").read_text()
        known = set(re.findall(r"^\| \[(NW:[\w-]+)\]", table, re.M))
        used = {}
        for folder in ("include", "src", "cli", "tests", "examples", "docs"):
            for path in (ROOT / folder).rglob("*"):
                if path.suffix in (".hpp", ".cpp", ".inc", ".inl", ".md"):
                    for tag in re.findall(r"\[(NW:[\w-]+)\]", path.read_text()):
                        used.setdefault(tag, path.relative_to(ROOT))
        self.assertTrue(used, "no tag is used: looking in a wrong place")
        self.assertEqual({tag: str(path) for tag, path in used.items() if tag not in known}, {})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
