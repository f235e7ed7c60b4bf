#!/usr/bin/env bash
# Runs clang-tidy over the library and the command, or over the files given. Exits 1 on findings.
#
# Usage: scripts/tidy.sh [file.cpp...]
set -euo pipefail
cd "$(dirname "$0")/.."
./scripts/setup.sh
# Clang cannot read the precompiled headers of g++, so this build has none.
cmake --preset core-only -B build/tidy -DNW_USE_PCH=OFF -DNW_BUILD_TESTS=OFF \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
files=("$@")
# What that build does not compile, such as everything that needs LibTorch, has no flags to check with.
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' build/tidy/compile_commands.json |
    grep -E "^$PWD/(src|cli)/" | sort -u)
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null
echo "tidy: ${#files[@]} files clean"
