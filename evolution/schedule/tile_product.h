// SPDX-License-Identifier: Apache-2.0
//
// What all tiled products have in common: blocks bring tiles of both operands into shared memory, one step of
// the sum after the other, while they compute with the step before. How a block computes with a tile is a
// subclass's, and whether tiles come through registers, one step ahead, or by asynchronous copies of words
// that stand for elements, several steps ahead.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/contraction.h"
#include "evolution/schedule/schedule.h"
#include "evolution/schedule/tile_operand.h"

namespace cupilot::schedule {

class TileProduct {
public:
  TileProduct(const spec::KernelSpec &spec, Contraction form)
      : spec_(spec), form_(std::move(form)), values_(typical_values(spec)) {}
  virtual ~TileProduct() = default;
  TileProduct(const TileProduct &) = delete;
  TileProduct &operator=(const TileProduct &) = delete;
  Outcome run();

protected:
  /// A thread's outputs: two loops, over `$i` and `$j`; the place in the block's tile and the total of each.
  struct Outputs {
    std::string lefts, left, rights, right, total;
  };
  virtual std::optional<std::string> unsuitable() const = 0;
  virtual std::string head() const { return ""; }  ///< defines what the step uses, beside `Four`
  virtual std::string places() const = 0;          ///< a thread's place in the tile, and its totals `$total`
  /// Adds the products of the tiles in `$buffer` to the totals.
  virtual std::string step() const = 0;
  virtual Outputs outputs() const = 0;
  /// Elements after each row of a tile in shared memory, against bank conflicts; a row's elements lie along
  /// the sum or along the outputs.
  virtual int padding(const Operand &side) const = 0;
  virtual bool lies_along_sum(const Operand &) const { return false; }
  /// Whether a step errs where an element is not finite, even if all terms count.
  virtual bool needs_finite() const { return false; }
  /// Whether tiles are copied from `$left_parts` and `$right_parts`, which have a word for each element of
  /// the operands' buffers. kStages is a knob then.
  virtual bool copies() const { return false; }
  virtual std::string parts_of_operands() const { return ""; }  ///< makes those words: code of launch()
  /// Parameters of kernels, beside those words, and the arguments: ", const Range *$ranges".
  virtual std::pair<std::string, std::string> also_given() const { return {}; }
  /// Brings a thread's totals to their values, when all steps are done.
  virtual std::string after_steps() const { return ""; }
  /// What decides, once for a thread, which sums are computed once more, and the condition of a sum.
  virtual std::string doubt() const { return ""; }
  virtual std::string is_doubtful(const std::string &sum) const { return "!isfinite(" + sum + ")"; }
  virtual std::vector<model::Knob> knobs() const = 0;  ///< but for that of a second tile
  virtual std::string summary() const = 0;

  const std::string &type() const { return form_.type; }
  const Contraction &form() const { return form_; }
  const spec::KernelSpec &kernel() const { return spec_; }
  /// The element of the tile in `$buffer`.
  std::string element_of_tile(const Operand &side, const std::string &place, const std::string &term) const {
    return (&side == &form_.left ? *left_ : *right_).element_of_tile(place, term);
  }
  /// Of left and right elements; small enough that all multiprocessors have one.
  std::pair<long long, long long> usual_tile() const;

private:
  using Axes = std::vector<const spec::Statement *>;
  /// Below as many tiles of outputs with sums of different length, smaller ones are used: three for each
  /// multiprocessor of an H100.
  static constexpr long long kFewTiles = 396;
  static constexpr double kMultiprocessors = 132;  ///< of an H100
  static constexpr long long kSharedTile = 64;     ///< whose sums are cut into parts
  std::string times_batch(const std::string &count) const;
  /// How many tiles there are if axes have `count` places.
  double tiles_of(long long m, long long n, const std::function<double(const Axes &)> &count) const;
  double usual_tiles(long long m, long long n) const;
  long long parts_of_sums() const;
  std::string part_text() const;
  std::string shares_text() const;
  std::string add_up_text() const;
  std::string take_scratch_text() const;
  bool some_are_few() const;
  bool some_are_whole() const;
  std::optional<std::string> wide_text() const;
  bool uses_table() const { return left_->uses_table() || right_->uses_table(); }
  std::vector<spec::Parameter> needed() const;
  std::vector<spec::Parameter> needed_of_table() const {
    return needed_of_terms(spec_, form_, {left_.get(), right_.get()});
  }
  std::string terms_text() const;
  void choose_order(Operand &side) const;
  static std::string named(const spec::Statement &axis, const std::string &place);
  bool is_checked() const {
    return needs_finite() || !form_.bounds.empty() || !form_.left.conditions.empty() ||
           !form_.right.conditions.empty();
  }
  std::string one_output_text() const;
  std::string results_text() const;
  std::string once_more_text() const;
  std::string tiles_text() const;
  std::string steps_text(const std::string &from, const std::string &terms) const;
  std::string copied_steps_text(const std::string &from, const std::string &terms) const;
  std::string range_text() const;
  std::string bound_at(const Contraction::Bound &bound, const std::string &place) const;
  bool later_are_longer() const;
  std::string kernel_text() const;
  std::string launch_text() const;
  double typical(const Axes &axes) const { return value_of(count_of(axes), values_).value_or(1024); }

  const spec::KernelSpec &spec_;
  Contraction form_;
  Values values_;
  FixedSizes fixed_;
  long long parts_ = 0;                        ///< of run()
  std::unique_ptr<TileOperand> left_, right_;  ///< of run()
};

}  // namespace cupilot::schedule
