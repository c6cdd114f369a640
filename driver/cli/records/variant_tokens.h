// SPDX-License-Identifier: Apache-2.0
//
// The tokens of a variant in a preprocessed translation unit. A macro of the user's file that has the name of
// something in the variant shows here.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::cli::records {

struct PlacedToken {
  std::string text;
  int line = 0;  ///< of the variant
};

/// What the line markers ("# 12 \"variant.cuh\"") say is of `file`.
std::vector<PlacedToken> tokens_of_file(std::string_view preprocessed, std::string_view file);

struct TokenDifference {
  int line = 0;
  std::string first, second;  ///< a few tokens of each from there
};
std::optional<TokenDifference> first_difference(const std::vector<PlacedToken> &first,
                                                const std::vector<PlacedToken> &second);

}  // namespace cupilot::cli::records
