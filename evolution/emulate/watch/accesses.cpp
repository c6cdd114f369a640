// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/watch/accesses.h"

#include <algorithm>
#include <map>

namespace cupilot::emulate::watch {
namespace {

constexpr std::uint64_t kMostTracked = 1u << 30;  ///< a bit for each byte

}  // namespace

Accesses::Accesses(const std::vector<capture::SeenBuffer> &buffers,
                   const std::vector<std::uint64_t> &begins) {
  std::map<std::uint64_t, Area> areas;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].bytes == 0) continue;
    Area &area = areas[begins[i]];
    area.begin = begins[i];
    area.end = begins[i] + buffers[i].bytes;
    area.buffers.push_back(i);
  }
  for (auto place = areas.begin(); place != areas.end(); ++place) {
    Area &area = place->second;
    if (const auto next = std::next(place); next != areas.end()) area.end = std::min(area.end, next->first);
    if (area.end - area.begin <= kMostTracked) area.written.resize(area.end - area.begin);
    areas_.push_back(std::move(area));
  }
}

Accesses::Area *Accesses::area_of(std::uint64_t address) {
  if (last_ && address >= last_->begin && address < last_->end) return last_;
  const auto after = std::ranges::upper_bound(areas_, address, {}, &Area::begin);
  if (after == areas_.begin() || address >= std::prev(after)->end) return nullptr;
  return last_ = &*std::prev(after);
}

void Accesses::read(Area &area, std::uint64_t at, std::uint64_t bytes) {
  const auto end = std::min(at + bytes, area.end - area.begin);
  area.read_end = std::max(area.read_end, end);
  if (area.reads_input) return;
  for (auto i = at; i < end && !area.reads_input; ++i)
    area.reads_input = area.written.empty() || !area.written[i];
}

void Accesses::written(Area &area, std::uint64_t at, std::uint64_t bytes) {
  const auto end = std::min(at + bytes, area.end - area.begin);
  area.written_end = std::max(area.written_end, end);
  if (area.written.empty()) return;
  std::fill(area.written.begin() + static_cast<std::ptrdiff_t>(at),
            area.written.begin() + static_cast<std::ptrdiff_t>(end), true);
}

void Accesses::access(unsigned, unsigned, std::uint32_t, const machine::AccessSeen &access) {
  if (access.space != ptx::Space::global) return;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(access.mask >> lane & 1)) continue;
    Area *const area = area_of(access.address[lane]);
    if (!area) continue;
    const auto at = access.address[lane] - area->begin;
    if (access.atomic || !access.write) read(*area, at, access.bytes);
    if (access.atomic || access.write) written(*area, at, access.bytes);
  }
}

void Accesses::write(std::vector<capture::SeenBuffer> &buffers) const {
  for (const Area &area : areas_)
    for (const auto i : area.buffers) {
      buffers[i].read_end = area.read_end;
      buffers[i].written_end = area.written_end;
      buffers[i].reads_input = area.reads_input;
    }
}

}  // namespace cupilot::emulate::watch
