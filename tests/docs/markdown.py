"""Code blocks of Markdown files."""

import dataclasses
import re


@dataclasses.dataclass
class Block:
    language: str  # the first word after the fence
    text: str
    place: str  # file:line of the fence

    @property
    def page(self):
        return self.place.rsplit(":", 1)[0]

    def __str__(self):
        return f"{self.place} ({self.language})"


def code_blocks(path, shown_name):
    blocks, language, lines, start = [], None, [], 0
    for number, line in enumerate(path.read_text().split("\n"), 1):
        fence = re.match(r"\s*```\s*(\S*)", line)
        if fence and language is None:
            language, lines, start = fence.group(1), [], number
        elif fence:
            blocks.append(Block(language, "\n".join(lines) + "\n", f"{shown_name}:{start}"))
            language = None
        elif language is not None:
            lines.append(line)
    if language is not None:
        raise AssertionError(f"{shown_name}:{start}: this code block never ends")
    return blocks
