// SPDX-License-Identifier: Apache-2.0
#include "tests/landscapes/scripted_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "annotate/support/text.h"

namespace cupilot::landscapes {
using namespace cupilot::provider;
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLastingError = 0.25, kPassingError = 0.15;
// Of two moves that exclude each other, or one that lacks what it needs, it sees this often.
constexpr double kSeesTrouble = 0.6;
constexpr double kTwoAtOnce = 0.2;
constexpr std::array kReasons = {
    "identifier is undefined",
    "no matching function for the call",
    "too many registers for a launch",
    "shared memory exceeds the limit",
    "the last row differs",
    "the first element is NaN",
    "read beyond the end of the input",
    "misaligned address",
    "barrier in divergent code",
    "a race between two warps",
    "the tail of the output is missing",
    "the sum lacks one term",
};

std::string join_moves(const Moves &moves, const char *between) {
  return join(std::vector<std::string>(moves.begin(), moves.end()), between);
}

/// What is written in a prompt, line by line.
struct Words {
  std::string id;
  Moves moves;  ///< "apply move-03"; records that do not fit as well: "apply off-1"
};

/// "move-03" and "off-1", wherever they stand.
Moves moves_named(const std::string &line) {
  Moves moves;
  for (const std::string_view prefix : {"move-", "off-"})
    for (auto at = line.find(prefix); at != std::string::npos; at = line.find(prefix, at + 1)) {
      const auto end = line.find_first_not_of("0123456789", at + prefix.size());
      moves.insert(line.substr(at, end == std::string::npos ? end : end - at));
    }
  return moves;
}

/// Strategies in the order shown: each begins with its title or id, its steps name its moves.
std::vector<Words> strategies_in(const std::string &prompt) {
  std::vector<Words> found;
  for (const std::string &line : split_lines(prompt)) {
    if (line.starts_with("id: ")) found.push_back({line.substr(4), {}});
    if (line.starts_with("title: ") && (found.empty() || !found.back().moves.empty())) found.push_back({});
    if (line.starts_with("step ") && !found.empty()) found.back().moves.merge(moves_named(line));
  }
  return found;
}

/// The variant shown: its first line's words and its knob lines.
struct Shown {
  std::string head;  ///< "// rules: move-01 flaw-3"
  std::vector<std::string> knob_lines;
  Moves moves() const { return moves_named(head); }
  bool broken() const { return head.find(kFlawPrefix) != std::string::npos; }
};
std::optional<Shown> variant_in(const std::string &prompt) {
  std::optional<Shown> shown;
  for (const std::string &line : split_lines(prompt)) {
    if (const auto at = line.find("// rules:"); at != std::string::npos && !shown)
      shown = Shown{.head = line.substr(at), .knob_lines = {}};
    else if (const auto knob = line.find("constexpr int "); shown && knob != std::string::npos)
      shown->knob_lines.push_back(line.substr(knob));
  }
  return shown;
}

std::string block(const Json &json) {
  return "```json\n" + json.dump() + "\n```\n";
}

Json strategy_json(const Moves &moves, double gain, const std::vector<std::string> &from) {
  Json steps = Json::array();
  for (const std::string &move : moves) steps.push_back("apply " + move);
  return {{"title", join_moves(moves, " and ")},
          {"from", from},
          {"needs", Json::array()},
          {"steps", steps},
          {"effect", "fewer microseconds"},
          {"risk", "may fail"},
          {"gain", gain},
          {"conflicts", Json::array()}};
}

/// One question and what the model makes of it.
class Answering {
public:
  Answering(const Terrain &terrain, const Dice &dice, const std::string &prompt)
      : terrain_(terrain), dice_(dice), prompt_(prompt), key_(std::to_string(dice.number(prompt)) + " ") {}

  std::string initial(std::size_t count) const;
  std::string extend(std::size_t most) const;
  std::string crossover() const;
  std::string translation() const;
  std::string refinement() const;
  std::string diagnosis() const {
    return block({{"cupilot_answer", 1}, {"cause", "a flaw"}, {"fix", "remove it"}});
  }
  std::string edits() const;
  std::string alignment() const;

private:
  double belief(const Moves &base, const Moves &added) const;
  bool seems_possible(const Moves &moves) const;
  std::vector<std::string> by_belief(const Moves &base, const Moves &without) const;
  std::string variant(const std::optional<Shown> &base, const Moves &added) const;
  std::string written(const Moves &moves, const std::optional<Shown> &base, const std::string &flaw) const;
  static std::string strategies(const Json &list) {
    return block({{"cupilot_answer", 1}, {"strategies", list}});
  }
  static std::string refusal(const std::string &reason) {
    return block({{"cupilot_answer", 1}, {"refused", Json::array({{{"reason", reason}}})}});
  }

