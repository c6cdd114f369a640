// SPDX-License-Identifier: Apache-2.0
//
// The provider over a scripted server in scripted time: limits, retries, accounts and ends, exact.

#include "evolution/provider/http_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "evolution/provider/http_model_provider.h"
#include "evolution/provider/recording.h"
#include "tests/fakes/model_transport.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;
using How = HttpEnd::How;

constexpr const char *kKey = "sk-very-secret-0123456789";
const RoleRequest kHttpQuestion{
    .role = "translator", .prefix = "rules", .prompt = "do it", .prompt_version = "t 1"};

std::string chunk(const std::string &text) {
  return R"(data: {"id":"c1","model":"m-2026","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":")" +
         text + "\"},\"finish_reason\":null}],\"usage\":null}\n\n";
}
std::string finish(const std::string &reason) {
  return R"(data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":")" + reason + "\"}]}\n\n";
}
std::string usage(int in, int out, int cached = 0) {
  return R"(data: {"id":"c1","choices":[],"usage":{"prompt_tokens":)" + std::to_string(in) +
         R"(,"completion_tokens":)" + std::to_string(out) + R"(,"prompt_tokens_details":{"cached_tokens":)" +
         std::to_string(cached) + "}}}\n\n";
}
const std::string kDone = "data: [DONE]\n\n";

ScriptedReply good(const std::string &text = "yes") {
  return {.headers = {{"x-request-id", "req-1"}},
          .bodies = {chunk(text), finish("stop"), usage(100, 20, 40), kDone}};
}
ScriptedReply status(int code, std::map<std::string, std::string> headers = {}, std::string body = "{}") {
  return {.status = code, .headers = std::move(headers), .bodies = {std::move(body)}};
}
/// 200, `bodies`, then the connection is lost.
ScriptedReply cut(std::vector<std::string> bodies) {
  return {.bodies = std::move(bodies), .end = {How::broken, "connection reset"}};
}

struct Http : testing::Test {
  Http() {
    setenv("OPENAI_API_KEY", kKey, 1);
    settings.model = "m";
    settings.most_output_tokens = 1000;
    settings.price = Price{.in = 2, .out = 10, .cached = 0.5, .cache_write = 2};
  }
  ~Http() override { unsetenv("OPENAI_API_KEY"); }

  HttpModelProvider &provider() {
    if (!made)
      made = std::make_unique<HttpModelProvider>(settings, "https://server",
                                                 std::make_unique<ScriptedTransport>(server));
    return *made;
  }
  ProviderAnswer ask(std::deque<ScriptedReply> replies) {
    server.replies = std::move(replies);
    return provider().answer(kHttpQuestion);
  }
  NoAnswer asked_in_vain(std::deque<ScriptedReply> replies) {
    const auto answer = ask(std::move(replies));
    EXPECT_FALSE(answer) << answer->content;
    return answer ? NoAnswer{} : answer.error();
  }
  TokenBound bound() {
    return {
        static_cast<long long>(openai_dialect().body(settings, kHttpQuestion, 1000).size()) + kOverheadTokens,
        1000};
  }
  /// Between requests, from the end of one to the start of the next.
  std::chrono::milliseconds own(int attempt) {
    return own_wait(settings, question_sha256(kHttpQuestion), attempt);
  }

  HttpSettings settings;
  ScriptedServer server;
  std::unique_ptr<HttpModelProvider> made;
};

TEST_F(Http, AnAnswerIsItsTextItsModelAndItsBill) {
  const auto answer = ask({good("one")});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "one");
  EXPECT_EQ(answer->model, "m-2026");
  EXPECT_EQ(answer->request_id, "req-1 fp");
  EXPECT_EQ(answer->spent.tokens_in, 100);
  EXPECT_EQ(answer->spent.tokens_cached, 40);
  EXPECT_EQ(answer->spent.tokens_out, 20);
  EXPECT_DOUBLE_EQ(answer->spent.usd, (60 * 2 + 40 * 0.5 + 20 * 10) / 1e6);
  EXPECT_DOUBLE_EQ(answer->seconds, 0.06);  // head, four bodies, end: 10 ms apart
  ASSERT_EQ(server.requests.size(), 1u);
  EXPECT_EQ(server.requests[0].url, "https://server/v1/chat/completions");
  EXPECT_THAT(server.requests[0].headers, testing::Contains("Authorization: Bearer " + std::string(kKey)));
}

