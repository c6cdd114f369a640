// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/contents.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "annotate/support/half.h"

namespace cupilot::capture {
namespace {

using spec::ElementType;

// Beyond it, whether a buffer is a permutation is not found out: a bit for each element.
constexpr std::uint64_t kMostPermuted = 1u << 28;

template <class T>
T read(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Moments by Welford's update (Knuth, The Art of Computer Programming 2, 4.2.2).
class Moments {
public:
  void add(double value) {
    const double delta = value - mean_;
    mean_ += delta / ++count_;
    second_ += delta * (value - mean_);
  }
  void write(Contents &contents) const {
    if (count_ == 0) return;
    contents.mean = mean_;
    contents.deviation = std::sqrt(second_ / count_);
    if (!std::isfinite(contents.deviation)) contents.deviation = 0;  // of numbers near the largest
  }

private:
  double count_ = 0, mean_ = 0, second_ = 0;
};

class Reader {
public:
  explicit Reader(std::uint64_t count) : count_(count), once_(count <= kMostPermuted ? count : 0) {
    made_.least = std::numeric_limits<double>::infinity();
    made_.greatest = -made_.least;
    made_.whole = made_.ascending = made_.counts_up = count > 0;
    made_.permutation = !once_.empty();
  }

  void add(double value) {
    ++made_.count;
    if (!std::isfinite(value)) return no_number(value);
    moments_.add(value);
    if (value == 0) ++made_.zeros;
    made_.least = std::min(made_.least, value);
    made_.greatest = std::max(made_.greatest, value);
    if (value != std::floor(value)) made_.whole = false;
    if (made_.count > 1 && value < last_) made_.ascending = false;
    if (made_.count > 1 && value != last_ + 1) made_.counts_up = false;
    if (made_.permutation) permuted(value);
    last_ = value;
  }

  Contents done() {
    if (made_.least > made_.greatest) made_.least = made_.greatest = 0;
    moments_.write(made_);
    return made_;
  }

private:
  void no_number(double value) {
    ++(std::isnan(value) ? made_.nans : made_.infinities);
    made_.whole = made_.ascending = made_.counts_up = made_.permutation = false;
  }

  void permuted(double value) {
    const bool place = made_.whole && value >= 0 && value < static_cast<double>(count_);
    const auto at = place ? static_cast<std::size_t>(value) : 0;
    if (!place || once_[at])
      made_.permutation = false;
    else
      once_[at] = true;
  }

  std::uint64_t count_;
  std::vector<bool> once_;
  double last_ = 0;
  Moments moments_;
  Contents made_;
};

}  // namespace

std::size_t bytes_of(ElementType type) {
  switch (type) {
    case ElementType::i8:
    case ElementType::u8:
    case ElementType::boolean:
      return 1;
    case ElementType::i16:
    case ElementType::u16:
    case ElementType::f16:
    case ElementType::bf16:
      return 2;
    case ElementType::i32:
    case ElementType::u32:
    case ElementType::f32:
      return 4;
    case ElementType::i64:
    case ElementType::u64:
    case ElementType::f64:
      return 8;
    case ElementType::opaque:
      return 0;
  }
  return 0;
}

double element_at(const std::byte *at, ElementType type) {
  switch (type) {
    case ElementType::i8:
      return read<std::int8_t>(at);
    case ElementType::u8:
    case ElementType::boolean:
      return read<std::uint8_t>(at);
    case ElementType::i16:
      return read<std::int16_t>(at);
    case ElementType::u16:
      return read<std::uint16_t>(at);
    case ElementType::i32:
      return read<std::int32_t>(at);
    case ElementType::u32:
      return read<std::uint32_t>(at);
    case ElementType::i64:
      return static_cast<double>(read<std::int64_t>(at));
    case ElementType::u64:
      return static_cast<double>(read<std::uint64_t>(at));
    case ElementType::f16:
      return float_from_f16(read<std::uint16_t>(at));
    case ElementType::bf16:
      return float_from_bf16(read<std::uint16_t>(at));
    case ElementType::f32:
      return read<float>(at);
    case ElementType::f64:
      return read<double>(at);
    case ElementType::opaque:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

Contents contents_of(std::span<const std::byte> bytes, ElementType type) {
  const std::size_t size = bytes_of(type);
  if (size == 0 || bytes.size() < size) return {};
  const std::size_t count = bytes.size() / size;
  Reader reader(count);
  for (std::size_t i = 0; i < count; ++i) reader.add(element_at(bytes.data() + i * size, type));
  return reader.done();
}

}  // namespace cupilot::capture
