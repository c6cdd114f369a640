# SPDX-License-Identifier: Apache-2.0
# C++ standard, warnings and sanitizers as interface targets that only our own code links,
# and the one way our libraries are declared.

add_library(cupilot_settings INTERFACE)
target_compile_features(cupilot_settings INTERFACE cxx_std_23)
target_include_directories(cupilot_settings INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(cupilot_settings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wnon-virtual-dtor;-Wcast-align;-Wno-missing-field-initializers>"
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${CUPILOT_WERROR}>>:-Werror>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12, when it optimises, sees overlapping copies inside libstdc++'s string concatenation (GCC bug 105651) and
  # default members that are not set.
  target_compile_options(cupilot_settings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-maybe-uninitialized>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # g++ 13 takes the order of two byte vectors for a comparison of more bytes than there are, and an append to a vector
  # for a copy past its end.
  target_compile_options(cupilot_settings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overread;-Wno-array-bounds>")
endif()
if(CUPILOT_SANITIZE)
  target_compile_options(cupilot_settings INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined;-fno-sanitize-recover=undefined;-fno-omit-frame-pointer>")
  target_link_options(cupilot_settings INTERFACE -fsanitize=address,undefined)
endif()

if(CUPILOT_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "CUPILOT_BUILD_FUZZERS needs Clang: configure with -DCMAKE_CXX_COMPILER=clang++-22")
  endif()
  target_compile_options(cupilot_settings INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(cupilot_settings INTERFACE -fsanitize=address,undefined)
endif()

# cupilot_library(<folder> SOURCES <file>... [LINKS <target>...] [PRIVATE_LINKS <target>...])
# One folder is one library cupilot_<folder> with the alias cupilot::<folder>.
function(cupilot_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PRIVATE_LINKS")
  add_library(cupilot_${folder} STATIC ${arg_SOURCES})
  add_library(cupilot::${folder} ALIAS cupilot_${folder})
  target_link_libraries(cupilot_${folder} PUBLIC ${arg_LINKS} PRIVATE "$<BUILD_INTERFACE:cupilot_settings>" ${arg_PRIVATE_LINKS})
endfunction()

# cupilot_test(<name> SOURCES <file>... LINKS <target>... [LABEL <label>])
# A GoogleTest program; a test that returns 77 is a skip whose reason it printed.
function(cupilot_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "SOURCES;LINKS")
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE cupilot_settings ${arg_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${arg_LABEL} SKIP_RETURN_CODE 77)
endfunction()
