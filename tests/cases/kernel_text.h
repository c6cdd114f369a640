// SPDX-License-Identifier: Apache-2.0
//
// Kernels in the text of a test, through the real extractor.

#pragma once

#include <gtest/gtest.h>

#include "annotate/extract/extract.h"
#include "annotate/support/text.h"

namespace cupilot {
using namespace extract;
using namespace spec;

inline CodeFacts facts_of(const std::string &text) {
  const CompileCommand command{.folder = "/", .compiler = "nvcc", .flags = {"-std=c++17"}};
  const auto facts = facts_of_text(command, text);
  EXPECT_TRUE(facts) << facts.error().message;
  return facts ? *facts : CodeFacts{};
}

/// A kernel of this body: pointers as "x y:int", float unless said, and the usual sizes.
inline std::string kernel_with(const std::string &pointers, const std::string &body) {
  std::string text = "__global__ void kernel(";
  for (const std::string &word : split(pointers, ' '))
    text += (word.ends_with(":int") ? "int *" : "float *") + word.substr(0, word.find(':')) + ", ";
  return text + "int n, int w, int h, int nx, int rows, int cols, int M, int N, int K, float a) {\n" + body +
         "\n}\n";
}

}  // namespace cupilot
