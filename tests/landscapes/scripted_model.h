// SPDX-License-Identifier: Apache-2.0
//
// Plays a model that knows the landscape a little: it answers strategist, translator, revisor and aligner in
// the real formats, from the real prompts and nothing else. What it believes of a move is the truth times an
// error (25 % that stays, 15 % that differs from question to question); what it writes is wrong as often as
// the landscape says, and so is what it mends. The same question has the same answer.

#pragma once

#include <string>

#include "evolution/provider/provider.h"
#include "tests/landscapes/dice.h"
#include "tests/landscapes/terrain.h"

namespace cupilot::landscapes {
using namespace cupilot::provider;

class ScriptedModel final : public Provider {
public:
  explicit ScriptedModel(const Terrain &terrain) : terrain_(terrain), dice_(terrain.seed) {}
  std::string name() const override { return "scripted"; }
  bool costly() const override { return true; }
  ProviderAnswer answer(const RoleRequest &request) override;

private:
  const Terrain &terrain_;
  Dice dice_;
};

/// Words of a variant that is broken in one of a dozen ways, and what the judge says of each.
inline constexpr const char *kFlawPrefix = "flaw-";
const char *reason_of_flaw(const std::string &flaw);

}  // namespace cupilot::landscapes
