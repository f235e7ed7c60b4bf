"""Who does the learning: the extension _nw_torch in this process, or the command in one of its own."""
from __future__ import annotations

import functools
import os
import warnings
from typing import Any


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a fit. ``partial`` is the estimator with what it had learnt until then."""

    def __init__(self, message: str, partial: Any):
        super().__init__(message)
        self.partial = partial


@functools.lru_cache(maxsize=None)
def _extension():
    try:
        from . import _nw_torch
    except ModuleNotFoundError as error:
        return None, error
    except ImportError:
        # LibTorch is where no linker looks, as in pip's torch: that loads it.
        try:
            import torch  # noqa: F401

            from . import _nw_torch
        except ImportError as error:
            return None, error
    return _nw_torch, None


@functools.lru_cache(maxsize=None)
def _warn_that_the_command_learns(program: str, reason: str) -> None:
    warnings.warn(f"nw learns by the program {program}, which is started for every call, because "
                  f"{reason}; predict_proba and progress are not to be had from it", RuntimeWarning,
                  stacklevel=4)


def engine():
    """The module whose ``adapt``, ``cluster``, ``denoise`` and ``generate`` learn. NW_COMMAND asks for a program."""
    from . import _command

    if os.environ.get("NW_COMMAND"):
        return _command
    extension, error = _extension()
    if extension is not None:
        return extension
    _warn_that_the_command_learns(_command.find(), f"its extension cannot be loaded ({error})")
    return _command
