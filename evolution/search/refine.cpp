// SPDX-License-Identifier: Apache-2.0
//
// Policy `refine`: the chain of CuTeGen (arXiv 2604.01489). It first makes the simplest correct variant, then
// applies exactly one optimisation in each step. A step starts from the last variant that passed, faster or
// not; the evaluator keeps the best one separately. A step that stays broken after its fixes is regenerated
// up to three times.

#include <fmt/format.h>

#include "evolution/search/policy.h"

#include "evolution/role/words.h"
#include "evolution/search/population.h"

namespace cupilot::search {
namespace {

/// A direct convolution is first rewritten structurally.
constexpr const char *kRewriteFirst =
    "The convolution is still direct: every output reads its whole window from memory. This step must be the "
    "structural rewrite, as an implicit matrix product or with shared input tiles and several outputs a "
    "thread, and nothing else; no tuning of constants, vector widths or unrolling yet.\n";

class Chain {
public:
  explicit Chain(PolicyContext &context) : context_(context) {}

  Result<void> run() {
    for (int depth = 0; depth <= context_.settings.options.depth; ++depth) {
      CUPILOT_CHECKED(step(depth));
      if (last_ == nullptr || !context_.workshop.done_because().empty()) break;
    }
    return {};
  }

private:
  /// Required until one such step has passed, because the detection of direct code is a guess.
  bool still_direct(int depth) const {
    return depth > 0 && !rewritten_ && context_.workshop.pattern() == role::KernelPattern::convolution &&
           context_.facts_of &&
           role::pattern_of(context_.facts_of(last_->individual.variant)) == role::KernelPattern::convolution;
  }

  Result<void> step(int depth) {
    const bool rewrite = still_direct(depth);
    const std::string menu = (rewrite ? kRewriteFirst : "") + role::refine_menu(context_.workshop.pattern());
    std::vector<std::string> tries;  ///< failed attempts at this step
    Piece nearest;
    for (int generation = 0; generation <= kMostRegenerations; ++generation) {
      CUPILOT_TRY(piece, generate(depth, menu, tries));
      if (piece.result != nullptr) {
        rewritten_ |= rewrite;
        pass(depth, piece);
        return {};
      }
      if (!context_.workshop.done_because().empty()) return {};
      tries.push_back(fmt::format("{}, try {}, failed: {}", name_of(depth), generation + 1, piece.failure));
      if (state_rank(piece.failed_as) >= state_rank(nearest.failed_as)) nearest = std::move(piece);
    }
    done_.push_back(fmt::format("{}: {}: given up; the nearest it came: {}", name_of(depth),
                                nearest.strategy.title, nearest.failure));
    return {};
  }

  static std::string name_of(int depth) { return fmt::format("step {}", depth); }

  Result<Piece> generate(int depth, const std::string &menu, const std::vector<std::string> &tries) {
    WorkOrder order{.strategy = {.id = ids_.next()}, .base = last_, .depth = depth, .failed = tries};
    if (last_ != nullptr) order.parents = {last_->individual.id};
    CUPILOT_TRY(digest, context_.workshop.digest_at(depth, last_));
    const double base_score = last_ ? score(last_->verdict) : 1;
    const Evaluated *best = context_.evaluator.best();
    std::vector<std::string> done = done_;
    done.insert(done.end(), tries.begin(), tries.end());
    const provider::RoleRequest question =
        role::refine_request({.brief = context_.workshop.brief(),
                              .depth = depth,
                              .base = last_ ? last_->individual.variant : "",
                              .base_score = base_score,
                              .best_score = best ? score(best->verdict) : base_score,
                              .digest = std::move(digest),
                              .done = std::move(done),
                              .menu = menu});
    CUPILOT_TRY(pieces, context_.workshop.make(name_of(depth), {order}, {question}));
    return std::move(pieces.front());
  }

  /// The next step starts from this variant even if it is slower: it may enable a later gain.
  void pass(int depth, const Piece &piece) {
    const double before = last_ ? score(last_->verdict) : 1;
    last_ = piece.result;
    done_.push_back(fmt::format("{}: {}: {} -> {}", name_of(depth), piece.strategy.title,
                                role::factor(before), role::factor(score(last_->verdict))));
  }

  PolicyContext &context_;
  StrategyIds ids_{"s", ids_used(context_.evaluator, "s")};
  const Evaluated *last_ = nullptr;  ///< the last variant that passed
  std::vector<std::string> done_;    ///< one line for each step
  bool rewritten_ = false;
};

}  // namespace

Result<void> run_refine(PolicyContext &context) {
  return Chain(context).run();
}

}  // namespace cupilot::search
