"""What commands of the documentation need, and whether it is on this machine."""

import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Tables that everyone knows and the project does not hold: code that reads them runs where they are.
PUBLIC_TABLES = ROOT.parent / "shared" / "data" / "tables" / "raw"
PUBLIC = re.compile(r"\b(?:penguins|adult|tips|titanic|mpg)\.csv\b")
# Commands of the second program, which needs LibTorch.
LEARNING = re.compile(r"^nw (gan|sample|adapt|predict|denoise|score)\b|--method nw\b|--dual\b|nw-dual", re.M)
# Lines of output that differ from run to run.
COST = re.compile(r"^[\d.e+-]+ s, [\d.e+-]+ MB$|\bseconds\b")


def missing(code, command, folder):
    """Why code cannot run with this command: its table or its program is missing. Copies its tables to a folder."""
    for table in PUBLIC.findall(code):
        if not (PUBLIC_TABLES / table).exists():
            return f"no {table}"
        shutil.copy(PUBLIC_TABLES / table, folder / table)
    if LEARNING.search(code) and not pathlib.Path(command).with_name("nw-torch").exists():
        return "no nw-torch"
    return None
