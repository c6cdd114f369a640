// SPDX-License-Identifier: Apache-2.0
//
// Device memory of one setting on the emulated device: one allocation a buffer, labelled with the parameter's
// name and exactly as long as the workload says, so that a fault names what it missed and by how much.

#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/memory/memory.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::emulate::session {

/// A cache of generated inputs, because a setting is run several times at different addresses. The key has
/// everything that determines an input.
class InputCache {
public:
  /// Copies the content into `to`; calls `make` if it is not in the cache.
  template <class Make>
  void fill(const std::string &key, std::span<std::byte> to, Make make) {
    const auto known = inputs_.find(key);
    if (known != inputs_.end() && known->second.size() == to.size()) return copy(known->second, to);
    make(to);
    keep(key, to);
  }

private:
  static void copy(const std::vector<std::byte> &from, std::span<std::byte> to);
  void keep(const std::string &key, std::span<const std::byte> content);

  std::map<std::string, std::vector<std::byte>> inputs_;
  std::size_t bytes_ = 0;
};

class CaseBuffers {
public:
  /// `whole`: every element of an input is generated; `rough`: values may repeat (fill_roughly()), for runs
  /// of a few blocks.
  enum class Inputs { whole, rough };
  static Result<CaseBuffers> make(memory::Memory &memory, InputCache &cache,
                                  const std::vector<spec::Parameter> &parameters,
                                  const judge::launches::Setting &setting, Inputs inputs);
  CaseBuffers(CaseBuffers &&) noexcept = default;
  CaseBuffers &operator=(CaseBuffers &&) = delete;
  ~CaseBuffers();

  const judge::launches::Arguments &arguments() const { return arguments_; }
  /// Outputs and scratch, which the host side of a launch may clear.
  std::vector<judge::launches::MemoryRange> writable() const;
  bool has_outputs() const;  ///< whether any output is not empty
  /// Fills the buffers with the content of another setting, at the same addresses.
  Result<> refill(const judge::launches::Setting &setting, InputCache &cache);
  /// Call it after the launch: finds bytes written beyond a buffer in its allocation, and inputs that
  /// changed.
  void inspect(judge::launches::RunReport &report) const;
  Result<> dump(std::span<std::byte> to) const;

private:
  struct Placed {
    std::uint64_t allocation = 0, address = 0;  ///< the buffer starts at `address`, which is behind the
                                                ///< allocation's start for a misaligned buffer
    std::uint64_t hash = 0;
  };
  explicit CaseBuffers(memory::Memory &memory) : memory_(&memory) {}
  Result<> place(std::size_t index, const judge::launches::Setting &setting, Inputs inputs);
  void protect_inputs();
  Result<> fill(std::size_t index, const judge::launches::Setting &setting, InputCache &cache, Inputs inputs);
  std::span<std::byte> content(std::size_t index) const;
  std::span<std::byte> before(std::size_t index) const;

  memory::Memory *memory_;
  judge::cases::CaseLayout layout_;
  std::vector<std::string> names_;
  std::vector<Placed> placed_;  ///< empty once moved from
  judge::launches::Arguments arguments_;
};

}  // namespace cupilot::emulate::session
