// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/price.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "annotate/support/diagnostic.h"
#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::provider {
namespace {

namespace fs = std::filesystem;

constexpr double kTokensOfAPrice = 1e6;

struct Word {
  std::string_view text;
  int column;  ///< from 1
};

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  line = line.substr(0, line.find('#'));
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.push_back({line.substr(begin, at - begin), static_cast<int>(begin) + 1});
  }
  return words;
}

std::optional<double> usd(std::string_view text) {
  double value = 0;
  const auto end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || rest != end || !std::isfinite(value) || value < 0) return {};
  return value;
}

constexpr const char *kNumberRemedy = "a price is in USD for a million tokens, such as 3 or 0.25";

/// Parses one line of the file; an error goes to `complain(column, message, remedy)`.
template <class Complain>
class LineReader {
public:
  explicit LineReader(Complain complain) : complain_(complain) {}

  std::optional<PriceTable::Entry> read(const std::vector<Word> &words) {
    const auto &model = words[0];
    if (const auto star = model.text.find('*'); star < model.text.size() - 1)
      return bad(model.column + static_cast<int>(star), "a '*' is allowed only at the end of a model's name",
                 fmt::format("write '{}'", model.text.substr(0, star + 1)));
    for (std::size_t i = 1; i < words.size(); i += 2)
      if (!take(words[i], i + 1 < words.size() ? &words[i + 1] : nullptr)) return {};
    for (const auto &[name, value] : {std::pair("in", in_), std::pair("out", out_)})
      if (!value)
        return bad(model.column, fmt::format("model '{}' has no price '{}'", model.text, name),
                   "a line is: model in 3 out 15, then cached and cache-write where they differ");
    CUPILOT_CHECK(in_ && out_);
    const Price price{*in_, *out_, cached_.value_or(*in_), cache_write_.value_or(*in_)};
    return PriceTable::Entry{std::string(model.text), price};
  }

private:
  std::nullopt_t bad(int column, const std::string &message, const std::string &remedy) {
    complain_(column, message, remedy);
    return std::nullopt;
  }

  bool take(const Word &name, const Word *value) {
    std::optional<double> *place = place_of(name.text);
    if (!place) {
      bad(name.column, fmt::format("unknown price '{}'", name.text),
          did_you_mean(name.text, {"in", "out", "cached", "cache-write"}));
      return false;
    }
    const auto number = value ? usd(value->text) : std::nullopt;
    if (!number || *place) {
      if (*place)
        bad(name.column, fmt::format("'{}' is given twice", name.text), "keep one of them");
      else if (!value)
        bad(name.column, fmt::format("'{}' is not followed by a number", name.text), kNumberRemedy);
      else
        bad(value->column, fmt::format("'{}' is not a price", value->text), kNumberRemedy);
      return false;
    }
    *place = number;
    return true;
  }

  std::optional<double> *place_of(std::string_view name) {
    if (name == "in") return &in_;
    if (name == "out") return &out_;
    if (name == "cached") return &cached_;
    return name == "cache-write" ? &cache_write_ : nullptr;
  }

  Complain complain_;
  std::optional<double> in_, out_, cached_, cache_write_;
};

/// The folder for settings; "" if the environment names none.
fs::path price_file() {
  const auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const auto folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return fs::path(folder) / "cupilot" / "prices.txt";
  if (const auto home = variable("HOME"); !home.empty())
    return fs::path(home) / ".config" / "cupilot" / "prices.txt";
  return {};
}

}  // namespace

const Price *PriceTable::find(std::string_view model) const {
  const Entry *best = nullptr;
  for (const auto &entry : entries) {
    if (entry.model == model) return &entry.price;
    if (!entry.model.ends_with('*')) continue;
    const auto beginning = std::string_view(entry.model).substr(0, entry.model.size() - 1);
    if (model.starts_with(beginning) && (!best || entry.model.size() > best->model.size())) best = &entry;
  }
  return best ? &best->price : nullptr;
}

Result<PriceTable> parse_prices(std::string_view text, const std::string &file) {
  PriceTable table;
  std::vector<std::string> problems;
  int number = 0;
  for (std::string line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const auto complain = [&](int column, const std::string &message, const std::string &remedy) {
      problems.emplace_back(
          trim(render(Diagnostic{Severity::error, {file, number, column}, message, line, remedy})));
    };
    const auto words = words_of(line);
    if (words.empty()) continue;
    auto entry = LineReader(complain).read(words);
    if (!entry) continue;
    const auto same = std::ranges::find(table.entries, entry->model, &PriceTable::Entry::model);
    if (same != table.entries.end())
      complain(words[0].column, fmt::format("model '{}' already has a price in a line above", entry->model),
               "keep one of the lines");
    else
      table.entries.push_back(std::move(*entry));
  }
  if (!problems.empty()) return user_error(join(problems, "\n"));
  return table;
}

Result<PriceTable> load_prices() {
  const char *named = std::getenv("CUPILOT_PRICES");
  const fs::path file = named && *named ? fs::path(named) : price_file();
  std::error_code ignored;
  if (!(named && *named) && (file.empty() || !fs::exists(file, ignored))) return PriceTable{};
  auto text = read_file(file);
  if (!text)
    return within(named && *named ? "the price list of CUPILOT_PRICES" : "the price list", text.error());
  return parse_prices(*text, file.string());
}

Result<Price> parse_price(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string &part : split(text, '/')) {
    const auto number = usd(trim(part));
    if (!number)
      return user_error(
          fmt::format("'{}' is not a price; write USD for a million tokens as in/out or in/out/cached, "
                      "such as 3/15/0.3",
                      text));
    numbers.push_back(*number);
  }
  if (numbers.size() < 2 || numbers.size() > 3)
    return user_error(
        fmt::format("'{}' is not a price; it has two or three numbers: in/out or in/out/cached", text));
  return Price{numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : numbers[0], numbers[0]};
}

double price_of(const Spending &spent, long long cache_written, const Price &price) {
  const auto plain = std::max(0ll, spent.tokens_in - spent.tokens_cached - cache_written);
  return (static_cast<double>(plain) * price.in + static_cast<double>(spent.tokens_cached) * price.cached +
          static_cast<double>(cache_written) * price.cache_write +
          static_cast<double>(spent.tokens_out) * price.out) /
         kTokensOfAPrice;
}

}  // namespace cupilot::provider
