#!/usr/bin/env bash
# Builds nw with one of the presets of CMakePresets.json; the command is then build/<preset>/bin/nw.
#
# Usage: scripts/build.sh [preset] [arguments of cmake --build]
#   scripts/build.sh                      everything, optimised
#   scripts/build.sh release --target nw  the command alone
#   scripts/build.sh dev                  asserts on, warnings are errors
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;; esac
preset=${1:-release}
shift || true

case "$preset" in core-only) ./scripts/setup.sh core ;; *) ./scripts/setup.sh build ;; esac

# A second build says only what it does: the configure log is shown when it fails.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! cmake --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  echo "build: cmake could not configure preset '$preset'" >&2
  exit 1
fi
cmake --build "build/$preset" "$@"
