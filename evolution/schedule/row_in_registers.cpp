// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/row_in_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "annotate/spec/lifted_fields.h"
#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/hoisted.h"
#include "evolution/schedule/rescaled_sum.h"
#include "evolution/schedule/span.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

class RowsWriter {
public:
  /// `clusters`: a row goes to several blocks.
  explicit RowsWriter(const spec::KernelSpec &spec, bool clusters = false)
      : spec_(spec), clusters_(clusters), nest_(nest_of(spec.lifted.body)), values_(typical_values(spec)) {}
  Outcome run();

private:
  std::optional<Refusal> find_spans(const std::vector<Statement> &body, bool certain);
  void choose_direction();
  std::optional<Refusal> check_stores() const;

  void choose_what_is_kept();
  std::optional<std::string> unfit_for_clusters() const;
  double registers() const;

  std::string statements_text(const std::vector<Statement> &body, const Sharing &sharing) const;
  std::string span_text(const Span &span, const Sharing &sharing) const;
  std::string rescaled_text(const RescaledSum &joined, const Span &largest, const Span &sum,
                            const Sharing &sharing) const;
  const Span *span_of(const Statement &one) const;
  std::string head_text() const;
  std::string kernel_text(const char *name, const Sharing &sharing) const;
  std::string start(const char *name, const char *width) const;
  std::string starts() const;
  std::string held(const Sharing &sharing) const;
  std::string launch_text() const;
  bool holds_longest() const;
  std::string items_text() const;
  std::vector<model::Knob> knobs() const;
  double rows_typical() const { return value_of(count_of(nest_.loops), values_).value_or(16384); }

  const spec::KernelSpec &spec_;
  bool clusters_;
  Nest nest_;
  Values values_;
  std::vector<Span> spans_;
  std::vector<const Statement *> axes_;  ///< outer ones; that of neighbouring threads last if columns_
  bool columns_ = false;
  Sharing sharing_;
  std::optional<Sharing> short_;  ///< of rows that registers hold, where sharing_ is for others
  double longest_kept_ = 0;
};

bool is_constant_variable(const Statement &one) {
  return one.kind == StatementKind::variable && one.value.parts.empty() && one.value.kind != ExprKind::value;
}

constexpr double kMostItems = 32;  // elements of a row in one thread's registers, where a block is one team
constexpr long long kMostBlocks = 8;  // of a cluster, on every device that has clusters
/// What a thread of a block of so many has for a row, in registers of four bytes. Two blocks of 256 threads
/// go on a multiprocessor, so that one computes while the other waits for memory: on an H200 a group norm of
/// 256 rows of 200704 floats takes 143 us by 8 blocks of 256, 147 by 4 of 512, 176 by 8 of 512 and 211 by 8
/// of 1024.
constexpr std::array<std::pair<long long, double>, 2> kRegisters{{{256, 112}, {512, 96}}};

/// The loops that the team shares, in the order they run.
std::optional<Refusal> RowsWriter::find_spans(const std::vector<Statement> &body, bool certain) {
  for (const Statement &one : body) {
    if (one.kind == StatementKind::branch)
      for (const auto *list : {&one.body, &one.otherwise})
        if (auto refusal = find_spans(*list, false)) return refusal;
    if (one.kind != StatementKind::loop) continue;
    if (one.loop == LoopKind::ordered)
      return Refusal{fmt::format("the loop over '{}' goes from one iteration to the next", one.name),
                     one.line};
    spans_.push_back({.outermost = &one, .loop = &one, .certain = certain});
  }
  return std::nullopt;
}

void RowsWriter::choose_direction() {
  const Statement *best = find_direction(nest_, spans_);
  columns_ = best != nullptr;
  for (const Statement *axis : nest_.loops)
    if (axis != best) axes_.push_back(axis);
  if (columns_) axes_.push_back(best);
}

