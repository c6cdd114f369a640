// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/provider/http_dialect.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;
using testing::Not;

const RoleRequest kQuotedQuestion{
    .role = "r", .content = "SECRET", .prefix = "the rules", .prompt = "say \"hi\""};

TEST(OpenAi, TheRequestIsExactlyThis) {
  EXPECT_EQ(
      openai_dialect().body({.model = "m"}, kQuotedQuestion, 77),
      R"({"model":"m","messages":[{"role":"system","content":"the rules"},)"
      R"({"role":"user","content":"say \"hi\""}],"stream":true,"stream_options":{"include_usage":true},)"
      R"("max_completion_tokens":77})");
  const auto more =
      openai_dialect().body({.model = "m", .effort = "high", .temperature = 0.5}, {.prompt = "p"}, 7);
  EXPECT_THAT(more, HasSubstr(R"("messages":[{"role":"user","content":"p"}])"));
  EXPECT_THAT(more, HasSubstr(R"("temperature":0.5,"reasoning_effort":"high"})"));
}

TEST(Anthropic, TheRequestIsExactlyThis) {
  EXPECT_EQ(anthropic_dialect().body({.model = "m"}, kQuotedQuestion, 77),
            R"({"model":"m","max_tokens":77,"stream":true,"system":[{"type":"text","text":"the rules",)"
            R"("cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"say \"hi\""}]})");
  const auto more =
      anthropic_dialect().body({.model = "m", .effort = "low", .temperature = 1}, {.prompt = "p"}, 7);
  EXPECT_THAT(more, Not(HasSubstr("system")));
  EXPECT_THAT(more, HasSubstr(R"("temperature":1.0,"output_config":{"effort":"low"}})"));
}

TEST(Dialects, ThePrefixIsTheSameBytesForEveryQuestionAndNeverANull) {
  for (const auto *dialect : {&openai_dialect(), &anthropic_dialect()}) {
    auto other = kQuotedQuestion;
    other.prompt = "another question";
    const auto one = dialect->body({.model = "m"}, kQuotedQuestion, 77),
               two = dialect->body({.model = "m"}, other, 77);
    const auto until = one.find("say ");
    EXPECT_EQ(one.substr(0, until), two.substr(0, until));
    EXPECT_THAT(one, Not(HasSubstr("null")));
    EXPECT_THAT(one, Not(HasSubstr("SECRET"))) << "content never leaves this machine";
  }
}

TEST(Dialects, BytesThatAreNoTextAreReplaced) {
  for (const auto *dialect : {&openai_dialect(), &anthropic_dialect()})
    EXPECT_THAT(dialect->body({.model = "m"},
                              {.prompt = "a\xff"
                                         "b"},
                              7),
                HasSubstr("a\xEF\xBF\xBD"
                          "b"));
}

struct Read {
  StreamedAnswer answer;
  std::string error;
};
Read read(const Dialect &dialect, const std::vector<std::string> &events) {
  Read read;
  for (const auto &event : events)
    if (const auto taken = dialect.take({"", event}, read.answer); !taken) read.error = taken.error().message;
  return read;
}

TEST(OpenAi, EveryDetailMayBeAbsentOrNull) {
  const auto [answer, error] = read(
      openai_dialect(),
      {R"({"id":null,"model":null,"system_fingerprint":null,"choices":[{"delta":{"role":"assistant","content":null}}]})",
       R"({"choices":[{"index":0,"delta":null,"finish_reason":null}],"usage":null})",
       R"({"choices":[{"index":1,"delta":{"content":"another choice"}}]})",
       R"({"choices":[{"index":0,"delta":{"content":"text","reasoning_content":"hm"},"finish_reason":"stop"}]})",
       R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":"?","prompt_tokens_details":null}})"});
  EXPECT_EQ(error, "");
  EXPECT_EQ(answer.text, "text");
  EXPECT_EQ(answer.thought_bytes, 2u);
  EXPECT_EQ(answer.stop, StopReason::finished);
  EXPECT_EQ(answer.usage.in, 5);
  EXPECT_EQ(answer.usage.out, std::nullopt);
  EXPECT_EQ(answer.usage.cached, 0);
}

