"""What results that can be drawn have in common."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Union

from . import _nw


class Drawable:
    """A result with a run record: the JSON object that ``nw COMMAND --json`` writes."""

    record: str

    def to_dict(self) -> Dict[str, Any]:
        """The run record; see docs/run_record.md for its fields."""
        return json.loads(self.record)

    def save_report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the result as a self-contained HTML page."""
        _nw.write_page(os.fspath(path), self.record)

    def _repr_html_(self) -> str:
        return _nw.render_fragment(self.record)
