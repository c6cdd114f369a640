// SPDX-License-Identifier: Apache-2.0
//
// Asking a provider, where roles meet the run database: every question and its answer or failure goes into
// the run database; an answer that does not parse is asked for once more; a resumed run takes costly answers
// from the database instead of asking again.

#pragma once

#include <atomic>
#include <expected>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"
#include "evolution/store/database.h"

namespace cupilot {

/// The provider could not, or what it said could not be read, twice. A value: the search goes on without it.
struct RoleFailure {
  std::string reason;
};
template <class Answer>
using Answered = std::expected<Answer, RoleFailure>;

class RoleCaller {
public:
  RoleCaller(Provider &provider, Database &database, std::int64_t run)
      : provider_(provider), database_(database), run_(run) {}
  ~RoleCaller() { no_more_foresight_ = true; }
  RoleCaller(const RoleCaller &) = delete;
  RoleCaller &operator=(const RoleCaller &) = delete;

  const Provider &provider() const { return provider_; }

  template <class Answer>
  using Parse = std::function<Result<Answer>(std::string_view)>;

  /// The outer error is the database's. `parse` turns an answer's text into an Answer or says what is wrong.
  template <class Answer>
  Result<Answered<Answer>> ask(const RoleRequest &request, const Parse<Answer> &parse) {
    CUPILOT_TRY(answers, ask_all<Answer>({request}, parse));
    return std::move(answers.front());
  }

  /// Questions that do not depend on each other; answers in the order asked.
  template <class Answer>
  Result<std::vector<Answered<Answer>>> ask_all(const std::vector<RoleRequest> &requests,
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
    }
    return answers;
  }

  /// Begins to ask what may be asked next, beside whatever the caller does meanwhile. An answer nobody asks
  /// for afterwards leaves no trace. Providers that cost something are not asked ahead.
  void foresee(const std::vector<RoleRequest> &requests);

private:
  using Foreseen = std::map<std::string, Result<RoleAnswer>>;  ///< by the question's text
  Foreseen think_ahead(const std::vector<RoleRequest> &requests);
  std::vector<Result<RoleAnswer>> answer_all(const std::vector<RoleRequest> &requests);

  using Check = std::function<Result<void>(std::string_view)>;
  Result<std::vector<Answered<std::string>>> ask_texts(const std::vector<RoleRequest> &requests,
                                                       const Check &check);
  Result<Answered<std::string>> ask_costly(const RoleRequest &request, const Check &check);
  Result<Answered<std::string>> keep(const RoleRequest &request, const Result<RoleAnswer> &answer,
                                     const Check &check);

  Provider &provider_;
  Database &database_;
  std::int64_t run_;
  std::atomic<bool> no_more_foresight_ = false;
  Foreseen foreseen_;
  std::future<Foreseen> thinking_;  ///< last: it is waited for before the others go
};

}  // namespace cupilot
