// SPDX-License-Identifier: Apache-2.0
//
// Asking a provider: every question and its answer or failure goes into the run database; an answer that does
// not parse is asked for once more; a resumed run takes costly answers from the database instead of asking
// again.

#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>

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

  const Provider &provider() const { return provider_; }

  /// The outer error is the database's. `parse` turns an answer's text into an Answer or says what is wrong
  /// with it.
  template <class Answer>
  Result<Answered<Answer>> ask(const RoleRequest &request,
                               const std::function<Result<Answer>(std::string_view)> &parse) {
    Answered<Answer> answer = std::unexpected(RoleFailure{"no answer"});
    CUPILOT_TRY(text, ask_text(request, [&](std::string_view content) -> Result<void> {
                  auto parsed = parse(content);
                  if (!parsed) return std::unexpected(parsed.error());
                  answer = std::move(*parsed);
                  return {};
                }));
    if (!text) return Answered<Answer>(std::unexpected(text.error()));
    return answer;
  }

private:
  using Accept = std::function<Result<void>(std::string_view)>;
  Result<Answered<std::string>> ask_text(const RoleRequest &request, const Accept &accept);
  Result<Answered<std::string>> ask_once(const RoleRequest &request, const Accept &accept);

  Provider &provider_;
  Database &database_;
  std::int64_t run_;
};

}  // namespace cupilot
