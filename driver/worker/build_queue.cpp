// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/build_queue.h"

#include <algorithm>

namespace cupilot {

BuildQueue::BuildQueue(const Bundle &bundle, std::filesystem::path bundle_folder,
                       std::vector<std::string> candidates, std::set<std::string> ignored_symbols,
                       unsigned threads)
    : bundle_(bundle),
      folder_(std::move(bundle_folder)),
      candidates_(std::move(candidates)),
      ignored_symbols_(std::move(ignored_symbols)) {
  const std::size_t count = std::min<std::size_t>(std::max(threads, 1u), candidates_.size());
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { build_some(); });
}

BuildQueue::~BuildQueue() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void BuildQueue::build_some() {
  for (;;) {
    std::size_t mine;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_ || begun_ == candidates_.size()) return;
      mine = begun_++;
    }
    auto built = build_entry(bundle_, folder_, folder_ / "candidates" / candidates_[mine], ignored_symbols_);
    const std::lock_guard lock(mutex_);
    finished_.emplace_back(mine, std::move(built));
    changed_.notify_one();
  }
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

bool BuildQueue::more() {
  const std::lock_guard lock(mutex_);
  return handed_out_ < candidates_.size();
}

}  // namespace cupilot
