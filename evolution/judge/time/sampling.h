// SPDX-License-Identifier: Apache-2.0
//
// Which samples count, and when there are enough: pairs of original and candidate go in, with the time spent
// so far, out comes whether to go on. Pure, so that it can be fed with simulated machines.

#pragma once

#include <cstddef>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot {

struct Sample {
  double time_us = 0;
  double sm_clock_mhz = 0;    ///< mean over the launch; 0 when it was too short to say
  bool synchronised = false;  ///< the launch waited for the device: time_us says nothing
};

struct SamplingLimits {
  double seconds = 2;             ///< cap, if that leaves enough samples for an answer
  double relative_error = 0.005;  ///< both times must be known this well
  double rated_mhz = 0;           ///< 0: no sample counts as throttled
};

class Sampling {
public:
  explicit Sampling(const SamplingLimits &limits) : limits_(limits) {}

  /// Two launches that followed each other, in either order. When one was throttled both are put aside, with
  /// the numbers that condemned them; after many in a row the device just is that slow, and all count.
  void add(const Sample &original, const Sample &candidate);

  /// To be asked after every pair; `seconds` since the first.
  bool enough(double seconds);

  const SampleSet &original() const { return original_; }
  const SampleSet &candidate() const { return candidate_; }
  /// "relative error 0.31 %, answer settled"; valid once enough() said so.
  const std::string &stopped_because() const { return stopped_because_; }

private:
  bool is_throttled(const Sample &sample) const;
  bool stop(std::string reason);

  SamplingLimits limits_;
  SampleSet original_, candidate_;
  std::string stopped_because_;
  std::size_t next_look_ = 0;
  int throttled_in_a_row_ = 0;
  bool keep_all_ = false;
};

/// The most pairs of one comparison.
inline constexpr std::size_t kMostSamples = 2000;

}  // namespace cupilot
