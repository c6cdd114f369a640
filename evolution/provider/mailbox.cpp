// SPDX-License-Identifier: Apache-2.0
//
// A number is taken by linking a finished file to its name, which fails if the name exists. Therefore two
// runs can use one folder, and no reader sees an incomplete prompt.

#include "evolution/provider/mailbox.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/provider/mailbox_json.h"
#include "evolution/provider/recording.h"

namespace cupilot::provider {
namespace {

namespace fs = std::filesystem;
using Milliseconds = std::chrono::milliseconds;

constexpr const char *kPromptJson = ".prompt.json";
constexpr const char *kPromptText = ".prompt.md";
constexpr const char *kAnswerJson = ".answer.json";
constexpr const char *kAnswerText = ".answer.md";

std::string digits(int number) {
  return fmt::format("{:04}", number);
}

/// The number in a name such as "0012.prompt.json", given the ending ".prompt.json".
std::optional<int> number_in(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  int number = 0;
  const auto [rest, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (problem != std::errc() || rest != name.data() + name.size() || number < 1) return {};
  return digits(number) == name ? std::optional(number) : std::nullopt;
}

std::vector<std::string> names_in(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
    names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::string waiting_count(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "question waits" : "questions wait");
}

std::string for_reading(int number, const RoleRequest &request) {
  return fmt::format("<!-- {0} {1}, {2}: answer in {0}{3} -->\n\n{4}\n", digits(number), request.role,
                     request.prompt_version, kAnswerText, whole_prompt(request));
}

}  // namespace

void MailboxProvider::say(const std::string &line) const {
  if (settings_.waiting) settings_.waiting(line);
}

fs::path MailboxProvider::file(int number, const std::string &ending) const {
  return settings_.folder / (digits(number) + ending);
}

/// Reads the prompts of earlier runs and of other running ones; each file is read once.
void MailboxProvider::read_folder() {
  for (const auto &name : names_in(settings_.folder)) {
    const auto number = number_in(name, kPromptJson);
    if (!number || !taken_.insert(*number).second) continue;
    const auto text = read_file(settings_.folder / name);
    const auto question = text ? question_of_mailbox_prompt(*text) : std::unexpected(text.error());
    if (question)
      numbers_.emplace(*question, *number);
    else
      say(fmt::format("{} is not a prompt of cupilot and is left unchanged: {}", name,
                      question.error().message));
  }
}

/// Writes nothing if the number was taken meanwhile.
Result<void> MailboxProvider::put_prompt(int number, const std::string &question,
                                         const RoleRequest &request) {
  const auto aside = settings_.folder / fmt::format(".{}.{}.tmp", digits(number), ::getpid());
  CUPILOT_CHECKED(write_file_atomic(aside, mailbox_prompt(number, question, request)));
  const bool put = ::link(aside.c_str(), file(number, kPromptJson).c_str()) == 0;
  const int why = errno;
  ::unlink(aside.c_str());
  if (!put && why != EEXIST)
    return fail(fmt::format("cannot write {}: {}", file(number, kPromptJson).string(), std::strerror(why)));
  return {};
}

Result<int> MailboxProvider::number_of(const RoleRequest &request) {
  const auto question = question_sha256(request);
  while (!numbers_.contains(question)) {
    const int number = taken_.empty() ? 1 : *taken_.rbegin() + 1;
    CUPILOT_CHECKED(put_prompt(number, question, request));
    read_folder();  // finds this prompt, or the one that took the number
    taken_.insert(number);
  }
  const int number = numbers_[question];
  std::error_code ignored;
  if (!fs::exists(file(number, kPromptText), ignored))
    CUPILOT_CHECKED(write_file_atomic(file(number, kPromptText), for_reading(number, request)));
  return number;
}

void MailboxProvider::tell_of_strays(const std::vector<Waiting> &waiting) {
  for (const auto &name : names_in(settings_.folder)) {
    auto number = number_in(name, kAnswerJson);
    if (!number) number = number_in(name, kAnswerText);
    if (!number || taken_.contains(*number) || !told_.insert(settings_.folder / name).second) continue;
    say(fmt::format("{} answers no question: there is no {}{}; {}", name, digits(*number), kPromptJson,
                    waiting_count(waiting.size())));
  }
}

void MailboxProvider::tell_what_waits(const std::vector<Waiting> &waiting) const {
  if (waiting.empty()) return;
  constexpr std::size_t kMostNamed = 8;
  std::vector<std::string> named;
  for (const auto &one : waiting)
    if (named.size() < kMostNamed) named.push_back(fmt::format("{} ({})", digits(one.number), one.role));
  if (waiting.size() > kMostNamed) named.push_back("...");
  say(fmt::format("{} in {}: {}; write each answer to NNNN{}", waiting_count(waiting.size()),
                  settings_.folder.string(), join(named, ", "), kAnswerText));
}

ProviderAnswer MailboxProvider::answer(const RoleRequest &request) {
  std::optional<ProviderAnswer> only;
  answer_all({request}, [&](std::size_t, ProviderAnswer answer) { only = std::move(answer); });
  CUPILOT_CHECK(only.has_value());
  return std::move(*only);
}

void MailboxProvider::answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) {
  const auto begun = clock_.now();
  read_folder();
  std::vector<Waiting> waiting;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (const auto number = number_of(requests[i]))
      waiting.push_back({i, *number, requests[i].role});
    else
      arrived(i, std::unexpected(NoAnswer{"mailbox: " + number.error().message, true}));
  }
  for (bool first = true; !waiting.empty(); first = false) {
    std::erase_if(waiting, [&](const Waiting &one) {
      auto found = stopped() ? ProviderAnswer(std::unexpected(NoAnswer{"stopped", true})) : look(one);
      if (!found) return false;
      const double seconds = std::chrono::duration<double>(clock_.now() - begun).count();
      *found ? (*found)->seconds = seconds : found->error().seconds = seconds;
      arrived(one.position, std::move(*found));
      return true;
    });
    if (waiting.empty()) return;
    if (first) tell_what_waits(waiting);
    tell_of_strays(waiting);
    wait_a_little();
  }
}

