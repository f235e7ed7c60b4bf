"""The rules of the source tree: what may include what, what may print, what may name LibTorch.

`python3 tests/layering/layers.py` writes the table of layers into docs/design.md.
"""

import pathlib
import re

CORE = {"base", "io", "table", "ot", "data", "record", "measure", "report", "run", "score", "cluster"}
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
    "table": (2, {"base", "io"}),
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
    "app/compare": (7, CORE),
    "app/report": (7, CORE),
    "app/clustering": (8, CORE | {"app/compare"}),
    "app/transport": (8, CORE | {"app/compare"}),
    "app/learning": (8, CORE | LEARNING),
    "app/clustering/adversarial": (9, CORE | LEARNING | {"app/clustering", "app/learning"}),
    "app/adaptation": (9, CORE | LEARNING | {"app/learning"}),
    "app/generation": (9, CORE | LEARNING | {"app/learning"}),
    "app/denoising": (9, CORE | LEARNING | {"app/learning"}),
}
# Above the library, with sources in folders of their own at the top of the tree.
ROOMS = {
    "experiments": (10, set(ALLOWED)),
    "cli": (11, set(ALLOWED) - LEARNING - {"c10d", "run"} | {"experiments"}),  # it calls applications
    "python": (11, {"base", "io", "table", "ot", "measure", "record", "report"} | {
        folder for folder in ALLOWED if folder.startswith("app/")}),
}
ROOM_SOURCES = {"experiments": "experiments", "cli": "cli", "python": "python/bindings"}

# folder -> what it holds, for the table of docs/design.md
CONTENT = {
    "base": "errors, matrix views, decompositions, random numbers, threads, clock",
    "io": "points, tables, labels and JSON from and to files",
    "mpi": "the processes of a job, as a module that is loaded when there are several",
    "table": "what cells mean: kinds, missing values, scale, coordinates and back",
    "ot": "transport problems and their solvers",
    "data": "data sets that are checked by their sums, prepared, and subsets of them",
    "record": "what one run reports, as plain data",
    "measure": "mixtures, proportions, W_N, comparison, choice of k",
    "report": "charts, pages and text made from records",
    "run": "run directories: configuration, metrics, checkpoints, result",
    "score": "the formulas of Inception Score and FID",
    "cluster": "k-means, mixtures of Gaussians, linkages, the choice among them, agreement with known classes",
    "c10d": "the processes of a job that torchrun started",
    "bridge": "tensors from and to matrices",
    "nn": "generators, critics, Lipschitz control, backbones",
    "train": "Algorithm 1, optimisers, the loop with checkpoints and recovery",
    "gan": "recipes, games and models of mixture GANs, scores",
    "adapt": "domains, recipes and the game of domain adaptation; proportions without labels",
    "app/compare": "two data sets: verdict, record and figure",
    "app/report": "a page of runs that are on disk",
    "app/transport": "distances between data sets, plans and their certificates: files, records",
    "app/clustering": "options, rules and feature spaces of clustering",
    "app/learning": "what the applications that learn share",
    "app/clustering/adversarial": "clusters by a mixture of generators",
    "app/adaptation": "a classifier for a target of another mix",
    "app/generation": "mixture GANs of points and pictures",
    "app/denoising": "denoising without pairs",
    "experiments": "the tables and figures of `nw reproduce`, one file each; what `nw bench` times",
    "cli": "the command: parsing, progress, exit codes, text for people",
    "python": "the Python module: arrays in, results out, no logic",
}
FIRST_TORCH_LAYER = 5
WITHOUT_TORCH = {"app/compare", "app/clustering", "app/report", "app/transport"}  # of the layers above

