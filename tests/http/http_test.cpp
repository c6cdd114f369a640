// SPDX-License-Identifier: Apache-2.0
//
// The HTTP providers, curl and all, against a real server that misbehaves on script. Where nothing is in
// flight the provider's waits are counted instead of slept through.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "evolution/provider/curl_transport.h"
#include "evolution/provider/http_model_provider.h"
#include "evolution/provider/recording.h"
#include "tests/http/model_server.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using Milliseconds = std::chrono::milliseconds;
using Steady = std::chrono::steady_clock;

const std::string kKey = "sk-test-0123456789abcdefghij";

ModelServer &server() {
  static ModelServer one(kKey);
  return one;
}

/// Curl's transport in a time that goes on at once where only waiting is done.
class SkippingTransport final : public CurlTransport {
public:
  explicit SkippingTransport(std::vector<Milliseconds> &waits) : waits_(waits) {}

  TimePoint now() const override { return CurlTransport::now() + skipped_; }
  int start(HttpRequest request) override {
    if (idle_ > 0ms) waits_.push_back(std::exchange(idle_, 0ms));
    const int number = CurlTransport::start(std::move(request));
    flying_.insert(number);
    return number;
  }
  void abandon(int transfer) override {
    flying_.erase(transfer);
    CurlTransport::abandon(transfer);
  }
  std::vector<HttpNews> drive(Milliseconds longest) override {
    if (flying_.empty()) {
      skipped_ += longest, idle_ += longest;
      return {};
    }
    auto news = CurlTransport::drive(longest);
    for (const auto &one : news)
      if (std::holds_alternative<HttpEnd>(one.what)) flying_.erase(one.transfer);
    return news;
  }

private:
  std::vector<Milliseconds> &waits_;
  Milliseconds skipped_{0}, idle_{0};
  std::set<int> flying_;
};

struct Bill {
  long long in = 0, cached = 0, written = 0, out = 0;
  double usd(const Price &price) const {
    return static_cast<double>((in - cached - written)) * price.in / 1e6 +
           static_cast<double>(cached) * price.cached / 1e6 +
           static_cast<double>(written) * price.cache_write / 1e6 +
           static_cast<double>(out) * price.out / 1e6;
  }
};

struct Served : testing::TestWithParam<HttpDialect> {
  void SetUp() override {
    if (!server().works()) GTEST_FAIL() << "the server does not start";
    setenv("OPENAI_API_KEY", kKey.c_str(), 1);
    setenv("ANTHROPIC_API_KEY", kKey.c_str(), 1);
    settings.dialect = GetParam();
    settings.base_url = server().base();
    settings.model = "model-1";
    settings.most_output_tokens = 500;
    settings.price = Price{.in = 3, .out = 15, .cached = 0.3, .cache_write = 3.75};
    testing::internal::CaptureStderr();
  }
  void TearDown() override {
    produced += testing::internal::GetCapturedStderr();
    EXPECT_THAT(produced, Not(HasSubstr(kKey)));
    EXPECT_THAT(produced, Not(HasSubstr(kKey.substr(8)))) << "nor most of it";
  }

  bool openai() const { return GetParam() == HttpDialect::openai; }
  HttpModelProvider &provider() {
    if (!made)
      made = std::make_unique<HttpModelProvider>(settings, normalised_base(settings.base_url).value(),
                                                 std::make_unique<SkippingTransport>(waits));
    return *made;
  }
  static RoleRequest question(const std::string &prompt = "What is fast?") {
    return {.role = "translator", .prefix = "The rules: " + std::string(400, 'r'), .prompt = prompt};
  }

