# SPDX-License-Identifier: Apache-2.0
# find_package for everything but LLVM/Clang (CupilotClang.cmake); a part that is off needs none of its own.

find_package(nlohmann_json 3.11 REQUIRED)
# Linked statically: a locked process loads no library for it, and a GPU machine needs none. A machine without the
# package takes its files from anywhere: `dpkg -x libseccomp-dev_*.deb DIR`, then -DCMAKE_PREFIX_PATH=DIR/usr.
find_path(CUPILOT_seccomp_INCLUDE seccomp.h)
find_library(CUPILOT_seccomp_LIBRARY libseccomp.a PATH_SUFFIXES "${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
if(NOT CUPILOT_seccomp_INCLUDE OR NOT CUPILOT_seccomp_LIBRARY)
  message(FATAL_ERROR "no libseccomp here, without which candidates have no sandbox: install libseccomp-dev, or unpack "
    "it (dpkg -x libseccomp-dev_*.deb DIR) and configure with -DCMAKE_PREFIX_PATH=DIR/usr")
endif()
mark_as_advanced(CUPILOT_seccomp_INCLUDE CUPILOT_seccomp_LIBRARY)
add_library(cupilot::seccomp STATIC IMPORTED)
set_target_properties(cupilot::seccomp PROPERTIES IMPORTED_LOCATION "${CUPILOT_seccomp_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${CUPILOT_seccomp_INCLUDE}")

# Headers only: a GPU machine needs no library of it either (its files as above, from libfmt-dev).
find_path(CUPILOT_fmt_INCLUDE fmt/format.h)
if(NOT CUPILOT_fmt_INCLUDE)
  message(FATAL_ERROR "no fmt here: install libfmt-dev, or unpack it (dpkg -x libfmt-dev_*.deb DIR) and configure with "
    "-DCMAKE_PREFIX_PATH=DIR/usr")
endif()
mark_as_advanced(CUPILOT_fmt_INCLUDE)
add_library(cupilot::fmt INTERFACE IMPORTED)
set_target_properties(cupilot::fmt PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CUPILOT_fmt_INCLUDE}"
  INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY)

if(CUPILOT_BUILD_CLI)
  find_package(CLI11 2.1 REQUIRED)
  find_package(SQLite3 3.40 REQUIRED)
  find_package(CURL 7.88 REQUIRED)
  find_path(CUPILOT_dtl_INCLUDE dtl/dtl.hpp)
  if(NOT CUPILOT_dtl_INCLUDE)
    message(FATAL_ERROR "no dtl here: install libdtl-dev, or configure with -DCUPILOT_BUILD_CLI=OFF")
  endif()
  mark_as_advanced(CUPILOT_dtl_INCLUDE)
  add_library(cupilot::dtl INTERFACE IMPORTED)
  set_target_properties(cupilot::dtl PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CUPILOT_dtl_INCLUDE}")
endif()
if(CUPILOT_BUILD_WORKER)
  # FindCUDAToolkit of CMake 3.25.1 (Debian 12) assumes nvToolsExt when a project asks for 3.25; CUDA 13 has none.
  set(_cupilot_minimum "${CMAKE_MINIMUM_REQUIRED_VERSION}")
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  find_package(CUDAToolkit 12.8 REQUIRED)
  set(CMAKE_MINIMUM_REQUIRED_VERSION "${_cupilot_minimum}")
endif()
if(CUPILOT_BUILD_EMULATE)
  # What fat binaries are packed with; Debian has no CMake packages that are the same on all its releases.
  foreach(name zstd lz4)
    find_path(CUPILOT_${name}_INCLUDE ${name}.h)
    find_library(CUPILOT_${name}_LIBRARY ${name})
    if(NOT CUPILOT_${name}_INCLUDE OR NOT CUPILOT_${name}_LIBRARY)
      message(FATAL_ERROR "no ${name} here: install lib${name}-dev, or configure with -DCUPILOT_BUILD_EMULATE=OFF")
    endif()
    mark_as_advanced(CUPILOT_${name}_INCLUDE CUPILOT_${name}_LIBRARY)
    add_library(cupilot::${name} UNKNOWN IMPORTED)
    set_target_properties(cupilot::${name} PROPERTIES IMPORTED_LOCATION "${CUPILOT_${name}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${CUPILOT_${name}_INCLUDE}")
  endforeach()
endif()
if(CUPILOT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(benchmark 1.7 REQUIRED)
endif()
