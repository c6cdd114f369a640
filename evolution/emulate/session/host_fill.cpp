// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/host_fill.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "annotate/support/half.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/judge/data/element_type.h"

namespace cupilot::emulate::session {

namespace {

/// Below this another thread costs more than it saves.
constexpr std::uint64_t kElementsAThread = 1 << 16;
/// Long enough that no cache or row sees the same data twice in a row.
constexpr std::uint64_t kRepeatedElements = 1 << 16;

template <class T, class Convert>
void fill_range(std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end,
                Convert convert) {
  for (std::uint64_t i = begin; i < end; ++i) {
    const T value = convert(judge::data::input_value(rule, i));
    std::memcpy(to + i * sizeof value, &value, sizeof value);  // buffers may start at any element
  }
}

void fill_floats(std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end) {
  fill_range<float>(to, rule, begin, end, [](double value) { return judge::data::float_of(value); });
}
void fill_doubles(std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end) {
  fill_range<double>(to, rule, begin, end, [](double value) { return value; });
}

/// Through 64 bits, as device code does: a negative value becomes its two's complement, not 0.
template <class T>
void fill_integers(std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin,
                   std::uint64_t end) {
  fill_range<T>(to, rule, begin, end,
                [](double value) { return static_cast<T>(static_cast<std::int64_t>(value)); });
}

using Fill = void (*)(std::byte *, const judge::data::InputRule &, std::uint64_t, std::uint64_t);

Fill fill_of(spec::ElementType type) {
  switch (type) {
    case spec::ElementType::i8:
      return fill_integers<std::int8_t>;
    case spec::ElementType::u8:
      return fill_integers<std::uint8_t>;
    case spec::ElementType::i16:
      return fill_integers<std::int16_t>;
    case spec::ElementType::u16:
      return fill_integers<std::uint16_t>;
    case spec::ElementType::i32:
      return fill_integers<std::int32_t>;
    case spec::ElementType::u32:
      return fill_integers<std::uint32_t>;
    case spec::ElementType::i64:
      return fill_integers<std::int64_t>;
    case spec::ElementType::u64:
      return fill_integers<std::uint64_t>;
    case spec::ElementType::boolean:
      return [](std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end) {
        fill_range<std::uint8_t>(to, rule, begin, end, [](double value) { return value != 0 ? 1 : 0; });
      };
    case spec::ElementType::f16:
      return [](std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end) {
        fill_range<std::uint16_t>(to, rule, begin, end,
                                  [](double value) { return judge::data::f16_of(value); });
      };
    case spec::ElementType::bf16:
      return [](std::byte *to, const judge::data::InputRule &rule, std::uint64_t begin, std::uint64_t end) {
        fill_range<std::uint16_t>(to, rule, begin, end,
                                  [](double value) { return judge::data::bf16_of(value); });
      };
    case spec::ElementType::f64:
      return fill_doubles;
    case spec::ElementType::f32:
    case spec::ElementType::opaque:
      break;
  }
  return fill_floats;
}

std::size_t bytes_of(spec::ElementType type) {
  return type == spec::ElementType::opaque ? sizeof(float) : judge::data::element_size(type);
}

constexpr std::size_t kPage = 4096;
/// From here on copies cost more than the views, of which a process can have some ten thousand.
constexpr std::size_t kLeastMapped = 16 << 20, kMostViews = 512;

/// Bytes after the first stretch become copy-on-write views of it: what is never looked at costs nothing.
/// False: nothing was done. Memory of that size stands in pages of its own (memory/place.cpp).
bool repeat_by_views(std::span<std::byte> to, std::size_t stretch) {
  if (to.size() < kLeastMapped || reinterpret_cast<std::uintptr_t>(to.data()) % kPage || stretch % kPage)
    return false;
  const int file = ::memfd_create("cupilot-input", MFD_CLOEXEC);
  if (file < 0) return false;
  const auto written = ::write(file, to.data(), stretch);
  std::size_t at = stretch;
  bool good = written == static_cast<ssize_t>(stretch);
  while (good && at + kPage <= to.size()) {
    const std::size_t part = std::min(stretch, (to.size() - at) / kPage * kPage);
    good = ::mmap(to.data() + at, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file,
                  0) != MAP_FAILED;
    at += good ? part : 0;
  }
  ::close(file);
  if (good && at < to.size()) std::memcpy(to.data() + at, to.data(), to.size() - at);
  return good;
}

/// Random values, one like the other: a stretch of them can stand for all.
bool place_matters(const judge::data::InputRule &rule) {
  switch (rule.shape) {
    case judge::data::InputShape::normal:
    case judge::data::InputShape::uniform:
    case judge::data::InputShape::randint:
    case judge::data::InputShape::zeros:
    case judge::data::InputShape::special:
      return rule.probe.kind != judge::data::ProbeKind::none;
    default:
      return true;
  }
}

}  // namespace

void fill_input(std::span<std::byte> to, spec::ElementType type, const judge::data::InputRule &rule) {
  const Fill fill = fill_of(type);
  const std::uint64_t count = std::min<std::uint64_t>(rule.count, to.size() / bytes_of(type));
  const std::uint64_t threads = std::clamp<std::uint64_t>(count / kElementsAThread, 1,
                                                          std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::uint64_t i = 1; i < threads; ++i)
    others.emplace_back(fill, to.data(), std::cref(rule), count * i / threads, count * (i + 1) / threads);
  fill(to.data(), rule, 0, count / threads);
}

void fill_part(std::byte *buffer, spec::ElementType type, const judge::data::InputRule &rule,
               std::uint64_t first, std::uint64_t last) {
  fill_of(type)(buffer, rule, first, std::min(last, rule.count));
}

void fill_member(std::span<std::byte> to, std::size_t stride, const spec::Member &member,
                 const judge::data::InputRule &rule) {
  const std::size_t bytes = member.count * bytes_of(member.type);
  std::vector<std::byte> values(rule.count * bytes_of(member.type));
  fill_input(values, member.type, rule);
  for (std::size_t i = 0; (i + 1) * stride <= to.size() && (i + 1) * bytes <= values.size(); ++i)
    std::memcpy(&to[i * stride + member.offset], &values[i * bytes], bytes);
}

void fill_roughly(std::span<std::byte> to, spec::ElementType type, const judge::data::InputRule &rule) {
  if (rule.count <= kRepeatedElements || place_matters(rule)) return fill_input(to, type, rule);
  std::size_t stretch = kRepeatedElements * bytes_of(type);
  while (to.size() / stretch > kMostViews) stretch *= 2;
  fill_input(to.first(std::min(stretch, to.size())), type, rule);
  if (repeat_by_views(to, stretch)) return;
  for (std::size_t at = stretch; at < to.size(); at += stretch)
    std::memcpy(to.data() + at, to.data(), std::min(stretch, to.size() - at));
}

void fill_pattern(std::span<std::byte> to, std::uint16_t pattern) {
  const std::byte bytes[2] = {static_cast<std::byte>(pattern & 0xff), static_cast<std::byte>(pattern >> 8)};
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = bytes[i & 1];
}

std::size_t pattern_mismatches(std::span<const std::byte> bytes, std::uint16_t pattern) {
  const std::byte wanted[2] = {static_cast<std::byte>(pattern & 0xff), static_cast<std::byte>(pattern >> 8)};
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) wrong += bytes[i] != wanted[i & 1];
  return wrong;
}

std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u, word = 0;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ value) * 0xbf58476d1ce4e5b9u, hash ^= hash >> 29;
  };
  std::size_t at = 0;
  for (; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    mix(word);
  }
  word = 0;
  if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
  mix(word);
  return hash;
}

}  // namespace cupilot::emulate::session
