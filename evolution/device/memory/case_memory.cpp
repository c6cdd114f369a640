// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/memory/case_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/kernels/kernels.h"
#include "evolution/judge/data/poison.h"
#include "evolution/judge/launches/buffer_rule.h"

namespace cupilot::device::memory {

namespace {

/// Maximum number of buffers and of guards that are checked; further ones are not. A kernel could have more
/// pointer parameters (4 KiB of parameters, or 32 KiB on newer devices), but in practice none has.
constexpr std::size_t kMaxChecks = 512;

kernels::Type kernel_type(spec::ElementType type) {
  return static_cast<kernels::Type>(type);
}
static_assert(static_cast<int>(spec::ElementType::opaque) == static_cast<int>(kernels::Type::opaque));
static_assert(static_cast<int>(spec::ElementType::f16) == static_cast<int>(kernels::Type::f16));

}  // namespace

CaseMemory::~CaseMemory() {
  free_pieces();
  (void)cudaFree(arena_);
  (void)cudaFree(counters_);
  (void)cudaFree(kept_);
}

Result<> CaseMemory::reserve(std::uint64_t bytes) {
  if (!counters_)
    CUPILOT_CUDA("allocating counters", kernels::device_allocate(&counters_, kMaxChecks * sizeof *counters_));
  if (bytes <= capacity_) return {};
  CUPILOT_CUDA("freeing buffers", cudaFree(arena_));
  arena_ = nullptr, capacity_ = 0;
  const cudaError_t code = kernels::device_allocate(&arena_, bytes);
  if (code != cudaSuccess)
    return within(fmt::format("allocating {} bytes for the case's buffers", bytes),
                  kernels::cuda_result(code, "cudaMalloc").error());
  capacity_ = bytes;
  return {};
}

void CaseMemory::free_pieces() {
  for (void *piece : pieces_) (void)cudaFree(piece);
  pieces_.clear();
}

/// Buffers are still found by their offset from the arena, however far away they are: address arithmetic
/// wraps.
Result<> CaseMemory::place_exactly() {
  for (judge::cases::PlacedBuffer &buffer : layout_.buffers) {
    if (buffer.shares != judge::cases::kOwnMemory) continue;
    void *piece = nullptr;
    CUPILOT_CUDA("allocating a buffer", cudaMalloc(&piece, buffer.room));
    pieces_.push_back(piece);
    buffer.offset = reinterpret_cast<std::uint64_t>(piece) - reinterpret_cast<std::uint64_t>(arena_);
  }
  for (judge::cases::PlacedBuffer &buffer : layout_.buffers)
    if (buffer.shares != judge::cases::kOwnMemory)
      buffer.offset = layout_.buffers[buffer.shares].offset + buffer.begins;
  return {};
}

Result<> CaseMemory::fill_buffer(const judge::cases::PlacedBuffer &buffer,
                                 const judge::launches::Setting &setting, const std::string &name) {
  if (buffer.shares != judge::cases::kOwnMemory && !buffer.overlaps()) return {};
  char *at = arena_ + buffer.offset;
  if (buffer.role == spec::BufferRole::out || buffer.role == spec::BufferRole::scratch) {
    if (exact_) return {};
    CUPILOT_CUDA("poisoning a buffer", kernels::fill_pattern(at, buffer.bytes, poison_, stream_));
    return {};
  }
  if (!buffer.members.empty()) {
    CUPILOT_CUDA("clearing a buffer", cudaMemsetAsync(at, 0, buffer.bytes, stream_));
    CUPILOT_TRY(rules, judge::launches::member_rules(layout_, buffer, name, setting));
    for (const auto &[member, rule] : rules)
      CUPILOT_CUDA("filling a buffer",
                   kernels::fill_member(at, kernel_type(member.type),
                                        {buffer.element.lanes, member.offset, member.count}, rule, stream_));
    return {};
  }
  const bool opaque = buffer.element.type == spec::ElementType::opaque;
  CUPILOT_TRY(rule, judge::launches::buffer_rule(layout_, buffer, name, setting));
  // A tail shorter than a float stays zero.
  if (opaque) CUPILOT_CUDA("clearing a buffer", cudaMemsetAsync(at, 0, buffer.bytes, stream_));
  if (opaque && reinterpret_cast<std::uintptr_t>(at) % sizeof(float) != 0) return {};
  CUPILOT_CUDA("filling a buffer", kernels::fill_input(at, kernel_type(buffer.element.type), rule, stream_));
  return {};
}

Result<> CaseMemory::prepare(const std::vector<spec::Parameter> &parameters,
                             const judge::launches::Setting &setting) {
  CUPILOT_TRY(layout, judge::cases::make_layout(parameters, *setting.which, setting.placement,
                                                setting.promoted, setting.shifts));
  free_pieces();
  exact_ = setting.manner == judge::launches::Manner::exact;
  CUPILOT_CHECKED(reserve(exact_ ? 0 : layout.arena_bytes));
  layout_ = std::move(layout);
  if (exact_) CUPILOT_CHECKED(place_exactly());
  names_.clear();
  for (const spec::Parameter &parameter : parameters) names_.push_back(parameter.name);
  poison_ = setting.other_poison ? judge::data::kOtherPoison : judge::data::kPoison;
  guard_ = setting.other_poison ? judge::data::kOtherGuard : judge::data::kGuard;
  for (const Guard &guard : guards())
    CUPILOT_CUDA("writing guards",
                 kernels::fill_pattern(arena_ + guard.offset, guard.bytes, guard_, stream_));
  // What begins within another buffer is filled first: the other one is as it always is.
  for (const bool overlaps : {true, false})
    for (const judge::cases::PlacedBuffer &buffer : layout_.buffers)
      if (buffer.overlaps() == overlaps)
        CUPILOT_CHECKED(fill_buffer(buffer, setting, names_[buffer.parameter]));
  std::vector<std::uint64_t> addresses;
  for (const judge::cases::PlacedBuffer &buffer : layout_.buffers)
    addresses.push_back(reinterpret_cast<std::uint64_t>(arena_) + buffer.offset);
  CUPILOT_TRY(arguments, judge::launches::Arguments::make(parameters, *setting.which, layout_, addresses));
  arguments_ = std::move(arguments);
  CUPILOT_CUDA("preparing inputs", cudaStreamSynchronize(stream_));
  return {};
}

Result<> CaseMemory::borrow_inputs(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                                   const CaseMemory &owner) {
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const bool borrowed = layout_.buffers[i].role == spec::BufferRole::in;
    addresses.push_back(reinterpret_cast<std::uint64_t>(borrowed ? owner.address(owner.layout_.buffers[i])
                                                                 : address(layout_.buffers[i])));
  }
  CUPILOT_TRY(arguments, judge::launches::Arguments::make(parameters, which, layout_, addresses));
  arguments_ = std::move(arguments);
  return {};
}

