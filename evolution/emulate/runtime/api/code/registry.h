// SPDX-License-Identifier: Apache-2.0
//
// Maps host addresses to kernels and device variables. The program's constructors fill it.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/code/images.h"

namespace cupilot::emulate::runtime {

/// A kernel: cudaKernel_t, cudaFunction_t and CUfunction point to one.
struct Kernel {
  std::shared_ptr<Image> image;
  std::string name;
  std::shared_ptr<machine::LoadedProgram> program;  ///< after resolve()
  std::uint32_t function = 0;
  int dynamic_shared_most = kSharedPerBlock;  ///< limit in bytes; cudaFuncSetAttribute raises it
  int carveout = -1;

  const program::FunctionCode &code() const { return program->program->functions[function]; }
  int resolve();  ///< parses the PTX on first use; prints the message of an error and returns its code
};

struct HostVariable {
  std::shared_ptr<Image> image;
  std::string name;
  std::size_t bytes = 0;
  void **managed = nullptr;  ///< the program's pointer that receives the address
};

void register_kernel(const void *host, std::shared_ptr<Image> image, const std::string &name);
void register_variable(const void *host, HostVariable variable);
/// Finds a kernel by its host function's address or by a handle; nullptr: neither.
Kernel *find_kernel(const void *function_or_handle);
/// A kernel of a module that the program loaded itself; nullptr: no such entry. Stays valid.
Kernel *kernel_of(const std::shared_ptr<Image> &image, const std::string &name);
HostVariable *find_host_variable(const void *host);
/// Sets the program's pointers to the managed variables of an image.
int place_managed(const std::shared_ptr<Image> &image);
/// Removes the kernels of an unloaded image; their handles become invalid.
void forget(const std::shared_ptr<Image> &image);
std::vector<Kernel *> kernels_of(const std::shared_ptr<Image> &image);

}  // namespace cupilot::emulate::runtime
