// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/coalesced_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "annotate/spec/lifted_fields.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"
#include "evolution/schedule/span.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// An access that neighbouring elements have side by side.
struct Wide {
  std::string buffer, type, name;  ///< name: of the registers
  Expr index;
  bool loaded = false, stored = false;
};

class MapWriter {
public:
  explicit MapWriter(const spec::KernelSpec &spec) : spec_(spec), nest_(nest_of(spec.lifted.body)) {}
  Outcome run();

private:
  std::optional<std::string> choose_axes();
  bool has_rows() const;
  void find_wide();
  void note_wide(const std::string &buffer, const std::string &type, const Expr &index, bool stored);
  std::vector<long long> widths() const;
  std::string vector_conditions();
  std::string element_code(bool wide) const;
  std::string vector_text() const;
  std::string row_text() const;
  std::string kernel_text() const;
  std::string start(const std::string &width) const;
  std::string launch_text();
  const Statement &x() const { return *axes_.back(); }

  const spec::KernelSpec &spec_;
  Nest nest_;
  std::vector<const Statement *> axes_;  ///< x last
  std::vector<Wide> wide_;
  FixedSizes fixed_;
};

/// Along which axis neighbours in memory lie: the one that steps the index of a store by one.
std::optional<std::string> MapWriter::choose_axes() {
  if (nest_.loops.empty()) return "the kernel has no elements that are independent of each other";
  bool stores = false;
  std::map<const Statement *, int> unit;
  spec::visit_statements(*nest_.body, [&](const Statement &one) {
    stores = stores || one.kind == StatementKind::store || one.kind == StatementKind::update;
    if (one.kind != StatementKind::store) return;
    for (const Statement *loop : nest_.loops) {
      const auto by = Polynomial::of(one.index).coefficient(loop->name);
      if (by && by->value() == 1) unit[loop] += 4;
    }
  });
  for (const Statement &one : *nest_.body)
    spec::visit(one, [&](const Expr &part) {
      if (part.kind != ExprKind::load) return;
      for (const Statement *loop : nest_.loops) {
        const auto by = Polynomial::of(part.parts[0]).coefficient(loop->name);
        if (by && by->value() == 1) ++unit[loop];
      }
    });
  if (!stores) return "the kernel writes nothing that the source shows";
  const Statement *best = nest_.loops.back();
  for (const Statement *loop : nest_.loops)
    if (unit[loop] > unit[best]) best = loop;
  for (const Statement *loop : nest_.loops)
    if (loop != best) axes_.push_back(loop);
  axes_.push_back(best);
  return std::nullopt;
}

/// Whether a thread would run along a row of memory by itself, and its neighbours along other ones: long rows
/// are for teams.
bool MapWriter::has_rows() const {
  constexpr double kLong = 128;
  const Values values = typical_values(spec_);
  bool found = false;
  spec::visit_statements(*nest_.body, [&](const Statement &loop) {
    if (loop.kind != StatementKind::loop || value_of(extent_of(loop), values).value_or(0) < kLong) return;
    spec::visit(loop, [&](const Expr &part) {
      found = found || (part.kind == ExprKind::load && is_unit(part.parts[0], loop.name) &&
                        spec::mentions(part.parts[0], x().name) && !is_unit(part.parts[0], x().name));
    });
  });
  return found;
}

void MapWriter::note_wide(const std::string &buffer, const std::string &type, const Expr &index,
                          bool stored) {
  const spec::Parameter *parameter = find_parameter(spec_, buffer);
  const Polynomial map = Polynomial::of(index);
  const auto by = map.coefficient(x().name);
  if (parameter == nullptr || !by || by->value() != 1 || parameter->element_bytes > 8) return;
  // What is left must be a multiple of a vector: every product has an axis or a size that the launch tests.
  const Polynomial rest = map.without(x().name);
  for (const auto &[product, count] : rest.terms()) {
    bool axis = false;
    for (const std::string &factor : product)
      for (const Statement *loop : axes_) axis = axis || factor == loop->name;
    if (!axis) return;
  }
  const auto known = std::ranges::find_if(
      wide_, [&](const Wide &one) { return one.buffer == buffer && Polynomial::of(one.index) == map; });
  Wide &one =
      known == wide_.end()
          ? wide_.emplace_back(Wide{buffer, type, fmt::format("{}_part{}", buffer, wide_.size()), index})
          : *known;
  (stored ? one.stored : one.loaded) = true;
}

