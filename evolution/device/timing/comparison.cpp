// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/timing/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

#include "annotate/support/log.h"
#include "evolution/device/kernels/cuda_call.h"
#include "evolution/judge/data/input_rule.h"
#include "evolution/judge/time/sampling.h"
#include "evolution/judge/time/statistics.h"

namespace cupilot::device::timing {

namespace {

using Clock = std::chrono::steady_clock;

/// Length of the warm-up, which raises the clocks; an idle device needs some tens of milliseconds.
constexpr auto kWarmUp = std::chrono::milliseconds(50);
/// Length of a batch; long enough that the host's latencies do not matter.
constexpr double kBatchUs = 5000;
constexpr int kLeastBatch = 4, kMostBatch = 200;
/// Between two looks at whether the device is shared: longer than the period of the driver's figures, and
/// longer each time.
constexpr std::chrono::milliseconds kPause{1200}, kLonger{150};
/// All sets of buffers together have this many times the size of the L2, up to a number of sets.
constexpr double kCacheFactor = 2;
constexpr std::size_t kMostSets = 8;
/// A sample of several launches should last this long. The number of launches is limited, because the queue
/// of a held stream is finite.
constexpr double kSampleUs = 100;
constexpr std::size_t kMostLaunches = 128;
/// Samples of each side that decide whether a launch is short.
constexpr int kPilotSamples = 5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Resets what an earlier kernel may have set in this process; not every device has every setting. Each
/// kernel chooses how much of a multiprocessor's cache is shared memory; the kernels that run between two
/// samples bring that back to the same state for both sides.
void reset_caches() {
  (void)cudaCtxResetPersistingL2Cache();
  std::size_t persisting = 0;
  if (cudaDeviceGetLimit(&persisting, cudaLimitPersistingL2CacheSize) == cudaSuccess && persisting != 0)
    (void)cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
  cudaFuncCache preference = cudaFuncCachePreferNone;
  if (cudaDeviceGetCacheConfig(&preference) == cudaSuccess && preference != cudaFuncCachePreferNone)
    (void)cudaDeviceSetCacheConfig(cudaFuncCachePreferNone);
  (void)cudaGetLastError();
}

std::size_t sets_for(const judge::cases::CaseLayout &layout, std::size_t l2_bytes, std::size_t contents) {
  const double wanted =
      kCacheFactor * static_cast<double>(l2_bytes) / static_cast<double>(layout.arena_bytes);
  const std::size_t sets = 1 + static_cast<std::size_t>(std::min(wanted, static_cast<double>(kMostSets)));
  return std::max(contents, std::min(sets, kMostSets));
}

/// Record of the original's checks, which nobody reads: they are made only so that both sides are treated
/// alike.
constexpr std::size_t kNoRecord = Rotation::kMostRecords - 1;

}  // namespace

Result<judge::launches::TimingReport> Comparison::run() {
  CUPILOT_CHECKED(grow(sets_for(rotation_.memory(0).layout(), device_.l2_bytes, rotation_.contents())));
  report_.declined = !all_launch();
  if (report_.declined) return report_;
  CUPILOT_CHECKED(first_launches());
  CUPILOT_CHECKED(warm_up());
  CUPILOT_CHECKED(choose_launches());
  if (!report_.synchronised && !report_.declined) CUPILOT_CHECKED(measure());
  if (report_.synchronised || report_.declined) return report_;
  CUPILOT_CHECKED(take_looks());
  CUPILOT_CHECKED(last_launches());
  CUPILOT_CHECKED(read_checks());
  return report_;
}

Result<> Comparison::grow(std::size_t sets) {
  CUPILOT_CHECKED(rotation_.grow(sets));
  for (const Side side : {kOriginal, kCandidate})
    for (std::size_t set = launches_[side].size(); set < rotation_.size(); ++set) {
      CUPILOT_TRY(launch, launcher_(side, rotation_.memory(set)));
      launches_[side].push_back(std::move(launch));
    }
  return {};
}

/// False: one side declines on some of the sets.
bool Comparison::all_launch() const {
  const auto launches = [](const Stopwatch::Launch &launch) { return static_cast<bool>(launch); };
  return std::ranges::all_of(launches_[kOriginal], launches) &&
         std::ranges::all_of(launches_[kCandidate], launches);
}

/// The candidate's first launch on each content; its later launches are compared with these outputs.
Result<> Comparison::first_launches() {
  for (std::size_t content = 0; content < rotation_.contents(); ++content) {
    CUPILOT_CHECKED(rotation_.restore(content));
    CUPILOT_CHECKED(launches_[kCandidate][content]());
    CUPILOT_CHECKED(rotation_.keep(content));
  }
  report_.outputs.resize(rotation_.contents());
  return {};
}

/// The first launches load modules and grow pools. Both wait for the device, so the stream must not be held.
Result<> Comparison::warm_up() {
  CUPILOT_TRY(first, watch_.cold([] { return Result<>(); }));  // loads the kernels that run around a launch
  (void)first;
  const auto end = Clock::now() + kWarmUp;
  std::size_t turn = 0;
  do {
    const std::size_t set = turn++ % rotation_.size();
    for (const Side side : {kOriginal, kCandidate}) {
      CUPILOT_CHECKED(rotation_.restore(set));
      CUPILOT_CHECKED(launches_[side][set]());
    }
    CUPILOT_CHECKED(watch_.flush());
    CUPILOT_CUDA("warming up", cudaStreamSynchronize(device_.stream));
  } while (Clock::now() < end || turn < rotation_.size());
  return {};
}

/// The sets that one sample uses: the next one in turn, or, for samples of several launches, the first ones.
std::pair<std::size_t, std::size_t> Comparison::sets_of(std::size_t turn) const {
  if (launches_per_sample_ > 1) return {0, launches_per_sample_};
  const std::size_t set = turn % rotation_.size();
  return {set, set + 1};
}

Result<judge::time::Sample> Comparison::sample(Side side, std::size_t turn, bool checked) {
  const auto [first, end] = sets_of(turn);
  for (std::size_t set = first; set < end; ++set) CUPILOT_CHECKED(rotation_.restore(set));
  reset_caches();
  const auto launch = [&, first = first, end = end]() -> Result<> {
    for (std::size_t set = first; set < end; ++set) CUPILOT_CHECKED(launches_[side][set]());
    return {};
  };
  CUPILOT_TRY(sample, watch_.cold(launch, judge::data::input_bits(~options_.order_seed, samples_++)));
  sample.time_us /= static_cast<double>(end - first);
  if (!checked) return sample;
  for (std::size_t set = first; set < end; ++set) CUPILOT_CHECKED(check(side, set));
  return sample;
}

/// One record collects the launches of one sample on one content.
Result<> Comparison::check(Side side, std::size_t set) {
  if (side == kOriginal) return rotation_.check(set, kNoRecord);
  const std::size_t content = rotation_.content_of(set);
  ++report_.outputs[content].launches;
  return rotation_.check(set, std::min(turns_ * rotation_.contents() + content, kNoRecord - 1));
}

Result<double> Comparison::pilot_us(Side side) {
  std::vector<double> times;
  for (int i = 0; i < kPilotSamples && !report_.synchronised; ++i) {
    CUPILOT_TRY(taken, sample(side, static_cast<std::size_t>(i), false));
    report_.synchronised = taken.synchronised;
    times.push_back(taken.time_us);
  }
  std::sort(times.begin(), times.end());
  return judge::time::quantile(times, 0.5);
}

/// Chooses how many launches a sample has. Reports when even these are too short to be timed.
Result<> Comparison::choose_launches() {
  double shortest = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    CUPILOT_TRY(original_us, pilot_us(kOriginal));
    CUPILOT_TRY(candidate_us, pilot_us(kCandidate));
    if (report_.synchronised) return {};
    shortest = std::max(0.1, std::min(original_us, candidate_us));
    const bool enough = shortest * static_cast<double>(launches_per_sample_) >= kSampleUs;
    if (attempt == 0 ? shortest >= judge::time::kShortUs : enough) return {};
    const auto wanted = static_cast<std::size_t>(std::ceil(1.1 * kSampleUs / shortest));
    CUPILOT_CHECKED(grow(std::min(wanted, kMostLaunches)));
    report_.declined = !all_launch();
    if (report_.declined) return {};
    launches_per_sample_ = std::min({wanted, kMostLaunches, rotation_.size()});
    report_.launches = static_cast<int>(launches_per_sample_);
  }
  const double together = shortest * static_cast<double>(launches_per_sample_);
  if (together < 0.5 * kSampleUs)
    report_.too_short = fmt::format(
        "a launch takes {:.1f} us, and {} of them together only {:.0f} us: too short to be told apart",
        shortest, launches_per_sample_, together);
  return {};
}

