// SPDX-License-Identifier: Apache-2.0
//
// What executed blocks read and write in the buffers of a case, byte by byte. The observer also has inputs
// generated just before they are touched (CaseBuffers::Inputs::late).

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/machine/observer.h"
#include "evolution/emulate/session/case_buffers.h"

namespace cupilot::emulate::session {

/// A set of bytes of device memory, in lines.
class Bytes {
public:
  static constexpr std::uint64_t kLine = 64;
  /// By address / kLine: one bit for each byte.
  using Lines = std::unordered_map<std::uint64_t, std::uint64_t>;

  Bytes() = default;
  Bytes(Bytes &&) = default;
  Bytes &operator=(Bytes &&) = default;

  void add(std::uint64_t address, std::uint64_t bytes);
  bool holds(std::uint64_t address, std::uint64_t bytes) const;  ///< all of them
  void add_line(std::uint64_t line, std::uint64_t bits) { lines_[line] |= bits; }
  bool touches(std::uint64_t address, std::uint64_t bytes) const;
  bool empty() const { return lines_.empty(); }
  const Lines &lines() const { return lines_; }
  /// The first of them that is not below `begin`, and the end of the last that is below `end`.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> extent(std::uint64_t begin, std::uint64_t end) const;

private:
  Lines lines_;
  std::uint64_t last_ = ~0ull;          ///< the line touched last
  std::uint64_t *last_bits_ = nullptr;  ///< nodes stay where they are
};

/// A stretch of memory that a call works on: a buffer of the case or a piece of scratch memory.
struct Area {
  std::uint64_t begin = 0, end = 0;
  spec::BufferRole role = spec::BufferRole::scratch;
  std::size_t buffer = kScratch;  ///< index in the layout
  static constexpr std::size_t kScratch = ~std::size_t{0};

  bool output() const { return role == spec::BufferRole::out || role == spec::BufferRole::inout; }
};

struct BlockSeen {
  Bytes written;
  Bytes combined;  ///< by atomics: of these, other blocks may write the rest
  Bytes missing;   ///< read, but nothing that was executed had written them
  std::unordered_map<std::size_t, std::unordered_map<std::uint64_t, bool>> read;  ///< lines, by area
  std::uint64_t steps = 0;
  bool finished = false;
};

class TrafficObserver : public machine::Observer {
public:
  TrafficObserver(CaseBuffers &buffers, std::vector<Area> areas);
  /// The call begins anew: nothing has been written.
  void begin_call();
  void add_scratch(const std::vector<judge::launches::MemoryRange> &places);
  /// The host side gives these bytes a value.
  void fill(std::uint64_t address, std::uint64_t bytes);
  /// A launch begins: what the ones before have written is no input of the case any more.
  void begin_launch(std::map<std::uint64_t, BlockSeen> &blocks);

  const std::vector<Area> &areas() const { return areas_; }
  std::size_t area_of(std::uint64_t address) const;  ///< areas().size(): none
  /// Bytes of an area that fills of this call gave a value.
  double filled(std::size_t area) const { return filled_[area]; }
  /// A step of the last launch that writes to the area; kNowhere: none was seen.
  std::uint32_t writer(std::size_t area) const { return writers_[area]; }
  void forget_writers() { writers_.assign(areas_.size(), program::kNowhere); }

  void block_begins(std::uint64_t block, unsigned slot, unsigned warps) override;
  void block_ends(std::uint64_t block, unsigned slot) override;
  void step(unsigned, unsigned, std::uint32_t, program::Mask) override { ++now_->steps; }
  void access(unsigned slot, unsigned warp, std::uint32_t pc, const machine::AccessSeen &access) override;

private:
  void read(std::size_t index, std::uint64_t address, std::uint64_t bytes);
  bool has_value(std::uint64_t address, std::uint64_t bytes) const;

  CaseBuffers &buffers_;
  std::vector<Area> areas_;
  std::size_t own_ = 0;                   ///< areas that are no scratch memory of a call
  std::vector<bool> changed_, changing_;  ///< by area: by a work before this launch, by this launch
  std::vector<double> filled_;
  std::vector<std::uint32_t> writers_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fills_;
  Bytes written_, fresh_;  ///< by launches of this call before this one, and by this one
  std::map<std::uint64_t, BlockSeen> *blocks_ = nullptr;
  BlockSeen *now_ = nullptr;
  std::size_t last_ = 0;  ///< the area touched last
  std::array<std::uint64_t, 1024>
      read_lately_{};  ///< lines of inputs that the block has read, by their last digits
};

}  // namespace cupilot::emulate::session
