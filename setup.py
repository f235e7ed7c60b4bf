"""Builds the wheel: CMake compiles, setuptools packs. All else is in pyproject.toml.

Environment variables:
  NW_BUILD_DIR    folder that CMake builds in (default: build/pip). One that was configured before is
                  used as it is, so a development build can be packed without compiling twice.
  NW_WITH_TORCH   ON, OFF or AUTO: the half that learns. AUTO, the default, is ON where this
                  interpreter can import torch.
  NW_CMAKE_ARGS   more arguments of cmake, such as -DCMAKE_BUILD_TYPE=Debug.
"""

import os
import pathlib
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent

# Prints where the CMake package of the interpreter's PyTorch is; nothing where Debian's is, which
# CMake finds by itself. In a process of its own and isolated (-I): pip hides what is installed.
FIND_TORCH = """
import os, torch
folder = torch.utils.cmake_prefix_path
print(folder if os.path.isdir(folder) else "")
"""


def run(*command):
    try:
        subprocess.run(list(map(str, command)), cwd=ROOT, check=True)
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} was not found: run scripts/setup.sh build, which installs "
                         "it and all else that the build needs")
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{shlex.join(map(str, command))} failed with {error.returncode}; run "
                         "scripts/setup.sh --check build for what is missing")


def torch_arguments():
    wanted = os.environ.get("NW_WITH_TORCH", "AUTO").upper()
    if wanted == "OFF":
        return ["-DNW_WITH_TORCH=OFF"]
    found = subprocess.run([sys.executable, "-I", "-c", FIND_TORCH], capture_output=True, text=True)
    if found.returncode != 0:
        return [f"-DNW_WITH_TORCH={'ON' if wanted == 'ON' else 'OFF'}"]
    prefix = found.stdout.strip()
    return ["-DNW_WITH_TORCH=ON"] + ([f"-DCMAKE_PREFIX_PATH={prefix}"] if prefix else [])


class BuildWithCMake(build_ext):
    def run(self):
        if self.editable_mode or self.inplace:
            raise SystemExit("nw cannot be installed in place; after scripts/build.sh dev, "
                             "PYTHONPATH=build/dev/python imports what you edit")
        build = pathlib.Path(os.environ.get("NW_BUILD_DIR", ROOT / "build" / "pip")).resolve()
        if "NW_BUILD_DIR" not in os.environ or not (build / "CMakeCache.txt").exists():
            run("cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                "-DNW_BUILD_TESTS=OFF", "-DNW_BUILD_EXAMPLES=OFF", f"-DNW_PYTHON={sys.executable}",
                *torch_arguments(), *shlex.split(os.environ.get("NW_CMAKE_ARGS", "")))
        run("cmake", "--build", build, "--target", "nw_wheel")
        run("cmake", "--install", build, "--component", "wheel", "--strip",
            "--prefix", pathlib.Path(self.build_lib).resolve())

    def get_outputs(self):
        return []


# The extension stands for all that CMake makes: it marks the wheel as one for this machine.
setup(ext_modules=[Extension("nw._nw", sources=[])], cmdclass={"build_ext": BuildWithCMake})
