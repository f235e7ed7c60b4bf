#!/usr/bin/env bash
# Sets up, builds the command, compares the example data and prints where the pages are. Leaves out
# LibTorch and what needs it: nothing here is trained, and it would take three times as long.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/build.sh core-only --target nw
nw=build/core-only/bin/nw
data=examples/data

show() {
  printf '\n%s\n$ %s\n' "$1" "${*:2}"
  "${@:2}"
}
pages=build/demo
mkdir -p $pages

show '1. A plain distance says that spring and autumn differ, and proves it:' \
  $nw distance $data/spring.csv $data/autumn.csv --columns age,income
show '2. nw compare says how: the same three groups of people in another mix.' \
  $nw compare $data/spring.csv $data/autumn.csv --columns age,income \
  --report $pages/spring-autumn.html
show '3. From spring to winter the mix stays, but one group moved.' \
  $nw compare $data/spring.csv $data/winter.csv --columns age,income \
  --report $pages/spring-winter.html

printf '\nOpen these pages in a browser:\n'
for page in $pages/*.html; do printf '  %s\n' "$(realpath $page)"; done
printf '\nscripts/build.sh also builds the commands that train models: build/release/bin/nw --help\n'
