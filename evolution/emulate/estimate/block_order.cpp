// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/block_order.h"

#include <algorithm>
#include <optional>

namespace cupilot::emulate::estimate {

namespace {

/// Registers that loads in flight may take: ptxas stops moving loads up long before it spills.
constexpr unsigned kMostWords = 32;

/// Number of instructions that ptxas reorders at a time; it keeps the source's order at a larger scale.
constexpr std::size_t kLookAhead = 48;

/// The latency that the scheduler assumes for loads; in the replay it comes from the memory path.
double latency_of(const MachineCost &cost) {
  constexpr double kExpectedLoad = 100;
  return cost.kind == Kind::load ? kExpectedLoad : cost.latency;
}

bool is_wall(const MachineCost &cost) {
  return cost.kind == Kind::barrier || cost.kind == Kind::atomic || cost.kind == Kind::ordering;
}

bool has_word(const ptx::Instruction &instruction, std::string_view word) {
  return std::ranges::find(instruction.words, word) != instruction.words.end();
}

unsigned load_words(const ptx::Instruction &instruction) {
  const unsigned vector = has_word(instruction, "v4") ? 4 : has_word(instruction, "v2") ? 2 : 1;
  const auto type = instruction.words.back();
  return vector * (type.ends_with("64") ? 2 : 1);
}

/// The constant part of the address of a shared load of one 32-bit word.
std::optional<std::int64_t> shared_word(const ptx::Instruction &instruction) {
  if (instruction.words.size() < 3 || instruction.words[0] != "ld" || !has_word(instruction, "shared"))
    return {};
  if (has_word(instruction, "v2") || has_word(instruction, "v4") || has_word(instruction, "volatile"))
    return {};
  if (!instruction.words.back().ends_with("32") || instruction.operands.size() < 2) return {};
  const auto &address = instruction.operands[1];
  if (address.kind != ptx::Operand::Kind::address || address.parts.empty() ||
      address.parts[0].kind != ptx::Operand::Kind::reg)
    return {};
  return address.integer;
}

}  // namespace

const ptx::Instruction *Draft::instruction_of(std::uint32_t pc) const {
  const program::StepInfo &info = program_.info[pc];
  if (info.instruction == program::kNowhere) return nullptr;
  return &program_.functions[info.function].source->body[info.instruction];
}

void Draft::add(std::uint32_t begin, std::uint32_t end, unsigned iteration, bool last) {
  for (std::uint32_t pc = begin; pc < end; ++pc) add_step(pc, iteration, last);
}

void Draft::add_step(std::uint32_t pc, unsigned iteration, bool last) {
  const auto *instruction = instruction_of(pc);
  Line line;
  line.pc = pc;
  line.iteration = iteration;
  if (instruction) {
    line.cost = machine_cost(*instruction, device_);
    const auto name = instruction->words.empty() ? std::string_view() : instruction->words[0];
    if (!last && (name == "bra" || name == "setp")) {  // the unrolled loop tests once
      line.cost = MachineCost{};
      line.cost.issues = 0;
    }
    if (line.cost.kind == Kind::load) line.words = load_words(*instruction);
  } else {
    line.cost.issues = line.cost.latency = 0;
  }
  for (const std::uint32_t reg : program_.info[pc].reads) {
    const auto setter = setter_.find(reg);
    line.needs.push_back(setter == setter_.end() ? ~static_cast<std::int32_t>(reg)
                                                 : static_cast<std::int32_t>(setter->second));
  }
  const auto number = static_cast<std::uint32_t>(lines_.size());
  for (const std::uint32_t reg : program_.info[pc].defines) setter_[reg] = number;
  lines_.push_back(std::move(line));
}

/// "mul.wide; add.s64" is one instruction.
void Draft::drop_additions_of_products() {
  for (Line &line : lines_) {
    const auto *add = instruction_of(line.pc);
    if (!add || add->words.size() < 2 || add->words[0] != "add" || !add->words.back().ends_with("64"))
      continue;
    for (const std::int32_t need : line.needs) {
      if (need < 0) continue;
      const auto *product = instruction_of(lines_[static_cast<std::size_t>(need)].pc);
      if (!product || product->words[0] != "mul" || !has_word(*product, "wide")) continue;
      line.cost.issues = line.cost.port_cycles = line.cost.latency = 0;
      break;
    }
  }
}

/// Merges four (two) loads of neighbouring words with one base into a wide load. The replay checks whether
/// the address is aligned.
void Draft::merge_shared_loads() {
  struct Seen {
    std::size_t line;
    std::int32_t base;  ///< what set the base register: equal numbers are equal addresses
    std::int64_t offset;
  };
  std::vector<Seen> open;
  const auto close = [&] {
    std::ranges::stable_sort(open, {}, [](const Seen &seen) { return std::pair(seen.base, seen.offset); });
    for (std::size_t i = 0; i < open.size();) {
      std::size_t count = 1;
      while (i + count < open.size() && count < 4 && open[i + count].base == open[i].base &&
             open[i + count].offset == open[i].offset + static_cast<std::int64_t>(4 * count))
        ++count;
      if (count == 3) count = 2;
      lines_[open[i].line].merged = static_cast<std::uint16_t>(count - 1);
      for (std::size_t k = 1; k < count; ++k) lines_[open[i + k].line].merged = kDoneByOther;
      i += count;
    }
    open.clear();
  };
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto *instruction = instruction_of(lines_[i].pc);
    if (!instruction || instruction->words.empty()) continue;
    if (is_wall(lines_[i].cost) || lines_[i].cost.kind == Kind::store)
      close();
    else if (const auto offset = shared_word(*instruction); offset && !lines_[i].needs.empty())
      open.push_back({i, lines_[i].needs.front(), *offset});
  }
  close();
}

