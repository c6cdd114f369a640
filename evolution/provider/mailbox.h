// SPDX-License-Identifier: Apache-2.0
//
// The provider behind `mailbox`. Private to evolution/provider; tests replace the clock.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evolution/provider/local_providers.h"

namespace cupilot::provider {

/// The clock and the pause that a mailbox uses while it waits.
struct MailboxClock {
  std::function<std::chrono::steady_clock::time_point()> now;
  std::function<void(std::chrono::milliseconds)> pause;
};

class MailboxProvider final : public Provider {
public:
  MailboxProvider(MailboxSettings settings, MailboxClock clock)
      : settings_(std::move(settings)), clock_(std::move(clock)) {}

  std::string name() const override { return kMailboxProvider; }
  bool costly() const override { return true; }
  ProviderAnswer answer(const RoleRequest &request) override;
  /// Writes all questions to the folder before it looks for the first answer.
  void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) override;

private:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Path = std::filesystem::path;

  struct Waiting {
    std::size_t position = 0;
    int number = 0;
    std::string role;
  };
  /// The size and time of a file that may still be written, and since when they have been unchanged.
  struct Seen {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written;
    TimePoint since;
  };

  void say(const std::string &line) const;
  bool stopped() const { return settings_.stop && *settings_.stop; }
  Path file(int number, const std::string &ending) const;

  void read_folder();
  Result<int> number_of(const RoleRequest &request);
  Result<void> put_prompt(int number, const std::string &question, const RoleRequest &request);
  void tell_of_strays(const std::vector<Waiting> &waiting);
  void tell_what_waits(const std::vector<Waiting> &waiting) const;

  std::optional<ProviderAnswer> look(const Waiting &waiting);
  std::optional<ProviderAnswer> look_at_json(const Path &path);
  std::optional<ProviderAnswer> look_at_text(const Path &path);
  bool settled(const Path &path);
  /// The text of a file that is ready; empty if there is no file or no usable one.
  std::optional<std::string> text_of(const Path &path);
  void set_aside(const Path &path, const std::string &why);
  void wait_a_little();

  MailboxSettings settings_;
  MailboxClock clock_;
  std::map<std::string, int> numbers_;  ///< by the question's hash
  std::set<int> taken_;                 ///< numbers that have a prompt file
  std::map<Path, Seen> seen_;
  std::set<Path> told_;  ///< files that were reported once
};

}  // namespace cupilot::provider
