// SPDX-License-Identifier: Apache-2.0
//
// Format: u32 magic, u32 version, u64 checksum of the rest, then the members in order of declaration. The
// checksum detects accidents only. Against forgery, check_list (launch_check.h) verifies every list before it
// is used.
#include "evolution/judge/launches/launch_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "evolution/judge/launches/byte_stream.h"

namespace cupilot::judge::launches {

namespace {

constexpr std::uint32_t kMagic = 0x4c50'5543, kVersion = 1;
/// No real list needs more, and a forged list must not exhaust the memory of this process.
constexpr std::uint64_t kMostWork = 4096, kMostPieces = 64, kMostName = 4096, kMostComplaint = 4096;
/// The largest size of one argument in bytes, and the largest number of arguments; all arguments of a kernel
/// take at most 32764 bytes.
constexpr std::uint64_t kMostArgument = 32764, kMostArguments = 4096;

std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325u;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100'0000'01b3u;
  return hash;
}

void put(ByteWriter &to, const QueuedWork &work) {
  to.number(work.kind);
  to.text(work.kernel);
  for (const auto *dimensions : {&work.grid, &work.block, &work.cluster})
    for (const std::uint32_t size : *dimensions) to.number(size);
  to.number(work.shared_bytes);
  to.list(work.arguments, [&](const auto &argument) { to.bytes(argument); });
  to.flag(work.cooperative);
  to.flag(work.programmatic);
  to.number(work.address);
  to.number(work.bytes);
  to.number(work.value);
}

QueuedWork get_work(ByteReader &from, bool &known) {
  QueuedWork work;
  const auto kind = from.number<std::uint8_t>();
  known = known && kind <= static_cast<std::uint8_t>(QueuedWork::Kind::memset);
  work.kind = kind ? QueuedWork::Kind::memset : QueuedWork::Kind::launch;
  work.kernel = from.text(kMostName);
  for (auto *dimensions : {&work.grid, &work.block, &work.cluster})
    for (std::uint32_t &size : *dimensions) size = from.number<std::uint32_t>();
  work.shared_bytes = from.number<std::uint64_t>();
  from.list(kMostArguments, [&] { work.arguments.push_back(from.bytes(kMostArgument)); });
  work.cooperative = from.flag();
  work.programmatic = from.flag();
  work.address = from.number<std::uint64_t>();
  work.bytes = from.number<std::uint64_t>();
  work.value = from.number<std::uint8_t>();
  return work;
}

std::vector<std::byte> payload_of(const LaunchList &list) {
  ByteWriter to;
  to.flag(list.declined);
  to.number(list.error);
  to.text(list.complaint);
  to.list(list.scratch, [&](std::uint64_t bytes) { to.number(bytes); });
  to.list(list.attributes, [&](const LaunchList::FunctionAttribute &attribute) {
    to.text(attribute.kernel);
    to.number(attribute.attribute);
    to.number(attribute.value);
  });
  to.list(list.work, [&](const QueuedWork &work) { put(to, work); });
  return to.take();
}

/// Roundings between two results of the same short computation.
constexpr double kMostRoundings = 16;

/// The bits of a whole number below 2^26, or of an address, are those of a smaller floating number.
template <class T>
bool nearly_same_number(std::span<const std::byte> a, std::span<const std::byte> b) {
  T x{}, y{};
  std::memcpy(&x, a.data(), sizeof x);
  std::memcpy(&y, b.data(), sizeof y);
  constexpr T kLeast = T(1e-30), kMost = T(1e30);
  const T size = std::abs(x);
  return size > kLeast && size < kMost &&
         std::abs(x - y) <= T(kMostRoundings) * std::numeric_limits<T>::epsilon() * size;
}

/// The lower half of a double is no whole number that stands before a float.
bool nearly_same_double(std::span<const std::byte> a, std::span<const std::byte> b) {
  const auto is_size = [](std::span<const std::byte> bytes) {
    std::int32_t low = 0;
    std::memcpy(&low, bytes.data(), sizeof low);
    return std::abs(std::int64_t{low}) < std::int64_t{1} << 26;
  };
  return !is_size(a) && !is_size(b) && nearly_same_number<double>(a, b);
}

/// An address: its lower half is no number.
bool is_address(std::span<const std::byte> bytes) {
  std::uint32_t high = 0;
  std::memcpy(&high, bytes.data() + sizeof high, sizeof high);
  return high >= 0x1000 && high < 0x8000;
}

bool nearly_same(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t at = 0; at < a.size();) {
    const std::size_t rest = a.size() - at;
    const auto next = [&](std::size_t bytes, const auto &same) {
      if (at % bytes || rest < bytes || !same(a.subspan(at, bytes), b.subspan(at, bytes))) return false;
      at += bytes;
      return true;
    };
    const auto equal = [](auto x, auto y) { return std::ranges::equal(x, y); };
    if (at % 8 == 0 && rest >= 8 && is_address(a.subspan(at)) &&
        !std::ranges::equal(a.subspan(at, 8), b.subspan(at, 8)))
      return false;
    if (!next(8, equal) && !next(8, nearly_same_double) && !next(4, equal) &&
        !next(4, nearly_same_number<float>) && !next(1, equal))
      return false;
  }
  return true;
}

}  // namespace

bool same_but_for_rounding(const LaunchList &a, const LaunchList &b) {
  if (!same_shape(a, b)) return false;
  for (std::size_t i = 0; i < a.work.size(); ++i)
    if (!std::ranges::equal(a.work[i].arguments, b.work[i].arguments, nearly_same)) return false;
  return true;
}

bool same_shape(const LaunchList &a, const LaunchList &b) {
  const auto shape = [](LaunchList list) {
    for (QueuedWork &work : list.work) work.arguments.clear();
    return list;
  };
  return shape(a) == shape(b);
}

std::vector<std::byte> to_bytes(const LaunchList &list) {
  const std::vector<std::byte> payload = payload_of(list);
  ByteWriter to;
  to.number(kMagic);
  to.number(kVersion);
  to.number(checksum(payload));
  to.bytes(payload);
  return to.take();
}

Result<LaunchList> launch_list_from(std::span<const std::byte> bytes) {
  ByteReader head(bytes);
  const auto magic = head.number<std::uint32_t>(), version = head.number<std::uint32_t>();
  const auto sum = head.number<std::uint64_t>();
  const std::vector<std::byte> payload = head.bytes(bytes.size());
  if (!head.complete() || magic != kMagic || version != kVersion || sum != checksum(payload))
    return fail("damaged launch list");
  ByteReader from(payload);
  LaunchList list;
  bool known = true;
  list.declined = from.flag();
  list.error = from.number<int>();
  list.complaint = from.text(kMostComplaint);
  from.list(kMostPieces, [&] { list.scratch.push_back(from.number<std::uint64_t>()); });
  from.list(kMostWork, [&] {
    auto kernel = from.text(kMostName);
    const int attribute = from.number<int>();
    list.attributes.push_back({std::move(kernel), attribute, from.number<int>()});
  });
  from.list(kMostWork, [&] { list.work.push_back(get_work(from, known)); });
  if (!from.complete() || !known) return fail("damaged launch list: its parts do not add up");
  return list;
}

}  // namespace cupilot::judge::launches