TEST_F(Http, AnUnknownPriceCostsNothing) {
  settings.price.reset();
  const auto answer = ask({good()});
  EXPECT_EQ(answer->spent.usd, 0);
  EXPECT_EQ(answer->spent.tokens_in, 100);
  EXPECT_EQ(provider().at_most(kHttpQuestion).usd, 0);
}

TEST_F(Http, WaitsAsTheServerAsksElseItsOwnTime) {
  const auto answer = ask({status(429, {{"retry-after-ms", "1234"}}), status(529),
                           status(503, {{"retry-after", "7"}}), status(500), good()});
  ASSERT_TRUE(answer) << answer.error().reason;
  // A refused request ends 20 ms after its start: head and body at 10 and 20, the end at 30.
  ASSERT_EQ(server.starts.size(), 5u);
  std::vector<std::chrono::milliseconds> waits;
  for (std::size_t i = 1; i < 5; ++i) waits.push_back(server.starts[i] - server.starts[i - 1] - 30ms);
  EXPECT_THAT(waits, ElementsAre(1234ms, own(2), 7000ms, own(4)));
  EXPECT_EQ(answer->spent.tokens_in, 100) << "what is refused is not billed";
  EXPECT_LE(server.longest_drive, 200ms) << "the stop flag is looked at";
}

TEST_F(Http, EveryRequestOfAQuestionHasOneIdempotencyKeyAndTheNextQuestionAnother) {
  ASSERT_TRUE(ask({status(500), good()}));
  ASSERT_TRUE(ask({good()}));
  const auto key_of = [&](std::size_t i) {
    for (const auto &header : server.requests[i].headers)
      if (header.starts_with("Idempotency-Key: ")) return header;
    return std::string();
  };
  EXPECT_EQ(key_of(0), "Idempotency-Key: cupilot-" + question_sha256(kHttpQuestion).substr(0, 32) + "-1");
  EXPECT_EQ(key_of(1), key_of(0));
  EXPECT_EQ(key_of(2), "Idempotency-Key: cupilot-" + question_sha256(kHttpQuestion).substr(0, 32) + "-2");
}

TEST_F(Http, AfterItsRetriesThereIsNoAnswer) {
  const auto none =
      asked_in_vain(std::deque<ScriptedReply>(9, status(503, {}, R"({"error":{"message":"busy"}})")));
  EXPECT_EQ(server.requests.size(), 5u);
  EXPECT_EQ(none.reason, "openai, m: status 503: busy (asked 5 times)");
  EXPECT_FALSE(none.final);
  EXPECT_EQ(none.spent.tokens(), 0);
}

TEST_F(Http, ATooLongWaitIsNotWaited) {
  const auto none = asked_in_vain({status(429, {{"retry-after", "121"}}), good()});
  EXPECT_THAT(none.reason, HasSubstr("the server asks to wait 121 s, longer than the limit of 120 s"));
  EXPECT_FALSE(none.final);
  EXPECT_EQ(server.requests.size(), 1u);
  EXPECT_LT(server.time, 1s);
}

TEST_F(Http, ADateIsWaitedFor) {
  ASSERT_TRUE(ask({status(429, {{"retry-after", "Fri, 02 Jan 2026 03:05:05 GMT"}}), good()}));
  EXPECT_EQ(server.starts[1], 60s);
}

TEST_F(Http, SpentCreditEndsAllQuestionsAtOnce) {
  settings.parallel = 1;
  server.replies = {good(), status(402, {}, R"({"error":{"message":"pay"}})")};
  std::vector<std::string> told;
  provider().answer_all(
      {kHttpQuestion, kHttpQuestion, kHttpQuestion, kHttpQuestion},
      [&](std::size_t i, ProviderAnswer answer) {
        told.push_back(std::to_string(i) + (answer ? "+" : answer.error().final ? "final" : "-"));
        if (!answer) {
          EXPECT_THAT(answer.error().reason, HasSubstr("no credit left (status 402)"));
        }
      });
  EXPECT_THAT(told, ElementsAre("0+", "1final", "2final", "3final"));
  EXPECT_EQ(server.requests.size(), 2u);
  EXPECT_TRUE(asked_in_vain({good()}).final) << "nor is anything asked later";
  EXPECT_EQ(server.requests.size(), 2u);
}

