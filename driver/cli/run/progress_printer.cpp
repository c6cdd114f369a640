// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/progress_printer.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <map>

#include "annotate/support/text.h"
#include "driver/cli/run/budget.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"

namespace cupilot::cli::run {
namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr const char *kClearLine = "\r\x1b[K";

std::string best_text(const search::BestSoFar &best) {
  if (best.estimate > 0)
    return fmt::format("{}, {} -> {} µs est.", text::estimate_text(best.estimate),
                       text::time_text(best.original_estimate_us), text::time_text(best.best_estimate_us));
  auto text = text::speedup_text(best.speedup);
  if (best.best_us > 0)
    text += fmt::format(", {} -> {} µs", text::time_text(best.original_us), text::time_text(best.best_us));
  if (best.bandwidth_share > 0)
    text += fmt::format(", {} of copy bandwidth", text::share_text(best.bandwidth_share));
  return text;
}

std::string round_text(const search::RoundStarted &round) {
  auto text =
      fmt::format("{}: {} candidate{}", round.name, round.candidates, round.candidates == 1 ? "" : "s");
  if (round.known) text += fmt::format("; resumed: {} candidates already judged", round.known);
  return text;
}

std::string judged_text(const search::CandidateJudged &judged) {
  auto text = fmt::format("{} {}", judged.candidate, candidate_text(judged.strategies, judged.knobs));
  text += fmt::format(": {}", model::to_string(judged.verdict));
  if (judged.speedup > 0) text += " " + text::speedup_text(judged.speedup);
  if (judged.resumed) text += " (resumed)";
  if (judged.estimate > 0) text += " " + text::estimate_text(judged.estimate);
  const bool timed = judged.speedup > 0 || judged.estimate > 0;
  if (!timed && !judged.reason.empty()) text += ": " + first_line(judged.reason);
  return text;
}

/// What models have cost for the current kernel, and what is left.
class Cost {
public:
  void begin(const provider::Spending &already, const search::Budget &budget) {
    usd_ = already.usd, tokens_ = already.tokens(), budget_ = budget;
  }
  void set(const search::RoleAnswered &answered) { usd_ = answered.run_usd, tokens_ = answered.run_tokens; }
  /// "$0.41 of $5.00, 31k of 500k tokens"; money only where it is known or limited; "" without anything
  std::string text() const {
    std::string text;
    if (usd_ > 0 || budget_.usd)
      text = money_text(usd_) + (budget_.usd ? " of " + money_text(*budget_.usd) : "");
    if (tokens_ > 0 || budget_.tokens)
      text += (text.empty() ? "" : ", ") + tokens_text(tokens_) +
              (budget_.tokens ? " of " + tokens_text(*budget_.tokens) : "") + " tokens";
    return text;
  }

private:
  double usd_ = 0;
  long long tokens_ = 0;
  search::Budget budget_;
};

/// "translator: 3120 tokens, $0.0123, 12.3 s", "translator: no usable answer: ..., 12.3 s"
std::string answer_text(const search::RoleAnswered &answered) {
  const long long tokens = answered.tokens_in + answered.tokens_out;
  auto text = answered.role + ": ";
  if (!answered.failure.empty()) text += "no usable answer: " + first_line(answered.failure) + ", ";
  if (tokens > 0) text += tokens_text(tokens) + " tokens, ";
  if (answered.usd > 0) text += money_text(answered.usd) + ", ";
  return text + fmt::format("{:.1f} s", answered.seconds) + (answered.resumed ? " (resumed)" : "");
}

class PlainLines final : public TuneDisplay {
public:
  explicit PlainLines(std::FILE *out) : out_(out) {}
  void kernel_started(const std::string &kernel, const std::string &architecture) override {
    line(kernel, "tuning for " + architecture);
  }
  void model_budget(const provider::Spending &already, const search::Budget &budget) override {
    cost_.begin(already, budget);
  }
  void role_asked(const search::RoleAsked &asked) override {
    if (asked.questions > 1)
      line(asked.kernel, fmt::format("asking the {} {} questions", asked.role, asked.questions));
  }
  void role_answered(const search::RoleAnswered &answered) override {
    cost_.set(answered);
    const auto cost = cost_.text();
    line(answered.kernel, answer_text(answered) + (cost.empty() ? "" : "; spent " + cost));
  }
  void round_started(const search::RoundStarted &round) override { line(round.kernel, round_text(round)); }
  void strategy_refused(const std::string &kernel, const std::vector<std::string> &strategies,
                        const std::string &reason) override {
    line(kernel, join(strategies, " + ") + ": does not apply: " + refusal_text(strategies, reason));
  }
  void candidate_judged(const search::CandidateJudged &judged) override {
    line(judged.kernel, judged_text(judged));
  }
  void best_so_far(const search::BestSoFar &best) override {
    line(best.kernel, "best so far: " + best.candidate + " " + best_text(best));
  }

private:
  void line(const std::string &kernel, const std::string &text) {
    std::fputs((printable(kernel + ": " + text) + "\n").c_str(), out_);
    std::fflush(out_);
  }
  std::FILE *out_;
  Cost cost_;
};

/// Rewrites one line with counts, best result, cost and time left. Events worth keeping (rounds, a new best)
/// are printed above it.
class RewrittenLine final : public TuneDisplay {
public:
  RewrittenLine(std::FILE *out, std::size_t width) : out_(out), width_(width) {}
  RewrittenLine(const RewrittenLine &) = delete;
  RewrittenLine &operator=(const RewrittenLine &) = delete;
  ~RewrittenLine() override { show(""); }

