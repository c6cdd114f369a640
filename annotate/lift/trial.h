// SPDX-License-Identifier: Apache-2.0
//
// Statements that change two or three variables, tried on numbers: whichever way they are written, what they
// compute shows. Pure.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::lift {

/// Equal structure over the same variables, calls included.
bool alike(const rewrite::Node &left, const rewrite::Node &right);
/// A constant as a number, -INFINITY and its like included.
std::optional<double> number_of(const rewrite::Node &node);

/// Whether a node is one at all.
inline bool is_there(const rewrite::Node &node) {
  return node.kind != rewrite::Kind::none;
}

/// What such statements do to two or three variables that belong together, given as many others.
struct Meaning {
  /// `place`: the largest value and where it is. `exponentials`: the largest value and the sum of
  /// exponentials of how far values are below it (online normaliser, Milakov and Gimelshein 2018). `moments`:
  /// how many values, their mean and the sum of squares around it (Welford 1962; Chan, Golub and LeVeque
  /// 1979).
  enum class Kind : unsigned char { place, exponentials, moments };
  Kind kind = Kind::place;
  bool largest = true;  ///< false: the smallest
  /// Of equal values the one that was there stays; false: the one whose place is smaller.
  bool strict = true;
  /// Of exponentials: two that have seen nothing, or nothing but -INFINITY, make NaN together.
  bool poisons = false;
  rewrite::Node value, other, squares;  ///< what changes; of moments the number, the mean and the squares
  /// The value that comes in, or the number of values; its place, or the sum that it stands for, or the mean,
  /// where there is one; and the squares.
  rewrite::Node from, from_other, from_squares;
  rewrite::Node exponential;  ///< a call of the function that is used
};

/// What the statements do, where it can be said: nothing but declarations, assignments and branches that give
/// two or three variables or elements of arrays other values. Orders are tried with all there are of two
/// pairs, NaN included; exponentials with numbers of several sizes and what a thread has that has seen
/// nothing.
std::optional<Meaning> meaning_of(std::span<const rewrite::Node> statements);

}  // namespace cupilot::lift
