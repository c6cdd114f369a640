// SPDX-License-Identifier: Apache-2.0
//
// What the fake worker says of a variant. Rules stand in its text, one a line:
//
//   // fake: speedup 1.5            factors of several rules multiply; > 1 is faster, < 1 slower, 1 same
//   // fake: knob kThreads 64=0.9 256=1.4     the factor for the value the knob has
//   // fake: wrong element 3 differs          any other verdict kind, with its reason
//   // fake: die                    the worker itself dies before the verdict is written; `die once`: the
//   first time only
//   // fake: half                   it dies with half a verdict file written
//   // fake: hang                   it says nothing any more
//   // fake: silent                 the candidate gets no verdict
//
// For variants one cannot write into, CUPILOT_FAKE_RULES names a file of lines `SUBSTRING => RULE`.

#pragma once

#include <string>
#include <vector>

#include "evolution/model/verdict.h"

namespace cupilot::fake {
using namespace cupilot::model;

enum class Fate { judged, dies, dies_once, dies_half, hangs, silent };

struct Answer {
  Fate fate = Fate::judged;
  VerdictKind kind = VerdictKind::same;
  std::string reason;
  double speedup = 1;
};

Answer answer_for(const std::string &variant, const std::string &rules_file);

}  // namespace cupilot::fake
