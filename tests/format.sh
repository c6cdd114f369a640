#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Our C++ and CUDA sources are as clang-format 22 sets them. Left out: sources that tests know the columns or lines of,
# records, the examples and level 1, whose bytes their committed records carry as fingerprints, kernels with long pragmas,
# and a macro's list that clang-format sets another way each time.
# Usage: format.sh SOURCE_FOLDER
set -u
cd "$1" || exit 1
format=$(command -v clang-format-22 || command -v clang-format)
case $([ -n "$format" ] && "$format" --version) in
  *" version 22."*) ;;
  *) echo "clang-format 22 is missing: cmake/bootstrap.sh installs it (package clang-format-22)"; exit 1 ;;
esac
find annotate evolution driver tests \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) \
  ! -path 'evolution/device/counters/cupti_library.h' ! -path 'tests/cases/*.cu' ! -path 'tests/emulate/corpus/*.cu' ! -path 'tests/cli/*.cu' ! -path 'tests/cli/*.cuh' ! -path 'tests/cheats/kernels/*.cu' ! -path 'tests/level1/*.cu' ! -path 'tests/level1/evolved/*' ! -path 'tests/plain/*.cu' ! -path 'tests/emulate/cpu/schedules.cu' | sort | xargs "$format" --dry-run -Werror
