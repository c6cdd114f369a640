// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/knobs.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "annotate/support/names.h"
#include "annotate/support/text.h"

namespace cupilot::search {
namespace {

constexpr std::string_view kMark = "// knob:";

struct KnobLine {
  model::Knob knob;
  std::size_t number_begin = 0, number_end = 0;  ///< position in the line
};

Result<long long> integer(std::string_view text) {
  text = trim(text);
  long long value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    return fail(fmt::format("'{}' is not an integer", text));
  return value;
}

Result<std::vector<long long>> values_of(std::string_view text) {
  std::vector<long long> values;
  for (const std::string &word : split(trim(text), ' ')) {
    if (word.empty()) continue;
    CUPILOT_TRY(value, integer(word));
    values.push_back(value);
  }
  return values;
}

/// Parses a line whose knob mark is at `mark`.
Result<KnobLine> read_knob_line(std::string_view line, std::size_t mark) {
  const std::string_view code = line.substr(0, mark);
  const std::size_t equals = code.find('='), semicolon = code.find(';');
  if (!trim(code).starts_with("constexpr ") && !trim(code).starts_with("static constexpr "))
    return fail("a knob is declared with 'constexpr'");
  if (equals == std::string_view::npos || semicolon == std::string_view::npos || semicolon < equals)
    return fail("expected 'constexpr int kName = 8;  // knob: 2 4 8'");
  KnobLine found;
  found.number_begin = code.find_first_not_of(' ', equals + 1);
  found.number_end = code.find_last_not_of(' ', semicolon - 1) + 1;
  CUPILOT_TRY(value, integer(code.substr(equals + 1, semicolon - equals - 1)));
  CUPILOT_TRY(values, values_of(line.substr(mark + kMark.size())));
  std::string_view name = trim(code.substr(0, equals));
  while (!name.empty() && is_name_character(name[name.size() - 1])) name.remove_suffix(1);
  found.knob = {std::string(trim(code.substr(0, equals)).substr(name.size())), std::move(values), value};
  if (found.knob.name.empty()) return fail("the knob has no name");
  if (std::ranges::find(found.knob.values, value) == found.knob.values.end())
    return fail(fmt::format("its value {} is not among the allowed ones", value));
  return found;
}

}  // namespace

Result<std::vector<model::Knob>> parse_knobs(std::string_view variant) {
  std::vector<model::Knob> knobs;
  std::set<std::string> names;
  int number = 0;
  for (const std::string &line : split_lines(variant)) {
    ++number;
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    auto found = read_knob_line(line, mark);
    if (!found) return within(fmt::format("knob in line {} of the variant", number), found.error());
    if (!names.insert(found->knob.name).second)
      return fail(
          fmt::format("line {} of the variant declares knob '{}' a second time", number, found->knob.name));
    knobs.push_back(std::move(found->knob));
  }
  return knobs;
}

Result<std::string> set_knob(std::string_view variant, std::string_view name, long long value) {
  std::vector<std::string> lines = split(variant, '\n');
  for (std::string &line : lines) {
    const std::size_t mark = line.find(kMark);
    if (mark == std::string::npos) continue;
    const auto found = read_knob_line(line, mark);
    if (!found || found->knob.name != name) continue;
    if (std::ranges::find(found->knob.values, value) == found->knob.values.end())
      return fail(fmt::format("knob '{}' does not allow {}", name, value));
    line.replace(found->number_begin, found->number_end - found->number_begin, std::to_string(value));
    return join(lines, "\n");
  }
  return fail(fmt::format("the variant has no knob '{}'", name));
}

std::string describe_knobs(const std::vector<model::Knob> &knobs) {
  std::string text;
  for (const model::Knob &knob : knobs)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", knob.name, knob.value);
  return text;
}

std::vector<std::vector<long long>> every_setting(const std::vector<model::Knob> &knobs) {
  std::vector<std::vector<long long>> settings{{}};
  for (auto knob = knobs.rbegin(); knob != knobs.rend(); ++knob) {
    std::vector<std::vector<long long>> longer;
    for (const auto &rest : settings)
      for (const long long value : knob->values) {
        longer.push_back({value});
        longer.back().insert(longer.back().end(), rest.begin(), rest.end());
      }
    settings = std::move(longer);
  }
  return settings;
}

std::vector<long long> neighbours_first(const model::Knob &knob) {
  const auto own = std::ranges::find(knob.values, knob.value) - knob.values.begin();
  std::vector<std::ptrdiff_t> positions;
  for (std::ptrdiff_t i = 0; i < std::ssize(knob.values); ++i)
    if (i != own) positions.push_back(i);
  std::ranges::sort(positions, {}, [own](std::ptrdiff_t i) { return std::pair(std::abs(i - own), i); });
  std::vector<long long> values;
  for (const std::ptrdiff_t i : positions) values.push_back(knob.values[static_cast<std::size_t>(i)]);
  return values;
}

}  // namespace cupilot::search
