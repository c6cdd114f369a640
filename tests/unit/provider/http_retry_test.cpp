// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_retry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

HttpFailure failure(int status, const std::string &body = {},
                    std::map<std::string, std::string> headers = {}) {
  const HttpSettings settings{.model = "m-1"};
  return failure_of_status({status, std::move(headers)}, server_error(body), settings, "THE_KEY");
}

TEST(HttpRetry, OverloadsAndFaultsAreAskedAgain) {
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529})
    EXPECT_EQ(failure(status).remedy, Remedy::again) << status;
  for (const int status : {400, 405, 413, 415, 418, 422})
    EXPECT_EQ(failure(status).remedy, Remedy::give_up) << status;
}

TEST(HttpRetry, TheServersOwnWishComesFirst) {
  EXPECT_EQ(failure(429, "", {{"x-should-retry", "false"}}).remedy, Remedy::give_up);
  EXPECT_EQ(failure(400, "", {{"x-should-retry", "true"}}).remedy, Remedy::again);
  EXPECT_EQ(failure(404, "", {{"x-should-retry", "true"}}).remedy, Remedy::again);
  EXPECT_EQ(failure(500, "", {{"x-should-retry", "perhaps"}}).remedy, Remedy::again);
  EXPECT_EQ(failure(400, "", {{"x-should-retry", "false"}}).remedy, Remedy::give_up);
  for (const int status : {401, 403, 404})
    EXPECT_EQ(failure(status, "", {{"x-should-retry", "false"}}).remedy, Remedy::end_all) << status;
}

TEST(HttpRetry, SpentCreditEndsAllWhateverTheStatus) {
  const std::vector<std::pair<int, std::string>> spent = {
      {402, ""},
      {429,
       R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":null}})"},
      {429, R"({"error":{"message":"x","type":"requests","code":"insufficient_quota"}})"},
      {429, R"({"type":"error","error":{"type":"rate_limit_error","message":"limit",)"
            R"("details":{"error_code":"enforced_spend_limit_reached"}}})"},
      {403, R"({"error":{"code":"billing_not_active","message":"x"}})"},
      {400, R"({"type":"error","error":{"type":"invalid_request_error",)"
            R"("message":"Your credit balance is too low to access the API."}})"}};
  for (const auto &[status, body] : spent) {
    const auto found = failure(status, body, {{"x-should-retry", "true"}, {"retry-after", "1"}});
    EXPECT_EQ(found.remedy, Remedy::end_all) << status << body;
    EXPECT_THAT(found.reason, HasSubstr("no credit left"));
    EXPECT_THAT(found.reason, HasSubstr("raise its limit"));
  }
  EXPECT_EQ(failure(429, R"({"error":{"message":"slow down","type":"rate_limit_error"}})").remedy,
            Remedy::again);
}

TEST(HttpRetry, WrongKeyUnknownModelAndRedirectEndAllAndSayWhatToDo) {
  const auto key = failure(401, R"({"error":{"message":"bad key","code":"invalid_api_key"}})");
  EXPECT_EQ(key.remedy, Remedy::end_all);
  EXPECT_EQ(key.reason, "the server rejects the key: check THE_KEY (status 401): bad key");
  EXPECT_THAT(failure(403).reason, HasSubstr("check THE_KEY and the permissions of the key"));
  EXPECT_EQ(failure_of_status({401, {}}, {}, {.model = "m-1"}, "").reason,
            "the server asks for a key, and the environment has none (status 401)");
  const auto model = failure(404, R"({"error":"model 'm-1' not found"})");
  EXPECT_EQ(model.remedy, Remedy::end_all);
  EXPECT_THAT(model.reason, HasSubstr("does not know the model 'm-1'"));
  EXPECT_THAT(model.reason, HasSubstr("model 'm-1' not found"));
  EXPECT_EQ(failure(400, R"({"error":{"code":"model_not_found","message":"?"}})").remedy, Remedy::end_all);
  const auto moved = failure(307, "", {{"location", "http://elsewhere/"}});
  EXPECT_EQ(moved.remedy, Remedy::end_all);
  EXPECT_THAT(moved.reason, HasSubstr("'http://elsewhere/'"));
  EXPECT_THAT(moved.reason, HasSubstr("base URL"));
}

