"""The documentation's site builds without a warning, and everything on it leads somewhere."""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

COMMAND = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LAYOUT = (ROOT / "docs" / "site" / "layout.xml").read_text(encoding="utf-8")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])


class TheSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-site-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.done = subprocess.run(
            [ROOT / "scripts" / "docs.sh", COMMAND, cls.folder],
            capture_output=True, text=True, timeout=500,
        )  # fmt: skip
        cls.html = cls.folder / "html"
        cls.pages = {path.name: Page(path) for path in cls.html.glob("*.html")}

    def test_builds_without_a_warning(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""), self.done.stderr)
        self.assertIn("index.html", self.pages)

    def test_has_every_page_of_the_documentation_in_its_menu(self):
        for path in (ROOT / "docs").rglob("*.md"):
            name = "_".join(path.relative_to(ROOT).with_suffix("").parts)
            self.assertIn(f'"@ref md_{name}"', LAYOUT)

    def test_has_no_link_that_leads_nowhere(self):
        written = [name for name in self.pages if name.startswith("md_") or name == "index.html"]
        self.assertGreater(len(written), 20)
        for name in written:
            for link in self.pages[name].links:
                target = urllib.parse.urlparse(link)
                if target.scheme or link.startswith("javascript"):
                    continue
                page = urllib.parse.unquote(target.path) or name
                with self.subTest(page=name, link=link):
                    self.assertTrue((self.html / page).exists())
                    if target.fragment and page in self.pages:
                        self.assertIn(target.fragment, self.pages[page].anchors)

    def test_leads_from_every_equation_cited_in_a_header_to_its_statement(self):
        cited = set()
        for header in (ROOT / "include").rglob("*.hpp"):
            for line in header.read_text(encoding="utf-8").split("\n"):
                if line.strip().startswith("///"):
                    cited.update(re.findall(r"\[NW:(\w+)\]", line))
        self.assertTrue(cited)
        linked = {link for page in self.pages.values() for link in page.links}
        for tag in cited:
            self.assertIn(f"md_docs_math.html#NW-{tag}", linked)
            self.assertIn(f"NW-{tag}", self.pages["md_docs_math.html"].anchors)

    def test_finds_words_that_are_in_no_title(self):
        text = (self.html / "text_search.html").read_text(encoding="utf-8")
        sections = json.loads(re.search(r"const sections = (\[.*\]);\n", text).group(1).replace("<\\/", "</"))
        for words in ("--label-column", "dual potentials", "missing values"):
            hits = [s for s in sections if words in s["text"]]
            self.assertTrue(hits, words)
            for hit in hits:
                page, _, anchor = hit["url"].partition("#")
                self.assertTrue(anchor == "" or anchor in self.pages[page].anchors, hit["url"])

    def test_every_thumbnail_of_the_gallery_opens_a_page_that_shows_a_run(self):
        thumbnails = re.findall(r"\(gallery/(\w+)\.png\)", (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(thumbnails), 6)
        for name in thumbnails:
            self.assertIn(f"gallery/{name}.html", self.pages["md_docs_gallery.html"].links)
            self.assertTrue((self.html / "gallery" / f"{name}.png").exists())
            self.assertIn('<section class="run"', (self.html / "gallery" / f"{name}.html").read_text(encoding="utf-8"))

    def test_offers_every_tutorial_as_a_notebook(self):
        for page in (ROOT / "docs" / "tutorials").glob("*.md"):
            links = self.pages[f"md_docs_tutorials_{page.stem}.html"].links
            self.assertIn(f"notebooks/{page.stem}.ipynb", links)

    def test_can_be_searched_without_a_server(self):
        listed = "".join(path.read_text(encoding="utf-8") for path in (self.html / "search").glob("*.js"))
        for words in ("What changed in my data?", "Glossary", "normalized_wasserstein"):
            self.assertIn(words, listed)

    def test_has_a_manual_page_for_every_command(self):
        listed = subprocess.run([COMMAND, "--help"], capture_output=True, text=True).stdout
        listed = listed.split("Subcommands:")[1].split("\n\n")[0]
        for line in filter(None, map(str.strip, listed.split("\n"))):
            command = line.split()[0]
            self.assertIn(f"md_nw_{command.replace('-', '_')}.html", self.pages)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