  ProviderAnswer ask(const Json &steps) {
    server().script(steps);
    auto answer = provider().answer(question());
    if (answer)
      produced += answer->content + answer->model + answer->request_id;
    else
      produced += answer.error().reason;
    return answer;
  }
  NoAnswer in_vain(const Json &steps) {
    const auto answer = ask(steps);
    EXPECT_FALSE(answer) << answer->content;
    return answer ? NoAnswer{} : answer.error();
  }
  Bill billed() {
    Bill bill;
    for (const auto &entry : server().log()) {
      bill.in += entry["billed"]["in"].get<long long>(), bill.out += entry["billed"]["out"].get<long long>();
      bill.cached += entry["billed"]["cached"].get<long long>();
      bill.written += entry["billed"]["written"].get<long long>();
    }
    return bill;
  }
  void expect_exact(const Spending &spent) {
    const auto bill = billed();
    EXPECT_EQ(spent.tokens_in, bill.in);
    EXPECT_EQ(spent.tokens_cached, bill.cached);
    EXPECT_EQ(spent.tokens_out, bill.out);
    EXPECT_DOUBLE_EQ(spent.usd, bill.usd(*settings.price));
  }
  /// Where the server cannot say what it billed: never less, and never more than was reserved.
  void expect_enough(const Spending &spent) {
    const auto bill = billed();
    const auto most = provider().at_most(question());
    EXPECT_GE(spent.tokens_in, bill.in);
    EXPECT_GE(spent.tokens_out, bill.out);
    EXPECT_GE(spent.usd, bill.usd(*settings.price));
    EXPECT_LE(spent.tokens_in, most.tokens_in);
    EXPECT_LE(spent.tokens_out, most.tokens_out);
    EXPECT_LE(spent.usd, most.usd);
    EXPECT_GT(bill.in, 0);
  }
  std::size_t requests() { return server().log().size(); }
  /// Real time goes by between two looks, on a busy machine more; what is exact is tested without one.
  static void expect_wait(Milliseconds waited, Milliseconds asked) {
    EXPECT_LE(waited, asked + 2ms);
    EXPECT_GE(waited, asked - std::min<Milliseconds>(asked / 2, 500ms));
  }
  Milliseconds own(int attempt) { return own_wait(settings, question_sha256(question()), attempt); }
  Json error(const std::string &type, const std::string &message = "as told") {
    if (openai()) return {{"error", {{"message", message}, {"type", type}, {"code", nullptr}}}};
    return {{"type", "error"}, {"error", {{"type", type}, {"message", message}}}};
  }

  HttpSettings settings;
  std::unique_ptr<HttpModelProvider> made;
  std::vector<Milliseconds> waits;
  std::string produced;
};

INSTANTIATE_TEST_SUITE_P(Dialects, Served, testing::Values(HttpDialect::openai, HttpDialect::anthropic),
                         [](const auto &dialect) {
                           return dialect.param == HttpDialect::openai ? "openai" : "anthropic";
                         });

