#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code for one vector extension must not leak into code for another: an object compiled for AVX-512 may define no
# symbol that the linker merges with others' copies (weak or unique ones).
# Usage: isa_symbols.sh NM OBJECT...
set -u
nm=$1
shift
[ $# -gt 0 ] || { echo "no objects given" >&2; exit 1; }
bad=$("$nm" -C --defined-only "$@" 2>&1 | awk '$2 ~ /^[WVu]$/ && $0 !~ /DW\.ref|__asan|__odr/')
[ -z "$bad" ] && exit 0
echo "merged symbols in per-extension objects:"
echo "$bad"
exit 1
