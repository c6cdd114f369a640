// SPDX-License-Identifier: Apache-2.0
//
// Assigns one row to a team of lanes. The kernel's statements are kept, column loops are strided by the team,
// and results are combined across lanes. With wide-access a lane handles vectors of columns, and a row that
// several loops need stays in registers.

#include <algorithm>

#include "annotate/directive/expression.h"
#include "annotate/rewrite/rows_plan.h"
#include "annotate/rewrite/rows_reduce.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

using Form = Touch::Form;

class RowWriter {
public:
  RowWriter(const Job &job, RowShape shape, RowPlan plan)
      : job_(job),
        kernel_(job.kernel),
        shape_(std::move(shape)),
        plan_(std::move(plan)),
        wide_(job.wants(kWideAccess)),
        names_(job.kernel) {}
  Outcome run();

private:
  const std::string &name(int variable) const { return kernel_.variables[variable].name; }
  const Type &type(int variable) const { return kernel_.variables[variable].type; }
  std::string vector_of(int pointer) const { return "$Vector<" + type(pointer).element + ", $kVector>"; }
  bool holds() const { return !plan_.held.empty(); }

  std::string row_text();
  std::string loop_text(const RowPart &part, int index);
  std::string scalar_loop(const ColumnLoop &loop, const Edits &edits) const;
  std::string vector_loop(const ColumnLoop &loop, const VectorLoop &vector, Edits edits);
  std::string unit_loop(const ColumnLoop &loop, const std::string &statements) const;
  std::string vector_at(const Touch &touch, const ColumnLoop &loop, bool constant) const;
  std::string fill_held(const ColumnLoop &loop, const VectorLoop &vector) const;
  std::string team_functions() const;
  std::string kernel_text();
  std::string launch_text() const;
  std::string launch_checks() const;
  std::string launches() const;
  std::vector<Knob> knobs() const;
  std::int64_t largest_columns() const;
  void choose_sizes();

  const Job &job_;
  const Kernel &kernel_;
  RowShape shape_;
  RowPlan plan_;
  bool wide_;
  Names names_;
  Words words_;
  std::map<int, std::string> held_names_;
  int team_ = 256, held_ = 4, width_ = 4;
  int macro_line_ = 0;
};

/// The vector of elements that a touch stands for, as a reference for reading or writing.
std::string RowWriter::vector_at(const Touch &touch, const ColumnLoop &loop, bool constant) const {
  Edits edits;
  walk(*touch.node, [&](const Node &node) {
    if (node.kind == Kind::name && node.variable == loop.column) edits.replace(node, "$first");
  });
  return "reinterpret_cast<" + std::string(constant ? "const " : "") + vector_of(touch.pointer) + " &>(" +
         text_of(kernel_, touch.node->children[0], edits) + "[" +
         text_of(kernel_, touch.node->children[1], edits) + "])";
}

/// A loop that runs `statements` for each vector of columns of this lane.
std::string RowWriter::unit_loop(const ColumnLoop &loop, const std::string &statements) const {
  const std::string column = type(loop.column).text, bound = text_of(kernel_, *loop.bound);
  if (!holds())
    return "for (" + column + " $first = $lane * $kVector; $first < " + bound +
           "; $first += $kTeam * $kVector) {\n" + indent(statements, 2) + "\n}\n";
  return "#pragma unroll\nfor (int $k = 0; $k < $kHeld; ++$k) {\n  const " + column +
         " $first = ($k * $kTeam + $lane) * $kVector;\n  if ($first < " + bound + ") {\n" +
         indent(statements, 4) + "\n  }\n}\n";
}

/// Declares registers for arrays that are first needed in this loop, and loads them.
std::string RowWriter::fill_held(const ColumnLoop &loop, const VectorLoop &vector) const {
  std::string declarations;
  std::vector<std::string> loads;
  for (const VectorArray &array : vector.arrays) {
    if (!array.first_of_held) continue;
    const std::string &held = held_names_.at(array.pointer);
    declarations += vector_of(array.pointer) + " " + held + "[$kHeld];\n";
    if (array.loaded) loads.push_back(held + "[$k] = " + vector_at(*array.touch, loop, true) + ";");
  }
  if (loads.empty()) return declarations;
  return "// The row stays in registers; all of it is under way before the first use.\n" + declarations +
         unit_loop(loop, join(loads, "\n"));
}

