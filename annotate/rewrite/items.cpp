// SPDX-License-Identifier: Apache-2.0
//
// Kernels with independent items. The user's statements become a function of one item. A generated kernel
// gives each thread several items or vectors of items, and issues all loads before the first result is
// needed.

#include <algorithm>

#include "annotate/rewrite/items_shape.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

class Writer {
public:
  Writer(const Job &job, ItemShape shape)
      : job_(job),
        kernel_(job.kernel),
        shape_(std::move(shape)),
        wide_(job.wants(kWideAccess)),
        several_(job.wants(kGridStride)),
        names_(job.kernel) {}
  Outcome run();

private:
  std::string name(int variable) const { return kernel_.variables[variable].name; }
  const Type &type(int variable) const { return kernel_.variables[variable].type; }
  std::string held(const ItemArray &array) const { return held_.at(array.pointer); }
  std::string vector_of(const ItemArray &array) const {
    return fill("$Vector<" + type(array.pointer).element + ">", words_);
  }
  bool passed(int parameter) const;
  std::string element(const ItemArray &array) const;
  std::string item_function();
  std::string item_call(const std::string &index, bool from_memory) const;
  std::string declarations() const;
  std::string loads() const;
  std::string work() const;
  std::string kernel_text() const;
  std::string launch_text() const;
  std::string overlap_checks() const;
  std::string each(const std::string &statements, const std::string &comment = {}) const;
  std::vector<Knob> knobs() const;
  std::string what() const;

  const Job &job_;
  const Kernel &kernel_;
  ItemShape shape_;
  bool wide_, several_;
  Names names_;
  Words words_;
  std::map<int, std::string> held_;  ///< pointer -> name of the variable that holds its elements
  std::string body_;
  int block_ = 256;
};

/// Whether the item's text still uses the parameter after its arrays are passed as references.
bool Writer::passed(int parameter) const {
  for (const Node *statement : shape_.statements) {
    std::size_t seen = 0;
    walk(*statement,
         [&](const Node &node) { seen += node.kind == Kind::name && node.variable == parameter; });
    for (const ItemArray &array : shape_.arrays)
      if (array.pointer == parameter)
        seen -= std::ranges::count_if(array.uses, [&](const Node *use) {
          return use->begin >= statement->begin && use->end <= statement->end;
        });
    if (seen) return true;
  }
  return false;
}

std::string Writer::item_function() {
  for (const ItemArray &array : shape_.arrays) {
    const std::string reference = names_.fresh(name(array.pointer) + "_" + name(shape_.index));
    held_[array.pointer] = names_.fresh(name(array.pointer) + "_held");
    words_["ref_" + name(array.pointer)] = reference;
    for (const Node *use : array.uses) shape_.edits.replace(*use, reference);
  }
  std::vector<std::string> parameters{declared(type(shape_.index), name(shape_.index))};
  for (const ItemArray &array : shape_.arrays)
    parameters.push_back((array.stored ? "" : "const ") + type(array.pointer).element + " &" +
                         words_.at("ref_" + name(array.pointer)));
  for (const int parameter : kernel_.parameters)
    if (passed(parameter)) parameters.push_back(declared(type(parameter), name(parameter)));
  return "// One item of the original.\n__device__ __forceinline__ void " + words_.at("item") + "(" +
         join(parameters, ", ") + ") {\n" +
         indent(statements_text(kernel_, shape_.statements, shape_.edits), 2) + "\n}\n";
}

std::string Writer::element(const ItemArray &array) const {
  return held(array) + (several_ ? "[$k]" : "") + (wide_ ? ".item[$e]" : "");
}

std::string Writer::item_call(const std::string &index, bool from_memory) const {
  std::vector<std::string> arguments{index};
  for (const ItemArray &array : shape_.arrays)
    arguments.push_back(from_memory ? name(array.pointer) + "[" + index + "]" : element(array));
  for (const int parameter : kernel_.parameters)
    if (passed(parameter)) arguments.push_back(name(parameter));
  return "$item(" + join(arguments, ", ") + ");";
}

