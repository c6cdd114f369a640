// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/case_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "evolution/emulate/session/host_fill.h"
#include "evolution/judge/data/element_type.h"
#include "evolution/judge/data/poison.h"
#include "evolution/judge/launches/buffer_rule.h"

namespace cupilot::emulate::session {

namespace {

constexpr std::size_t kMostCachedBytes = 128u << 20;
/// What is generated at a time with Inputs::late: a multiple of every type's size.
constexpr std::uint64_t kLateBytes = 4096;
/// Between the allocations of a run at other addresses and those of the one before.
constexpr std::uint64_t kElsewhereBytes = 3 * judge::cases::kBufferAlignment;

std::string label_of(const judge::cases::PlacedBuffer &buffer, const std::string &name) {
  return fmt::format("{}'{}'", buffer.role == spec::BufferRole::scratch ? "scratch " : "", name);
}

}  // namespace

void InputCache::copy(const std::vector<std::byte> &from, std::span<std::byte> to) {
  if (!to.empty()) std::memcpy(to.data(), from.data(), to.size());
}

void InputCache::keep(const std::string &key, std::span<const std::byte> content) {
  if (content.size() > kMostCachedBytes) return;
  if (bytes_ + content.size() > kMostCachedBytes) inputs_.clear(), bytes_ = 0;
  inputs_[key].assign(content.begin(), content.end());
  bytes_ += content.size();
}

Result<CaseBuffers> CaseBuffers::make(memory::Memory &memory, InputCache &cache,
                                      const std::vector<spec::Parameter> &parameters,
                                      const judge::launches::Setting &setting, Inputs inputs) {
  CaseBuffers buffers(memory);
  CUPILOT_TRY(layout, judge::cases::make_layout(parameters, *setting.which, setting.placement,
                                                setting.promoted, setting.shifts));
  buffers.layout_ = std::move(layout);
  for (const spec::Parameter &parameter : parameters) buffers.names_.push_back(parameter.name);
  const std::size_t count = buffers.layout_.buffers.size();
  buffers.placed_.resize(count);
  if (inputs == Inputs::late) buffers.late_.resize(count);
  std::uint64_t elsewhere = 0;
  if (setting.placement == judge::cases::Placement::moved) {
    CUPILOT_TRY(gap, memory.allocate(kElsewhereBytes, "a gap of the judge's"));
    elsewhere = gap;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = setting.placement == judge::cases::Placement::moved ? count - 1 - i : i;
    CUPILOT_CHECKED(buffers.place(index, setting, inputs));
  }
  if (elsewhere) CUPILOT_CHECKED(memory.free(elsewhere));
  for (std::size_t i = 0; i < count; ++i) {
    const judge::cases::PlacedBuffer &buffer = buffers.layout_.buffers[i];
    if (buffer.shares != judge::cases::kOwnMemory)
      buffers.placed_[i].address = buffers.placed_[buffer.shares].address + buffer.begins;
  }
  CUPILOT_CHECKED(buffers.refill(setting, cache, inputs));
  buffers.protect_inputs();
  std::vector<std::uint64_t> addresses;
  for (const Placed &placed : buffers.placed_) addresses.push_back(placed.address);
  CUPILOT_TRY(arguments,
              judge::launches::Arguments::make(parameters, *setting.which, buffers.layout_, addresses));
  buffers.arguments_ = std::move(arguments);
  return buffers;
}

CaseBuffers::~CaseBuffers() {
  for (const Placed &placed : placed_)
    if (placed.allocation) (void)memory_->free(placed.allocation);
}

Result<> CaseBuffers::place(std::size_t index, const judge::launches::Setting &setting, Inputs inputs) {
  const judge::cases::PlacedBuffer &buffer = layout_.buffers[index];
  if (buffer.shares != judge::cases::kOwnMemory) return {};
  const bool misaligned = judge::cases::is_misaligned(setting.placement);
  const std::uint64_t shift = misaligned ? buffer.offset % judge::cases::kBufferAlignment : 0;
  // Memory without a value yet: outputs and scratch.
  const bool unwritten = buffer.role == spec::BufferRole::out || buffer.role == spec::BufferRole::scratch;
  CUPILOT_TRY(allocation, memory_->allocate(shift + buffer.room, label_of(buffer, names_[buffer.parameter]),
                                            unwritten && inputs == Inputs::whole));
  placed_[index] = {allocation, allocation + shift};
  fill_pattern(before(index), judge::data::kGuard);
  return {};
}

/// Also one that puts the old value back is found: another launch may read the input meanwhile.
void CaseBuffers::protect_inputs() {
  const auto written = judge::cases::overwritten(layout_);
  for (std::size_t i = 0; i < placed_.size(); ++i)
    if (layout_.buffers[i].role == spec::BufferRole::in && placed_[i].allocation && !written[i])
      memory_->set_read_only(placed_[i].allocation);
}

Result<> CaseBuffers::fill(std::size_t index, const judge::launches::Setting &setting, InputCache &cache,
                           Inputs inputs) {
  const judge::cases::PlacedBuffer &buffer = layout_.buffers[index];
  if (buffer.shares != judge::cases::kOwnMemory && !buffer.overlaps()) return {};
  const std::string &name = names_[buffer.parameter];
  const auto bytes = content(index);
  if (buffer.role == spec::BufferRole::out || buffer.role == spec::BufferRole::scratch) {
    if (inputs == Inputs::whole)
      fill_pattern(bytes, setting.other_poison ? judge::data::kOtherPoison : judge::data::kPoison);
    return {};
  }
  const bool opaque = buffer.element.type == spec::ElementType::opaque;
  const std::string key = fmt::format("{}/{}/{}/{}/{}{}{}/{}", setting.which->id, setting.family,
                                      setting.seed, setting.nudge, setting.promoted ? "promoted" : "",
                                      static_cast<int>(setting.operands), setting.operand, name);
  const auto remember = [&] {
    if (buffer.role == spec::BufferRole::in) placed_[index].hash = hash_bytes(bytes);
  };
  if (!buffer.members.empty()) {
    CUPILOT_TRY(rules, judge::launches::member_rules(layout_, buffer, name, setting));
    cache.fill(key, bytes, [&](std::span<std::byte> to) {
      std::memset(to.data(), 0, to.size());
      for (const auto &one : rules) fill_member(to, buffer.element.lanes, one.member, one.rule);
    });
    remember();
    return {};
  }
  CUPILOT_TRY(rule, judge::launches::buffer_rule(layout_, buffer, name, setting));
  if (inputs == Inputs::late) {
    late_[index] = {rule, buffer.element.type,
                    std::vector<bool>((bytes.size() + kLateBytes - 1) / kLateBytes)};
    return {};
  }
  if (opaque) std::memset(bytes.data(), 0, bytes.size());  // a tail shorter than a float stays zero
  if (inputs == Inputs::rough) {
    fill_roughly(bytes, buffer.element.type, rule);
    return {};
  }
  cache.fill(key, bytes, [&](std::span<std::byte> to) { fill_input(to, buffer.element.type, rule); });
  remember();
  return {};
}

/// What begins within another buffer is filled first: the other one is as it always is.
Result<> CaseBuffers::refill(const judge::launches::Setting &setting, InputCache &cache, Inputs inputs) {
  for (const bool overlaps : {true, false})
    for (std::size_t i = 0; i < placed_.size(); ++i)
      if (layout_.buffers[i].overlaps() == overlaps) CUPILOT_CHECKED(fill(i, setting, cache, inputs));
  return {};
}

void CaseBuffers::fill_late(std::size_t index, std::uint64_t at, std::uint64_t bytes) {
  Late &late = late_[index];
  for (std::uint64_t chunk = at / kLateBytes; chunk * kLateBytes < at + bytes && chunk < late.filled.size();
       ++chunk) {
    if (late.filled[chunk]) continue;
    late.filled[chunk] = true;
    const auto all = content(index);
    const std::uint64_t begin = chunk * kLateBytes,
                        end = std::min<std::uint64_t>(begin + kLateBytes, all.size());
    std::memset(all.data() + begin, 0, end - begin);  // a rest shorter than an element stays zero
    const std::uint64_t size =
        late.type == spec::ElementType::opaque ? sizeof(float) : judge::data::element_size(late.type);
    fill_part(all.data(), late.type, late.rule, begin / size, end / size);
  }
}

void CaseBuffers::settle(std::size_t index, std::uint64_t at, std::uint64_t bytes) {
  if (late_[index].filled.empty() || bytes == 0) return;
  fill_late(index, at, 1);
  fill_late(index, at + bytes - 1, 1);
  for (std::uint64_t chunk = at / kLateBytes; chunk <= (at + bytes - 1) / kLateBytes; ++chunk)
    late_[index].filled[chunk] = true;
}

void CaseBuffers::forget_changes() {
  for (std::size_t i = 0; i < late_.size(); ++i)
    if (layout_.buffers[i].role == spec::BufferRole::inout)
      late_[i].filled.assign(late_[i].filled.size(), false);
}

std::vector<judge::launches::MemoryRange> CaseBuffers::writable() const {
  std::vector<judge::launches::MemoryRange> ranges;
  for (std::size_t i = 0; i < placed_.size(); ++i)
    if (layout_.buffers[i].role != spec::BufferRole::in)
      ranges.push_back({placed_[i].address, layout_.buffers[i].bytes});
  return ranges;
}

bool CaseBuffers::has_outputs() const {
  return std::ranges::any_of(layout_.buffers, [](const judge::cases::PlacedBuffer &buffer) {
    return buffer.dumped() && buffer.bytes > 0;
  });
}

std::span<std::byte> CaseBuffers::content(std::size_t index) const {
  return {reinterpret_cast<std::byte *>(placed_[index].address), layout_.buffers[index].bytes};
}

std::span<std::byte> CaseBuffers::before(std::size_t index) const {
  const Placed &placed = placed_[index];
  return {reinterpret_cast<std::byte *>(placed.allocation), placed.address - placed.allocation};
}

void CaseBuffers::inspect(judge::launches::RunReport &report) const {
  const auto changing = judge::cases::overwritten(layout_);
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const judge::cases::PlacedBuffer &buffer = layout_.buffers[i];
    if (buffer.shares != judge::cases::kOwnMemory) continue;
    const std::string &name = names_[buffer.parameter];
    if (buffer.role == spec::BufferRole::in && !changing[i] && hash_bytes(content(i)) != placed_[i].hash)
      report.modified.push_back(name);
    if (const auto wrong = pattern_mismatches(before(i), judge::data::kGuard))
      report.stained.push_back(fmt::format("wrote {} bytes before '{}'", wrong, name));
  }
}

Result<> CaseBuffers::dump(std::span<std::byte> to) const {
  const auto offsets = judge::cases::dump_offsets(layout_);
  if (layout_.dump_bytes > to.size()) return fail("the dump is smaller than the outputs");
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const judge::cases::PlacedBuffer &buffer = layout_.buffers[i];
    if (buffer.dumped() && buffer.bytes > 0)
      std::memcpy(to.data() + offsets[i], content(i).data(), buffer.bytes);
  }
  return {};
}

}  // namespace cupilot::emulate::session
