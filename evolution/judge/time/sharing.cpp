// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/sharing.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::judge::time {

namespace {

/// Limit of device time over stream time of a batch. A larger ratio means work outside the timed stream.
constexpr double kMostWallRatio = 1.5;
/// Maximum time that synchronising takes the host, once per batch.
constexpr double kWallAllowanceUs = 200;
/// Launches in a batch find a warm cache, so each takes at most its cold time (with some tolerance) or the
/// host's time to queue it.
constexpr double kMostBatchRatio = 1.15, kQueueUs = 40;

bool is_busy(const Look &look) {
  return look.use.known && look.use.busy_percent >= kBusyPercent;
}

/// What one look says of the candidate.
StreamAnswer answer_of(const Look &look) {
  if (work_beside_stream(look.candidate).empty()) return StreamAnswer::on_its_stream;
  const bool control = work_beside_stream(look.original).empty();
  return control && !is_busy(look) ? StreamAnswer::outside : StreamAnswer::shared;
}

/// Anything that says that other programs are on the device, whether they work just now or not.
bool shows_others(const Look &look) {
  return is_busy(look) || (look.use.known && look.use.processes > kOwnProcesses) ||
         answer_of(look) == StreamAnswer::shared;
}

/// The last looks in a row that say `outside`.
long outside_at_the_end(std::span<const Look> looks) {
  const auto last_other = std::find_if(looks.rbegin(), looks.rend(), [](const Look &look) {
    return answer_of(look) != StreamAnswer::outside;
  });
  return std::distance(looks.rbegin(), last_other);
}

long count(std::span<const Look> looks, StreamAnswer answer) {
  return std::ranges::count_if(looks, [&](const Look &look) { return answer_of(look) == answer; });
}

}  // namespace

std::string work_beside_stream(const BatchTimes &times) {
  const double wall = times.wall_us - kWallAllowanceUs, held = std::max(times.median_us, kQueueUs);
  if (wall > kMostWallRatio * times.events_us)
    return fmt::format("the device was busy for {:.2f} us, the stream of the launch for {:.2f} us",
                       times.wall_us, times.events_us);
  if (times.launches > 0 && wall / times.launches > kMostBatchRatio * held)
    return fmt::format("a launch takes {:.2f} us of the device's time, {:.2f} us of its stream's",
                       wall / times.launches, times.median_us);
  return "";
}

StreamAnswer judge_looks(std::span<const Look> looks) {
  if (looks.empty()) return StreamAnswer::look_again;
  const long clear = count(looks, StreamAnswer::on_its_stream);
  if (clear == static_cast<long>(looks.size()) || clear >= kAgreeing) return StreamAnswer::on_its_stream;
  // A candidate that works outside of its stream does so in every look; other programs come and go.
  const int needed = std::ranges::any_of(looks, shows_others) ? kAgreeingAmongOthers : kAgreeing;
  if (clear == 0 && outside_at_the_end(looks) >= needed) return StreamAnswer::outside;
  return looks.size() < static_cast<std::size_t>(kMostLooks) ? StreamAnswer::look_again
                                                             : StreamAnswer::shared;
}

std::string sharing_text(std::span<const Look> looks) {
  const auto busy = std::ranges::count_if(looks, is_busy);
  const auto controls = std::ranges::count_if(
      looks, [](const Look &look) { return !work_beside_stream(look.original).empty(); });
  std::string text = fmt::format(
      "the device is shared: in {} of {} looks it was busy beside the launch's stream, in {} of "
      "them for the original, too",
      looks.size() - static_cast<std::size_t>(count(looks, StreamAnswer::on_its_stream)), looks.size(),
      controls);
  if (!looks.empty() && looks.back().use.known)
    text += fmt::format(
        "; in {} others kept it busy while nothing of ours ran ({} % in the last, {} processes on it)", busy,
        looks.back().use.busy_percent, looks.back().use.processes);
  return text + "; judge again when it is free";
}

std::string outside_text(std::span<const Look> looks) {
  std::string text;
  for (const Look &look : looks)
    if (answer_of(look) == StreamAnswer::outside) text = work_beside_stream(look.candidate);
  return text + ": work runs outside l.stream";
}

}  // namespace cupilot::judge::time
