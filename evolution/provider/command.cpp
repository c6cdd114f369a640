// SPDX-License-Identifier: Apache-2.0
//
// Provider `command`: any program answers; each question starts one process.

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/provider/local_providers.h"

namespace cupilot::provider {
namespace {

/// The end of a program's output, on one line.
std::string last_words(std::string_view err) {
  const auto line = replace_all(std::string(trim(err)), "\n", " | ");
  return line.size() > kMostQuotedBytes ? "..." + line.substr(line.size() - kMostQuotedBytes) : line;
}

/// Answers questions in threads. `one` is called in at most `parallel` threads at a time, in the order of the
/// requests; `arrived` is called in the caller's thread as soon as an answer is there.
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

class CommandProvider final : public Provider {
public:
  explicit CommandProvider(CommandSettings settings) : settings_(std::move(settings)) {}

  std::string name() const override { return kCommandProvider; }
  std::string model() const override { return settings_.model; }
  bool costly() const override { return true; }

  ProviderAnswer answer(const RoleRequest &request) override {
    if (stopped()) return std::unexpected(NoAnswer{"stopped", true});
    const auto result = run_process(process_of(request));
    if (!result) return std::unexpected(NoAnswer{result.error().message});
    const double seconds = std::chrono::duration<double>(result->wall).count();
    if (result->given_up && result->out.size() <= settings_.most_answer_bytes)
      return std::unexpected(NoAnswer{.reason = "stopped", .final = true, .seconds = seconds});
    if (const auto why = why_unusable(*result); !why.empty())
      return std::unexpected(NoAnswer{.reason = told(*result, why), .seconds = seconds});
    return RoleAnswer{.content = result->out, .model = settings_.model, .seconds = seconds};
  }

  void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) override {
    answer_side_by_side(
        requests, settings_.parallel, [this](const RoleRequest &request) { return answer(request); },
        arrived);
  }

private:
  bool stopped() const { return settings_.stop && *settings_.stop; }

  ProcessRequest process_of(const RoleRequest &request) const {
    return {.argv = settings_.words,
            .input = whole_prompt(request),
            .time_limit = settings_.time_limit,
            .environment = {{"CUPILOT_ROLE", request.role},
                            {"CUPILOT_MODEL", settings_.model},
                            {"CUPILOT_PROMPT_VERSION", request.prompt_version}},
            .output_cap = settings_.most_answer_bytes + 1,
            .give_up = [this](const ProcessResult &so_far) {
              return stopped() || so_far.out.size() > settings_.most_answer_bytes;
            }};
  }

  std::string why_unusable(const ProcessResult &result) const {
    if (result.out.size() > settings_.most_answer_bytes)
      return fmt::format("its answer is larger than {} bytes", settings_.most_answer_bytes);
    if (result.timed_out) return fmt::format("it gave no answer within {} s", settings_.time_limit.count());
    if (!result.ok()) return result.describe();
    return trim(result.out).empty() ? "it printed no answer" : "";
  }

  std::string told(const ProcessResult &result, const std::string &why) const {
    const auto words = last_words(result.err);
    return words.empty() ? fmt::format("'{}': {}", settings_.words[0], why)
                         : fmt::format("'{}': {}: {}", settings_.words[0], why, words);
  }

  CommandSettings settings_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_command_provider(CommandSettings settings) {
  if (settings.words.empty() || settings.words[0].empty())
    return user_error("the provider 'command' needs the program that answers: name it with --command");
  if (!find_program(settings.words[0]))
    return user_error(
        fmt::format("cannot find the program '{}' of the provider 'command', or it is not executable",
                    settings.words[0]));
  return std::make_unique<CommandProvider>(std::move(settings));
}

}  // namespace cupilot::provider
