"""The rules of the source tree: who may include whom, who may print, who may name LibTorch."""

import pathlib
import re

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
}
FIRST_TORCH_LAYER = 5

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


def included_folder(path):
    parts = path.split("/")
    if parts[0] == "nw" and len(parts) > 2:
        return parts[1]
    if len(parts) > 1 and parts[0] in ALLOWED:  # a private header of src/
        return parts[0]
    return None


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
            if path.startswith(("cli/", "tests/", "bench/")):
                yield number, f"the library may not include {path}"
            if public and path.startswith(PRIVATE_DEPENDENCIES):
                yield number, f"a public header may not include {path}"
        if layer < FIRST_TORCH_LAYER and TORCH.search(line):
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
            folder = relative.parts[0]
            if len(relative.parts) == 1:
                continue  # src/torch_compat.hpp and the like belong to no layer
            if folder not in ALLOWED:
                found.append(f"{path.relative_to(root)}: no layer is called {folder}")
                continue
            for number, problem in violations_in(folder, path.read_text(), public):
                found.append(f"{path.relative_to(root)}:{number}: {problem}")
    return found, files