TEST(HttpRetry, InAStreamTheErrorsTypeDecides) {
  const HttpSettings settings{.model = "m-1"};
  const auto in_stream = [&](const std::string &type) {
    return failure_in_stream(
               server_error(R"({"type":"error","error":{"type":")" + type + R"(","message":"w"}})"), settings,
               "K")
        .remedy;
  };
  EXPECT_EQ(in_stream("overloaded_error"), Remedy::again);
  EXPECT_EQ(in_stream("api_error"), Remedy::again);
  EXPECT_EQ(in_stream("invalid_request_error"), Remedy::give_up);
  EXPECT_EQ(in_stream("authentication_error"), Remedy::end_all);
  EXPECT_EQ(in_stream("enforced_spend_limit_reached"), Remedy::end_all);
}

/// 2026-01-02 03:04:05 UTC
const auto kDate = std::chrono::system_clock::from_time_t(1767323045);

std::optional<std::chrono::milliseconds> asked(std::map<std::string, std::string> headers) {
  return asked_wait({429, std::move(headers)}, kDate);
}

TEST(HttpRetry, WaitsAsTheServerAsks) {
  EXPECT_EQ(asked({{"retry-after-ms", "1500"}, {"retry-after", "9"}}), 1500ms);
  EXPECT_EQ(asked({{"retry-after-ms", "soon"}, {"retry-after", "9"}}), 9000ms);
  EXPECT_EQ(asked({{"retry-after", "0.25"}}), 250ms);
  EXPECT_EQ(asked({{"retry-after", "Fri, 02 Jan 2026 03:04:15 GMT"}}), 10'000ms);
  EXPECT_EQ(asked({{"retry-after", "9e99"}}), std::chrono::milliseconds(1'000'000'000'000));
}

TEST(HttpRetry, WhatLiesBehindOrIsNoTimeIsNoWish) {
  EXPECT_EQ(asked({}), std::nullopt);
  for (const char *text : {"0", "-5", "nan", "inf", "tomorrow", "", "5 s", "Fri, 02 Jan 2026 03:04:05 GMT",
                           "Fri, 02 Jan 2020 03:04:05 GMT"})
    EXPECT_EQ(asked({{"retry-after", text}}), std::nullopt) << text;
}

TEST(HttpRetry, ItsOwnWaitDoublesLessUpToAQuarter) {
  const HttpSettings settings;
  const int whole[] = {500, 1000, 2000, 4000, 8000, 8000, 8000};
  for (int attempt = 1; attempt <= 7; ++attempt) {
    const auto wait = own_wait(settings, "question", attempt);
    EXPECT_LE(wait.count(), whole[attempt - 1]);
    EXPECT_GE(wait.count(), whole[attempt - 1] * 3 / 4);
    EXPECT_EQ(wait, own_wait(settings, "question", attempt)) << "the same each time";
  }
  EXPECT_NE(own_wait(settings, "question", 5), own_wait(settings, "another", 5));
  EXPECT_NE(own_wait(settings, "question", 5), own_wait(settings, "question", 6));
}

TEST(ServerErrors, AreReadInEveryShape) {
  EXPECT_EQ(server_error(R"({"error":{"message":"a"}})").message, "a");
  EXPECT_EQ(server_error(R"({"error":"b"})").message, "b");
  EXPECT_EQ(server_error(R"({"detail":"c"})").message, "c");
  EXPECT_EQ(server_error(R"({"message":"d"})").message, "d");
  EXPECT_EQ(server_error("<html>\nBad Gateway").message, "<html> Bad Gateway");
  EXPECT_EQ(server_error("").message, "");
  EXPECT_EQ(server_error(R"({"error":{"code":7}})").message, R"({"code":7})");
  EXPECT_LT(server_error(std::string(5000, 'x')).message.size(), 500u);
}

}  // namespace
}  // namespace cupilot