TEST_F(Http, AWrongKeyIsNeverTold) {
  const auto none = asked_in_vain(
      {status(401, {}, R"({"error":{"message":"Incorrect API key: )" + std::string(kKey) + "\"}}")});
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("check OPENAI_API_KEY"));
  EXPECT_THAT(none.reason, HasSubstr("Incorrect API key: [key]"));
  EXPECT_THAT(none.reason, Not(HasSubstr(kKey)));
}

TEST_F(Http, AServerThatRepeatsTheKeyInAnAnswerIsBlotted) {
  const std::string half = std::string(kKey).substr(0, 10);
  const auto answer = ask({{.bodies = {chunk(std::string("a ") + kKey + " b " + half),
                                       chunk(std::string(kKey).substr(10)), finish("stop"), kDone}}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->content, "a [key] b [key]");
}

TEST_F(Http, NorIsAPartOfTheKeyToldWhereATextIsShortened) {
  for (std::size_t before = 90; before < 120; ++before) {
    const auto none = asked_in_vain({{.bodies = {"data: {" + std::string(before, ' ') + kKey + "\n\n"}}});
    EXPECT_THAT(none.reason, HasSubstr("malformed JSON"));
    EXPECT_THAT(none.reason, Not(HasSubstr("sk-"))) << before;
    made.reset();
  }
  const auto none = asked_in_vain({status(400, {}, std::string(390, 'x') + kKey)});
  EXPECT_THAT(none.reason, Not(HasSubstr("sk-")));
}

TEST_F(Http, ACutStreamIsPaidForAndAskedOnceMore) {
  const auto answer = ask({cut({chunk("ha")}), good()});
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->spent.tokens_in, bound().in + 100);
  EXPECT_EQ(answer->spent.tokens_out, bound().out + 20);
  EXPECT_EQ(answer->spent.tokens_cached, 40);

  const auto none = asked_in_vain({cut({chunk("ha")}), cut({}), good()});
  EXPECT_EQ(server.requests.size(), 4u) << "twice each, whatever the retries";
  EXPECT_EQ(none.reason, "openai, m: the connection was interrupted: connection reset (asked 2 times)");
  EXPECT_EQ(none.spent.tokens_in, 2 * bound().in);
  EXPECT_EQ(none.spent.tokens_out, 2 * bound().out);
}

TEST_F(Http, AtMostIsNeverPassed) {
  const auto most = provider().at_most(kHttpQuestion);
  EXPECT_EQ(most.tokens_in, 2 * bound().in);
  EXPECT_EQ(most.tokens_out, 2 * bound().out);
  EXPECT_DOUBLE_EQ(most.usd, (2 * bound().in * 2.0 + 2 * bound().out * 10.0) / 1e6);
  const std::vector<std::deque<ScriptedReply>> worst = {
      {cut({chunk("x")}), cut({chunk("y")})},
      {status(500), cut({}), status(429), cut({chunk("y")})},
      {cut({}), {.bodies = {"data: {broken\n\n"}}},
      {cut({}), {.bodies = {"<html>"}}},
      {cut({}), {.bodies = {chunk("z"), finish("length")}}},
      {cut({}), {.bodies = {chunk("z")}, .end = {How::broken, "reset"}}},
      {{.bodies = {chunk("z")}, .never_ends = true}, {.status = 0, .never_ends = true}}};
  for (const auto &replies : worst) {
    made.reset();
    const auto none = asked_in_vain(replies);
    EXPECT_LE(none.spent.tokens_in, most.tokens_in);
    EXPECT_LE(none.spent.tokens_out, most.tokens_out);
    EXPECT_LE(none.spent.usd, most.usd);
    EXPECT_GT(none.spent.tokens(), 0);
    EXPECT_TRUE(server.replies.empty());
  }
  settings.retries = 0;
  made.reset();
  EXPECT_EQ(provider().at_most(kHttpQuestion).tokens_in, bound().in);
}

