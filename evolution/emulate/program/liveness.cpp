// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/program/liveness.h"

#include <algorithm>
#include <bit>

namespace cupilot::emulate::program {
namespace {

using Words = std::vector<std::uint64_t>;

bool test(const Words &set, std::uint32_t bit) {
  return set[bit / 64] >> (bit % 64) & 1;
}
void put(Words &set, std::uint32_t bit) {
  set[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

template <typename Visit>
void for_each_bit(const Words &set, Visit visit) {
  for (std::size_t w = 0; w < set.size(); ++w)
    for (std::uint64_t rest = set[w]; rest; rest &= rest - 1)
      visit(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
}

struct BlockSets {
  Words read;     ///< before any definition in the block
  Words defined;  ///< for certain
  Words in;
};

BlockSets summarise(const BasicBlock &block, const std::vector<RegisterUse> &uses, std::size_t words) {
  BlockSets sets{Words(words), Words(words), Words(words)};
  for (std::uint32_t u = block.begin; u < block.end; ++u) {
    for (const std::uint32_t reg : uses[u].reads)
      if (!test(sets.defined, reg)) put(sets.read, reg);
    if (uses[u].partial) continue;
    for (const std::uint32_t reg : uses[u].defines) put(sets.defined, reg);
  }
  sets.in = sets.read;
  return sets;
}

void extend(Liveness::Range &range, std::uint32_t unit) {
  range.first = range.first == kNowhere ? unit : std::min(range.first, unit);
  range.last = std::max(range.last, unit);
}

/// Too large to analyse: every register lives everywhere.
Liveness everywhere(std::size_t registers, std::uint32_t units) {
  Liveness liveness;
  liveness.ranges.assign(registers, {0, units});
  for (std::uint32_t reg = 0; reg < registers; ++reg) liveness.unwritten.push_back(reg);
  return liveness;
}

void solve(const FlowGraph &graph, std::vector<BlockSets> &sets) {
  const std::size_t words = sets.front().in.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = graph.blocks.size(); b-- > 0;) {
      for (const std::uint32_t s : graph.blocks[b].successors) {
        for (std::size_t w = 0; w < words; ++w) {
          const std::uint64_t more = sets[s].in[w] & ~sets[b].defined[w] & ~sets[b].in[w];
          sets[b].in[w] |= more;
          changed |= more != 0;
        }
      }
    }
  }
}

}  // namespace

Liveness find_liveness(const FlowGraph &graph, const std::vector<RegisterUse> &uses, std::size_t registers) {
  const std::size_t words = (registers + 63) / 64;
  constexpr std::size_t kMostWords = 1 << 24;
  if (graph.blocks.size() * words > kMostWords)
    return everywhere(registers, static_cast<std::uint32_t>(uses.size()));
  std::vector<BlockSets> sets;
  for (const BasicBlock &block : graph.blocks) sets.push_back(summarise(block, uses, words));
  solve(graph, sets);

  Liveness liveness;
  liveness.ranges.resize(registers);
  for (std::uint32_t u = 0; u < uses.size(); ++u) {
    for (const std::uint32_t reg : uses[u].reads) extend(liveness.ranges[reg], u);
    for (const std::uint32_t reg : uses[u].defines) extend(liveness.ranges[reg], u);
  }
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    for_each_bit(sets[b].in, [&](std::uint32_t reg) { extend(liveness.ranges[reg], graph.blocks[b].begin); });
    for (const std::uint32_t s : graph.blocks[b].successors)
      for_each_bit(sets[s].in,
                   [&](std::uint32_t reg) { extend(liveness.ranges[reg], graph.blocks[b].end - 1); });
  }
  for_each_bit(sets[0].in, [&](std::uint32_t reg) { liveness.unwritten.push_back(reg); });
  return liveness;
}

}  // namespace cupilot::emulate::program
