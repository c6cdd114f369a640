// SPDX-License-Identifier: Apache-2.0
//
// The same with everything the screen must find.
#include <sys/socket.h>

#include <cstdlib>

namespace hostile {
int calls = 7;
thread_local int of_a_thread = 1;
__attribute__((constructor)) void early() {
  ++calls;
}
}  // namespace hostile

extern "C" int cudaMalloc(void **, unsigned long);

extern "C" int cupilot_entry(void *) {
  static long count = 0;
  void *memory = nullptr;
  cudaMalloc(&memory, 4);
  return std::system("true") + ::socket(1, 1, 0) + static_cast<int>(++count) + hostile::of_a_thread++;
}