/// What one thread writes another must not read: of a written buffer only the same elements in the same
/// order.
std::optional<Refusal> RowsWriter::check_stores() const {
  std::set<std::string> written;
  for (const Access &one : all_accesses(*nest_.body))
    if (one.stored) written.insert(one.buffer);
  if (written.empty()) return Refusal{"the kernel writes nothing that the source shows", 0};
  for (const std::string &buffer : written) {
    std::optional<Expr> index;
    const Span *first = nullptr;
    int outside = 0, inside = 0;
    for (const Span &span : spans_)
      for (const Access &one : all_accesses(span.outermost->body)) {
        if (one.buffer != buffer) continue;
        ++inside;
        const bool other = first != nullptr && !same_range(*first->loop, *span.loop);
        const bool serial = span.outermost != span.loop && first != nullptr && first != &span;
        if ((index && !same_index(*index, one.index)) || other || serial)
          return Refusal{fmt::format("elements of '{}' are written and others of them read", buffer),
                         span.outermost->line};
        index = one.index;
        first = &span;
      }
    bool loaded = false;
    for (const Access &one : all_accesses(*nest_.body)) {
      outside += one.buffer == buffer;
      loaded = loaded || (one.buffer == buffer && !one.stored);
    }
    if (outside > inside && inside > 0 && loaded)
      return Refusal{fmt::format("'{}' is written by some threads and read by all", buffer), 0};
  }
  return std::nullopt;
}

std::string RowsWriter::span_text(const Span &span, const Sharing &sharing) const {
  // Totals begin at what changes nothing; what the variable had is added once.
  std::string before, after;
  Statement outermost = *span.outermost;
  for (const Total &total : totals_of(*span.outermost)) {
    const std::string part = part_of_thread(spans_, span, total), neutral = neutral_of(total.op, total.type);
    before += fmt::format("{} {} = {};\n", total.type, part, neutral);
    std::string all = fmt::format("$team_{}({})", word_of(total.op), part);
    if (total.keeps_nan) {
      after += fmt::format("{} = {};\n", part, all);
      all = part;
    }
    after += fold_text(total.name, total.op, total.type, all, total.keeps_nan);
    rename_fold(outermost.body, total.name, part);
  }
  std::string text = sharing.text(span, outermost);
  const bool writes = std::ranges::any_of(all_accesses(span.outermost->body), &Access::stored);
  if (columns_ && writes) text = fmt::format("if ($inside) {{\n{}}}\n", indented(text, 2));
  return sharing.before(span) + before + text + after;
}

/// Both loops as one, with what the team has together afterwards.
std::string RowsWriter::rescaled_text(const RescaledSum &joined, const Span &largest, const Span &sum,
                                      const Sharing &sharing) const {
  const Total top = totals_of(*largest.outermost).front(), total = totals_of(*sum.outermost).front();
  const auto share = [](const Total &of) { return "$" + of.name + "_part"; };
  const auto declared = [&](const Total &of) {
    return fmt::format("{} {} = {};\n", of.type, share(of), neutral_of(of.op, of.type));
  };
  const auto folded = [&](const Total &of, const std::string &value) {
    return fold_text(of.name, of.op, of.type, fmt::format("$team_{}({})", word_of(of.op), value));
  };
  return declared(top) + declared(total) + joined.before + sharing.text(largest, joined.loop) +
         folded(top, share(top)) + folded(total, share(total) + " * " + joined.factor);
}

const Span *RowsWriter::span_of(const Statement &one) const {
  const auto span = std::ranges::find(spans_, &one, &Span::outermost);
  return span == spans_.end() ? nullptr : &*span;
}

