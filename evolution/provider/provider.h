// SPDX-License-Identifier: Apache-2.0
//
// Who answers a role: built-in rules, a model behind HTTP, any program, a person with a mailbox, a recording.
// A provider gets a question and gives text back; what the text means is the role's business
// (evolution/role). A provider that cannot answer says why: that is a value of the search, not the end of it.

#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <vector>

namespace cupilot {

/// The names of providers, as users, questions and the run database know them; see kProviderKinds.
inline constexpr const char *kBuiltinProvider = "builtin", *kOpenaiProvider = "openai",
                            *kAnthropicProvider = "anthropic", *kCommandProvider = "command",
                            *kMailboxProvider = "mailbox", *kReplayProvider = "replay";

/// What every provider keeps to that is told nothing else.
inline constexpr int kUsualParallel = 4;                        ///< questions side by side
inline constexpr std::chrono::seconds kConnectLimit{10};        ///< until a server is reached
inline constexpr std::chrono::seconds kLongestAnswer{600};      ///< from the question to its whole answer
inline constexpr std::size_t kMostReceivedBytes = 4u << 20;     ///< of one answer
inline constexpr std::chrono::milliseconds kBetweenLooks{100};  ///< at the flag that stops a search

/// Of text that a server or a program wrote, in a message: its own words about an error, and less of what
/// only shows where they stood.
inline constexpr std::size_t kMostQuotedBytes = 400, kFewQuotedBytes = 120;

/// What a model reads is `prefix` and then `prompt`; `content` never leaves this machine.
struct RoleRequest {
  std::string role;     ///< "translator", "strategist"
  std::string content;  ///< a JSON object `{"cupilot_role":1,...}`: what built-in rules read, "" for others
  std::string prefix;   ///< the same bytes for every question about one kernel: servers cache it
  std::string prompt;   ///< this question's own words
  std::string prompt_version;        ///< "translator 2"
  long long most_output_tokens = 0;  ///< 0: the provider's own limit
};

/// The prefix, then the prompt on a line of its own: for those who get one text and no more.
inline std::string whole_prompt(const RoleRequest &request) {
  const bool parted = request.prefix.empty() || request.prefix.ends_with('\n');
  return request.prefix + (parted ? "" : "\n") + request.prompt;
}

/// Tokens as the server counts them. `in` contains `cached`; `out` contains what was thought and not shown.
struct Spending {
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double usd = 0;

  long long tokens() const { return tokens_in + tokens_out; }
  Spending &operator+=(const Spending &more) {
    tokens_in += more.tokens_in, tokens_cached += more.tokens_cached, tokens_out += more.tokens_out;
    usd += more.usd;
    return *this;
  }
};

struct RoleAnswer {
  std::string content;     ///< JSON, or whatever a model said: parsed strictly by the role
  std::string model;       ///< as the server names the one that answered; "" for built-in rules
  std::string request_id;  ///< the server's own, with its system fingerprint where it has one
  Spending spent;
  double seconds = 0;
};

struct NoAnswer {
  std::string reason;
  /// Nor will there be one (no key, wrong key, credit spent, unknown model, stopped): nobody is asked any
  /// more, and the search ends with what it has.
  bool final = false;
  Spending spent;  ///< a stream that was cut is paid for; at most what at_most() said
  double seconds = 0;
};

using ProviderAnswer = std::expected<RoleAnswer, NoAnswer>;

class Provider {
public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;             ///< of kProviderKinds
  virtual std::string model() const { return {}; }  ///< as asked for; "" where there is none to choose
  /// Answers cost money or differ from call to call: a resumed run takes them from the run database.
  virtual bool costly() const = 0;
  /// What one question can cost at the very most, retries included; all zero where nothing is counted.
  virtual Spending at_most(const RoleRequest &) const { return {}; }

  virtual ProviderAnswer answer(const RoleRequest &request) = 0;
  /// Questions that do not depend on each other, side by side where the provider can. `arrived` is called in
  /// the caller's thread, once for each question by its position, as soon as its answer is there.
  using Arrived = std::function<void(std::size_t, ProviderAnswer)>;
  virtual void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) {
    for (std::size_t i = 0; i < requests.size(); ++i) arrived(i, answer(requests[i]));
  }
};

}  // namespace cupilot
