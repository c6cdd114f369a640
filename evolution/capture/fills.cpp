// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/fills.h"

#include <cmath>
#include <cstdio>

namespace cupilot::capture {
namespace {

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string call(const char *name, const std::string &a, const std::string &b) {
  return std::string(name) + "(" + a + ", " + b + ")";
}

/// Data that is never negative stays so; all other data is drawn from a normal distribution, which has more
/// of what the original must bear, too.
std::string floating(const Contents &contents) {
  if (contents.deviation <= 0 || contents.nans + contents.infinities == contents.count) return "";
  if (contents.least >= 0) {
    const bool apart = contents.greatest - contents.least > 1e-3 * contents.greatest;
    return call("uniform", number(contents.least, apart ? 4 : 17), number(contents.greatest, apart ? 4 : 17));
  }
  const double mean = std::fabs(contents.mean) < 0.1 * contents.deviation ? 0 : contents.mean;
  return call("normal", number(mean, 2), number(contents.deviation, 2));
}

std::optional<std::string> integers(const Contents &contents) {
  const bool from_zero = contents.least == 0 && contents.count > 1;
  if (contents.counts_up && from_zero) return "iota";
  if (contents.permutation && from_zero) return "permutation";
  const double values = contents.greatest - contents.least;
  if (contents.ascending && contents.count > 2 && values >= 2) return std::nullopt;
  if (std::fabs(contents.greatest) > 9e15 || std::fabs(contents.least) > 9e15) return "";
  return call("randint", number(contents.least, 17), number(contents.greatest + 1, 17));
}

}  // namespace

std::optional<std::string> fill_of(const Contents &contents, const spec::Parameter &parameter,
                                   spec::BufferRole role) {
  if (contents.count == 0) return "";
  const bool zeros = contents.zeros == contents.count;
  if (zeros && role == spec::BufferRole::inout) return "zeros";  // what the kernel adds to
  return spec::is_floating(parameter.element) ? floating(contents) : integers(contents);
}

}  // namespace cupilot::capture
