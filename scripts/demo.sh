#!/usr/bin/env bash
# Sets up, builds the command, compares the example data and prints where the pages are.
set -euo pipefail
cd "$(dirname "$0")/.."

./scripts/setup.sh build
./scripts/build.sh release --target nw
nw=build/release/bin/nw
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
