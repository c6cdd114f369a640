// SPDX-License-Identifier: Apache-2.0
//
// What a worker's child and cupilot-launches say to each other over a socket: frames of a 32-bit length and
// that many bytes. The child asks, the recorder answers each question once. First `load`, answered with
// nothing; then any number of `record`, each answered with a LaunchList.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/launch_list.h"

namespace cupilot {

/// What the recorder has open: its end of the socket, and a pipe for the sandbox's last words.
inline constexpr int kRecorderSocket = 3, kRecorderNotes = 4;
inline constexpr std::uint32_t kMostFrameBytes = 64u << 20;

struct LoadQuestion {
  std::string library;
  std::vector<LoadedKernel> kernels;
  DeviceFacts device;
};

/// A stretch of device memory.
struct MemoryRange {
  std::uint64_t address = 0, bytes = 0;
  bool contains(const MemoryRange &other) const {
    return other.address >= address && other.bytes <= bytes && other.address - address <= bytes - other.bytes;
  }
  bool operator==(const MemoryRange &) const = default;
};

/// One call of an entry: everything it may see. Equal questions have equal answers.
struct RecordQuestion {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;  ///< the values behind CupilotCall::args
  /// Places of the pieces of scratch memory, in the order they are asked for. A piece that has none (or one
  /// too small) gets an address that is nowhere; the list says what was wanted, and the question is put
  /// again.
  std::vector<MemoryRange> scratch;
  std::uint64_t scratch_most = 0;  ///< beyond this sum there is none
};

struct RecorderQuestion {
  enum class What : std::uint8_t { load, record } what = What::load;
  LoadQuestion load;
  RecordQuestion record;
};

struct RecorderAnswer {
  enum class What : std::uint8_t {
    done,     ///< of load
    list,     ///< of record; `list`
    refused,  ///< `text`: what the library asked for and does not get
    failed,   ///< `text`: it is not the library's fault
  } what = What::done;
  LaunchList list;
  std::string text;
};

std::vector<std::byte> to_bytes(const LoadQuestion &question);
std::vector<std::byte> to_bytes(const RecordQuestion &question);
Result<RecorderQuestion> question_from(std::span<const std::byte> bytes);
std::vector<std::byte> to_bytes(const RecorderAnswer &answer);
Result<RecorderAnswer> answer_from(std::span<const std::byte> bytes);

/// False: the other side is gone.
bool send_frame(int socket, std::span<const std::byte> bytes);
/// Waits `wait_ms` at most (negative: for ever). `closed`: the other side is gone; `garbled`: it announced
/// more than kMostFrameBytes.
enum class FrameEnd : std::uint8_t { whole, closed, garbled, late };
FrameEnd receive_frame(int socket, std::vector<std::byte> &bytes, long wait_ms);

}  // namespace cupilot
