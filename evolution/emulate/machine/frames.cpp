// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/frames.h"

#include <cstring>
#include <new>

#include "evolution/emulate/machine/specials.h"

namespace cupilot::emulate::machine {
namespace {

constexpr int kUnwritten = 0xff;

/// A constant or special register of one lane, in a member of that width.
void put_lane(std::byte *member, unsigned bits, int lane, std::uint64_t value) {
  if (bits == 1) {
    std::uint32_t mask;
    std::memcpy(&mask, member, sizeof mask);
    mask = (mask & ~(1U << lane)) | static_cast<std::uint32_t>(value & 1) << lane;
    std::memcpy(member, &mask, sizeof mask);
    return;
  }
  if (bits == 128) {
    std::memcpy(member + 8 * lane, &value, 8);
    std::memset(member + 256 + 8 * lane, 0, 8);
    return;
  }
  // Little-endian: the low bytes come first.
  std::memcpy(member + bits / 8 * static_cast<unsigned>(lane), &value, bits / 8);
}

void put_all(std::byte *member, unsigned bits, std::uint64_t value) {
  // The block's own registers are filled for every warp of every block.
  if (bits == 32) {
    auto *lanes = reinterpret_cast<std::uint32_t *>(member);
    for (int lane = 0; lane < program::kLanes; ++lane) lanes[lane] = static_cast<std::uint32_t>(value);
    return;
  }
  for (int lane = 0; lane < program::kLanes; ++lane) put_lane(member, bits, lane, value);
}

void fill_specials(Warp &warp, std::byte *data, const std::vector<SpecialPlace> &places) {
  for (const SpecialPlace &place : places) {
    if (special_of_block(place.kind)) {
      put_all(data + place.offset, place.bits, special_value(place.kind, warp, 0));
      continue;
    }
    for (int lane = 0; lane < program::kLanes; ++lane)
      put_lane(data + place.offset, place.bits, lane, special_value(place.kind, warp, lane));
  }
}

std::uint64_t constant_value(const LaunchState &launch, const program::ConstantUse &use) {
  if (use.variable >= 0) return launch.loaded.variables[static_cast<std::size_t>(use.variable)] + use.value;
  if (use.function >= 0)
    return kFunctionWindow + static_cast<std::uint64_t>(use.function) * kFunctionStep + use.value;
  if (use.parameter) return launch.parameters + use.value;
  if (use.shared < 0) return use.value;
  const std::uint32_t at = launch.entry.shared_offsets[static_cast<std::size_t>(use.shared)];
  return (at == program::kNowhere ? launch.dynamic_offset : kReservedShared + at) + use.value;
}

FrameTemplate make_template(const LaunchState &launch, const program::FunctionCode &code) {
  FrameTemplate contents;
  for (const program::ConstantUse &use : code.constants)
    contents.constants.push_back({use.offset, use.bits, use.local, constant_value(launch, use)});
  for (const program::SpecialUse &use : code.specials) {
    const std::optional<int> kind = special_kind(use.name);
    if (!kind) continue;
    auto &list = special_of_block(*kind) ? contents.of_block : contents.of_warp;
    list.push_back({*kind, use.offset, use.bits});
  }
  return contents;
}

}  // namespace

std::vector<FrameTemplate> make_templates(const LaunchState &launch) {
  std::vector<FrameTemplate> templates(launch.program.functions.size());
  templates[launch.request.function] = make_template(launch, launch.entry);
  for (const std::uint32_t f : launch.entry.reaches)
    templates[f] = make_template(launch, launch.program.functions[f]);
  return templates;
}

Frame *Frames::make(std::uint32_t function) {
  // Endless recursion is reported as a fault of the kernel before this machine's memory is exhausted.
  constexpr std::size_t kMostBytes = std::size_t{256} << 20, kAlignment = 64;
  const std::size_t bytes = warp_.block->launch.program.functions[function].frame_bytes;
  if (bytes_ + bytes > kMostBytes) return nullptr;
  auto frame = std::make_unique<Frame>();
  frame->storage.reset(new (std::nothrow) std::byte[bytes + kAlignment]());
  if (!frame->storage) return nullptr;
  bytes_ += bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(frame->storage.get());
  frame->data = frame->storage.get() + (kAlignment - address % kAlignment) % kAlignment;
  frame->function = function;
  all_.push_back(std::move(frame));
  return all_.back().get();
}

void Frames::fill(Frame &frame, const FrameTemplate &contents) const {
  for (const FrameTemplate::Constant &constant : contents.constants)
    if (!constant.local) put_all(frame.data + constant.offset, constant.bits, constant.value);
  fill_specials(warp_, frame.data, contents.of_warp);
  fill_local(frame, contents);
}

void Frames::fill_local(Frame &frame, const FrameTemplate &contents) const {
  for (const FrameTemplate::Constant &constant : contents.constants)
    if (constant.local)
      put_all(frame.data + constant.offset, constant.bits, constant.value + frame.local_base);
}

Frame *Frames::take(std::uint32_t function, std::uint32_t local_base) {
  const LaunchState &launch = warp_.block->launch;
  const FrameTemplate &contents = launch.templates[function];
  if (free_.empty()) free_.resize(launch.program.functions.size());
  Frame *frame = nullptr;
  if (!free_[function].empty()) {
    frame = free_[function].back();
    free_[function].pop_back();
    if (frame->local_base != local_base) {
      frame->local_base = local_base;
      fill_local(*frame, contents);
    }
  } else {
    frame = make(function);
    if (!frame) return nullptr;
    frame->local_base = local_base;
    fill(*frame, contents);
  }
  return renew(frame);
}

Frame *Frames::renew(Frame *frame) const {
  const LaunchState &launch = warp_.block->launch;
  if (frame->block != warp_.block->number) {
    frame->block = warp_.block->number;
    fill_specials(warp_, frame->data, launch.templates[frame->function].of_block);
  }
  // Nobody may rely on what they hold: NaN, -1.
  for (const auto &[offset, bytes] : launch.program.functions[frame->function].unwritten)
    std::memset(frame->data + offset, kUnwritten, bytes);
  return frame;
}

void Frames::give_back(Frame *frame) {
  free_[frame->function].push_back(frame);
}

}  // namespace cupilot::emulate::machine
