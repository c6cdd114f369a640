// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/original_process.h"

#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

Order order_to_original(Order::What what, const RunOrder &run) {
  Order order{what};
  order.role = EntryRole::original;
  order.run = run;
  return order;
}

}  // namespace

Result<model::DeviceReport> OriginalProcess::connect() {
  CUPILOT_TRY(child, ChildProcess::start(engine_, bundle_.architecture, plan_.dump_bytes));
  child_ = std::move(child);
  CUPILOT_TRY(ready, child_->receive(in_seconds(kStartSeconds)));
  return device_from_line(ready);
}

Result<model::DeviceReport> OriginalProcess::measure_bandwidth() {
  CUPILOT_TRY(line, child_->ask(Order{Order::What::bandwidth}, in_seconds(kStartSeconds)));
  return device_from_line(line);
}

Result<> OriginalProcess::load(const tools::Built &built) {
  built_ = &built;
  return load_again();
}

Result<> OriginalProcess::restart() {
  CUPILOT_CHECKED(connect());
  CUPILOT_CHECKED(load_again());
  lost_ = false;
  return {};
}

Result<> OriginalProcess::load_again() {
  CUPILOT_CHECKED(child_->ask_done(setup_order(bundle_)));
  return child_->ask_done({Order::What::load, built_->library.string(), EntryRole::original});
}

Result<launches::RunReport> OriginalProcess::run(const RunOrder &order) {
  const auto line =
      child_->ask(order_to_original(Order::What::run, order), in_seconds(bundle_.request.run_seconds));
  auto report = line ? run_from_line(*line) : Result<launches::RunReport>(std::unexpected(line.error()));
  if (!report) lost_ = true;
  return report;
}

std::span<const std::byte> OriginalProcess::outputs(std::size_t case_index) const {
  return child_->slot(0).first(plan_.layouts[case_index].dump_bytes);
}

std::vector<std::byte> OriginalProcess::outputs_of(const RunOrder &order) {
  const auto report = run(order);
  if (!report) {
    // If it does not start again, it stays lost, and the next run says so.
    (void)restart();
    return {};
  }
  if (report->declined || !report->faults.empty()) return {};
  const auto seen = outputs(order.case_index);
  return {seen.begin(), seen.end()};
}

Result<model::Profile> OriginalProcess::profile(const RunOrder &order) {
  CUPILOT_TRY(line, child_->ask(order_to_original(Order::What::profile, order), in_seconds(kStartSeconds)));
  return profile_from_line(line);
}

Result<launches::EstimateReport> OriginalProcess::estimate(const RunOrder &run) {
  Order order = order_to_original(Order::What::estimate, run);
  order.kernels = built_->kernels;
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kEstimateRuns * bundle_.request.run_seconds)));
  return estimate_from_line(line);
}

Result<launches::Excerpt> OriginalProcess::excerpt(const RunOrder &run,
                                                   const std::vector<launches::Piece> &wanted) {
  Order order = order_to_original(Order::What::excerpt, run);
  order.wanted = wanted;
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kEstimateRuns * bundle_.request.run_seconds)));
  return excerpt_from_line(line);
}

std::span<const std::byte> OriginalProcess::excerpt_values(const launches::Excerpt &excerpt) const {
  std::uint64_t bytes = 0;
  for (const launches::Piece &piece : excerpt.pieces) bytes += piece.bytes;
  return child_->slot(0).first(bytes);
}

}  // namespace cupilot::judge::engine
