// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/fills.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cupilot::capture {
namespace {

std::string number(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value + 0.0);  // no "-0"
  return text;
}

std::string call(const char *name, const std::string &a, const std::string &b) {
  return std::string(name) + "(" + a + ", " + b + ")";
}

/// Of a normal distribution, a hundred values have one that is farther from their mean than this with a
/// probability of 71 %, a thousand with one of 99.999 %; of a uniform one none is farther than 1.74.
constexpr double kBoundedDeviations = 2.5;
constexpr std::uint64_t kEnoughToTell = 100;

bool is_bounded(const Contents &contents) {
  const double farthest = std::max(contents.greatest - contents.mean, contents.mean - contents.least);
  return contents.count >= kEnoughToTell && farthest <= kBoundedDeviations * contents.deviation;
}

/// Data that is never negative stays so, and data with bounds within them; all other data is drawn from a
/// normal distribution, which has more of what the original must bear, too.
std::string floating(const Contents &contents) {
  if (contents.deviation <= 0 || contents.nans + contents.infinities == contents.count) return "";
  if (contents.least >= 0 || is_bounded(contents)) {
    const bool apart = contents.greatest - contents.least > 1e-3 * std::fabs(contents.greatest);
    return call("uniform", number(contents.least, apart ? 4 : 17), number(contents.greatest, apart ? 4 : 17));
  }
  const double mean = std::fabs(contents.mean) < 0.1 * contents.deviation ? 0 : contents.mean;
  return call("normal", number(mean, 2), number(contents.deviation, 2));
}

bool from_zero(const Contents &contents) {
  return contents.least == 0 && contents.count > 1;
}

std::string integers(const Contents &contents, const spec::Parameter &parameter, const std::string &above) {
  if (!has_whole_range(contents, parameter))
    return contents.counts_up && from_zero(contents)     ? "iota"
           : contents.permutation && from_zero(contents) ? "permutation"
                                                         : "";
  return call(is_sorted(contents, parameter) ? "sorted" : "randint", number(contents.least, 17),
              above.empty() ? number(contents.greatest + 1, 17) : above);
}

}  // namespace

bool is_sorted(const Contents &contents, const spec::Parameter &parameter) {
  return has_whole_range(contents, parameter) && contents.ascending && contents.count > 2 &&
         contents.greatest - contents.least >= 2;
}

bool has_whole_range(const Contents &contents, const spec::Parameter &parameter) {
  constexpr double kExact = 0x1p53;
  const bool known = contents.count > 0 && parameter.element != spec::ElementType::opaque &&
                     !spec::is_floating(parameter.element);
  const bool special = (contents.counts_up || contents.permutation) && from_zero(contents);
  return known && !special && std::fabs(contents.greatest) < kExact && std::fabs(contents.least) < kExact;
}

std::string fill_of(const Contents &contents, const spec::Parameter &parameter, spec::BufferRole role,
                    const std::string &above) {
  if (contents.count == 0) return "";
  const bool zeros = contents.zeros == contents.count;
  if (zeros && role == spec::BufferRole::inout) return "zeros";  // what the kernel adds to
  return spec::is_floating(parameter.element) ? floating(contents) : integers(contents, parameter, above);
}

}  // namespace cupilot::capture
