#!/usr/bin/env python3
"""Writes text_search.html, the page of the site that finds words in the text of all pages.

Doxygen's own search knows titles and names only, unless a server answers. This one holds the text
itself, so that it works from disk.

Usage: scripts/search_page.py FOLDER     the folder with the site's html files
"""

import html
import html.parser
import json
import pathlib
import sys

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>nw: search the text</title><link href="doxygen.css" rel="stylesheet"><link href="style.css" rel="stylesheet">
<style>
body {{ max-width: 48rem; margin: 2rem auto; padding: 0 1rem; overflow: auto; }}
input {{ font: inherit; width: 100%; padding: .5rem; box-sizing: border-box; }}
li {{ margin: .8rem 0; }} p {{ margin: .2rem 0; }}
</style></head><body class="contents">
<p><a href="index.html">nw</a></p><h1>Search the text</h1>
<label for="words">Words that a section must contain</label><input id="words" type="search" autofocus>
<p id="count" aria-live="polite"></p><ol id="found"></ol>
<script>
const sections = {sections};
const [words, count, found] = ["words", "count", "found"].map((id) => document.getElementById(id));
const most = 50, around = 90;
for (const section of sections) section.lower = `${{section.title}} ${{section.text}}`.toLowerCase();
function excerpt(section, wanted) {{
  const at = Math.max(section.text.toLowerCase().indexOf(wanted[0]), 0);
  const from = Math.max(at - around, 0), to = at + wanted[0].length + around;
  return (from > 0 ? "…" : "") + section.text.slice(from, to) + (to < section.text.length ? "…" : "");
}}
function show() {{
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const hits = wanted.length === 0 ? [] : sections.filter((s) => wanted.every((w) => s.lower.includes(w)));
  // A word in the title says more than one in the text.
  const inTitle = (s) => wanted.filter((w) => s.title.toLowerCase().includes(w)).length;
  hits.sort((a, b) => inTitle(b) - inTitle(a));
  count.textContent = wanted.length === 0 ? "" : `${{hits.length}} ${{hits.length === 1 ? "section" : "sections"}}`;
  found.replaceChildren(...hits.slice(0, most).map((hit) => {{
    const [item, link, text] = ["li", "a", "p"].map((name) => document.createElement(name));
    link.href = hit.url;
    link.textContent = hit.title;
    text.textContent = excerpt(hit, wanted);
    item.append(link, text);
    return item;
  }}));
}}
words.addEventListener("input", show);
words.value = new URLSearchParams(location.search).get("q") ?? "";
show();
</script></body></html>
"""


class Sections(html.parser.HTMLParser):
    """The text below each heading of a page."""

    HEADINGS = ("h1", "h2", "h3")

    def __init__(self, path):
        super().__init__()
        self.name, self.page_title = path.name, path.stem
        self.sections, self.heading, self.depth, self.anchor, self.skip = [], None, 0, "", 0
        self.open_section(path.stem, "")
        self.feed(path.read_text(encoding="utf-8"))

    def open_section(self, title, anchor):
        self.sections.append({"url": self.name + (f"#{anchor}" if anchor else ""), "title": title, "text": ""})

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        classes = (values.get("class") or "").split()
        if tag == "div" and (self.depth or "contents" in classes):
            self.depth += 1
        if tag in ("script", "style") or (tag == "div" and "toc" in classes):
            self.skip += 1
        if tag == "div" and "title" in classes:
            self.heading = ""
        if not self.depth:
            return
        if tag == "a" and "anchor" in classes:
            self.anchor = values.get("id", "")
        if tag in self.HEADINGS:
            self.heading = ""

    def handle_endtag(self, tag):
        if tag == "div" and self.heading is not None:
            self.page_title = self.heading.strip()
            self.sections[0]["title"] = self.page_title
            self.heading = None
        elif tag in self.HEADINGS and self.heading is not None:
            self.open_section(f"{self.page_title}: {self.heading.strip()}", self.anchor)
            self.heading = None
        if tag in ("script", "style"):
            self.skip -= 1
        if tag == "div" and self.depth:
            self.depth -= 1
            self.skip = 0

    def handle_data(self, data):
        if self.skip:
            return
        if self.heading is not None:
            self.heading += data
        elif self.depth:
            self.sections[-1]["text"] += data


def main(folder):
    sections = []
    for path in [folder / "index.html", *sorted(folder.glob("md_*.html"))]:
        for section in Sections(path).sections:
            section["text"] = " ".join(section["text"].split())
            if section["text"]:
                sections.append(section)
    if not sections:
        sys.exit(f"search_page: no text found in {folder}")
    # "</" would end the script that holds the text.
    text = json.dumps(sections, ensure_ascii=False).replace("</", "<\\/")
    (folder / "text_search.html").write_text(PAGE.format(sections=text), encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
