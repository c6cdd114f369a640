// SPDX-License-Identifier: Apache-2.0
//
// The protocol between a worker's child process and cupilot-launches over a socket. Each frame is a 32-bit
// length followed by that many bytes. The child asks and the recorder answers each question once: first
// `load`, which is only acknowledged, then any number of `record`, each answered with a LaunchList, and of
// `trace`, answered with what all records so far have executed, and of `outcomes`, answered with what each of
// many calls decides; those count for nothing else.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/host_trace.h"
#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/outcomes.h"

namespace cupilot::judge::launches {

/// File descriptors of the recorder: its end of the socket, and a pipe to which the sandbox writes the name
/// of a forbidden system call.
inline constexpr int kRecorderSocket = 3, kRecorderNotes = 4;
inline constexpr std::uint32_t kMostFrameBytes = 64u << 20;

struct LoadQuestion {
  std::string library;
  std::vector<LoadedKernel> kernels;
  DeviceFacts device;
  /// The same host code, built to call the recorder wherever it goes. It makes every call of an entry after
  /// the library itself has made it; its launches count for nothing. Empty: there is none.
  std::string traced{};
};

/// A range of device memory.
struct MemoryRange {
  std::uint64_t address = 0, bytes = 0;
  bool contains(const MemoryRange &other) const {
    return other.address >= address && other.bytes <= bytes && other.address - address <= bytes - other.bytes;
  }
  bool operator==(const MemoryRange &) const = default;
};

/// One call of an entry, with everything that its host code may see. Equal questions must have equal answers.
struct RecordQuestion {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;  ///< the values behind CupilotCall::args
  std::vector<std::uint32_t> pointers;            ///< indices of those that are addresses of device memory
  std::vector<std::uint64_t> pointer_bytes{};     ///< of the buffers, one for each; empty: not known
  /// The device has fewer multiprocessors than it really has: what a variant makes of their number must be
  /// right for other GPUs of the architecture, too.
  bool fewer_processors = false;
  /// Addresses for the pieces of scratch memory, in the order they are requested. A piece without a range, or
  /// with one that is too small, gets an invalid address. The list then says how much was requested, and the
  /// question is asked again.
  std::vector<MemoryRange> scratch;
  std::uint64_t scratch_most = 0;  ///< limit for the sum of all pieces
};

struct RecorderQuestion {
  enum class What : std::uint8_t { load, record, trace, outcomes } what = What::load;
  LoadQuestion load;
  RecordQuestion record;
  std::vector<RecordQuestion> calls{};  ///< of outcomes
};

/// One call as the traced library makes it.
struct CallOutcomes {
  LaunchList list;
  Outcomes host;  ///< OutcomeKind::step, comparison, order and label
};

struct RecorderAnswer {
  enum class What : std::uint8_t {
    done,      ///< answer to load
    list,      ///< answer to record, in `list`
    trace,     ///< answer to trace, in `trace`
    outcomes,  ///< answer to outcomes, in `calls`
    refused,   ///< `text`: a request of the library that is not allowed
    failed,    ///< `text`: an error that the library did not cause
  } what = What::done;
  LaunchList list;
  std::string text;
  HostTrace trace{};
  std::vector<CallOutcomes> calls{};  ///< one for each call asked for
};

std::vector<std::byte> to_bytes(const LoadQuestion &question);
std::vector<std::byte> to_bytes(const RecordQuestion &question);
/// The question `trace`, which has no members.
std::vector<std::byte> trace_question();
std::vector<std::byte> outcomes_question(std::span<const RecordQuestion> calls);
Result<RecorderQuestion> question_from(std::span<const std::byte> bytes);
std::vector<std::byte> to_bytes(const RecorderAnswer &answer);
Result<RecorderAnswer> answer_from(std::span<const std::byte> bytes);

/// Returns false if the other side is gone.
bool send_frame(int socket, std::span<const std::byte> bytes);
/// Waits at most `wait_ms` milliseconds (negative: no limit). `closed`: the other side is gone; `garbled`: it
/// announced more than kMostFrameBytes; `late`: the time is over.
enum class FrameEnd : std::uint8_t { whole, closed, garbled, late };
FrameEnd receive_frame(int socket, std::vector<std::byte> &bytes, long wait_ms);

}  // namespace cupilot::judge::launches
