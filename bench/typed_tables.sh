#!/usr/bin/env bash
# How fast nw decodes Parquet and Arrow files of a million rows and ten columns, in bytes of decoded
# columns per second, with one thread and with two. Other writers make the files (tests/io/peers).
#
# Usage: bench/typed_tables.sh [build folder]        default: build/release
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tests/io/peers/write.sh "$PWD/.cache/peers" "$folder" write_large.mjs
NW_BENCH_TABLES=$folder "${1:-build/release}/bench/bench_typed_tables"
