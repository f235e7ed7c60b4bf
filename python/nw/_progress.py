"""What `progress=` may be: a function, or True for a bar on the standard error stream."""
from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Callable, Iterator, Optional, Union

Progress = Union[bool, None, Callable[[str, float], Any]]

_WIDTH = 30


class Bar:
    """One line that is drawn again: the stage, a bar, the fraction done and the seconds so far."""

    def __init__(self, stream=None):
        self._stream = sys.stderr if stream is None else stream
        self._start = time.monotonic()
        self._drawn = 0

    def __call__(self, stage: str, fraction: float) -> None:
        fraction = min(max(float(fraction), 0.0), 1.0)
        filled = "#" * round(_WIDTH * fraction)
        seconds = time.monotonic() - self._start
        line = f"{stage} [{filled:<{_WIDTH}}] {100 * fraction:3.0f} % {seconds:.1f} s"
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def close(self) -> None:
        if self._drawn:
            self._stream.write("\n")
            self._stream.flush()


@contextlib.contextmanager
def reporting(progress: Progress) -> Iterator[Optional[Callable[[str, float], Any]]]:
    """The function to call with a stage and a fraction, or None; a bar is finished at the end."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = Bar()
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise ValueError("progress must be True, None or a function of a stage and a fraction, "
                         f"got {progress!r}")
