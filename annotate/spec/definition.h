// SPDX-License-Identifier: Apache-2.0
//
// A kernel in the user's text, annotated or not: what `cupilot profile` shows, and where its pragma goes.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/diagnostic.h"
#include "annotate/support/result.h"

namespace cupilot::spec {

struct Definition {
  std::string name;       ///< qualified, without template arguments
  SourcePlace place;      ///< of its name, as KernelSpec::place has it
  SourcePlace beginning;  ///< of the declaration, 'template' included; the file is absolute
  bool annotated = false;
  std::string problem;  ///< why a spec could not be made, or not of all instantiations
};

std::string to_json(const Definition &definition);
Result<Definition> definition_from_json(std::string_view text);

}  // namespace cupilot::spec
