# SPDX-License-Identifier: Apache-2.0
# LLVM 22.1, then Clang from the same prefix (its package has no version). The target cupilot_clang is all that
# annotate/extract and annotate/rewrite link: static for shipping, the shared libraries for quick development links.

option(CUPILOT_CLANG_STATIC "Link Clang and LLVM statically" ON)
find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22 /usr/lib/llvm22 /opt/llvm-22)
find_package(Clang REQUIRED CONFIG PATHS "${LLVM_DIR}/../clang" NO_DEFAULT_PATH)

add_library(cupilot_clang INTERFACE)
target_include_directories(cupilot_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(cupilot_clang INTERFACE ${LLVM_DEFINITIONS_LIST})
if(NOT LLVM_ENABLE_RTTI)
  target_compile_options(cupilot_clang INTERFACE -fno-rtti)
endif()
if(CUPILOT_CLANG_STATIC)
  target_link_libraries(cupilot_clang INTERFACE
    clangTooling clangFrontend clangASTMatchers clangAST clangLex clangBasic clangRewrite clangToolingCore)
else()
  target_link_libraries(cupilot_clang INTERFACE clang-cpp LLVM)
endif()

# Clang finds its own headers (stddef.h, the CUDA wrapper) below this folder.
set(CUPILOT_CLANG_RESOURCE_DIR "${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}" CACHE PATH "Clang's resource directory")
