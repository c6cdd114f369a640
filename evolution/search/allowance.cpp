// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/allowance.h"

#include <algorithm>

namespace cupilot::search {
namespace {

double gpu_seconds_of(const model::Verdict &verdict) {
  if (verdict.device.emulated) return 0;
  return verdict.verify_seconds + verdict.time_seconds + verdict.finalist_seconds;
}

double seconds_of(std::chrono::duration<double> time) {
  return time.count();
}

/// Before a batch with several verdicts has shown it: how much of the time until the first is this
/// candidate's.
constexpr double kOwnShare = 0.5;

}  // namespace

void Allowance::count(const model::Verdict &verdict, bool resumed) {
  gpu_seconds_ += gpu_seconds_of(verdict);
  ++(resumed ? resumed_ : judged_);
}

void Allowance::count_batch(const BatchTimes &times) {
  if (times.verdicts == 0) return;
  batches_.first += times.first;
  batches_.last += times.last;
  batches_.verdicts += times.verdicts;
  ++batch_count_;
}

/// A batch of n candidates takes as long as it is until its first verdict, and n - 1 times what lies between
/// two.
double Allowance::fit_into(std::chrono::milliseconds left) const {
  const double first = seconds_of(batches_.first) / static_cast<double>(batch_count_);
  const std::size_t later = batches_.verdicts - batch_count_;
  double each = kOwnShare * first;
  if (later > 0) each = seconds_of(batches_.last - batches_.first) / static_cast<double>(later);
  // An executor may hand over all verdicts at once.
  each = std::max(each, gpu_seconds_ / static_cast<double>(judged_ + resumed_));
  return each > 0 ? 1 + (seconds_of(left) - first) / each : static_cast<double>(kLargestBatch);
}

std::string Allowance::spent_because() const {
  if (named_ >= budget_.candidates) return "candidate budget spent";
  if (elapsed() >= budget_.wall) return "time budget spent";
  if (gpu_spent()) return "GPU time budget spent";
  if (!may_name() || elapsed() >= most_wall()) return "share of the budget spent";
  return {};
}

std::size_t Allowance::batch_size() const {
  if (judged_ == 0) return kLargestBatch;
  double fit = static_cast<double>(kLargestBatch);
  if (batch_count_ > 0) fit = std::min(fit, fit_into(most_wall() - elapsed()));
  if (budget_.gpu && gpu_seconds_ > 0)
    fit = std::min(fit, (seconds_of(*budget_.gpu) - gpu_seconds_) * static_cast<double>(judged_ + resumed_) /
                            gpu_seconds_);
  return static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(kLargestBatch)));
}

std::optional<std::chrono::milliseconds> Allowance::time_left(std::size_t waiting) const {
  if (judged_ == 0) return std::nullopt;
  const auto wall = std::max(std::chrono::milliseconds(0), budget_.wall - elapsed());
  // During a batch `judging_` is not up to date, so the time per candidate is taken from the wall clock.
  const auto each = elapsed() / static_cast<std::int64_t>(judged_);
  const auto unnamed = budget_.candidates - std::min(named_, budget_.candidates);
  return std::min(wall, each * static_cast<std::int64_t>(waiting + unnamed));
}

std::size_t Allowance::most_candidates() const {
  return share_ ? std::min(share_->candidates, budget_.candidates) : budget_.candidates;
}

std::chrono::milliseconds Allowance::most_wall() const {
  const std::chrono::milliseconds wall = budget_.wall;
  return share_ ? std::min(share_->wall, wall) : wall;
}

bool Allowance::gpu_spent() const {
  return budget_.gpu && gpu_seconds_ >= seconds_of(*budget_.gpu);
}

}  // namespace cupilot::search
