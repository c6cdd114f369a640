// SPDX-License-Identifier: Apache-2.0
//
// A text of CUDA code with every float, half and bf16 promoted to double, token by token. Where the meaning
// of a construct cannot be kept the first such place is told. Internal to the twin (twin.h).

#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cupilot {

struct Promotion {
  std::string text;
  std::string
      missing;  ///< "norm.cu:12: '__float_as_int' looks at the bits of a float"; empty when all went well
  bool single = false;   ///< something of type float was promoted
  bool sixteen = false;  ///< something of 16 bits was promoted
  bool wide = false;     ///< the text has doubles of its own
};

/// `floats`: names known to stand for floating data (parameters); `half_is_type`: the user has cuda_fp16.h's.
Promotion promote(std::string_view text, const std::set<std::string> &floats, bool half_is_type);

}  // namespace cupilot
