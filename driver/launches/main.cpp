// SPDX-License-Identifier: Apache-2.0
//
// cupilot-launches: runs the host side of one entry without a device and says what it would launch. The
// workers' child processes talk to it over a socket, its only connection
// (evolution/judge/launches/recorder_protocol.h). It locks itself up before it loads the library, so that the
// library's constructors run in the sandbox, too.
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/recorder/recording.h"
#include "evolution/judge/sandbox/sandbox.h"

namespace {

using namespace cupilot;
using cupilot::judge::recorder::recording;
using EntryFunction = int (*)(cupilot::judge::launches::CupilotCall *);
using What = cupilot::judge::launches::RecorderAnswer::What;

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

class Server {
public:
  cupilot::judge::launches::RecorderAnswer load(cupilot::judge::launches::LoadQuestion question) {
    if (function_) return {What::failed, {}, "it has a library already"};
    const auto locked =
        cupilot::judge::sandbox::enter_sandbox({.readable = {question.library},
                                                .keep = {cupilot::judge::launches::kRecorderSocket},
                                                .notes = cupilot::judge::launches::kRecorderNotes});
    if (!locked) return {What::failed, {}, locked.error().message};
    const std::string library = question.library;
    cupilot::judge::recorder::recording().know(std::move(question));
    // Every function that the library calls must exist now; lazy binding would not report a missing one.
    void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return {What::refused, {}, refusal(::dlerror())};
    function_ = reinterpret_cast<EntryFunction>(::dlsym(handle, "cupilot_entry"));
    if (!function_) return {What::refused, {}, "has no function cupilot_entry"};
    if (const auto closed = cupilot::judge::sandbox::close_all_doors(); !closed)
      return {What::failed, {}, closed.error().message};
    return {What::done, {}, {}};
  }

  cupilot::judge::launches::RecorderAnswer record(cupilot::judge::launches::RecordQuestion question) {
    if (!function_) return {What::failed, {}, "it has no library"};
    std::vector<void *> arguments;
    for (auto &argument : question.arguments) arguments.push_back(argument.data());
    cupilot::judge::launches::CupilotCall call{};
    for (int i = 0; i < 3; ++i) call.grid[i] = question.grid[i], call.block[i] = question.block[i];
    call.shared_bytes = question.shared_bytes;
    call.stream = cupilot::judge::recorder::Recording::stream();
    call.args = arguments.data();
    cupilot::judge::recorder::recording().begin(question);
    const int code = function_(&call);
    cupilot::judge::launches::RecorderAnswer answer{
        What::list, cupilot::judge::recorder::recording().take(), {}};
    answer.list.declined = code == cupilot::judge::launches::Entry::kDeclined;
    answer.list.error = answer.list.declined ? 0 : code;
    return answer;
  }

private:
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
    if (cupilot::judge::launches::receive_frame(cupilot::judge::launches::kRecorderSocket, bytes, -1) !=
        cupilot::judge::launches::FrameEnd::whole)
      return kParentGone;
    auto question = cupilot::judge::launches::question_from(bytes);
    if (!question) return kConfused;
    const bool is_load = question->what == cupilot::judge::launches::RecorderQuestion::What::load;
    const cupilot::judge::launches::RecorderAnswer answer =
        is_load ? server.load(std::move(question->load)) : server.record(std::move(question->record));
    if (!cupilot::judge::launches::send_frame(cupilot::judge::launches::kRecorderSocket,
                                              cupilot::judge::launches::to_bytes(answer)))
      return kParentGone;
  }
}

}  // namespace

int main(int argc, char **argv) {
  struct stat status{};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that ended before this call is noticed at the socket
  const bool has_socket =
      ::fstat(cupilot::judge::launches::kRecorderSocket, &status) == 0 && S_ISSOCK(status.st_mode);
  if (argc == 1 && has_socket) ::_exit(serve());  // no destructors of the library
  const bool asked = argc == 2 && std::string(argv[1]) == "--help";
  std::fputs(kHelp, asked ? stdout : stderr);
  return asked ? 0 : kBadUsage;
}
