#!/usr/bin/env python3
"""Writes the tutorials as Jupyter notebooks: the same words and commands, ready to be run.

Usage: scripts/notebooks.py [FOLDER]
  FOLDER   gets a notebook for every page of docs/tutorials (default: build/notebooks)

Start Jupyter anywhere in the clone, with `nw` on the PATH and the module `nw` importable:
  PATH=$PWD/build/release/bin:$PATH PYTHONPATH=$PWD/build/release/python jupyter notebook build/notebooks

The pages are the source and the notebooks are never edited. Shell and Python blocks become cells; the
output that a page shows is left out, because running the cell prints it. A C++ program becomes a file, a
cell that compiles it (NW_FLAGS says where nw is, if it is not installed) and runs it.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "tutorials"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n?", re.M | re.S)
START = """\
# Work in a scratch folder, with links to the example data and to tables at the top of the clone.
import os
import pathlib
import tempfile

here = pathlib.Path.cwd()
top = next(folder for folder in [here, *here.parents] if (folder / "examples" / "data").exists())
os.chdir(tempfile.mkdtemp(prefix="nw-tutorial-"))
for path in [top / "examples", *top.glob("*.csv")]:
    os.symlink(path, path.name)
"""
COMPILE = "%%sh\n${{CXX:-c++}} -std=c++20 -O1 {name}.cpp -o {name} ${{NW_FLAGS:--lnw_core}} && ./{name}"


def markdown_cell(text):
    # Links between pages have no meaning here; the name of the page has.
    text = re.sub(r"\[([^\]]+)\]\((?:\.\./)?([\w/]+\.md)(?:#[\w-]+)?\)", r"\1 (`docs/\2`)", text)
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip("\n")}


def code_cell(text):
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
            "source": text.rstrip("\n")}  # fmt: skip


def cells_of(page):
    cells, programs, place = [], 0, 0
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        before, (language, code) = text[place : block.start()], block.groups()
        place = block.end()
        if before.strip():
            cells.append(markdown_cell(before))
        if language == "sh":
            cells.append(code_cell("%%sh\n" + code))
        elif language == "python":
            cells.append(code_cell(code))
        elif language == "cpp":
            programs += 1
            name = f"program{programs}"
            cells += [code_cell(f"%%writefile {name}.cpp\n{code}"), code_cell(COMPILE.format(name=name))]
        elif language != "text":
            cells.append(markdown_cell(block.group(0)))
    if text[place:].strip():
        cells.append(markdown_cell(text[place:]))
    cells.insert(1, code_cell(START))  # below the title
    return cells


def notebook_of(page):
    cells = [{**cell, "id": f"{page.stem}-{number}".replace("_", "-")} for number, cell in enumerate(cells_of(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
            "nbformat": 4, "nbformat_minor": 5}  # fmt: skip


def main():
    if "-h" in sys.argv or "--help" in sys.argv:
        print(__doc__)
        return
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted(PAGES.glob("*.md")):
        text = json.dumps(notebook_of(page), indent=1, ensure_ascii=False) + "\n"
        (folder / f"{page.stem}.ipynb").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
