#!/usr/bin/env python3
"""Writes what the last full test run checked into docs/trust.md, as a table.

Usage: scripts/trust.py BUILD...
  BUILD   build/dev, then build/asan: each holds results.xml of its last run by scripts/test.sh; and build/fuzz,
          which holds a log of each target's last run by scripts/fuzz.sh
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "trust.md"
BEGIN, END = "<!-- results: made by scripts/trust.py -->", "<!-- end of results -->"
KINDS = {
    "unit": "parts against closed forms and stated rules",
    "property": "laws that must hold on random inputs",
    "oracle": "another implementation on the same inputs",
    "golden": "numbers of every command as last looked at",
    "browser": "pages in Chromium",
    "fault": "full disks, lost files, no memory, signals, killed processes",
    "install": "packages and installed programs",
    "smoke": "programs start and answer",
    "sanitize": "of all these, those that also run under sanitizers",
}


def labels_of(build):
    """Labels of every test program, which the results do not hold."""
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True,
                           capture_output=True, text=True).stdout  # fmt: skip
    labels = {}
    for test in json.loads(shown)["tests"]:
        for entry in test.get("properties", []):
            if entry["name"] == "LABELS":
                labels[test["name"]] = entry["value"]
    return labels


def cases(build):
    """(labels, outcome) of every test program of the last run."""
    labels = labels_of(build)
    results = xml.etree.ElementTree.parse(pathlib.Path(build) / "results.xml")
    for case in results.getroot().iter("testcase"):
        skipped = case.find("skipped") is not None or case.get("status") in ("disabled", "notrun")
        outcome = "skipped" if skipped else "failed" if case.find("failure") is not None else "passed"
        yield labels.get(case.get("name"), []), outcome


def fuzz_line(build):
    """What the fuzz targets did, from the statistics that libFuzzer prints when it ends."""
    runs = [re.search(r"number_of_executed_units: *(\d+)", path.read_text(encoding="utf-8", errors="replace"))
            for path in sorted(pathlib.Path(build).glob("*.log"))]  # fmt: skip
    runs = [int(found.group(1)) for found in runs if found]
    found = len(list((pathlib.Path(build) / "findings").glob("*")))
    return (f"Fuzzing under sanitizers (`scripts/fuzz.sh`): {sum(runs):,} executions of {len(runs)} parsers, fewest "
            f"{min(runs):,}; {found or 'no'} inputs found that crash, hang or take too much memory.")


def table(builds):
    lines = ["| kind | what is checked | passed | skipped | failed |", "| --- | --- | ---: | ---: | ---: |"]
    for place, build in enumerate(builds):
        counts = collections.defaultdict(collections.Counter)
        for labels, outcome in cases(build):
            counts["all"][outcome] += 1
            for label in labels:
                counts[label][outcome] += 1
        named = KINDS if place == 0 else {}
        for label, words in [*named.items(), ("all", "all test programs" + (" under sanitizers" if place else ""))]:
            if counts[label]:
                row = " | ".join(str(counts[label][o]) for o in ("passed", "skipped", "failed"))
                lines.append(f"| {label} | {words} | {row} |")
    return "\n".join(lines)


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    text = PAGE.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    tested = [build for build in sys.argv[1:] if (pathlib.Path(build) / "results.xml").exists()]
    fuzzed = [build for build in sys.argv[1:] if list(pathlib.Path(build).glob("*.log"))]
    results = "\n\n".join([table(tested), *map(fuzz_line, fuzzed)])
    PAGE.write_text(head + BEGIN + "\n" + results + "\n" + END + tail, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