/// Accesses outside of branches and loops, so that all elements of a vector have them.
void MapWriter::find_wide() {
  if (!spec::is_constant(x().begin, 0)) return;
  const bool flat = std::ranges::all_of(*nest_.body, [](const Statement &one) {
    return one.kind == StatementKind::value || one.kind == StatementKind::variable ||
           one.kind == StatementKind::store;
  });
  if (!flat) return;
  const auto look = [&](auto &&self, const Expr &expr) -> void {
    if (expr.kind == ExprKind::select ||
        (expr.kind == ExprKind::binary && (expr.text == "&&" || expr.text == "||")))
      return self(self, expr.parts[0]);
    if (expr.kind == ExprKind::load) note_wide(expr.text, expr.type, expr.parts[0], false);
    for (const Expr &part : expr.parts) self(self, part);
  };
  for (const Statement &one : *nest_.body) {
    if (spec::is_set(one.value)) look(look, one.value);
    if (one.kind == StatementKind::store) note_wide(one.name, one.type, one.index, true);
  }
  // A buffer that is also accessed in another way while it is written stays as it is.
  std::map<std::string, int> accesses;
  for (const Statement &one : *nest_.body) {
    if (one.kind == StatementKind::store) ++accesses[one.name];
  }
  std::erase_if(wide_, [&](const Wide &one) {
    const bool written = std::ranges::any_of(
        wide_, [&](const Wide &other) { return other.buffer == one.buffer && other.stored; });
    const auto maps =
        std::ranges::count_if(wide_, [&](const Wide &other) { return other.buffer == one.buffer; });
    return written && (maps > 1 || accesses[one.buffer] > 1);
  });
}

/// Elements of the vectors that may be accessed at once.
std::vector<long long> MapWriter::widths() const {
  std::size_t bytes = 1;
  for (const Wide &one : wide_)
    if (const auto *parameter = find_parameter(spec_, one.buffer))
      bytes = std::max(bytes, parameter->element_bytes);
  if (bytes == 8) return {2};
  std::vector<long long> widths{2, 4};
  if (bytes <= 2) widths.push_back(8);
  if (bytes == 1) widths.push_back(16);
  return widths;
}

/// What has to be a multiple of a vector for rows to begin at one; empty: it is, wherever the kernel works.
std::string MapWriter::vector_conditions() {
  const long long most = widths().back();
  std::string text;
  const auto also = [&](const std::string &condition) {
    if (text.find(condition) == std::string::npos) text += (text.empty() ? "" : " && ") + condition;
  };
  // A single row has a tail, all others begin where the one before ends.
  if (axes_.size() > 1 && !is_multiple(spec_, extent_of(x()), most)) also(divisible_text(extent_of(x())));
  for (const Wide &one : wide_) {
    const Polynomial rest = Polynomial::of(one.index).without(x().name);
    for (const Statement *loop : axes_)
      if (const auto pitch = rest.coefficient(loop->name);
          pitch && !pitch->is_zero() && !is_multiple(spec_, pitch->expr(), most))
        also(divisible_text(pitch->expr()));
  }
  std::set<std::string> buffers;
  for (const Wide &one : wide_)
    if (buffers.insert(one.buffer).second && !begins_at_multiple(spec_, one.buffer, most))
      also(fmt::format("$l.aligned(kVector * sizeof(*{0}), {0})", one.buffer));
  return text;
}

