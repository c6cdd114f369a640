// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/corpus/case.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "tests/emulate/corpus/number.h"

namespace cupilot::corpus {
namespace {

constexpr const char *kTypes[] = {"i8",  "u8",  "i16", "u16",  "i32", "u32",
                                  "i64", "u64", "f16", "bf16", "f32", "f64"};
constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// The text before `stop`, which is taken away together with it.
std::string_view take(std::string_view &rest, std::string_view stop) {
  const std::size_t at = std::min(rest.find(stop), rest.size());
  const std::string_view head = rest.substr(0, at);
  rest.remove_prefix(std::min(at + stop.size(), rest.size()));
  return trimmed(head);
}

double number(std::string_view text) {
  return std::strtod(std::string(text).c_str(), nullptr);
}

std::array<std::uint32_t, 3> extents(std::string_view text) {
  std::array<std::uint32_t, 3> result{1, 1, 1};
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i)
    result[i] = static_cast<std::uint32_t>(number(take(text, "x")));
  return result;
}

std::optional<Scalar> scalar_type(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (word == kTypes[i]) return static_cast<Scalar>(i);
  return std::nullopt;
}

void fill(Argument &one, std::uint64_t seed) {
  std::string_view rest = one.fill;
  const std::string_view kind = take(rest, " ");
  one.written = !kind.empty() && kind != "ignore" && kind != "scratch";
  one.compared = kind != "ignore" && kind != "scratch";
  one.scratch = kind == "scratch";
  one.bytes.resize(one.count * size_of(one.type));
  Random random(seed);
  std::vector<std::uint64_t> order;
  if (kind == "order") order = random.order(one.count);
  const bool real = one.type >= Scalar::f16;
  for (std::uint64_t i = 0; i < one.count; ++i) {
    double value = 0;
    if (kind == "random")
      value = real ? (static_cast<double>(random.next() % 33) - 16) / 16
                   : static_cast<double>(random.next() % 100);
    if (kind == "iota") value = static_cast<double>(i);
    if (kind == "mod") value = static_cast<double>(random.next() % static_cast<std::uint64_t>(number(rest)));
    if (kind == "value") value = number(rest);
    if (kind == "order") value = static_cast<double>(order[i]);
    store(one.type, one.bytes.data() + i * size_of(one.type), value);
  }
}

Result<Argument> argument(std::string_view text, std::uint64_t seed);

Result<Argument> structure(std::string_view text) {
  Argument whole;
  whole.count = 0;
  std::size_t widest = 1;
  while (!text.empty()) {
    CUPILOT_TRY(member, argument(take(text, ","), 0));
    const std::size_t size = member.bytes.size();
    widest = std::max(widest, size);
    whole.bytes.resize((whole.bytes.size() + size - 1) / size * size);
    whole.bytes.insert(whole.bytes.end(), member.bytes.begin(), member.bytes.end());
  }
  whole.bytes.resize((whole.bytes.size() + widest - 1) / widest * widest);
  return whole;
}

Result<Argument> argument(std::string_view text, std::uint64_t seed) {
  if (text.starts_with("{")) return structure(text.substr(1, text.size() - 2));
  Argument one;
  const std::size_t end = text.find_first_of(" [");
  const auto type = scalar_type(text.substr(0, end));
  if (!type) return fail("'" + std::string(text) + "' is no argument");
  one.type = *type;
  text.remove_prefix(std::min(end, text.size()));
  if (text.starts_with("[")) {
    text.remove_prefix(1);
    one.buffer = true;
    one.count = static_cast<std::uint64_t>(number(take(text, "]")));
    one.fill = trimmed(text);
    fill(one, seed);
    return one;
  }
  one.bytes.resize(size_of(one.type));
  store(one.type, one.bytes.data(), number(trimmed(text)));
  return one;
}

/// Cuts at commas outside braces.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '{') ++depth;
    if (i < text.size() && text[i] == '}') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    parts.push_back(trimmed(text.substr(from, i - from)));
    from = i + 1;
  }
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

Result<> options(Case &one, std::string_view rest) {
  while (!(rest = trimmed(rest)).empty()) {
    const std::string_view word = take(rest, " ");
    if (word.starts_with("~"))
      one.tolerance = number(word.substr(1));
    else if (word == "twice")
      one.launches = 2;
    else if (word == "resident")
      one.resident = static_cast<unsigned>(number(take(rest, " ")));
    else if (word == "lines")
      one.lines = static_cast<int>(number(take(rest, " ")));
    else
      return fail("'" + std::string(word) + "' is no option");
  }
  return {};
}

Result<Case> run_line(std::string_view text) {
  Case one;
  one.kernel = take(text, "<<<");
  std::string_view shape = take(text, ">>>");
  one.grid = extents(take(shape, ","));
  one.block = extents(take(shape, ","));
  one.shared = static_cast<std::uint32_t>(number(shape));
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos)
    return fail("a run line without arguments");
  std::uint64_t seed = 1;
  for (const std::string_view part : arguments_of(text.substr(open + 1, close - open - 1))) {
    CUPILOT_TRY(value, argument(part, seed++));
    one.arguments.push_back(std::move(value));
  }
  std::string_view rest = trimmed(text.substr(close + 1));
  if (rest.starts_with("=")) {
    rest = trimmed(rest.substr(1));
    one.reference = take(rest, " ");
  }
  CUPILOT_CHECKED(options(one, rest));
  return one;
}

void read_marks(Case &one, std::string_view line, std::uint32_t number) {
  constexpr std::pair<std::string_view, Mark::Need> kWords[] = {
      {"// expect: ", Mark::Need::must}, {"// also: ", Mark::Need::may}, {"// one of: ", Mark::Need::one_of}};
  for (const auto &[word, need] : kWords) {
    const std::size_t at = line.find(word);
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + word.size());
    one.marks.push_back({std::string(take(rest, " ")), number, need});
  }
}

}  // namespace

std::size_t size_of(Scalar type) {
  return kSizes[static_cast<std::size_t>(type)];
}

Result<std::vector<Case>> read_cases(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::vector<Case> cases;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    if (line.starts_with("// run: ")) {
      std::string text(line.substr(8));
      const auto number = static_cast<std::uint32_t>(i + 1);
      while (i + 1 < lines.size() && lines[i + 1].starts_with("//     ")) text += " " + lines[++i].substr(7);
      auto one = run_line(text);
      if (!one) return within(file.string() + ":" + std::to_string(number), one.error());
      one->file = file;
      one->line = number;
      cases.push_back(std::move(*one));
    }
    if (!cases.empty()) read_marks(cases.back(), lines[i], static_cast<std::uint32_t>(i + 1));
  }
  return cases;
}

}  // namespace cupilot::corpus