  const Terrain &terrain_;
  const Dice &dice_;
  const std::string &prompt_;
  std::string key_;  ///< makes chance the question's own
};

Moves both(Moves one, const Moves &other) {
  one.insert(other.begin(), other.end());
  return one;
}

/// Speed-up over the base it expects.
double Answering::belief(const Moves &base, const Moves &added) const {
  const Moves all = both(base, added);
  const auto known = [&](const std::string &move) {
    return std::ranges::find(terrain_.moves, move) != terrain_.moves.end();
  };
  // Of what it does not know to be useless or impossible it expects a little.
  double log = 0.1;
  if (std::ranges::all_of(all, known) && terrain_.possible(all) && terrain_.possible(base))
    log = std::log(terrain_.structure(all) / terrain_.structure(base));
  for (const std::string &move : added)
    log += kLastingError * dice_.normal("belief " + move) + kPassingError * dice_.normal(key_ + move);
  return std::clamp(std::exp(log), 0.3, 20.0);
}

bool Answering::seems_possible(const Moves &moves) const {
  return terrain_.possible(moves) || !dice_.chance(kSeesTrouble, key_ + join_moves(moves, "+"));
}

/// Moves that are in neither, most promising first, without those that seem impossible.
std::vector<std::string> Answering::by_belief(const Moves &base, const Moves &without) const {
  std::vector<std::pair<double, std::string>> ranked;
  for (const std::string &move : terrain_.moves)
    if (!base.contains(move) && !without.contains(move) && seems_possible(both(base, {move})))
      ranked.emplace_back(-belief(base, {move}), move);
  std::ranges::sort(ranked);
  std::vector<std::string> moves;
  for (const auto &[minus, move] : ranked) moves.push_back(move);
  return moves;
}

/// About half of the retrieved ones, in their order and without most of what does not fit; then its own.
std::string Answering::initial(std::size_t count) const {
  Json list = Json::array();
  Moves used;
  const auto add = [&](Moves moves, const std::vector<std::string> &from) {
    if (!from.empty() && dice_.chance(kTwoAtOnce, key_ + "two " + from.front()))
      if (const auto others = by_belief({}, both(used, moves)); !others.empty()) moves.insert(others.front());
    used = both(used, moves);
    list.push_back(strategy_json(moves, belief({}, moves), from));
  };
  for (const Words &one : strategies_in(prompt_)) {
    if (list.size() >= (count + 1) / 2) break;
    if (one.moves.empty()) continue;
    if (!terrain_.possible(one.moves) || one.moves.begin()->starts_with("off-"))
      if (dice_.chance(kSeesTrouble, key_ + one.id)) continue;
    add(one.moves, {one.id});
  }
  for (const std::string &move : by_belief({}, used)) {
    if (list.size() >= count) break;
    add({move}, {});
  }
  return strategies(list);
}

/// One more step each, not one that is known to have been tried; what only failed is worth a second try as
/// often as not.
std::string Answering::extend(std::size_t most) const {
  const auto shown = strategies_in(prompt_);
  const Moves base = shown.empty() ? Moves{} : shown.front().moves;
  Moves tried;
  for (const std::string &line : split_lines(prompt_))
    if (line.starts_with("- ") &&
        (line.find(": failed") == std::string::npos || dice_.chance(0.5, key_ + line)))
      tried.merge(moves_named(line));
  auto next = by_belief(base, tried);
  if (next.empty()) next = by_belief(base, {});
  Json list = Json::array();
  for (const std::string &move : next)
    if (list.size() < most) list.push_back(strategy_json({move}, belief(base, {move}), {}));
  return strategies(list);
}

/// The first with what the second has over it; where that is nothing, a step further.
std::string Answering::crossover() const {
  const auto shown = strategies_in(prompt_);
  if (shown.size() < 2) return strategies(Json::array());
  Moves child = shown[0].moves;
  for (const std::string &move : shown[1].moves)
    if (seems_possible(both(child, {move}))) child.insert(move);
  if (child == shown[0].moves)
    if (const auto next = by_belief(child, {}); !next.empty()) child.insert(next.front());
  return strategies(Json::array({strategy_json(child, belief({}, child), {shown[0].id, shown[1].id})}));
}

std::string Answering::written(const Moves &moves, const std::optional<Shown> &base,
                               const std::string &flaw) const {
  std::string text = "// rules: " + (moves.empty() ? "plain" : join_moves(moves, " ")) + flaw + "\n";
  for (const std::string &move : moves) {
    const auto knobs = terrain_.knobs.find(move);
    if (knobs == terrain_.knobs.end()) continue;
    for (const MoveKnob &knob : knobs->second) {
      std::string line;
      if (base)
        for (const std::string &known : base->knob_lines)
          if (known.starts_with("constexpr int " + knob.name + " =")) line = known;
      if (line.empty()) {
        line = "constexpr int " + knob.name + " = " +
               std::to_string(knob.values[dice_.below(knob.values.size(), key_ + knob.name)]) + ";  // knob:";
        for (const long long value : knob.values) line += " " + std::to_string(value);
      }
      text += line + "\n";
    }
  }
  return text;
}

std::string Answering::variant(const std::optional<Shown> &base, const Moves &added) const {
  const Moves before = base ? base->moves() : Moves{};
  const Moves all = both(before, added);
  if (!terrain_.possible(all) && dice_.chance(kSeesTrouble, key_ + "refuse"))
    return refusal("a precondition does not hold");
  std::string flaw;
  for (const std::string &move : added)
    if (!before.contains(move) && dice_.chance(terrain_.failure, key_ + "wrong " + move))
      flaw = " " + std::string(kFlawPrefix) +
             std::to_string(dice_.below(kReasons.size(), key_ + "which " + move));
  return block({{"cupilot_answer", 1},
                {"applied", Json::array({"it"})},
                {"summary", added.empty() ? "plain" : join_moves(added, " and ")}}) +
         "```cuda\n" + written(all, base, flaw) + "```\n";
}

std::string Answering::translation() const {
  const auto shown = strategies_in(prompt_);
  if (shown.empty()) return refusal("nothing was asked for");
  for (const std::string &move : shown.front().moves)
    if (move.starts_with("off-")) return refusal("a precondition does not hold");
  return variant(variant_in(prompt_), shown.front().moves);
}

std::string Answering::refinement() const {
  const auto base = variant_in(prompt_);
  if (!base) return variant(base, {});
  const auto next = by_belief(base->moves(), {});
  return next.empty() ? refusal("nothing is left to do") : variant(base, {next.front()});
}

std::string Answering::edits() const {
  const auto shown = variant_in(prompt_);
  std::string head = shown ? shown->head : "";
  if (const auto flaw = head.find(std::string(" ") + kFlawPrefix); flaw != std::string::npos) {
    head.resize(flaw);
    if (!dice_.chance(terrain_.repair, key_ + "repair"))
      head += " " + std::string(kFlawPrefix) + std::to_string(dice_.below(kReasons.size(), key_ + "next"));
  }
  return block({{"cupilot_answer", 1},
                {"edits", Json::array({{{"edit", "replace"}, {"first", 1}, {"last", 1}, {"text", head}}})}});
}

std::string Answering::alignment() const {
  const auto shown = variant_in(prompt_);
  const Moves moves = shown ? shown->moves() : Moves{};
  Json steps = Json::array();
  for (const std::string &move : moves) steps.push_back("apply " + move);
  if (moves.empty()) steps.push_back("as the original");
  return block({{"cupilot_answer", 1},
                {"title", moves.empty() ? "plain" : join_moves(moves, " and ")},
                {"needs", Json::array()},
                {"steps", steps},
                {"effect", "fewer microseconds"},
                {"risk", "may fail"}});
}

/// The first number behind these words, or `otherwise`.
std::size_t number_behind(const std::string &prompt, const std::string &words, std::size_t otherwise) {
  const auto at = prompt.find(words);
  if (at == std::string::npos) return otherwise;
  std::istringstream rest(prompt.substr(at + words.size()));
  std::size_t number = 0;
  return rest >> number ? number : otherwise;
}

}  // namespace

