// SPDX-License-Identifier: Apache-2.0
//
// A host side that does what its kernel's first argument says (recorder_test.cpp).
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "library.h"

namespace {

const int registered = register_kernel();
int calls = 0;

int with_scratch(const Call *call) {
  void *first = nullptr, *second = nullptr;
  if (cudaMallocAsync(&first, 1000, call->stream) || cudaMallocAsync(&second, 24, call->stream)) return 1;
  cudaMemsetAsync(first, 7, 1000, call->stream);
  call->args[1] = &second;
  return launch_kernel(call, call->stream);
}

int asks_the_device(const Call *call) {
  int blocks = 0, processors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &kernel_stub, 256, 0);
  cudaDeviceGetAttribute(&processors, 16, 0);
  cudaFuncSetAttribute(&kernel_stub, 8, 100000);
  return cudaLaunchKernel(&kernel_stub, {static_cast<unsigned>(blocks * processors)}, {256}, call->args,
                          100000, call->stream);
}

/// Over the socket that the recorder itself answers on.
int forges(const char *text, std::size_t bytes) {
  for (int descriptor = 0; descriptor < 32; ++descriptor) (void)::send(descriptor, text, bytes, MSG_NOSIGNAL);
  return 0;
}

int run(const Call *call) {
  switch (*static_cast<const int *>(call->args[0])) {
    case 0:
      return launch_kernel(call, call->stream);
    case 1:
      return 1;  // not for me
    case 2:
      *static_cast<volatile int *>(nullptr) = 1;
      return 0;
    case 3:
      for (volatile bool never = false; !never;) {
      }
      return 0;
    case 4:
      std::exit(0);
    case 5:
      return ++calls % 9 < 5 ? launch_kernel(call, call->stream) : 0;  // a question is several calls
    case 6:
      return with_scratch(call);
    case 7:
      return launch_kernel(call, nullptr);
    case 8:
      return asks_the_device(call);
    case 9:
      return ::socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 0 : 1;
    case 10:
      return ::fork() == 0 ? 0 : 1;
    case 11:
      return forges("\x08\0\0\0garbage!", 12);
    case 12:
      return forges("\xff\xff\xff\xff", 4);
    case 13:
      return ::system("true");
    case 14:
      return static_cast<char *>(std::malloc(std::size_t{64} << 30)) == nullptr ? 1 : 0;
    case 15:
      return call->stream ? launch_kernel(call, call->stream) : 0;
    case 16: {
      char here = 0;
      return *(static_cast<volatile char *>(&here) - (600 << 10));  // far below the frame
    }
    default:
      return 700;
  }
}

}  // namespace

extern "C" int cupilot_entry(Call *call) {
  return run(call);
}
