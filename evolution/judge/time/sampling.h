// SPDX-License-Identifier: Apache-2.0
//
// Decides which timing samples count and when there are enough. It receives pairs of samples of original and
// candidate and the time spent so far. It takes no measurements itself, so it can be tested with simulated
// machines.

#pragma once

#include <cstddef>
#include <string>

#include "evolution/model/verdict.h"

namespace cupilot::judge::time {

struct Sample {
  double time_us = 0;
  double sm_clock_mhz = 0;    ///< mean over the launch; 0 if the launch was too short to measure it
  bool synchronised = false;  ///< the launch waited for the device, so time_us is meaningless
};

struct SamplingLimits {
  double seconds = 2;             ///< time limit, if it leaves enough samples for an answer
  double relative_error = 0.005;  ///< required standard error of both times
  double rated_mhz = 0;           ///< rated SM clock; 0: no sample counts as throttled
};

class Sampling {
public:
  explicit Sampling(const SamplingLimits &limits) : limits_(limits) {}

  /// Adds two consecutive launches, in either order. If one was throttled, both are dropped with the measured
  /// clock as reason. After many throttled pairs in a row the device is taken to be that slow, and all
  /// samples count.
  void add(const Sample &original, const Sample &candidate);

  /// Must be called after every pair; `seconds` is the time since the first.
  bool enough(double seconds);

  const model::SampleSet &original() const { return original_; }
  const model::SampleSet &candidate() const { return candidate_; }
  /// "relative error 0.31 %, answer settled"; valid once enough() returned true.
  const std::string &stopped_because() const { return stopped_because_; }

private:
  bool is_throttled(const Sample &sample) const;
  bool stop(std::string reason);

  SamplingLimits limits_;
  model::SampleSet original_, candidate_;
  std::string stopped_because_;
  std::size_t next_look_ = 0;
  int throttled_in_a_row_ = 0;
  bool keep_all_ = false;
};

/// The largest number of pairs in one comparison.
inline constexpr std::size_t kMostSamples = 2000;

}  // namespace cupilot::judge::time