void MailboxProvider::wait_a_little() {
  const auto until = clock_.now() + settings_.poll_interval;
  while (!stopped() && clock_.now() < until)
    clock_.pause(std::min(std::chrono::ceil<Milliseconds>(until - clock_.now()), kBetweenLooks));
}

std::optional<ProviderAnswer> MailboxProvider::look(const Waiting &waiting) {
  if (auto found = look_at_json(file(waiting.number, kAnswerJson))) return found;
  return look_at_text(file(waiting.number, kAnswerText));
}

/// Complete JSON parses; anything else may still be being written.
std::optional<ProviderAnswer> MailboxProvider::look_at_json(const Path &path) {
  const auto text = text_of(path);
  if (!text) return {};
  auto read = mailbox_answer(*text);
  if (!read) {
    if (settled(path)) set_aside(path, read.error().message);
    return {};
  }
  if (!read->no_answer.empty())
    return std::unexpected(
        NoAnswer{.reason = fmt::format("{}: {}", path.filename().string(), read->no_answer),
                 .spent = read->answer.spent});
  return std::move(read->answer);
}

std::optional<ProviderAnswer> MailboxProvider::look_at_text(const Path &path) {
  auto text = text_of(path);
  if (!text || !settled(path)) return {};
  if (trim(*text).empty()) {
    if (told_.insert(path).second) say(path.filename().string() + " is empty: still waiting");
    return {};
  }
  return RoleAnswer{.content = std::move(*text)};
}

std::optional<std::string> MailboxProvider::text_of(const Path &path) {
  std::error_code problem;
  const auto status = fs::status(path, problem);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) {
    set_aside(path, "it is not a regular file");
    return {};
  }
  const auto bytes = fs::file_size(path, problem);
  if (problem) return {};
  if (bytes > settings_.most_answer_bytes) {
    set_aside(path, fmt::format("it is larger than {} bytes", settings_.most_answer_bytes));
    return {};
  }
  auto text = read_file(path);
  if (!text) {
    if (told_.insert(path).second) say(text.error().message + ": still waiting");
    return {};
  }
  return std::move(*text);
}

bool MailboxProvider::settled(const Path &path) {
  std::error_code problem;
  const auto bytes = fs::file_size(path, problem);
  const auto written = problem ? fs::file_time_type() : fs::last_write_time(path, problem);
  if (problem) return false;
  const auto now = clock_.now();
  auto &seen = seen_.try_emplace(path, Seen{bytes, written, now}).first->second;
  if (seen.bytes != bytes || seen.written != written) seen = {bytes, written, now};
  return now - seen.since >= settings_.settle;
}

/// Renames the file, so that a better answer can take its place.
void MailboxProvider::set_aside(const Path &path, const std::string &why) {
  auto to = path;
  to += ".bad";
  std::error_code problem;
  for (int more = 2; fs::exists(to, problem) && more < 100; ++more)
    to = fmt::format("{}.bad{}", path.string(), more);
  fs::rename(path, to, problem);
  seen_.erase(path);
  const std::string name = path.filename().string();
  if (!problem)
    say(fmt::format("{} cannot be used ({}) and was renamed to {}; still waiting for another answer", name,
                    why, to.filename().string()));
  else if (told_.insert(path).second)
    say(fmt::format("{} cannot be used ({}), and renaming it failed: {}", name, why, problem.message()));
}

Result<std::unique_ptr<Provider>> make_mailbox_provider(MailboxSettings settings) {
  if (settings.folder.empty())
    return user_error("the provider 'mailbox' needs a folder for its questions: name one with --mailbox");
  std::error_code problem;
  fs::create_directories(settings.folder, problem);
  if (problem || ::access(settings.folder.c_str(), W_OK | X_OK) != 0)
    return user_error(fmt::format("cannot write to the folder {} of the provider 'mailbox': {}",
                                  settings.folder.string(),
                                  problem ? problem.message() : std::strerror(errno)));
  const MailboxClock clock{[] { return std::chrono::steady_clock::now(); },
                           [](Milliseconds time) { std::this_thread::sleep_for(time); }};
  return std::make_unique<MailboxProvider>(std::move(settings), clock);
}

}  // namespace cupilot::provider
