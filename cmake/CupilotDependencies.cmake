# SPDX-License-Identifier: Apache-2.0
# find_package for everything but LLVM/Clang (CupilotClang.cmake); a part that is off needs none of its own.

find_package(nlohmann_json 3.11 REQUIRED)
if(CUPILOT_BUILD_CLI)
  find_package(fmt 9 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  find_package(SQLite3 3.40 REQUIRED)
endif()
if(CUPILOT_BUILD_WORKER)
  # FindCUDAToolkit of CMake 3.25.1 (Debian 12) assumes nvToolsExt when a project asks for 3.25; CUDA 13 has none.
  set(_cupilot_minimum "${CMAKE_MINIMUM_REQUIRED_VERSION}")
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  find_package(CUDAToolkit 12.8 REQUIRED)
  set(CMAKE_MINIMUM_REQUIRED_VERSION "${_cupilot_minimum}")
endif()
if(CUPILOT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(benchmark 1.7 REQUIRED)
endif()
