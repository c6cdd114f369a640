// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/specials.h"

#include <chrono>

namespace cupilot::emulate::machine {
namespace {

struct Context {
  const Warp &warp;
  const Block &block;
  const LaunchState &launch;
  int lane;
  std::uint32_t thread(unsigned axis) const { return thread_place(warp, lane).thread[axis]; }
};
using Value = std::uint64_t (*)(const Context &);

/// 0 for every block when places are not drawn.
std::uint64_t drawn(const Context &c, std::uint64_t what) {
  const std::uint64_t seed = c.launch.options.place_seed;
  if (seed == 0) return 0;
  return mixed(seed + what);
}
constexpr std::uint64_t kWarpPlaces = 64;

/// Blocks are assigned to the multiprocessors round-robin, or wherever there is room.
std::uint64_t multiprocessors(const Context &c) {
  return c.launch.request.multiprocessors ? c.launch.request.multiprocessors : c.launch.grid_blocks;
}
std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}
std::uint64_t bits_below(int lane) {
  return (std::uint64_t{1} << lane) - 1;
}

struct Special {
  std::string_view name;
  bool of_block;
  Value value;
};

template <unsigned axis>
std::uint64_t tid(const Context &c) {
  return c.thread(axis);
}
template <unsigned axis>
std::uint64_t ntid(const Context &c) {
  return c.launch.request.block[axis];
}
template <unsigned axis>
std::uint64_t ctaid(const Context &c) {
  return c.block.index[axis];
}
template <unsigned axis>
std::uint64_t nctaid(const Context &c) {
  return c.launch.request.grid[axis];
}
template <std::uint64_t constant>
std::uint64_t always(const Context &) {
  return constant;
}
std::uint64_t clock_now(const Context &) {
  return nanoseconds();
}
std::uint64_t clock_high(const Context &) {
  return nanoseconds() >> 32;
}

/// A launch without clusters has clusters of one block; the reserved shared memory is the first kilobyte, its
/// second half for cooperative groups.
constexpr Special kSpecials[] = {
    {"%tid.x", false, tid<0>},
    {"%tid.y", false, tid<1>},
    {"%tid.z", false, tid<2>},
    {"%ntid.x", false, ntid<0>},
    {"%ntid.y", false, ntid<1>},
    {"%ntid.z", false, ntid<2>},
    {"%ctaid.x", true, ctaid<0>},
    {"%ctaid.y", true, ctaid<1>},
    {"%ctaid.z", true, ctaid<2>},
    {"%nctaid.x", false, nctaid<0>},
    {"%nctaid.y", false, nctaid<1>},
    {"%nctaid.z", false, nctaid<2>},
    {"%laneid", false, [](const Context &c) { return static_cast<std::uint64_t>(c.lane); }},
    {"%warpid", true,
     [](const Context &c) -> std::uint64_t {
       return (c.warp.index + (drawn(c, c.block.number) >> 32)) % kWarpPlaces;
     }},
    {"%nwarpid", false, always<kWarpPlaces>},
    {"%smid", true,
     [](const Context &c) { return (c.block.number + drawn(c, c.block.number)) % multiprocessors(c); }},
    {"%nsmid", false, multiprocessors},
    {"%gridid", false, [](const Context &c) -> std::uint64_t { return 1 + (drawn(c, 0) >> 32); }},
    {"%lanemask_eq", false, [](const Context &c) { return std::uint64_t{1} << c.lane; }},
    {"%lanemask_lt", false, [](const Context &c) { return bits_below(c.lane); }},
    {"%lanemask_le", false, [](const Context &c) { return bits_below(c.lane + 1); }},
    {"%lanemask_gt", false, [](const Context &c) { return ~bits_below(c.lane + 1) & 0xffffffff; }},
    {"%lanemask_ge", false, [](const Context &c) { return ~bits_below(c.lane) & 0xffffffff; }},
    {"%clock", false, clock_now},
    {"%clock_hi", false, clock_high},
    {"%clock64", false, clock_now},
    {"%globaltimer", false, clock_now},
    {"%globaltimer_lo", false, clock_now},
    {"%globaltimer_hi", false, clock_high},
    {"%dynamic_smem_size", false,
     [](const Context &c) -> std::uint64_t { return c.launch.request.dynamic_shared_bytes; }},
    {"%total_smem_size", false,
     [](const Context &c) -> std::uint64_t { return c.launch.shared_bytes - kReservedShared; }},
    {"%aggr_smem_size", false, [](const Context &c) -> std::uint64_t { return c.launch.shared_bytes; }},
    {"%reserved_smem_offset_begin", false, always<0>},
    {"%reserved_smem_offset_end", false, always<kReservedShared>},
    {"%reserved_smem_offset_cap", false, always<kReservedShared>},
    {"%reserved_smem_offset_0", false, always<0>},
    {"%reserved_smem_offset_1", false, always<kReservedShared / 2>},
    {"%is_explicit_cluster", false, always<0>},
    {"%clusterid.x", true, ctaid<0>},
    {"%clusterid.y", true, ctaid<1>},
    {"%clusterid.z", true, ctaid<2>},
    {"%nclusterid.x", false, nctaid<0>},
    {"%nclusterid.y", false, nctaid<1>},
    {"%nclusterid.z", false, nctaid<2>},
    {"%cluster_ctaid.x", false, always<0>},
    {"%cluster_ctaid.y", false, always<0>},
    {"%cluster_ctaid.z", false, always<0>},
    {"%cluster_nctaid.x", false, always<1>},
    {"%cluster_nctaid.y", false, always<1>},
    {"%cluster_nctaid.z", false, always<1>},
    {"%cluster_ctarank", false, always<0>},
    {"%cluster_nctarank", false, always<1>},
    {"%current_graph_exec", false, always<0>},
    {"%envreg1", false,
     [](const Context &c) -> std::uint64_t { return c.launch.request.grid_workspace >> 32; }},
    {"%envreg2", false,
     [](const Context &c) -> std::uint64_t { return c.launch.request.grid_workspace & 0xffffffff; }},
};
constexpr int kCount = static_cast<int>(std::size(kSpecials));

}  // namespace

std::uint64_t mixed(std::uint64_t seed) {
  std::uint64_t bits = (seed + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

std::optional<int> special_kind(std::string_view name) {
  for (int kind = 0; kind < kCount; ++kind)
    if (kSpecials[kind].name == name) return kind;
  // The other environment registers hold what the driver put there: nothing.
  if (name.starts_with("%envreg")) return kCount;
  return std::nullopt;
}

bool special_of_block(int kind) {
  return kind < kCount && kSpecials[kind].of_block;
}

std::uint64_t special_value(int kind, const Warp &warp, int lane) {
  if (kind >= kCount) return 0;
  return kSpecials[kind].value({warp, *warp.block, warp.block->launch, lane});
}

}  // namespace cupilot::emulate::machine
