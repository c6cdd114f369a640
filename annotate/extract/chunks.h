// SPDX-License-Identifier: Apache-2.0
//
// Finds the top-level declarations of the user's files: their byte ranges and the names they declare.

#pragma once

#include <vector>

#include "annotate/extract/translation_unit.h"

namespace clang {
class FunctionDecl;
}

namespace cupilot::extract {

/// A function or function template at namespace scope, and where it is.
struct FunctionPlace {
  const clang::FunctionDecl *function = nullptr;  ///< for a template: its pattern
  bool is_template = false;
  ChunkId chunk;       ///< index into the final, sorted chunks
  unsigned begin = 0;  ///< byte offset in the file where the function itself begins
};

/// Fills `unit.text.files[*].chunks` and returns the functions among them in source order.
std::vector<FunctionPlace> find_chunks(ParsedUnit &unit);

}  // namespace cupilot::extract
