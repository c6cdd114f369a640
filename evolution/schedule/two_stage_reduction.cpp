// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/two_stage_reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/span.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Statement;
using spec::StatementKind;

namespace {

/// The shares of all blocks of one total.
struct Shares {
  Total total;
  std::string name;
  int kernel = 0;  ///< the one that leaves them
  std::size_t span = 0;
};

class WholeWriter {
public:
  explicit WholeWriter(const spec::KernelSpec &spec)
      : spec_(spec), nest_(nest_of(spec.lifted.body)), body_(*nest_.body), values_(typical_values(spec)) {}
  Outcome run();

private:
  std::optional<Refusal> find_spans();
  std::optional<Refusal> check_accesses() const;
  bool finishes() const;  ///< with a kernel of one block, which only adds up
  std::string span_text(std::size_t span, int kernel) const;
  std::string kernel_text(int kernel) const;
  std::string start(const char *width) const;
  std::string launch_text() const;
  std::string scratch_list(bool declared) const;
  bool writes(int kernel) const { return kernel == (finishes() ? kernels_ : kernels_ - 1); }

  bool rows() const { return !nest_.loops.empty(); }
  double rows_typical() const { return value_of(count_of(nest_.loops), values_).value_or(16384); }
  double longest() const;
  std::optional<Refusal> check_rows();

