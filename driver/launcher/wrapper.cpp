// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/wrapper.h"

#include <set>

#include "annotate/directive/expression.h"
#include "annotate/directive/source_lexer.h"
#include "driver/launcher/arch_guard.h"
#include "driver/launcher/cache_file.h"
#include "driver/launcher/record_code.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHead = "// made by cupilot-cc: changes here are lost\n";

std::string include_line(const fs::path &path) {
  return "#include \"" + path.string() + "\"\n";
}
std::string variant_namespace(std::size_t number) {
  return "cupilot_variant_" + std::to_string(number);
}
fs::path slot_path(const fs::path &folder, std::size_t number) {
  return folder / ("slot" + std::to_string(number) + ".cuh");
}

/// Code of a record that parse_record() has accepted. Otherwise the text makes the wrapper's compilation
/// fail, and the original kernel is used.
std::string checked_code(const Result<std::string> &code) {
  return code.value_or("cupilot_refused");
}

/// `const Checked rows = signature::integer<3>(...)` for every parameter that the guard mentions.
std::string parameter_lines(const SwapRecord &record) {
  std::set<std::string> mentioned;
  for (const auto &range : record.domain) mentioned.insert(range.parameter);
  for (const auto *boxes : {&record.boxes, &record.verified})
    for (const auto &box : *boxes)
      for (const auto &range : box) mentioned.insert(range.parameter);
  for (const auto &expression : record.launch)
    for (auto &name : directive::names_in_expression(expression)) mentioned.insert(std::move(name));
  std::string lines;
  for (std::size_t i = 0; i < record.parameters.size(); ++i)
    if (mentioned.contains(record.parameters[i]))
      lines += "  const ::cupilot::detail::Checked " + record.parameters[i] +
               " = cupilot_signature::integer<" + std::to_string(i) + ">(cupilot_arguments);\n";
  return lines;
}

std::string whole(long long value) {
  // C++ has no literal for the least long long
  return value == -9223372036854775807LL - 1 ? "(-9223372036854775807LL - 1)" : std::to_string(value) + "LL";
}

/// The test stands in a scope of its own, because there a parameter is a Number, which may have a fraction.
std::string assumption_test(const SwapRecord &record) {
  if (record.assumptions.empty()) return "";
  std::set<std::size_t> mentioned;
  std::string test;
  for (const auto &assumption : record.assumptions) {
    const auto code = checked_code(condition_code(assumption, record.parameters));
    test += (test.empty() ? "" : " ||\n        ") + ("!(" + code + ").holds()");
    for (const auto index : condition_parameters(assumption, record.parameters)) mentioned.insert(index);
  }
  std::string lines = "  {\n";
  for (const auto index : mentioned)
    lines += "    const ::cupilot::detail::Number " + condition_parameter(index) +
             " = cupilot_signature::number<" + std::to_string(index) + ">(cupilot_arguments);\n";
  return lines + "    if (" + test + ") return ::cupilot::detail::assumption_broken;\n  }\n";
}

std::string between(const DomainRange &range) {
  return range.parameter + ".between(" + whole(range.least) + ", " + whole(range.greatest) + ")";
}

/// That a launch lies in one of the boxes, if there are any.
std::string box_test(const std::vector<std::vector<DomainRange>> &boxes, const std::string &reason) {
  std::string outside;
  for (const auto &box : boxes) {
    std::string inside;
    for (const auto &range : box) inside += (inside.empty() ? "" : " && ") + between(range);
    outside += (outside.empty() ? "" : " &&\n      ") + ("!(" + inside + ")");
  }
  return outside.empty() ? "" : "  if (" + outside + ")\n    return ::cupilot::detail::" + reason + ";\n";
}

std::string configuration_test(const SwapRecord &record) {
  if (!record.launch[0].empty()) {
    constexpr const char *kActual[] = {"grid.x",  "grid.y",  "grid.z",      "block.x",
                                       "block.y", "block.z", "shared_bytes"};
    std::string test;
    for (std::size_t i = 0; i < 7; ++i)
      test += (i ? " ||\n      " : "  if (") + std::string("!::cupilot::detail::same(cupilot_l.") +
              kActual[i] + ", " + checked_code(launch_code(record.launch[i], record.parameters)) + ")";
    return test + ")\n    return ::cupilot::detail::other_configuration;\n";
  }
  std::string rows;
  for (const auto &configuration : record.configurations) {
    rows += "    {";
    for (const auto value : configuration) rows += std::to_string(value) + "ULL, ";
    rows += "},\n";
  }
  return "  static const unsigned long long cupilot_verified[][7] = {\n" + rows +
         "  };\n  if (!::cupilot::detail::among(cupilot_verified, cupilot_l)) "
         "return ::cupilot::detail::other_configuration;\n";
}

