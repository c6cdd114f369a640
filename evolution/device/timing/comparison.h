// SPDX-License-Identifier: Apache-2.0
//
// Times original and candidate in turn, in random order, each with a cold cache and on rotating buffers,
// until there are enough samples. Every launch finds its outputs poisoned, and what it wrote is checked on
// the device.
//
// A launch shorter than kShortUs is timed in samples of several launches back to back, each on buffers of its
// own that have not been touched since the cache was flushed. Such a launch is cold too, except for the
// kernel's code and constants. Its time includes the device's step from one launch to the next, as in a
// program.
//
// Launches are only functions to call here. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "evolution/device/timing/rotation.h"
#include "evolution/device/timing/stopwatch.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::device::timing {

class Comparison {
public:
  enum Side { kOriginal, kCandidate };
  struct Device {
    cudaStream_t stream = nullptr;
    std::size_t l2_bytes = 0;
    double sm_clock_mhz = 0;                        ///< rated
    std::function<judge::time::DeviceUse()> use{};  ///< what others do on it; may be empty
  };
  /// Returns the launch of one side on the buffers of one set; empty if that side declines.
  using Launcher = std::function<Result<Stopwatch::Launch>(Side, memory::CaseMemory &)>;

  /// `rotation` has been prepared. All arguments passed by reference, except `device`, must outlive the
  /// comparison.
  Comparison(const Device &device, Stopwatch &watch, Rotation &rotation, Launcher launcher,
             const judge::launches::TimingOptions &options)
      : device_(device),
        watch_(watch),
        rotation_(rotation),
        launcher_(std::move(launcher)),
        options_(options) {}

  /// Afterwards the rotation can dump the candidate's last outputs on each content.
  Result<judge::launches::TimingReport> run();

private:
  Result<> grow(std::size_t sets);
  bool all_launch() const;
  Result<> first_launches();
  Result<> warm_up();
  std::pair<std::size_t, std::size_t> sets_of(std::size_t turn) const;
  Result<judge::time::Sample> sample(Side side, std::size_t turn, bool checked);
  Result<> check(Side side, std::size_t set);
  Result<double> pilot_us(Side side);
  Result<> choose_launches();
  Result<> measure();
  Result<judge::time::BatchTimes> batch(Side side);
  Result<> look(std::chrono::milliseconds pause);
  Result<> take_looks();
  Result<> last_launches();
  Result<> read_checks();

  Device device_;
  Stopwatch &watch_;
  Rotation &rotation_;
  Launcher launcher_;
  const judge::launches::TimingOptions &options_;
  judge::launches::TimingReport report_;
  std::vector<Stopwatch::Launch> launches_[2];  ///< indexed by side, then by set
  std::size_t launches_per_sample_ = 1;
  std::size_t turns_ = 0, samples_ = 0;
};

}  // namespace cupilot::device::timing
