"""Every tutorial runs as a notebook, and its cells print what the page shows.

Usage: notebooks_test.py COMPILER LIBRARY COMMAND [FLAG...]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import at_hand
import markdown

COMPILER, LIBRARY, COMMAND = sys.argv[1:4]
FLAGS = sys.argv[4:]
ROOT = at_hand.ROOT
MODULE = pathlib.Path(COMMAND).parents[1] / "python"
SECONDS = 240  # for one cell, on a machine that does much else

try:
    import ipykernel  # noqa: F401  (what runs the cells)
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
except ImportError as absent:
    print(f"skipped: {absent} (python3-nbconvert, python3-ipykernel)")
    sys.exit(77)


def printed(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


class TheNotebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A clone as far as notebooks see it: the examples, and tables beside them.
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-notebooks-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(ROOT / "examples", cls.folder / "examples")
        subprocess.run([ROOT / "scripts" / "notebooks.py", cls.folder / "notebooks"], check=True)
        libraries = ["-lz", "-lpng", "-ljpeg", "-lzstd", "-llz4", "-pthread"]
        os.environ.update(
            PATH=f"{pathlib.Path(COMMAND).parent}:{os.environ['PATH']}", PYTHONPATH=str(MODULE),
            CXX=COMPILER, NW_FLAGS=" ".join([*FLAGS, f"-I{ROOT}/include", LIBRARY, *libraries]),
            TMPDIR=str(cls.folder), PYDEVD_DISABLE_FILE_VALIDATION="1", IPYTHONDIR=str(cls.folder / "ipython"),
        )  # fmt: skip

    def run_page(self, name):
        page = ROOT / "docs" / "tutorials" / f"{name}.md"
        text = page.read_text(encoding="utf-8")
        why = at_hand.missing(text, COMMAND, self.folder)
        if not why and "import nw\n" in text and not list(MODULE.glob("nw/_nw*.so")):
            why = "the Python module is not built"
        if why:
            self.skipTest(why)
        notebook = nbformat.read(self.folder / "notebooks" / f"{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        runner = ExecutePreprocessor(timeout=SECONDS, kernel_name="python3")
        runner.preprocess(notebook, {"metadata": {"path": str(self.folder / "notebooks")}})  # raises on errors
        output = "".join(printed(cell) for cell in notebook.cells if cell.cell_type == "code")
        for block in markdown.code_blocks(page, page.name):
            for line in block.text.split("\n") if block.language == "text" else []:
                if line.strip() and not at_hand.COST.search(line):
                    self.assertIn(line.rstrip() + "\n", output, block.place)
        return notebook

    def test_what_changed(self):
        notebook = self.run_page("what_changed")
        drawn = [output.data.get("text/html", "") for cell in notebook.cells if cell.cell_type == "code"
                 for output in cell.outputs if output.output_type == "execute_result"]  # fmt: skip
        self.assertEqual(len(drawn), 1)
        self.assertIn("<svg", drawn[0])
        self.assertIn("The members changed", drawn[0])

    def test_monitor_inputs(self):
        self.run_page("monitor_inputs")

    def test_adapt_a_classifier(self):
        self.run_page("adapt_a_classifier")

    def test_cluster_imbalanced_data(self):
        self.run_page("cluster_imbalanced_data")

    def test_use_from_cpp(self):
        notebook = self.run_page("use_from_cpp")
        self.assertIn("W2 = ", "".join(printed(cell) for cell in notebook.cells if cell.cell_type == "code"))

    def test_read_a_certificate(self):
        self.run_page("read_a_certificate")

    def test_every_tutorial_is_run(self):
        pages = {page.stem for page in (ROOT / "docs" / "tutorials").glob("*.md")}
        self.assertEqual(pages, {name[5:] for name in dir(self) if name.startswith("test_") and name[5:] in pages})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
