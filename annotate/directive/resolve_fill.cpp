// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/resolve_fill.h"

#include <unistd.h>
#include <algorithm>
#include <filesystem>

#include "annotate/directive/clause_table.h"
#include "annotate/directive/expression.h"

namespace cupilot::directive {
namespace {

std::unexpected<Diagnostic> refuse(const PlacedText &at, std::string message, std::string remedy) {
  return std::unexpected(Diagnostic{Severity::error, at.place(), std::move(message), "", std::move(remedy)});
}

std::expected<spec::Fill, Diagnostic> from_file(const FillEntry &entry, const std::string &folder) {
  const PlacedText &argument = entry.arguments[0];
  const std::string &text = argument.text();
  if (text.size() < 3 || text.front() != '"' || text.back() != '"')
    return refuse(argument, "expected a file name in quotes", "write file(\"x.npy\")");
  const std::filesystem::path path = std::filesystem::path(folder) / text.substr(1, text.size() - 2);
  if (path.extension() != ".npy")
    return refuse(argument, "file " + text + " is not a .npy file", "save it with numpy.save");
  if (access(path.c_str(), R_OK) != 0)
    return refuse(argument, "file " + text + " cannot be read",
                  "relative names are looked up beside the source file");
  return spec::Fill{spec::FillKind::file, 0, 1, path.lexically_normal().string()};
}

bool random_numbers(spec::FillKind kind) {
  return kind == spec::FillKind::normal || kind == spec::FillKind::uniform;
}

/// A fill speaks of those members of a class that it suits; the others have their default content.
bool suits_a_member(spec::FillKind kind, const spec::Parameter &parameter) {
  if (kind == spec::FillKind::zeros) return true;
  return std::ranges::any_of(parameter.members, [&](const spec::Member &member) {
    return spec::is_floating(member.type) ? random_numbers(kind) : kind == spec::FillKind::randint;
  });
}

}  // namespace

std::expected<spec::Fill, Diagnostic> resolve_fill(const FillEntry &entry, const spec::Parameter &parameter,
                                                   const std::vector<double> &numbers,
                                                   const std::string &folder) {
  const spec::FillKind kind = entry.kind;
  const std::string what = "fill " + in_quotes(entry.kind_text.text());
  if (kind == spec::FillKind::file) return from_file(entry, folder);
  const std::string of_type = " for elements of type " + in_quotes(parameter.element_type);
  const bool class_type = parameter.element == spec::ElementType::opaque;
  if (class_type && !suits_a_member(kind, parameter))
    return refuse(entry.kind_text, what + " has no meaning" + of_type,
                  parameter.members.empty()
                      ? "use zeros or file(\"x.npy\")"
                      : "use normal or uniform for floating members, randint for integers");
  if (spec::is_floating(parameter.element) && kind == spec::FillKind::sorted)
    return refuse(entry.kind_text, what + " has no meaning" + of_type, "use iota, normal or uniform");
  if (!class_type && !spec::is_floating(parameter.element) && random_numbers(kind))
    return refuse(entry.kind_text, what + " has no meaning" + of_type, "use randint(low, high)");
  if (spec::is_floating(parameter.element) && kind == spec::FillKind::permutation)
    return refuse(entry.kind_text, what + " has no meaning" + of_type, "use normal, uniform or iota");
  spec::Fill fill{kind, 0, 1, ""};
  if (numbers.size() == 2) fill.a = numbers[0], fill.b = numbers[1];
  if (kind == spec::FillKind::normal && fill.b <= 0)
    return refuse(entry.arguments[1], "the deviation of a normal fill is not positive",
                  "write normal(mean, deviation)");
  const bool range =
      kind == spec::FillKind::uniform || kind == spec::FillKind::randint || kind == spec::FillKind::sorted;
  if (range && fill.a >= fill.b)
    return refuse(entry.arguments[0], what + " has an empty range",
                  "the first number must be the smaller one");
  if (std::ranges::any_of(entry.arguments,
                          [](const PlacedText &text) { return !names_in_expression(text.text()).empty(); }))
    fill.low = entry.arguments[0].text(), fill.high = entry.arguments[1].text();
  return fill;
}

}  // namespace cupilot::directive
