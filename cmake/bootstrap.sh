#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The README's two commands on a fresh Debian 12 (or Ubuntu 24.04 with LLVM's package source):
#   cmake/bootstrap.sh test    install what is missing, build everything, run every test this machine can run
#   cmake/bootstrap.sh demo    the same build; with a GPU: tune an example here; without: build it from its
#                              committed record; then show what was swapped in
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'bootstrap: error: %s\n' "$*" >&2; exit 1; }

packages=(g++ make cmake ninja-build ccache python3 libzstd-dev liblz4-dev zlib1g-dev clang-22 libclang-22-dev llvm-22-dev
  libfmt-dev libcli11-dev nlohmann-json3-dev libsqlite3-dev libgtest-dev libgmock-dev libbenchmark-dev)

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing and need an administrator: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    die "could not install ${missing[*]} (LLVM 22: Debian 12 has it in its security suite, Ubuntu needs LLVM's own package source)"
}

find_cuda() {
  command -v nvcc >/dev/null && return
  local folder=${CUDA_HOME:-/usr/local/cuda}
  [ -x "$folder/bin/nvcc" ] || die "no CUDA toolkit: nvcc is neither in PATH nor in $folder/bin (12.8 to 13.x is needed)"
  export PATH="$folder/bin:$PATH"
}

build() {
  say "configuring and building (preset dev)"
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset dev "${launcher[@]}" >build-configure.log 2>&1 || { cat build-configure.log >&2; die "configuring failed"; }
  rm -f build-configure.log
  cmake --build --preset dev
}

run_tests() {
  build
  say "testing"
  ctest --preset dev "$@"
}

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q GPU; }

# What the program really contains, not what we meant to put there: the variants' kernels among its symbols.
show_swapped() {
  local program=$1 records=$2 kernel
  say "kernels of committed variants among the symbols of $(basename "$program"):"
  for kernel in $(sed -n 's/.*__global__.* \([A-Za-z0-9_]*\)(.*/\1/p' "$records"/*/*/variant.cuh | sort -u); do
    printf '   %s: %s symbols\n' "$kernel" "$(nm "$program" | grep -c "$kernel" || true)"
  done
}

demo() {
  build
  local stage="$PWD/build/stage" example=rms_norm
  cmake --install build/dev --prefix "$stage" >/dev/null
  local folder="$PWD/build/demo" records="examples/$example/tuned"
  rm -rf "$folder" && mkdir -p "$folder" && cp -r examples "$folder/"
  local source="$folder/examples/$example"
  if has_gpu; then
    say "a GPU is here: tuning $example on it (its committed record is set aside)"
    rm -rf "$source/tuned"
  else
    say "no GPU here: building $example from its committed record ($records)"
  fi
  cmake -S "$source" -B "$folder/build" -G Ninja -Dcupilot_ROOT="$stage" >/dev/null
  CUPILOT_EXPLAIN=1 cmake --build "$folder/build"
  if has_gpu; then
    "$folder/build/$example"
    "$stage/bin/cupilot" tune "$folder/build"
    CUPILOT_EXPLAIN=1 cmake --build "$folder/build"
  fi
  "$stage/bin/cupilot" status "$folder/build"
  show_swapped "$folder/build/$example" "$source/tuned"
  if has_gpu; then
    say "before (CUPILOT_ORIGINAL=1) and after:"
    CUPILOT_ORIGINAL=1 "$folder/build/$example"
    CUPILOT_LOG=1 "$folder/build/$example"
  else
    say "run $folder/build/$example on a GPU with CUPILOT_LOG=1 to see the launches swapped; CUPILOT_ORIGINAL=1 gives the original"
  fi
}

case "${1:-}" in
  test) shift; install_packages; find_cuda; run_tests "$@" ;;
  demo) install_packages; find_cuda; demo ;;
  *) echo "usage: cmake/bootstrap.sh test|demo" >&2; exit 2 ;;
esac
