# SPDX-License-Identifier: Apache-2.0
# find_package for everything but LLVM/Clang (CupilotClang.cmake); a part that is off needs none of its own.

find_package(nlohmann_json 3.11 REQUIRED)
if(CUPILOT_BUILD_CLI)
  find_package(fmt 9 REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  find_package(SQLite3 3.40 REQUIRED)
endif()
if(CUPILOT_BUILD_WORKER)
  find_package(CUDAToolkit 12.8 REQUIRED)
endif()
if(CUPILOT_BUILD_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(benchmark 1.7 REQUIRED)
endif()
