// SPDX-License-Identifier: Apache-2.0
//
// Field descriptions (annotate/support/fields.h) of diagnostics.

#pragma once

#include "annotate/support/diagnostic.h"
#include "annotate/support/fields.h"

namespace cupilot {

constexpr auto fields_of(const SourcePlace *) {
  using S = SourcePlace;
  return fields(field("file", &S::file), field("line", &S::line), later("column", &S::column));
}
constexpr auto fields_of(const Diagnostic *) {
  using S = Diagnostic;
  return fields(field("severity", &S::severity), field("place", &S::place), field("message", &S::message),
                later("source_line", &S::source_line), later("remedy", &S::remedy));
}

}  // namespace cupilot
