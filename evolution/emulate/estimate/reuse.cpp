// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/reuse.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "evolution/emulate/estimate/requests.h"

namespace cupilot::emulate::estimate {

namespace {

constexpr std::size_t kMostSteps = 1'500'000, kMostProbes = 28;

struct Sector {
  std::uint32_t pc = 0;       ///< step that touched it first
  std::uint32_t written = 0;  ///< one bit per byte
  bool read = false;
  bool paired = false;  ///< its neighbour is touched by a near block
  enum class Found : std::uint8_t { no, near, far } found = Found::no;
};
using Footprint = std::unordered_map<std::uint64_t, Sector>;

class FootprintObserver : public machine::Observer {
public:
  void access(unsigned, unsigned, std::uint32_t pc, const machine::AccessSeen &access) override {
    if (access.space != ptx::Space::global || access.mask == 0) return;
    std::uint64_t last = ~0ull;
    Sector *seen = nullptr;
    for (program::Mask rest = access.mask; rest; rest &= rest - 1) {
      const std::uint64_t address = access.address[__builtin_ctz(rest)];
      for (std::uint64_t at = address; at < address + access.bytes;
           at = (at / kSectorBytes + 1) * kSectorBytes) {
        if (at / kSectorBytes != last) {
          last = at / kSectorBytes;
          seen = &footprint.try_emplace(last, Sector{pc}).first->second;
          seen->read |= !access.write || access.atomic;
        }
        if (access.write) seen->written |= bits(at, address + access.bytes);
      }
    }
  }
  Footprint footprint;

private:
  static std::uint32_t bits(std::uint64_t from, std::uint64_t end) {
    const std::uint64_t first = from % kSectorBytes, count = std::min(kSectorBytes - first, end - from);
    return static_cast<std::uint32_t>(((1ull << count) - 1) << first);
  }
};

/// A block that waits for another block, which does not run here, is ended by the budget.
Footprint footprint_of(machine::LoadedProgram &program, memory::Memory &memory,
                       const machine::LaunchRequest &request, std::uint64_t block, std::uint64_t budget) {
  FootprintObserver observer;
  machine::LaunchOptions options;
  options.threads = 1;
  options.only_blocks = {block};
  options.instruction_budget = budget;
  options.observer = &observer;
  options.print = [](std::string_view) {};
  (void)machine::launch(program, memory, request, options);
  return std::move(observer.footprint);
}

/// Powers of two and the grid's own strides: neighbours in x, y and z.
std::vector<std::uint64_t> distances(const machine::LaunchRequest &request, std::uint64_t before,
                                     std::size_t most) {
  const std::uint64_t row = request.grid[0], plane = row * request.grid[1];
  std::vector<std::uint64_t> wanted{1, row, plane, 2, 2 * row, row - 1, row + 1};
  for (std::uint64_t step = 4; step <= before; step *= 2) wanted.push_back(step);
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t distance : wanted)
    if (distance > 0 && distance <= before && kept.size() < most &&
        std::ranges::find(kept, distance) == kept.end())
      kept.push_back(distance);
  std::ranges::sort(kept);
  return kept;
}

/// Marks the sectors that `other` touched too, and those whose neighbours it touched. Returns the share that
/// no nearer block touched.
double mark(Footprint &footprint, const Footprint &other, bool fits) {
  std::size_t alone = 0;
  for (auto &[sector, seen] : footprint) {
    if (seen.found == Sector::Found::no && other.contains(sector))
      seen.found = fits ? Sector::Found::near : Sector::Found::far;
    if (fits && !seen.paired) seen.paired = other.contains(sector ^ 1);
    alone += seen.found == Sector::Found::no;
  }
  return footprint.empty() ? 0 : static_cast<double>(alone) / static_cast<double>(footprint.size());
}

/// For each allocation, the probability that a sector that no near block touched comes from memory.
class Allocations {
public:
  Allocations(const memory::Memory &memory, double l2_bytes, double blocks)
      : memory_(memory), l2_bytes_(l2_bytes), blocks_(blocks) {}

