// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/server.h"

#include <dlfcn.h>
#include <immintrin.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/moved_addresses.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/recorder/call_stack.h"
#include "evolution/judge/recorder/chance.h"
#include "evolution/judge/recorder/library_copy.h"
#include "evolution/judge/recorder/recording.h"
#include "evolution/judge/recorder/tracing.h"
#include "evolution/judge/sandbox/sandbox.h"

namespace cupilot::judge::recorder {

namespace {

using EntryFunction = int (*)(launches::CupilotCall *);
using What = launches::RecorderAnswer::What;

constexpr int kParentGone = 0, kConfused = 3;

/// Turns the loader's "undefined symbol: cudaMalloc" into a sentence about what the library does.
std::string refusal(const std::string &loader) {
  static constexpr std::string_view kUndefined = "undefined symbol: ";
  const auto at = loader.find(kUndefined);
  if (at == std::string::npos) return "does not load: " + loader;
  const auto begin = at + kUndefined.size();
  const std::string name = loader.substr(begin, loader.find_first_of(" \t\n(", begin) - begin);
  return "calls '" + name + "', which the host side of a variant may not";
}

/// A stream that the program has made.
char stream_of_a_program;

/// Sets how the processor takes subnormal numbers and where it rounds to, for as long as the object lives.
class Arithmetic {
public:
  Arithmetic(bool flushes, int rounding) : before_(_mm_getcsr()), rounding_(std::fegetround()) {
    constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x40;
    if (flushes) _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
    if (rounding != rounding_) std::fesetround(rounding);
  }
  ~Arithmetic() {
    std::fesetround(rounding_);
    _mm_setcsr(before_);
  }
  Arithmetic(const Arithmetic &) = delete;
  Arithmetic &operator=(const Arithmetic &) = delete;

private:
  unsigned before_;
  int rounding_;
};

/// What surrounds a call and must not decide what it queues.
struct Surroundings {
  Around around{.stream = &stream_of_a_program};
  launches::Move move = launches::Move::none;
  std::uint64_t places = 0;  ///< chooses where the buffers are moved
  std::size_t code = 0;      ///< which copy of the library is called
  std::size_t stack = 0;     ///< which stack it is called on
  bool fresh = true;         ///< whether that is filled first
  bool flushes = false;      ///< subnormal numbers are zero, as in a program that is linked with -ffast-math
  int rounding = FE_TONEAREST;  ///< FE_UPWARD, ...: as in interval arithmetic
};
using launches::Move;

/// The null stream, and the two that the runtime names.
void *const kStreams[] = {nullptr, reinterpret_cast<void *>(std::uintptr_t{1}),
                          reinterpret_cast<void *>(std::uintptr_t{2})};

Chance chance;
CallStack serving;
std::array<CallStack, 3> calling;

struct EntryCall {
  EntryFunction function = nullptr;
  launches::CupilotCall *arguments = nullptr;
  int code = 0;
} entry_call;

class Server {
public:
  launches::RecorderAnswer load(launches::LoadQuestion question) {
    if (function_) return {What::failed, {}, "it has a library already"};
    std::vector<std::filesystem::path> readable{question.library};
    if (!question.traced.empty()) readable.emplace_back(question.traced);
    const auto locked = sandbox::enter_sandbox(
        {.readable = readable, .keep = {launches::kRecorderSocket}, .notes = launches::kRecorderNotes});
    if (!locked) return {What::failed, {}, locked.error().message};
    const std::string library = question.library, traced = question.traced;
    recording().know(std::move(question));
    // Every function that the library calls must exist now; lazy binding would not report a missing one.
    void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return {What::refused, {}, refusal(::dlerror())};
    function_ = reinterpret_cast<EntryFunction>(::dlsym(handle, "cupilot_entry"));
    if (!function_) return {What::refused, {}, "has no function cupilot_entry"};
    copy(library, handle);
    if (!traced.empty()) load_traced(traced);
    if (const auto closed = sandbox::close_all_doors(); !closed)
      return {What::failed, {}, closed.error().message};
    return {What::done, {}, {}};
  }

