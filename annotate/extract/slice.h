// SPDX-License-Identifier: Apache-2.0
//
// Cuts a slice by lexical pruning. The input is the whole text with user headers inlined. The slice keeps the
// kernel's declaration, every declaration whose name occurs in kept text (transitively), and every
// preprocessor line. This deliberately keeps too much. Overloads, dependent names and both sides of
// `#if __CUDA_ARCH__` are then right without analysis.

#pragma once

#include "annotate/extract/unit_text.h"

namespace cupilot::extract {

struct SliceRequest {
  ChunkId kernel;
  std::vector<std::string> mentioned;  ///< identifiers in the template arguments
  std::string appended;                ///< the explicit instantiation, added at the end
};

struct Slice {
  std::string text;
  std::set<ChunkId> kept;
  std::set<std::string> mentioned;  ///< identifiers in everything that is kept
  /// Tokens of the kept declarations and of the macros they use. They are equal for sources that differ only
  /// in comments, formatting and other declarations.
  std::vector<std::string> identity;
};

Slice cut_slice(const UnitText &unit, const SliceRequest &request);

/// Adds a chunk without a name to `file` for each explicit instantiation. Clang reports no declaration for
/// these, and without a chunk they would keep everything they name. All other chunks must be there already.
void add_explicit_instantiations(UnitFile &file);

}  // namespace cupilot::extract
