// SPDX-License-Identifier: Apache-2.0
//
// cupilot-launches: runs the host side of one entry without a device and says what it would launch. The
// workers' child processes talk to it over a socket, its only connection
// (evolution/judge/launches/recorder_protocol.h). It locks itself up before it loads the library, so that the
// library's constructors run in the sandbox, too.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/recorder/recording.h"
#include "evolution/judge/sandbox/sandbox.h"

namespace {

using namespace cupilot;
using judge::recorder::recording;
using EntryFunction = int (*)(judge::launches::CupilotCall *);
using What = judge::launches::RecorderAnswer::What;

constexpr const char *kHelp =
    "cupilot-launches is started by cupilot-worker and cupilot-emulate, with a socket as descriptor 3; it\n"
    "runs the host side of one kernel in a process of its own, without a device, and reports what it "
    "launches.\n";
constexpr int kBadUsage = 2, kParentGone = 0, kConfused = 3;

/// Turns the loader's "undefined symbol: cudaMalloc" into a sentence about what the library does.
std::string refusal(const std::string &loader) {
  static constexpr std::string_view kUndefined = "undefined symbol: ";
  const auto at = loader.find(kUndefined);
  if (at == std::string::npos) return "does not load: " + loader;
  const auto begin = at + kUndefined.size();
  const std::string name = loader.substr(begin, loader.find_first_of(" \t\n(", begin) - begin);
  return "calls '" + name + "', which the host side of a variant may not";
}

/// The streams that a call is made with: one that the program has made, the default stream as most programs
/// pass it, and the two that the runtime names.
char stream_of_a_program;
const std::array<void *, 4> kStreams{&stream_of_a_program, nullptr,
                                     reinterpret_cast<void *>(std::uintptr_t{1}),
                                     reinterpret_cast<void *>(std::uintptr_t{2})};

class Server {
public:
  judge::launches::RecorderAnswer load(judge::launches::LoadQuestion question) {
    if (function_) return {What::failed, {}, "it has a library already"};
    const auto locked = judge::sandbox::enter_sandbox({.readable = {question.library},
                                                       .keep = {judge::launches::kRecorderSocket},
                                                       .notes = judge::launches::kRecorderNotes});
    if (!locked) return {What::failed, {}, locked.error().message};
    const std::string library = question.library;
    recording().know(std::move(question));
    // Every function that the library calls must exist now; lazy binding would not report a missing one.
    void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return {What::refused, {}, refusal(::dlerror())};
    function_ = reinterpret_cast<EntryFunction>(::dlsym(handle, "cupilot_entry"));
    if (!function_) return {What::refused, {}, "has no function cupilot_entry"};
    if (const auto closed = judge::sandbox::close_all_doors(); !closed)
      return {What::failed, {}, closed.error().message};
    return {What::done, {}, {}};
  }

  judge::launches::RecorderAnswer record(judge::launches::RecordQuestion question) {
    if (!function_) return {What::failed, {}, "it has no library"};
    auto answer = ask(question, kStreams.front());
    for (void *const stream : std::span(kStreams).subspan(1)) {
      if (!answer.list.complaint.empty()) break;
      const auto other = ask(question, stream);
      if (other.list == answer.list) continue;
      answer.list.complaint = !other.list.complaint.empty()
                                  ? other.list.complaint
                                  : "does something else when l.stream is another stream: what is queued may "
                                    "not depend on it";
    }
    return answer;
  }

private:
  /// One call of the entry with this l.stream; it may change its copy of the arguments.
  judge::launches::RecorderAnswer ask(judge::launches::RecordQuestion question, void *stream) {
    std::vector<void *> arguments;
    for (auto &argument : question.arguments) arguments.push_back(argument.data());
    judge::launches::CupilotCall call{};
    for (int i = 0; i < 3; ++i) call.grid[i] = question.grid[i], call.block[i] = question.block[i];
    call.shared_bytes = question.shared_bytes;
    call.stream = stream;
    call.args = arguments.data();
    recording().begin(question, stream);
    const int code = function_(&call);
    judge::launches::RecorderAnswer answer{What::list, recording().take(), {}};
    answer.list.declined = code == judge::launches::Entry::kDeclined;
    answer.list.error = answer.list.declined ? 0 : code;
    return answer;
  }

  EntryFunction function_ = nullptr;
};

/// Loads the C++ library that entries are linked with; this program may be linked with it statically (release
/// builds are). If it cannot be found, loading a library that needs it reports that.
void open_standard_library() {
  (void)::dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL);
}

int serve() {
  open_standard_library();
  Server server;
  for (std::vector<std::byte> bytes;;) {
    if (judge::launches::receive_frame(judge::launches::kRecorderSocket, bytes, -1) !=
        judge::launches::FrameEnd::whole)
      return kParentGone;
    auto question = judge::launches::question_from(bytes);
    if (!question) return kConfused;
    const bool is_load = question->what == judge::launches::RecorderQuestion::What::load;
    const judge::launches::RecorderAnswer answer =
        is_load ? server.load(std::move(question->load)) : server.record(std::move(question->record));
    if (!judge::launches::send_frame(judge::launches::kRecorderSocket, judge::launches::to_bytes(answer)))
      return kParentGone;
  }
}

/// Calls `run` on a small stack of its own between pages without access: what lies far below a frame, where
/// nothing else writes between two calls, is no memory for a variant to count in, and what lies above is not
/// ours.
int run_on_small_stack(int (*run)()) {
  constexpr std::size_t kStackBytes = 128 << 10, kFenceBytes = 64 << 20;
  static int (*function)() = nullptr;
  static int code = 0;
  function = run;
  void *const place = ::mmap(nullptr, kFenceBytes + kStackBytes + kFenceBytes, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return kConfused;
  auto *const bottom = static_cast<std::byte *>(place) + kFenceBytes;
  static ucontext_t here, there;
  if (::mprotect(bottom, kStackBytes, PROT_READ | PROT_WRITE) != 0 || ::getcontext(&there) != 0)
    return kConfused;
  there.uc_stack.ss_sp = bottom;
  there.uc_stack.ss_size = kStackBytes;
  there.uc_link = &here;
  ::makecontext(&there, [] { code = function(); }, 0);
  return ::swapcontext(&here, &there) == 0 ? code : kConfused;
}

}  // namespace

int main(int argc, char **argv) {
  struct stat status{};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that ended before this call is noticed at the socket
  const bool has_socket =
      ::fstat(cupilot::judge::launches::kRecorderSocket, &status) == 0 && S_ISSOCK(status.st_mode);
  if (argc == 1 && has_socket) ::_exit(run_on_small_stack(serve));  // no destructors of the library
  const bool asked = argc == 2 && std::string(argv[1]) == "--help";
  std::fputs(kHelp, asked ? stdout : stderr);
  return asked ? 0 : kBadUsage;
}
