// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/excerpt_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

/// A candidate that reads less than this share of what the original reads cannot have used all of it.
constexpr double kReadShare = 0.5;
/// Runs of the original on inputs that are moved by one rounding.
constexpr int kNudges = 2;
/// A family whose limits look for wrong logic only (compare.h).
constexpr const char *kLogicOnly = "ramp";

std::string readable(double bytes) {
  return bytes < 1 << 20 ? fmt::format("{:.0f} bytes", bytes)
                         : cases::readable_bytes(static_cast<std::uint64_t>(bytes));
}

std::string by(const std::string &place) {
  return place.empty() ? "" : fmt::format(" ({} writes it)", place);
}

const launches::BufferTraffic *traffic_of(const launches::Excerpt &excerpt, std::size_t buffer) {
  const auto found = std::ranges::find(excerpt.traffic, buffer, &launches::BufferTraffic::buffer);
  return found == excerpt.traffic.end() ? nullptr : &*found;
}

/// A layout that has the pieces of each output side by side, and where a dump of it has each piece.
struct Gathered {
  cases::CaseLayout layout;
  std::vector<std::uint64_t> places;  ///< by piece
  std::vector<std::vector<launches::Piece>> of_buffer;
};

Gathered gather(const cases::CaseLayout &full, const std::vector<launches::Piece> &pieces) {
  Gathered gathered;
  gathered.of_buffer.resize(full.buffers.size());
  gathered.layout.buffers = full.buffers;
  for (const launches::Piece &piece : pieces) gathered.of_buffer[piece.buffer].push_back(piece);
  for (std::size_t i = 0; i < full.buffers.size(); ++i) {
    cases::PlacedBuffer &buffer = gathered.layout.buffers[i];
    const std::uint64_t size =
        buffer.elements ? std::max<std::uint64_t>(1, buffer.bytes / buffer.elements) : 1;
    buffer.bytes = bytes_of(gathered.of_buffer[i]);
    buffer.elements = buffer.bytes / size;
  }
  const auto offsets = cases::dump_offsets(gathered.layout);
  std::vector<std::uint64_t> used(full.buffers.size());
  for (const launches::Piece &piece : pieces) {
    gathered.places.push_back(offsets[piece.buffer] + used[piece.buffer]);
    used[piece.buffer] += piece.bytes;
  }
  for (std::size_t i = 0; i < full.buffers.size(); ++i)
    if (gathered.layout.buffers[i].dumped())
      gathered.layout.dump_bytes =
          std::max(gathered.layout.dump_bytes, offsets[i] + gathered.layout.buffers[i].bytes);
  return gathered;
}

/// The values of the pieces in the order of a dump; `given` has those of `all`, of which `pieces` are some.
std::vector<std::byte> gathered_values(const Gathered &gathered, const std::vector<launches::Piece> &pieces,
                                       const std::vector<launches::Piece> &all,
                                       const std::vector<std::byte> &given) {
  std::vector<std::byte> dump(gathered.layout.dump_bytes);
  std::uint64_t from = 0;
  std::size_t next = 0;
  for (const launches::Piece &piece : all) {
    if (next < pieces.size() && pieces[next].buffer == piece.buffer && pieces[next].at == piece.at) {
      std::copy_n(given.begin() + static_cast<std::ptrdiff_t>(from), piece.bytes,
                  dump.begin() + static_cast<std::ptrdiff_t>(gathered.places[next]));
      ++next;
    }
    from += piece.bytes;
  }
  return dump;
}

/// The element of the whole output that has this place among the pieces.
std::uint64_t whole_index(const std::vector<launches::Piece> &pieces, std::uint64_t size,
                          std::uint64_t index) {
  for (const launches::Piece &piece : pieces) {
    if (index < piece.bytes / size) return piece.at / size + index;
    index -= piece.bytes / size;
  }
  return index;
}

class Comparison {
public:
  Comparison(const Judging &judging, const RunOrder &order, const launches::Excerpt &seen,
             const std::vector<std::byte> &values)
      : judging_(judging),
        order_(order),
        seen_(seen),
        values_(values),
        which_(judging.bundle.cases[order.case_index]),
        full_(judging.reference.plan().layouts[order.case_index]) {}

