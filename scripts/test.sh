#!/usr/bin/env bash
# Sets up, builds and runs every test of nw; exits 0 only if all of them pass.
#
# Usage: scripts/test.sh [step...]     default: all steps, in this order
#   format     clang-format finds nothing to change
#   dev        the whole test suite, asserts on, warnings as errors
#   asan       the command without LibTorch, and the tests labelled `sanitize`, under the address and
#              undefined-behaviour sanitizers
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;; esac
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(format dev asan)
jobs=$(nproc)

step_setup() { ./scripts/setup.sh; }

step_format() { ./scripts/format.sh --check; }

step_dev() {
  ./scripts/build.sh dev
  ctest --test-dir build/dev --output-on-failure -j "$jobs" --output-junit results.xml
}

step_asan() {
  # What a sanitizer finds, small tests find too: comparisons with peers stay out, and unbuilt.
  ./scripts/build.sh asan --target nw nw_sanitized_tests
  build/asan/bin/nw --version
  build/asan/bin/nw distance examples/data/spring.csv examples/data/autumn.csv --columns age,income
  ctest --test-dir build/asan --output-on-failure -j "$jobs" -L sanitize \
    --output-junit results.xml
}

summary=()
failed=no
run_step() {
  local name=$1 start=$SECONDS result=ok
  if ! declare -F "step_$name" >/dev/null; then
    echo "test: unknown step '$name'" >&2
    exit 2
  fi
  printf '\n==> %s\n' "$name"
  # A subshell, so that one failing step does not hide what the others say.
  # (Bash ignores set -e on the left of ||, hence the detour.)
  set +e
  (set -e; "step_$name")
  [ $? -eq 0 ] || result=FAILED
  set -e
  [ $result = ok ] || failed=yes
  summary+=("$(printf '%-10s %-7s %4d s' "$name" "$result" $((SECONDS - start)))")
}

run_step setup
[ $failed = yes ] && exit 1
for step in "${steps[@]}"; do run_step "$step"; done

printf '\n==> summary\n'
printf '%s\n' "${summary[@]}" "$(printf '%-10s %-7s %4d s' total '' $SECONDS)"
[ $failed = no ]
