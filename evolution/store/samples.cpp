// SPDX-License-Identifier: Apache-2.0
//
// "12.5 12.625 13" and, one a line, "40.25 sm clock 61 % of the default"; ids as "4 5 9".

#include "evolution/store/samples.h"

#include <charconv>

#include "annotate/support/text.h"

namespace cupilot {
namespace {

std::string number_to_text(double number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

Result<double> number_from_text(std::string_view word) {
  double number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc() || end != word.data() + word.size())
    return fail("'" + std::string(word) + "' is not a number");
  return number;
}

}  // namespace

std::string numbers_to_text(const std::vector<double> &numbers) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : " ") + number_to_text(number);
  return text;
}

Result<std::vector<double>> numbers_from_text(std::string_view text) {
  std::vector<double> numbers;
  if (text.empty()) return numbers;
  for (const std::string &word : split(text, ' ')) {
    CUPILOT_TRY(number, number_from_text(word));
    numbers.push_back(number);
  }
  return numbers;
}

std::string dropped_to_text(const std::vector<SampleSet::Dropped> &dropped) {
  std::string text;
  for (const auto &[time_us, reason] : dropped)
    text += number_to_text(time_us) + " " + replace_all(reason, "\n", " ") + "\n";
  return text;
}

Result<std::vector<SampleSet::Dropped>> dropped_from_text(std::string_view text) {
  std::vector<SampleSet::Dropped> dropped;
  for (const std::string &line : split_lines(text)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    CUPILOT_TRY(time_us, number_from_text(std::string_view(line).substr(0, blank)));
    dropped.push_back({time_us, line.substr(blank + 1)});
  }
  return dropped;
}

std::string ids_to_text(const std::vector<std::int64_t> &ids) {
  std::string text;
  for (const std::int64_t id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return text;
}

Result<std::vector<std::int64_t>> ids_from_text(std::string_view text) {
  std::vector<std::int64_t> ids;
  for (const std::string &word : split(text, ' ')) {
    if (word.empty()) continue;
    std::int64_t id = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (problem != std::errc() || end != word.data() + word.size())
      return fail("'" + word + "' is no id of a question");
    ids.push_back(id);
  }
  return ids;
}

}  // namespace cupilot
