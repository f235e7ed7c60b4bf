#!/usr/bin/env bash
# Formats every C++ file of the project with clang-format 14.
#
# Usage: scripts/format.sh [--check]     --check changes nothing and exits 1 if a file would change
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror)
find include src experiments cli python tests bench examples fuzz -name '*.[ch]pp' -print0 2>/dev/null |
  xargs -0 -r -n 20 -P "$(nproc)" clang-format "${mode[@]}"