const char *reason_of_flaw(const std::string &flaw) {
  const std::size_t number = std::stoul(flaw.substr(std::string(kFlawPrefix).size()));
  return kReasons[number % kReasons.size()];
}

ProviderAnswer ScriptedModel::answer(const RoleRequest &request) {
  const std::string question = request.prompt_version.substr(0, request.prompt_version.find_first_of(" ,"));
  const Answering answering(terrain_, dice_, request.prompt);
  RoleAnswer answer{.model = "scripted"};
  if (question == "strategist_initial")
    answer.content = answering.initial(number_behind(request.prompt, "best first: ", 8));
  else if (question == "strategist_extend")
    answer.content = answering.extend(number_behind(request.prompt, "Propose at most ", 3));
  else if (question == "strategist_crossover")
    answer.content = answering.crossover();
  else if (question == "translator")
    answer.content = answering.translation();
  else if (question.starts_with("refine") || question == "translator_refine")
    answer.content = answering.refinement();
  else if (question == "revisor_diagnose")
    answer.content = answering.diagnosis();
  else if (question == "revisor_edit")
    answer.content = answering.edits();
  else if (question == "aligner")
    answer.content = answering.alignment();
  else
    return std::unexpected(NoAnswer{.reason = "the scripted model does not know the question " + question});
  return answer;
}

}  // namespace cupilot::landscapes
