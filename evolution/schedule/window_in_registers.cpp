// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/window_in_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "annotate/spec/lifted_fields.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/support/text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

constexpr double kMostTaps = 128, kLongestLoop = 32;

bool is_whole(const std::string &type) {
  return type != "float" && type != "double" && type.find("half") == std::string::npos &&
         type.find("bfloat") == std::string::npos;
}

/// The part of the elements whose windows lie inside of the array: the statements without the tests for it,
/// and what has to be so.
class Inside {
public:
  /// `across`: the axis of neighbouring threads. `rows`: that of which a thread has kItems from `$first` on;
  /// may be nullptr.
  Inside(const Nest &nest, const Statement *across, const Statement *rows, Values values)
      : nest_(nest), rows_(rows), values_(std::move(values)) {
    for (const Statement *axis : nest.loops) moving_.insert(axis->name);
    spec::visit_statements(*nest.body, [&](const Statement &one) {
      if (one.kind == StatementKind::loop) moving_.insert(one.name);
    });
    body_ = without_tests(*nest.body);
    for (const Access &one : all_accesses(*nest.body))
      for (const Statement *axis : {across, rows})
        if (const auto step = axis ? Polynomial::of(one.index).coefficient(axis->name) : std::nullopt)
          note_sizes(step->expr());
  }

  const std::vector<Statement> &body() const { return body_; }
  const std::vector<std::string> &conditions() const { return conditions_; }
  /// Parameters that say what a window is: its sizes and steps.
  const std::set<std::string> &sizes() const { return sizes_; }
  /// How many elements a window has; nullopt where its loops are long or of no known length.
  std::optional<double> taps() const;

private:
  bool moves(const Expr &expr) const {
    return std::ranges::any_of(moving_, [&](const std::string &name) { return spec::mentions(expr, name); });
  }
  void note_sizes(const Expr &expr) {
    spec::visit(expr, [&](const Expr &part) {
      if (part.kind != ExprKind::parameter) return;
      const auto value = value_of(part, values_);
      if (value && *value >= 0 && *value <= kLongestLoop) sizes_.insert(part.text);
    });
  }
  std::vector<Statement> without_tests(const std::vector<Statement> &body);
  Expr without_tests(const Expr &expr);
  std::optional<Expr> clipped(const Expr &call);
  /// What is left of a condition when all is taken for granted that holds inside.
  std::optional<Expr> rest_of(const Expr &condition);
  bool holds_inside(const Expr &comparison);
  bool at_end(Polynomial &value, const std::string &name, const Polynomial &low, const Polynomial &high,
              bool largest);

  const Nest &nest_;
  const Statement *rows_;
  Values values_;
  std::set<std::string> moving_, sizes_;
  std::vector<const Statement *> around_;  ///< loops of the window, from the outermost, as they are inside
  std::vector<Statement> body_;
  std::vector<std::string> conditions_;
};

/// The value where `name` has the end of its range that makes it largest or smallest.
bool Inside::at_end(Polynomial &value, const std::string &name, const Polynomial &low, const Polynomial &high,
                    bool largest) {
  if (!value.mentions(name)) return true;
  const auto by = value.coefficient(name);
  if (!by) return false;
  const Expr step = by->expr();
  const auto sign = value_of(step, values_);
  if (!sign || *sign == 0 || moves(step)) return false;
  note_sizes(step);
  bool certain = true;  // its sign is that of the sizes the code is for
  spec::visit(step, [&](const Expr &part) {
    certain = certain && (part.kind != ExprKind::parameter || sizes_.contains(part.text));
  });
  if (!certain) return false;
  value = value.without(name) + *by * ((*sign > 0) == largest ? high : low);
  return true;
}

