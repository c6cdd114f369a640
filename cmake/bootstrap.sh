#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The README's two commands on a fresh Debian 12 (or Ubuntu 24.04 with LLVM's package source):
#   cmake/bootstrap.sh test    install what is missing, build everything, run every test this machine can run
#   cmake/bootstrap.sh demo    the same build; with a GPU: tune an example here; without: tune two on the CPU, by
#                              execution and estimates; then show what was swapped in and run it
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'bootstrap: error: %s\n' "$*" >&2; exit 1; }

packages=(g++ make cmake ninja-build ccache python3 libzstd-dev liblz4-dev zlib1g-dev clang-22 libclang-22-dev llvm-22-dev
  clang-format-22 clang-tidy-22 libfmt-dev libcli11-dev libdtl-dev nlohmann-json3-dev libseccomp-dev libsqlite3-dev
  libcurl4-openssl-dev libgtest-dev libgmock-dev libbenchmark-dev)

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
  # The sources of a library as one: half the time for a whole build, but more for every edit.
  cmake --preset dev "${launcher[@]}" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 >build-configure.log 2>&1 || { cat build-configure.log >&2; die "configuring failed"; }
  rm -f build-configure.log
  cmake --build --preset dev
}

run_tests() {
  build
  say "testing"
  ctest --preset dev --parallel $(($(nproc) + 1)) "$@"  # one more than processors: some tests wait
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

# What the folder of one example needs before it is tuned: a copy without records, built with its original kernels.
configure_example() {
  local source=$1 folder=$2
  shift 2
  cmake -S "$source" -B "$folder" -G Ninja -Dcupilot_ROOT="$PWD/build/stage" "$@" >/dev/null
  CUPILOT_EXPLAIN=1 cmake --build "$folder"
}

demo_on_gpu() {
  local stage="$PWD/build/stage" source="$PWD/build/demo/examples/rms_norm" folder="$PWD/build/demo/rms_norm"
  say "a GPU is here: tuning rms_norm on it (its committed record is set aside)"
  rm -rf "$source/tuned"
  configure_example "$source" "$folder"
  "$folder/rms_norm"
  "$stage/bin/cupilot" tune "$folder"
  CUPILOT_EXPLAIN=1 cmake --build "$folder"
  "$stage/bin/cupilot" status "$folder"
  show_swapped "$folder/rms_norm" "$source/tuned"
  say "before (CUPILOT_ORIGINAL=1) and after:"
  CUPILOT_ORIGINAL=1 "$folder/rms_norm"
  CUPILOT_LOG=1 "$folder/rms_norm"
}

# One example on the CPU: executed and estimated, its record swapped in, the program run on the emulated device.
demo_on_cpu() {
  local example=$1 sizes=$2 budget=$3
  local stage="$PWD/build/stage" source="$PWD/build/demo/examples/$example" folder="$PWD/build/demo/$example"
  rm -rf "$source/tuned"
  configure_example "$source" "$folder" -DCMAKE_CUDA_ARCHITECTURES=90
  "$stage/bin/cupilot" tune "$folder" --executor cpu --arch sm_90 --budget "$budget"
  say "the record of $example was estimated: a build uses it only when the project accepts that (ACCEPT_ESTIMATES)"
  configure_example "$source" "$folder" -DCUPILOT_ACCEPT_ESTIMATES=ON
  "$stage/bin/cupilot" status "$folder"
  show_swapped "$folder/$example" "$source/tuned"
  say "the swapped program on the emulated device, at a size it can execute:"
  # shellcheck disable=SC2086  # sizes are several words
  CUPILOT_LOG=1 "$stage/bin/cupilot" emulate -- "$folder/$example" $sizes
}

command_of_first_run() {
  say "$(($(date +%s) - first_run_began)) s: $*"
  "$@"
}

# docs/capturing.md: a program in which nothing is annotated, from its profile to the tuned program.
first_run() {
  local cupilot="$PWD/build/stage/bin/cupilot" source="$PWD/build/demo/examples/first_run" swapped
  local build="$source/build"
  configure_example "$source" "$build" -DCMAKE_CUDA_ARCHITECTURES=90 -DCUPILOT_TUNE_OPTIONS=ACCEPT_ESTIMATES
  first_run_began=$(date +%s)
  command_of_first_run "$cupilot" profile "$build" -- "$build/regression"
  command_of_first_run "$cupilot" profile "$build" --annotate --yes
  command_of_first_run "$cupilot" capture "$build" -- "$build/regression"
  command_of_first_run "$cupilot" tune "$build" --arch sm_90 --budget "20 s"
  command_of_first_run cmake --build "$build"
  CUPILOT_LOG=1 command_of_first_run "$cupilot" emulate -- "$build/regression"
  say "six commands in $(($(date +%s) - first_run_began)) s"
  swapped=$("$cupilot" status "$build" --json | grep -c '"state": "fits"' || true)
  show_swapped "$build/regression" "$source/tuned"
  [ "$swapped" -gt 0 ] || die "nothing was swapped in"
}

demo() {
  build
  cmake --install build/dev --prefix "$PWD/build/stage" >/dev/null
  rm -rf build/demo && mkdir -p build/demo && cp -r examples build/demo/
  if has_gpu; then
    demo_on_gpu
    return
  fi
  say "no GPU here: tuning on the CPU; times are estimates for an H200 (sm_90), not measurements"
  first_run
  demo_on_cpu rms_norm "1024 512" "60 s, 12 candidates"
}

case "${1:-}" in
  test) shift; install_packages; find_cuda; run_tests "$@" ;;
  demo) install_packages; find_cuda; demo ;;
  *) echo "usage: cmake/bootstrap.sh test|demo" >&2; exit 2 ;;
esac
