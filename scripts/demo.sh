#!/usr/bin/env bash
# Sets up, builds the command and shows what it does on the example data.
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
show $nw distance $data/spring.csv $data/autumn.csv --columns age,income
show $nw distance $data/spring.csv $data/autumn.csv --columns age,income --p 2 --json -
