# SPDX-License-Identifier: Apache-2.0
# cupilot_cli_test(<name> <file.py>): a Python unittest program over fake_project.py: the real cupilot with a fake
# cupilot-annotate and a fake cupilot-worker.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(NOT TARGET cupilot_fake_worker)
  add_subdirectory("${PROJECT_SOURCE_DIR}/tests/fakes/worker" "${CMAKE_CURRENT_BINARY_DIR}/fake-worker")
endif()

function(cupilot_cli_test name file)
  add_test(NAME ${name} COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/${file}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS cli TIMEOUT 1800 ENVIRONMENT
    "CUPILOT=$<TARGET_FILE:cupilot>;FAKE_WORKER=$<TARGET_FILE:cupilot_fake_worker>;FAKES=${PROJECT_SOURCE_DIR}/tests/fakes;CUPILOT_STRATEGIES=${PROJECT_SOURCE_DIR}/evolution/strategy/pool;PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/fakes;PYTHONDONTWRITEBYTECODE=1")
endfunction()
