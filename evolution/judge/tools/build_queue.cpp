// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/build_queue.h"

#include <algorithm>
#include <utility>

namespace cupilot::judge::tools {

namespace {

/// Doubles take twice the registers; without a limit a large block might not fit.
Recipe twin_recipe(Recipe recipe) {
  constexpr unsigned kFile = 65536, kMost = 255, kUnit = 8;
  unsigned threads = 1;
  for (const model::Case &which : recipe.bundle.cases)
    threads = std::max(threads, which.block[0] * which.block[1] * which.block[2]);
  const unsigned registers = kFile / threads / kUnit * kUnit;
  if (registers <= kMost) recipe.options.push_back("-maxrregcount=" + std::to_string(registers));
  return recipe;
}

}  // namespace

BuildQueue::BuildQueue(Recipe recipe, std::vector<std::string> candidates, unsigned threads)
    : recipe_(std::move(recipe)),
      candidates_(std::move(candidates)),
      has_twin_(recipe_.bundle.twin_missing.empty() &&
                std::filesystem::exists(recipe_.bundle_folder / "twin" / "entry.cu")) {
  const std::size_t count = std::min<std::size_t>(std::max(threads, 1u), candidates_.size() + 1 + has_twin_);
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { build_some(); });
}

BuildQueue::~BuildQueue() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void BuildQueue::build_some() {
  std::unique_lock lock(mutex_);
  if (!std::exchange(original_begun_, true)) build_into(original_, recipe_, "original", lock);
  if (has_twin_ && !stopped_ && !std::exchange(twin_begun_, true))
    build_into(twin_, twin_recipe(recipe_), "twin", lock);
  while (!stopped_ && begun_ < candidates_.size()) {
    const std::size_t mine = begun_++;
    lock.unlock();
    auto built = build_entry(recipe_, recipe_.bundle_folder / "candidates" / candidates_[mine]);
    lock.lock();
    finished_.emplace_back(mine, std::move(built));
    changed_.notify_one();
  }
}

void BuildQueue::build_into(std::optional<Result<Built>> &place, const Recipe &recipe, const char *folder,
                            std::unique_lock<std::mutex> &lock) {
  lock.unlock();
  auto built = build_entry(recipe, recipe.bundle_folder / folder);
  lock.lock();
  place = std::move(built);
  changed_.notify_all();
}

const Result<Built> *BuildQueue::twin() {
  if (!has_twin_) return nullptr;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return twin_.has_value(); });
  return &twin_.value();
}

const Result<Built> &BuildQueue::original() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return original_.has_value(); });
  return original_.value();
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

}  // namespace cupilot::judge::tools
