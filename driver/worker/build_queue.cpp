// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/build_queue.h"

#include <algorithm>
#include <utility>

namespace cupilot {

BuildQueue::BuildQueue(Recipe recipe, std::vector<std::string> candidates, unsigned threads)
    : recipe_(std::move(recipe)), candidates_(std::move(candidates)) {
  const std::size_t count = std::min<std::size_t>(std::max(threads, 1u), candidates_.size() + 1);
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { build_some(); });
}

BuildQueue::~BuildQueue() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void BuildQueue::build_some() {
  std::unique_lock lock(mutex_);
  if (!std::exchange(original_begun_, true)) {
    lock.unlock();
    auto built = build_entry(recipe_, recipe_.bundle_folder / "original");
    lock.lock();
    original_ = std::move(built);
    changed_.notify_one();
  }
  while (!stopped_ && begun_ < candidates_.size()) {
    const std::size_t mine = begun_++;
    lock.unlock();
    auto built = build_entry(recipe_, recipe_.bundle_folder / "candidates" / candidates_[mine]);
    lock.lock();
    finished_.emplace_back(mine, std::move(built));
    changed_.notify_one();
  }
}

const Result<Built> &BuildQueue::original() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return original_.has_value(); });
  return *original_;
}

std::optional<FinishedBuild> BuildQueue::next() {
  std::unique_lock lock(mutex_);
  if (handed_out_ == candidates_.size()) return std::nullopt;
  changed_.wait(lock, [&] { return !finished_.empty(); });
  const auto first = std::min_element(finished_.begin(), finished_.end(),
                                      [](const auto &a, const auto &b) { return a.first < b.first; });
  FinishedBuild result{candidates_[first->first], std::move(first->second)};
  finished_.erase(first);
  ++handed_out_;
  return result;
}

std::size_t BuildQueue::left() {
  const std::lock_guard lock(mutex_);
  return candidates_.size() - handed_out_;
}

}  // namespace cupilot