Result<> Comparison::measure() {
  judge::time::Sampling sampling({options_.seconds, options_.relative_error, device_.sm_clock_mhz});
  const auto start = Clock::now();
  for (; !sampling.enough(seconds_since(start)); ++turns_) {
    // The side that is first in one turn is second in the next, so that neither is first more often.
    const bool original_first = (judge::data::input_bits(options_.order_seed, turns_ / 2) ^ turns_) & 1;
    CUPILOT_TRY(first, sample(original_first ? kOriginal : kCandidate, turns_, true));
    CUPILOT_TRY(second, sample(original_first ? kCandidate : kOriginal, turns_, true));
    report_.synchronised = (original_first ? second : first).synchronised;
    if (report_.synchronised) return {};
    sampling.add(original_first ? first : second, original_first ? second : first);
  }
  report_.original = sampling.original();
  report_.candidate = sampling.candidate();
  report_.stopped_because = sampling.stopped_because();
  judge::time::summarise(report_.original);
  judge::time::summarise(report_.candidate);
  return {};
}

/// Buffers that are read and written get their first content again before every launch (a counter in one
/// would go on counting). The batch then contains more than launches, so its time per launch is not used.
Result<judge::time::BatchTimes> Comparison::batch(Side side) {
  const double median_us = side == kOriginal ? report_.original.median_us : report_.candidate.median_us;
  const int count =
      std::clamp(static_cast<int>(kBatchUs / std::max(median_us, 0.5)), kLeastBatch, kMostBatch);
  const bool restoring = rotation_.memory(0).has_inouts();
  std::size_t turn = 0;
  const auto launch = [&]() -> Result<> {
    const std::size_t set = turn++ % rotation_.size();
    if (restoring) CUPILOT_CHECKED(rotation_.restore(set));
    return launches_[side][set]();
  };
  CUPILOT_TRY(taken, watch_.batch(launch, count));
  return judge::time::BatchTimes{taken.events_us, taken.wall_us, restoring ? 0 : count, median_us};
}