std::string MapWriter::element_code(bool wide) const {
  return code_of(*nest_.body, [&](const Expr &part) -> std::optional<std::string> {
    if (!wide || part.kind != ExprKind::load) return std::nullopt;
    for (const Wide &one : wide_)
      if (one.buffer == part.text && Polynomial::of(one.index) == Polynomial::of(part.parts[0]))
        return one.name + ".item[$e]";
    return std::nullopt;
  });
}

/// The code of as many elements as an access takes.
std::string MapWriter::vector_text() const {
  std::string before, after, body = element_code(true);
  for (const Wide &one : wide_) {
    const std::string at = spec::to_text(one.index, [&](const Expr &part) -> std::optional<std::string> {
      const bool own = part.kind == ExprKind::axis && part.text == x().name;
      return own ? std::optional<std::string>("$first") : std::nullopt;
    });
    const std::string pack = fmt::format("Pack<{}, kWidth>", one.type);
    const char *constant = one.stored ? "" : "const ";
    before += one.loaded ? fmt::format("{}{} {} = reinterpret_cast<const {} &>({}[{}]);\n", constant, pack,
                                       one.name, pack, one.buffer, at)
                         : fmt::format("{} {};\n", pack, one.name);
    if (!one.stored) continue;
    after += fmt::format("reinterpret_cast<{} &>({}[{}]) = {};\n", pack, one.buffer, at, one.name);
    const std::string store = fmt::format("{}[{}] = ", one.buffer, spec::to_text(one.index));
    if (const std::size_t found = body.find(store); found != std::string::npos)
      body.replace(found, store.size(), one.name + ".item[$e] = ");
  }
  return fmt::format(
      "const int $first = static_cast<int>($column) * kWidth;\n{}#pragma unroll\nfor (int $e = 0; $e < "
      "kWidth; "
      "++$e) {{\n"
      "  const int {} = $first + $e;\n{}}}\n{}",
      before, x().name, indented(body, 2), after);
}

std::string MapWriter::row_text() const {
  if (!wide_.empty()) return vector_text();
  const std::string first = spec::is_constant(x().begin, 0) ? "" : limit_text(x().begin) + " + ";
  return fmt::format("const int {} = {}static_cast<int>($column);\n{}", x().name, first, element_code(false));
}

std::string MapWriter::kernel_text() const {
  const bool rows = axes_.size() > 1, tail = !rows && !wide_.empty();
  std::string text;
  if (!wide_.empty()) text += pack_text() + "template <int kWidth>\n";
  text += fmt::format("__global__ void __launch_bounds__({}) $elements({}, unsigned $columns{}) {{\n",
                      rows ? "kBlockX * kBlockY" : "kBlockX", parameters_without(spec_, fixed_),
                      rows   ? ", unsigned $rows"
                      : tail ? ", unsigned $tail"
                             : "");
  text += indented(fixed_constants(fixed_), 2);
  text += "  const unsigned $column = blockIdx.x * kBlockX + threadIdx.x;\n";
  if (tail) {
    text += fmt::format(
        "  if ($column < $columns) {{\n{}  }} else if ($column - $columns < $tail) {{\n    const int {} = "
        "static_cast<int>($columns * (kWidth - 1) + $column);\n{}  }}\n",
        indented(vector_text(), 4), x().name, indented(element_code(false), 4));
  } else if (rows) {
    text += fmt::format(
        "  if ($column >= $columns) return;\n  for (unsigned $row = blockIdx.y * kBlockY + threadIdx.y; $row "
        "< "
        "$rows; $row += "
        "gridDim.y * kBlockY) {{\n    unsigned $rest = $row;\n{}  }}\n",
        indented(unpack_text({axes_.begin(), axes_.end() - 1}, "$rest", true) + row_text(), 4));
  } else {
    text += "  if ($column >= $columns) return;\n" + indented(row_text(), 2);
  }
  return text + "}\n";
}