std::string RowsWriter::statements_text(const std::vector<Statement> &body, const Sharing &sharing) const {
  std::string text;
  const std::string one_thread = columns_ ? "$lane == 0 && $inside" : "$lane == 0";
  for (auto at = body.begin(); at != body.end(); ++at) {
    const Statement &one = *at;
    const Span *const span = span_of(one);
    // The row is read once less if the next loop can go with this one.
    if (span != nullptr && !sharing.keeps()) {
      auto next = at + 1;
      while (next != body.end() && is_constant_variable(*next)) ++next;
      const Span *const second = next == body.end() ? nullptr : span_of(*next);
      if (const auto joined = second ? rescaled_sum(*span, *second) : std::nullopt) {
        text +=
            code_of(std::vector<Statement>(at + 1, next)) + rescaled_text(*joined, *span, *second, sharing);
        at = next;
        continue;
      }
    }
    const bool inner = std::ranges::any_of(spans_, [&](const Span &other) {
      bool found = false;
      spec::visit_statements(one.body,
                             [&](const Statement &part) { found = found || &part == other.outermost; });
      spec::visit_statements(one.otherwise,
                             [&](const Statement &part) { found = found || &part == other.outermost; });
      return found;
    });
    if (span != nullptr) {
      text += span_text(*span, sharing);
    } else if (inner) {
      text += fmt::format("if ({}) {{\n{}}}", spec::to_text(one.value),
                          indented(statements_text(one.body, sharing), 2));
      if (!one.otherwise.empty())
        text += fmt::format(" else {{\n{}}}", indented(statements_text(one.otherwise, sharing), 2));
      text += "\n";
    } else {
      bool writes = false;
      spec::visit_statements({one}, [&](const Statement &part) {
        writes = writes || part.kind == StatementKind::store || part.kind == StatementKind::update;
      });
      std::string own = code_of({one});
      if (writes && own.find('\n') + 1 == own.size())
        own = fmt::format("if ({}) {}", one_thread, own);
      else if (writes)
        own = fmt::format("if ({}) {{\n{}}}\n", one_thread, indented(own, 2));
      text += own;
    }
  }
  return text;
}

/// How the team's threads combine their shares.
std::string RowsWriter::head_text() const {
  std::string text;
  if (columns_)
    text += "constexpr int kTeam = kThreads / kAcross;\n\n";
  else if (clusters_)
    text += cluster_text();
  else
    text +=
        "constexpr int kRows = kTeam > 32 ? 1 : 128 / kTeam;\nconstexpr int kWarps = (kTeam + 31) / 32;\n\n";
  std::set<std::pair<std::string, std::string>> made;
  for (const Span &span : spans_)
    for (const Total &total : totals_of(*span.outermost)) {
      if (!made.emplace(total.op, total.type).second) continue;
      if (columns_)
        text += fmt::format(
            "/// All threads of a team get what they have together.\n__device__ {0} $team_{1}({0} value) {{\n"
            "  if (kTeam == 1) return value;\n  __shared__ {0} shares[kTeam][kAcross];\n  __syncthreads();\n"
            "  shares[threadIdx.y][threadIdx.x] = value;\n  __syncthreads();\n"
            "  value = shares[0][threadIdx.x];\n  for (int i = 1; i < kTeam; ++i) {2}  return value;\n}}\n\n",
            total.type, word_of(total.op),
            fold_text("value", total.op, total.type, "shares[i][threadIdx.x]"));
      else
        text += clusters_ ? cluster_team_text(total) : team_text(total);
    }
  return text;
}

/// Threads of a block, and the fewest blocks of a cluster, that hold so many registers.
std::pair<long long, long long> blocks_for(double wanted) {
  for (const auto &[threads, room] : kRegisters)
    for (long long blocks = 2; blocks <= kMostBlocks; blocks *= 2)
      if (wanted <= room * static_cast<double>(threads * blocks)) return {threads, blocks};
  return {kRegisters.back().first, kMostBlocks};
}

/// Of four bytes, for each element of a row that is kept.
double RowsWriter::registers() const {
  return std::max(0.25, static_cast<double>(sharing_.kept_bytes()) / 4);
}

/// Why clusters do not help, or cannot.
std::optional<std::string> RowsWriter::unfit_for_clusters() const {
  if (columns_ || !sharing_.keeps()) return "no row is read twice along its elements";
  if (longest_kept_ <= kMostItems * 1024) return "one block holds a row";
  const double most = static_cast<double>(kMostBlocks * kRegisters.back().first) * kRegisters.back().second;
  if (longest_kept_ * registers() > most) return "rows are longer than eight blocks' registers";
  for (const Span &span : spans_)
    if (!span.certain) return "a row's loops depend on a condition";
  return std::nullopt;
}

