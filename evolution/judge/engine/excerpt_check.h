// SPDX-License-Identifier: Apache-2.0
//
// A workload that is too large to be executed whole is checked by excerpts: what blocks of the candidate
// write at its own size is compared with what the original's blocks write there, and what all its blocks
// together write and read with what the original's do.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evolution/judge/engine/excerpt_answer.h"
#include "evolution/judge/engine/judging.h"
#include "evolution/judge/engine/original_process.h"
#include "evolution/judge/launches/excerpt.h"

namespace cupilot::judge::engine {

/// Excerpts of the original, in a process of its own that starts when it is first asked.
class OriginalExcerpts {
public:
  struct Excerpt {
    launches::Excerpt what;
    std::vector<std::byte> values;  ///< of the pieces, one after the other
  };
  /// All arguments must outlive this object.
  OriginalExcerpts(const Engine &engine, const model::Bundle &bundle, const cases::Plan &plan,
                   const tools::Built &built)
      : process_(engine, bundle, plan), built_(built) {}

  /// What the original reads and writes on this case as a whole.
  Result<launches::Excerpt> whole(const RunOrder &order);
  /// The blocks that write these pieces; some blocks where there are none.
  Result<Excerpt> pieces(const RunOrder &order, const std::vector<launches::Piece> &wanted);

private:
  OriginalProcess process_;
  const tools::Built &built_;
  bool started_ = false;
  std::map<std::size_t, launches::Excerpt> whole_;  ///< by case index
};

/// `seen`, `values`: the candidate's excerpt of the case that `order` names.
ExcerptAnswer check_excerpt(const Judging &judging, const RunOrder &order, const launches::Excerpt &seen,
                            const std::vector<std::byte> &values);

/// Whether the candidate writes less than all of an output, or reads so little that it cannot be right. Pure.
ExcerptAnswer check_traffic(const model::Bundle &bundle, const cases::CaseLayout &layout,
                            const launches::Excerpt &original, const launches::Excerpt &candidate);

std::uint64_t bytes_of(const std::vector<launches::Piece> &pieces);

}  // namespace cupilot::judge::engine