std::string RowWriter::vector_loop(const ColumnLoop &loop, const VectorLoop &vector, Edits edits) {
  std::vector<std::string> before, after;
  std::size_t columns_used = 0, columns_gone = 0;
  walk(*loop.body,
       [&](const Node &node) { columns_used += node.kind == Kind::name && node.variable == loop.column; });
  for (const VectorArray &array : vector.arrays) {
    const auto held = held_names_.find(array.pointer);
    const bool keep = held != held_names_.end();
    const std::string unit = keep ? held->second + "[$k]" : names_.fresh(name(array.pointer) + "_part");
    if (!keep)
      before.push_back((array.stored ? "" : "const ") + vector_of(array.pointer) + " " + unit +
                       (array.loaded ? " = " + vector_at(*array.touch, loop, true) : "") + ";");
    if (array.stored && (!keep || array.last_store_of_held))
      after.push_back(vector_at(*array.touch, loop, false) + " = " + unit + ";");
    for (const Touch *touch : array.touches) {
      walk(*touch->node, [&](const Node &node) {
        columns_gone += node.kind == Kind::name && node.variable == loop.column;
      });
      edits.replace(*touch->node, unit + ".item[$e]");
    }
  }
  std::string body;
  const bool skips = !is_integer_constant(*loop.start, 0);
  if (columns_used > columns_gone || skips)
    body += "const " + type(loop.column).text + " " + name(loop.column) + " = $first + $e;\n";
  if (skips)
    body += "if (" + name(loop.column) + " < " + operand(text_of(kernel_, *loop.start)) + ") continue;\n";
  body += statements_text(kernel_, parts_of(*loop.body), edits);
  macro_line_ = macro_line_ ? macro_line_ : edits.macro_line();
  before.push_back("#pragma unroll\nfor (int $e = 0; $e < $kVector; ++$e) {\n" + indent(body, 2) + "\n}");
  before.insert(before.end(), after.begin(), after.end());
  return fill_held(loop, vector) + unit_loop(loop, join(before, "\n"));
}

std::string RowWriter::scalar_loop(const ColumnLoop &loop, const Edits &edits) const {
  const std::string column = name(loop.column), start = operand(text_of(kernel_, *loop.start));
  const std::string from = is_integer_constant(*loop.start, 0) ? "$lane" : start + " + $lane";
  return "for (" + type(loop.column).text + " " + column + " = " + from + "; " + column + " < " +
         text_of(kernel_, *loop.bound) + "; " + column + " += $kTeam) {\n" +
         indent(statements_text(kernel_, parts_of(*loop.body), edits), 2) + "\n}\n";
}

std::string RowWriter::loop_text(const RowPart &part, int index) {
  const ColumnLoop &loop = shape_.loops[part.loop];
  std::string before, after;
  Edits edits;
  for (const Accumulator &it : loop.accumulators) {
    const std::string own = name(it.variable), team = "$team_" + it.name;
    if (starts_at_identity(kernel_, shape_, index, it)) {
      after += own + " = " + team + "(" + own + ");\n";
      continue;
    }
    const std::string part_name = names_.fresh(own + "_part");
    before += type(it.variable).text + " " + part_name + " = " + it.identity + ";\n";
    walk(*loop.body, [&](const Node &node) {
      if (node.kind == Kind::name && node.variable == it.variable) edits.replace(node, part_name);
    });
    std::string combined = replace_all(it.combine, "value", "$own");
    after += own + " = " +
             fill(replace_all(combined, "other", team + "(" + part_name + ")"), {{"own", own}}) + ";\n";
  }
  macro_line_ = macro_line_ ? macro_line_ : edits.macro_line();
  const auto vector = plan_.loops.find(part.loop);
  return before +
         (vector == plan_.loops.end() ? scalar_loop(loop, edits) : vector_loop(loop, vector->second, edits)) +
         after;
}

std::string RowWriter::row_text() {
  std::string out;
  const Edits none;
  std::size_t end_of_last = 0;
  for (std::size_t i = 0; i < shape_.parts.size(); ++i) {
    const RowPart &part = shape_.parts[i];
    // The user's comments before a statement stay with it.
    if (end_of_last && part.statement->begin > end_of_last) {
      const std::string gap = kernel_.source.substr(end_of_last, part.statement->begin - end_of_last);
      for (const std::string &line : split_lines(gap))
        if (trim(line).starts_with("//")) out += std::string(trim(line)) + "\n";
    }
    end_of_last = part.statement->end;
    if (part.loop >= 0) {
      out += loop_text(part, static_cast<int>(i));
    } else {
      const std::string text = statement_text(kernel_, *part.statement, none);
      out += (part.once ? "if ($lane == 0) " : "") + text + "\n";
    }
  }
  return out;
}

