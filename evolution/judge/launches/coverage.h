// SPDX-License-Identifier: Apache-2.0
//
// Which code of a variant the judged runs have executed, and which of its conditions they have seen both
// ways. Places are lines and columns of the variant's text (variant.cuh); code of other files is left out.
// One place stands for all copies that a compiler makes of it (unrolled, inlined, instantiated). Whoever runs
// the code collects: the emulated device the kernels, the recorder the host side. What is told to a person is
// made here. Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::judge::launches {

enum class CodeSide { host, device };

/// A place of the text from which code was made. A collector leaves out code that only leaves the variant
/// without doing anything (`return false;`) and what a failed assertion runs: they need not be executed.
struct CodeSpot {
  CodeSide side = CodeSide::device;
  std::uint32_t line = 0, column = 0;  ///< column 0: unknown
  bool executed = false;
};

/// What a condition's truth means. Compilers turn comparisons round, so that machine code of `a < b` and of
/// `a >= b` looks the same: such a condition is only known to be decided one way or the other.
enum class TestKind { truth, equality, order };

/// A condition: of a branch, of a value that is chosen, of an instruction that some threads skip.
struct Condition {
  CodeSide side = CodeSide::device;
  std::uint32_t line = 0, column = 0;  ///< column 0: unknown
  TestKind test = TestKind::truth;
  bool seen_true = false, seen_false = false;
  /// Nothing is missed when this way is not seen: it does nothing, or its code has spots that tell. A way
  /// counts as idle when it is idle in every copy.
  bool idle_true = false, idle_false = false;
  /// Of the host side: it asks for one number or a few, and where an unseen answer leads has no line of its
  /// own.
  bool untold = false;
  /// Decided by floating data, or by the bits of a floating number: library functions do that, too, and only
  /// the text tells whether the variant does (evolution/judge/engine/own_conditions.h).
  bool data = false;
  std::vector<std::int64_t> integers{};  ///< constants that it compares with, ascending
  std::vector<double> reals{};           ///< ascending; finite
  bool both() const { return seen_true && seen_false; }
};

/// The least constants that single sizes out, of an order and of an equality. Smaller ones belong to loops
/// that a compiler unrolled as well, and sizes below them are drawn often.
inline constexpr std::int64_t kLeastThreshold = 256, kLeastSingle = 8;

/// Spots: each place once. Conditions: each place, test and constants once, since compilers give all
/// conditions of a statement one place. Sorted; add() and merge() keep that order.
struct Coverage {
  std::vector<CodeSpot> spots;
  std::vector<Condition> conditions;
  /// Why one side is not known: "device: the GPU does not tell which code it executes". Empty: both are.
  std::vector<std::string> unknown;
  bool empty() const { return spots.empty() && conditions.empty() && unknown.empty(); }
};

/// Whether a comparison with the condition's constants singles something out. Of the host side nothing else
/// counts: signs, small counts and declines lead to code of their own, whose spots tell.
bool singles_out(const Condition &condition);

void add(Coverage &all, const CodeSpot &spot);
void add(Coverage &all, const Condition &condition);
/// Executed or seen in one of the two is executed or seen.
void merge(Coverage &all, const Coverage &one);

/// What a variant may not leave uncovered: spots that were never executed, and conditions of which a way that
/// does something was not seen. A test for equality with a constant other than 0 and 1 counts whatever its
/// other way does. A condition of the host side counts when it singles something out, or nothing else tells.
Coverage gaps_of(const Coverage &coverage);

/// Figures for verdicts and tables. A line is covered when all its spots are.
struct CoverageFigures {
  std::size_t lines = 0, lines_covered = 0, conditions = 0, conditions_covered = 0;
  bool whole() const { return lines == lines_covered && conditions == conditions_covered; }
};
CoverageFigures figures_of(const Coverage &coverage);

/// "variant.cuh:12: never executed", once a line; "variant.cuh:14: never false, compared with 160".
std::string text_of(const CodeSpot &spot);
std::string text_of(const Condition &condition);
/// The text of everything that is not covered, by line.
std::vector<std::string> uncovered(const Coverage &coverage);

}  // namespace cupilot::judge::launches
