"""The rules of the source tree: who may include whom, who may print, who may name LibTorch."""

import pathlib
import re

CORE = {"base", "io", "ot", "data", "record", "measure", "report", "run", "score", "cluster"}
LEARNING = {"bridge", "nn", "train", "gan", "adapt"}

# folder -> (layer, folders it may include). An include goes to a smaller layer; folders of one
# layer do not include each other.
ALLOWED = {
    "base": (0, set()),
    "io": (1, {"base"}),
    "mpi": (1, {"base"}),
    "ot": (2, {"base"}),
    "data": (2, {"base", "io"}),
    "record": (2, {"base", "io"}),
    "measure": (3, {"base", "ot"}),
    "report": (3, {"base", "io", "record"}),
    "run": (3, {"base", "io", "record"}),
    "score": (1, {"base"}),
    "cluster": (4, {"base", "ot", "measure"}),
    "c10d": (5, {"base", "mpi"}),
    "bridge": (5, {"base"}),
    "nn": (5, {"base"}),
    "train": (6, {"base", "io", "record", "measure", "run", "bridge", "nn"}),
    "gan": (7, {"base", "io", "ot", "record", "measure", "run", "bridge", "nn", "train"}),
    "adapt": (7, {"base", "io", "ot", "record", "measure", "run", "bridge", "nn", "train"}),
    # The applications: one call each. Those that learn share app/learning.
    "app/compare": (8, CORE),
    "app/clustering": (8, CORE),
    "app/learning": (8, CORE | LEARNING),
    "app/clustering/adversarial": (9, CORE | LEARNING | {"app/clustering", "app/learning"}),
    "app/adaptation": (9, CORE | LEARNING | {"app/learning"}),
    "app/generation": (9, CORE | LEARNING | {"app/learning"}),
    "app/denoising": (9, CORE | LEARNING | {"app/learning"}),
}
FIRST_TORCH_LAYER = 5
WITHOUT_TORCH = {"app/compare", "app/clustering"}  # of the layers above

# Third-party headers that stay behind the public ones, so that users need not have them.
PRIVATE_DEPENDENCIES = ("nlohmann/json.hpp", "Eigen/", "CLI/", "png.h", "jpeglib.h", "zlib.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH = re.compile(r"\b(torch|at|c10)::|#\s*include\s*[<\"](torch|ATen|c10)/")
PRINTS = re.compile(
    r"\bstd::(cout|cerr|clog)\b|\b(printf|vprintf|puts|putchar|perror)\s*\(|\bf(printf|puts)\s*\(\s*std"
    # ... or ends the process; a member of that name, as that of a process group, does not
    r"|(?<![.>])\b(std::)?(abort|exit|_Exit|quick_exit|terminate)\s*\("
)


def strip_comments(text):
    """Blanks comments and string literals, keeping line numbers; includes stay as they are."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        piece = match.group(0)
        if piece.startswith('"'):
            line_start = text.rfind("\n", 0, match.start()) + 1
            if text[line_start : match.start()].lstrip().startswith("#"):
                return piece
            return '""'
        if piece.startswith("'"):
            # A digit separator such as 1'000 is no character literal.
            return piece if text[max(0, match.start() - 1)].isalnum() else "''"
        return "\n" * piece.count("\n")

    return pattern.sub(blank, text)


def folder_of(parts):
    """The layer's folder that a path below include/nw or src begins with, or None."""
    for length in (3, 2, 1):
        folder = "/".join(parts[:length])
        if len(parts) > length and folder in ALLOWED:
            return folder
    return None


def included_folder(path):
    parts = path.split("/")
    if parts[0] == "nw" and len(parts) > 2:
        return folder_of(parts[1:]) or parts[1]
    return folder_of(parts)  # a private header of src/


def violations_in(folder, text, public):
    """Yields (line number, what is wrong) for one file of include/nw/<folder> or src/<folder>."""
    layer, allowed = ALLOWED[folder]
    for number, line in enumerate(strip_comments(text).split("\n"), 1):
        include = INCLUDE.match(line)
        if include:
            path = include.group(2)
            target = included_folder(path)
            if target is not None and target != folder and target not in allowed:
                yield number, f"{folder} may not include {path}"
            if path.startswith(("cli/", "experiments/", "tests/", "bench/")):
                yield number, f"the library may not include {path}"
            if public and path.startswith(PRIVATE_DEPENDENCIES):
                yield number, f"a public header may not include {path}"
        if (layer < FIRST_TORCH_LAYER or folder in WITHOUT_TORCH) and TORCH.search(line):
            yield number, f"{folder} may not name LibTorch"
        if PRINTS.search(line):
            yield number, f"the library neither prints nor ends the process: {line.strip()}"
    if public and "#pragma once" not in text:
        yield 1, "a header starts with #pragma once"


def check_tree(root):
    """All violations below `root`, as lines of text, and the number of files looked at."""
    root = pathlib.Path(root)
    found, files = [], 0
    for top, public in (("include/nw", True), ("src", False)):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".h", ".inc"):
                continue
            files += 1
            relative = path.relative_to(root / top)
            if len(relative.parts) == 1:
                continue  # src/torch_compat.hpp and the like belong to no layer
            folder = folder_of(relative.parts)
            if folder is None:
                found.append(f"{path.relative_to(root)}: is in no layer")
                continue
            for number, problem in violations_in(folder, path.read_text(), public):
                found.append(f"{path.relative_to(root)}:{number}: {problem}")
    return found, files