  launches::RecorderAnswer record(launches::RecordQuestion question) {
    if (!function_) return {What::failed, {}, "it has no library"};
    const auto bytes = launches::to_bytes(question);
    const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    const auto places = secret_ ^ std::hash<std::string_view>()(text);
    auto answer = ask(function_, question, {});
    const auto &usual = answer.list;
    auto complaint = answer.list.complaint;
    if (!usual.attributes.empty()) complaint = after_itself(question, usual);
    for (std::size_t i = 0; i < kMoves.size() + kMorePlaces && complaint.empty(); ++i)
      complaint = compared(question, i < kMoves.size() ? other(i, places) : any(), usual);
    if (complaint.empty()) complaint = with_an_error(question, usual);
    for (std::size_t i = 0; i < usual.scratch.size() && !usual.error && complaint.empty(); ++i)
      complaint = without_memory(question, i);
    answer.list.complaint = complaint;
    if (traced_ && answer.list.complaint.empty()) trace_calls(question, answer.list);
    return answer;
  }

  launches::RecorderAnswer trace() const {
    launches::RecorderAnswer answer{What::trace, {}, {}, tracing().take()};
    if (!untraced_.empty()) answer.trace.unknown = untraced_;
    return answer;
  }

  /// Calls of the traced library alone: its way is what is asked for.
  launches::RecorderAnswer outcomes(const std::vector<launches::RecordQuestion> &calls) const {
    launches::RecorderAnswer answer{What::outcomes, {}, {}};
    if (!function_) return {What::failed, {}, "it has no library"};
    for (const launches::RecordQuestion &call : calls) {
      tracing().begin_outcomes(traced_base_);
      auto made = ask(traced_ ? traced_ : function_, call,
                      {.around = {.stream = &stream_of_a_program}, .fresh = false});
      tracing().end();
      answer.calls.push_back({std::move(made.list), tracing().take_outcomes()});
    }
    return answer;
  }

private:
  /// Calls with the streams that every program has, on other devices, each once.
  static constexpr std::array<Move, 3> kMoves{Move::together, Move::apart, Move::apart_backwards};
  /// Calls with anything else. What a formula makes of an address shows at some of many places only.
  static constexpr std::size_t kMorePlaces = 29;

  Surroundings other(std::size_t number, std::uint64_t places) const {
    return {
        .around = {.stream = kStreams[number], .device = static_cast<int>(number) + 1, .other_device = true},
        .move = kMoves[number],
        .places = places,
        .code = number % functions_.size(),
        .stack = number % calling.size()};
  }
  Surroundings any() const {
    static constexpr Move kAny[] = {Move::together, Move::apart, Move::side_by_side, Move::side_by_side};
    static constexpr int kRoundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const auto drawn = chance.next();
    return {.around = {.stream = drawn >> 48 & 1 ? any_handle() : kStreams[drawn % std::size(kStreams)],
                       .device = static_cast<int>(drawn >> 8 & 7),
                       .other_device = (drawn >> 16 & 1) != 0},
            .move = kAny[drawn >> 24 & 3],
            .places = chance.next(),
            .code = (drawn >> 32 & 0xff) % functions_.size(),
            .stack = (drawn >> 40 & 0xff) % calling.size(),
            .fresh = false,
            .flushes = (drawn >> 56 & 1) != 0,
            .rounding = kRoundings[drawn >> 57 & 3]};
  }
  /// A stream of some program: a handle lies where the driver keeps its objects.
  static void *any_handle() {
    constexpr std::uintptr_t kHeap = 0x5500'0000'0000, kAligned = 16;
    return reinterpret_cast<void *>(kHeap + chance.next() % (std::uintptr_t{1} << 32) * kAligned);
  }

  /// Empty, or what is wrong with the answer to the same call in these surroundings.
  std::string compared(const launches::RecordQuestion &question, const Surroundings &around,
                       const launches::LaunchList &usual) {
    const auto list = moved_list(question, around, usual);
    if (same(list, usual, around)) return {};
    return list.complaint.empty() ? cause(question, around, usual) : list.complaint;
  }

  /// Numbers that the host side computes for its kernels may be rounded as the program wants it.
  static bool same(const launches::LaunchList &list, const launches::LaunchList &usual,
                   const Surroundings &around) {
    return list == usual || (around.rounding != FE_TONEAREST && launches::same_but_for_rounding(list, usual));
  }

