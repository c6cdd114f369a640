# SPDX-License-Identifier: Apache-2.0
# LLVM 22.1, then Clang from the same prefix (its package has no version). The target cupilot_clang is all that
# annotate/extract and annotate/rewrite link: static for shipping, the shared libraries for quick development links.

option(CUPILOT_CLANG_STATIC "Link Clang and LLVM statically" ON)

# LLVM's package looks for zstd and friends, some of them with a C compiler.
enable_language(C)
find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22 /usr/lib/llvm22 /opt/llvm-22)
# NO_DEFAULT_PATH and an exact folder: a Clang of another version in /usr must not win.
find_package(Clang REQUIRED CONFIG PATHS "${LLVM_LIBRARY_DIR}/cmake/clang" "${LLVM_CMAKE_DIR}/../clang" NO_DEFAULT_PATH)

separate_arguments(_cupilot_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_library(cupilot_clang INTERFACE)
target_include_directories(cupilot_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_options(cupilot_clang INTERFACE ${_cupilot_llvm_definitions})
if(NOT LLVM_ENABLE_RTTI)
  # Debian builds with RTTI; a Clang without it has no typeinfo for the classes we derive from.
  target_compile_options(cupilot_clang INTERFACE -fno-rtti)
endif()

# Distributions export the static Clang libraries with an interface that pulls in the shared libLLVM. So the archives
# are named by hand: Clang's by following its own targets, LLVM's by component.
function(_cupilot_static_clang result)
  set(archives)
  set(seen)
  set(open clangTooling)
  while(open)
    list(POP_FRONT open library)
    if(library IN_LIST seen OR NOT library MATCHES "^clang" OR NOT TARGET ${library})
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(archive ${library} LOCATION)
    list(APPEND archives "${archive}")
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    if(links)
      list(APPEND open ${links})
    endif()
  endwhile()
  llvm_map_components_to_libnames(llvm support option core frontendatomic frontenddirective frontenddriver frontendhlsl
    frontendoffloading frontendopenmp windowsdriver targetparser bitreader bitstreamreader mc mcparser profiledata plugins)
  list(PREPEND archives -Wl,--start-group)
  list(APPEND archives -Wl,--end-group)
  set(${result} ${archives} ${llvm} PARENT_SCOPE)
endfunction()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees a null `this` in an inlined accessor of Clang's headers.
  target_compile_options(cupilot_clang INTERFACE -Wno-nonnull)
endif()
if(CUPILOT_CLANG_STATIC)
  _cupilot_static_clang(_cupilot_clang_libraries)
  target_link_libraries(cupilot_clang INTERFACE ${_cupilot_clang_libraries})
else()
  target_link_libraries(cupilot_clang INTERFACE clang-cpp LLVM)
endif()

# Clang finds its own headers (stddef.h, the CUDA wrapper) below this folder, unless a copy is installed with us.
set(CUPILOT_CLANG_RESOURCE_DIR "${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}" CACHE PATH
  "Clang's resource directory")
if(NOT EXISTS "${CUPILOT_CLANG_RESOURCE_DIR}/include/stddef.h")
  message(FATAL_ERROR "CUPILOT_CLANG_RESOURCE_DIR (${CUPILOT_CLANG_RESOURCE_DIR}) has no include/stddef.h; "
    "install Clang's headers (libclang-common-22-dev)")
endif()
