#!/usr/bin/env bash
# The critic step of the mixture-of-Gaussians GAN beside the authors' Python, in one run.
#
# Usage: bench/critic_step.sh [build folder] [python]     default: build/release /usr/bin/python3
set -euo pipefail
build=${1:-build/release}
python=${2:-/usr/bin/python3}
here=$(dirname "$0")
for round in 1 2 3; do
  printf 'PyTorch, as the authors wrote it, 2 threads: %s ms\n' \
    "$("$python" "$here/critic_step_peer.py" 2 100)"
  "$build/bench/bench_critic_step" --benchmark_filter='/2/' --benchmark_min_time=1 2>/dev/null |
    awk '/real_time/ { printf "%-50s %s %s\n", $1, $2, $3 }'
done