TEST_F(Http, AServerThatBillsMoreThanItWasAllowedIsBelieved) {
  const auto before = provider().at_most(kHttpQuestion);
  const auto answer = ask({{.bodies = {chunk("x"), finish("stop"), usage(50'000, 3'000), kDone}}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->spent.tokens_in, 50'000) << "the bill is the bill";
  const auto after = provider().at_most(kHttpQuestion);
  EXPECT_EQ(after.tokens_in, 2 * 50'000) << "and the next bound contains it";
  EXPECT_EQ(after.tokens_out, 2 * 3'000);
  EXPECT_GT(after.usd, before.usd);
}

TEST_F(Http, AWholeAnswerWithoutUsageIsChargedByItsBytes) {
  const auto answer = ask({{.bodies = {chunk("12345"), finish("stop"), kDone}}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->spent.tokens_in, bound().in);
  EXPECT_EQ(answer->spent.tokens_out, 5 + kOverheadTokens);
  // Broken after its stop reason: whole, but its usage may have counted thoughts that were not shown.
  const auto broken = ask({cut({chunk("12345"), finish("stop")})});
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->content, "12345");
  EXPECT_EQ(broken->spent.tokens_out, 1000);
}

TEST_F(Http, AnswersThatAreNoneSayWhy) {
  const auto reason = [&](std::vector<std::string> bodies) {
    made.reset();
    const auto none = asked_in_vain({{.bodies = std::move(bodies)}});
    EXPECT_FALSE(none.final);
    EXPECT_GT(none.spent.tokens_out, 0) << "paid";
    EXPECT_TRUE(server.replies.empty());
    EXPECT_THAT(none.reason, StartsWith("openai, m: "));
    return none.reason.substr(11);
  };
  EXPECT_EQ(reason({chunk("a"), finish("length"), usage(10, 1000), kDone}),
            "its answer was cut at the output limit (length)");
  EXPECT_EQ(reason({chunk("a"), finish("content_filter"), usage(10, 9), kDone}),
            "the server's content filter cut the answer");
  EXPECT_EQ(reason({R"(data: {"choices":[{"delta":{"refusal":"no"}}]})"
                    "\n\n",
                    finish("stop"), usage(1, 2), kDone}),
            "the model refused to answer");
  EXPECT_EQ(reason({finish("tool_calls"), usage(1, 2), kDone}),
            "the model stopped with 'tool_calls' instead of an answer");
  EXPECT_EQ(reason({chunk(" "), finish("stop"), usage(1, 2), kDone}), "its answer is empty");
  EXPECT_EQ(reason({chunk("a"), "data: {\"choices\":[{\"del\n\n"}),
            "its stream has malformed JSON: {\"choices\":[{\"del");
  EXPECT_EQ(reason({"data: {\"answer\":\"hi\"}\n\n"}),
            "its stream does not have the expected schema: a chunk has neither 'choices' nor 'usage'");
  EXPECT_EQ(reason({R"(data: {"choices":[{"delta":{"content":{"text":"a"}}}]})"
                    "\n\n"}),
            "its stream does not have the expected schema: member 'content' is not text");
  EXPECT_EQ(reason({"data: 7\n\n"}), "an event of its stream is not a JSON object");
  EXPECT_EQ(reason({"<html>hello</html>"}),
            "the response is not a stream of events (is the base URL right?): '<html>hello</html>'");
  EXPECT_EQ(reason({"data: {\"error\":{\"message\":\"boom\",\"type\":\"odd\"}}\n\n"}),
            "the server reported an error in its stream: boom");
}

TEST_F(Http, APassingErrorInsideAStreamIsAskedOnceMore) {
  const ScriptedReply overloaded{.bodies = {chunk("a"),
                                            R"(data: {"error":{"type":"server_error","message":"w"}})"
                                            "\n\n"}};
  ASSERT_TRUE(ask({overloaded, good()}));
  EXPECT_EQ(server.starts[1] - server.starts[0], 30ms + own(1)) << "abandoned at the error";
  EXPECT_EQ(asked_in_vain({overloaded, overloaded, good()}).reason,
            "openai, m: the server reported an error in its stream: w (asked 2 times)");
}

TEST_F(Http, TooMuchIsRefusedAsSoonAsItIs) {
  settings.most_answer_bytes = 1000;
  const std::string long_text(600, 'x');
  auto none =
      asked_in_vain({{.bodies = {chunk(long_text), chunk(long_text), chunk(long_text)}, .never_ends = true}});
  EXPECT_EQ(none.reason, "openai, m: its answer is larger than the limit of 1000 bytes");
  EXPECT_EQ(none.spent.tokens_out, 1000) << "what was received is paid";
  EXPECT_EQ(server.time, 30ms);
  EXPECT_EQ(server.abandoned, 1u);
  // One event that does not end, and a stream of comments.
  none = asked_in_vain({{.bodies = {"data: " + std::string(1100, 'x')}, .never_ends = true}});
  EXPECT_THAT(none.reason, HasSubstr("larger than the limit of 1000 bytes"));
  none = asked_in_vain(
      {{.bodies = std::vector<std::string>(70, ":" + std::string(1000, ' ') + "\n"), .never_ends = true}});
  EXPECT_THAT(none.reason, HasSubstr("larger than the limit of 1000 bytes"));
}

TEST_F(Http, AStreamThatStandsStillIsGivenUpButThinkingIsNot) {
  ScriptedReply thinking = good();
  thinking.first = 500s;
  ASSERT_TRUE(ask({thinking}));
  const auto begin = server.time;
  const ScriptedReply stalls{.bodies = {chunk("a")}, .never_ends = true};
  const auto none = asked_in_vain({stalls, stalls, good()});
  EXPECT_EQ(none.reason, "openai, m: its stream stalled for 90 s (asked 2 times)");
  EXPECT_EQ(server.requests.size(), 3u);
  EXPECT_LT(server.time - begin, 2 * 90s + 2s);
  EXPECT_EQ(none.spent.tokens_out, 2000);
}

TEST_F(Http, TheWholeAnswerHasALimitToo) {
  ScriptedReply trickle{.bodies = std::vector<std::string>(100, chunk("a")), .between = 80s};
  const auto none = asked_in_vain({trickle, good()});
  EXPECT_EQ(none.reason, "openai, m: no complete answer within 600 s");
  EXPECT_EQ(server.requests.size(), 1u);
  EXPECT_LT(server.time, 601s);
}

TEST_F(Http, AServerThatKeepsTheConnectionAfterItsLastWordIsNotWaitedFor) {
  auto reply = good();
  reply.never_ends = true;
  ASSERT_TRUE(ask({reply}));
  EXPECT_LT(server.time, 2s);
}

TEST_F(Http, AnUnreachableServerCostsNothingAndThenCountsAsGone) {
  settings.retries = 1;
  settings.failures_in_a_row = 3;
  const auto first = asked_in_vain({});
  EXPECT_THAT(first.reason, HasSubstr("the server cannot be reached: "));
  EXPECT_FALSE(first.final);
  EXPECT_EQ(first.spent.tokens(), 0);
  EXPECT_EQ(server.requests.size(), 2u);
  EXPECT_FALSE(asked_in_vain({}).final);
  const auto third = asked_in_vain({});
  EXPECT_TRUE(third.final);
  EXPECT_THAT(third.reason, StartsWith("3 questions in a row got no answer from https://server; the last: "));
  EXPECT_EQ(server.requests.size(), 6u);
  EXPECT_TRUE(asked_in_vain({good()}).final);
  EXPECT_EQ(server.requests.size(), 6u);
}

TEST_F(Http, AnAnswerOrABadOneShowsThatTheServerLives) {
  settings.retries = 0;
  settings.failures_in_a_row = 2;
  EXPECT_FALSE(asked_in_vain({status(500)}).final);
  EXPECT_TRUE(ask({good()}));
  EXPECT_FALSE(asked_in_vain({status(500)}).final);
  EXPECT_FALSE(asked_in_vain({{.bodies = {chunk("a"), finish("length"), kDone}}}).final);
  EXPECT_FALSE(asked_in_vain({status(500)}).final);
  EXPECT_TRUE(asked_in_vain({status(500)}).final);
}

TEST_F(Http, ACertificateThatIsNotTrustedEndsAll) {
  const auto none =
      asked_in_vain({{.status = 0, .end = {How::untrusted, "self-signed certificate"}}, good()});
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("certificate is not trusted (self-signed certificate)"));
  EXPECT_EQ(none.spent.tokens(), 0);
}

TEST_F(Http, AsManySideBySideAsAllowedAndEachAnswerAtItsPlace) {
  settings.parallel = 3;
  for (int i = 0; i < 10; ++i) {
    auto reply = good("answer " + std::to_string(i));
    reply.first = std::chrono::milliseconds(1000 - 90 * i);
    server.replies.push_back(reply);
  }
  std::vector<RoleRequest> questions(10, kHttpQuestion);
  for (std::size_t i = 0; i < 10; ++i) questions[i].prompt = "question " + std::to_string(i);
  std::vector<std::string> answers(10);
  std::vector<std::size_t> order;
  provider().answer_all(questions, [&](std::size_t i, ProviderAnswer answer) {
    order.push_back(i);
    answers[i] = answer->content;
    EXPECT_EQ(answer->spent.tokens_in, 100);
  });
  EXPECT_EQ(server.most_in_flight, 3u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(answers[i], "answer " + std::to_string(i));
  EXPECT_EQ(order.size(), 10u);
  EXPECT_EQ(order[0], 2u) << "told as soon as it is there";
}

TEST_F(Http, AQuestionThatWaitsLeavesItsPlaceToOthers) {
  settings.parallel = 1;
  server.replies = {status(429, {{"retry-after", "30"}}), good("second"), good("first")};
  std::vector<std::string> told;
  auto second = kHttpQuestion;
  second.prompt = "second";
  provider().answer_all({kHttpQuestion, second},
                        [&](std::size_t, ProviderAnswer answer) { told.push_back(answer->content); });
  EXPECT_THAT(told, ElementsAre("second", "first"));
}

TEST_F(Http, AStopEndsEverythingAndCountsWhatMayBeBilled) {
  std::atomic<bool> stop = false;
  settings.stop = &stop;
  settings.parallel = 2;
  ScriptedReply slow{.bodies = {chunk("a")}, .never_ends = true};
  server.replies = {good(), slow, slow};
  std::vector<NoAnswer> none;
  provider().answer_all({kHttpQuestion, kHttpQuestion, kHttpQuestion, kHttpQuestion},
                        [&](std::size_t, ProviderAnswer answer) {
                          if (answer) stop = true;
                          if (!answer) none.push_back(answer.error());
                        });
  ASSERT_EQ(none.size(), 3u);
  long long out = 0;
  for (const auto &one : none) {
    EXPECT_EQ(one.reason, "stopped");
    EXPECT_TRUE(one.final);
    out += one.spent.tokens_out;
  }
  EXPECT_EQ(out, bound().out) << "one was in flight";
  EXPECT_EQ(server.in_flight, 0u);
}

TEST_F(Http, ARoleMayAllowItselfLessOutput) {
  auto question = kHttpQuestion;
  question.most_output_tokens = 10;
  EXPECT_EQ(provider().at_most(question).tokens_out, 20);
  question.most_output_tokens = 5000;
  EXPECT_EQ(provider().at_most(question).tokens_out, 2000) << "never more than the provider's own limit";
}

TEST_F(Http, AKeyThatIsGoneIsFinal) {
  provider();
  unsetenv("OPENAI_API_KEY");
  const auto none = asked_in_vain({good()});
  EXPECT_TRUE(none.final);
  EXPECT_THAT(none.reason, HasSubstr("set OPENAI_API_KEY in the environment"));
  EXPECT_TRUE(server.requests.empty());
}

}  // namespace
}  // namespace cupilot
