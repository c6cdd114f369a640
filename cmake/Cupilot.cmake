# SPDX-License-Identifier: Apache-2.0
# What users call. The same file serves find_package(cupilot), FetchContent and add_subdirectory: where the programs
# and the support headers are, CupilotConfig.cmake or CupilotInstall.cmake says in global properties.

include_guard(GLOBAL)

# cupilot_tune(<target> [RECORDS <dir>] [ACCEPT_ESTIMATES])
#
# Tuned kernels of <dir> (default: tuned/ beside the calling CMakeLists.txt) are swapped into the target's CUDA sources
# when they are compiled. Without records, with CUPILOT_DISABLE or without the programs it is the user's own build.
# ACCEPT_ESTIMATES (or CUPILOT_ACCEPT_ESTIMATES for all targets) also uses records that were estimated and never measured.
function(cupilot_tune target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ACCEPT_ESTIMATES" "RECORDS" "")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "cupilot_tune(${target} ...): expected [RECORDS <dir>] [ACCEPT_ESTIMATES], "
                        "not '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cupilot_tune(${target}): there is no target '${target}'; call it after add_executable or add_library")
  endif()
  get_target_property(already ${target} CUPILOT_RECORDS)
  if(already)
    return()
  endif()
  if(CUPILOT_ACCEPT_ESTIMATES)
    set(arg_ACCEPT_ESTIMATES TRUE)
  endif()
  if(NOT arg_RECORDS)
    set(arg_RECORDS tuned)
  endif()
  cmake_path(ABSOLUTE_PATH arg_RECORDS BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set_target_properties(${target} PROPERTIES CUPILOT_RECORDS "${arg_RECORDS}" EXPORT_COMPILE_COMMANDS ON)

  # gcc's -Wall knows only its own pragmas; also needed when nothing is swapped
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wno-unknown-pragmas>")
  endif()

  _cupilot_launcher(launcher why_not)
  if(why_not)
    message(STATUS "cupilot: ${target} is built with its original kernels: ${why_not}")
  else()
    _cupilot_launch_through(${target} "${launcher}" "${arg_RECORDS}" "${arg_ACCEPT_ESTIMATES}")
  endif()
  # at the end of the calling directory the target has all its sources
  cmake_language(EVAL CODE
    "cmake_language(DEFER CALL _cupilot_describe [[${target}]] [[${launcher}]] [[${arg_ACCEPT_ESTIMATES}]])")
endfunction()

# The launcher's path, or why it is not used.
function(_cupilot_launcher out_launcher out_why_not)
  get_property(programs GLOBAL PROPERTY CUPILOT_PROGRAMS)
  set(${out_launcher} "${programs}/cupilot-cc" PARENT_SCOPE)
  set(why_not "")
  if(CUPILOT_DISABLE OR "$ENV{CUPILOT_DISABLE}")
    set(why_not "CUPILOT_DISABLE is set")
  elseif(NOT TARGET cupilot-cc AND NOT EXISTS "${programs}/cupilot-cc")
    set(why_not "'${programs}/cupilot-cc' is missing")
  elseif(CMAKE_CUDA_COMPILER_ID AND NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(why_not "kernels are swapped with nvcc only, and the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID}")
  endif()
  set(${out_why_not} "${why_not}" PARENT_SCOPE)
endfunction()

function(_cupilot_launch_through target launcher records accept_estimates)
  get_property(support GLOBAL PROPERTY CUPILOT_SUPPORT)
  set(cache "${CMAKE_BINARY_DIR}/cupilot/cache/${target}")
  set(options --records "${records}" --cache "${cache}" --support "${support}")
  if(accept_estimates)
    list(APPEND options --accept-estimates)
  endif()

  # what stood there before (ccache) comes behind ours and sees the wrapper; an empty element would be an argument ""
  get_target_property(behind ${target} CUDA_COMPILER_LAUNCHER)
  set(chain "${launcher}" ${options} --)
  if(behind)
    list(APPEND chain ${behind})
  endif()
  set_target_properties(${target} PROPERTIES CUDA_COMPILER_LAUNCHER "${chain}")
  if(TARGET cupilot-cc)
    add_dependencies(${target} cupilot-cc)
  endif()

  # A record that lands is in no depfile yet. CMake looks for new ones at every build without making anything, comes
  # here when the list changed, and the objects concerned (their stamps) become out of date: no others.
  file(GLOB found CONFIGURE_DEPENDS "${records}/*/*/record.json" "${records}/*/*/variant.cuh")
  if(EXISTS "${cache}" AND EXISTS "${launcher}")
    execute_process(COMMAND "${launcher}" --refresh ${options} RESULT_VARIABLE failed)
    if(failed)
      message(STATUS "cupilot: new records may need a clean build of ${target}: '${launcher} --refresh' failed")
    endif()
  endif()
endfunction()

# <build>/cupilot/<target>.json: how the cupilot verbs find the target's sources and records.
function(_cupilot_describe target launcher accept_estimates)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(records ${target} CUPILOT_RECORDS)
  set(accepts false)
  if(accept_estimates)
    set(accepts true)
  endif()
  set(quoted "")
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\$<")
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
      list(APPEND quoted "\"${source}\"")
    endif()
  endforeach()
  list(JOIN quoted "," quoted)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/cupilot/${target}.json" CONTENT
    "{\"cupilot_target\":1,\"target\":\"${target}\",\"sources\":[${quoted}],\"records\":\"${records}\",\"launcher\":\"${launcher}\",\"accept_estimates\":${accepts}}\n")
endfunction()
