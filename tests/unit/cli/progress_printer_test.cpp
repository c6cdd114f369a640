// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/progress_printer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/report/output.h"
#include "driver/cli/text/table.h"
#include "evolution/search/tune.h"

namespace cupilot::cli {
using namespace cupilot::cli::run;
using namespace cupilot::cli::text;
using namespace cupilot::model;
using namespace cupilot::search;
namespace {

using testing::HasSubstr;

/// A stream in memory; `text` is valid after `close`.
class Memory {
public:
  Memory() : stream_(::open_memstream(&data_, &size_)) {}
  ~Memory() {
    close();
    std::free(data_);
  }
  std::FILE *stream() { return stream_; }
  std::string text() {
    close();
    return {data_, size_};
  }

private:
  void close() {
    if (stream_) std::fclose(std::exchange(stream_, nullptr));
  }
  char *data_ = nullptr;
  std::size_t size_ = 0;
  std::FILE *stream_;
};

void play(Progress &progress) {
  progress.kernel_started("k", "sm_90");
  progress.round_started({"k", 1, "singles", 3, 2});
  progress.strategy_refused("k", {"pad-shared"}, "no shared memory");
  progress.candidate_judged(
      {"k", "c0001", {"wide-access"}, "kThreads=256", VerdictKind::faster, 2.104, "", true});
  progress.best_so_far({"k", "c0001", 2.104, 61.34, 29.15, 0.884});
  progress.candidate_judged(
      {"k", "c0002", {"block-size"}, "", VerdictKind::build_failed, 0, "error: no\nsecond line", false});
  progress.standing({"k", 1, 1, 2, 3, std::chrono::seconds(5), std::chrono::minutes(2)});
  progress.finished({});
}

TEST(PlainLines, AnEstimateIsCalledOne) {
  Memory memory;
  const auto progress = make_plain_lines(memory.stream());
  CandidateJudged judged{"k", "c0001", {"wide-access"}, "", VerdictKind::faster, 0, "", false};
  judged.estimate = 2.104;
  progress->candidate_judged(judged);
  BestSoFar best{"k", "c0001"};
  best.estimate = 2.104, best.original_estimate_us = 61.34, best.best_estimate_us = 29.15;
  progress->best_so_far(best);
  EXPECT_EQ(memory.text(),
            "k: c0001 wide-access: faster 2.10x est.\n"
            "k: best so far: c0001 2.10x est., 61.3 -> 29.1 µs est.\n");
}

TEST(PlainLines, SayOneLineAnEvent) {
  Memory memory;
  play(*make_plain_lines(memory.stream()));
  EXPECT_EQ(memory.text(),
            "k: tuning for sm_90\n"
            "k: singles: 3 candidates; resumed: 2 candidates already judged\n"
            "k: pad-shared: does not apply: no shared memory\n"
            "k: c0001 wide-access kThreads=256: faster 2.10x (resumed)\n"
            "k: best so far: c0001 2.10x, 61.3 -> 29.1 µs, 88 % of copy bandwidth\n"
            "k: c0002 block-size: build_failed: error: no\n");
}

TEST(RewrittenLine, CountsVerdictsAndFitsTheTerminal) {
  for (const std::size_t width : {80u, 20u}) {
    Memory memory;
    play(*make_rewritten_line(memory.stream(), width));
    const auto text = memory.text();
    if (width == 80) {
      EXPECT_THAT(text,
                  HasSubstr("\r\x1b[Kk [2/3] 1 faster 1 build_failed, best 2.10x, at most 2 min 0 s left"));
    }
    EXPECT_THAT(text, HasSubstr("resumed: 2 candidates already judged\n"));
    const auto line = text.find("k [2/3]");
    ASSERT_NE(line, std::string::npos);
    EXPECT_LT(display_width(text.substr(line, text.find('\r', line) - line)), width);
  }
}

TEST(Progress, WhatAServerSaidDoesNotReachTheTerminal) {
  RoleAnswered answered{"k", "translator", "openai", "m"};
  answered.failure = "HTTP 400: \x1b]0;owned\x07\x1b[2J\u202e";
  const CandidateJudged judged{"k", "c1", {"a\x1b[31m"}, "", VerdictKind::rejected, 0, "\x1b[H\x9b", false};
  Memory plain, rewritten;
  for (auto *memory : {&plain, &rewritten}) {
    auto display =
        memory == &plain ? make_plain_lines(memory->stream()) : make_rewritten_line(memory->stream(), 80);
    display->role_answered(answered);
    display->candidate_judged(judged);
    display->standing({"k\x1b[7m", 1, 1, 2, 3, std::chrono::seconds(5), std::nullopt});
  }
  EXPECT_THAT(plain.text(), HasSubstr("no usable answer: HTTP 400: \\x1b]0;owned\\x07\\x1b[2J\\u202e"));
  EXPECT_THAT(plain.text(), testing::Not(HasSubstr("\x1b")));
  const auto cleared = replace_all(rewritten.text(), "\r\x1b[K", "");
  EXPECT_THAT(cleared, HasSubstr("k\\x1b[7m [2/3]"));
  EXPECT_THAT(cleared, testing::Not(HasSubstr("\x1b")));
}

TEST(Output, WhatAServerSaidDoesNotReachTheTerminal) {
  const std::string bad = "the server said '\x1b[2J'\n";
  testing::internal::CaptureStdout();
  EXPECT_TRUE(report::print(bad));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "the server said '\\x1b[2J'\n");
  testing::internal::CaptureStderr();
  log::error(bad);
  log::print(bad);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cupilot: error: the server said '\\x1b[2J'\n\nthe server said '\\x1b[2J'\n");
}

/// One answer and one failure of a model, with what the run has cost so far.
void ask(TuneDisplay &display) {
  display.model_budget({.tokens_in = 900, .tokens_out = 100, .usd = 0.01}, {.usd = 5, .tokens = 500'000});
  display.role_asked({"k", "translator", "anthropic", "m", 2});
  RoleAnswered answered{"k", "translator", "anthropic", "m"};
  answered.tokens_in = 30'000, answered.tokens_out = 1'000;
  answered.usd = 0.4, answered.seconds = 12.34;
  answered.run_tokens = 32'000, answered.run_usd = 0.41;
  display.role_answered(answered);
  answered.failure = "no block of code\nmore";
  answered.resumed = true;
  display.role_answered(answered);
}

TEST(PlainLines, SayWhatModelsCost) {
  Memory memory;
  ask(*make_plain_lines(memory.stream()));
  EXPECT_EQ(memory.text(),
            "k: asking the translator 2 questions\n"
            "k: translator: 31k tokens, $0.40, 12.3 s; spent $0.41 of $5.00, 32k of 500k tokens\n"
            "k: translator: no usable answer: no block of code, 31k tokens, $0.40, 12.3 s (resumed); spent "
            "$0.41 of "
            "$5.00, 32k of 500k tokens\n");
}

TEST(RewrittenLine, ShowsWhoIsAskedAndTheCost) {
  Memory memory;
  ask(*make_rewritten_line(memory.stream(), 80));
  const auto text = memory.text();
  EXPECT_THAT(text, HasSubstr("k translator [0/2 answered], $0.0100 of $5.00, 1000 of 500k tokens"));
  EXPECT_THAT(text, HasSubstr("k translator [2/2 answered], $0.41 of $5.00, 32k of 500k tokens"));
  EXPECT_THAT(text, HasSubstr("k: translator: no usable answer: no block of code"));
}

TEST(Progress, NoneIsSilent) {
  Memory memory;
  play(*make_progress(ProgressStyle::none, memory.stream()));
  EXPECT_EQ(memory.text(), "");
}

}  // namespace
}  // namespace cupilot::cli