bool Inside::holds_inside(const Expr &comparison) {
  const bool ordered = comparison.kind == ExprKind::binary && comparison.parts.size() == 2 &&
                       (comparison.text == "<" || comparison.text == "<=" || comparison.text == ">" ||
                        comparison.text == ">=");
  if (!ordered || has_load(comparison) || !moves(comparison)) return false;
  for (const Expr &side : comparison.parts)
    if (!is_whole(side.type)) return false;
  const bool below = comparison.text[0] == '<';
  Polynomial rest = Polynomial::of(comparison.parts[0]) - Polynomial::of(comparison.parts[1]);
  for (auto loop = around_.rbegin(); loop != around_.rend(); ++loop)
    if (!at_end(rest, (*loop)->name, Polynomial::of((*loop)->begin),
                Polynomial::of((*loop)->end) - Polynomial(1), below))
      return false;
  if (rows_ != nullptr) {
    const Polynomial first = Polynomial::symbol(spec::named(ExprKind::parameter, "$first", "int")),
                     items = Polynomial::symbol(spec::named(ExprKind::parameter, "kItems", "int"));
    if (!at_end(rest, rows_->name, first, first + items - Polynomial(1), below)) return false;
  }
  for (const std::string &name : moving_) {
    const bool axis = std::ranges::any_of(nest_.loops, [&](const auto *one) { return one->name == name; });
    if (rest.mentions(name) && (!axis || !rest.coefficient(name))) return false;
  }
  note_sizes(comparison);
  Polynomial left, right;
  for (const auto &[product, count] : rest.terms())
    (count > 0 ? left : right) = (count > 0 ? left + rest.only(product) : right - rest.only(product));
  const std::string text =
      fmt::format("{} {} {}", limit_text(left.expr()), comparison.text, limit_text(right.expr()));
  if (std::ranges::find(conditions_, text) == conditions_.end()) conditions_.push_back(text);
  return true;
}

std::optional<Expr> Inside::rest_of(const Expr &condition) {
  std::vector<Expr> left;
  for (const Expr &one : spec::conjuncts(condition))
    if (!holds_inside(one)) left.push_back(without_tests(one));
  return left.empty() ? std::nullopt : std::optional(spec::conjunction(left));
}

/// `max(o * stride - pad, 0)`: the side that goes with the axes.
std::optional<Expr> Inside::clipped(const Expr &call) {
  if (call.kind != ExprKind::call || (call.text != "max" && call.text != "min") || call.parts.size() != 2 ||
      !is_whole(call.type) || has_load(call) || moves(call.parts[0]) == moves(call.parts[1]))
    return std::nullopt;
  const std::size_t kept = moves(call.parts[0]) ? 0 : 1;
  const Expr inner = without_tests(call.parts[kept]);
  const Expr condition = spec::binary(call.text == "max" ? ">=" : "<=", inner, call.parts[1 - kept], "bool");
  return holds_inside(condition) ? std::optional(inner) : std::nullopt;
}

Expr Inside::without_tests(const Expr &expr) {
  if (!spec::is_set(expr)) return expr;
  return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
    if (auto inner = clipped(part)) return inner;
    if (part.kind != ExprKind::select || has_load(part.parts[1]) == has_load(part.parts[2]))
      return std::nullopt;
    const bool first = has_load(part.parts[1]);
    const auto rest = rest_of(first ? part.parts[0] : spec::negated(part.parts[0]));
    Expr value = without_tests(part.parts[first ? 1 : 2]);
    if (!rest) return value;
    Expr select = part;
    select.parts = {*rest, std::move(value), part.parts[first ? 2 : 1]};
    return select;
  });
}

std::vector<Statement> Inside::without_tests(const std::vector<Statement> &body) {
  std::vector<Statement> out;
  for (const Statement &one : body) {
    Statement copy = one;
    for (Expr *expr : {&copy.value, &copy.index, &copy.begin, &copy.end}) *expr = without_tests(*expr);
    if (one.kind == StatementKind::loop) {
      note_sizes(copy.begin);
      note_sizes(copy.end);
      around_.push_back(&copy);
      copy.body = without_tests(one.body);
      around_.pop_back();
    } else if (one.kind == StatementKind::branch) {
      const auto rest =
          one.otherwise.empty() && has_load(one.body) ? rest_of(one.value) : std::optional(one.value);
      copy.body = without_tests(one.body);
      copy.otherwise = without_tests(one.otherwise);
      if (!rest) {
        std::ranges::move(copy.body, std::back_inserter(out));
        continue;
      }
      copy.value = *rest;
    }
    out.push_back(std::move(copy));
  }
  return out;
}

