// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/budget.h"

#include <fmt/format.h>

namespace cupilot::search {
namespace {

// Less than any model charges for one token; it absorbs rounding in sums of prices.
constexpr double kNothing = 1e-9;

/// "$4.97", "$0.0031"
std::string dollars(double usd) {
  return fmt::format("${:.{}f}", usd, usd == 0 || usd >= 0.1 ? 2 : 4);
}

std::string spent_of(const std::string &what, const std::string &spent, const std::string &budget,
                     const std::string &next) {
  return fmt::format("{} budget spent ({} of {}; the next question may cost {})", what, spent, budget, next);
}

}  // namespace

bool Ledger::reserve(const provider::Spending &at_most) {
  if (!done_because_.empty()) return false;
  const double usd = spent_.usd + reserved_.usd + at_most.usd;
  const long long tokens = spent_.tokens() + reserved_.tokens() + at_most.tokens();
  const bool too_dear = budget_.usd && at_most.usd > 0 && usd > *budget_.usd + kNothing;
  const bool too_long = budget_.tokens && at_most.tokens() > 0 && tokens > *budget_.tokens;
  if (!too_dear && !too_long) {
    reserved_ += at_most;
    ++outstanding_;
    return true;
  }
  // Questions under way may cost less than reserved, so this refusal is not final.
  if (outstanding_ > 0) return false;
  done_because_ = too_dear
                      ? spent_of("money", dollars(spent_.usd), dollars(*budget_.usd), dollars(at_most.usd))
                      : spent_of("token", std::to_string(spent_.tokens()), std::to_string(*budget_.tokens),
                                 std::to_string(at_most.tokens()));
  return false;
}

void Ledger::settle(const provider::Spending &reserved, const provider::Spending &spent) {
  reserved_ += {-reserved.tokens_in, -reserved.tokens_cached, -reserved.tokens_out, -reserved.usd};
  if (--outstanding_ == 0) reserved_ = {};
  spent_ += spent;
}

}  // namespace cupilot::search
