// SPDX-License-Identifier: Apache-2.0
//
// A program that offers the runtime's functions to libraries it opens: the library was built by nvcc with
// `-cudart none`; its main is run. Usage: emulate_runtime_host LIBRARY ARGUMENTS...

#include <dlfcn.h>

#include <cstdio>

int main(int argc, char **argv) {
  void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  void *const run = library ? dlsym(library, "main") : nullptr;
  if (!run) {
    std::fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "usage: emulate_runtime_host LIBRARY ARGUMENTS...");
    return 2;
  }
  return reinterpret_cast<int (*)(int, char **)>(run)(argc - 1, argv + 1);
}
