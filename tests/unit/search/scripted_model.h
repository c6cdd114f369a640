// SPDX-License-Identifier: Apache-2.0
//
// A model that answers every role by script and records what each was shown, for searches on a landscape
// (landscape.h). Left to itself it names rules: a strategy's title is a list of them, a variant has those of
// its base and those of its strategy, a child the rules of both parents. Tests replace single answers.

#pragma once

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "evolution/search/breeder.h"
#include "evolution/search/kernel_brief_of.h"
#include "evolution/search/policy.h"
#include "tests/unit/search/landscape.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace provider;
using namespace role;
using namespace search;
using namespace spec;
using namespace store;

/// One question, and what was answered.
struct Shown {
  std::string role;  ///< "translator"
  std::string kind;  ///< the prompt's name: "strategist_initial", "revisor_edit"
  std::string prefix, prompt, answer;

  std::string text() const { return prefix + prompt; }
  bool says(const std::string &words) const { return text().find(words) != std::string::npos; }
  /// Of the first line that begins like this, what follows; empty without one.
  std::string after(const std::string &begin) const { return after_last(begin, 1); }
  /// Of the n-th such line.
  std::string after_last(const std::string &begin, int which) const {
    for (const std::string &line : split_lines(prompt))
      if (line.starts_with(begin) && --which == 0) return line.substr(begin.size());
    return {};
  }
};

inline std::string fenced_json(const nlohmann::json &object) {
  return "```json\n" + object.dump() + "\n```\n";
}
inline std::string fenced_code(const std::string &code) {
  return "```cuda\n" + code + "```\n";
}
inline nlohmann::json strategy_json(const std::string &title, const std::vector<std::string> &from = {},
                                    const std::vector<std::string> &needs = {}) {
  return {{"title", title}, {"from", from}, {"needs", needs}, {"steps", {"do " + title}},
          {"effect", ""},   {"risk", ""},   {"gain", 1.5},    {"conflicts", nlohmann::json::array()}};
}
inline std::string strategies_answer(const std::vector<nlohmann::json> &strategies) {
  return fenced_json({{"cupilot_answer", 1}, {"strategies", strategies}});
}
inline std::string variant_answer(const std::string &variant, const std::string &summary = "did it") {
  return fenced_json({{"cupilot_answer", 1}, {"applied", {"it"}}, {"summary", summary}}) +
         fenced_code(variant);
}
inline std::string refusal_answer(const std::string &reason) {
  return fenced_json({{"cupilot_answer", 1}, {"refused", {{{"reason", reason}}}}});
}
inline std::string diagnosis_answer(const std::string &cause, const std::string &fix = "mend it") {
  return fenced_json({{"cupilot_answer", 1}, {"cause", cause}, {"fix", fix}});
}
/// Another first line: the rules.
inline std::string edit_answer(const std::string &first_line) {
  return fenced_json({{"cupilot_answer", 1},
                      {"edits", {{{"edit", "replace"}, {"first", 1}, {"last", 1}, {"text", first_line}}}}});
}
inline std::string aligned_answer(const std::string &title, const std::vector<std::string> &steps) {
  return fenced_json({{"cupilot_answer", 1},
                      {"title", title},
                      {"needs", nlohmann::json::array()},
                      {"steps", steps},
                      {"effect", ""},
                      {"risk", ""}});
}

/// Words, each once, in the order they come.
inline std::string united(const std::string &one, const std::string &other) {
  std::vector<std::string> words;
  std::istringstream in(one + " " + other);
  for (std::string word; in >> word;)
    if (std::ranges::find(words, word) == words.end()) words.push_back(word);
  return join(words, " ");
}

class ScriptedModel final : public Provider {
public:
  std::vector<std::string> ideas{"alpha", "beta", "gamma"};  ///< titles of the first strategies
  /// Answers of the test's own; nullopt: what the model says left to itself.
  std::function<std::optional<std::string>(const Shown &)> script;
  std::vector<Shown> shown;
  std::function<void()> after_answer;
  std::string called = "script 1";

  std::string name() const override { return "scripted"; }
  std::string model() const override { return called; }
  bool costly() const override { return true; }
  Spending at_most(const RoleRequest &) const override { return {.tokens_in = 10, .tokens_out = 10}; }

  ProviderAnswer answer(const RoleRequest &request) override {
    Shown question{request.role,
                   request.prompt_version.substr(0, request.prompt_version.find_first_of(" ,")),
                   request.prefix,
                   request.prompt,
                   {}};
    std::optional<std::string> text = script ? script(question) : std::nullopt;
    question.answer = text ? *text : own_answer(question);
    shown.push_back(question);
    if (after_answer) after_answer();
    return RoleAnswer{
        .content = question.answer, .model = called, .spent = {.tokens_in = 7, .tokens_out = 3}};
  }

