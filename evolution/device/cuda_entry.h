// SPDX-License-Identifier: Apache-2.0
//
// An entry on a GPU: its kernels, loaded from the library's device code into this process's context, and its
// host side, which says what to launch. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evolution/device/memory/case_memory.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/host_side.h"

namespace cupilot {

/// A launch list made ready: queueing it again costs what its launches cost.
class Replay {
public:
  /// Kernels of the list are all in `kernels`. What the list asks of its kernels is set now.
  static Result<std::unique_ptr<Replay>> make(const LaunchList &list,
                                              const std::map<std::string, cudaKernel_t> &kernels);
  Replay(const Replay &) = delete;
  Replay &operator=(const Replay &) = delete;

  /// The error of the first launch the runtime refuses.
  Result<> queue(cudaStream_t stream) const;

private:
  struct Launch {
    const void *kernel = nullptr;
    cudaLaunchConfig_t configuration{};
    std::vector<cudaLaunchAttribute> attributes;
    std::vector<void *> arguments;  ///< into list_
  };
  explicit Replay(LaunchList list) : list_(std::move(list)) {}
  Launch prepared(QueuedWork &work, const std::map<std::string, cudaKernel_t> &kernels) const;

  LaunchList list_;
  std::deque<Launch> launches_;  ///< one for each piece of work; empty for a memset
};

class CudaEntry final : public Entry {
public:
  static Result<std::shared_ptr<CudaEntry>> load(const std::filesystem::path &library, HostRules rules);
  ~CudaEntry() override;

  struct Prepared {
    std::optional<Fault> fault;  ///< of the host side: there is nothing to launch
    bool declined = false;
    std::uint64_t scratch_bytes = 0;
    std::shared_ptr<const Replay> replay;  ///< null when declined or at fault
  };
  /// What a call of the entry on the buffers of `memory` launches. Scratch memory it asks for is in place and
  /// poisoned then, on the memory's stream.
  Result<Prepared> prepare(const Case &which, CaseMemory &memory);

private:
  Result<std::vector<LoadedKernel>> find_kernels();

  std::vector<std::byte> code_;  ///< the driver may read it later
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, cudaKernel_t> kernels_;
  std::optional<HostSide> host_;
};

}  // namespace cupilot