/// One launch with vectors of a width, or without.
std::string MapWriter::start(const std::string &width) const {
  const bool rows = axes_.size() > 1, tail = !rows && !wide_.empty();
  std::string text;
  const std::string vectors = width.empty() || width == "1" ? "$columns" : "$columns / " + width;
  const std::string threads =
      tail && width != "1" ? fmt::format("{} + $columns % {}", vectors, width) : vectors;
  text +=
      fmt::format("const unsigned $across = static_cast<unsigned>(({} + kBlockX - 1) / kBlockX);\n", threads);
  const std::string last = rows           ? ", static_cast<unsigned>($rows)"
                           : !tail        ? ""
                           : width == "1" ? ", 0u"
                                          : fmt::format(", static_cast<unsigned>($columns % {})", width);
  text += fmt::format("$elements{}<<<{}, {}, 0, $l.stream>>>({}, static_cast<unsigned>({}){});\n",
                      width.empty() ? "" : "<" + width + ">", rows ? "dim3($across, $down)" : "$across",
                      rows ? "dim3(kBlockX, kBlockY)" : "kBlockX", device_arguments(spec_), vectors, last);
  return text;
}

std::string MapWriter::launch_text() {
  const bool rows = axes_.size() > 1;
  std::string text = fixed_checks(fixed_);
  for (const Statement *axis : axes_)
    if (axis != &x()) text += fmt::format("if ({} <= 0) return false;\n", host_text(extent_of(*axis)));
  text += fmt::format("const long long $columns = {};\n", host_text(extent_of(x())));
  if (rows)
    text +=
        fmt::format("const long long $rows = {};\n", host_text(count_of({axes_.begin(), axes_.end() - 1})));
  text += fmt::format("if ($columns <= 0 || $columns > 0x7fffffff{}) return false;\n",
                      rows ? " || $rows > 0x7fffffff" : "");
  if (rows)
    text +=
        "const long long $blocks = ($rows + kBlockY - 1) / kBlockY;\nconst unsigned $down = "
        "static_cast<unsigned>($blocks < 65535 ? $blocks : 65535);\n";
  if (wide_.empty()) return text + start("");
  return text + either_start(vector_conditions(), start("kVector"), start("1"));
}

Outcome MapWriter::run() {
  if (spec_.lifted.body.empty()) return refuse(spec_.lifted.missing.reason, spec_.lifted.missing.line);
  if (auto reason = choose_axes()) return refuse(*reason, spec_.lifted.body.front().line);
  const int line = nest_.loops.front()->line;
  if (auto reason = unsuitable_axes(axes_)) return refuse(*reason, line);
  if (has_rows()) return refuse("each thread would read long rows of its own", line);
  find_wide();
  std::vector<const Statement *> inner;
  spec::visit_statements(*nest_.body, [&](const Statement &one) {
    if (one.kind == StatementKind::loop) inner.push_back(&one);
  });
  fixed_ = fixed_sizes(spec_, inner);
  const bool rows = axes_.size() > 1;
  std::vector<model::Knob> knobs;
  knobs.push_back({"kBlockX",
                   rows ? std::vector<long long>{32, 64, 128} : std::vector<long long>{128, 256, 512, 1024},
                   rows ? 64 : 256});
  if (rows) knobs.push_back({"kBlockY", {1, 2, 4, 8}, 4});
  if (!wide_.empty()) knobs.push_back({"kVector", widths(), widths().back()});
  return variant_of(
      spec_,
      fmt::format("neighbouring threads along '{}'{}", x().name, wide_.empty() ? "" : ", wide accesses"),
      std::move(knobs), kernel_text(), launch_text());
}

}  // namespace

Outcome write_coalesced_mapping(const spec::KernelSpec &spec) {
  return MapWriter(spec).run();
}

}  // namespace cupilot::schedule
