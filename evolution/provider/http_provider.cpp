// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_provider.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "annotate/support/text.h"
#include "evolution/provider/curl_transport.h"
#include "evolution/provider/http_round.h"

namespace cupilot::provider {
namespace {

const Dialect &dialect_of(HttpDialect dialect) {
  return dialect == HttpDialect::openai ? openai_dialect() : anthropic_dialect();
}

}  // namespace

HttpDialect http_dialect(const std::string &provider) {
  return provider == openai_dialect().name() ? HttpDialect::openai : HttpDialect::anthropic;
}

std::string default_base_url(HttpDialect dialect) {
  const char *url = std::getenv(dialect_of(dialect).base_variable().c_str());
  return url && !trim(url).empty() ? std::string(trim(url)) : dialect_of(dialect).public_base();
}

HttpModelProvider::HttpModelProvider(HttpSettings settings, std::string base_url,
                                     std::unique_ptr<HttpTransport> transport)
    : settings_(std::move(settings)),
      dialect_(dialect_of(settings_.dialect)),
      base_url_(std::move(base_url)),
      transport_(std::move(transport)) {
  settings_.parallel = std::max(1, settings_.parallel);
}

long long HttpModelProvider::output_limit(const RoleRequest &request) const {
  const auto own = settings_.most_output_tokens;
  return request.most_output_tokens > 0 ? std::min(request.most_output_tokens, own) : own;
}

TokenBound HttpModelProvider::bound_of(std::size_t body_bytes, long long limit) const {
  return {static_cast<long long>(body_bytes) + kOverheadTokens + excess_in_, limit + excess_out_};
}

Spending HttpModelProvider::at_most(const RoleRequest &request) const {
  const auto limit = output_limit(request);
  auto bound = bound_of(dialect_.body(settings_, request, limit).size(), limit);
  const int requests = settings_.retries > 0 ? kChargedRequests : 1;
  bound.in *= requests, bound.out *= requests;
  return spending_at(bound, settings_.price);
}

void HttpModelProvider::learn(const TokenBound &bound, const Spending &billed) {
  excess_in_ += std::max(0ll, billed.tokens_in - bound.in);
  excess_out_ += std::max(0ll, billed.tokens_out - bound.out);
}

void HttpModelProvider::note(bool server_failed, const std::string &reason) {
  failures_in_a_row_ = server_failed ? failures_in_a_row_ + 1 : 0;
  if (failures_in_a_row_ < settings_.failures_in_a_row || !ended_because_.empty()) return;
  ended_because_ = fmt::format("{} questions in a row got no answer from {}; the last: {}",
                               failures_in_a_row_, base_url_, reason);
}

ProviderAnswer HttpModelProvider::answer(const RoleRequest &request) {
  std::optional<ProviderAnswer> only;
  answer_all({request}, [&](std::size_t, ProviderAnswer answer) { only = std::move(answer); });
  CUPILOT_CHECK(only.has_value());
  return std::move(*only);
}

void HttpModelProvider::answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) {
  const std::lock_guard lock(mutex_);
  auto key = find_key(settings_, dialect_, base_url_);
  if (!key) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      arrived(i, std::unexpected(NoAnswer{key.error().message, true}));
    return;
  }
  Round(*this, requests, arrived, std::move(*key)).run();
}

Result<std::unique_ptr<Provider>> make_http_provider(HttpSettings settings) {
  const Dialect &dialect = dialect_of(settings.dialect);
  if (settings.model.empty())
    return user_error(fmt::format("no model for the provider '{}': name one with --model", dialect.name()));
  CUPILOT_TRY(base_url, base_url_of(settings, dialect));
  CUPILOT_CHECKED(find_key(settings, dialect, base_url));
  return std::make_unique<HttpModelProvider>(std::move(settings), std::move(base_url),
                                             std::make_unique<CurlTransport>());
}

}  // namespace cupilot::provider