std::optional<double> Inside::taps() const {
  double taps = 1;
  bool known = true;
  const auto look = [&](auto &&self, const std::vector<Statement> &body, double times) -> void {
    for (const Statement &one : body) {
      double inner = times;
      if (one.kind == StatementKind::loop) {
        const Expr extent = (Polynomial::of(one.end) - Polynomial::of(one.begin)).expr();
        const auto length = has_load(extent) ? std::nullopt : value_of(extent, values_);
        known = known && length && *length <= kLongestLoop && spec::is_constant(one.step, 1);
        inner *= length.value_or(1);
      }
      taps = std::max(taps, inner);
      self(self, one.body, inner);
      self(self, one.otherwise, inner);
    }
  };
  look(look, body_, 1);
  return known ? std::optional(taps) : std::nullopt;
}

class WindowWriter {
public:
  explicit WindowWriter(const spec::KernelSpec &spec)
      : spec_(spec), nest_(nest_of(spec.lifted.body)), values_(typical_values(spec)) {}
  Outcome run();

private:
  std::optional<std::string> find_axes();
  bool share(const Statement &axis) const;
  std::string parameters() const;
  std::string kernel_text(const Inside &inside) const;
  std::string launch_text() const;

  const spec::KernelSpec &spec_;
  Nest nest_;
  Values values_;
  /// A thread has several outputs along rows_: neighbours that share elements, or, where no others share any
  /// than those along across_, outputs of several planes, so that enough is on its way from memory.
  const Statement *across_ = nullptr, *rows_ = nullptr;
  bool shared_ = false;
  std::vector<const Statement *> others_;
  FixedSizes fixed_, usual_;  ///< sizes that all workloads have, and that the usual one has
};

/// Whether neighbours along an axis read some of the same elements: its step is a number of the window's.
bool WindowWriter::share(const Statement &axis) const {
  std::vector<std::pair<std::string, Polynomial>> reads;
  bool found = false;
  const auto is_step = [&](const Polynomial &step, const Polynomial &by) {
    if (by.is_zero() || step.is_zero()) return false;
    const auto times = by.terms().size() == 1 ? step.divided_by(by) : std::nullopt;
    const auto back = step.terms().size() == 1 ? by.divided_by(step) : std::nullopt;
    const auto count = times ? value_of(times->expr(), values_) : std::nullopt;
    return (count && *count <= kLongestLoop) || (back && back->value());
  };
  const auto look = [&](auto &&self, const std::vector<Statement> &body,
                        std::vector<const Statement *> loops) -> void {
    for (const Statement &one : body) {
      for (const Expr *expr : {&one.value, &one.index})
        if (spec::is_set(*expr))
          spec::visit(*expr, [&](const Expr &part) {
            if (part.kind != ExprKind::load) return;
            const Polynomial index = Polynomial::of(part.parts[0]);
            const auto step = index.coefficient(axis.name);
            for (const Statement *loop : loops) {
              const auto by = index.coefficient(loop->name);
              if (!by || by->is_zero()) continue;
              found = found || spec::mentions(loop->begin, axis.name) || (step && is_step(*step, *by));
            }
            if (!step || step->is_zero()) return;
            for (const auto &[buffer, other] : reads)
              found = found || (buffer == part.text && !(index == other) && is_step(*step, index - other));
            reads.emplace_back(part.text, index);
          });
      auto inner = loops;
      if (one.kind == StatementKind::loop) inner.push_back(&one);
      self(self, one.body, inner);
      self(self, one.otherwise, inner);
    }
  };
  look(look, *nest_.body, {});
  return found;
}

std::optional<std::string> WindowWriter::find_axes() {
  for (const Access &one : all_accesses(*nest_.body)) {
    if (!one.stored) continue;
    for (const Statement *axis : nest_.loops)
      if (is_unit(one.index, axis->name)) {
        if (across_ != nullptr && across_ != axis) return "outputs lie together along several axes";
        across_ = axis;
      }
  }
  if (across_ == nullptr) return "outputs do not lie together";
  for (const Statement *axis : nest_.loops)
    if (axis != across_) others_.push_back(axis);
  for (auto axis = others_.rbegin(); axis != others_.rend() && rows_ == nullptr; ++axis)
    if (share(**axis)) rows_ = *axis;
  shared_ = rows_ != nullptr;
  if (!shared_ && !others_.empty()) rows_ = others_.back();
  std::erase(others_, rows_);
  return std::nullopt;
}

