// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/full_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/excerpt_check.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

Order excerpt_order(const Judging &judging, std::size_t case_index) {
  Order order{Order::What::excerpt};
  order.run = estimate_order(judging.bundle, case_index, judging.reference.waived());
  return order;
}

bool fits(const launches::Excerpt &excerpt, const cases::CaseLayout &layout, std::size_t room) {
  return bytes_of(excerpt.pieces) <= room &&
         std::ranges::all_of(excerpt.pieces, [&](const launches::Piece &piece) {
           return piece.buffer < layout.buffers.size() && layout.buffers[piece.buffer].dumped() &&
                  piece.bytes <= layout.buffers[piece.buffer].bytes &&
                  piece.at <= layout.buffers[piece.buffer].bytes - piece.bytes;
         });
}

/// An excerpt of many launches may need more time than there is. What never ends shows in the estimate, too.
bool takes_too_long(const launches::Excerpt &excerpt) {
  return !excerpt.faults.empty() && std::ranges::all_of(excerpt.faults, [](const launches::Fault &fault) {
    return fault.kind == launches::Fault::Kind::endless;
  });
}

/// False: the verdict has been decided.
bool execute(Judging &judging, const Order &order, launches::Excerpt &excerpt) {
  const std::string where = estimating(judging, order.run.case_index);
  const auto line = judging.child.ask(order, in_seconds(kEstimateRuns * judging.bundle.request.run_seconds));
  if (!line) return judging.lost(where, line.error().message);
  auto answer = excerpt_from_line(*line);
  if (!answer) return judging.lost(where, answer.error().message);
  if (takes_too_long(*answer)) {
    excerpt = {.open = "its blocks take too long to be executed here"};
    return true;
  }
  if (!answer->faults.empty()) return judging.decide_by(answer->faults, where);
  const cases::CaseLayout &layout = judging.reference.plan().layouts[order.run.case_index];
  if (!fits(*answer, layout, judging.child.slot(0).size()))
    return judging.lost(where, "the child's answer is none");
  excerpt = std::move(*answer);
  return true;
}

ExcerptAnswer compare(const Judging &judging, const Order &order, const launches::Excerpt &excerpt) {
  // Whether it may decline is for the estimate to say.
  if (excerpt.declined) return {.problem = {}, .open = "launch() returned false"};
  if (excerpt.blocks_run == 0) return {.problem = {}, .open = excerpt.open};
  const auto values = judging.child.slot(0).first(bytes_of(excerpt.pieces));
  return check_excerpt(judging, order.run, excerpt, std::vector<std::byte>(values.begin(), values.end()));
}

/// Nullopt: the verdict has been decided.
std::optional<ExcerptAnswer> answer_on(Judging &judging, const Order &order) {
  launches::Excerpt excerpt;
  if (!execute(judging, order, excerpt)) return std::nullopt;
  ExcerptAnswer answer = compare(judging, order, excerpt);
  if (answer.problem.empty()) return answer;
  judging.decide(answer.kind,
                 fmt::format("{}; on {}", answer.problem, estimating(judging, order.run.case_index)));
  return std::nullopt;
}

}  // namespace

std::string estimating(const Judging &judging, std::size_t case_index) {
  return fmt::format("estimating workload '{}'", judging.bundle.cases[case_index].workload);
}

const ExcerptAnswer *compare_at_full_size(Judging &judging, std::size_t case_index) {
  if (const auto known = judging.at_full_size.find(case_index); known != judging.at_full_size.end())
    return &known->second;
  auto answer = answer_on(judging, excerpt_order(judging, case_index));
  return answer ? &(judging.at_full_size[case_index] = std::move(*answer)) : nullptr;
}

bool agrees_on_further_data(Judging &judging, std::size_t case_index) {
  constexpr int kDraws = 3;
  for (int draw = 1; draw <= kDraws; ++draw) {
    Order order = excerpt_order(judging, case_index);
    order.run.setting.seed = data::derived_seed(order.run.setting.seed, fmt::format("draw {}", draw));
    if (!answer_on(judging, order)) return false;
  }
  return true;
}

bool cover_at_full_size(Judging &judging, std::size_t case_index) {
  Order order = excerpt_order(judging, case_index);
  order.run.setting.covered = true;
  launches::Excerpt excerpt;
  return execute(judging, order, excerpt);
}

}  // namespace cupilot::judge::engine
