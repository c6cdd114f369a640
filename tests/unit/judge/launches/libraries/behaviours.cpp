// SPDX-License-Identifier: Apache-2.0
//
// A host side that does what its kernel's first argument says (recorder_test.cpp).
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
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

std::uint64_t address_in(const Call *call) {
  return *static_cast<const std::uint64_t *>(call->args[1]);
}

/// What an earlier call may have left some way below the frame decides about the grid.
int reads_the_stack(const Call *call) {
  volatile char here = 0;
  std::uint32_t word;
  std::memcpy(&word, const_cast<char *>(&here) - 8192, sizeof word);
  return cudaLaunchKernel(&kernel_stub, {word % 1000 + 1}, {1}, call->args, 0, call->stream);
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
    case 17:  // a judge's addresses
      return address_in(call) < std::uint64_t{1} << 32 ? launch_kernel(call, call->stream) : 0;
    case 18:  // what a program's address has, too
      return address_in(call) % 256 == 0x78 ? launch_kernel(call, call->stream) : 0;
    case 19:
      return reads_the_stack(call);
    case 20: {  // a judge's slot
      int slot = 0;
      cudaDeviceGetAttribute(&slot, 33, 0);
      return slot == 7 ? launch_kernel(call, call->stream) : 0;
    }
    case 21: {  // the first device of a machine
      int device = 0;
      cudaGetDevice(&device);
      return device == 0 ? launch_kernel(call, call->stream) : 0;
    }
    case 22: {  // error correction
      int corrects = 0;
      cudaDeviceGetAttribute(&corrects, 32, 0);
      return corrects == 1 ? launch_kernel(call, call->stream) : 0;
    }
    case 23:  // an error of the program's
      return cudaPeekAtLastError() ? 0 : launch_kernel(call, call->stream);
    case 24:
      return cudaPeekAtLastError() ? 1 : launch_kernel(call, call->stream);
    case 25: {  // memory is taken for granted
      void *scratch = nullptr;
      (void)cudaMallocAsync(&scratch, 1000, call->stream);
      (void)cudaGetLastError();
      return launch_kernel(call, call->stream);
    }
    case 26:  // where a library lies
      return reinterpret_cast<std::uintptr_t>(&run) >> 40 >= 0x7e ? launch_kernel(call, call->stream) : 0;
    case 27: {  // where a main thread's stack lies
      volatile char here = 0;
      const auto place = reinterpret_cast<std::uintptr_t>(&here);
      return place >> 32 < 0x7ffc ? launch_kernel(call, call->stream) : 0;
    }
    case 28: {  // keeps something below its frame
      volatile char here = 0;
      *(&here - 60'000) = 1;
      return launch_kernel(call, call->stream);
    }
    case 29:  // one place in a hundred
      return (address_in(call) >> 21) % 100 == 7 ? 0 : launch_kernel(call, call->stream);
    case 30:  // one stream in 61
      return reinterpret_cast<std::uintptr_t>(call->stream) / 16 % 61 == 7
                 ? 0
                 : launch_kernel(call, call->stream);
    case 31: {  // subnormal numbers
      volatile float small = 1e-38f;
      return small * 0.1f == 0 ? 0 : launch_kernel(call, call->stream);
    }
    case 32: {  // rounding up
      volatile double one = 1.0, little = 1e-30;
      return one + little > 1.0 ? 0 : launch_kernel(call, call->stream);
    }
    default:
      return 700;
  }
}

}  // namespace

extern "C" int cupilot_entry(Call *call) {
  return run(call);
}
