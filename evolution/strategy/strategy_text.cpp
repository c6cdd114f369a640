// SPDX-License-Identifier: Apache-2.0
//
// The keys are in a table: a scalar key names a string member; a list key names a list member and the values
// it allows; `gain` is the only number.

#include "evolution/strategy/strategy_text.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "annotate/support/text.h"
#include "evolution/strategy/applicability.h"

namespace cupilot::strategy {
namespace {

constexpr std::string_view kFirstLine = "cupilot-strategy 1";

struct Key {
  std::string_view name;
  std::string model::Strategy::*scalar = nullptr;
  std::vector<std::string> model::Strategy::*list = nullptr;
  bool required = false;
  /// For a list: what is wrong with a value and what to write instead; empty if nothing is.
  std::pair<std::string, std::string> (*complaint)(const std::string &value) = nullptr;
};

constexpr std::string_view kClasses[] = {"memory-bound", "compute-bound", "latency-bound"};

using Complaint = std::pair<std::string, std::string>;

Complaint about_id(const std::string &value) {
  if (is_strategy_id(value)) return {};
  return {fmt::format("'{}' cannot be an id", value), "use a-z, 0-9 and '-'"};
}

Complaint about_class(const std::string &value) {
  if (is_roofline_class(value)) return {};
  return {fmt::format("unknown class '{}'", value), "classes are memory-bound, compute-bound, latency-bound"};
}

Complaint about_architecture(const std::string &value) {
  if (is_architecture_pattern(value)) return {};
  return {fmt::format("'{}' is not an architecture", value), "write sm_90, or sm_90+ for it and later ones"};
}

Complaint about_precondition(const std::string &value) {
  for (const std::string &name : clauses_named(value))
    if (!is_precision_name(name))
      return {fmt::format("unknown precision clause '{}'", name),
              "clauses are same, tf32, half, bf16, relaxed"};
  return {};
}

// In the order in which to_text() writes them.
constexpr Key kKeys[] = {
    {"id", &model::Strategy::id, nullptr, true},
    {"title", &model::Strategy::title, nullptr, true},
    {"class", nullptr, &model::Strategy::roofline_classes, true, about_class},
    {"feature", nullptr, &model::Strategy::features, false, about_id},
    {"arch", nullptr, &model::Strategy::architectures, false, about_architecture},
    {"needs", nullptr, &model::Strategy::preconditions, false, about_precondition},
    {"step", nullptr, &model::Strategy::steps, true},
    {"effect", &model::Strategy::expected_effect, nullptr, true},
    {"gain", nullptr, nullptr, false},
    {"risk", &model::Strategy::risk, nullptr, true},
    {"check", &model::Strategy::check, nullptr, true},
    {"rule", &model::Strategy::rule, nullptr, false},
    {"conflict", nullptr, &model::Strategy::conflicts, false, about_id},
    {"evidence", nullptr, &model::Strategy::evidence, false},
    {"parent", nullptr, &model::Strategy::parents, false, about_id},
};

struct Entry {
  std::string key, value, source_line;
  int line = 0;
};

class StrategyReader {
public:
  explicit StrategyReader(std::string file) : file_(std::move(file)) {}

  ParsedStrategy read(std::string_view text) {
    const auto entries = read_entries(text);
    for (const Entry &entry : entries) take(entry);
    for (const Key &key : kKeys)
      if (key.required && !seen_.contains(key.name))
        complain(0, "", fmt::format("'{}' is missing", key.name),
                 fmt::format("add a line '{}: ...'", key.name));
    return {std::move(strategy_), std::move(diagnostics_)};
  }

private:
  std::vector<Entry> read_entries(std::string_view text) {
    const auto lines = split_lines(text);
    std::vector<Entry> entries;
    if (lines.empty() || trim(lines[0]) != kFirstLine)
      complain(1, lines.empty() ? "" : lines[0], "this is not a strategy",
               fmt::format("the first line must be '{}'", kFirstLine));
    for (std::size_t i = 1; i < lines.size(); ++i) read_line(lines[i], static_cast<int>(i) + 1, entries);
    return entries;
  }

