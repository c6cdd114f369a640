// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "evolution/role/kernel_brief.h"
#include "prompt_texts.h"

namespace cupilot {
using namespace role;

/// A prompt's text as it is built in.
inline std::string_view prompt_text(std::string_view name) {
  return std::ranges::find(kPromptTexts, name, &PromptText::name)->text;
}

inline KernelBrief norm_brief() {
  return {.kernel = "row_norm",
          .source = "__global__ void row_norm(const float *x, float *y, int rows, int cols) {}\n",
          .signature = "bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols)",
          .launch_header = "namespace cupilot { class Launch; }\n",
          .precision = "same: nothing narrower",
          .assumptions = {"cols % 4 == 0"},
          .workloads = {{.id = "large",
                         .sizes = "rows = 8192, cols = 2048",
                         .launch = "grid 128 x 1 x 1, block 64 x 1 x 1, 0 bytes of shared memory",
                         .buffers = {"in x: 16777216 float, 67 MB"}}},
          .architecture = "sm_90",
          .device = {"132 multiprocessors"}};
}

inline const std::string &end_of_question() {
  static const std::string mark = "How to answer";
  return mark;
}

}  // namespace cupilot
