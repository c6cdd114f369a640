# SPDX-License-Identifier: Apache-2.0
# Reads every #include of our own code and fails on one that goes against DESIGN 3:
# driver -> evolution -> annotate, never backwards; role and judge never sideways; one owner for each heavy
# dependency; JSON only in *_json files and the programs that speak it.
# Usage: cmake -DROOT=<source folder> -P layering.cmake

cmake_minimum_required(VERSION 3.25)

# <file pattern> may not include <header pattern>, except files matching <exception> ("-": none).
set(rules
  "^annotate/"            "^(evolution|driver)/"            "-"
  "^evolution/"           "^driver/"                        "-"
  "^evolution/model/"     "^evolution/(judge|store|strategy|role|provider|search|record|device|emulate)/" "-"
  "^evolution/role/"      "^evolution/(judge|search|store)/" "-"
  "^evolution/judge/"     "^evolution/(role|search|store|provider|strategy)/" "-"
  "^evolution/strategy/"  "^evolution/(judge|search|role|provider)/" "-"
  "^evolution/provider/"  "^evolution/(judge|search|store)/" "-"
  "^evolution/store/"     "^evolution/(judge|search|role|provider|strategy|record)/" "-"
  "^evolution/record/"    "^evolution/(role|search|store|provider|strategy)/" "-"
  "^driver/launcher/"     "^(evolution/|nlohmann/|fmt/|CLI/)" "-"
  "."                     "^(clang|llvm)/"                  "^annotate/(extract|rewrite|main)"
  "."                     "^sqlite3\\.h"                    "^evolution/store/"
  "."                     "^curl/"                          "^evolution/provider/"
  "."                     "^(cuda|cupti|nvperf)[a-z_0-9]*\\.h" "^(annotate/spec/twin_prelude|driver/launcher/include/|evolution/device/)"
  "."                     "^fmt/"                           "^driver/cli/")

# Sets <result> to the broken rule, or to nothing.
function(broken_rule file header result)
  set(rest ${rules})
  while(rest)
    list(POP_FRONT rest from to except)
    if(file MATCHES "${from}" AND header MATCHES "${to}" AND (except STREQUAL "-" OR NOT file MATCHES "${except}"))
      set(${result} "${from} -> ${to}" PARENT_SCOPE)
      return()
    endif()
  endwhile()
  set(${result} "" PARENT_SCOPE)
endfunction()

# The rules find what they are for: each pair must be refused.
foreach(pair "annotate/spec/x.h evolution/model/record.h" "evolution/role/x.cpp evolution/judge/cases/cases.h"
             "evolution/judge/x.cpp sqlite3.h" "driver/cli/x.cpp cuda_runtime.h" "driver/launcher/x.cpp fmt/core.h")
  string(REPLACE " " ";" pair "${pair}")
  broken_rule(${pair} found)
  if(NOT found)
    message(FATAL_ERROR "the rules do not refuse '${pair}'")
  endif()
endforeach()

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
    broken_rule("${file}" "${header}" found)
    if(found)
      message(SEND_ERROR "${file} includes ${header}: not allowed (${found})")
      math(EXPR violations "${violations} + 1")
    endif()
  endforeach()
endforeach()
message(STATUS "${count} files, ${violations} violations")