/// Where a workload has rows that registers do not hold, each loop reads them: the rows that would fit come
/// from the cache then, unless some timed workload has only such rows. Those have a kernel of their own.
void RowsWriter::choose_what_is_kept() {
  Sharing kept(spec_, spans_, !columns_, true, "kTeam");
  sharing_ = kept;
  if (!kept.keeps()) return;
  const double most = kMostItems * (columns_ ? 32 : 1024);
  double longest_short = 0;
  for (const spec::Workload &one : spec_.workloads) {
    const double extent = value_of(kept.kept_extent(), values_of(one)).value_or(0);
    longest_kept_ = std::max(longest_kept_, extent);
    if (extent <= most && !one.check && !one.holdout) longest_short = std::max(longest_short, extent);
  }
  if (longest_kept_ <= most || clusters_) return;
  sharing_ = Sharing(spec_, spans_, !columns_, false, "kTeam");
  if (longest_short == 0) return;
  sharing_.leave_rolled();
  short_ = std::move(kept);
  longest_kept_ = longest_short;
}

/// How many elements of a row the registers of a team hold.
std::string RowsWriter::held(const Sharing &sharing) const {
  return sharing.wide() ? "kTeam * kItems * kVector" : "kTeam * kItems";
}

std::string RowsWriter::kernel_text(const char *name, const Sharing &sharing) const {
  std::vector<const Statement *> others = axes_;
  if (columns_) others.pop_back();
  std::string text = sharing.wide() ? "template <int kWidth>\n" : "";
  text += fmt::format("__global__ void {}__launch_bounds__({}) {}({}{}) {{\n",
                      clusters_ ? "__cluster_dims__(kCluster) " : "",
                      columns_    ? "kThreads"
                      : clusters_ ? "kBlock"
                                  : "kTeam * kRows",
                      name, device_parameters(spec_), columns_ ? "" : ", unsigned $rows");
  if (columns_) {
    const Statement &x = *axes_.back();
    const std::string extent = limit_text(extent_of(x));
    const std::string begin = spec::is_constant(x.begin, 0) ? "" : limit_text(x.begin) + " + ";
    text += fmt::format(
        "  const int $lane = threadIdx.y, $across = (static_cast<int>({}) + kAcross - 1) / kAcross;\n"
        "  const int $column = blockIdx.x % $across * kAcross + threadIdx.x;\n"
        "  const bool $inside = $column < {};\n"
        "  const int {} = {}($inside ? $column : 0);\n",
        extent, extent, x.name, begin);
    if (!others.empty())
      text += "  unsigned $rest = blockIdx.x / $across;\n" + indented(unpack_text(others, "$rest", true), 2);
  } else if (clusters_) {
    text +=
        "  const int $lane = blockIdx.x % kCluster * kBlock + threadIdx.x;\n"
        "  unsigned $row = blockIdx.x / kCluster;\n  if ($row >= $rows) return;\n" +
        indented(unpack_text(axes_, "$row", true), 2);
  } else {
    text +=
        "  const int $lane = threadIdx.x % kTeam;\n  unsigned $row = blockIdx.x * kRows + threadIdx.x / "
        "kTeam;\n"
        "  if ($row >= $rows) return;\n" +
        indented(unpack_text(axes_, "$row", true), 2);
  }
  return text + indented(statements_text(*nest_.body, sharing), 2) + "}\n\n";
}

std::string RowsWriter::start(const char *name, const char *width) const {
  return fmt::format("{}{}<<<static_cast<unsigned>($blocks), {}, 0, $l.stream>>>({}{});\n", name, width,
                     columns_    ? "dim3(kAcross, kTeam)"
                     : clusters_ ? "kBlock"
                                 : "kTeam * kRows",
                     device_arguments(spec_), columns_ ? "" : ", static_cast<unsigned>($rows)");
}

/// Short rows that no wide access fits go with the long ones.
std::string RowsWriter::starts() const {
  const char *name = "$rows_by_teams";
  std::vector<std::pair<std::string, std::string>> choices;
  if (short_) {
    const std::string wide = short_->wide() ? short_->wide_conditions(axes_) : "";
    choices.push_back({fmt::format("{} <= {}{}{}", host_text(short_->kept_extent()), held(*short_),
                                   wide.empty() ? "" : " && ", wide),
                       start("$short_rows_by_teams", short_->wide() ? "<kVector>" : "")});
  }
  const std::string wide = sharing_.wide() ? sharing_.wide_conditions(axes_) : "";
  if (!wide.empty()) choices.push_back({wide, start(name, "<kVector>")});
  const std::string other = start(name, !sharing_.wide() ? "" : wide.empty() ? "<kVector>" : "<1>");
  std::string text;
  for (const auto &[condition, started] : choices)
    text += fmt::format("{}if ({}) {{\n{}}}", text.empty() ? "" : " else ", condition, indented(started, 2));
  return choices.empty() ? other : text + fmt::format(" else {{\n{}}}\n", indented(other, 2));
}