std::vector<CaseMemory::Guard> CaseMemory::guards() const {
  std::vector<Guard> all;
  if (exact_) return all;
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const judge::cases::PlacedBuffer &buffer = layout_.buffers[i];
    if (buffer.shares != judge::cases::kOwnMemory) continue;
    all.push_back({i, true, buffer.offset - judge::cases::kGuardBytes, judge::cases::kGuardBytes});
    all.push_back({i, false, buffer.offset + buffer.room, judge::cases::kGuardBytes});
  }
  return all;
}

Result<std::vector<unsigned long long>> CaseMemory::input_hashes() {
  std::vector<unsigned long long> sums(std::min(layout_.buffers.size(), kMaxChecks));
  const auto changing = judge::cases::overwritten(layout_);
  CUPILOT_CUDA("hashing inputs", cudaMemsetAsync(counters_, 0, sums.size() * sizeof sums[0], stream_));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const judge::cases::PlacedBuffer &buffer = layout_.buffers[i];
    if (buffer.role != spec::BufferRole::in || changing[i]) continue;
    CUPILOT_CUDA("hashing inputs",
                 kernels::hash_bytes(arena_ + buffer.offset, buffer.bytes, counters_ + i, stream_));
  }
  CUPILOT_CUDA("hashing inputs", cudaMemcpyAsync(sums.data(), counters_, sums.size() * sizeof sums[0],
                                                 cudaMemcpyDeviceToHost, stream_));
  CUPILOT_CUDA("hashing inputs", cudaStreamSynchronize(stream_));
  return sums;
}

Result<> CaseMemory::hash_inputs() {
  CUPILOT_TRY(hashes, input_hashes());
  hashes_ = std::move(hashes);
  return {};
}