  void kernel_started(const std::string &kernel, const std::string &architecture) override {
    counts_.clear();
    best_.clear();
    keep(kernel + ": tuning for " + architecture);
  }
  void round_started(const search::RoundStarted &round) override {
    keep(round.kernel + ": " + round_text(round));
  }
  void candidate_judged(const search::CandidateJudged &judged) override { ++counts_[judged.verdict]; }
  void best_so_far(const search::BestSoFar &best) override {
    best_ = ", best " +
            (best.estimate > 0 ? text::estimate_text(best.estimate) : text::speedup_text(best.speedup));
    keep(best.kernel + ": best so far: " + best_text(best));
  }
  void standing(const search::Standing &now) override {
    std::string counts;
    for (const auto &[kind, count] : counts_) counts += fmt::format(" {} {}", count, model::to_string(kind));
    auto text =
        fmt::format("{} [{}/{}]{}{}{}", now.kernel, now.in_round, now.round_size, counts, best_, cost());
    if (now.left) text += ", at most " + text::duration_text(*now.left) + " left";
    show(text);
  }
  void finished(const search::TuneOutcome &) override { show(""); }

  void model_budget(const provider::Spending &already, const search::Budget &budget) override {
    cost_.begin(already, budget);
  }
  void role_asked(const search::RoleAsked &asked) override {
    asked_ = asked;
    answered_ = 0;
    show_asking();
  }
  void role_answered(const search::RoleAnswered &answered) override {
    cost_.set(answered);
    ++answered_;
    if (!answered.failure.empty()) keep(answered.kernel + ": " + answer_text(answered));
    show_asking();
  }

private:
  std::string cost() const {
    const auto text = cost_.text();
    return text.empty() ? text : ", " + text;
  }
  void show_asking() {
    show(fmt::format("{} {} [{}/{} answered]{}{}", asked_.kernel, asked_.role, answered_, asked_.questions,
                     best_, cost()));
  }
  void keep(const std::string &text) {
    std::fputs((kClearLine + printable(text) + "\n").c_str(), out_);
    show(shown_);
  }
  void show(const std::string &text) {
    shown_ = text;
    // A line longer than the terminal would wrap, and a wrapped line cannot be rewritten.
    std::string fitting = printable(text);
    while (text::display_width(fitting) >= width_) fitting.pop_back();
    std::fputs((kClearLine + fitting).c_str(), out_);
    std::fflush(out_);
  }
  std::FILE *out_;
  std::size_t width_;
  std::map<model::VerdictKind, std::size_t> counts_;
  std::string best_, shown_;
  search::RoleAsked asked_;
  std::size_t answered_ = 0;
  Cost cost_;
};

std::size_t terminal_width(std::FILE *out) {
  winsize size{};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

}  // namespace

void clear_rewritten_line() {
  if (::isatty(STDERR_FILENO)) std::fputs(kClearLine, stderr);
}

std::string first_line(const std::string &text) {
  const auto lines = split_lines(text);
  return lines.empty() ? "" : lines[0];
}

std::string refusal_text(const std::vector<std::string> &strategies, const std::string &reason) {
  const auto prefix = join(strategies, " + ") + ": ";
  return reason.starts_with(prefix) ? reason.substr(prefix.size()) : reason;
}

std::string candidate_text(const std::vector<std::string> &strategies, const std::string &knobs) {
  const auto names = join(strategies, " + ");
  return names.empty() || knobs.empty() ? names + knobs : names + " " + knobs;
}

std::unique_ptr<TuneDisplay> make_rewritten_line(std::FILE *out, std::size_t width) {
  return std::make_unique<RewrittenLine>(out, width);
}

std::unique_ptr<TuneDisplay> make_plain_lines(std::FILE *out) {
  return std::make_unique<PlainLines>(out);
}

std::unique_ptr<TuneDisplay> make_progress(ProgressStyle style, std::FILE *out) {
  if (style == ProgressStyle::none) return std::make_unique<TuneDisplay>();
  if (style == ProgressStyle::automatic && ::isatty(::fileno(out)))
    return make_rewritten_line(out, terminal_width(out));
  return make_plain_lines(out);
}

}  // namespace cupilot::cli::run
