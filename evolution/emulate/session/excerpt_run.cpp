// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/excerpt_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "evolution/judge/data/input_rule.h"

namespace cupilot::emulate::session {

namespace {

using judge::launches::BufferTraffic;
using judge::launches::Piece;

/// Blocks of a launch: at least so many, more while they are short (in warp steps), at most so many.
constexpr std::uint64_t kLeastBlocks = 4, kMostBlocks = 16, kSampledSteps = 2'000'000;
/// Two must do when they are longer than this.
constexpr std::uint64_t kLongBlock = 1'000'000;
constexpr std::uint64_t kMostOfOneBlock = 12'000'000;
/// For blocks that are looked for, and how many of them one launch may have.
constexpr std::uint64_t kSearchedSteps = 6'000'000;
constexpr std::size_t kMostNeeded = 1024;
constexpr int kMostPasses = 4;
/// Of one block and output.
constexpr std::size_t kPiecesOfBlock = 4;
/// Blocks of which fewer bytes than this share are theirs alone write or read the same.
constexpr double kMostlyShared = 0.5;
/// What blocks that were not executed may do less than those that were: ends of a grid, or data that decide.
constexpr double kRegular = 0.9, kIrregular = 0.5, kSimilar = 0.5;
/// Blocks that share bytes: what was seen may be so much of all.
constexpr double kUnseen = 4;

std::vector<Area> areas_of(const CaseBuffers &buffers) {
  std::vector<Area> areas;
  const auto &layout = buffers.layout();
  for (std::size_t i = 0; i < layout.buffers.size(); ++i)
    areas.push_back(
        {buffers.address(i), buffers.address(i) + layout.buffers[i].bytes, layout.buffers[i].role, i});
  return areas;
}

std::uint64_t steps_of(const std::map<std::uint64_t, BlockSeen> &blocks) {
  std::uint64_t steps = 0;
  for (const auto &[number, block] : blocks) steps += block.steps;
  return steps;
}

std::uint64_t bytes_between(const Bytes &bytes, const Area &area) {
  std::uint64_t count = 0;
  for (const auto &[line, bits] : bytes.lines())
    if (line * Bytes::kLine >= area.begin / Bytes::kLine * Bytes::kLine && line * Bytes::kLine < area.end)
      count += static_cast<std::uint64_t>(__builtin_popcountll(bits));
  return count;
}

/// Sizes of sets of bytes, one of each executed block, and of their union.
struct Sizes {
  double sum = 0, most = 0, least = HUGE_VAL, united = 0;
  std::size_t count = 0;
  void add(double bytes) {
    sum += bytes, most = std::max(most, bytes), least = std::min(least, bytes), ++count;
  }
  /// What all blocks write at most.
  double upper(double total) const {
    if (count == 0) return 0;
    if (count == static_cast<std::size_t>(total)) return united;
    const bool shared = count >= kLeastBlocks && united <= kMostlyShared * sum;
    return shared ? kUnseen * united : most * total;
  }
  double lower(double total, double size) const {
    if (count == 0) return 0;
    if (count == static_cast<std::size_t>(total) || united <= kMostlyShared * sum) return united;
    const double share = least >= kSimilar * most ? kRegular : kIrregular;
    return share * std::min(size, sum / static_cast<double>(count) * total);
  }
};

}  // namespace

ExcerptRun::ExcerptRun(memory::Memory &memory, CaseBuffers &buffers, std::uint64_t seed)
    : memory_(memory), buffers_(buffers), seed_(seed), observer_(buffers, areas_of(buffers)) {}

void ExcerptRun::begin_pass() {
  observer_.begin_call();
  filled_before_.assign(observer_.areas().size(), 0);
  next_ = 0;
  steps_left_ = kSearchedSteps;
  ++passes_;
}

void ExcerptRun::before_work(const judge::launches::QueuedWork &work,
                             const std::vector<judge::launches::MemoryRange> &scratch) {
  observer_.add_scratch(scratch);
  filled_before_.resize(observer_.areas().size());
  if (work.kind != judge::launches::QueuedWork::Kind::memset) return;
  observer_.fill(work.address, work.bytes);
  if (const std::size_t area = observer_.area_of(work.address); area < filled_before_.size())
    filled_before_[area] = next_;
}

void ExcerptRun::launch(const runtime::LaunchSeen &seen, const machine::LaunchOptions &options,
                        const std::vector<Piece> &wanted) {
  if (next_ == launches_.size()) launches_.emplace_back();
  Launch &launch = launches_[next_++];
  launch.seen = std::make_unique<runtime::LaunchSeen>(seen);
  launch.parameters.assign(seen.request.parameters.begin(), seen.request.parameters.end());
  launch.seen->request.parameters = launch.parameters;
  launch.options = options;
  launch.options.threads = 1;
  launch.options.checks = {};
  launch.options.instruction_budget = kMostOfOneBlock;
  launch.options.observer = &observer_;
  launch.total = std::uint64_t{seen.request.grid[0]} * seen.request.grid[1] * seen.request.grid[2];
  launch.blocks.clear();
  observer_.begin_launch(launch.blocks);
  if (!wanted.empty())
    look_for(launch, wanted);
  else if (passes_ == 1)
    sample(launch);
  else if (launch.options.marks != nullptr)
    execute_marked(launch, launch.chosen);
  else
    execute(launch, launch.chosen);
  launch.writers.clear();
  for (std::size_t area = 0; area < observer_.areas().size(); ++area)
    launch.writers.push_back(observer_.writer(area));
}

/// What counts as covered is what each of the blocks executes: of what they write only some is compared, and
/// what a single one does may be in none of that.
void ExcerptRun::execute_marked(Launch &launch, const std::vector<std::uint64_t> &blocks) {
  machine::StepMarks *const all = launch.options.marks;
  machine::StepMarks common;
  for (const std::uint64_t block : blocks) {
    machine::StepMarks own;
    launch.options.marks = &own;
    execute(launch, {block});
    if (block == blocks.front())
      common = std::move(own);
    else
      common.keep_common(own);
  }
  launch.options.marks = all;
  if (!common.empty()) all->merge(common);
}

/// A block that does not end takes the others of this launch with it. `in_call` false: only to see what it
/// writes, after the call.
void ExcerptRun::execute(Launch &launch, const std::vector<std::uint64_t> &blocks, bool in_call) {
  if (blocks.empty() || launch.waits) return;
  if (launch.seen->request.grid_workspace) {  // its blocks wait for each other
    launch.waits = true;
    return;
  }
  launch.options.only_blocks = blocks;
  machine::LaunchResult result =
      machine::launch(*launch.seen->program, memory_, launch.seen->request, launch.options);
  blocks_run_ += blocks.size();
  const bool in_time = std::ranges::all_of(result.findings, [](const machine::Finding &finding) {
    return finding.kind != machine::FindingKind::endless_loop;
  });
  launch.waits = !result.completed && (result.findings.empty() || !in_time);
  const bool astray =
      std::ranges::any_of(launch.blocks, [](const auto &block) { return !block.second.missing.empty(); });
  if (in_call && in_time && !astray)
    findings_.insert(findings_.end(), result.findings.begin(), result.findings.end());
}

void ExcerptRun::sample(Launch &launch) {
  const auto &grid = launch.seen->request.grid;
  const auto pick = [&](std::uint64_t wanted) {
    std::vector<std::uint64_t> fresh;
    const auto known = [&](std::uint64_t block) {
      return launch.blocks.contains(block) || std::ranges::find(fresh, block) != fresh.end();
    };
    const auto have = [&] { return launch.blocks.size() + fresh.size(); };
    for (std::uint64_t i = 0; have() < std::min(wanted, launch.total); ++i) {
      const std::uint64_t drawn = judge::data::input_bits(seed_ + launches_.size(), i);
      std::uint64_t block = i == 0 ? launch.total - 1 : block_in_quarter(grid, i % 4, drawn);
      if (launch.total <= wanted) block = i;
      if (!known(block)) fresh.push_back(block);
    }
    return fresh;
  };
  execute(launch, pick(2));
  const std::uint64_t each = std::max<std::uint64_t>(1, steps_of(launch.blocks) / 2);
  if (each <= kLongBlock) execute(launch, pick(std::clamp(kSampledSteps / each, kLeastBlocks, kMostBlocks)));
  for (const auto &[number, block] : launch.blocks) launch.chosen.push_back(number);
}

void ExcerptRun::look_for(Launch &launch, const std::vector<Piece> &wanted) {
  std::uint64_t left = kSearchedSteps;
  BlockSearch search(launch.seen->request.grid, [&](std::uint64_t block) -> const BlockSeen * {
    if (!launch.blocks.contains(block)) {
      if (left == 0) return nullptr;
      execute(launch, {block});
      const std::uint64_t steps = launch.blocks[block].steps;
      left -= std::min(left, steps);
    }
    const BlockSeen &seen = launch.blocks.at(block);
    return seen.finished ? &seen : nullptr;
  });
  for (const Piece &piece : wanted) {
    if (piece.buffer >= buffers_.layout().buffers.size()) continue;
    const Area &area = observer_.areas()[piece.buffer];
    if (piece.at + piece.bytes <= area.end - area.begin)
      (void)search.find(area, area.begin + piece.at, piece.bytes);
  }
}

/// Has blocks of an earlier launch chosen for the next pass that write these bytes.
bool ExcerptRun::provide(std::size_t reader, std::uint64_t address, std::uint64_t bytes) {
  const std::size_t index = observer_.area_of(address);
  if (index == observer_.areas().size()) return false;
  const Area area = observer_.areas()[index];
  for (std::size_t i = reader; i-- > 0;) {
    Launch &launch = launches_[i];
    observer_.begin_launch(launch.blocks);
    BlockSearch search(launch.seen->request.grid, [&](std::uint64_t block) -> const BlockSeen * {
      if (!launch.blocks.contains(block)) {
        if (steps_left_ == 0 || launch.blocks.size() > kMostNeeded) return nullptr;
        execute(launch, {block}, false);
        steps_left_ -= std::min(steps_left_, launch.blocks[block].steps);
      }
      const BlockSeen &seen = launch.blocks.at(block);
      return seen.finished ? &seen : nullptr;
    });
    for (const auto &[number, seen] : launch.blocks)
      if (seen.finished && seen.written.holds(address, bytes)) {
        if (std::ranges::find(launch.chosen, number) == launch.chosen.end()) launch.chosen.push_back(number);
        return true;
      }
    if (launch.writers.size() <= index || launch.writers[index] == program::kNowhere) continue;
    if (const auto block = search.find(area, address, bytes)) {
      if (std::ranges::find(launch.chosen, *block) == launch.chosen.end()) launch.chosen.push_back(*block);
      return true;
    }
  }
  return false;
}

bool ExcerptRun::plan_another() {
  if (passes_ >= kMostPasses || launches_.size() < 2) return false;
  bool more = false;
  for (std::size_t i = launches_.size(); i-- > 1;)
    for (const auto &[number, block] : launches_[i].blocks) {
      if (std::ranges::find(launches_[i].chosen, number) == launches_[i].chosen.end()) continue;
      bool all = true;
      for (const auto &[line, bits] : block.missing.lines()) {
        const auto first = static_cast<std::uint64_t>(__builtin_ctzll(bits));
        const auto run = static_cast<std::uint64_t>(std::countr_one(bits >> first));
        all = all && provide(i, line * Bytes::kLine + first, run);
        if (!all) break;
      }
      more |= all && !block.missing.empty();
    }
  return more;
}

/// Whether nothing later in the call writes to the area.
bool ExcerptRun::final_in(std::size_t launch, std::size_t area) const {
  if (filled_before_[area] > launch) return false;
  for (std::size_t i = launch + 1; i < next_; ++i)
    if (launches_[i].waits || launches_[i].writers.size() <= area ||
        launches_[i].writers[area] != program::kNowhere)
      return false;
  return true;
}

/// The pieces of all blocks in turn, so that the first ones come from many blocks.
void ExcerptRun::add_pieces(std::vector<Piece> &pieces, std::uint64_t most_bytes) const {
  std::vector<std::vector<Piece>> of_blocks;
  for (std::size_t i = 0; i < next_; ++i)
    for (const auto &[number, block] : launches_[i].blocks) {
      if (!block.finished || !block.missing.empty()) continue;
      std::map<std::size_t, std::map<std::uint64_t, Piece>> drawn;  // by area and rank
      for (const auto &[line, bits] : block.written.lines()) {
        const std::uint64_t start = line * Bytes::kLine;
        const std::size_t index =
            observer_.area_of(start + static_cast<std::uint64_t>(__builtin_ctzll(bits)));
        if (index == observer_.areas().size() || !observer_.areas()[index].output() || !final_in(i, index))
          continue;
        const Area &area = observer_.areas()[index];
        const auto &buffer = buffers_.layout().buffers[area.buffer];
        const std::uint64_t size =
            buffer.elements ? std::max<std::uint64_t>(1, buffer.bytes / buffer.elements) : 1;
        const std::uint64_t first = (std::max(start, area.begin) - area.begin) / size;
        for (std::uint64_t element = first; element * size < start + Bytes::kLine - area.begin; ++element) {
          const std::uint64_t at = area.begin + element * size;
          std::uint64_t count = 0;
          while (at + (count + 1) * size <= std::min(start + Bytes::kLine, area.end) &&
                 block.written.holds(at + count * size, size) &&
                 !block.combined.touches(at + count * size, size))
            ++count;
          if (count == 0) continue;
          auto &ranked = drawn[index];
          ranked.emplace(judge::data::input_bits(seed_, line),
                         Piece{area.buffer, element * size, count * size});
          if (ranked.size() > kPiecesOfBlock) ranked.erase(std::prev(ranked.end()));
          break;
        }
      }
      std::vector<Piece> of_block;
      for (const auto &[index, ranked] : drawn)
        for (const auto &[rank, piece] : ranked) of_block.push_back(piece);
      of_blocks.push_back(std::move(of_block));
    }
  std::uint64_t bytes = 0;
  for (std::size_t turn = 0;; ++turn) {
    bool any = false;
    for (const auto &of_block : of_blocks) {
      if (turn >= of_block.size()) continue;
      any = true;
      if (bytes + of_block[turn].bytes > most_bytes) return;
      bytes += of_block[turn].bytes;
      pieces.push_back(of_block[turn]);
    }
    if (!any) return;
  }
}

ExcerptRun::Extent ExcerptRun::extent_in(const Launch &launch, std::size_t index) const {
  const Area &area = observer_.areas()[index];
  Sizes written, read;
  Bytes all_written;
  std::set<std::uint64_t> all_read;
  for (const auto &[number, block] : launch.blocks) {
    if (!block.finished) continue;
    written.add(static_cast<double>(bytes_between(block.written, area)));
    for (const auto &[line, bits] : block.written.lines())
      if (line * Bytes::kLine + Bytes::kLine > area.begin && line * Bytes::kLine < area.end)
        for (std::uint64_t rest = bits; rest; rest &= rest - 1)
          all_written.add(line * Bytes::kLine + static_cast<std::uint64_t>(__builtin_ctzll(rest)), 1);
    const auto lines = block.read.find(index);
    read.add(lines == block.read.end() ? 0 : static_cast<double>(lines->second.size() * Bytes::kLine));
    if (lines != block.read.end())
      for (const auto &[line, seen] : lines->second) all_read.insert(line);
  }
  written.united = static_cast<double>(bytes_between(all_written, area));
  read.united = static_cast<double>(all_read.size() * Bytes::kLine);
  const auto total = static_cast<double>(launch.total), size = static_cast<double>(area.end - area.begin);
  return {written.lower(total, size), written.upper(total), std::min(size, read.lower(total, size)),
          read.upper(total)};
}

BufferTraffic ExcerptRun::traffic_in(std::size_t index) const {
  BufferTraffic traffic{
      .buffer = observer_.areas()[index].buffer, .filled = observer_.filled(index), .place = {}};
  for (std::size_t i = 0; i < next_; ++i) {
    const Extent extent = extent_in(launches_[i], index);
    traffic.least_written += extent.least_written;
    traffic.most_written += extent.most_written;
    traffic.least_read += extent.least_read;
    traffic.most_read += extent.most_read;
    if (launches_[i].writers.size() <= index || launches_[i].writers[index] == program::kNowhere) continue;
    const auto place = launches_[i].seen->program->program->place(launches_[i].writers[index]);
    if (!place.file.empty()) traffic.place = fmt::format("{}:{}", place.file, place.line);
  }
  return traffic;
}

bool ExcerptRun::dependent() const {
  return std::any_of(
      launches_.begin(), launches_.begin() + static_cast<std::ptrdiff_t>(next_), [&](const Launch &launch) {
        return launch.waits || std::ranges::any_of(launch.blocks, [&](const auto &one) {
                 const BlockSeen &block = one.second;
                 if (!block.finished || !block.missing.empty()) return true;
                 return std::ranges::any_of(block.combined.lines(), [&](const auto &line) {
                   const std::size_t area = observer_.area_of(
                       line.first * Bytes::kLine + static_cast<std::uint64_t>(__builtin_ctzll(line.second)));
                   return area == observer_.areas().size() || !observer_.areas()[area].output();
                 });
               });
      });
}

/// Of an output without pieces.
std::string ExcerptRun::why_open(std::size_t index) const {
  const Area &area = observer_.areas()[index];
  bool combined = false, missing = false, waits = false;
  for (std::size_t i = 0; i < next_; ++i) {
    waits |= launches_[i].waits;
    for (const auto &[number, block] : launches_[i].blocks) {
      combined |= block.combined.extent(area.begin, area.end).has_value();
      missing |= !block.missing.empty();
    }
  }
  if (waits) return "a block waits for other blocks, or is too long to be executed";
  if (combined) return "blocks add up what they write there with atomics";
  if (missing) return "its blocks read what others write, and those were not all found";
  return "no executed block writes what stays there";
}

judge::launches::Excerpt ExcerptRun::answer(const std::vector<Piece> &wanted, std::span<std::byte> dump) {
  judge::launches::Excerpt excerpt;
  excerpt.blocks_run = blocks_run_;
  if (wanted.empty()) {
    add_pieces(excerpt.pieces, dump.size());
    for (std::size_t area = 0; area < buffers_.layout().buffers.size(); ++area)
      excerpt.traffic.push_back(traffic_in(area));
    excerpt.dependent = dependent();
  } else {
    for (const Piece &piece : wanted) {
      const std::uint64_t address = observer_.areas().at(piece.buffer).begin + piece.at;
      const bool found = next_ == 1 && std::ranges::any_of(launches_[0].blocks, [&](const auto &block) {
                           return block.second.finished && block.second.missing.empty() &&
                                  block.second.written.holds(address, piece.bytes) &&
                                  !block.second.combined.touches(address, piece.bytes);
                         });
      if (found) excerpt.pieces.push_back(piece);
    }
  }
  std::size_t at = 0;
  for (const Piece &piece : excerpt.pieces) {
    std::memcpy(dump.data() + at,
                reinterpret_cast<const std::byte *>(buffers_.address(piece.buffer)) + piece.at, piece.bytes);
    at += piece.bytes;
  }
  for (std::size_t area = 0; area < buffers_.layout().buffers.size(); ++area) {
    if (!observer_.areas()[area].output() || !excerpt.open.empty()) continue;
    const bool any =
        std::ranges::any_of(excerpt.pieces, [&](const Piece &piece) { return piece.buffer == area; });
    if (!any) excerpt.open = why_open(area);
  }
  return excerpt;
}

}  // namespace cupilot::emulate::session
