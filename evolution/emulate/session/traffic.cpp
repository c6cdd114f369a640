// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/traffic.h"

#include <algorithm>
#include <bit>

namespace cupilot::emulate::session {

namespace {

std::uint64_t bits_of(std::uint64_t from, std::uint64_t to) {
  const std::uint64_t count = to - from;
  return (count >= Bytes::kLine ? ~0ull : (1ull << count) - 1) << from % Bytes::kLine;
}

/// Calls `body(line, bits)` for each line of the bytes until it returns false.
template <class Body>
bool each_line(std::uint64_t address, std::uint64_t bytes, const Body &body) {
  for (std::uint64_t at = address, end = address + bytes; at < end;) {
    const std::uint64_t next = std::min(end, (at / Bytes::kLine + 1) * Bytes::kLine);
    if (!body(at / Bytes::kLine, bits_of(at, next))) return false;
    at = next;
  }
  return true;
}

}  // namespace

void Bytes::add(std::uint64_t address, std::uint64_t bytes) {
  each_line(address, bytes, [&](std::uint64_t line, std::uint64_t bits) {
    if (line != last_) last_ = line, last_bits_ = &lines_[line];
    *last_bits_ |= bits;
    return true;
  });
}

bool Bytes::holds(std::uint64_t address, std::uint64_t bytes) const {
  return each_line(address, bytes, [&](std::uint64_t line, std::uint64_t bits) {
    const auto known = lines_.find(line);
    return known != lines_.end() && (known->second & bits) == bits;
  });
}

bool Bytes::touches(std::uint64_t address, std::uint64_t bytes) const {
  return !each_line(address, bytes, [&](std::uint64_t line, std::uint64_t bits) {
    const auto known = lines_.find(line);
    return known == lines_.end() || (known->second & bits) == 0;
  });
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Bytes::extent(std::uint64_t begin,
                                                                     std::uint64_t end) const {
  std::uint64_t first = ~0ull, last = 0;
  for (const auto &[line, bits] : lines_) {
    if (line * kLine < begin / kLine * kLine || line * kLine >= end) continue;
    first = std::min(first, line * kLine + static_cast<std::uint64_t>(std::countr_zero(bits)));
    last = std::max(last, line * kLine + kLine - static_cast<std::uint64_t>(std::countl_zero(bits)));
  }
  if (first >= last) return std::nullopt;
  return std::pair(first, last);
}

TrafficObserver::TrafficObserver(CaseBuffers &buffers, std::vector<Area> areas)
    : buffers_(buffers), areas_(std::move(areas)), own_(areas_.size()) {
  begin_call();
}

void TrafficObserver::begin_call() {
  areas_.resize(own_);
  changed_.assign(own_, false);
  changing_ = changed_;
  filled_.assign(own_, 0);
  forget_writers();
  fills_.clear();
  written_ = {};
  fresh_ = {};
  buffers_.forget_changes();
  last_ = 0;
}

void TrafficObserver::add_scratch(const std::vector<judge::launches::MemoryRange> &places) {
  if (areas_.size() > own_) return;
  for (const judge::launches::MemoryRange &place : places)
    areas_.push_back({place.address, place.address + place.bytes, spec::BufferRole::scratch, Area::kScratch});
  changed_.resize(areas_.size());
  changing_.resize(areas_.size());
  filled_.resize(areas_.size());
  forget_writers();
}

void TrafficObserver::fill(std::uint64_t address, std::uint64_t bytes) {
  const std::size_t index = area_of(address);
  if (index == areas_.size() || bytes == 0) return;
  fills_.emplace_back(address, address + bytes);
  filled_[index] += static_cast<double>(bytes);
  changed_[index] = true;
  if (areas_[index].buffer != Area::kScratch)
    buffers_.settle(areas_[index].buffer, address - areas_[index].begin, bytes);
}

void TrafficObserver::begin_launch(std::map<std::uint64_t, BlockSeen> &blocks) {
  blocks_ = &blocks;
  for (const auto &[line, bits] : fresh_.lines()) written_.add_line(line, bits);
  fresh_ = {};
  for (std::size_t i = 0; i < areas_.size(); ++i) changed_[i] = changed_[i] || changing_[i];
  forget_writers();
}

std::size_t TrafficObserver::area_of(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      areas_, [&](const Area &area) { return address >= area.begin && address < area.end; });
  return static_cast<std::size_t>(found - areas_.begin());
}

void TrafficObserver::block_begins(std::uint64_t block, unsigned, unsigned) {
  read_lately_.fill(~0ull);
  now_ = &(*blocks_)[block];
  *now_ = {};
}

void TrafficObserver::block_ends(std::uint64_t block, unsigned) {
  (*blocks_)[block].finished = true;
}

bool TrafficObserver::has_value(std::uint64_t address, std::uint64_t bytes) const {
  return written_.holds(address, bytes) || now_->written.holds(address, bytes) ||
         std::ranges::any_of(fills_, [&](const auto &fill) {
           return address >= fill.first && address + bytes <= fill.second;
         });
}

void TrafficObserver::read(std::size_t index, std::uint64_t address, std::uint64_t bytes) {
  const Area &area = areas_[index];
  const bool from_outside =
      area.role == spec::BufferRole::in || (area.role == spec::BufferRole::inout && !changed_[index]);
  const std::uint64_t line = address / Bytes::kLine;
  std::uint64_t &lately = read_lately_[line % read_lately_.size()];
  if (lately == line && from_outside) return;
  lately = line;
  if (area.buffer != Area::kScratch) now_->read[index][line] = true;
  if (!from_outside && !has_value(address, bytes)) now_->missing.add(address, bytes);
}

void TrafficObserver::access(unsigned, unsigned, std::uint32_t pc, const machine::AccessSeen &access) {
  if (access.space != ptx::Space::global) return;
  for (program::Mask rest = access.mask; rest; rest &= rest - 1) {
    const std::uint64_t address = access.address[std::countr_zero(rest)];
    if (last_ >= areas_.size() || address < areas_[last_].begin || address >= areas_[last_].end)
      last_ = area_of(address);
    if (last_ == areas_.size()) continue;  // a constant of the module
    const Area &area = areas_[last_];
    if (area.role == spec::BufferRole::in || area.role == spec::BufferRole::inout)
      buffers_.fill_late(area.buffer, address - area.begin, access.bytes);
    if (!access.write || access.atomic) read(last_, address, access.bytes);
    if (!access.write) continue;
    now_->written.add(address, access.bytes);
    if (access.atomic) now_->combined.add(address, access.bytes);
    fresh_.add(address, access.bytes);
    changing_[last_] = true;
    writers_[last_] = pc;
  }
}

}  // namespace cupilot::emulate::session
