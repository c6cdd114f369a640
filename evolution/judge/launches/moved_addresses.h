// SPDX-License-Identifier: Apache-2.0
//
// The same question with buffers elsewhere. What a host side queues may depend on the alignment of buffers
// and on whether they overlap, but not on where they lie: programs have other addresses than the judge.

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot::judge::launches {

/// `together`: all distances stay. `apart`: each buffer goes somewhere else, far from all others; pointers
/// that are equal stay equal, and buffers that overlap do so as before. `apart_backwards`: the same, in the
/// opposite order. `side_by_side`: in any order with less than 4 KiB between them, as in a program with a
/// pool of its own.
enum class Move { none, together, apart, apart_backwards, side_by_side };

class MovedAddresses {
public:
  /// `chance` chooses the places. Addresses keep their alignment up to 2 MiB, side by side up to 256 bytes;
  /// null stays null. Where the sizes of buffers are not known, they go apart in place of side by side.
  MovedAddresses(const RecordQuestion &question, Move move, std::uint64_t chance);

  const RecordQuestion &question() const { return question_; }
  /// The answer to question() with every moved address put back, as far as `original`, the answer to the
  /// original question, has an address there.
  LaunchList put_back(LaunchList answer, const LaunchList &original) const;

private:
  using Places = std::map<std::uint64_t, std::uint64_t>;  ///< address -> where it goes
  static void send_apart(Places &places, const std::map<std::uint64_t, std::uint64_t> &bytes, Move move,
                         std::uint64_t chance);
  static void send_side_by_side(Places &places, const std::map<std::uint64_t, std::uint64_t> &bytes,
                                std::uint64_t chance);
  bool moved(std::uint64_t from, std::uint64_t to) const;

  RecordQuestion question_;
  std::vector<std::uint64_t> distances_;  ///< modulo 2^64
};

}  // namespace cupilot::judge::launches
