// SPDX-License-Identifier: Apache-2.0
//
// Work outside of the launch's stream, or another program on the same device? Both make the device busy for
// longer than the timed stream, so the original is looked at beside the candidate: it works on its stream
// only. Where its times have the same gap, or other programs keep the device busy, the device is shared. One
// look proves nothing, so suspicious ones are repeated. Pure; the looks are taken by the device.

#pragma once

#include <span>
#include <string>

namespace cupilot::judge::time {

/// Launches back to back on a stream that is not held.
struct BatchTimes {
  double events_us = 0, wall_us = 0;  ///< by the stream's events, and by the wall clock for the whole device
  int launches = 0;      ///< 0: the batch holds other work too, so its time of one launch is unknown
  double median_us = 0;  ///< one launch, timed on a held stream
};

/// What the driver says of other programs. Where it says nothing, only the original's own gap tells.
struct DeviceUse {
  bool known = false;
  int processes = 0;     ///< that have compute contexts on the device, our own included
  int busy_percent = 0;  ///< of the time just before the look, while we queued nothing
};

struct Look {
  BatchTimes original, candidate;
  DeviceUse use;
};

/// Two signs of work on other streams: the device is busy longer than the timed stream, or a launch takes
/// longer in a batch than when its stream was held back for timing (which does not hold other streams).
/// Empty: neither.
std::string work_beside_stream(const BatchTimes &times);

enum class StreamAnswer { on_its_stream, outside, shared, look_again };
/// `look_again` only with fewer than kMostLooks looks.
StreamAnswer judge_looks(std::span<const Look> looks);

/// The looks of one comparison; each after the first is taken after a longer pause.
inline constexpr int kMostLooks = 7;
/// Looks that must agree before a candidate is rejected, or cleared after a suspicious look.
inline constexpr int kAgreeing = 3;
/// Looks in a row that must agree before a candidate is rejected where other programs were seen: their work
/// comes in bursts, which fall on the candidate's looks alone now and then.
inline constexpr int kAgreeingAmongOthers = 5;
/// One judging has fewer processes with contexts on the device at a time; more belong to others.
inline constexpr int kOwnProcesses = 8;
/// A device that is this busy while we wait is used by others; refreshing a display takes less.
inline constexpr int kBusyPercent = 10;

/// "the device is shared: in 5 of 7 looks ...", for a note and a message of progress.
std::string sharing_text(std::span<const Look> looks);
/// Why the candidate is rejected, from the last look that shows it.
std::string outside_text(std::span<const Look> looks);

}  // namespace cupilot::judge::time