std::string RowsWriter::launch_text() const {
  std::string text;
  std::vector<const Statement *> others = axes_;
  if (columns_) others.pop_back();
  for (const Statement *axis : axes_)
    text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  text += fmt::format("const long long $rows = {};\n", host_text(count_of(others)));
  if (columns_)
    text += fmt::format("const long long $blocks = $rows * ((({}) + kAcross - 1) / kAcross);\n",
                        host_text(extent_of(*axes_.back())));
  else if (clusters_)
    text += "const long long $blocks = $rows * kCluster;\n";
  else
    text += "const long long $blocks = ($rows + kRows - 1) / kRows;\n";
  text +=
      fmt::format("if ($rows > 0x7fffffff || $blocks > 0x7fffffff{}) return false;\n",
                  columns_ ? fmt::format(" || {} > 0x7fffff00", host_text(extent_of(*axes_.back()))) : "");
  if (sharing_.keeps())
    text += fmt::format("if ({} > {}) return false;  // more than registers hold\n",
                        host_text(sharing_.kept_extent()), held(sharing_));
  return text + starts();
}

/// Whether a team's registers are as many as the longest row of the workloads asks for, whatever the knobs
/// are.
bool RowsWriter::holds_longest() const {
  return sharing_.keeps() && !columns_ && longest_kept_ >= 1;
}

/// The constants that follow from knobs.
std::string RowsWriter::items_text() const {
  if (!holds_longest()) return "";
  const std::string team = sharing_.wide() ? "(kTeam * kVector)" : "kTeam";
  return fmt::format(
      "{}constexpr int kLongest = {};  // elements of a row, in the workloads\n"
      "constexpr int kItems = (kLongest - 1) / {} + 1;\n\n",
      clusters_ ? "constexpr int kTeam = kBlock * kCluster;\n" : "", static_cast<long long>(longest_kept_),
      team);
}

