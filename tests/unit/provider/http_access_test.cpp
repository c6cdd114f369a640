// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/http_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;
using testing::Not;

struct Access : testing::Test {
  Access() { clear(); }
  ~Access() override { clear(); }
  static void clear() {
    for (const char *name : {"OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN",
                             "ANTHROPIC_BASE_URL", "CUPILOT_ALLOW_PLAIN_HTTP", "MY_KEY"})
      unsetenv(name);
  }
  static std::string error(HttpSettings settings) {
    const auto provider = make_http_provider(std::move(settings));
    EXPECT_FALSE(provider);
    if (provider) return {};
    EXPECT_EQ(provider.error().blame, Blame::user);
    return provider.error().message;
  }
};

TEST_F(Access, TheBaseIsTheSameHoweverItIsWritten) {
  for (const char *url :
       {"https://a.b", "https://a.b/", "https://a.b/v1", "https://a.b/v1/", "https://a.b//v1//"})
    EXPECT_EQ(normalised_base(url).value(), "https://a.b") << url;
  EXPECT_EQ(normalised_base("http://127.0.0.1:8080/openai/v1").value(), "http://127.0.0.1:8080/openai");
  EXPECT_EQ(normalised_base("https://a.b/apiv1").value(), "https://a.b/apiv1");
}

TEST_F(Access, WhatIsNoBaseIsSaid) {
  for (const char *url : {"", "a.b", "ftp://a.b", "https://", "https:///v1", "https://a b",
                          "https://a\r\nX: y", "https://a.b?x=1", "https://a.b/#x"})
    EXPECT_FALSE(normalised_base(url)) << url;
  const auto secret = normalised_base("https://me:password@a.b");
  ASSERT_FALSE(secret);
  EXPECT_THAT(secret.error().message, Not(HasSubstr("password@")));
  EXPECT_THAT(error({.base_url = "nowhere", .model = "m"}), HasSubstr("'nowhere' is not a base URL"));
  setenv("OPENAI_BASE_URL", "nowhere", 1);
  EXPECT_THAT(error({.model = "m"}), HasSubstr("OPENAI_BASE_URL: 'nowhere' is not a base URL"));
}

TEST_F(Access, TheSettingThenTheVariableThenThePublicAddress) {
  EXPECT_EQ(base_url_of({}, openai_dialect()).value(), "https://api.openai.com");
  EXPECT_EQ(base_url_of({}, anthropic_dialect()).value(), "https://api.anthropic.com");
  setenv("ANTHROPIC_BASE_URL", "http://proxy:4000/v1", 1);
  EXPECT_EQ(base_url_of({}, anthropic_dialect()).value(), "http://proxy:4000");
  EXPECT_EQ(base_url_of({.base_url = "https://mine/"}, anthropic_dialect()).value(), "https://mine");
}

TEST_F(Access, WithoutAKeyTheVariablesAreNamed) {
  EXPECT_THAT(error({.model = "m"}), HasSubstr("no key for openai: set OPENAI_API_KEY in the environment"));
  EXPECT_THAT(error({.dialect = HttpDialect::anthropic, .model = "m"}),
              HasSubstr("set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"));
  EXPECT_THAT(error({.key_variable = "MY_KEY", .model = "m"}), HasSubstr("set MY_KEY in"));
  EXPECT_THAT(error({}), HasSubstr("no model for the provider 'openai'"));
  setenv("OPENAI_API_KEY", "  ", 1);
  EXPECT_THAT(error({.model = "m"}), HasSubstr("no key"));
  setenv("OPENAI_API_KEY", "k\nX-Header: y", 1);
  const auto text = error({.model = "m"});
  EXPECT_THAT(text, HasSubstr("OPENAI_API_KEY has blanks"));
  EXPECT_THAT(text, Not(HasSubstr("X-Header")));
}

TEST_F(Access, AServerOnThisMachineNeedsNone) {
  for (const char *url : {"http://localhost:8080", "http://127.0.0.1:1/v1", "http://[::1]:8000"})
    EXPECT_TRUE(make_http_provider({.base_url = url, .model = "m"})) << url;
  for (const char *url : {"http://localhost.example", "http://127.0.0.1.example:1", "http://10.0.0.1"})
    EXPECT_FALSE(make_http_provider({.base_url = url, .model = "m"})) << url;
}

TEST_F(Access, AKeyLeavesThisMachineOnlyEncrypted) {
  setenv("OPENAI_API_KEY", "0123456789abcdef", 1);
  for (const char *url :
       {"http://localhost:8080", "http://127.0.0.1:1/v1", "http://[::1]:8000", "https://a.b"})
    EXPECT_TRUE(make_http_provider({.base_url = url, .model = "m"})) << url;
  for (const char *url : {"http://localhost.example", "http://127.0.0.1.example:1", "http://10.0.0.1"}) {
    const auto text = error({.base_url = url, .model = "m"});
    EXPECT_THAT(text, HasSubstr("the key in OPENAI_API_KEY would be sent to '" + std::string(url))) << url;
    EXPECT_THAT(text, HasSubstr("without encryption"));
    EXPECT_THAT(text, HasSubstr("CUPILOT_ALLOW_PLAIN_HTTP=1"));
    EXPECT_THAT(text, Not(HasSubstr("0123456789abcdef")));
  }
  setenv("CUPILOT_ALLOW_PLAIN_HTTP", "0", 1);
  error({.base_url = "http://10.0.0.1", .model = "m"});
  setenv("CUPILOT_ALLOW_PLAIN_HTTP", "1", 1);
  EXPECT_TRUE(make_http_provider({.base_url = "http://10.0.0.1", .model = "m"}));
}

TEST_F(Access, AnthropicsTwoKindsOfKey) {
  setenv("ANTHROPIC_AUTH_TOKEN", "token", 1);
  const auto token = find_key({}, anthropic_dialect(), "https://a").value();
  EXPECT_THAT(anthropic_dialect().key_headers(token.variable, token.value),
              testing::ElementsAre("Authorization: Bearer token"));
  setenv("ANTHROPIC_API_KEY", " key\n", 1);
  const auto key = find_key({}, anthropic_dialect(), "https://a").value();
  EXPECT_THAT(anthropic_dialect().key_headers(key.variable, key.value),
              testing::ElementsAre("x-api-key: key"));
  setenv("MY_KEY", "mine", 1);
  EXPECT_EQ(find_key({.key_variable = "MY_KEY"}, anthropic_dialect(), "https://a")->value, "mine");
}

TEST_F(Access, AWordThatIsNoSecretIsNotBlotted) {
  EXPECT_EQ((HttpKey{"K", "none"}).blot("none of it"), "none of it");
  EXPECT_EQ((HttpKey{"K", "0123456789abcdef"}).blot("x0123456789abcdefx"), "x[key]x");
}

}  // namespace
}  // namespace cupilot