Result<> CaseMemory::inspect(judge::launches::RunReport &report) {
  CUPILOT_TRY(hashes, input_hashes());
  for (std::size_t i = 0; i < hashes.size(); ++i)
    if (hashes[i] != hashes_[i]) report.modified.push_back(names_[layout_.buffers[i].parameter]);

  const std::vector<Guard> all = guards();
  std::vector<unsigned long long> found(std::min(all.size(), kMaxChecks));
  CUPILOT_CUDA("checking guards", cudaMemsetAsync(counters_, 0, found.size() * sizeof found[0], stream_));
  for (std::size_t i = 0; i < found.size(); ++i)
    CUPILOT_CUDA("checking guards", kernels::check_pattern(arena_ + all[i].offset, all[i].bytes, guard_,
                                                           counters_ + i, stream_));
  CUPILOT_CUDA("checking guards", cudaMemcpyAsync(found.data(), counters_, found.size() * sizeof found[0],
                                                  cudaMemcpyDeviceToHost, stream_));
  CUPILOT_CUDA("checking guards", cudaStreamSynchronize(stream_));
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) continue;
    report.stained.push_back(fmt::format("wrote {} bytes {} '{}'", found[i],
                                         all[i].before ? "before" : "past the end of",
                                         names_[layout_.buffers[all[i].buffer].parameter]));
  }
  CUPILOT_TRY(around_scratch, scratch_.stained());
  if (around_scratch)
    report.stained.push_back(
        fmt::format("wrote {} bytes outside the scratch memory it asked for", around_scratch));
  return {};
}

Result<> CaseMemory::dump(std::span<std::byte> to) {
  const auto offsets = judge::cases::dump_offsets(layout_);
  if (layout_.dump_bytes > to.size()) return fail("the dump is smaller than the outputs");
  for (std::size_t i = 0; i < layout_.buffers.size(); ++i) {
    const judge::cases::PlacedBuffer &buffer = layout_.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    CUPILOT_CUDA("copying outputs", cudaMemcpyAsync(to.data() + offsets[i], arena_ + buffer.offset,
                                                    buffer.bytes, cudaMemcpyDeviceToHost, stream_));
  }
  CUPILOT_CUDA("copying outputs", cudaStreamSynchronize(stream_));
  return {};
}

Result<> CaseMemory::keep_inouts() {
  std::uint64_t needed = 0;
  for (const judge::cases::PlacedBuffer &buffer : layout_.buffers)
    if (buffer.role == spec::BufferRole::inout) needed += buffer.bytes;
  if (needed > kept_capacity_) {
    CUPILOT_CUDA("freeing copies", cudaFree(kept_));
    kept_ = nullptr, kept_capacity_ = 0;
    CUPILOT_CUDA("allocating copies of inout buffers", kernels::device_allocate(&kept_, needed));
    kept_capacity_ = needed;
  }
  char *to = kept_;
  for (const judge::cases::PlacedBuffer &buffer : layout_.buffers) {
    if (buffer.role != spec::BufferRole::inout) continue;
    CUPILOT_CUDA("copying inout buffers", cudaMemcpyAsync(to, arena_ + buffer.offset, buffer.bytes,
                                                          cudaMemcpyDeviceToDevice, stream_));
    to += buffer.bytes;
  }
  return {};
}

std::vector<judge::launches::MemoryRange> CaseMemory::writable() const {
  std::vector<judge::launches::MemoryRange> ranges;
  for (const judge::cases::PlacedBuffer &buffer : layout_.buffers)
    if (buffer.role != spec::BufferRole::in)
      ranges.push_back({reinterpret_cast<std::uint64_t>(address(buffer)), buffer.bytes});
  return ranges;
}

bool CaseMemory::has_outputs() const {
  return std::any_of(
      layout_.buffers.begin(), layout_.buffers.end(),
      [](const judge::cases::PlacedBuffer &buffer) { return buffer.dumped() && buffer.bytes > 0; });
}

bool CaseMemory::has_inouts() const {
  return std::any_of(
      layout_.buffers.begin(), layout_.buffers.end(),
      [](const judge::cases::PlacedBuffer &buffer) { return buffer.role == spec::BufferRole::inout; });
}

Result<> CaseMemory::restore() {
  const char *from = kept_;
  for (const judge::cases::PlacedBuffer &buffer : layout_.buffers) {
    char *at = arena_ + buffer.offset;
    const bool poisoned = buffer.role == spec::BufferRole::out || buffer.role == spec::BufferRole::scratch;
    if (poisoned && buffer.shares == judge::cases::kOwnMemory)
      CUPILOT_CUDA("poisoning outputs", kernels::fill_pattern(at, buffer.bytes, poison_, stream_));
    if (buffer.role != spec::BufferRole::inout) continue;
    CUPILOT_CUDA("restoring inout buffers",
                 cudaMemcpyAsync(at, from, buffer.bytes, cudaMemcpyDeviceToDevice, stream_));
    from += buffer.bytes;
  }
  return scratch_.poison_again();
}

}  // namespace cupilot::device::memory