std::string RowWriter::team_functions() const {
  std::string out;
  std::set<std::string> written;
  for (const ColumnLoop &loop : shape_.loops)
    for (const Accumulator &it : loop.accumulators) {
      if (!written.insert(it.name).second) continue;
      out += fill(
          "// Combines the values of a row's lanes; every lane gets the result.\n"
          "template <class T>\n__device__ __forceinline__ T $function(T value) {\n"
          "#pragma unroll\n  for (int step = 16; step > 0; step /= 2) {\n"
          "    const T other = __shfl_xor_sync(0xffffffffu, value, step);\n"
          "    value = $combine;\n  }\n"
          "  if ($kTeam > 32) {\n"
          "    __shared__ T parts[$kTeam / 32];\n"
          "    __syncthreads();  // the last use of parts is over\n"
          "    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;\n"
          "    __syncthreads();\n"
          "    value = parts[0];\n"
          "#pragma unroll\n    for (int warp = 1; warp < $kTeam / 32; ++warp) {\n"
          "      const T other = parts[warp];\n      value = $combine;\n    }\n  }\n"
          "  return value;\n}\n\n",
          {{"function", words_.at("team_" + it.name)},
           {"combine", it.combine},
           {"kTeam", words_.at("kTeam")}});
    }
  return out;
}

std::string RowWriter::kernel_text() {
  const std::string row = declared(type(shape_.frame.index), name(shape_.frame.index));
  std::string text = holds() ? "template <int $kVector, int $kHeld>\n"
                     : wide_ ? "template <int $kVector>\n"
                             : "";
  text +=
      "__global__ void __launch_bounds__($kTeam * $kRows) $kernel($parameters, unsigned $row_count) {\n"
      "  const int $lane = threadIdx.x % $kTeam;\n";
  text += "  const " + row + " = blockIdx.x * $kRows + threadIdx.x / $kTeam;\n";
  text += "  if (" + name(shape_.frame.index) + " >= $row_count) return;\n";
  return text + indent(std::string(trim(row_text())), 2) + "\n}\n";
}

std::string RowWriter::launch_checks() const {
  std::string text =
      "  const long long $threads = 1ll * $l.grid.x * $l.block.x;\n"
      "  if (1ull * $l.grid.y * $l.grid.z * $l.block.y * $l.block.z != 1) return false;\n";
  if (shape_.frame.block)
    text += "  if ($l.block.x != " + std::to_string(*shape_.frame.block) + ") return false;\n";
  text += "  const long long $row_count = " + (shape_.frame.bound.empty() ? "$threads" : shape_.frame.bound) +
          ";\n";
  text += "  if ($row_count <= 0 || $row_count > 0x7fffffff || $row_count > $threads) return false;\n";
  for (const Overlap &pair : row_overlaps(kernel_, shape_)) {
    const std::string a = name(pair.written), b = name(pair.other);
    const auto bytes = [&](int pointer) {
      const std::string extent = row_extent(kernel_, shape_, pointer, "$row_count");
      return (extent == "$row_count" ? extent : operand(extent)) + " * sizeof(*" + name(pointer) + ")";
    };
    const bool equal_fits = !pair.strict && type(pair.written).element == type(pair.other).element;
    text += "  if (" + (equal_fits ? a + " != " + b + " && " : "") + "!cupilot::Launch::disjoint(" + a +
            ", " + bytes(pair.written) + ", " + b + ", " + bytes(pair.other) + ")) return false;\n";
  }
  return text;
}

std::string RowWriter::launches() const {
  const auto launch = [&](const std::string &instance) {
    return "$kernel" + instance +
           "<<<$blocks, $kTeam * $kRows, 0, $l.stream>>>($arguments, static_cast<unsigned>($row_count));\n";
  };
  if (!wide_) return "  " + launch("");
  std::vector<std::string> tests;
  for (const std::string &multiple : plan_.multiples) tests.push_back(multiple + " % $kWidth == 0");
  for (const int pointer : plan_.pointers)
    tests.push_back("$l.aligned(alignof($Vector<" + type(pointer).element + ", $kWidth>), " + name(pointer) +
                    ")");
  std::string text;
  if (holds())
    text +=
        "  if (" + plan_.held_bound + " > $kTeam * $kWidth * $kStage) return false;  // too long to hold\n";
  text += "  const bool $wide = " + join(tests, " &&\n      ") + ";\n";
  return text + "  if ($wide)\n    " + launch(holds() ? "<$kWidth, $kStage>" : "<$kWidth>") + "  else\n    " +
         launch(holds() ? "<1, $kStage * $kWidth>" : "<1>");
}

