// SPDX-License-Identifier: Apache-2.0
//
// Provider `replay`: gives the answers of a recorded run.

#include <fmt/format.h>
#include <map>
#include <utility>

#include "annotate/support/files.h"
#include "evolution/provider/local_providers.h"
#include "evolution/provider/recording.h"

namespace cupilot::provider {
namespace {

class ReplayProvider final : public Provider {
public:
  explicit ReplayProvider(std::vector<RecordedQuestion> questions) : recorded_(std::move(questions)) {
    for (const auto &question : recorded_) answers_[question.question].push_back(&question);
  }

  std::string name() const override { return kReplayProvider; }
  /// True, because asking again may give another recorded answer.
  bool costly() const override { return true; }
  /// The cost of the recorded answer, so that a budget ends a replayed run where it ended the recorded one.
  Spending at_most(const RoleRequest &request) const override {
    const auto *next = next_to(question_sha256(request));
    return next ? next->spent : Spending{};
  }

  ProviderAnswer answer(const RoleRequest &request) override {
    const auto question = question_sha256(request);
    const auto *next = next_to(question);
    if (!next) return std::unexpected(NoAnswer{why_none(request, question)});
    ++asked_[question];
    if (!next->answer) return std::unexpected(NoAnswer{next->failure, false, next->spent, next->seconds});
    return RoleAnswer{
        .content = *next->answer, .model = next->model, .spent = next->spent, .seconds = next->seconds};
  }

private:
  const RecordedQuestion *next_to(const std::string &question) const {
    const auto found = answers_.find(question);
    if (found == answers_.end()) return nullptr;
    const auto asked = asked_.find(question);
    const std::size_t times = asked == asked_.end() ? 0 : asked->second;
    return times < found->second.size() ? found->second[times] : nullptr;
  }

  std::string why_none(const RoleRequest &request, const std::string &question) const {
    const auto hash = question.substr(0, 12);
    if (const auto found = answers_.find(question); found != answers_.end())
      return fmt::format(
          "the recording has {} answers to the {}'s question {}, and all of them were given already",
          found->second.size(), request.role, hash);
    for (const auto &other : recorded_)
      if (other.role == request.role && other.prompt == request.prompt &&
          other.prompt_version != request.prompt_version)
        return fmt::format("the recording was made with the prompt '{}', but this run uses '{}'",
                           other.prompt_version, request.prompt_version);
    return fmt::format("the recording has no answer to the {}'s question {}: the recorded run did not ask it",
                       request.role, hash);
  }

  std::vector<RecordedQuestion> recorded_;
  std::map<std::string, std::vector<const RecordedQuestion *>> answers_;  ///< by question, in the order given
  std::map<std::string, std::size_t> asked_;
};

}  // namespace

Result<std::unique_ptr<Provider>> make_replay_provider(const std::filesystem::path &recording) {
  auto text = read_file(recording);
  if (!text) return user_error("reading the recording to replay: " + text.error().message);
  auto read = recording_from(*text);
  if (!read) return user_error(fmt::format("{}: {}", recording.string(), read.error().message));
  return std::make_unique<ReplayProvider>(std::move(read->questions));
}

}  // namespace cupilot::provider
