// SPDX-License-Identifier: Apache-2.0
//
// A run of `sce` with a scripted model on a small landscape, in which everything happens that can: variants
// that are wrong and are mended, some that are not, answers that cannot be used the first time, a refusal, a
// provider that fails once.

#pragma once

#include "evolution/search/recorded_judge.h"
#include "evolution/search/recording_of.h"
#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace provider;
using namespace search;
using namespace spec;
using namespace store;

inline Terrain ridges(const Point &point) {
  if (point.has("beta") && !point.has("mended")) return {VerdictKind::wrong, 0, "y differs at 17"};
  if (point.has("delta")) return {VerdictKind::build_failed, 0, "too many registers"};
  double speedup = 0.9;
  if (point.has("alpha")) speedup *= 1.5;
  if (point.has("gamma")) speedup *= 1.3;
  if (point.has("mended")) speedup *= 1.1;
  if (point.has("alpha") && point.has("gamma")) speedup *= 1.2;
  return speed(speedup);
}

inline void set_up_model_run(Playground &ground) {
  ground.spec.slice = "__global__ void k(float *y) { y[0] = 1; }\n";
  ground.spec.facts = {.known = true, .stores = true};
  ground.settings.policy = "sce";
  ground.settings.options.population = 5;
  ground.settings.options.generations = 3;
  ground.settings.options.epochs = 2;
  ground.settings.budget.candidates = 40;
}

/// The first answer to every third question cannot be used.
inline void set_up_model(ScriptedModel &model) {
  model.ideas = {"alpha", "beta", "gamma", "delta", "epsilon"};
  model.script = [](const Shown &shown) -> std::optional<std::string> {
    const bool again = shown.says("Your last answer could not be used");
    if (shown.kind == "translator" && shown.says("title: epsilon"))
      return refusal_answer("no such loop here");
    if (!again && sha256(shown.text())[0] % 3 == 0) return "I would rather not.";
    if (shown.kind == "revisor_edit") {
      const std::string line = shown.after("// rules: ");
      if (!line.empty()) return edit_answer("// rules: " + line + " mended");
      if (const auto at = shown.prompt.find("// rules: "); at != std::string::npos) {
        const auto begin = at + std::string("// rules: ").size();
        return edit_answer("// rules: " + shown.prompt.substr(begin, shown.prompt.find('\n', begin) - begin) +
                           " mended");
      }
    }
    return std::nullopt;
  };
}

/// Played once without any disturbance: what a replay works with.
struct RecordedRun {
  RecordedRun() {
    set_up_model(model);
    set_up_model_run(ground);
    ground.model = &model;
    outcome = ground.run().value();
    auto database = Database::open(ground.folder.path() / "run.db").value();
    recording = recording_of(database, 1).value();
  }
  ScriptedModel model;
  Playground ground{{}, ridges};
  TuneOutcome outcome;
  Recording recording;
};

/// The recording's verdicts; cases, for publishing only, without the workloads the small spec lacks.
class ReplayedLandscape final : public BatchJudge {
public:
  ReplayedLandscape(const Recording &recording, const KernelSpec &spec) : judge_(recording, spec) {}
  Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) override {
    return judge_.judge(batch, events);
  }
  Result<std::vector<Case>> cases(const judge::cases::Draw &, bool) override { return std::vector<Case>{}; }

private:
  RecordedJudge judge_;
};

}  // namespace cupilot