  const spec::KernelSpec &spec_;
  Nest nest_;  ///< what is repeated for every row
  const std::vector<Statement> &body_;
  Values values_;
  std::vector<Span> spans_;
  std::vector<int> kernel_of_;  ///< of each span
  std::vector<Shares> shares_;
  int kernels_ = 0;
  Sharing sharing_;
};

/// A loop that needs what an earlier one found is in a later kernel.
std::optional<Refusal> WholeWriter::find_spans() {
  std::set<std::string> pending;  // known only after the current kernel
  for (const Statement &one : body_) {
    bool needs = false;
    spec::visit(one, [&](const Expr &part) {
      needs = needs || (part.kind == ExprKind::value && pending.contains(part.text));
    });
    if (one.kind == StatementKind::branch) {
      bool loops = false;
      spec::visit_statements(
          {one}, [&](const Statement &part) { loops = loops || part.kind == StatementKind::loop; });
      if (loops) return Refusal{"whether a loop runs depends on the data", one.line};
    }
    if (one.kind != StatementKind::loop) {
      if (needs) {
        pending.insert(one.name);
        spec::visit_statements({one}, [&](const Statement &part) { pending.insert(part.name); });
      }
      continue;
    }
    if (one.loop == LoopKind::ordered)
      return Refusal{fmt::format("the loop over '{}' goes from one iteration to the next", one.name),
                     one.line};
    if (kernels_ == 0 || needs) {
      ++kernels_;
      pending.clear();
    }
    spans_.push_back({.outermost = &one, .loop = &one, .certain = true});
    kernel_of_.push_back(kernels_ - 1);
    for (const Total &total : totals_of(one)) {
      pending.insert(total.name);
      if (!spec::identity_of(total.op, total.type) || !is_arithmetic(total.type))
        return Refusal{fmt::format("nothing is known that '{}' could begin with", total.name), one.line};
      shares_.push_back({total, fmt::format("${}_shares", total.name), kernels_ - 1, kernel_of_.size() - 1});
      if (std::ranges::count(shares_, total.name, [](const Shares &known) { return known.total.name; }) > 1)
        shares_.back().name += std::to_string(shares_.size());
    }
  }
  return std::nullopt;
}

/// Of the loops that are shared, in the typical workload.
double WholeWriter::longest() const {
  double longest = 0;
  for (const Span &span : spans_)
    longest = std::max(longest, value_of(extent_of(*span.loop), values_).value_or(0));
  return longest;
}

/// Rows that are many or short have a team each, which this does not better.
std::optional<Refusal> WholeWriter::check_rows() {
  if (!rows()) return std::nullopt;
  const int line = nest_.loops.front()->line;
  if (auto reason = unsuitable_axes(nest_.loops)) return Refusal{*reason, line};
  if (find_direction(nest_, spans_) != nullptr)
    return Refusal{"neighbours in memory belong to different rows", line};
  constexpr double kRowsForAll = 264, kHeld = 65536;
  const double longest = this->longest();
  if (longest <= kHeld && (rows_typical() >= kRowsForAll || longest < 4096))
    return Refusal{"a team of threads for each row is enough", line};
  return std::nullopt;
}

bool WholeWriter::finishes() const {
  return std::ranges::any_of(shares_, [&](const Shares &one) { return one.kernel == kernels_ - 1; });
}

/// Loops of one kernel run at the same time: none reads what another writes.
std::optional<Refusal> WholeWriter::check_accesses() const {
  std::set<std::string> written;
  for (const Access &one : all_accesses(body_))
    if (one.stored) written.insert(one.buffer);
  if (written.empty()) return Refusal{"the kernel writes nothing that the source shows", 0};
  for (std::size_t i = 0; i < spans_.size(); ++i)
    for (const Access &one : all_accesses(spans_[i].outermost->body)) {
      if (!written.contains(one.buffer)) continue;
      for (std::size_t k = 0; k < spans_.size(); ++k)
        for (const Access &other : all_accesses(spans_[k].outermost->body))
          if (other.buffer == one.buffer && (one.stored || other.stored) && i != k &&
              kernel_of_[i] == kernel_of_[k])
            return Refusal{
                fmt::format("'{}' is written and read by loops that could run at once", one.buffer),
                spans_[k].outermost->line};
    }
  for (const Statement &one : body_) {
    if (one.kind == StatementKind::loop) continue;
    bool stores = false;
    spec::visit_statements({one}, [&](const Statement &part) {
      stores = stores || part.kind == StatementKind::store || part.kind == StatementKind::update;
    });
    for (const Access &access : all_accesses({one}))
      if (written.contains(access.buffer) && !stores)
        return Refusal{fmt::format("'{}' is written and read in between", access.buffer), one.line};
    if (!stores) continue;
    for (const Access &access : all_accesses({one}))
      if (access.stored)
        for (const Span &span : spans_)
          for (const Access &inner : all_accesses(span.outermost->body))
            if (inner.buffer == access.buffer)
              return Refusal{fmt::format("'{}' is written by a loop and outside of it", access.buffer),
                             one.line};
  }
  return std::nullopt;
}

std::string WholeWriter::span_text(std::size_t index, int kernel) const {
  const Span &span = spans_[index];
  std::string before, after;
  Statement changed = *span.outermost;
  for (const Total &total : totals_of(*span.outermost)) {
    const auto shares = std::ranges::find_if(
        shares_, [&](const Shares &one) { return one.total.name == total.name && one.span == index; });
    const std::string part = part_of_thread(spans_, span, total),
                      team = fmt::format("$team_{}({})", word_of(total.op), part);
    before += fmt::format("{} {} = {};\n", total.type, part, neutral_of(total.op, total.type));
    if (kernel_of_[index] == kernel) {
      after +=
          fmt::format("{0} = {1};\nif (threadIdx.x == 0) {2}[blockIdx.x] = {0};\n", part, team, shares->name);
      rename_fold(changed.body, total.name, part);
    } else {
      after += fmt::format(
          "#pragma unroll\nfor (int $i = 0; $i < (kBlocks + kTeam - 1) / kTeam; ++$i) {{\n"
          "  const int $at = $i * kTeam + threadIdx.x;\n  if ($at < kBlocks) {}}}\n{} = {};\n{}",
          fold_text(part, total.op, total.type, shares->name + (rows() ? "[$row * kBlocks + $at]" : "[$at]")),
          part, team, fold_text(total.name, total.op, total.type, part, total.keeps_nan));
    }
  }
  return before + (kernel_of_[index] == kernel ? sharing_.text(span, changed) : "") + after;
}

std::string WholeWriter::scratch_list(bool declared) const {
  std::string text;
  for (const Shares &one : shares_)
    text += declared ? fmt::format(", {} *{}", one.total.type, one.name) : ", " + one.name;
  return text;
}

std::string WholeWriter::kernel_text(int kernel) const {
  const bool last = kernel == kernels_;
  std::string text;
  for (const Statement &one : body_) {
    const auto span = std::ranges::find(spans_, &one, &Span::outermost);
    const auto at = static_cast<std::size_t>(span - spans_.begin());
    if (span != spans_.end()) {
      if (kernel_of_[at] <= kernel) text += span_text(at, kernel);
      continue;
    }
    bool stores = false, needs = false;
    spec::visit_statements({one}, [&](const Statement &part) {
      stores = stores || part.kind == StatementKind::store || part.kind == StatementKind::update;
    });
    if (stores && !writes(kernel)) continue;
    for (std::size_t i = 0; i < spans_.size(); ++i)
      for (const Total &total : totals_of(*spans_[i].outermost))
        spec::visit(one, [&](const Expr &part) {
          needs =
              needs || (kernel_of_[i] >= kernel && part.kind == ExprKind::value && part.text == total.name);
        });
    if (needs) continue;
    const std::string own = code_of({one});
    const char *who = last     ? "threadIdx.x == 0"
                      : rows() ? "threadIdx.x == 0 && blockIdx.x % kBlocks == 0"
                               : "threadIdx.x == 0 && blockIdx.x == 0";
    text += stores ? fmt::format("if ({}) {{\n{}}}\n", who, indented(own, 2)) : own;
  }
  const bool wide = sharing_.wide() && !last;
  std::string head;
  if (!last)
    head = fmt::format("const int $lane = {} * kTeam + threadIdx.x, $team = kBlocks * kTeam;\n",
                       rows() ? "blockIdx.x % kBlocks" : "blockIdx.x");
  if (rows()) {
    // Unpacking uses the number up.
    const bool adds = std::ranges::any_of(kernel_of_, [&](int made) { return made < kernel; });
    if (adds) head += fmt::format("const unsigned $row = blockIdx.x{};\n", last ? "" : " / kBlocks");
    head += fmt::format("unsigned $rest = {};\n",
                        adds ? "$row" : fmt::format("blockIdx.x{}", last ? "" : " / kBlocks")) +
            unpack_text(nest_.loops, "$rest", true);
  }
  return fmt::format("{}__global__ void __launch_bounds__(kTeam) {}({}{}) {{\n{}}}\n\n",
                     wide ? "template <int kWidth>\n" : "",
                     last ? "$finish" : fmt::format("$step_{}", kernel), device_parameters(spec_),
                     scratch_list(true), indented(head + text, 2));
}

std::string WholeWriter::start(const char *width) const {
  std::string text;
  for (int kernel = 0; kernel < kernels_; ++kernel)
    text += fmt::format("$step_{}{}<<<{}, kTeam, 0, $l.stream>>>({}{});\n", kernel,
                        sharing_.wide() ? fmt::format("<{}>", width) : "",
                        rows() ? "static_cast<unsigned>($rows * kBlocks)" : "kBlocks",
                        device_arguments(spec_), scratch_list(false));
  return text;
}

std::string WholeWriter::launch_text() const {
  std::string text;
  std::set<std::string> tested;
  for (const Span &span : spans_)
    if (const std::string extent = host_text(extent_of(*span.loop)); tested.insert(extent).second)
      text += fmt::format("if ({} > 0x7f000000) return false;\n", extent);
  for (const Statement *axis : nest_.loops)
    text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  if (rows())
    text += fmt::format("const long long $rows = {};\nif ($rows > 0x7fffffff / kBlocks) return false;\n",
                        host_text(count_of(nest_.loops)));
  for (const Shares &one : shares_)
    text += fmt::format(
        "{0} *{1} = static_cast<{0} *>($l.scratch({2}kBlocks * sizeof({0})));\nif ({1} == nullptr) return "
        "false;\n",
        one.total.type, one.name, rows() ? "$rows * " : "");
  if (sharing_.wide())
    text += either_start(sharing_.wide_conditions(nest_.loops), start("kVector"), start("1"));
  else
    text += start("1");
  if (finishes())
    text += fmt::format("$finish<<<{}, kTeam, 0, $l.stream>>>({}{});\n",
                        rows() ? "static_cast<unsigned>($rows)" : "1", device_arguments(spec_),
                        scratch_list(false));
  return text;
}

Outcome WholeWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const int line = spec_.lifted.body.front().line;
  if (auto refusal = find_spans()) return std::unexpected(*refusal);
  if (spans_.empty()) return refuse("it has no loop that threads could share", line);
  if (auto refusal = check_rows()) return std::unexpected(*refusal);
  if (shares_.size() > 8) return refuse("more than eight totals need scratch memory", line);
  if (auto refusal = check_accesses()) return std::unexpected(*refusal);
  for (const Span &span : spans_) {
    bool known = spec::is_constant(span.loop->step, 1);
    for (const Expr *expr : {&span.loop->begin, &span.loop->end})
      spec::visit(*expr, [&](const Expr &part) {
        known = known && part.kind != ExprKind::load && part.kind != ExprKind::value;
      });
    if (!known) return refuse("how long a loop is, is in device memory", span.loop->line);
  }
  sharing_ = Sharing(spec_, spans_, true, false, "$team");
  std::string code = sharing_.wide() ? pack_text() : "";
  code += "constexpr int kWarps = kTeam / 32;\n\n";
  std::set<std::pair<std::string, std::string>> made;
  for (const Shares &one : shares_)
    if (made.emplace(one.total.op, one.total.type).second) code += team_text(one.total);
  for (int kernel = 0; kernel < kernels_ + (finishes() ? 1 : 0); ++kernel) code += kernel_text(kernel);
  std::vector<model::Knob> knobs{{"kTeam", {128, 256, 512, 1024}, 512},
                                 {"kBlocks", {132, 264, 528, 1056}, 528}};
  if (rows()) {
    knobs[1] = {"kBlocks", {1, 2, 4, 8, 16, 32, 64, 128, 256}, 1};
    // Enough for all multiprocessors, as long as each thread has an access to make.
    constexpr double kElementsOfBlock = 512 * 4;
    for (long long &blocks = knobs[1].value; blocks < 256 &&
                                             static_cast<double>(blocks) * rows_typical() < 528 &&
                                             static_cast<double>(blocks) * kElementsOfBlock < longest();)
      blocks *= 2;
  }
  if (sharing_.wide()) knobs.push_back(sharing_.vector_knob());
  return variant_of(
      spec_,
      fmt::format("all threads share the loop{}, blocks' shares are added up in a second kernel",
                  sharing_.wide() ? " in wide accesses" : ""),
      std::move(knobs), code, launch_text());
}

}  // namespace

Outcome write_two_stage_reduction(const spec::KernelSpec &spec) {
  return WholeWriter(spec).run();
}

}  // namespace cupilot::schedule