  /// `near`: some block shortly before touched it too.
  void count(std::uint64_t sector, bool near) {
    (near ? near_bytes_ : bytes_)[memory_.find(sector * kSectorBytes)] += kSectorBytes;
  }
  /// Data that all blocks share comes from memory once: the part of an allocation that no block fetches alone
  /// is fetched once by the blocks that share it.
  double first_share(std::uint64_t sector) const {
    const memory::Allocation *allocation = memory_.find(sector * kSectorBytes);
    const auto near = near_bytes_.find(allocation);
    if (!allocation || near == near_bytes_.end()) return 0;
    const auto alone = bytes_.find(allocation);
    const double brought = alone == bytes_.end() ? 0 : alone->second * blocks_,
                 shared = near->second * blocks_;
    const double size = std::min(static_cast<double>(allocation->bytes), brought + shared);
    return std::clamp((size - brought) / shared, 0.0, 1.0);
  }
  double dram_share(std::uint64_t sector) const {
    const memory::Allocation *allocation = memory_.find(sector * kSectorBytes);
    const auto counted = bytes_.find(allocation);
    if (!allocation || counted == bytes_.end()) return 1;
    const double size = static_cast<double>(allocation->bytes), touched = counted->second * blocks_;
    if (touched <= size) return 1;
    const double first = size / touched, kept = std::min(1.0, l2_bytes_ / size);
    return first + (1 - first) * (1 - kept);
  }

private:
  const memory::Memory &memory_;
  double l2_bytes_, blocks_;
  std::map<const memory::Allocation *, double> bytes_, near_bytes_;
};

/// Only earlier blocks are compared; as many sectors have their neighbour in a later block.
bool has_pairs(const Footprint &footprint) {
  std::size_t paired = 0, missing = 0;
  for (const auto &[sector, seen] : footprint)
    if (!footprint.contains(sector ^ 1)) ++(seen.paired ? paired : missing);
  return paired > 0 && 4 * paired > missing;
}

void add_up(const Footprint &footprint, const memory::Memory &memory, double l2_bytes, double blocks,
            double isolated_bytes, Reuse &reuse) {
  Allocations allocations(memory, l2_bytes, blocks);
  for (const auto &[sector, seen] : footprint)
    if (seen.found != Sector::Found::far) allocations.count(sector, seen.found == Sector::Found::near);
  const bool pairs = has_pairs(footprint);
  std::vector<float> sectors(reuse.dram_share.size());
  for (const auto &[sector, seen] : footprint) {
    const double share = seen.found == Sector::Found::near  ? allocations.first_share(sector)
                         : seen.found == Sector::Found::far ? 1
                                                            : allocations.dram_share(sector);
    const bool alone = !pairs && !footprint.contains(sector ^ 1);
    const double bytes = share * (alone ? isolated_bytes : kSectorBytes);
    const bool filled_first = seen.written != 0 && seen.written != ~0u && !seen.read && share == 1;
    const double read = seen.read || filled_first ? bytes : 0, written = seen.written ? bytes : 0;
    sectors[seen.pc] += 1;
    reuse.dram_share[seen.pc] += static_cast<float>(share);
    reuse.dram_bytes[seen.pc] += static_cast<float>(read + written);
    reuse.read_bytes += read;
    reuse.written_bytes += written;
  }
  for (std::size_t pc = 0; pc < sectors.size(); ++pc)
    if (sectors[pc] > 0) {
      reuse.dram_share[pc] /= sectors[pc];
      reuse.dram_bytes[pc] /= sectors[pc];
    }
}

}  // namespace

Reuse find_reuse(machine::LoadedProgram &program, memory::Memory &memory,
                 const machine::LaunchRequest &request, const DeviceTable &device,
                 std::size_t steps_of_block) {
  const std::uint64_t blocks =
      static_cast<std::uint64_t>(request.grid[0]) * request.grid[1] * request.grid[2];
  const std::uint64_t block = blocks / 2 + blocks / 8 + (blocks > 64 ? 7 : 0);
  const double l2_bytes = device.values.at("l2_bytes") * device.values.at("l2_share");
  const std::uint64_t budget = std::max<std::uint64_t>(1'000'000, 16 * steps_of_block);
  Footprint footprint = footprint_of(program, memory, request, block, budget);
  Reuse reuse;
  reuse.blocks.push_back(block);
  const std::size_t affordable = kMostSteps / std::max<std::size_t>(steps_of_block, 1);
  double between = 0, alone = 1;
  std::uint64_t last = 0;
  const double bytes = static_cast<double>(footprint.size() * kSectorBytes);
  for (const std::uint64_t distance :
       distances(request, block, std::clamp<std::size_t>(affordable, 2, kMostProbes))) {
    between += static_cast<double>(distance - last) * bytes * alone;
    last = distance;
    alone = mark(footprint, footprint_of(program, memory, request, block - distance, budget),
                 between <= l2_bytes);
    reuse.blocks.push_back(block - distance);
    if (alone == 0) break;
  }
  reuse.dram_share.assign(program.program->steps.size(), 0);
  reuse.dram_bytes = reuse.dram_share;
  add_up(footprint, memory, l2_bytes, static_cast<double>(blocks), device.values.at("dram_isolated_bytes"),
         reuse);
  return reuse;
}

}  // namespace cupilot::emulate::estimate
