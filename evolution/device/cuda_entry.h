// SPDX-License-Identifier: Apache-2.0
//
// An entry on a GPU. Its kernels are loaded from the library's device code into this process's context; its
// host side runs in the recorder and says what to launch. Internal to evolution/device.

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

namespace cupilot::device {

/// A launch list that is prepared, so that queueing it again costs only its launches.
class Replay {
public:
  /// `kernels` must contain all kernels of the list. Attributes that the list sets on its kernels are set
  /// now.
  static Result<std::unique_ptr<Replay>> make(const judge::launches::LaunchList &list,
                                              const std::map<std::string, cudaKernel_t> &kernels);
  Replay(const Replay &) = delete;
  Replay &operator=(const Replay &) = delete;

  /// Returns the error of the first launch that the runtime refuses.
  Result<> queue(cudaStream_t stream) const;

private:
  struct Launch {
    const void *kernel = nullptr;
    cudaLaunchConfig_t configuration{};
    std::vector<cudaLaunchAttribute> attributes;
    std::vector<void *> arguments;  ///< into list_
  };
  explicit Replay(judge::launches::LaunchList list) : list_(std::move(list)) {}
  Launch prepared(judge::launches::QueuedWork &work,
                  const std::map<std::string, cudaKernel_t> &kernels) const;

  judge::launches::LaunchList list_;
  std::deque<Launch> launches_;  ///< one for each item of the list; empty for a memset
};

class CudaEntry final : public judge::launches::Entry {
public:
  static Result<std::shared_ptr<CudaEntry>> load(const std::filesystem::path &library,
                                                 judge::launches::HostRules rules);
  ~CudaEntry() override;

  struct Prepared {
    std::optional<judge::launches::Fault> fault;  ///< fault of the host side: there is nothing to launch
    bool declined = false;
    std::uint64_t scratch_bytes = 0;
    std::shared_ptr<const Replay> replay;  ///< null when declined or at fault
  };
  /// Prepares what a call of the entry launches on the buffers of `memory`. Scratch memory that it asks for
  /// is placed and poisoned on the memory's stream.
  Result<Prepared> prepare(const model::Case &which, memory::CaseMemory &memory);

  /// RunReport::changed. The device must have nothing to do.
  Result<std::vector<std::string>> changed_variables() const;

private:
  struct InitialValue {
    std::string name;
    const void *place = nullptr;  ///< on the device
    std::vector<std::byte> bytes;
  };
  Result<std::vector<judge::launches::LoadedKernel>> find_kernels();
  Result<> remember_values();

  std::vector<std::byte> code_;  ///< kept, because the driver may read it later
  cudaLibrary_t library_ = nullptr;
  std::map<std::string, cudaKernel_t> kernels_;
  std::vector<InitialValue> initial_;
  std::optional<judge::launches::HostSide> host_;
};

}  // namespace cupilot::device