std::string attempt_function(const SwapRecord &record) {
  std::string text =
      "typedef ::cupilot::detail::Signature<decltype(launch)> cupilot_signature;\n"
      "::cupilot::detail::Reason cupilot_attempt(const ::cupilot::Launch &cupilot_l, void "
      "**cupilot_arguments) {\n";
  for (const auto &promise : record.promises)
    text += "  // promised by the pragma, and not tested at a launch: " + promise + "\n";
  text += assumption_test(record) + parameter_lines(record);
  for (const auto &range : record.domain)
    text += "  if (!" + between(range) + ") return ::cupilot::detail::outside_domain;\n";
  text += box_test(record.verified, "outside_domain") + box_test(record.boxes, "outside_boxes");
  text += configuration_test(record);
  return text +
         "  return cupilot_signature::call(&launch, cupilot_l, cupilot_arguments) ? "
         "::cupilot::detail::swapped\n"
         "                                                                         : "
         "::cupilot::detail::declined;\n}\n";
}

/// No macro of the variant reaches the guard that follows it, or the next variant.
std::string macros_undefined(const std::string &variant) {
  std::string lines;
  for (const auto &macro : directive::macros_defined(variant)) lines += "#undef " + macro + "\n";
  return lines;
}

/// One variant, in the kernel's own namespaces. The kernel is named before the slot, because the slot may
/// have a kernel of the same name. The parameters of the variant's launch function decide which overload is
/// meant.
std::string variant_part(const Swap &swap, std::size_t number, const fs::path &folder) {
  std::string open, close;
  const auto enter = [&](const std::string &name) {
    open += "namespace " + name + (name.empty() ? "{ " : " { ");
    close += "}";
  };
  for (const auto &name : swap.record.namespaces) enter(name);
  enter(variant_namespace(number));
  enter("");
  return open + "\ntemplate <class Kernel>\nconst void *cupilot_original() {\n  Kernel kernel = &" +
         checked_code(instantiation_code(swap.record.instantiation)) +
         ";\n  return reinterpret_cast<const void *>(kernel);\n}\n" +
         include_line(slot_path(folder, number)) + macros_undefined(swap.variant) +
         attempt_function(swap.record) + close + "\n\n";
}

std::string table_row(const Swap &swap, std::size_t number) {
  std::string scope = "::";
  for (const auto &name : swap.record.namespaces)
    if (!name.empty()) scope += name + "::";
  scope += variant_namespace(number) + "::";
  const auto &record = swap.record;
  const auto architecture = parse_architecture(record.arch).value_or(Architecture());
  return "      {" + string_literal(record.name) + ", " + string_literal(record.arch) + ", " +
         architecture.number + ", &" + scope + "cupilot_original<" + scope + "cupilot_signature::Kernel>, &" +
         scope + "cupilot_attempt, nullptr, 0, 0, {}},\n";
}

}  // namespace

WrapperTexts wrapper_texts(const fs::path &source, const std::vector<Swap> &swaps, const fs::path &support,
                           const fs::path &folder) {
  WrapperTexts texts;
  texts.wrapper = std::string(kHead) + include_line(support / "cupilot/relabel.cuh") + include_line(source) +
                  include_line(folder / "epilogue.cuh");
  std::string parts, rows;
  for (std::size_t i = 0; i < swaps.size(); ++i) {
    const auto &record = swaps[i].record;
    parts += variant_part(swaps[i], i, folder);
    rows += table_row(swaps[i], i);
    texts.slots.push_back("#line 1 " + string_literal(record.variant_path.string()) + "\n" +
                          guard_kernel_bodies(swaps[i].variant, record.arch) + "\n");
  }
  texts.epilogue =
      std::string(kHead) +
      "#pragma nv_diagnostic push\n#pragma nv_diag_suppress 177\n"  // a variant need not use all it defines
      + include_line(support / "cupilot/dispatch.cuh") + "\n" + parts +
      "namespace cupilot { namespace detail { namespace {\nEntryTable table() {\n"
      "  static Entry entries[] = {\n" +
      rows + "  };\n  return {entries, " + std::to_string(swaps.size()) +
      "};\n}\n}}}\n#pragma nv_diagnostic pop\n";
  return texts;
}

Result<fs::path> write_wrapper(const fs::path &source, const WrapperTexts &texts, const fs::path &folder) {
  const fs::path wrapper = folder / source.filename();
  for (std::size_t i = 0; i < texts.slots.size(); ++i)
    CUPILOT_CHECKED(write_cache_file(slot_path(folder, i), texts.slots[i]));
  CUPILOT_CHECKED(write_cache_file(folder / "epilogue.cuh", texts.epilogue));
  CUPILOT_CHECKED(write_cache_file(wrapper, texts.wrapper));
  return wrapper;
}

}  // namespace cupilot::launcher