  ExcerptAnswer run() {
    ExcerptAnswer answer;
    answer.open = seen_.open;
    if (seen_.pieces.empty()) return answer;
    auto expected = judging_.setting.excerpts->pieces(order_, seen_.pieces);
    if (!expected)
      return left_open("the original's blocks for it cannot be executed: " + expected.error().message);
    pieces_ = expected->what.pieces;
    if (pieces_.empty())
      return left_open("the blocks of the original that write the same elements were not found");
    gathered_ = gather(full_, pieces_);
    const auto wanted = gathered_values(gathered_, pieces_, pieces_, expected->values);
    const auto got = gathered_values(gathered_, pieces_, seen_.pieces, values_);
    answer.compared = std::accumulate(
        gathered_.layout.buffers.begin(), gathered_.layout.buffers.end(), std::uint64_t{0},
        [](std::uint64_t sum, const cases::PlacedBuffer &buffer) { return sum + buffer.elements; });
    for (std::size_t i = 0; i < full_.buffers.size() && answer.open.empty(); ++i)
      if (full_.buffers[i].dumped() && full_.buffers[i].bytes && gathered_.of_buffer[i].empty() &&
          std::ranges::any_of(seen_.pieces, [&](const auto &piece) { return piece.buffer == i; }))
        answer.open = fmt::format("the blocks of the original that write '{}' were not found",
                                  judging_.bundle.parameters[full_.buffers[i].parameter].name);
    auto check = compare("user", {wanted, {}, {}, {}}, got);
    if (check.wrong.empty()) return answer;
    const auto [spread, change] = move(wanted, expected->what.pieces);
    check = compare("user", {wanted, spread, {}, change}, got);
    if (check.wrong.empty()) return answer;
    const auto logic = compare(kLogicOnly, {wanted, spread, {}, change}, got);
    if (logic.wrong.empty())
      answer.open = "its results are further from the original's than one order of summation from another";
    else
      answer.problem = tell(logic);
    return answer;
  }

private:
  ExcerptAnswer left_open(const std::string &why) const {
    ExcerptAnswer answer;
    answer.open = why;
    return answer;
  }

  correct::OutputCheck compare(const char *family, const correct::ExpectedOutputs &expected,
                               const std::vector<std::byte> &got) const {
    return correct::check_outputs(judging_.bundle, gathered_.layout, which_.id, family, expected, got);
  }

  /// How far the original's values move with its inputs.
  std::pair<std::vector<correct::CompareLimits>, std::vector<correct::CompareLimits>> move(
      const std::vector<std::byte> &wanted, const std::vector<launches::Piece> &pieces) const {
    std::vector<correct::CompareLimits> spread(full_.buffers.size()), change;
    const auto moved = [&](const RunOrder &order) -> std::vector<correct::CompareLimits> {
      const auto again = judging_.setting.excerpts->pieces(order, pieces);
      if (!again || again->what.pieces.size() != pieces.size()) return {};
      return correct::output_spread(gathered_.layout, wanted,
                                    gathered_values(gathered_, pieces, pieces, again->values));
    };
    RunOrder nudged = order_;
    for (nudged.setting.nudge = 1; nudged.setting.nudge <= kNudges; ++nudged.setting.nudge) {
      const auto by_nudge = moved(nudged);
      for (std::size_t i = 0; i < by_nudge.size(); ++i)
        spread[i] = {std::max(spread[i].rms, by_nudge[i].rms), std::max(spread[i].max, by_nudge[i].max)};
    }
    if (correct::rounds_operands(judging_.bundle.precision)) {
      RunOrder rounded = order_;
      rounded.setting.operands = judging_.bundle.precision.kind;
      change = moved(rounded);
    }
    return {spread, change};
  }

  std::string tell(const correct::OutputCheck &check) const {
    const model::OutputError &error = check.errors.front();
    std::string place = error.parameter, line;
    for (std::size_t i = 0; i < full_.buffers.size(); ++i) {
      const cases::PlacedBuffer &buffer = full_.buffers[i];
      if (judging_.bundle.parameters[buffer.parameter].name != error.parameter || !buffer.dumped()) continue;
      const std::uint64_t size =
          std::max<std::uint64_t>(1, buffer.bytes / std::max<std::uint64_t>(1, buffer.elements));
      place = fmt::format("{}[{}]", error.parameter,
                          whole_index(gathered_.of_buffer[i], size, error.worst_index));
      if (const auto *traffic = traffic_of(seen_, i)) line = by(traffic->place);
    }
    return fmt::format(
        "executed at the full size of workload '{}', blocks write wrong values: {} is {:g}, expected {:g}{}; "
        "look for "
        "what only holds at smaller sizes",
        which_.workload, place, error.got, error.expected, line);
  }

  const Judging &judging_;
  const RunOrder &order_;
  const launches::Excerpt &seen_;
  const std::vector<std::byte> &values_;
  const model::Case &which_;
  const cases::CaseLayout &full_;
  std::vector<launches::Piece> pieces_;
  Gathered gathered_;
};

}  // namespace

