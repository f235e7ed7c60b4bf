"""Writes what the commands of the README and the tutorials print now into their text blocks.

Usage: refresh.py path/of/nw   (from anywhere; public tables are taken from ../shared where they are)

A block marked text that follows a block marked sh, with nothing but blank lines between, shows what
that block prints, without the lines on time and memory. The pictures of the README are drawn again too.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT.parent / "shared" / "data" / "tables" / "raw"
PAIR = re.compile(r"(```sh\n(?P<commands>(?:(?!```).)*?)```\n\s*```text\n)(?:(?!```).)*?(```)", re.S)
COST = re.compile(r"^[\d.e+-]+ s, [\d.e+-]+ MB$")
PICTURES = {"docs/penguins.svg": "compare penguins.csv --by island --from Biscoe --to Dream"}


def pages():
    return [ROOT / "README.md"] + sorted((ROOT / "docs" / "tutorials").glob("*.md"))


def printed_by(commands, folder, nw):
    """What the commands print to a pipe, or None where a table is missing."""
    text = ""
    for line in filter(None, map(str.strip, commands.replace("\\\n", " ").split("\n"))):
        for table in re.findall(r"\b\w+\.csv\b", line):
            if (TABLES / table).exists():
                shutil.copy(TABLES / table, folder / table)
        environment = dict(os.environ, PATH=f"{nw.parent}:{os.environ['PATH']}")
        done = subprocess.run(line, shell=True, cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
        if done.returncode != 0:
            return None
        text += done.stdout
    lines = [line for line in text.rstrip("\n").split("\n") if not COST.match(line)]
    return "\n".join(lines).rstrip("\n") + "\n"


def in_short(text):
    """For the README: a comparison without notes and inputs, of which the first has its table."""
    lines = []
    for line in text.split("\n"):
        if line.startswith(("- ", "X: ")):
            break
        lines.append(line)
    if "Gentoo" not in text and "" in lines[:-1]:
        lines = lines[: lines.index("")]
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    nw = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        shutil.copytree(ROOT / "examples", folder / "examples")

        def refreshed(found, short):
            text = printed_by(found["commands"], folder, nw)
            if text is None:
                return found.group(0)
            return found.group(1) + (in_short(text) if short else text) + found.group(3)

        for page in pages():
            before = page.read_text()
            short = page.name == "README.md"
            after = PAIR.sub(lambda found: refreshed(found, short), before)
            if after != before:
                page.write_text(after)
                print(page.relative_to(ROOT))
        for picture, command in PICTURES.items():
            if printed_by(f"nw {command} --svg picture.svg", folder, nw) is not None:
                shutil.copy(folder / "picture.svg", ROOT / picture)


if __name__ == "__main__":
    main()
