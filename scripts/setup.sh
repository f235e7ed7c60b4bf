#!/usr/bin/env bash
# Installs every Debian package that building and testing nw needs.
# Idempotent: says nothing and changes nothing when all of them are there.
#
# Usage: scripts/setup.sh [--check] [core|build|test]
#   core      only what the command needs without its half that learns (preset core-only)
#   build     only what compiling and running the command needs
#   test      that and what the tests need (default)
#   --check   install nothing; list what is missing and exit 1 if anything is
set -euo pipefail

core_packages=(
  g++ cmake ninja-build ccache
  # command line, JSON, dense algebra, nearest neighbours, compression, images
  libcli11-dev nlohmann-json3-dev libeigen3-dev libnanoflann-dev zlib1g-dev libpng-dev libjpeg62-turbo-dev
  libzstd-dev liblz4-dev
)
build_packages=(
  # networks: LibTorch for the CPU, and a BLAS worth the name
  libtorch-dev libopenblas-openmp-dev
  # jobs of several processes
  libopenmpi-dev openmpi-bin libgloo-dev
  # tests and benchmarks, which every preset but core-only builds too
  libgtest-dev libgmock-dev libbenchmark-dev
  # the Python module
  pybind11-dev python3-dev python3-numpy
  # pip install . and python3 -m build
  python3-pip python3-venv python3-setuptools python3-wheel python3-build
)
test_packages=(
  git clang libclang-rt-14-dev clang-format clang-tidy
  # the peers our numbers are checked against, and the tests' script language
  python3 python3-scipy python3-pandas python3-sklearn python3-pot python3-pytest python3-torch
  python3-torchvision
  # the packages: what they depend on, how their manual and completions are read
  file dpkg-dev groff-base zsh fish
  # two hosts on one machine, for jobs of several processes
  iproute2
  # pictures as PNG, which the command leaves to a program
  librsvg2-bin fonts-dejavu-core
  # the documentation's site, and its notebooks
  doxygen python3-nbconvert python3-ipykernel
  # the page: its browser test
  chromium
)

usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; }
check=no
group=test
for argument in "$@"; do
  case "$argument" in
    --check) check=yes ;;
    core | build | test) group=$argument ;;
    -h | --help) usage; exit 0 ;;
    *) echo "setup: unknown argument '$argument'" >&2; usage >&2; exit 2 ;;
  esac
done

packages=("${core_packages[@]}")
[ "$group" = core ] || packages+=("${build_packages[@]}")
# The scripts of the page. A Node.js that is already on the path is as good as Debian's.
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
  packages+=(nodejs npm ca-certificates)
[ "$group" = test ] && packages+=("${test_packages[@]}")

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ $check = yes ]; then
  echo "setup: missing packages: ${missing[*]}"
  exit 1
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup: this script knows Debian's apt-get only; please install: ${missing[*]}" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=(sudo)
  else
    echo "setup: these packages are missing and installing them needs root:" >&2
    echo "setup:   ${missing[*]}" >&2
    echo "setup: run  sudo apt-get install ${missing[*]}  and start again" >&2
    exit 1
  fi
fi

echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1
}
# The package lists of a fresh machine may be absent or stale: refresh them first, once.
"${as_root[@]}" apt-get update >"$log" 2>&1 || true
if ! install; then
  tail -n 20 "$log" >&2
  echo "setup: apt-get could not install the packages above" >&2
  exit 1
fi
