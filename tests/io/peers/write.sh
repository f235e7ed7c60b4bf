#!/usr/bin/env bash
# Installs the peers where they are not yet, and lets them write their tables.
#   write.sh CACHE FOLDER [SCRIPT]   exits with 77 where node or npm are missing or nothing can be installed
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$1 folder=$2
command -v node >/dev/null && command -v npm >/dev/null || exit 77
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
if ! cmp -s "$here/package-lock.json" "$cache/installed-lock.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$cache/"
  (cd "$cache" && timeout 100 npm ci >npm.log 2>&1) || exit 77
  cp "$here/package-lock.json" "$cache/installed-lock.json"
fi
cp "$here"/*.mjs "$cache/"
node "$cache/${3:-write_tables.mjs}" "$folder"
