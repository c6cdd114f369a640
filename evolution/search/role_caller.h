// SPDX-License-Identifier: Apache-2.0
//
// Asks providers, with the run database and the budget. A question is stored before it is asked, and its
// answer as soon as it arrives. If an answer does not parse, the question is asked once more with the reason.
// A resumed run takes costly answers from the database. A question that does not fit the remaining budget is
// not asked.

#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"
#include "evolution/search/budget.h"
#include "evolution/search/progress.h"
#include "evolution/store/database.h"

namespace cupilot::search {

/// Why there is no usable answer: the provider gave none, or its answers did not parse twice. It is a value,
/// not an error: the search continues without the answer.
struct RoleFailure {
  std::string reason;
};
template <class Answer>
struct Answered : std::expected<Answer, RoleFailure> {
  using std::expected<Answer, RoleFailure>::expected;
  std::vector<std::int64_t> calls;  ///< ids in the run database; two if the first answer did not parse
};

class RoleCaller {
public:
  using ProviderOf = std::function<provider::Provider &(const std::string &role)>;
  RoleCaller(ProviderOf provider_of, store::Database &database, std::int64_t run, Ledger &ledger)
      : provider_of_(std::move(provider_of)), database_(database), run_(run), ledger_(ledger) {}
  ~RoleCaller() { no_more_foresight_ = true; }
  RoleCaller(const RoleCaller &) = delete;
  RoleCaller &operator=(const RoleCaller &) = delete;

  provider::Provider &provider_of(const std::string &role) const { return provider_of_(role); }
  /// The reason why no question will be answered any more: a final NoAnswer ("no credit left ..."), or the
  /// ledger's reason; empty otherwise.
  std::string done_because() const;

  template <class Answer>
  using Parse = std::function<Result<Answer>(std::string_view)>;

  /// The outer error comes from the database. `parse` turns an answer's text into an Answer or returns what
  /// is wrong.
  template <class Answer>
  Result<Answered<Answer>> ask(const provider::RoleRequest &request, const Parse<Answer> &parse) {
    CUPILOT_TRY(answers, ask_all<Answer>({request}, parse));
    return std::move(answers.front());
  }

  /// Asks questions that do not depend on each other; returns the answers in the order of the questions.
  template <class Answer>
  Result<std::vector<Answered<Answer>>> ask_all(const std::vector<provider::RoleRequest> &requests,
                                                const Parse<Answer> &parse) {
    const auto check = [&](std::string_view content) -> Result<void> {
      if (auto parsed = parse(content); !parsed) return std::unexpected(parsed.error());
      return {};
    };
    CUPILOT_TRY(texts, ask_texts(requests, check));
    std::vector<Answered<Answer>> answers;
    for (const auto &text : texts) {
      if (text)
        answers.push_back(std::move(*parse(*text)));
      else
        answers.push_back(std::unexpected(text.error()));
      answers.back().calls = text.calls;
    }
    return answers;
  }

  /// Starts to ask, in the background, questions that will probably be asked next. An answer that is not used
  /// later leaves no trace. Providers that cost something are not asked ahead.
  void foresee(const std::vector<provider::RoleRequest> &requests);

  /// Reports every question to a provider that costs something.
  void report_to(Progress &progress, std::string kernel) {
    progress_ = &progress;
    kernel_ = std::move(kernel);
  }

private:
  using Check = std::function<Result<void>(std::string_view)>;
  using Requests = std::vector<provider::RoleRequest>;
  using Positions = std::vector<std::size_t>;
  using Foreseen = std::map<std::string, provider::ProviderAnswer>;  ///< by the question's hash

  Result<std::vector<Answered<std::string>>> ask_texts(const Requests &requests, const Check &check);
  /// The outcome of each question as a row of the database. A question that was not asked has state `asked`
  /// and no id.
  Result<std::vector<store::RoleCall>> say_all(const Requests &requests, const Check &check);
  Result<void> ask_costly(const Requests &requests, Positions open, const Check &check,
                          std::vector<store::RoleCall> &calls);
  Result<void> ask_wave(provider::Provider &provider, const Requests &requests, const Positions &wave,
                        const Check &check, std::vector<store::RoleCall> &calls);
  Result<void> ask_free(provider::Provider &provider, const Requests &requests, const Positions &open,
                        const Check &check, std::vector<store::RoleCall> &calls);
  Positions reserve_what_fits(const Requests &requests, Positions &open);
  void give_back(const Requests &requests, const Positions &some, Positions &open);
  void take(store::RoleCall &call, provider::ProviderAnswer answer, const Check &check);
  void report(const store::RoleCall &call, bool resumed) const;
  std::vector<std::pair<provider::Provider *, Positions>> by_provider(const Requests &requests,
                                                                      const Positions &some) const;

  Foreseen think_ahead(const Requests &requests);
  std::vector<provider::ProviderAnswer> free_answers(provider::Provider &provider, const Requests &requests);

  ProviderOf provider_of_;
  store::Database &database_;
  std::int64_t run_;
  Ledger &ledger_;
  Progress *progress_ = nullptr;
  std::string kernel_, ended_because_;
  std::atomic<bool> no_more_foresight_ = false;
  Foreseen foreseen_;
  std::future<Foreseen> thinking_;  ///< declared last: its destructor waits for the thread
};

}  // namespace cupilot::search
