// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/machine/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace cupilot::emulate::machine {
namespace {

template <typename T>
T argument(WarpRun &warp, const program::CallSite &site, std::size_t at, int lane) {
  T value{};
  if (at >= site.arguments.size()) return value;
  const program::CallSite::Place &place = site.arguments[at];
  const std::size_t stride = place.bits ? place.bits / 8 : place.stride;
  const std::size_t bytes = std::min<std::size_t>(sizeof value, place.bits ? place.bits / 8 : place.bytes);
  std::memcpy(&value, warp.frame + place.offset + stride * static_cast<std::size_t>(lane), bytes);
  return value;
}

template <typename T>
void give_back(WarpRun &warp, const program::CallSite &site, int lane, T value) {
  if (site.returns.empty()) return;
  const program::CallSite::Place &place = site.returns[0];
  const std::size_t stride = place.bits ? place.bits / 8 : place.stride;
  const std::size_t bytes = std::min<std::size_t>(sizeof value, place.bits ? place.bits / 8 : place.bytes);
  std::memcpy(warp.frame + place.offset + stride * static_cast<std::size_t>(lane), &value, bytes);
}

/// printf's arguments lie in a buffer of the calling thread, each aligned to its size.
class BufferArguments : public FormatArguments {
public:
  BufferArguments(Warp &warp, int lane, std::uint64_t buffer) : warp_(warp), lane_(lane), at_(buffer) {}
  bool next(void *to, std::size_t bytes) override {
    at_ = (at_ + bytes - 1) / bytes * bytes;
    const bool there = at_ && read_generic(warp_, lane_, at_, to, bytes);
    at_ += bytes;
    return there;
  }
  bool text(std::uint64_t address, std::string &to) override { return read_text(warp_, lane_, address, to); }

private:
  Warp &warp_;
  int lane_;
  std::uint64_t at_;
};

void print(LaunchState &launch, const std::string &text) {
  const std::lock_guard lock(launch.print_mutex);
  if (launch.options.print)
    launch.options.print(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void run_printf(WarpRun &warp, const program::Step &step, const program::CallSite &site, int lane) {
  std::string format, text;
  if (!read_text(warp, lane, argument<std::uint64_t>(warp, site, 0, lane), format))
    return report(warp, step, FindingKind::out_of_bounds, lane,
                  "printf of a format that is no readable text");
  BufferArguments arguments(warp, lane, argument<std::uint64_t>(warp, site, 1, lane));
  const int used = format_text(format, arguments, text);
  print(warp.block->launch, text);
  give_back(warp, site, lane, used);
}

void run_assert(WarpRun &warp, const program::Step &step, const program::CallSite &site, int lane) {
  const auto text = [&](std::size_t at) {
    std::string read;
    if (!read_text(warp, lane, argument<std::uint64_t>(warp, site, at, lane), read)) read = "?";
    return read;
  };
  report(warp, step, FindingKind::assertion, lane,
         fmt::format("{}:{}: {}: assertion '{}' failed", text(1),
                     argument<std::uint32_t>(warp, site, 2, lane), text(3), text(0)));
}

/// The device's malloc returns null when its heap is full. Each call makes its own allocation, so its bounds
/// are checked like those of any other.
void run_malloc(WarpRun &warp, const program::CallSite &site, int lane) {
  LaunchState &launch = warp.block->launch;
  const auto bytes = argument<std::uint64_t>(warp, site, 0, lane);
  std::uint64_t address = 0;
  const std::uint64_t before = launch.heap_used.fetch_add(bytes);
  const bool fits = bytes <= launch.options.heap_bytes && before + bytes <= launch.options.heap_bytes;
  if (fits) {
    auto made = launch.memory.allocate(bytes, "device malloc", launch.options.checks.initialised);
    if (made) address = *made;
  }
  if (!address) launch.heap_used.fetch_sub(bytes);
  give_back(warp, site, lane, address);
}

void run_free(WarpRun &warp, const program::Step &step, const program::CallSite &site, int lane) {
  LaunchState &launch = warp.block->launch;
  const auto address = argument<std::uint64_t>(warp, site, 0, lane);
  if (!address) return;
  const memory::Allocation *piece = launch.memory.find(address);
  const bool own = piece && piece->address == address && piece->label == "device malloc";
  const std::uint64_t bytes = own ? piece->bytes : 0;
  const Result<> freed = piece && !own ? user_error("free of memory that the device's malloc did not make")
                                       : launch.memory.free(address);
  if (!freed) return report(warp, step, FindingKind::scratch_misuse, lane, freed.error().message);
  launch.heap_used.fetch_sub(bytes);
  launch.freed.fetch_add(1);
}

}  // namespace

bool read_generic(Warp &warp, int lane, std::uint64_t address, void *to, std::size_t bytes) {
  const auto inside = [&](std::uint64_t window, std::uint64_t size) {
    return address >= window && address - window <= size && bytes <= size - (address - window);
  };
  if (inside(warp.local_window, warp.local_bytes)) {
    std::memcpy(to, local_memory(warp, lane) + (address - warp.local_window), bytes);
    return true;
  }
  const std::uint32_t shared = shared_bytes(warp);
  if (inside(warp.shared_window, shared)) {
    std::memcpy(to, warp.block->shared + (address - warp.shared_window), bytes);
    return true;
  }
  const memory::Allocation *allocation = warp.block->launch.memory.find(address);
  if (!allocation || bytes > allocation->bytes - (address - allocation->address)) return false;
  std::memcpy(to, reinterpret_cast<const void *>(address), bytes);
  return true;
}

bool read_text(Warp &warp, int lane, std::uint64_t address, std::string &text) {
  constexpr std::size_t kLongest = 1 << 16;
  for (text.clear(); text.size() < kLongest;) {
    char c = 0;
    if (!read_generic(warp, lane, address + text.size(), &c, 1)) return false;
    if (c == 0) return true;
    text += c;
  }
  return false;
}

void run_builtin(WarpRun &warp, const program::Step &step, const program::CallSite &site,
                 std::string_view name) {
  for (program::Mask m = warp.current.mask; m && !warp.stop; m &= m - 1) {
    const int lane = std::countr_zero(m);
    if (name == "vprintf")
      run_printf(warp, step, site, lane);
    else if (name == "__assertfail")
      run_assert(warp, step, site, lane);
    else if (name == "malloc")
      run_malloc(warp, site, lane);
    else if (name == "free")
      run_free(warp, step, site, lane);
    else
      report(warp, step, FindingKind::unsupported, lane,
             fmt::format("'{}' is defined in another module", name));
  }
}

}  // namespace cupilot::emulate::machine
