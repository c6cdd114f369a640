// SPDX-License-Identifier: Apache-2.0
//
// Lexical pruning: from the whole text with user headers inlined, keep the kernel's declaration and,
// transitively, every declaration whose name occurs in kept text, and every preprocessor line.
// Over-approximate on purpose: overloads, dependent names and both sides of `#if __CUDA_ARCH__` come out
// right without analysis.

#pragma once

#include "annotate/extract/unit_text.h"

namespace cupilot {

struct SliceRequest {
  ChunkId kernel;
  std::vector<std::string> mentioned;  ///< identifiers of template arguments
  std::string appended;                ///< explicit instantiation, put at the end
};

struct Slice {
  std::string text;
  std::set<ChunkId> kept;
  std::set<std::string> mentioned;  ///< identifiers of everything kept
  /// Tokens of the kept declarations and the definitions of macros they use: equal for sources that differ
  /// only in comments, formatting and other declarations.
  std::vector<std::string> identity;
};

Slice cut_slice(const UnitText &unit, const SliceRequest &request);

/// Explicit instantiations are no declarations for the parser; left in, they would keep what they name. Adds
/// a nameless chunk for each to `file`, whose other chunks must be there already.
void add_explicit_instantiations(UnitFile &file);

}  // namespace cupilot