  /// A kernel's attributes stay as an earlier launch has set them.
  std::string after_itself(const launches::RecordQuestion &question,
                           const launches::LaunchList &usual) const {
    const auto list =
        ask(function_, question,
            {.around = {.stream = &stream_of_a_program, .attributes = usual.attributes}, .fresh = false})
            .list;
    if (list == usual) return {};
    return "does something else at its second launch, when the attributes of its kernels are set already: "
           "set "
           "them before you ask how many blocks fit";
  }

  /// A program may have made a mistake before that it has not asked for yet.
  std::string with_an_error(const launches::RecordQuestion &question,
                            const launches::LaunchList &usual) const {
    const auto list = ask(function_, question,
                          {.around = {.stream = &stream_of_a_program, .pending_error = true}, .fresh = false})
                          .list;
    if (list.work == usual.work || (list.declined && list.work.empty())) return {};
    return "does something else where the program has an error that it has not asked for yet: what is queued "
           "may not depend on it, but launch() may return false before it queues anything";
  }

  /// Where there is no memory for that piece and the following ones, the original must run.
  std::string without_memory(const launches::RecordQuestion &question, std::size_t piece) const {
    const auto list =
        ask(function_, question,
            {.around = {.stream = &stream_of_a_program, .failing_piece = piece}, .fresh = false})
            .list;
    const auto harmful = [&](const launches::QueuedWork &work) {
      if (work.kind == launches::QueuedWork::Kind::launch) return true;
      for (const auto index : question.pointers)
        if (argument_is(question, index, work.address)) return true;
      return false;
    };
    if (list.declined && std::ranges::none_of(list.work, harmful)) return {};
    return "goes on without the scratch memory that it asked for: where there is none, l.scratch() returns "
           "null and launch() must return false before it launches anything";
  }
  static bool argument_is(const launches::RecordQuestion &question, std::size_t index,
                          std::uint64_t address) {
    if (index >= question.arguments.size()) return false;
    const auto &bytes = question.arguments[index];
    return bytes.size() == sizeof address && std::memcmp(bytes.data(), &address, sizeof address) == 0;
  }

  /// The library at other places, where programs have their code.
  void copy(const std::string &library, void *handle) {
    functions_ = {function_};
    const link_map *where = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void *>(&where)) != 0) return;
    for (const auto place : {CodePlace::lowest, CodePlace::program}) {
      const auto distance = copy_library(library, where->l_addr, place, chance);
      if (!distance) continue;
      recording().also_at(distance);
      functions_.push_back(
          reinterpret_cast<EntryFunction>(reinterpret_cast<std::uintptr_t>(function_) + distance));
    }
  }