  std::vector<std::string> kinds() const {
    std::vector<std::string> all;
    for (const Shown &one : shown) all.push_back(one.kind);
    return all;
  }
  std::vector<Shown> of(const std::string &kind) const {
    std::vector<Shown> some;
    for (const Shown &one : shown)
      if (one.kind == kind) some.push_back(one);
    return some;
  }

private:
  std::string own_answer(const Shown &question) const {
    if (question.kind == "strategist_initial") return first_ideas();
    if (question.kind == "strategist_crossover")
      return strategies_answer(
          {strategy_json(united(question.after_last("title: ", 1), question.after_last("title: ", 2)))});
    if (question.kind == "translator")
      return variant_answer("// rules: " + united(question.after("// rules: "), question.after("title: ")) +
                            "\n");
    if (question.kind == "refine")
      return variant_answer(
          "// rules: " + united(question.after("// rules: "), "step" + std::to_string(refined())) + "\n");
    if (question.kind == "revisor_diagnose") return diagnosis_answer("it is broken");
    if (question.kind == "critic")
      return fenced_json({{"cupilot_answer", 1}, {"issue", "it is broken"}, {"why", ""}, {"fix", "mend it"}});
    if (question.kind == "revisor_edit") return edit_answer("// rules: mended");
    if (question.kind == "aligner")
      return aligned_answer(question.after("title: "), {"ALIGNED to " + question.after("// rules: ")});
    if (question.role == "analyst")
      return fenced_json({{"cupilot_answer", 1},
                          {"roofline_class", "memory-bound"},
                          {"digest", {"DIGEST"}},
                          {"roof_share", 0.4}});
    return "no script for " + question.kind;
  }
  std::string first_ideas() const {
    std::vector<nlohmann::json> strategies;
    for (const std::string &title : ideas) strategies.push_back(strategy_json(title));
    return strategies_answer(strategies);
  }
  std::size_t refined() const { return of("refine").size(); }
};

/// Passes on to a landscape and remembers what was asked for.
class WatchedJudge final : public BatchJudge {
public:
  explicit WatchedJudge(BatchJudge &judge) : judge_(judge) {}
  std::vector<Batch> batches;
  std::function<void(Verdict &)> change;  ///< what the landscape does not say

  Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) override {
    batches.push_back(batch);
    Changing changing(events, change);
    return judge_.judge(batch, changing);
  }
  Result<std::vector<Case>> cases(const judge::cases::Draw &draw, bool finalist) override {
    return judge_.cases(draw, finalist);
  }

private:
  struct Changing final : JudgeEvents {
    Changing(JudgeEvents &events, const std::function<void(Verdict &)> &how) : to(events), change(how) {}
    void built(const std::string &candidate, double seconds) override { to.built(candidate, seconds); }
    void verdict(const Verdict &verdict) override {
      Verdict changed = verdict;
      if (change) change(changed);
      to.verdict(changed);
    }
    JudgeEvents &to;
    const std::function<void(Verdict &)> &change;
  };
  BatchJudge &judge_;
};

/// One search with a model, from the inside: everything a policy gets, to be looked at afterwards.
struct Stage {
  explicit Stage(FakeJudge::Landscape landscape, std::vector<FakeRule> pool_rules = {})
      : ground(std::move(pool_rules), std::move(landscape)) {
    ground.spec.slice = "__global__ void k(float *y) { y[0] = 1; }\n";
    ground.spec.facts = {.known = true, .stores = true};
    set_options({});
  }

  void set_options(WorkshopSettings options) {
    const TuneSettings &settings = ground.settings;
    info = {.kernel = "k", .kernel_id = "kid", .workload_id = "wid", .architecture = "sm_90", .policy = "p"};
    if (!database) database.emplace(Database::open(ground.folder.path() / "run.db").value());
    run = database->begin_run(info).value();
    providers.emplace(ground.provider, model);
    const TuneCollaborators with{*database,    executor,         *providers,  ground.pool,
                                 ground.clock, *ground.progress, ground.stop, ground.history};
    ledger.emplace(settings.budget, Spending{});
    rules.emplace([this](const std::string &) -> Provider & { return providers->rules(); }, *database, run,
                  *ledger);
    models.emplace([this](const std::string &role) -> Provider & { return providers->of(role); }, *database,
                   run, *ledger);
    breeder.emplace(ground.spec, with, *rules);
    evaluator.emplace(
        SearchIdentity{.kernel = "k",
                       .key = {.kernel_id = "kid", .workload_id = "wid", .architecture = "sm_90"},
                       .run = run},
        settings, with, judge);
    brief = kernel_brief_of(ground.spec, settings.architecture, settings.options);
    workshop.emplace(brief, settings, options, *models, *evaluator);
  }
  /// As search.cpp wires it, from ground.settings and ground.spec as they are now.
  Result<void> play(PolicyFunction policy) {
    const PolicySettings &options = ground.settings.options;
    set_options({.critic = options.critic, .show_profile = options.guidance});
    return play_on(policy);
  }
  /// After what was judged already.
  Result<void> play_on(PolicyFunction policy) {
    PolicyContext context{ground.spec, ground.settings, ground.pool, ground.history, *rules,
                          *models,     *breeder,        *evaluator,  *workshop,      facts_of};
    return policy(context);
  }
  const Evaluated *judged(const std::string &variant, std::vector<std::string> strategies = {"before"},
                          const std::string &text = "") {
    Individual individual;
    individual.variant = variant;
    individual.strategy_text = text;
    individual.strategies = std::move(strategies);
    return evaluator->judge({.name = "before", .individuals = {individual}, .seed = 1})->at(0);
  }
  std::vector<std::size_t> batch_sizes() const {
    std::vector<std::size_t> sizes;
    for (const Batch &batch : judge.batches) sizes.push_back(batch.individuals.size());
    return sizes;
  }

  Playground ground;
  ScriptedModel model;
  NoExecutor executor;
  WatchedJudge judge{ground.judge};
  RunInfo info;
  std::int64_t run = 0;
  std::optional<Database> database;
  std::optional<Providers> providers;
  std::optional<Ledger> ledger;
  std::optional<RoleCaller> rules, models;
  std::optional<Breeder> breeder;
  std::optional<Evaluator> evaluator;
  KernelBrief brief;
  std::function<CodeFacts(const std::string &variant)> facts_of = {};
  std::optional<Workshop> workshop;
};

inline Strategy strategy_titled(const std::string &id, const std::string &title) {
  Strategy strategy;
  strategy.id = id;
  strategy.title = title;
  strategy.steps = {"do " + title};
  return strategy;
}

}  // namespace cupilot