/// For each line, the length of the critical path from its issue to the end of the window.
std::vector<double> Draft::ways_to_end(const std::vector<std::uint32_t> &window) const {
  std::vector<double> way(lines_.size());
  for (auto at = window.rbegin(); at != window.rend(); ++at) {
    const Line &line = lines_[*at];
    way[*at] += latency_of(line.cost);
    for (const std::int32_t need : line.needs)
      if (need >= 0)
        way[static_cast<std::size_t>(need)] = std::max(way[static_cast<std::size_t>(need)], way[*at]);
  }
  return way;
}

/// List scheduling: of the lines whose needs are issued, it takes the one that can be issued first, and of
/// several the one with the longest critical path.
void Draft::schedule(const std::vector<std::uint32_t> &window, std::vector<std::uint32_t> &done) const {
  const auto way = ways_to_end(window);
  std::vector<double> ready(lines_.size());
  std::vector<std::uint32_t> left = window;
  std::vector<bool> waits(lines_.size());
  for (const std::uint32_t at : window) waits[at] = true;
  double now = 0;
  while (!left.empty()) {
    std::size_t best = left.size();
    double best_start = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(left.size(), kLookAhead); ++i) {
      const Line &line = lines_[left[i]];
      double start = now;
      bool open = true;
      for (const std::int32_t need : line.needs) {
        if (need < 0) continue;
        open &= !waits[static_cast<std::size_t>(need)];
        start = std::max(start, ready[static_cast<std::size_t>(need)]);
      }
      if (!open) continue;
      if (best == left.size() || start < best_start ||
          (start == best_start && way[left[i]] > way[left[best]])) {
        best = i;
        best_start = start;
      }
    }
    if (best == left.size()) best = 0;  // a cycle around the loop: keep the order
    const std::uint32_t at = left[best];
    now = std::max(now, best_start) + lines_[at].cost.issues;
    ready[at] = best_start + latency_of(lines_[at].cost);
    waits[at] = false;
    done.push_back(at);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
}

std::vector<std::uint32_t> Draft::order() const {
  std::vector<std::uint32_t> done, window;
  unsigned words = 0;
  const auto flush = [&] {
    schedule(window, done);
    window.clear();
    words = 0;
  };
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    const Line &line = lines_[i];
    const bool is_jump = line.cost.kind == Kind::ordering && line.cost.issues <= 1;
    if (is_wall(line.cost) && !is_jump) {
      flush();
      done.push_back(i);
      continue;
    }
    if (line.cost.kind == Kind::load && words + line.words > kMostWords) flush();
    if (line.cost.kind == Kind::store) {  // later loads may read what it writes
      window.push_back(i);
      flush();
      continue;
    }
    words += line.words;
    window.push_back(i);
  }
  flush();
  return done;
}

void Draft::finish(BlockCode &code) {
  drop_additions_of_products();
  merge_shared_loads();
  const auto sequence = order();
  std::vector<std::uint32_t> place(lines_.size());
  for (std::uint32_t i = 0; i < sequence.size(); ++i) place[sequence[i]] = i;
  for (const std::uint32_t at : sequence) {
    const Line &line = lines_[at];
    Position position;
    position.pc = line.pc;
    position.iteration = static_cast<std::uint16_t>(line.iteration);
    position.merged = line.merged;
    position.cost = line.cost;
    position.first_need = static_cast<std::uint32_t>(code.needs.size());
    for (const std::int32_t need : line.needs)
      code.needs.push_back(need < 0 ? need
                                    : static_cast<std::int32_t>(place[static_cast<std::size_t>(need)]));
    position.needs = static_cast<std::uint32_t>(code.needs.size()) - position.first_need;
    code.positions.push_back(position);
  }
  for (const auto &[reg, line] : setter_) code.results.emplace_back(reg, place[line]);
}

}  // namespace cupilot::emulate::estimate
