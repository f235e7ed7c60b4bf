#!/usr/bin/env bash
# Sets up, builds the command, compares the example data and prints where the pages are. Leaves out
# LibTorch and what needs it: nothing here learns, and it would take three times as long.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh core-only --target nw
nw=build/core-only/bin/nw
data=examples/data

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
pages=build/demo
mkdir -p $pages

# Same members in another mix: a classical distance cries wolf, the verdict is "proportions".
show $nw distance $data/spring.csv $data/autumn.csv --columns age,income
show $nw compare $data/spring.csv $data/autumn.csv --columns age,income \
  --report $pages/spring-autumn.html
# The same mix, but one member moved: the verdict is "components".
show $nw compare $data/spring.csv $data/winter.csv --columns age,income \
  --report $pages/spring-winter.html

printf '\nOpen these pages in a browser:\n'
for page in $pages/*.html; do printf '  %s\n' "$(realpath $page)"; done
printf '\nscripts/build.sh builds the commands that learn too: build/release/bin/nw --help\n'