  void load_traced(const std::string &library) {
    void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      untraced_ = "the library that tells what is executed " + refusal(::dlerror());
      return;
    }
    const link_map *where = nullptr;
    traced_ = reinterpret_cast<EntryFunction>(::dlsym(handle, "cupilot_entry"));
    if (!traced_ || ::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void *>(&where)) != 0 ||
        !tracing().prepare()) {
      untraced_ = "the library that tells what is executed cannot be run";
      traced_ = nullptr;
      return;
    }
    traced_base_ = where->l_addr;
    untraced_.clear();
  }

  /// The same calls once more, in the traced library. If it does not queue the same work, it says nothing of
  /// the other one.
  void trace_calls(const launches::RecordQuestion &question, const launches::LaunchList &list) {
    for (const void *stream :
         {static_cast<void *>(&stream_of_a_program), kStreams[0], kStreams[1], kStreams[2]}) {
      tracing().begin(traced_base_);
      const auto same = ask(traced_, question, {.around = {.stream = stream}});
      tracing().end();
      if (!launches::same_shape(same.list, list))
        untraced_ = "the host side queues other work when it is compiled without optimisation";
    }
  }

  launches::LaunchList moved_list(const launches::RecordQuestion &question, const Surroundings &around,
                                  const launches::LaunchList &usual) const {
    const launches::MovedAddresses moved(question, around.move, around.places);
    return moved.put_back(ask(functions_[around.code], moved.question(), around).list, usual);
  }

  /// What of `other` makes the answer another one.
  std::string cause(const launches::RecordQuestion &question, const Surroundings &other,
                    const launches::LaunchList &usual) const {
    const auto differs = [&](const Surroundings &around) {
      return !same(moved_list(question, around, usual), usual, around);
    };
    // What counts its calls differs at some of them only.
    constexpr int kRepeats = 4;
    const char *const keeps_state =
        "answers differently for the same arguments: it keeps state, or reads what lies on the stack";
    for (int i = 0; i < kRepeats; ++i)
      if (differs({})) return keeps_state;
    if (differs({.around = {.stream = other.around.stream}}))
      return "does something else when l.stream is another stream: what is queued may not depend on it";
    if (differs({.move = other.move, .places = other.places}))
      return "does something else when buffers lie at other addresses: what is queued may depend on their "
             "alignment and on whether they overlap, but not on where they are";
    if (differs({.around = {.stream = &stream_of_a_program,
                            .device = other.around.device,
                            .other_device = other.around.other_device}}))
      return "does something else on another device of the same kind: what is queued may not depend on "
             "its number, clocks, slots or boards";
    if (differs({.flushes = other.flushes}))
      return "does something else where the host's arithmetic takes subnormal numbers for zero, as in a "
             "program that is linked with -ffast-math";
    if (differs({.rounding = other.rounding}))
      return "does something else where the host's arithmetic rounds up or towards zero, as it does for "
             "interval arithmetic: what is queued may not depend on it";
    if (differs({.code = other.code}) || differs({.stack = other.stack}))
      return "does something else where its code or its stack lies elsewhere: what is queued may not depend "
             "on "
             "such addresses, which are others in a program";
    return keeps_state;
  }

  /// One call of the entry; it may change its copy of the arguments.
  static launches::RecorderAnswer ask(EntryFunction function, launches::RecordQuestion question,
                                      const Surroundings &around) {
    std::vector<void *> arguments;
    for (auto &argument : question.arguments) arguments.push_back(argument.data());
    launches::CupilotCall call{};
    for (int i = 0; i < 3; ++i) call.grid[i] = question.grid[i], call.block[i] = question.block[i];
    call.shared_bytes = question.shared_bytes;
    call.stream = const_cast<void *>(around.around.stream);
    call.args = arguments.data();
    recording().begin(question, around.around);
    entry_call = {function, &call, launches::Entry::kDeclined};
    CallStack &stack = calling[around.stack];
    const Arithmetic arithmetic(around.flushes, around.rounding);
    if (!stack.run([] { entry_call.code = entry_call.function(entry_call.arguments); }, chance, around.fresh))
      return {What::failed, {}, "there is no stack to call it on"};
    const int code = entry_call.code;
    if (around.fresh && stack.strayed())
      recording().complain("writes below its stack frame, where nothing of its own lies: that keeps state");
    launches::RecorderAnswer answer{What::list, recording().take(), {}};
    answer.list.declined = code == launches::Entry::kDeclined;
    answer.list.error = answer.list.declined ? 0 : code;
    return answer;
  }

  EntryFunction function_ = nullptr, traced_ = nullptr;
  std::vector<EntryFunction> functions_;  ///< the same one in all copies of the library
  std::uintptr_t traced_base_ = 0;
  std::string untraced_ = "there is no library that tells what is executed";
  const std::uint64_t secret_ = chance.next();
};

/// Loads the C++ library that entries are linked with; this program may be linked with it statically (release
/// builds are). If it cannot be found, loading a library that needs it reports that.
void open_standard_library() {
  (void)::dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL);
}

int serve_questions() {
  open_standard_library();
  Server server;
  for (std::vector<std::byte> bytes;;) {
    if (launches::receive_frame(launches::kRecorderSocket, bytes, -1) != launches::FrameEnd::whole)
      return kParentGone;
    auto question = launches::question_from(bytes);
    if (!question) return kConfused;
    using Asked = launches::RecorderQuestion::What;
    const launches::RecorderAnswer answer =
        question->what == Asked::load       ? server.load(std::move(question->load))
        : question->what == Asked::record   ? server.record(std::move(question->record))
        : question->what == Asked::outcomes ? server.outcomes(question->calls)
                                            : server.trace();
    if (!launches::send_frame(launches::kRecorderSocket, launches::to_bytes(answer))) return kParentGone;
  }
}

}  // namespace

int serve() {
  static int code = kConfused;
  chance.begin();
  using enum CallStack::Place;
  bool made = serving.make(mapped, chance);
  for (std::size_t i = 0; i < calling.size(); ++i)
    made = made && calling[i].make(std::array{mapped, top, low}[i], chance);
  return made && serving.run([] { code = serve_questions(); }, chance, true) ? code : kConfused;
}

}  // namespace cupilot::judge::recorder