std::uint64_t bytes_of(const std::vector<launches::Piece> &pieces) {
  std::uint64_t bytes = 0;
  for (const launches::Piece &piece : pieces) bytes += piece.bytes;
  return bytes;
}

Result<OriginalExcerpts::Excerpt> OriginalExcerpts::pieces(const RunOrder &order,
                                                           const std::vector<launches::Piece> &wanted) {
  if (!started_) {
    CUPILOT_CHECKED(process_.connect());
    CUPILOT_CHECKED(process_.load(built_));
    started_ = true;
  }
  auto excerpt = process_.excerpt(order, wanted);
  if (!excerpt) {
    started_ = false;
    return std::unexpected(excerpt.error());
  }
  if (excerpt->declined) return fail("the launch was refused");
  if (!excerpt->faults.empty()) return fail(process_.explain(excerpt->faults.front()).text);
  const auto values = process_.excerpt_values(*excerpt);
  return Excerpt{std::move(*excerpt), {values.begin(), values.end()}};
}

Result<launches::Excerpt> OriginalExcerpts::whole(const RunOrder &order) {
  if (const auto known = whole_.find(order.case_index); known != whole_.end()) return known->second;
  CUPILOT_TRY(answer, pieces(order, {}));
  return whole_[order.case_index] = std::move(answer.what);
}

ExcerptAnswer check_traffic(const model::Bundle &bundle, const cases::CaseLayout &layout,
                            const launches::Excerpt &original, const launches::Excerpt &candidate) {
  ExcerptAnswer answer;
  for (const launches::BufferTraffic &wanted : original.traffic) {
    const cases::PlacedBuffer &buffer = layout.buffers.at(wanted.buffer);
    const launches::BufferTraffic *seen = traffic_of(candidate, wanted.buffer);
    if (!buffer.dumped() || !seen || seen->most_written >= wanted.least_written) continue;
    const std::string &name = bundle.parameters[buffer.parameter].name;
    const bool cleared = seen->most_written + seen->filled >= wanted.least_written;
    if (cleared || candidate.dependent) {
      answer.open = cleared
                        ? fmt::format("most of '{}' is only set by the host side", name)
                        : fmt::format("its blocks depend on each other, and few of them write '{}'", name);
      continue;
    }
    answer.problem = fmt::format(
        "its launches write at most {} of '{}'{}, of which the original writes {} or more: every element "
        "must be "
        "written at every size; check the grid, the bounds of loops and early returns",
        readable(seen->most_written), name, by(seen->place), readable(wanted.least_written));
    return answer;
  }
  return answer;
}

namespace {

/// Only where the values themselves could not be compared: what they do not depend on need not be read.
ExcerptAnswer check_reads(const model::Bundle &bundle, const cases::CaseLayout &layout,
                          const launches::Excerpt &original, const launches::Excerpt &candidate) {
  ExcerptAnswer answer;
  for (const launches::BufferTraffic &wanted : original.traffic) {
    const cases::PlacedBuffer &buffer = layout.buffers.at(wanted.buffer);
    const launches::BufferTraffic *seen = traffic_of(candidate, wanted.buffer);
    if (buffer.role == spec::BufferRole::scratch || buffer.role == spec::BufferRole::out || !seen ||
        seen->most_read >= kReadShare * wanted.least_read)
      continue;
    answer.kind = model::VerdictKind::rejected;
    answer.problem = fmt::format(
        "its launches read at most {} of '{}', of which the original reads {} or more, and its results at "
        "this size "
        "cannot be compared; read all of the input, or decline sizes that the variant is not made for",
        readable(seen->most_read), bundle.parameters[buffer.parameter].name, readable(wanted.least_read));
    return answer;
  }
  return answer;
}

}  // namespace

ExcerptAnswer check_excerpt(const Judging &judging, const RunOrder &order, const launches::Excerpt &seen,
                            const std::vector<std::byte> &values) {
  const cases::CaseLayout &layout = judging.reference.plan().layouts[order.case_index];
  const auto original = judging.setting.excerpts->whole(order);
  if (!original) {
    ExcerptAnswer answer;
    answer.open = "the original's blocks cannot be executed: " + original.error().message;
    return answer;
  }
  ExcerptAnswer answer = Comparison(judging, order, seen, values).run();
  if (!answer.problem.empty()) return answer;
  const ExcerptAnswer traffic = check_traffic(judging.bundle, layout, *original, seen);
  if (!traffic.problem.empty()) return traffic;
  if (answer.open.empty()) answer.open = traffic.open;
  if (answer.open.empty()) return answer;
  const ExcerptAnswer reads = check_reads(judging.bundle, layout, *original, seen);
  return reads.problem.empty() ? answer : reads;
}

}  // namespace cupilot::judge::engine
