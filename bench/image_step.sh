#!/usr/bin/env bash
# The WGAN-GP residual step of NWGAN beside PyTorch, eager, tuned and compiled, in one run on a GPU.
#
# Usage: bench/image_step.sh [build folder] [python]     default: build/release /usr/bin/python3
set -euo pipefail
build=${1:-build/release}
python=${2:-/usr/bin/python3}
here=$(dirname "$0")
"$build/bench/bench_image_step" --benchmark_filter=cuda --benchmark_min_time=3 2>/dev/null |
  grep -v '^-\|^Benchmark'
"$python" "$here/image_step_peer.py" eager tuned compile
"$build/bench/bench_image_step" --benchmark_filter='cuda/k:2' --benchmark_min_time=3 2>/dev/null |
  grep -v '^-\|^Benchmark'
