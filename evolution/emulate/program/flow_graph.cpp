// SPDX-License-Identifier: Apache-2.0
//
// Post-dominators by the iterative method of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
// Algorithm", 2001) on the reversed graph.

#include "evolution/emulate/program/flow_graph.h"

#include <algorithm>

namespace cupilot::emulate::program {
namespace {

bool ends_block(const Unit &unit) {
  switch (unit.flow) {
    case Flow::branch:
    case Flow::indirect_branch:
    case Flow::ret:
      return true;
    // A guarded exit only ends some lanes; the others continue with the next instruction.
    case Flow::exit:
    case Flow::trap:
      return !unit.conditional;
    // Lanes may diverge in a call through a register; they reconverge directly after it.
    case Flow::call:
      return true;
    default:
      return unit.kind == Unit::Kind::epilogue;
  }
}

void split(const std::vector<Unit> &units, FlowGraph &graph) {
  std::vector<bool> leads(units.size() + 1, false);
  leads[0] = leads[units.size() - 1] = true;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    for (const std::uint32_t target : units[i].targets) leads[target] = true;
    if (ends_block(units[i])) leads[i + 1] = true;
  }
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    if (leads[i]) graph.blocks.push_back({.begin = i});
    graph.blocks.back().end = i + 1;
    graph.block_of.push_back(static_cast<std::uint32_t>(graph.blocks.size() - 1));
  }
}

void connect(const std::vector<Unit> &units, FlowGraph &graph) {
  for (std::uint32_t b = 0; b + 1 < graph.blocks.size(); ++b) {
    BasicBlock &block = graph.blocks[b];
    const Unit &last = units[block.end - 1];
    for (const std::uint32_t target : last.targets) block.successors.push_back(graph.block_of[target]);
    const bool stops = last.flow == Flow::branch || last.flow == Flow::indirect_branch ||
                       last.flow == Flow::ret || last.flow == Flow::exit || last.flow == Flow::trap;
    if (!stops || last.conditional) block.successors.push_back(b + 1);
    block.leaves = last.flow == Flow::exit && !last.conditional;
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()),
                           block.successors.end());
  }
}

class PostDominators {
public:
  explicit PostDominators(const FlowGraph &graph)
      : graph_(graph),
        end_(static_cast<std::uint32_t>(graph.blocks.size() - 1)),
        number_(end_ + 1, kNoBlock),
        parent_(end_ + 1, kNoBlock),
        predecessors_(end_ + 1) {
    for (std::uint32_t b = 0; b < end_; ++b)
      for (const std::uint32_t s : after(b)) predecessors_[s].push_back(b);
    number_blocks();
    parent_[end_] = end_;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = order_.size() - 1; i-- > 0;) changed |= improve(order_[i]);
    }
  }
  std::uint32_t of(std::uint32_t block) const { return block == end_ ? kNoBlock : parent_[block]; }

private:
  /// A kernel's `ret` counts as a way to the end; a trap does not, so that it moves no join.
  std::vector<std::uint32_t> after(std::uint32_t b) const {
    std::vector<std::uint32_t> all = graph_.blocks[b].successors;
    if (graph_.blocks[b].leaves) all.push_back(end_);
    return all;
  }

  /// Post-order of the reversed graph from the end; without recursion, because bodies may be huge.
  void number_blocks() {
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{end_, 0}};
    std::vector<bool> seen(end_ + 1, false);
    seen[end_] = true;
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next < predecessors_[block].size()) {
        const std::uint32_t p = predecessors_[block][next++];
        if (!seen[p]) {
          seen[p] = true;
          stack.push_back({p, 0});
        }
      } else {
        number_[block] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(block);
        stack.pop_back();
      }
    }
  }

  bool improve(std::uint32_t block) {
    std::uint32_t meet = kNoBlock;
    for (const std::uint32_t s : after(block)) {
      if (parent_[s] == kNoBlock) continue;
      meet = meet == kNoBlock ? s : intersect(s, meet);
    }
    if (parent_[block] == meet) return false;
    parent_[block] = meet;
    return true;
  }

  std::uint32_t intersect(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (number_[a] < number_[b]) a = parent_[a];
      while (number_[b] < number_[a]) b = parent_[b];
    }
    return a;
  }

  const FlowGraph &graph_;
  const std::uint32_t end_;
  std::vector<std::uint32_t> number_, parent_, order_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
};

}  // namespace

FlowGraph make_flow_graph(const std::vector<Unit> &units) {
  FlowGraph graph;
  split(units, graph);
  connect(units, graph);
  const PostDominators post_dominators(graph);
  const auto end = static_cast<std::uint32_t>(graph.blocks.size() - 1);
  for (std::uint32_t b = 0; b < end; ++b) {
    BasicBlock &block = graph.blocks[b];
    const Unit &last = units[block.end - 1];
    const bool parts = last.flow == Flow::indirect_branch || last.flow == Flow::call ||
                       (last.conditional && !last.targets.empty());
    if (!parts) continue;
    const std::uint32_t join = post_dominators.of(b);
    if (join == kNoBlock || join == end) continue;
    block.join = join;
    graph.blocks[join].is_join = true;
  }
  return graph;
}

}  // namespace cupilot::emulate::program
