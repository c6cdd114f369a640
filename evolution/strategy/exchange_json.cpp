// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "annotate/spec/json_convert.h"
#include "annotate/support/text.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/strategy/applicability.h"
#include "evolution/strategy/exchange.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::strategy {
namespace {

constexpr const char *kTag = "cupilot_strategies";
constexpr const char *kNoExport = "this is not an export of strategies";
constexpr int kVersion = 1;
constexpr std::size_t kShownBytes = 120;      ///< longest part of a line that a message shows
constexpr std::size_t kMostTextBytes = 4096;  ///< longest name or reason
constexpr double kMostSpeedup = 1e6;
constexpr std::string_view kTime = "0000-00-00T00:00:00Z";  ///< format of a time; 0 stands for a digit

std::vector<std::string> outcome_members() {
  std::vector<std::string> names;
  for_each_item(described<model::StrategyOutcome>(),
                [&](const auto &item) { names.emplace_back(item.name); });
  return names;
}

bool is_plain(const std::string &text) {
  return text.size() <= kMostTextBytes && std::ranges::none_of(text, [](unsigned char c) {
           return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
         });
}

bool is_time(std::string_view text) {
  return text.size() == kTime.size() && std::ranges::equal(text, kTime, [](char c, char pattern) {
           return pattern == '0' ? c >= '0' && c <= '9' : c == pattern;
         });
}

/// What is wrong with the values of an outcome; empty if nothing is.
std::string complaint_about(const model::StrategyOutcome &one) {
  if (!is_strategy_id(one.strategy))
    return fmt::format("'{}' is not the id of a strategy", one.strategy.substr(0, kShownBytes));
  if (!architecture_number(one.architecture))
    return fmt::format("'{}' is not an architecture", one.architecture.substr(0, kShownBytes));
  if (one.kernel_id.empty()) return "the outcome does not name its kernel ('kernel_id' is empty)";
  if (!one.roofline_class.empty() && !is_roofline_class(one.roofline_class))
    return fmt::format("unknown class '{}'", one.roofline_class.substr(0, kShownBytes));
  if (!std::ranges::all_of(one.features, is_strategy_id)) return "a feature is not a plain word";
  if (!std::isfinite(one.speedup) || one.speedup < 0 || one.speedup > kMostSpeedup)
    return fmt::format("'speedup' is not a number from 0 to {:.0f}", kMostSpeedup);
  if (!is_time(one.at)) return "'at' is not a time such as 2026-11-22T04:17:00Z";
  for (const auto *text : {&one.kernel, &one.kernel_id, &one.reason})
    if (!is_plain(*text)) return "a name or reason is too long or has control characters";
  return "";
}

class ExchangeReader {
public:
  explicit ExchangeReader(const std::string &file) : file_(file) {}

  ParsedExchange read(std::string_view text) {
    const auto lines = split_lines(text);
    if (lines.empty()) line_ = 1, complain(kNoExport, header_remedy());
    for (const std::string &line : lines) {
      ++line_;
      shown_ = line.size() <= kShownBytes ? line : "";
      if (!trim(line).empty() || line_ == 1) read_line(line);
    }
    return std::move(parsed_);
  }

private:
  static std::string header_remedy() {
    return fmt::format("the first line must be {{\"{}\":{}}}", kTag, kVersion);
  }

  void read_line(const std::string &line) {
    try {
      const spec::Json json = spec::Json::parse(line);
      if (line_ == 1) return header(json);
      if (!json.is_object() || json.size() != 1) return unknown_line();
      if (json.contains("strategy")) return strategy(json.at("strategy").get<std::string>());
      if (json.contains("outcome")) return outcome(json.at("outcome"));
      unknown_line();
    } catch (const std::exception &problem) {
      if (line_ == 1) return complain(kNoExport, header_remedy());
      complain(fmt::format("damaged line: {}", problem.what()), "export the history again");
    }
  }

  void header(const spec::Json &json) {
    if (!json.is_object() || !json.contains(kTag)) return complain(kNoExport, header_remedy());
    if (json.at(kTag) != kVersion)
      complain(fmt::format("this export has version {}; this program reads version {}", json.at(kTag).dump(),
                           kVersion),
               "import it with the version of cupilot that wrote it, or with a newer one");
  }

  void unknown_line() {
    complain("unknown kind of line", "a line is {\"strategy\":...} or {\"outcome\":...}");
  }

  void strategy(std::string text) {
    const ParsedStrategy one = parse_strategy(text, "strategy");
    for (const Diagnostic &inner : one.diagnostics) {
      const std::string where = inner.place.line > 0 ? fmt::format("line {} of ", inner.place.line) : "";
      complain(fmt::format("{}the strategy: {}", where, inner.message), inner.remedy);
    }
    if (!one.diagnostics.empty()) return;
    if (!ids_.insert(one.strategy.id).second)
      return complain(fmt::format("the strategy '{}' appears a second time", one.strategy.id),
                      "keep one of them");
    parsed_.exchange.strategies.push_back(std::move(text));
  }

  void outcome(const spec::Json &json) {
    const auto known = outcome_members();
    for (const auto &member : json.items())
      if (std::ranges::find(known, member.key()) == known.end())
        return complain(fmt::format("an outcome has no member '{}'", member.key().substr(0, kShownBytes)),
                        "members are " + join(known, ", "));
    model::StrategyOutcome one;
    spec::read_json_into(json, one);
    if (const auto wrong = complaint_about(one); !wrong.empty()) return complain(wrong, "");
    if (!keys_.insert(key_of(one)).second)
      return complain(
          "an outcome of the same strategy, kernel, architecture and executor appears a second time",
          "keep one of them");
    parsed_.exchange.outcomes.push_back(std::move(one));
  }

  void complain(std::string message, std::string remedy) {
    parsed_.diagnostics.push_back(
        {Severity::error, {file_, line_, 1}, std::move(message), shown_, std::move(remedy)});
  }

  const std::string &file_;
  int line_ = 0;
  std::string shown_;
  std::set<std::string> ids_;
  std::set<OutcomeKey> keys_;
  ParsedExchange parsed_;
};

}  // namespace

OutcomeKey key_of(const model::StrategyOutcome &outcome) {
  return {outcome.strategy, outcome.kernel_id, outcome.architecture, outcome.estimated};
}

std::string to_lines(const Exchange &exchange) {
  std::map<std::string, std::string> texts;
  for (const std::string &text : exchange.strategies)
    if (const auto parsed = parse_strategy(text, ""); parsed.diagnostics.empty())
      texts[parsed.strategy.id] = text;
  std::map<OutcomeKey, const model::StrategyOutcome *> outcomes;
  for (const model::StrategyOutcome &one : exchange.outcomes) outcomes[key_of(one)] = &one;
  std::string lines = spec::one_line({{kTag, kVersion}}) + "\n";
  for (const auto &[id, text] : texts) lines += spec::one_line({{"strategy", text}}) + "\n";
  for (const auto &[key, one] : outcomes) lines += spec::one_line({{"outcome", spec::json_of(*one)}}) + "\n";
  return lines;
}

ParsedExchange parse_exchange(std::string_view text, const std::string &file) {
  return ExchangeReader(file).read(text);
}

}  // namespace cupilot::strategy
