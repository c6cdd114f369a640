// SPDX-License-Identifier: Apache-2.0
//
// Where a server is and by which key one is let in. Private to evolution/provider.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/http_dialect.h"

namespace cupilot {

/// "https://host[:port][/path]", without a slash or /v1 at its end: people write both, and doubling it is a
/// 404. A password in it is refused: it would be in every message.
Result<std::string> normalised_base(std::string url);
/// The settings' own, else the dialect's variable, else its public address.
Result<std::string> base_url_of(const HttpSettings &settings, const Dialect &dialect);

struct HttpKey {
  std::string variable;  ///< where it was found; "" : none is there and none is needed
  std::string value;     ///< secret

  /// `text` with the key's every occurrence blotted out: servers quote keys they refuse.
  std::string blot(std::string text) const;
};

/// Looked up in the environment now. None is fine for a server on this machine, else a user's error.
Result<HttpKey> find_key(const HttpSettings &settings, const Dialect &dialect, const std::string &base_url);

}  // namespace cupilot