std::string Writer::declarations() const {
  std::string out;
  for (const ItemArray &array : shape_.arrays)
    out += "  " + (wide_ ? vector_of(array) : type(array.pointer).element) + " " + held(array) +
           (several_ ? "[$kItems]" : "") + ";\n";
  return out;
}

/// Repeats `statements` for each existing unit of the thread.
std::string Writer::each(const std::string &statements, const std::string &comment) const {
  if (statements.empty()) return {};
  if (!several_) return comment + "  if ($v < $units) {\n" + indent(statements, 4) + "\n  }\n";
  return comment +
         "#pragma unroll\n  for (int $k = 0; $k < $kItems; ++$k) {\n    const unsigned $v = $first + $k * "
         "$kThreads;\n"
         "    if ($v < $units) {\n" +
         indent(statements, 6) + "\n    }\n  }\n";
}

std::string Writer::loads() const {
  std::vector<std::string> lines;
  for (const ItemArray &array : shape_.arrays) {
    if (!array.loaded) continue;
    const std::string from =
        wide_ ? "reinterpret_cast<const " + vector_of(array) + " *>(" + name(array.pointer) + ")"
              : name(array.pointer);
    lines.push_back(held(array) + (several_ ? "[$k]" : "") + " = " + from + "[$v];");
  }
  return join(lines, "\n");
}

std::string Writer::work() const {
  std::vector<std::string> lines;
  if (wide_) {
    lines.push_back("#pragma unroll");
    lines.push_back("for (int $e = 0; $e < $kWidth; ++$e) " + item_call("$v * $kWidth + $e", false));
  } else {
    lines.push_back(item_call("$v", false));
  }
  for (const ItemArray &array : shape_.arrays) {
    if (!array.stored) continue;
    const std::string to = wide_ ? "reinterpret_cast<" + vector_of(array) + " *>(" + name(array.pointer) + ")"
                                 : name(array.pointer);
    lines.push_back(to + "[$v] = " + held(array) + (several_ ? "[$k];" : ";"));
  }
  return join(lines, "\n");
}

std::string Writer::kernel_text() const {
  std::string text = "__global__ void __launch_bounds__($kThreads) $kernel($parameters, unsigned $items) {\n";
  if (wide_) text += "  const unsigned $units = $items / $kWidth;\n";
  text += several_ ? "  const unsigned $first = blockIdx.x * ($kThreads * $kItems) + threadIdx.x;\n"
                   : "  const unsigned $v = blockIdx.x * $kThreads + threadIdx.x;\n";
  text += declarations();
  text += several_ ? each(loads(), "  // All loads are under way before the first result is needed.\n") +
                         each(work())
                   : each(loads() + (loads().empty() ? "" : "\n") + work());
  if (wide_)
    text +=
        "  // The last $items % $kWidth items, one a thread.\n"
        "  const unsigned $tail = $units * $kWidth + blockIdx.x * $kThreads + threadIdx.x;\n"
        "  if ($tail < $items) " +
        item_call("$tail", true) + "\n";
  return text + "}\n";
}

std::string Writer::overlap_checks() const {
  std::string out;
  for (const Overlap &pair : shape_.overlaps) {
    const std::string a = name(pair.written), b = name(pair.other);
    const std::string apart = "cupilot::Launch::disjoint(" + a + ", $items * sizeof(*" + a + "), " + b +
                              ", $items * sizeof(*" + b + "))";
    out += "  if (" + (pair.strict ? "" : a + " != " + b + " && ") + "!" + apart + ") return false;\n";
  }
  return out;
}

