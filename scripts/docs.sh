#!/usr/bin/env bash
# Builds the documentation's site from docs/, the public headers, the command's own manual and the pages
# of the gallery, which it runs; the tutorials are in html/notebooks as Jupyter notebooks too.
#
# Usage: scripts/docs.sh [nw [folder]]
#   nw       the command whose manual is shown; built when it is not given
#   folder   gets the site (default build/docs); open folder/html/index.html
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;; esac
command -v doxygen >/dev/null || ./scripts/setup.sh
nw=${1:-}
if [ -z "$nw" ]; then
  ./scripts/build.sh release --target nw
  nw=build/release/bin/nw
fi
folder=${2:-build/docs}
mkdir -p "$folder"
# Where LibTorch was found, its program knows the learning commands too.
[ -x "$nw-torch" ] && nw=$nw-torch
"$nw" describe "$folder/share"
NW_VERSION=$(cat VERSION) NW_SITE=$folder NW_COMMANDS=$folder/share/doc/nw/commands \
  doxygen docs/site/Doxyfile
./scripts/gallery.py "$nw" "$folder/html"
./scripts/notebooks.py "$folder/html/notebooks"
./scripts/search_page.py "$folder/html"
echo "docs: $folder/html/index.html"
