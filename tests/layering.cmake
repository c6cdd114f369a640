# SPDX-License-Identifier: Apache-2.0
# Reads every #include of our own code and fails on one that goes against DESIGN 3:
# driver -> evolution -> annotate, never backwards; role and judge never sideways; one owner for each heavy
# dependency; JSON only in *_json files and the programs that speak it.
# Usage: cmake -DROOT=<source folder> -P layering.cmake

# <file pattern> may not include <header pattern>, except files matching <exception> (empty: none).
set(rules
  "^annotate/"            "^(evolution|driver)/"            ""
  "^evolution/"           "^driver/"                        ""
  "^evolution/model/"     "^evolution/(judge|store|strategy|role|provider|search|record|device|emulate)/" ""
  "^evolution/role/"      "^evolution/(judge|search|store)/" ""
  "^evolution/judge/"     "^evolution/(role|search|store|provider|strategy)/" ""
  "^evolution/strategy/"  "^evolution/(judge|search|role|provider)/" ""
  "^evolution/provider/"  "^evolution/(judge|search|store)/" ""
  "^evolution/store/"     "^evolution/(judge|search|role|provider|strategy|record)/" ""
  "^evolution/record/"    "^evolution/(role|search|store|provider|strategy)/" ""
  "^driver/launcher/"     "^(evolution/|nlohmann/|fmt/|CLI/)" ""
  "."                     "^(clang|llvm)/"                  "^annotate/(extract|rewrite|main)"
  "."                     "^sqlite3\\.h"                    "^evolution/store/"
  "."                     "^curl/"                          "^evolution/provider/"
  "."                     "^(cuda|cupti|nvperf)[a-z_0-9]*\\.h" "^(evolution/device/|driver/launcher/include/)"
  "."                     "^fmt/"                           "^driver/cli/")

file(GLOB_RECURSE files RELATIVE "${ROOT}"
  "${ROOT}/annotate/*.h" "${ROOT}/annotate/*.cpp" "${ROOT}/evolution/*.h" "${ROOT}/evolution/*.cpp"
  "${ROOT}/evolution/*.cu" "${ROOT}/evolution/*.cuh" "${ROOT}/driver/*.h" "${ROOT}/driver/*.cpp" "${ROOT}/driver/*.cuh")
list(LENGTH files count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} source files below '${ROOT}': wrong folder")
endif()

set(violations 0)
foreach(file IN LISTS files)
  file(STRINGS "${ROOT}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]*)[>\"].*" "\\1" header "${line}")
    set(rest ${rules})
    while(rest)
      list(POP_FRONT rest from to except)
      if(file MATCHES "${from}" AND header MATCHES "${to}" AND NOT (except AND file MATCHES "${except}"))
        message(SEND_ERROR "${file} includes ${header}: not allowed (${from} -> ${to})")
        math(EXPR violations "${violations} + 1")
      endif()
    endwhile()
  endforeach()
endforeach()
message(STATUS "${count} files, ${violations} violations")
