// SPDX-License-Identifier: Apache-2.0
//
// Top-level declarations of the user's files as byte ranges with the names they declare.

#pragma once

#include <vector>

#include "annotate/extract/translation_unit.h"

namespace clang {
class FunctionDecl;
}

namespace cupilot {

/// A function or function template at namespace scope, where it stands.
struct FunctionPlace {
  const clang::FunctionDecl *function = nullptr;  ///< the pattern, if a template
  bool is_template = false;
  ChunkId chunk;       ///< index into the final, sorted chunks
  unsigned begin = 0;  ///< of its own range in the file
};

/// Fills `unit.text.files[*].chunks` and returns the functions in them, in the order of the text.
std::vector<FunctionPlace> find_chunks(ParsedUnit &unit);

}  // namespace cupilot