TEST(OpenAi, UsageWithItsDetails) {
  const auto [answer, error] = read(
      openai_dialect(),
      {R"({"choices":[],"usage":{"prompt_tokens":50,"completion_tokens":9,"prompt_tokens_details":)"
       R"({"cached_tokens":30,"cache_write_tokens":4},"completion_tokens_details":{"reasoning_tokens":5}}})",
       "[DONE]"});
  EXPECT_EQ(answer.usage.in, 50);
  EXPECT_EQ(answer.usage.out, 9);
  EXPECT_EQ(answer.usage.cached, 30);
  EXPECT_EQ(answer.usage.cache_written, 4);
  EXPECT_TRUE(answer.ended);
}

const std::vector<std::string> kMessage = {
    R"({"type":"message_start","message":{"id":"msg_1","model":"m-7","usage":{"input_tokens":10,)"
    R"("cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":3}}})",
    R"({"type":"ping"})",
    R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
    R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":"a"}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hmm"}})",
    R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xyz"}})",
    R"({"type":"content_block_stop","index":0})",
    R"({"type":"content_block_start","index":2,"content_block":{"type":"something_new","text":"no"}})",
    R"({"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"no"}})",
    R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"c"}})",
    R"({"type":"content_block_stop","index":1})",
    R"({"type":"an_event_of_the_future"})",
    R"({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":42}})",
    R"({"type":"message_stop"})"};

TEST(Anthropic, BlocksAreToldApartByTypeNotByPlace) {
  const auto [answer, error] = read(anthropic_dialect(), kMessage);
  EXPECT_EQ(error, "");
  EXPECT_EQ(answer.text, "abc");
  EXPECT_EQ(answer.thought_bytes, 3u);
  EXPECT_EQ(answer.model, "m-7");
  EXPECT_EQ(answer.id, "msg_1");
  EXPECT_EQ(answer.stop, StopReason::finished);
  EXPECT_TRUE(answer.ended);
}

TEST(Anthropic, InputIsTheSumOfItsThreeParts) {
  const auto answer = read(anthropic_dialect(), kMessage).answer;
  EXPECT_EQ(answer.usage.in, 1110);
  EXPECT_EQ(answer.usage.cached, 1000);
  EXPECT_EQ(answer.usage.cache_written, 100);
  EXPECT_EQ(answer.usage.out, 42);
  auto begun = kMessage;
  begun.resize(5);
  EXPECT_EQ(read(anthropic_dialect(), begun).answer.usage.out, std::nullopt) << "not told yet";
  auto again = kMessage;  // the last event may repeat the input, cumulatively
  again[13] = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":12,)"
              R"("cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":42}})";
  EXPECT_EQ(read(anthropic_dialect(), again).answer.usage.in, 1112);
}

TEST(Anthropic, StopReasons) {
  const auto stop = [](const std::string &word) {
    return read(anthropic_dialect(), {R"({"type":"message_delta","delta":{"stop_reason":")" + word + "\"}}"})
        .answer.stop;
  };
  EXPECT_EQ(stop("end_turn"), StopReason::finished);
  EXPECT_EQ(stop("stop_sequence"), StopReason::finished);
  EXPECT_EQ(stop("max_tokens"), StopReason::length);
  EXPECT_EQ(stop("model_context_window_exceeded"), StopReason::length);
  EXPECT_EQ(stop("refusal"), StopReason::refusal);
  EXPECT_EQ(stop("pause_turn"), StopReason::other);
  EXPECT_EQ(stop("tool_use"), StopReason::other);
}

TEST(Anthropic, WhatIsNotItsSchemaIsSaid) {
  const auto error = [](const std::string &event) { return read(anthropic_dialect(), {event}).error; };
  EXPECT_THAT(error("{"), HasSubstr("malformed JSON: {"));
  EXPECT_THAT(error("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error(R"({"choices":[]})"), HasSubstr("an event has no 'type'"));
  EXPECT_THAT(error(R"({"type":"message_start"})"), HasSubstr("message"));
  EXPECT_THAT(error(R"({"type":"content_block_delta","index":0,"delta":{}})"), HasSubstr("never began"));
  EXPECT_THAT(error(R"({"type":"content_block_start","index":-1,"content_block":{}})"), HasSubstr("index"));
  EXPECT_THAT(error(R"({"type":"content_block_start","index":99999999999,"content_block":{}})"),
              HasSubstr("index"));
  EXPECT_THAT(error(R"({"type":7})"), HasSubstr("not text"));
}

}  // namespace
}  // namespace cupilot
