// SPDX-License-Identifier: Apache-2.0
//
// An entry on the emulated device: its kernels, loaded from the library's device code, and its host side,
// which determines the launches.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/machine/step_marks.h"
#include "evolution/emulate/runtime/api/code/registry.h"
#include "evolution/emulate/session/case_buffers.h"
#include "evolution/emulate/session/uniform_values.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/host_side.h"

namespace cupilot::emulate::session {

class EmulatedEntry final : public judge::launches::Entry {
public:
  static Result<std::shared_ptr<EmulatedEntry>> load(const std::filesystem::path &library,
                                                     judge::launches::HostRules rules,
                                                     const std::string &architecture);

  struct Launched {
    bool declined = false;
    std::optional<judge::launches::Fault> fault;  ///< a fault of the host side: nothing was launched
    int code = 0;                                 ///< a cudaError_t of the first launch that was refused
    std::uint64_t scratch_bytes = 0;
  };
  /// Called after each piece of a call's work except the last, to simulate the work of another stream in
  /// between.
  using Between = std::function<void()>;
  /// Everything one call of the entry launches, on the current device.
  Result<Launched> launch(const model::Case &which, CaseBuffers &buffers, const Between &between = {});
  /// Called before each piece of a call's work, with the places of the call's scratch memory. While it is
  /// set, that memory stays until the next call.
  std::function<void(const judge::launches::QueuedWork &, const std::vector<judge::launches::MemoryRange> &)>
      before_work;

  /// What launches are to mark, for coverage().
  /// `special`: of runs on data with NaN or infinities.
  machine::StepMarks &marks(bool special) { return special ? special_marks_ : marks_; }
  /// Of the variant's text: what marked launches have executed.
  judge::launches::Coverage coverage();
  /// DeviceSession::numbers() and outcomes().
  std::vector<std::int64_t> numbers();
  Result<std::vector<judge::launches::Outcomes>> outcomes(const std::vector<spec::Parameter> &parameters,
                                                          std::span<const model::Case> cases);
  /// RunReport::changed. Constants in constant memory need no look: a store there is a fault.
  std::vector<std::string> changed_variables() const;

private:
  struct InitialValue {
    std::string name;
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
  };
  /// The arguments of a launch, and the addresses that there were.
  struct PassedArguments {
    std::vector<std::vector<std::byte>> arguments;
    std::vector<judge::launches::MemoryRange> memory;
  };
  const UniformValues &uniform(std::uint32_t function);
  /// Adds what the launches of one call decide to what its host side decided.
  void add_launches(judge::launches::Outcomes &outcomes, const judge::launches::LaunchList &list);
  void remember_values(const machine::LoadedProgram &program);
  judge::launches::Recorded ask(const model::Case &which, const CaseBuffers &buffers,
                                std::vector<judge::launches::MemoryRange> &scratch);
  int set_attributes(const judge::launches::LaunchList &list) const;
  std::optional<judge::launches::Fault> unsupported(const judge::launches::LaunchList &list) const;
  /// Whether a kernel computes with the addresses that this list passes to it (address_flow.h).
  std::optional<judge::launches::Fault> addresses_used(
      const model::Case &which, const judge::launches::LaunchList &list, const CaseBuffers &buffers,
      const std::vector<judge::launches::MemoryRange> &scratch);
  int launch_all(const judge::launches::LaunchList &list,
                 const std::vector<judge::launches::MemoryRange> &scratch, const Between &between) const;

  std::shared_ptr<runtime::Image> image_;
  std::vector<runtime::Kernel *> kernels_;
  machine::StepMarks marks_, special_marks_;
  std::map<std::uint32_t, UniformValues> uniform_;  ///< by function
  std::vector<InitialValue> initial_;
  /// What lists passed to kernels before, by case and place in the list; and where kernels take addresses.
  std::map<std::string, PassedArguments> passed_;
  std::map<std::string, std::vector<std::uint32_t>> pointers_;
  std::set<const ptx::Instruction *> compared_addresses_;
  std::optional<judge::launches::HostSide> host_;
  std::shared_ptr<void> kept_scratch_;             ///< see before_work
  std::optional<judge::launches::Fault> trouble_;  ///< device code that cannot be executed here
};

}  // namespace cupilot::emulate::session
