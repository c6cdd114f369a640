// SPDX-License-Identifier: Apache-2.0
//
// The address of a server and the key for it. Private to evolution/provider.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/http_dialect.h"

namespace cupilot::provider {

/// The address as "https://host[:port][/path]" without a slash or /v1 at the end. Users write it with and
/// without /v1, and a doubled /v1 gives a 404. An address with a password is refused, because it would appear
/// in every message.
Result<std::string> normalised_base(std::string url);
/// The address in the settings, else in the dialect's environment variable, else the dialect's public
/// address.
Result<std::string> base_url_of(const HttpSettings &settings, const Dialect &dialect);

/// Whether the address is localhost or a loopback address.
bool on_this_machine(std::string_view base_url);

struct HttpKey {
  std::string
      variable;       ///< environment variable in which it was found; "": there is no key and none is needed
  std::string value;  ///< secret

  /// `text` with every occurrence of the key masked: some servers quote a key that they refuse.
  std::string blot(std::string text) const;
};

/// Looks the key up in the environment. A missing key is accepted for a server on this machine; otherwise it
/// is a user error. So is a key for another machine whose address begins with http://, unless
/// CUPILOT_ALLOW_PLAIN_HTTP=1 is set.
Result<HttpKey> find_key(const HttpSettings &settings, const Dialect &dialect, const std::string &base_url);

}  // namespace cupilot::provider
