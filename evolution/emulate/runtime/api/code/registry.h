// SPDX-License-Identifier: Apache-2.0
//
// Which host address stands for which kernel or device variable. The program's constructors fill it.

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
  std::shared_ptr<LoadedProgram> program;  ///< after resolve()
  std::uint32_t function = 0;
  int dynamic_shared_most = kSharedPerBlock;  ///< cudaFuncSetAttribute raises it
  int carveout = -1;

  const FunctionCode &code() const { return program->program->functions[function]; }
  int resolve();  ///< parses the PTX on first use; an error code whose message has been printed
};

struct HostVariable {
  std::shared_ptr<Image> image;
  std::string name;
  std::size_t bytes = 0;
  void **managed = nullptr;  ///< the program's pointer to fill in
};

void register_kernel(const void *host, std::shared_ptr<Image> image, const std::string &name);
void register_variable(const void *host, HostVariable variable);
/// By the host function's address or by a handle; nullptr: neither.
Kernel *find_kernel(const void *function_or_handle);
/// A kernel of a module that the program loaded itself; nullptr: no such entry. Stays valid.
Kernel *kernel_of(const std::shared_ptr<Image> &image, const std::string &name);
HostVariable *find_host_variable(const void *host);
/// Points the managed variables of an image to their memory.
int place_managed(const std::shared_ptr<Image> &image);
/// Kernels of an image that is unloaded; their handles are known no more.
void forget(const std::shared_ptr<Image> &image);
std::vector<Kernel *> kernels_of(const std::shared_ptr<Image> &image);

}  // namespace cupilot::emulate::runtime
