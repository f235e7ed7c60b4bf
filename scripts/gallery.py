#!/usr/bin/env python3
"""Makes the pages that docs/gallery.md shows, by running its commands.

Usage: scripts/gallery.py NW FOLDER [--thumbnails]
  NW             the command
  FOLDER         gets gallery/NAME.html and the thumbnails beside them
  --thumbnails   also take new thumbnails with Chromium and store them in docs/gallery; they are committed, so that
                 building the site needs no browser
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "gallery.md"
PICTURES = ROOT / "docs" / "gallery"
SCREEN, SCALE = (1180, 900), 0.5  # what Chromium shows, and how small


def commands():
    for block in re.findall(r"^```sh\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S):
        yield from filter(None, block.split("\n"))


def make_pages(nw, folder):
    with tempfile.TemporaryDirectory(prefix="nw-gallery-") as scratch:
        (pathlib.Path(scratch) / "examples").symlink_to(ROOT / "examples")
        path = f"{nw.resolve().parent}:{os.environ['PATH']}"
        for command in commands():
            # The program may be called nw-torch; what the page says is nw.
            command = re.sub(r"^nw\b", str(nw.resolve()), command)
            done = subprocess.run(command, shell=True, cwd=scratch, env={**os.environ, "PATH": path}, text=True,
                                  capture_output=True)  # fmt: skip
            if done.returncode != 0:
                sys.exit(f"gallery: {command}\n{done.stdout}{done.stderr}")
        folder.mkdir(parents=True, exist_ok=True)
        for page in (pathlib.Path(scratch) / "gallery").glob("*.html"):
            shutil.copy(page, folder)


def take_thumbnails(folder):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("gallery: thumbnails need Chromium")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="nw-gallery-") as scratch:
        for page in sorted(folder.glob("*.html")):
            subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                            f"--window-size={SCREEN[0]},{SCREEN[1]}", f"--force-device-scale-factor={SCALE}",
                            "--virtual-time-budget=5000",
                            f"--user-data-dir={scratch}", f"--screenshot={PICTURES / page.stem}.png",
                            page.resolve().as_uri()],
                           check=True, capture_output=True)  # fmt: skip


def main():
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if len(given) != 2:
        print(__doc__)
        sys.exit(0 if "--help" in sys.argv or "-h" in sys.argv else 2)
    folder = pathlib.Path(given[1]) / "gallery"
    make_pages(pathlib.Path(given[0]), folder)
    if "--thumbnails" in sys.argv:
        take_thumbnails(folder)
    for picture in PICTURES.glob("*.png"):
        shutil.copy(picture, folder)


if __name__ == "__main__":
    main()
