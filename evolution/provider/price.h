// SPDX-License-Identifier: Apache-2.0
//
// What tokens cost, as the user says it: price lists change, so none is built in. A file of lines
//
//   # USD for a million tokens: in, out, and where they differ cached and cache-write
//   claude-x  in 3  out 15  cached 0.3  cache-write 3.75
//   gpt-y*    in 1  out 8
//
// where a `*` at the end stands for the rest of the name. $CUPILOT_PRICES, else
// $XDG_CONFIG_HOME/cupilot/prices.txt.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot {

/// USD for a million tokens.
struct Price {
  double in = 0, out = 0;
  double cached = 0;       ///< input read from the server's cache
  double cache_write = 0;  ///< input written to it
};

struct PriceTable {
  struct Entry {
    std::string model;  ///< exact, or with a '*' at its end
    Price price;
  };
  std::vector<Entry> entries;

  /// The exact name, else the longest that matches.
  const Price *find(std::string_view model) const;
};

/// Every bad line is one error with its line.
Result<PriceTable> parse_prices(std::string_view text, const std::string &file);
/// Empty where there is no file.
Result<PriceTable> load_prices();
/// `--price in/out` or `in/out/cached`, "3/15/0.3"
Result<Price> parse_price(std::string_view text);

/// `cache_written` of `spent.tokens_in` were written to the cache.
double price_of(const Spending &spent, long long cache_written, const Price &price);

}  // namespace cupilot
