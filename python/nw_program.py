"""The command nw of a wheel: becomes the program inside the package, without importing it."""
import importlib.util
import os
import pathlib
import sys


def main() -> int:
    package = importlib.util.find_spec("nw")
    if package is None or package.origin is None:
        print("nw: the module nw is not installed for this interpreter", file=sys.stderr)
        return 1
    program = pathlib.Path(package.origin).parent / "bin" / "nw"
    try:
        os.execv(program, ["nw", *sys.argv[1:]])
    except OSError as error:
        print(f"nw: {program}: {error.strerror}; install the package again", file=sys.stderr)
    return 1
