"""Prepares a file for doxygen: equation tags become links, formulas plain lines, headings targets."""

import pathlib
import re
import sys

MATHS = "docs/math.md"


def with_links(text, is_maths):
    """[NW:eq1] leads to its row of the table of equations, and in that table it is the target."""
    if is_maths:
        return re.sub(r"^\| \[NW:(\w+)\]", r'| <a id="NW-\1"></a>[NW:\1]', text, flags=re.M)
    return re.sub(
        r"\[NW:(\w+)\](\([\w./-]*math\.md\))?",
        r'<a href="md_docs_math.html#NW-\1">[NW:\1]</a>',
        text,
    )


def with_anchors(text, page):
    """Headings get the names by which Markdown readers link to them, made unique by the page's."""

    def named(found):
        slug = re.sub(r"[^\w -]", "", found.group(2).lower()).strip().replace(" ", "-")
        return f"{found.group(1)} {found.group(2)} {{#{page}-{slug}}}"

    lines, code = [], False
    for line in text.split("\n"):
        code ^= line.startswith("```")
        lines.append(line if code else re.sub(r"^(##+) (.*\S)$", named, line))
    text = "\n".join(lines)
    text = re.sub(r"\]\(#([\w-]+)\)", rf"](#{page}-\1)", text)
    return re.sub(r"\]\((?:[\w.-]*/)*([\w-]+)\.md#([\w-]+)\)", r"](#\1-\2)", text)


def with_gallery(text):
    """A thumbnail leads to the page it shows."""
    return re.sub(
        r"^!\[([^\]]*)\]\(gallery/(\w+)\.png\)$",
        r'<a href="gallery/\2.html"><img class="thumbnail" src="gallery/\2.png" alt="\1"></a>',
        text,
        flags=re.M,
    )


def with_notebook(text, page):
    """A tutorial is there as a notebook too."""
    return f'{text}\n<a href="notebooks/{page}.ipynb">This page as a Jupyter notebook</a>\n'


def plain(formula):
    """A formula of the README in characters: the site needs no network and no typesetter."""
    for pattern, text in [
        (r"\\;|\\,|\\big|\\!", ""),
        (r"\\min_\{([^}]*\}?[^}]*\}?[^}]*)\}", r"min over \1 of"),
        (r"\\pi\^\{\((\d)\)\}", r"pi(\1)"),
        (r"\\pi", "pi"),
        (r"\\dots", "..."),
        (r"_\{([^{}]*)\}", r"_{\1}"),
        (r"\\ ", " "),
    ]:
        formula = re.sub(pattern, text, formula)
    return re.sub(r" +", " ", formula).strip()


def without_formulas(text):
    text = re.sub(
        r"^```math\n(.*?)\n```$",
        lambda found: "```text\n" + plain(found.group(1)) + "\n```",
        text,
        flags=re.M | re.S,
    )
    return re.sub(
        r"(?<![\\`$\w])\$([^$\n`]+)\$(?!\w)", lambda found: f"*{plain(found.group(1))}*", text
    )


def main():
    path = pathlib.Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    text = with_links(text, path.as_posix().endswith(MATHS))
    if path.parent.name == "tutorials":
        text = with_notebook(text, path.stem)
    if path.suffix == ".md":
        text = with_anchors(without_formulas(with_gallery(text)), path.stem)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
