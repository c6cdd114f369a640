// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/worker/fake_rules.h"

#include <cstdlib>
#include <sstream>

#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::fake {
using namespace cupilot::model;
namespace {

constexpr std::string_view kMark = "// fake: ";

std::vector<std::string> rules_in(const std::string &variant, const std::string &rules_file) {
  std::vector<std::string> rules;
  for (const auto &line : split_lines(variant))
    if (const auto at = line.find(kMark); at != std::string::npos)
      rules.push_back(line.substr(at + kMark.size()));
  const auto text = rules_file.empty() ? Result<std::string>("") : read_file(rules_file);
  for (const auto &line : split_lines(text.value_or("")))
    if (const auto arrow = line.find(" => "); arrow != std::string::npos)
      if (variant.find(line.substr(0, arrow)) != std::string::npos) rules.push_back(line.substr(arrow + 4));
  return rules;
}

/// The number in `constexpr int NAME = 256;`, as text.
std::string knob_value(const std::string &variant, const std::string &name) {
  const auto at = variant.find("constexpr int " + name + " = ");
  if (at == std::string::npos) return {};
  const auto from = at + 17 + name.size();
  return variant.substr(from, variant.find(';', from) - from);
}

double knob_factor(const std::string &variant, std::istringstream &words) {
  std::string name, pair;
  words >> name;
  const auto value = knob_value(variant, name);
  while (words >> pair)
    if (const auto parts = split(pair, '='); parts.size() == 2 && parts[0] == value)
      return std::atof(parts[1].c_str());
  return 1;
}

bool set_kind(const std::string &word, Answer &answer) {
  using enum VerdictKind;
  for (const auto kind : {unsure, wrong, rejected, build_failed, crashed, timed_out, not_evaluated})
    if (word == to_string(kind)) return answer.kind = kind, true;
  return false;
}

void apply(const std::string &rule, const std::string &variant, Answer &answer) {
  std::istringstream words(rule);
  std::string word;
  double factor = 1;
  words >> word;
  if (word == "speedup" && words >> factor) answer.speedup *= factor;
  if (word == "knob") answer.speedup *= knob_factor(variant, words);
  if (word == "die") answer.fate = rule == "die once" ? Fate::dies_once : Fate::dies;
  if (word == "half") answer.fate = Fate::dies_half;
  if (word == "hang") answer.fate = Fate::hangs;
  if (word == "silent") answer.fate = Fate::silent;
  if (set_kind(word, answer)) answer.reason = std::string(trim(rule.substr(word.size())));
}

}  // namespace

Answer answer_for(const std::string &variant, const std::string &rules_file) {
  Answer answer;
  for (const auto &rule : rules_in(variant, rules_file)) apply(rule, variant, answer);
  if (answer.kind != VerdictKind::same) return answer;
  if (answer.speedup > 1.005) answer.kind = VerdictKind::faster;
  if (answer.speedup < 0.995) answer.kind = VerdictKind::slower;
  return answer;
}

}  // namespace cupilot::fake