TEST_P(Served, AnAnswerComesWholeWithItsBill) {
  const std::string text = "a \"text\"\nwith \xc3\xa4 and \\ in it, long enough for several pieces";
  const auto answer = ask({{{"text", text}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, text);
  EXPECT_EQ(answer->model, "model-1-2026");
  EXPECT_EQ(answer->request_id, openai() ? "req_7 fp_9" : "req_7");
  expect_exact(answer->spent);
  EXPECT_EQ(requests(), 1u);
}

TEST_P(Served, ThePrefixIsCachedAndBilledSo) {
  server().script(Json::array());
  Spending spent;
  for (int i = 0; i < 3; ++i) {
    const auto answer = provider().answer(question("question " + std::to_string(i)));
    ASSERT_TRUE(answer) << answer.error().reason;
    EXPECT_EQ(answer->spent.tokens_cached > 0, i > 0);
    spent += answer->spent;
  }
  expect_exact(spent);
}

TEST_P(Served, DetailsOfUsageAreOptional) {
  const auto answer = ask({{{"text", "yes"}, {"bare_usage", true}}});
  ASSERT_TRUE(answer);
  expect_exact(answer->spent);
}

TEST_P(Served, NoUsageIsChargedAtABound) {
  const auto answer = ask({{{"text", "yes"}, {"no_usage", true}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "yes");
  expect_enough(answer->spent);
}

TEST_P(Served, TooManyRequestsWithAndWithoutHeaders) {
  const auto limited = error("rate_limit_error");
  const auto answer = ask({{{"status", 429}, {"body", limited}, {"headers", {{"retry-after-ms", "3500"}}}},
                           {{"status", 429}, {"body", limited}},
                           {{"status", 429}, {"body", limited}, {"headers", {{"Retry-After", "20"}}}},
                           {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  ASSERT_EQ(waits.size(), 3u);
  expect_wait(waits[0], 3500ms);
  expect_wait(waits[1], own(2));
  expect_wait(waits[2], 20s);
  EXPECT_EQ(requests(), 4u);
  expect_exact(answer->spent);
  std::set<std::string> keys;
  for (const auto &entry : server().log()) keys.insert(entry["idempotency"].get<std::string>());
  EXPECT_EQ(keys.size(), 1u);
}

TEST_P(Served, AServerThatAsksForTooLongIsNotWaitedFor) {
  const auto none = in_vain({{{"status", 429}, {"headers", {{"retry-after", "3600"}}}}});
  EXPECT_THAT(none.reason, HasSubstr("asks to wait 3600 s"));
  EXPECT_FALSE(none.final);
  EXPECT_TRUE(waits.empty());
  EXPECT_EQ(requests(), 1u);
  expect_exact(none.spent);
}

TEST_P(Served, ASpendLimitEndsAllAtOnce) {
  const auto none =
      in_vain({{{"status", 429},
                {"headers", {{"retry-after", "1"}}},
                {"body", error(openai() ? "insufficient_quota" : "enforced_spend_limit_reached")}}});
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("no credit left"));
  EXPECT_EQ(requests(), 1u);
  EXPECT_TRUE(provider().answer(question()).error().final);
  EXPECT_EQ(requests(), 1u);
  expect_exact(none.spent);
}

TEST_P(Served, FaultsPass) {
  const auto answer =
      ask({{{"status", 500}}, {{"status", 529}, {"body", error("overloaded_error")}}, {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(requests(), 3u);
  ASSERT_EQ(waits.size(), 2u);
  expect_wait(waits[0], own(1));
  expect_wait(waits[1], own(2));
  expect_exact(answer->spent);
}

TEST_P(Served, FaultsThatDoNotPassAreAskedSoOften) {
  settings.retries = 3;
  const Json fault = {{"status", 503}, {"body", "<html>busy</html>"}};
  const auto none = in_vain({fault, fault, fault, fault, fault, fault});
  EXPECT_THAT(none.reason, HasSubstr("status 503: <html>busy</html> (asked 4 times)"));
  EXPECT_EQ(requests(), 4u);
  expect_exact(none.spent);
}

TEST_P(Served, TheServersWishIsObeyed) {
  EXPECT_THAT(in_vain({{{"status", 500}, {"headers", {{"x-should-retry", "false"}}}}}).reason,
              HasSubstr("status 500"));
  EXPECT_EQ(requests(), 1u);
  EXPECT_TRUE(ask({{{"status", 400}, {"headers", {{"x-should-retry", "true"}}}}, {{"text", "yes"}}}));
  EXPECT_EQ(requests(), 2u);
}

TEST_P(Served, AStreamThatStallsIsAskedOnceMore) {
  settings.stall_limit = 1s;
  const auto answer = ask({{{"text", "a long answer"}, {"stall", 3}}, {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "yes");
  EXPECT_EQ(requests(), 2u);
  expect_enough(answer->spent);
}

TEST_P(Served, AServerThatSaysNothingHasATotalLimit) {
  settings.total_limit = 300ms;
  const auto none = in_vain({{{"silent", true}}, {{"text", "yes"}}});
  EXPECT_THAT(none.reason, HasSubstr("no complete answer within 0.3 s"));
  EXPECT_EQ(requests(), 1u);
  EXPECT_GT(none.spent.tokens_out, 0) << "it may be billed";
}

TEST_P(Served, ACutStreamIsPaidForAndAskedOnceMore) {
  const Json cut = {{"text", "a long answer that breaks"}, {"cut", 2}};
  const auto answer = ask({cut, {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "yes");
  EXPECT_EQ(requests(), 2u);
  expect_enough(answer->spent);
  const auto none = in_vain({cut, cut, {{"text", "yes"}}});
  EXPECT_THAT(none.reason, HasSubstr("its answer was interrupted"));
  EXPECT_FALSE(none.final);
  EXPECT_EQ(requests(), 2u);
  expect_enough(none.spent);
}

TEST_P(Served, AConnectionThatDropsIsTriedAgain) {
  const auto answer = ask({{{"drop", true}}, {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(requests(), 2u);
  expect_enough(answer->spent);
}

TEST_P(Served, WhatIsNotTheDialectIsNoAnswer) {
  const std::vector<std::pair<Json, std::string>> odd = {
      {{{"text", "a long answer"}, {"malformed", 2}}, "malformed JSON"},
      {{{"text", "a long answer"}, {"schema", 2}}, "expected schema"},
      {{{"page", "<html>welcome</html>"}},
       "not a stream of events (is the base URL right?): '<html>welcome</html>'"},
      {{{"page", ""}}, "not a stream of events"},
      {{{"text", ""}}, "its answer is empty"},
      {{{"text", "a"}, {"error", error("invalid_request_error", "odd")}},
       "the server reported an error in its stream: odd"}};
  for (const auto &[step, reason] : odd) {
    made.reset();
    const auto none = in_vain({step, {{"text", "yes"}}});
    EXPECT_THAT(none.reason, HasSubstr(reason));
    EXPECT_FALSE(none.final);
    EXPECT_EQ(requests(), 1u) << reason;
    if (!step.contains("page")) expect_enough(none.spent);
  }
}

TEST_P(Served, APassingErrorInsideAStreamIsAskedOnceMore) {
  const auto answer = ask({{{"text", "a long answer"},
                            {"error", error(openai() ? "server_error" : "overloaded_error")},
                            {"error_after", 3}},
                           {{"text", "yes"}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(requests(), 2u);
  expect_enough(answer->spent);
}

TEST_P(Served, StopReasonsThatAreNoAnswer) {
  const auto none = in_vain({{{"text", "half an"}, {"finish", openai() ? "length" : "max_tokens"}}});
  EXPECT_THAT(none.reason, HasSubstr("cut at the output limit"));
  expect_exact(none.spent);
  const auto refused = in_vain({{{"text", "I"}, {"finish", openai() ? "content_filter" : "refusal"}}});
  EXPECT_THAT(refused.reason, HasSubstr(openai() ? "content filter" : "refused to answer"));
  expect_exact(refused.spent);
}

TEST_P(Served, TenMegabytesAreRefusedAndWhatCameIsPaid) {
  const auto none = in_vain({{{"text", ""}, {"huge", 10 << 20}}});
  EXPECT_THAT(none.reason, HasSubstr("larger than the limit of 4194304 bytes"));
  EXPECT_EQ(requests(), 1u);
  expect_enough(none.spent);
  const auto answer = ask({{{"text", ""}, {"huge", 1 << 20}}});
  ASSERT_TRUE(answer) << "a megabyte is not too much: " << answer.error().reason;
  EXPECT_EQ(answer->content.size(), 1u << 20);
}

TEST_P(Served, ASlowTrickleIsWaitedForWithinItsLimits) {
  settings.stall_limit = 2000ms;
  const auto answer = ask({{{"text", "eight slow pieces"}, {"pause", 0.04}}});
  ASSERT_TRUE(answer) << answer.error().reason;
  expect_exact(answer->spent);
  settings.total_limit = 150ms;
  made.reset();
  const auto none = in_vain({{{"text", "eight slow pieces"}, {"pause", 0.1}}});
  EXPECT_THAT(none.reason, HasSubstr("no complete answer within 0.2 s"));
  expect_enough(none.spent);
}

TEST_P(Served, AWrongKeyEndsAllAndIsNotTold) {
  const std::string wrong = "sk-wrong-9876543210zyxw";
  setenv(openai() ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY", wrong.c_str(), 1);
  const auto none = in_vain(Json::array());
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr(openai() ? "check OPENAI_API_KEY" : "check ANTHROPIC_API_KEY"));
  EXPECT_THAT(none.reason, HasSubstr("[key]"));
  EXPECT_THAT(none.reason, Not(HasSubstr(wrong)));
  EXPECT_EQ(requests(), 1u);
}

TEST_P(Served, AnUnknownModelEndsAll) {
  settings.model = "model-0";
  const auto none = in_vain(Json::array());
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("the server does not know the model 'model-0'"));
  EXPECT_EQ(requests(), 1u);
}

TEST_P(Served, ARedirectIsNotFollowed) {
  for (const int status : {301, 302, 307, 308}) {
    made.reset();
    const auto none =
        in_vain({{{"status", status}, {"headers", {{"Location", server().other_name() + "/v1/messages"}}}}});
    EXPECT_TRUE(none.final);
    EXPECT_THAT(none.reason, HasSubstr("redirects this request (status " + std::to_string(status)));
    EXPECT_EQ(requests(), 1u);
  }
}

TEST_P(Served, AServerOnThisMachineIsAskedWithoutAProxy) {
  setenv("http_proxy", "http://127.0.0.1:1", 1);
  EXPECT_TRUE(ask(Json::array()));
  unsetenv("http_proxy");
}

TEST_P(Served, TheBaseMayEndInV1) {
  for (const char *end : {"/", "/v1", "/v1/"}) {
    settings.base_url = server().base() + end;
    made.reset();
    EXPECT_TRUE(ask(Json::array())) << end;
  }
}

TEST_P(Served, AnUnsignedCertificateIsNotTrusted) {
  if (server().tls_base().empty()) GTEST_SKIP() << "no openssl program to make a certificate with";
  settings.base_url = server().tls_base();
  const auto none = in_vain(Json::array());
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("certificate is not trusted"));
  EXPECT_EQ(requests(), 0u);
  EXPECT_EQ(none.spent.tokens(), 0);
}

TEST_P(Served, AnUnreachableServerIsSaidAndCostsNothing) {
  settings.base_url = "http://127.0.0.1:1";
  settings.failures_in_a_row = 2;
  const auto none = in_vain(Json::array());
  EXPECT_THAT(none.reason, HasSubstr("the server cannot be reached"));
  EXPECT_THAT(none.reason, HasSubstr("(asked 5 times)"));
  EXPECT_EQ(none.spent.tokens(), 0);
  EXPECT_EQ(waits.size(), 4u);
  EXPECT_TRUE(in_vain(Json::array()).final);
}

TEST_P(Served, ASilentServerIsLeftWhenStopped) {
  std::atomic<bool> stop = false;
  settings.stop = &stop;
  server().script({{{"text", "a long answer"}, {"stall", 2}}});
  Steady::time_point stopped_at;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(100ms);
    stopped_at = Steady::now();
    stop = true;
  });
  const auto none = provider().answer(question());
  const auto ended_at = Steady::now();
  stopper.join();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, "stopped");
  EXPECT_TRUE(none.error().final);
  EXPECT_LT(ended_at - stopped_at, 20s) << "long before the time limits";
  expect_enough(none.error().spent);
}

/// Many at once over a server in trouble: each answer to its own question, and the sum of all bills exact.
TEST_P(Served, AStormIsAccountedToTheToken) {
  constexpr std::size_t kQuestions = 60;
  settings.parallel = 6;
  settings.retries = 40;
  Json steps = Json::array();
  const Json trouble = {{{"status", 500}},     {{"status", 429}, {"headers", {{"retry-after-ms", "40"}}}},
                        {{"status", 529}},     {{"text", "$prompt"}},
                        {{"text", "$prompt"}}, {{"text", "$prompt"}}};
  std::uint32_t random = 7;
  std::size_t good = 0;
  while (good < kQuestions) {
    random = random * 1664525u + 1013904223u;
    steps.push_back(trouble[(random >> 16) % trouble.size()]);
    good += steps.back().contains("text");
  }
  server().script(steps);
  std::vector<RoleRequest> questions;
  for (std::size_t i = 0; i < kQuestions; ++i)
    questions.push_back(question("Question " + std::to_string(i) + std::string(i, '.')));
  Spending spent;
  provider().answer_all(questions, [&](std::size_t i, ProviderAnswer answer) {
    ASSERT_TRUE(answer) << answer.error().reason;
    EXPECT_EQ(answer->content, questions[i].prompt);
    spent += answer->spent;
  });
  EXPECT_EQ(requests(), steps.size());
  const auto bill = billed();
  EXPECT_EQ(spent.tokens_in, bill.in);
  EXPECT_EQ(spent.tokens_cached, bill.cached);
  EXPECT_EQ(spent.tokens_out, bill.out);
  EXPECT_NEAR(spent.usd, bill.usd(*settings.price), 1e-12);
}

/// Nothing put in its place: the provider as programs make it, its waits slept.
TEST_P(Served, AsItIsMadeItReallyWaits) {
  server().script({{{"status", 429}, {"headers", {{"retry-after-ms", "150"}}}}, {{"text", "yes"}}});
  settings.base_url = server().base() + "/v1";
  auto provider = make_http_provider(settings);
  ASSERT_TRUE(provider) << provider.error().message;
  const auto answer = (*provider)->answer(question());
  ASSERT_TRUE(answer) << answer.error().reason;
  const auto log = server().log();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_GE(log[1]["at"].get<double>() - log[0]["at"].get<double>(), 0.149);
  EXPECT_GE(answer->seconds, 0.149);
}

}  // namespace
}  // namespace cupilot
