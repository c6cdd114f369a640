// SPDX-License-Identifier: Apache-2.0
//
// The interface of everything that answers a role: built-in rules, a model behind HTTP, any program, a person
// with a mailbox, a recording. A provider takes a question and returns text; evolution/role interprets the
// text. If a provider cannot answer it says why; the search treats that as a value, not as an error.

#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <string>
#include <vector>

namespace cupilot::provider {

/// The names of providers for users, questions and the run database; see kProviderKinds.
inline constexpr const char *kBuiltinProvider = "builtin", *kOpenaiProvider = "openai",
                            *kAnthropicProvider = "anthropic", *kCommandProvider = "command",
                            *kMailboxProvider = "mailbox", *kReplayProvider = "replay";

/// Limits that every provider uses by default.
inline constexpr int kUsualParallel = 4;                  ///< questions in parallel
inline constexpr std::chrono::seconds kConnectLimit{10};  ///< limit on connecting to a server
inline constexpr std::chrono::seconds kLongestAnswer{
    600};  ///< limit from the question to its complete answer
inline constexpr std::size_t kMostReceivedBytes = 4u << 20;     ///< largest size of one answer
inline constexpr std::chrono::milliseconds kBetweenLooks{100};  ///< interval between checks of the stop flag

/// Longest quotation, in a message, of text that a server or program wrote: for its own error text, and for
/// text that only shows the context.
inline constexpr std::size_t kMostQuotedBytes = 400, kFewQuotedBytes = 120;

/// A model reads `prefix` followed by `prompt`; `content` never leaves this machine.
struct RoleRequest {
  std::string role;     ///< "translator", "strategist"
  std::string content;  ///< a JSON object `{"cupilot_role":1,...}` for built-in rules; "" for others
  std::string prefix;   ///< identical for every question about one kernel, so that servers can cache it
  std::string prompt;   ///< the part that is specific to this question
  std::string prompt_version;        ///< "translator 2"
  long long most_output_tokens = 0;  ///< 0: the provider's own limit
};

/// The prefix, then the prompt on a new line, for providers that take a single text.
inline std::string whole_prompt(const RoleRequest &request) {
  const bool parted = request.prefix.empty() || request.prefix.ends_with('\n');
  return request.prefix + (parted ? "" : "\n") + request.prompt;
}

/// Tokens as the server counts them. `in` includes `cached`; `out` includes hidden reasoning.
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
  std::string content;     ///< JSON, or any text of a model; the role parses it strictly
  std::string model;       ///< name of the answering model, as the server gives it; "" for built-in rules
  std::string request_id;  ///< the server's request id, with its system fingerprint if it has one
  Spending spent;
  double seconds = 0;
};

struct NoAnswer {
  std::string reason;
  /// True if no later question will be answered either (no key, wrong key, credit spent, unknown model,
  /// stopped). Nothing is asked any more, and the search ends with what it has.
  bool final = false;
  Spending spent;  ///< an interrupted stream must be paid for; at most the value of at_most()
  double seconds = 0;
};

using ProviderAnswer = std::expected<RoleAnswer, NoAnswer>;

class Provider {
public:
  virtual ~Provider() = default;
  virtual std::string name() const = 0;             ///< one of kProviderKinds
  virtual std::string model() const { return {}; }  ///< the requested model; "" if there is no choice
  /// True if answers cost money or differ between calls. A resumed run takes such answers from the run
  /// database.
  virtual bool costly() const = 0;
  /// The highest possible cost of one question, including retries; all zero if nothing is counted.
  virtual Spending at_most(const RoleRequest &) const { return {}; }

  virtual ProviderAnswer answer(const RoleRequest &request) = 0;
  /// Asks independent questions, in parallel if the provider can. `arrived` is called in the caller's thread,
  /// once for each question with its position, as soon as its answer is there.
  using Arrived = std::function<void(std::size_t, ProviderAnswer)>;
  virtual void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) {
    for (std::size_t i = 0; i < requests.size(); ++i) arrived(i, answer(requests[i]));
  }
};

}  // namespace cupilot::provider
