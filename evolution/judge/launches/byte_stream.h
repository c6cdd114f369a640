// SPDX-License-Identifier: Apache-2.0
//
// Serialises numbers, texts and lists to bytes, for messages between two of our processes on one machine. The
// reader does not trust its input: after the first malformed item it returns zeros, and good() is false.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cupilot::judge::launches {

class ByteWriter {
public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    const auto *const begin = reinterpret_cast<const std::byte *>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
  }
  void flag(bool value) { number<std::uint8_t>(value ? 1 : 0); }
  void bytes(std::span<const std::byte> value) {
    number<std::uint64_t>(value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
  }
  void text(std::string_view value) { bytes(std::as_bytes(std::span(value.data(), value.size()))); }
  template <class List, class Put>
  void list(const List &values, Put put) {
    number<std::uint64_t>(values.size());
    for (const auto &value : values) put(value);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

private:
  std::vector<std::byte> bytes_;
};

class ByteReader {
public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    if (rest_.size() < sizeof value) return spoil(value);
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  bool flag() {
    const auto value = number<std::uint8_t>();
    if (value > 1) good_ = false;
    return value == 1;
  }
  std::vector<std::byte> bytes(std::uint64_t most) {
    const auto size = number<std::uint64_t>();
    if (size > most || size > rest_.size()) return spoil(std::vector<std::byte>());
    std::vector<std::byte> value(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
    rest_ = rest_.subspan(size);
    return value;
  }
  std::string text(std::uint64_t most) {
    const auto value = bytes(most);
    return {reinterpret_cast<const char *>(value.data()), value.size()};
  }
  /// Calls `get` once for each element. A count larger than the number of bytes left is malformed.
  template <class Get>
  void list(std::uint64_t most, Get get) {
    const auto count = number<std::uint64_t>();
    if (count > most || count > rest_.size()) good_ = false;
    for (std::uint64_t i = 0; good_ && i < count; ++i) get();
  }
  bool good() const { return good_; }
  /// All items were well-formed, and no bytes are left.
  bool complete() const { return good_ && rest_.empty(); }

private:
  template <class T>
  T spoil(T value) {
    good_ = false;
    rest_ = {};
    return value;
  }

  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace cupilot::judge::launches
