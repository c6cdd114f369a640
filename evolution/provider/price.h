// SPDX-License-Identifier: Apache-2.0
//
// Prices of tokens, given by the user: price lists change, so none is built in. They stand in a text file:
//
//   # USD for a million tokens: in, out, and where they differ cached and cache-write
//   claude-x  in 3  out 15  cached 0.3  cache-write 3.75
//   gpt-y*    in 1  out 8
//
// A `*` at the end stands for the rest of the name. The file is $CUPILOT_PRICES, else
// $XDG_CONFIG_HOME/cupilot/prices.txt.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

/// Prices in USD for a million tokens.
struct Price {
  double in = 0, out = 0;
  double cached = 0;       ///< price of input that is read from the server's cache
  double cache_write = 0;  ///< price of input that is written to the cache
};

struct PriceTable {
  struct Entry {
    std::string model;  ///< exact name, or a prefix followed by '*'
    Price price;
  };
  std::vector<Entry> entries;

  /// The entry with the exact name, else the one with the longest matching prefix.
  const Price *find(std::string_view model) const;
};

/// Each invalid line is an error with its line number.
Result<PriceTable> parse_prices(std::string_view text, const std::string &file);
/// Reads the user's price file; empty if there is none.
Result<PriceTable> load_prices();
/// Parses the value of `--price`: `in/out` or `in/out/cached`, such as "3/15/0.3".
Result<Price> parse_price(std::string_view text);

/// The cost of `spent`, of whose tokens_in `cache_written` were written to the cache.
double price_of(const Spending &spent, long long cache_written, const Price &price);

}  // namespace cupilot::provider
