#!/usr/bin/env bash
# Gathers what nw needs besides a compiler, CMake and LibTorch into one folder, for machines that
# cannot install packages: header-only libraries, and zlib, libpng, libjpeg, zstd and lz4 as static archives.
#
# Usage: scripts/bundle_headers.sh [folder]        default: bundle
# Then, on the other machine, from the source tree with the folder inside:
#   cmake -S . -B build/gpu -DCMAKE_BUILD_TYPE=Release -DNW_WITH_TORCH=ON -DNW_BUILD_TESTS=OFF \
#     -DCMAKE_PREFIX_PATH="$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)');$PWD/bundle"
#   cmake --build build/gpu --target nw -j
set -euo pipefail

case "${1:-}" in -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;; esac
folder=${1:-bundle}
arch=$(gcc -print-multiarch 2>/dev/null || true)

missing=()
copy() { # copy FILE... TO: each file or folder, or the name of what is not there
  local to="$folder/${!#}"
  mkdir -p "$to"
  for from in "${@:1:$#-1}"; do
    if [ -e "$from" ]; then cp -RL "$from" "$to/"; else missing+=("$from"); fi
  done
}

rm -rf "$folder"
copy /usr/include/CLI /usr/include/nlohmann /usr/include/eigen3 /usr/include/nanoflann.hpp include
copy /usr/share/cmake/CLI11 /usr/share/cmake/nlohmann_json share/cmake
copy /usr/share/eigen3/cmake share/eigen3
copy /usr/include/zlib.h /usr/include/zconf.h include
copy /usr/include/png.h /usr/include/pngconf.h /usr/include/pnglibconf.h include
copy /usr/include/jpeglib.h /usr/include/jerror.h /usr/include/jmorecfg.h \
  "/usr/include/$arch/jconfig.h" include
copy /usr/include/zstd.h /usr/include/zstd_errors.h /usr/include/zdict.h include
copy /usr/include/lz4.h /usr/include/lz4frame.h include
copy "/usr/lib/$arch/libzstd.a" "/usr/lib/$arch/liblz4.a" lib
copy "/usr/lib/$arch/libz.a" "/usr/lib/$arch/libpng.a" "/usr/lib/$arch/libjpeg.a" lib

if [ ${#missing[@]} -gt 0 ]; then
  echo "bundle: not found: ${missing[*]}" >&2
  echo "bundle: run scripts/setup.sh build first; images, zstd and lz4 can be done without" >&2
fi
echo "bundle: $(du -sh "$folder" | cut -f1) in $folder"