/// With `__restrict__` where launch() tests that nothing the kernel writes is in the buffer: what several
/// outputs read is read once then.
std::string WindowWriter::parameters() const {
  std::set<std::string> written;
  for (const Access &one : all_accesses(*nest_.body))
    if (one.stored) written.insert(one.buffer);
  std::string text;
  for (const spec::Parameter &one : with_launch_sizes(spec_)) {
    const bool apart = std::ranges::all_of(written, [&](const std::string &other) {
      return std::ranges::any_of(spec_.lifted.apart, [&](const spec::Apart &pair) {
        return pair.read == one.name && pair.written == other;
      });
    });
    const auto is_this = [&](const auto &pair) { return pair.first == one.name; };
    const std::string name = std::ranges::any_of(fixed_, is_this)   ? ""
                             : std::ranges::any_of(usual_, is_this) ? "$any_" + one.name
                             : one.pointer && apart                 ? "__restrict__ " + one.name
                                                                    : one.name;
    text += (text.empty() ? "" : ", ") + declaration_text(one, name);
  }
  return text;
}

std::string WindowWriter::kernel_text(const Inside &inside) const {
  std::string text =
      usual_.empty() ? "" : "/// kUsual: windows of the sizes that are unrolled.\ntemplate <bool kUsual>\n";
  text += fmt::format(
      "__global__ void __launch_bounds__(kBlockX * kBlockY) $windows({}, int $right, int $bottom, unsigned "
      "$planes) {{\n",
      parameters());
  std::string body = fixed_constants(fixed_);
  for (const auto &[name, value] : usual_)
    body += fmt::format("const int {0} = kUsual ? {1} : $any_{0};\n", name, value);
  const auto from = [](const Statement *axis) {
    return axis == nullptr || spec::is_constant(axis->begin, 0) ? "" : limit_text(axis->begin) + " + ";
  };
  body += fmt::format(
      "const int {0} = {1}blockIdx.x * kBlockX + threadIdx.x, $first = {2};\n"
      "if ({0} >= $right || $first >= $bottom) return;\n",
      across_->name, from(across_),
      rows_ ? from(rows_) + "(blockIdx.y * kBlockY + threadIdx.y) * kItems"
            : "blockIdx.y * kBlockY + threadIdx.y");
  const std::string any = code_of(*nest_.body);
  std::vector<std::string> conditions;
  if (!usual_.empty()) conditions.push_back("kUsual");
  if (rows_ != nullptr) conditions.push_back("$first + kItems <= $bottom");
  conditions.insert(conditions.end(), inside.conditions().begin(), inside.conditions().end());
  std::string unrolled;
  for (const std::string &line : split_lines(code_of(inside.body()))) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at != std::string::npos && line.compare(at, 5, "for (") == 0)
      unrolled += std::string(at, ' ') + "#pragma unroll\n";
    unrolled += line + "\n";
  }
  std::string element;
  if (rows_ == nullptr)
    element = conditions.empty() ? unrolled
                                 : fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", join(conditions, " && "),
                                               indented(unrolled, 2), indented(any, 2));
  else
    element = fmt::format(
        "if ({0}) {{\n  #pragma unroll\n  for (int $item = 0; $item < kItems; ++$item) {{\n"
        "    const int {1} = $first + $item;\n{2}  }}\n}} else {{\n"
        "  #pragma unroll 1\n  for (int {1} = $first; {1} < $bottom && {1} < $first + kItems; ++{1}) {{\n{3} "
        " }}\n}}\n",
        join(conditions, " && "), rows_->name, indented(unrolled, 4), indented(any, 4));
  if (others_.empty())
    body += element;
  else if (rows_ == nullptr)
    body += "unsigned $rest = $first;\n" + unpack_text(others_, "$rest", true) + element;
  else
    body += fmt::format(
        "for (unsigned $plane = blockIdx.z; $plane < $planes; $plane += gridDim.z) {{\n  unsigned $rest = "
        "$plane;\n{}}}\n",
        indented(unpack_text(others_, "$rest", true) + element, 2));
  return text + indented(body, 2) + "}\n";
}