std::string Writer::launch_text() const {
  std::string text =
      "bool launch(const cupilot::Launch &$l, $parameters) {\n"
      "  const long long $threads = 1ll * $l.grid.x * $l.block.x;\n"
      "  if (1ull * $l.grid.y * $l.grid.z * $l.block.y * $l.block.z != 1) return false;\n";
  if (shape_.block) text += "  if ($l.block.x != " + std::to_string(*shape_.block) + ") return false;\n";
  text += "  const long long $items = " + (shape_.bound.empty() ? "$threads" : shape_.bound) + ";\n";
  text += "  if ($items <= 0 || $items > 0x7fffffff" +
          std::string(shape_.loop ? "" : " || $items > $threads") + ") return false;\n";
  if (shape_.loop) text += "  if ($threads > 0x7fffffff) return false;\n";
  if (wide_)
    for (const ItemArray &array : shape_.arrays)
      text += "  if (!$l.aligned(alignof(" + vector_of(array) + "), " + name(array.pointer) +
              ")) return false;\n";
  text += overlap_checks();
  const std::string share =
      "$kThreads" + std::string(several_ ? " * $kItems" : "") + (wide_ ? " * $kWidth" : "");
  text += "  const unsigned $blocks = static_cast<unsigned>($items / (" + share +
          ") + 1);\n"
          "  $kernel<<<$blocks, $kThreads, 0, $l.stream>>>($arguments, static_cast<unsigned>($items));\n"
          "  return true;\n}\n";
  return text;
}

std::vector<Knob> Writer::knobs() const {
  std::vector<Knob> out;
  if (job_.wants(kBlockSize)) out.push_back({words_.at("kThreads"), {64, 128, 256, 512, 1024}, 256});
  if (wide_) {
    int smallest = 64;
    for (const ItemArray &array : shape_.arrays)
      smallest = std::min(smallest, type(array.pointer).element_bits);
    Knob width{words_.at("kWidth"), {}, 128 / smallest};
    for (int bits = 64; bits <= 256; bits *= 2)
      if (bits / smallest >= 2) width.values.push_back(bits / smallest);
    out.push_back(width);
  }
  if (several_) out.push_back({words_.at("kItems"), {1, 2, 4, 8}, 2});
  return out;
}

std::string Writer::what() const {
  std::vector<std::string> parts;
  if (wide_) parts.push_back("vectors of items with one load or store each");
  if (several_)
    parts.push_back(wide_ ? "several vectors a thread in flight" : "several items a thread in flight");
  if (job_.wants(kBlockSize)) parts.push_back("chosen block size");
  return join(parts, ", ");
}

Outcome Writer::run() {
  words_ = fresh_words(names_, {"kThreads", "kItems", "kWidth", "Vector", "k", "e", "v", "first", "vectors",
                                "items", "tail", "threads", "blocks", "l"});
  words_["units"] = wide_ ? words_["vectors"] : words_["items"];
  words_["item"] = names_.fresh(kernel_.name + "_item");
  words_["kernel"] = names_.fresh(kernel_.name + (wide_ ? "_wide" : "_items"));
  words_["parameters"] = parameter_list(kernel_);
  words_["arguments"] = argument_list(kernel_);
  if (const std::vector<int> block = constant_block(job_.spec); !block.empty() && block[0] >= 64)
    block_ = block[0];
  Draft draft;
  const std::string item = item_function();
  if (shape_.edits.macro_line())
    return refuse(wide_ ? kWideAccess : kGridStride, "an array access comes from a macro",
                  shape_.edits.macro_line());
  draft.what = what();
  draft.knobs = knobs();
  if (!job_.wants(kBlockSize)) draft.code += "constexpr int $kThreads = " + std::to_string(block_) + ";\n\n";
  if (wide_)
    draft.code +=
        "// As many items as one access moves; 16 bytes is the most a single one can.\n"
        "template <class T>\nstruct alignas(sizeof(T) * $kWidth < 16 ? sizeof(T) * $kWidth : 16) $Vector {\n"
        "  T item[$kWidth];\n};\n\n";
  draft.code = fill(draft.code, words_) + item + "\n" + fill(kernel_text() + "\n" + launch_text(), words_);
  return draft;
}

}  // namespace

Outcome rewrite_items(const Job &job) {
  const char *rule = job.wants(kWideAccess) ? kWideAccess : kGridStride;
  auto shape = item_shape(job.kernel);
  if (!shape) return refuse(rule, shape.error().reason, shape.error().line);
  if (job.wants(kWideAccess) && shape->arrays.empty() && shape->narrow)
    return refuse(rule, shape->narrow->reason, shape->narrow->line);
  return Writer(job, std::move(*shape)).run();
}

}  // namespace cupilot::rewrite