std::vector<model::Knob> RowsWriter::knobs() const {
  constexpr double kThreadsWanted = 132 * 1024, kManyOutputs = 132 * 64 * 8;
  double longest = 0;
  for (const Span &span : spans_)
    longest = std::max(longest, value_of(extent_of(*span.loop), values_).value_or(1024));
  if (sharing_.keeps()) longest = longest_kept_ > 0 ? longest_kept_ : 1024;
  std::vector<model::Knob> knobs;
  const double vector = sharing_.wide() ? static_cast<double>(sharing_.most_items()) : 1;
  const auto least = [](const std::vector<long long> &values, double wanted) {
    for (const long long value : values)
      if (static_cast<double>(value) >= wanted) return value;
    return values.back();
  };
  double team = 1;
  if (clusters_) {
    const auto [block, cluster] = blocks_for(longest * registers());
    knobs.push_back({"kBlock", {256, 512, 1024}, block});
    knobs.push_back({"kCluster", {2, 4, 8}, cluster});
  } else if (columns_) {
    const double outputs = rows_typical();
    const std::vector<long long> threads{128, 256, 512, 1024}, across{8, 16, 32, 64, 128};
    team = std::min({kThreadsWanted / std::max(outputs, 1.0), 32.0, std::max(1.0, longest / 4)});
    if (sharing_.keeps()) team = std::max(team, std::min(32.0, longest / 16));
    // Twice as many neighbours are longer pieces of memory, where rows are kept and outputs are many.
    const bool longer = sharing_.keeps() && outputs >= kManyOutputs;
    const long long wide = team <= 1 ? 128 : longer ? 64 : 32;
    const long long all = least(threads, std::max(128.0, static_cast<double>(wide) * team));
    knobs.push_back({"kThreads", threads, all});
    knobs.push_back({"kAcross", across, wide});
    team = static_cast<double>(all) / static_cast<double>(wide);
  } else {
    std::vector<long long> teams{4, 8, 16, 32, 64, 128, 256, 512, 1024};
    // Smaller teams would need more registers than threads have.
    if (holds_longest())
      std::erase_if(teams,
                    [&](long long one) { return static_cast<double>(one) * 2 * kMostItems < longest; });
    // A thread takes some eight elements, and all threads of the device have work.
    double wanted = longest / (vector * 4);
    wanted = std::max(wanted, std::min(kThreadsWanted / std::max(1.0, rows_typical()), longest / vector));
    if (short_) wanted = std::min(wanted, longest_kept_ / (vector * 2));
    const bool long_ones = holds_longest() && longest > 512 * kMostItems;
    team = static_cast<double>(
        least(teams, std::min(wanted, rows_typical() >= 1024 && !long_ones ? 512.0 : 1024.0)));
    knobs.push_back({"kTeam", teams, static_cast<long long>(team)});
  }
  if ((sharing_.keeps() && !holds_longest()) || short_) {
    if (short_) longest = longest_kept_;
    std::vector<long long> items;
    for (const long long one : {1, 2, 4, 8, 16, 32})
      if (static_cast<double>(one) * vector <= 2 * kMostItems) items.push_back(one);
    knobs.push_back({"kItems", items, least(items, longest / (team * vector))});
  }
  if (sharing_.wide()) knobs.push_back(sharing_.vector_knob());
  if (columns_ &&
      std::ranges::any_of(spans_, [](const Span &one) { return !divisors_of(*one.loop).empty(); }))
    knobs.insert(knobs.begin(), {"kInverse", {0, 1}, 0});
  return knobs;
}

Outcome RowsWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const int line = spec_.lifted.body.front().line;
  if (nest_.loops.empty()) return refuse("it has no rows that are independent of each other", line);
  if (auto refusal = find_spans(*nest_.body, true)) return std::unexpected(*refusal);
  if (spans_.empty()) return refuse("an element has no loop that threads could share", line);
  choose_direction();
  if (auto reason = unsuitable_axes(axes_)) return refuse(*reason, line);
  if (auto refusal = check_stores()) return std::unexpected(*refusal);
  for (const Span &span : spans_) {
    if (columns_ && !span.certain)
      return refuse("whether a loop runs may differ between neighbours", span.outermost->line);
    for (const Total &total : totals_of(*span.outermost))
      if (!spec::identity_of(total.op, total.type) || !is_arithmetic(total.type))
        return refuse(fmt::format("nothing is known that '{}' could begin with", total.name),
                      span.outermost->line);
  }
  choose_what_is_kept();
  if (clusters_)
    if (auto reason = unfit_for_clusters()) return refuse(*reason, line);
  const std::vector<model::Knob> chosen = knobs();
  std::string code = head_text();
  if (sharing_.wide()) code = pack_text() + code;
  code = items_text() + code;
  code += kernel_text("$rows_by_teams", sharing_);
  if (short_) code += kernel_text("$short_rows_by_teams", *short_);
  const std::string summary =
      columns_ ? fmt::format("neighbouring threads along '{}', a team shares the loop{}", axes_.back()->name,
                             sharing_.keeps() ? ", what is used twice in registers" : "")
      : clusters_ ? fmt::format("a cluster of blocks a row, the row in registers{}",
                                sharing_.wide() ? ", wide accesses" : "")
                  : fmt::format("a team of threads a row{}{}",
                                sharing_.keeps() ? ", the row in registers"
                                : short_         ? ", short rows in registers"
                                                 : "",
                                sharing_.wide() ? ", wide accesses" : "");
  return variant_of(spec_, summary, chosen, code, launch_text());
}

}  // namespace

Outcome write_row_in_registers(const spec::KernelSpec &spec) {
  return RowsWriter(spec).run();
}

Outcome write_cluster_split_rows(const spec::KernelSpec &spec) {
  return RowsWriter(spec, true).run();
}

}  // namespace cupilot::schedule