  void read_line(const std::string &line, int number, std::vector<Entry> &entries) {
    const auto content = trim(line);
    if (content.empty() || content.front() == '#') return;
    if (line.front() == ' ' || line.front() == '\t') {
      if (entries.empty())
        return complain(number, line, "there is no value that this line could continue",
                        "start with 'key: value'");
      entries.back().value += " " + std::string(content);
      return;
    }
    const auto colon = line.find(':');
    if (colon == std::string::npos)
      return complain(number, line, "expected 'key: value'", "start a continued line with a blank");
    entries.push_back(
        {std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1))), line, number});
  }

  void take(const Entry &entry) {
    const auto key = std::ranges::find(kKeys, entry.key, &Key::name);
    if (key == std::end(kKeys)) return unknown_key(entry);
    const bool first = seen_.insert(key->name).second;
    if (entry.value.empty())
      return complain(entry.line, entry.source_line, fmt::format("'{}' has no value", entry.key),
                      "write a value, or remove the line");
    if (key->list != nullptr) return take_list(entry, *key);
    if (!first)
      return complain(entry.line, entry.source_line, fmt::format("'{}' appears a second time", entry.key),
                      "keep one of them");
    if (key->scalar != nullptr)
      strategy_.*(key->scalar) = entry.value;
    else
      take_gain(entry);
    if (entry.key == "id") check_id(entry);
  }

  void take_list(const Entry &entry, const Key &key) {
    auto &list = strategy_.*(key.list);
    if (key.complaint != nullptr)
      if (auto [message, remedy] = key.complaint(entry.value); !message.empty())
        return complain(entry.line, entry.source_line, std::move(message), std::move(remedy));
    if (std::ranges::find(list, entry.value) != list.end())
      return complain(entry.line, entry.source_line,
                      fmt::format("this '{}' appears a second time", entry.key), "keep one of them");
    list.push_back(entry.value);
  }

  void take_gain(const Entry &entry) {
    const char *end = entry.value.data() + entry.value.size();
    double gain = 0;
    const auto [rest, code] = std::from_chars(entry.value.data(), end, gain);
    if (code == std::errc() && rest == end && gain > 0 && gain < 1000)
      strategy_.gain = gain;
    else
      complain(entry.line, entry.source_line, fmt::format("'{}' is not a speed-up", entry.value),
               "write a number such as 1.3");
  }

  void check_id(const Entry &entry) {
    if (auto [message, remedy] = about_id(entry.value); !message.empty())
      complain(entry.line, entry.source_line, std::move(message), std::move(remedy));
  }

  void unknown_key(const Entry &entry) {
    std::vector<std::string> known;
    for (const Key &key : kKeys) known.emplace_back(key.name);
    const std::string near = closest(entry.key, known);
    complain(entry.line, entry.source_line, fmt::format("unknown key '{}'", entry.key),
             near.empty() ? "keys are " + join(known, ", ") : fmt::format("did you mean '{}'?", near));
  }

  void complain(int line, const std::string &source, std::string message, std::string remedy) {
    diagnostics_.push_back(
        {Severity::error, {file_, line, line == 0 ? 0 : 1}, std::move(message), source, std::move(remedy)});
  }

  std::string file_;
  model::Strategy strategy_;
  std::set<std::string_view> seen_;
  std::vector<Diagnostic> diagnostics_;
};

/// A value is one line: several lines from a model are joined by blanks.
std::string flat(const std::string &value) {
  std::vector<std::string> parts;
  for (const std::string &line : split(replace_all(value, "\r", "\n"), '\n'))
    if (const auto part = trim(line); !part.empty()) parts.emplace_back(part);
  return join(parts, " ");
}

std::string gain_text(double gain) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, gain).ptr};
}

}  // namespace

bool is_strategy_id(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_roofline_class(std::string_view text) {
  return std::ranges::find(kClasses, text) != std::end(kClasses);
}

ParsedStrategy parse_strategy(std::string_view text, const std::string &file) {
  return StrategyReader(file).read(text);
}

std::string to_text(const model::Strategy &strategy) {
  std::string text = std::string(kFirstLine) + "\n";
  const auto line = [&](std::string_view key, const std::string &value) {
    if (const auto one = flat(value); !one.empty()) text += fmt::format("{}: {}\n", key, one);
  };
  for (const Key &key : kKeys) {
    if (key.scalar != nullptr)
      line(key.name, strategy.*(key.scalar));
    else if (key.list != nullptr)
      for (const std::string &value : strategy.*(key.list)) line(key.name, value);
    else
      line(key.name, gain_text(strategy.gain));
  }
  return text;
}

}  // namespace cupilot::strategy
