// SPDX-License-Identifier: Apache-2.0
//
// Which of a launch's buffers are read and written, and how far.

#pragma once

#include <cstdint>
#include <vector>

#include "evolution/capture/seen.h"
#include "evolution/emulate/machine/observer.h"

namespace cupilot::emulate::watch {

/// An access belongs to the buffers that begin last at or before its address: several pointers may lead into
/// one allocation.
class Accesses final : public machine::Observer {
public:
  /// `begins`: the address of each buffer. Those that are null, or in no allocation, are left out.
  Accesses(const std::vector<capture::SeenBuffer> &buffers, const std::vector<std::uint64_t> &begins);
  void access(unsigned slot, unsigned warp, std::uint32_t pc, const machine::AccessSeen &access) override;
  void write(std::vector<capture::SeenBuffer> &buffers) const;

private:
  struct Area {
    std::uint64_t begin = 0, end = 0;  ///< of addresses
    std::vector<std::size_t> buffers;  ///< that begin here
    std::uint64_t read_end = 0, written_end = 0;
    bool reads_input = false;
    std::vector<bool> written;  ///< bytes; empty: the area is too large to keep them
  };
  Area *area_of(std::uint64_t address);
  static void read(Area &area, std::uint64_t at, std::uint64_t bytes);
  static void written(Area &area, std::uint64_t at, std::uint64_t bytes);

  std::vector<Area> areas_;  ///< by address
  Area *last_ = nullptr;     ///< touched last
};

}  // namespace cupilot::emulate::watch
