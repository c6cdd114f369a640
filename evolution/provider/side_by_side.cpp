// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace cupilot {

void answer_side_by_side(const std::vector<RoleRequest> &requests, int parallel,
                         const std::function<ProviderAnswer(const RoleRequest &)> &one,
                         const Provider::Arrived &arrived) {
  using Told = std::pair<std::size_t, ProviderAnswer>;
  std::mutex mutex;
  std::condition_variable is_there;
  std::deque<Told> answers;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < requests.size(); i = next++) {
      Told told(i, one(requests[i]));
      const std::lock_guard lock(mutex);
      answers.push_back(std::move(told));
      is_there.notify_one();
    }
  };
  std::vector<std::jthread> threads;
  const auto many = std::min(requests.size(), static_cast<std::size_t>(std::max(1, parallel)));
  for (std::size_t i = 0; i < many; ++i) threads.emplace_back(work);
  for (std::size_t told = 0; told < requests.size(); ++told) {
    std::unique_lock lock(mutex);
    is_there.wait(lock, [&] { return !answers.empty(); });
    Told answer = std::move(answers.front());
    answers.pop_front();
    lock.unlock();
    arrived(answer.first, std::move(answer.second));
  }
}

}  // namespace cupilot
