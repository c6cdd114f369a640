#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The One Definition Rule over our folders. A linker says nothing of two functions with one name while only one of
# their objects is asked for, and nothing ever of two types with one name and other members.
# Usage: symbols.sh SOURCE_FOLDER NM LIBRARY...
set -u
root=$1 nm=$2
shift 2
[ $# -gt 0 ] || { echo "no libraries given" >&2; exit 1; }

# Reads "<name>\t<place>", prints the names that stand in several places, exit 1 if there are any.
several() {
  sort -u | awk -F '\t' '{ n[$1]++; at[$1] = at[$1] " " $2 }
    END { for (name in n) if (n[name] > 1) { bad = 1; print what " " name " is defined in several places:" at[name] }; exit bad }' what="$1"
}

strong_symbols() {
  for library in "$@"; do
    [ -f "$library" ] || { echo "not built: $library" >&2; continue; }
    "$nm" -C --defined-only "$library" 2>/dev/null | awk -v at="${library##*/}" \
      '$2 ~ /^[TDBR]$/ && $3 ~ /^cupilot::/ { $1 = $2 = ""; print substr($0, 3) "\t" at }'
  done
}

# Types at the top of a named namespace, as clang-format sets them.
types() {
  cd "$root" && find annotate evolution driver -name '*.h' -o -name '*.cpp' | xargs awk '
    FNR == 1 { space = ""; hidden = 0 }
    /^namespace \{/ { hidden = 1 }
    /^}  \/\/ namespace$/ { hidden = 0 }
    /^namespace [a-z:]+ \{/ { space = $2 }
    !hidden && /^(struct|class|enum class|enum|union) [A-Za-z]+ ?(final )?(:.*)?\{/ {
      name = $1 == "enum" && $2 == "class" ? $3 : $2
      print space "::" name "\t" FILENAME
    }'
}

[ "$(types | wc -l)" -gt 50 ] || { echo "hardly any types below '$root': wrong folder" >&2; exit 1; }
[ "$(strong_symbols "$@" | wc -l)" -gt 50 ] || { echo "hardly any symbols in: $*" >&2; exit 1; }
failed=0
strong_symbols "$@" | several symbol || failed=1
types | several type || failed=1
exit $failed
