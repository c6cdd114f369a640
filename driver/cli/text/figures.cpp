// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/text/figures.h"

#include <fmt/format.h>

namespace cupilot::cli::text {

std::string time_text(double microseconds) {
  if (!(microseconds > 0)) return "-";
  return fmt::format("{:.{}f}", microseconds, microseconds < 10 ? 2 : microseconds < 1000 ? 1 : 0);
}

std::string speedup_text(double speedup) {
  return speedup > 0 ? fmt::format("{:.2f}x", speedup) : "-";
}

std::string speedup_text(const model::Measurement &m) {
  if (!(m.speedup > 0)) return "-";
  return fmt::format("{:.2f}x ({:.2f} to {:.2f})", m.speedup, m.speedup_low, m.speedup_high);
}

std::string estimate_text(double ratio) {
  return ratio > 0 ? fmt::format("{:.2f}x est.", ratio) : "-";
}

std::string estimate_text(const model::Estimate &e) {
  return estimate_text(e.ratio) + (e.tie && e.ratio > 0 ? " (a tie)" : "");
}

std::string share_text(double share) {
  return share > 0 ? fmt::format("{:.0f} %", share * 100) : "-";
}

std::string duration_text(std::chrono::milliseconds duration) {
  const auto seconds = std::chrono::round<std::chrono::seconds>(duration).count();
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace cupilot::cli::text