std::string WindowWriter::launch_text() const {
  std::string text = fixed_checks(fixed_);
  for (const Statement *axis : nest_.loops)
    text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  const std::string others = others_.empty() ? "1" : host_text(count_of(others_));
  text += fmt::format("const long long $columns = {}, $rows = {}, $planes = {};\n",
                      host_text(extent_of(*across_)), rows_ ? host_text(extent_of(*rows_)) : others,
                      rows_ ? others : "1");
  const char *a_block = rows_ ? "(kBlockY * kItems)" : "kBlockY",
             *less = rows_ ? "kBlockY * kItems" : "kBlockY";
  text += fmt::format(
      "const long long $down = ($rows + {} - 1) / {};\n"
      "if ($columns > 0x7fffff00 || $rows > 0x7fffff00 || $planes > 0x7fffff00 || $down > 65535) return "
      "false;\n"
      "const dim3 $blocks(static_cast<unsigned>(($columns + kBlockX - 1) / kBlockX), "
      "static_cast<unsigned>($down), static_cast<unsigned>($planes < 65535 ? $planes : 65535));\n",
      less, a_block);
  const auto start = [&](const char *kind) {
    return fmt::format(
        "$windows{}<<<$blocks, dim3(kBlockX, kBlockY), 0, $l.stream>>>({}, static_cast<int>({}), "
        "static_cast<int>({}), static_cast<unsigned>($planes));\n",
        kind, device_arguments(spec_), host_text(across_->end), rows_ ? host_text(rows_->end) : "$rows");
  };
  std::vector<std::string> sizes;
  for (const auto &[name, value] : usual_) sizes.push_back(fmt::format("{} == {}", name, value));
  return text +
         (usual_.empty() ? start("") : either_start(join(sizes, " && "), start("<true>"), start("<false>")));
}

Outcome WindowWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  const int line = spec_.lifted.body.front().line;
  if (nest_.loops.empty()) return refuse("the kernel has no elements that are independent of each other");
  if (auto reason = find_axes()) return refuse(*reason, line);
  if (auto reason = unsuitable_axes(nest_.loops)) return refuse(*reason, line);
  if (!shared_ && !share(*across_)) return refuse("neighbouring outputs read nothing in common", line);
  const Inside inside(nest_, across_, rows_, values_);
  const auto taps = inside.taps();
  if (!taps) return refuse("what an output looks at is not a window of a known size", line);
  if (*taps > kMostTaps) return refuse("an output looks at more than registers hold", line);
  for (const std::string &name : inside.sizes()) {
    const auto value = value_of(spec::named(ExprKind::parameter, name, "int"), values_);
    const spec::Parameter *parameter = find_parameter(spec_, name);
    if (parameter == nullptr || !value)
      return refuse("what an output looks at is not a window of a known size", line);
    (only_value(spec_, name) ? fixed_ : usual_).emplace_back(name, static_cast<std::int64_t>(*value));
  }
  std::vector<model::Knob> knobs{{"kBlockX", {32, 64, 128}, 64}, {"kBlockY", {1, 2, 4, 8}, 4}};
  if (rows_ != nullptr) knobs.push_back({"kItems", {1, 2, 4, 8}, *taps > 64 ? 1 : *taps > 32 ? 2 : 4});
  return variant_of(spec_,
                    !rows_    ? "windows unrolled, without tests inside of the array"
                    : shared_ ? fmt::format("windows in registers, several along '{}'", rows_->name)
                              : fmt::format("windows unrolled, those of several '{}' a thread", rows_->name),
                    std::move(knobs), kernel_text(inside), launch_text());
}

}  // namespace

Outcome write_window_in_registers(const spec::KernelSpec &spec) {
  return WindowWriter(spec).run();
}

}  // namespace cupilot::schedule
