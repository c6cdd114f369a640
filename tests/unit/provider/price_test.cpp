// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/price.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;

TEST(Prices, ALineIsAModelAndWhatItCosts) {
  const auto table = parse_prices(
      "# list\n"
      "claude-x  in 3  out 15  cached 0.3  cache-write 3.75   # from the web page\n"
      "\n"
      "\tgpt-y*\tout 8\tin 1\r\n",
      "prices.txt");
  ASSERT_TRUE(table) << table.error().message;
  ASSERT_EQ(table->entries.size(), 2u);
  const auto *x = table->find("claude-x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->in, 3);
  EXPECT_EQ(x->out, 15);
  EXPECT_EQ(x->cached, 0.3);
  EXPECT_EQ(x->cache_write, 3.75);
  const auto *y = table->find("gpt-y-2026");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(y->cached, 1) << "where it does not differ it is the input's";
  EXPECT_EQ(y->cache_write, 1);
}

TEST(Prices, TheExactNameThenTheLongestBeginning) {
  const auto table =
      parse_prices("m* in 1 out 1\nm-large* in 2 out 2\nm-large-1 in 3 out 3\n* in 9 out 9\n", "p");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find("m-large-1")->in, 3);
  EXPECT_EQ(table->find("m-large-12")->in, 2);
  EXPECT_EQ(table->find("m-small")->in, 1);
  EXPECT_EQ(table->find("other")->in, 9);
  EXPECT_EQ(parse_prices("m in 1 out 1", "p")->find("m2"), nullptr);
}

TEST(Prices, EveryBadLineIsAnErrorWithItsPlace) {
  const auto table = parse_prices(
      "a in 1\n"
      "good in 1 out 2\n"
      "b in x out 2\n"
      "c in 1 out 2 chached 3\n"
      "d in 1 in 2 out 3\n"
      "e* x in\n"
      "*f in 1 out 1\n"
      "good in 1 out 3\n"
      "g in -1 out nan\n"
      "h in 1 out\n",
      "prices.txt");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().blame, Blame::user);
  const auto &text = table.error().message;
  EXPECT_THAT(text, HasSubstr("prices.txt:1:1: error: model 'a' has no price 'out'"));
  EXPECT_THAT(text, HasSubstr("prices.txt:3:6: error: 'x' is not a price"));
  EXPECT_THAT(text, HasSubstr("prices.txt:4:14: error: unknown price 'chached'; did you mean 'cached'?"));
  EXPECT_THAT(text, HasSubstr("  c in 1 out 2 chached 3\n               ^"));
  EXPECT_THAT(text, HasSubstr("prices.txt:5:8: error: 'in' is given twice"));
  EXPECT_THAT(text, HasSubstr("prices.txt:6:4: error: unknown price 'x'"));
  EXPECT_THAT(text, HasSubstr("prices.txt:7:1: error: a '*' is allowed only at the end"));
  EXPECT_THAT(text, HasSubstr("prices.txt:8:1: error: model 'good' already has a price in a line above"));
  EXPECT_THAT(text, HasSubstr("prices.txt:9:6: error: '-1' is not a price"));
  EXPECT_THAT(text, HasSubstr("prices.txt:10:8: error: 'out' is not followed by a number"));
}

TEST(Prices, OneOnTheCommandLine) {
  EXPECT_EQ(parse_price("3/15/0.3")->cached, 0.3);
  EXPECT_EQ(parse_price("3/15")->cached, 3);
  EXPECT_EQ(parse_price("3/15")->cache_write, 3);
  for (const char *bad : {"", "3", "3/", "a/b", "1/2/3/4", "-1/2", "1e999/2", "inf/1"}) {
    const auto price = parse_price(bad);
    ASSERT_FALSE(price) << bad;
    EXPECT_THAT(price.error().message, HasSubstr("'" + std::string(bad) + "' is not a price"));
  }
}

TEST(Prices, WhatAnAnswerCosts) {
  const Price price{.in = 3, .out = 15, .cached = 0.3, .cache_write = 3.75};
  const Spending spent{.tokens_in = 1'000'000, .tokens_cached = 600'000, .tokens_out = 200'000};
  EXPECT_DOUBLE_EQ(price_of(spent, 100'000, price), 0.3 * 3 + 0.6 * 0.3 + 0.1 * 3.75 + 0.2 * 15);
  EXPECT_DOUBLE_EQ(price_of({.tokens_in = 10, .tokens_cached = 20}, 0, price), 20 * 0.3 / 1e6)
      << "a server that counts its cache apart costs no negative amount";
}

struct PriceFile : testing::Test {
  PriceFile() { unsetenv("CUPILOT_PRICES"), setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1); }
  ~PriceFile() override { unsetenv("CUPILOT_PRICES"), unsetenv("XDG_CONFIG_HOME"); }
  TemporaryFolder folder = TemporaryFolder::create("prices").value();
};

TEST_F(PriceFile, NoneIsAnEmptyTable) {
  const auto table = load_prices();
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->entries.empty());
}

TEST_F(PriceFile, IsTheUsersOwn) {
  ASSERT_TRUE(write_file_atomic(folder.path() / "cupilot" / "prices.txt", "m in 1 out 2\n"));
  EXPECT_EQ(load_prices()->find("m")->out, 2);
}

TEST_F(PriceFile, TheVariableComesFirstAndMustBeThere) {
  ASSERT_TRUE(write_file_atomic(folder.path() / "cupilot" / "prices.txt", "m in 1 out 2\n"));
  const auto other = folder.path() / "other.txt";
  setenv("CUPILOT_PRICES", other.c_str(), 1);
  const auto missing = load_prices();
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("CUPILOT_PRICES"));
  EXPECT_THAT(missing.error().message, HasSubstr("other.txt"));
  ASSERT_TRUE(write_file_atomic(other, "m in 1 out 7\nbad\n"));
  EXPECT_THAT(load_prices().error().message, HasSubstr("other.txt:2:1: error: model 'bad' has no price"));
  ASSERT_TRUE(write_file_atomic(other, "m in 1 out 7\n"));
  EXPECT_EQ(load_prices()->find("m")->out, 7);
}

}  // namespace
}  // namespace cupilot
