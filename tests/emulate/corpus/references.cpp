// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {

Reference reference(std::string_view name) {
  for (const auto *table :
       {&kReductions, &kMatrices, &kStencils, &kAtomics, &kModels, &kLanguage, &kAlgorithms})
    for (const NamedReference &one : *table)
      if (one.name == name) return one.run;
  return nullptr;
}

}  // namespace cupilot::corpus
