#!/usr/bin/env bash
# Builds the fuzz targets with clang's sanitizers and runs them one after the other.
#
# Usage: scripts/fuzz.sh [seconds] [target...]
#   seconds   for each target (default 60)
#   target    csv npy npz idx gzip png jpeg sheet labels record
#             safetensors json arff parquet arrow xlsx table container (default: all)
#
# What a target learns is kept in build/fuzz/corpus, what makes it fail in build/fuzz/findings.
# Exits with 1 when something was found.
set -euo pipefail
cd "$(dirname "$0")/.."

all=(csv npy npz idx gzip png jpeg sheet labels record safetensors json arff parquet arrow xlsx table container)
seconds=${1:-60}
case $seconds in
  *[!0-9]* | '') echo "fuzz: seconds must be a whole number, got '$seconds'" >&2; exit 2 ;;
esac
shift || true
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  if [[ " ${all[*]} " != *" $target "* ]]; then
    echo "fuzz: no target '$target'; there are ${all[*]}" >&2
    exit 2
  fi
done

cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target "${targets[@]/#/fuzz_}" | tail -n 1

found=0
mkdir -p build/fuzz/findings
for target in "${targets[@]}"; do
  corpus=build/fuzz/corpus/$target
  log=build/fuzz/$target.log
  mkdir -p "$corpus"
  if "build/fuzz/targets/fuzz_$target" -max_total_time="$seconds" -max_len=65536 -timeout=20 \
      -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" \
      "$corpus" "fuzz/corpus/$target" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz: $target: $runs executions, nothing found"
  else
    echo "fuzz: $target: FOUND something, see $log and build/fuzz/findings"
    found=1
  fi
done
exit $found