# Third-party headers that stay behind the public ones, so that users need not have them.
PRIVATE_DEPENDENCIES = ("nlohmann/json.hpp", "Eigen/", "CLI/", "png.h", "jpeglib.h", "zlib.h",
                        "zstd.h", "lz4.h", "lz4frame.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TORCH = re.compile(r"\b(torch|at|c10)::|#\s*include\s*[<\"](torch|ATen|c10)/")
PRINTS = re.compile(
    r"\bstd::(cout|cerr|clog)\b|\b(printf|vprintf|puts|putchar|perror)\s*\(|\bf(printf|puts)\s*\(\s*std"
    # ... or ends the process; a member of that name, as that of a process group, does not
    r"|(?<![.>])\b(std::)?(abort|exit|_Exit|quick_exit|terminate)\s*\("
)
# Options of the command line as its users write them: below cli, messages name an option by `name`.
STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"', re.S)
OPTION = re.compile(r"(?<![\w-])--[a-z]")
ARGUMENT = re.compile(r"--[a-z-]+")  # alone: an argument of a program, where one is started
HTML_COMMENT = re.compile(r"<!--.*?-->")  # says where a part of a page comes from
STARTS_PROGRAMS = re.compile(r"\brun_(process|worker)\s*\(")


def option_texts(text):
    """Yields (line number, literal) for string literals that name an option as the command line does."""
    starts_programs = STARTS_PROGRAMS.search(text)
    for match in STRING.finditer(text):
        literal = match.group(1)
        if literal is None or not OPTION.search(HTML_COMMENT.sub("", literal)):
            continue
        if not (starts_programs and ARGUMENT.fullmatch(literal)):
            yield text.count("\n", 0, match.start()) + 1, literal


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
    if parts[0] in ROOMS:
        return parts[0]
    if parts[0] == "nw" and len(parts) > 2:
        return folder_of(parts[1:]) or parts[1]
    return folder_of(parts)  # a private header of src/


def violations_in(folder, text, public):
    """Yields (line number, what is wrong) for one file of include/nw/<folder> or src/<folder>."""
    layer, allowed = (ALLOWED | ROOMS)[folder]
    library = folder in ALLOWED
    if folder != "cli":
        for number, literal in option_texts(text):
            yield number, f'only cli names options as "--name": "{literal}"'
    for number, line in enumerate(strip_comments(text).split("\n"), 1):
        include = INCLUDE.match(line)
        if include:
            path = include.group(2)
            target = included_folder(path)
            if target is not None and target != folder and target not in allowed:
                yield number, f"{folder} may not include {path}"
            elif folder == "cli" and target in ALLOWED and not path.startswith("nw/"):
                yield number, f"cli includes public headers alone, not {path}"
            if library and path.startswith(("tests/", "bench/")):
                yield number, f"the library may not include {path}"
            if public and path.startswith(PRIVATE_DEPENDENCIES):
                yield number, f"a public header may not include {path}"
        if (layer < FIRST_TORCH_LAYER or folder in WITHOUT_TORCH) and TORCH.search(line):
            yield number, f"{folder} may not name LibTorch"
        if library and PRINTS.search(line):
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
    for room, folder in ROOM_SOURCES.items():
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            files += 1
            for number, problem in violations_in(room, path.read_text(), False):
                found.append(f"{path.relative_to(root)}:{number}: {problem}")
    return found, files


def shown_folders(layer, allowed):
    """What a folder may include, shortened: a whole target, "all but", or the list."""
    below = {folder for folder, (other, _) in ALLOWED.items() if other < layer}
    core, core_and_learning = CORE, CORE | LEARNING
    missing = below - allowed - {"mpi", "c10d"}
    if not allowed:
        return "the standard library"
    if core <= allowed and not allowed & LEARNING and len(allowed - core) <= 2:
        return ", ".join(["nw::core", *sorted(allowed - core)])
    if core_and_learning <= allowed or len(missing) <= 6 < len(allowed) - len(missing):
        return "all above" + (f" but {', '.join(sorted(missing))}" if missing else "")
    applications = {folder for folder in ALLOWED if folder.startswith("app/")}
    if applications <= allowed:
        return ", ".join([*sorted(allowed - applications), "app"])
    return ", ".join(sorted(allowed, key=lambda folder: (ALLOWED[folder][0], folder)))


def markdown_table():
    """The table of layers in docs/design.md."""
    rows = ["| layer | folder | what it holds | may include |", "| --- | --- | --- | --- |"]
    everything = ALLOWED | ROOMS
    for folder in sorted(everything, key=lambda folder: (everything[folder][0], folder)):
        layer, allowed = everything[folder]
        rows.append(f"| {layer} | `{folder}` | {CONTENT[folder]} | {shown_folders(layer, allowed)} |")
    return "\n".join(rows) + "\n"


TABLE_BEGINS = "<!-- layers: made by tests/layering/layers.py -->\n"
TABLE_ENDS = "<!-- end of layers -->\n"


def with_table(text):
    """The text of docs/design.md with the table that the rules give."""
    before, rest = text.split(TABLE_BEGINS)
    return before + TABLE_BEGINS + markdown_table() + TABLE_ENDS + rest.split(TABLE_ENDS)[1]


if __name__ == "__main__":
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "design.md"
    page.write_text(with_table(page.read_text()))
