// SPDX-License-Identifier: Apache-2.0
//
// One operand of a tiled product: the functions that give its elements, and how a block's threads bring a
// tile of it into shared memory. Where an element's place among the outputs or in the sum is several axes,
// it is taken apart once: places by each thread before the sum, terms by a few threads a step ahead.

#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/contraction.h"

namespace cupilot::schedule {

class TileOperand {
public:
  using Axes = std::vector<const spec::Statement *>;

  /// How a tile comes into shared memory: through registers, or by asynchronous copies of words that stand
  /// for elements, from `$left_parts`, where each has the place of its element in `buffer()`.
  enum class Way : unsigned char { registers, copies };

  /// `whole`: some kernel is written for tiles that nothing reaches beyond; `lies_along_sum`: elements of a
  /// row of the tile in shared memory are neighbours in the sum, not among the outputs.
  TileOperand(const spec::KernelSpec &spec, const Contraction &form, bool is_left, bool whole,
              bool lies_along_sum, Way way = Way::registers);

  /// Functions of the device: `left`, and `left_place`, `left_counts`, `left_four`, `copy_left` where they
  /// are needed.
  std::string functions_text() const;
  /// Declares what a thread keeps of its places, before the sum.
  std::string places_text() const;
  /// Declares the registers of a thread's part of the next tile.
  std::string next_text() const;
  /// That part from memory, neighbours in memory by neighbouring threads; the tile begins at `$term`, and its
  /// terms are those in `$terms[$slot]`. Copies go to the tile in `$buffer`.
  std::string load_text() const;
  std::string store_text() const;  ///< and into the tile in `$buffer`
  /// The element of that tile.
  std::string element_of_tile(const std::string &place, const std::string &term) const;
  std::string tile_extents(int padding) const;

  /// A call of the function that gives the element, or with "_counts" of that which tells whether there is
  /// one, for edges, too, at the number `place` and at `term`: a number, or a `Term` if a table gives them.
  std::string call(const char *function, const std::string &place, const std::string &term) const;
  /// What its elements are computed from.
  std::vector<spec::Parameter> needed() const;
  /// What has to be so for four elements that are read together to be one aligned access wherever tiles are
  /// whole, or of copies anywhere, for the host; nullopt if they never are.
  const std::optional<std::vector<std::string>> &wide_checks() const { return wide_checks_; }

  /// What must not be so, for the host, as ranges of conditions are tested without a sign.
  std::vector<std::string> range_checks() const;

  /// Whether the terms' places come from a table, and which axes of the sum it has to give for this operand.
  bool uses_table() const { return table_; }
  std::set<std::string> axes_in_table() const;
  /// What a term adds to the element's index, which the table gives as `name()`.
  std::optional<spec::Polynomial> offset_in_table() const;
  const std::string &name() const { return name_; }
  const std::string &buffer() const { return side_.element.text; }  ///< that its elements are loaded from
  std::string index_type() const { return narrow_ ? "int" : "long long"; }
  std::string text_of(const spec::Polynomial &part) const;  ///< of that type

private:
  bool is_wide() const { return wide_checks_.has_value(); }
  const spec::Statement &unit_axis() const {
    return side_.along_sum ? *form_.sum.back() : *side_.axes.back();
  }
  bool is_tested() const { return !tests_text().empty(); }
  std::optional<std::vector<std::string>> find_wide_checks() const;
  bool is_split() const;
  bool is_consecutive() const;
  std::string index_text(const spec::Expr &load) const;
  std::string element_text() const;
  std::string counts_text() const;
  std::string tests_text() const;
  bool corners_tell_all() const;
  std::string axes_text() const;
  std::string outside_text() const;
  std::vector<spec::Parameter> needed_of_place() const;
  std::string given_text() const;
  std::string parameters_text() const;
  std::string place_text() const;
  std::string four_text() const;
  std::string copy_text() const;
  std::string copy_four_text() const;
  std::string arguments_text() const;
  std::set<std::string> axes_used() const;
  std::pair<std::string, std::string> place_in_tile() const;

  const spec::KernelSpec &spec_;
  const Contraction &form_;
  const Operand &side_;
  bool whole_, lies_along_sum_;
  Way way_;
  std::string name_, title_, tile_, first_;
  std::optional<spec::Expr> index_;         ///< of the one element it is made of, if it is
  bool narrow_ = false;                     ///< that is in 32 bits
  spec::Polynomial place_offset_, offset_;  ///< of its index: what the place gives, and what the term
  std::optional<std::vector<std::string>> wide_checks_;
  bool places_ = false, table_ = false;  ///< taken apart once
};

/// What the terms' places and what they add to indices are made of.
std::vector<spec::Parameter> needed_of_terms(const spec::KernelSpec &spec, const Contraction &form,
                                             const std::vector<const TileOperand *> &operands);
/// The places of axes of both operands: "int z, ", or without the type "z, ".
std::string batch_text(const Contraction &form, bool with_type);
/// "const float *x, int rows, " and "x, rows, ".
std::string declared_text(const std::vector<spec::Parameter> &parameters);
std::string names_text(const std::vector<spec::Parameter> &parameters);
/// "k < row + 1": the terms that count.
std::string bound_text(const Contraction &form, const Contraction::Bound &bound);

}  // namespace cupilot::schedule
