// SPDX-License-Identifier: Apache-2.0
//
// A kernel and variants of it of which one knows whether they keep the original's precision.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/bundle.h"

namespace cupilot {
using namespace model;
using namespace spec;

struct PrecisionCandidate {
  std::string id;
  bool honest = true;
  std::string variant;
};

/// One bundle: `cases` are judged with the families they name.
struct PrecisionSubject {
  std::string name;
  KernelSpec spec;
  std::vector<Case> cases;
  std::vector<PrecisionCandidate> candidates;
};

/// Matrix product with a sum of `length` terms; every output element one serial sum.
PrecisionSubject gemm_subject(int length);
/// Row variance in two passes.
PrecisionSubject variance_subject();
/// expf and a product, element by element.
PrecisionSubject elementwise_subject();

}  // namespace cupilot