/// The driver's figure covers the last second, so it says something of others only after a pause.
Result<> Comparison::look(std::chrono::milliseconds pause) {
  judge::time::Look look;
  if (pause.count() > 0) {
    std::this_thread::sleep_for(pause);
    if (device_.use) look.use = device_.use();
  }
  CUPILOT_TRY(original, batch(kOriginal));
  CUPILOT_TRY(candidate, batch(kCandidate));
  look.original = original, look.candidate = candidate;
  report_.looks.push_back(look);
  return {};
}

Result<> Comparison::take_looks() {
  CUPILOT_CHECKED(look({}));
  while (judge::time::judge_looks(report_.looks) == judge::time::StreamAnswer::look_again) {
    log::note(fmt::format("{}; waiting for it, look {} of {}", judge::time::sharing_text(report_.looks),
                          report_.looks.size() + 1, judge::time::kMostLooks));
    CUPILOT_CHECKED(look(kPause + kLonger * report_.looks.size()));
  }
  return {};
}

/// Timed like all other launches and at the same addresses, but with exchanged contents: results that a
/// kernel remembered by address are now wrong. The parent checks the outputs of these launches.
Result<> Comparison::last_launches() {
  CUPILOT_CHECKED(rotation_.exchange());
  for (std::size_t content = 0; content < rotation_.contents() && !report_.synchronised; ++content) {
    CUPILOT_TRY(last, sample(kCandidate, content, true));
    report_.synchronised = last.synchronised;
    ++turns_;
  }
  return {};
}

Result<> Comparison::read_checks() {
  const std::size_t contents = rotation_.contents();
  CUPILOT_TRY(all, rotation_.differences(std::min(turns_ * contents, kNoRecord)));
  for (std::size_t record = 0; record < all.size(); ++record) {
    judge::launches::TimedOutputs &seen = report_.outputs[record % contents];
    seen.differing += all[record].changed > 0;
    seen.unwritten = std::max<std::uint64_t>(seen.unwritten, all[record].unwritten);
    seen.not_finite = std::max<std::uint64_t>(seen.not_finite, all[record].not_finite);
    seen.deviation =
        std::max(seen.deviation, static_cast<double>(std::bit_cast<float>(all[record].deviation_bits)));
  }
  return {};
}

}  // namespace cupilot::device::timing