std::string RowWriter::launch_text() const {
  return "bool launch(const cupilot::Launch &$l, $parameters) {\n" + launch_checks() +
         "  const unsigned $blocks = static_cast<unsigned>(($row_count + $kRows - 1) / $kRows);\n" +
         launches() + "  return true;\n}\n";
}

/// The largest number of columns in the timed workloads; 0 when unknown.
std::int64_t RowWriter::largest_columns() const {
  std::int64_t most = 0;
  for (const spec::Workload &workload : job_.spec.workloads) {
    directive::Scope scope;
    for (const spec::Assignment &assignment : workload.set)
      if (const auto value = directive::evaluate_expression(assignment.expression, scope))
        scope[assignment.name] = *value;
    for (const ColumnLoop &loop : shape_.loops)
      if (const auto columns = directive::evaluate_integer(text_of(kernel_, *loop.bound), scope))
        most = std::max(most, *columns);
  }
  return most;
}

void RowWriter::choose_sizes() {
  int smallest = 64;
  for (const int pointer : plan_.pointers) smallest = std::min(smallest, type(pointer).element_bits);
  width_ = wide_ ? 128 / smallest : 1;
  const std::int64_t columns = largest_columns();
  if (columns == 0) return;
  for (const int team : {1024, 512, 256, 128, 32})
    if (columns <= std::int64_t{team} * width_ * 4) team_ = team;
  if (columns > std::int64_t{4096} * width_) team_ = 1024;
  for (const int held : {8, 4, 2, 1})
    if (columns <= std::int64_t{team_} * width_ * held) held_ = held;
}

std::vector<Knob> RowWriter::knobs() const {
  std::vector<Knob> out{{words_.at("kTeam"), {32, 128, 256, 512, 1024}, team_}};
  if (job_.wants(kBlockSize)) out.push_back({words_.at("kThreads"), {64, 128, 256, 512, 1024}, 256});
  if (wide_) {
    Knob width{words_.at("kWidth"), {}, width_};
    for (const int value : {width_ / 2, width_, width_ * 2})
      if (value >= 2) width.values.push_back(value);
    out.push_back(width);
  }
  if (holds()) out.push_back({words_.at("kStage"), {1, 2, 4, 8}, held_});
  return out;
}

Outcome RowWriter::run() {
  words_ =
      fresh_words(names_, {"kTeam", "kThreads", "kRows", "kWidth", "kStage", "kVector", "kHeld", "Vector",
                           "lane", "row_count", "first", "k", "e", "threads", "blocks", "wide", "l"});
  words_["kernel"] = names_.fresh(kernel_.name + "_rows");
  words_["parameters"] = parameter_list(kernel_);
  words_["arguments"] = argument_list(kernel_);
  for (const ColumnLoop &loop : shape_.loops)
    for (const Accumulator &it : loop.accumulators)
      if (!words_.contains("team_" + it.name)) words_["team_" + it.name] = names_.fresh("team_" + it.name);
  for (const int pointer : plan_.held) held_names_[pointer] = names_.fresh(name(pointer) + "_row");
  choose_sizes();
  const std::string body = kernel_text();
  if (macro_line_) return refuse(kWarpPerRow, "an array access comes from a macro", macro_line_);
  Draft draft;
  draft.what = "a team of lanes a row";
  if (wide_) draft.what += ", vector accesses";
  if (holds()) draft.what += ", the row kept in registers";
  draft.knobs = knobs();
  std::string head = job_.wants(kBlockSize) ? "" : "constexpr int $kThreads = 256;\n";
  head += "constexpr int $kRows = $kTeam == 32 ? $kThreads / 32 : 1;  // rows a block works on\n\n";
  if (wide_)
    head +=
        "template <class T, int kItems>\nstruct alignas(sizeof(T) * kItems < 16 ? sizeof(T) * kItems : 16) "
        "$Vector {\n"
        "  T item[kItems];\n};\n\n";
  draft.code = fill(head, words_) + team_functions() + fill(body + "\n" + launch_text(), words_);
  return draft;
}

}  // namespace

Outcome rewrite_rows(const Job &job) {
  auto shape = row_shape(job.kernel);
  if (!shape) return refuse(kWarpPerRow, shape.error().reason, shape.error().line);
  RowPlan plan;
  if (job.wants(kWideAccess)) {
    auto made = row_plan(job.kernel, *shape);
    if (!made) return refuse(kWideAccess, made.error().reason, made.error().line);
    plan = std::move(*made);
  }
  return RowWriter(job, std::move(*shape), std::move(plan)).run();
}

}  // namespace cupilot::rewrite
