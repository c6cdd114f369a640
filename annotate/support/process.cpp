// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

extern char **environ;

namespace cupilot {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1, write_end = -1;
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0], write_end = ends[1];
    return true;
  }
  ~Pipe() { close_read(), close_write(); }
  void close_read() {
    if (read_end >= 0) ::close(std::exchange(read_end, -1));
  }
  void close_write() {
    if (write_end >= 0) ::close(std::exchange(write_end, -1));
  }
};

std::vector<std::string> merged_environment(const ProcessRequest &request) {
  std::vector<std::string> all;
  for (char **entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const auto name = text.substr(0, text.find('='));
    const bool replaced = std::ranges::any_of(request.environment, [&](auto &e) { return e.first == name; });
    if (!replaced) all.push_back(text);
  }
  for (const auto &[name, value] : request.environment) all.push_back(name + "=" + value);
  return all;
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> all;
  for (const auto &text : texts) all.push_back(const_cast<char *>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

/// What a child enters before its program starts.
struct Fences {
  int file_rules = -1;
  std::uint64_t memory_bytes = 0, file_bytes = 0;
};

/// Lowers a limit of this process, never raises it; 0 leaves it.
bool lower(__rlimit_resource what, std::uint64_t most) {
  rlimit value{};
  if (most == 0) return true;
  if (::getrlimit(what, &value) != 0) return false;
  value.rlim_max = std::min<rlim_t>(value.rlim_max, most);
  value.rlim_cur = std::min(value.rlim_cur, value.rlim_max);
  return ::setrlimit(what, &value) == 0;
}

/// Everything is prepared before the fork: the child may only call async-signal-safe functions.
pid_t spawn(const fs::path &program, const std::vector<std::string> &argv,
            const std::vector<std::string> &env, const fs::path &folder, int in, int out, int err,
            Pipe &exec_failed, const Fences &fences = {}) {
  const auto args = pointers(argv), vars = pointers(env);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed search leaves no compiler or worker behind
  if (::getppid() != parent) ::_exit(127);
  bool ready = ::dup2(in, 0) >= 0 && ::dup2(out, 1) >= 0 && (err < 0 || ::dup2(err, 2) >= 0);
  ready = ready && (folder.empty() || ::chdir(folder.c_str()) == 0);
  ready = ready && lower(RLIMIT_DATA, fences.memory_bytes) && lower(RLIMIT_FSIZE, fences.file_bytes);
  constexpr long kEnterFileRules = 446;  // landlock_restrict_self, the same on every architecture
  if (ready && fences.file_rules >= 0)
    ready = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
            ::syscall(kEnterFileRules, fences.file_rules, 0) == 0;
  if (ready) ::execve(program.c_str(), args.data(), vars.data());
  const int why = errno;
  if (::write(exec_failed.write_end, &why, sizeof why) < 0) ::_exit(126);
  ::_exit(127);
}

/// The errno of a failed exec, or 0. The pipe is closed automatically when exec succeeds.
int exec_errno(Pipe &exec_failed) {
  exec_failed.close_write();
  int why = 0;
  while (::read(exec_failed.read_end, &why, sizeof why) < 0 && errno == EINTR) {
  }
  return why;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

int milliseconds_left(const std::optional<Clock::time_point> &deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

/// The status of a child that has closed its outputs; nullopt when it goes on working until the deadline.
std::optional<int> wait_until(pid_t pid, const std::optional<Clock::time_point> &deadline) {
  if (!deadline) return wait_for(pid);
  constexpr timespec kPause{0, 1'000'000};
  while (true) {
    int status = 0;
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return status;
    if (milliseconds_left(deadline) == 0) return std::nullopt;
    ::nanosleep(&kPause, nullptr);
  }
}

void note_status(int status, ProcessResult &result) {
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
}

/// Reads what is available; returns false at the end of the stream.
bool drain(int fd, std::string &into, std::size_t cap) {
  std::array<char, 65536> chunk;
  const auto got = ::read(fd, chunk.data(), chunk.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  into.append(chunk.data(), std::min<std::size_t>(got, cap - std::min(cap, into.size())));
  return true;
}

constexpr int kLookMilliseconds = 100;  // time between two calls of ProcessRequest::give_up

/// Writes stdin and reads both outputs until they close. Returns true when the time is up or the caller gave
/// up.
bool pump(const ProcessRequest &request, Pipe &in, Pipe &out, Pipe &err, ProcessResult &result) {
  std::optional<Clock::time_point> deadline;
  if (request.time_limit) deadline = Clock::now() + *request.time_limit;
  std::string_view input = request.input;
  ::fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  if (input.empty()) in.close_write();
  while (out.read_end >= 0 || err.read_end >= 0) {
    std::array<pollfd, 3> watched{
        {{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}, {in.write_end, POLLOUT, 0}}};
    int left = milliseconds_left(deadline);
    if (left == 0) return true;
    if (request.give_up) {
      result.given_up = request.give_up(result);
      if (result.given_up) return true;
      left = left < 0 ? kLookMilliseconds : std::min(left, kLookMilliseconds);
    }
    if (::poll(watched.data(), watched.size(), left) < 0 && errno != EINTR) return false;
    if (watched[0].revents && !drain(out.read_end, result.out, request.output_cap)) out.close_read();
    if (watched[1].revents && !drain(err.read_end, result.err, request.output_cap)) err.close_read();
    if (watched[2].revents) {
      const auto written = ::write(in.write_end, input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      if (input.empty() || (written < 0 && errno != EAGAIN && errno != EINTR)) in.close_write();
    }
  }
  return false;
}

}  // namespace

std::string ProcessResult::describe() const {
  if (timed_out) return "timed out";
  if (given_up) return "given up";
  if (signal) return "signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  return "exit code " + std::to_string(exit_code);
}

std::optional<fs::path> find_program(const std::string &name) {
  if (name.find('/') != std::string::npos)
    return ::access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/bin:/bin";
  while (true) {
    const auto colon = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
    std::error_code ignored;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored)) return candidate;
    if (colon == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(colon + 1);
  }
}

fs::path own_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

Result<ProcessResult> run_process(const ProcessRequest &request) {
  CUPILOT_CHECK(!request.argv.empty());
  const auto program = find_program(request.argv[0]);
  if (!program) return fail("cannot find the program '" + request.argv[0] + "'");
  Pipe in, out, err, exec_failed;
  if (!in.open() || !out.open() || !err.open() || !exec_failed.open())
    return fail("cannot start '" + request.argv[0] + "': " + std::strerror(errno));
  // Without this a child that exits before it reads its input would kill this process.
  ::signal(SIGPIPE, SIG_IGN);
  const auto begin = Clock::now();
  const pid_t pid = spawn(*program, request.argv, merged_environment(request), request.folder, in.read_end,
                          out.write_end, err.write_end, exec_failed,
                          {request.file_rules, request.most_memory_bytes, request.most_file_bytes});
  if (pid < 0) return fail("cannot start '" + request.argv[0] + "': " + std::strerror(errno));
  ::setpgid(pid, pid);
  in.close_read(), out.close_write(), err.close_write();
  if (const int why = exec_errno(exec_failed)) {
    wait_for(pid);
    return fail("cannot start '" + request.argv[0] + "': " + std::strerror(why));
  }
  ProcessResult result;
  std::optional<Clock::time_point> deadline;
  if (request.time_limit) deadline = begin + *request.time_limit;
  bool ended_by_us = pump(request, in, out, err, result);
  const auto status = ended_by_us ? std::nullopt : wait_until(pid, deadline);
  ended_by_us = !status;
  result.timed_out = ended_by_us && !result.given_up;
  if (ended_by_us) ::kill(-pid, SIGKILL);
  note_status(status ? *status : wait_for(pid), result);
  ::kill(-pid, SIGKILL);  // kills what the child left running in its group
  result.wall = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  return result;
}

Result<LineProcess> LineProcess::start(const std::vector<std::string> &argv,
                                       const std::vector<std::pair<std::string, std::string>> &environment) {
  const auto program = find_program(argv.at(0));
  if (!program) return fail("cannot find the program '" + argv[0] + "'");
  Pipe in, out, exec_failed;
  if (!in.open() || !out.open() || !exec_failed.open())
    return fail("cannot start '" + argv[0] + "': " + std::strerror(errno));
  ::signal(SIGPIPE, SIG_IGN);
  LineProcess process;
  process.pid_ = spawn(*program, argv, merged_environment({.environment = environment}), {}, in.read_end,
                       out.write_end, -1, exec_failed);
  if (process.pid_ < 0) return fail("cannot start '" + argv[0] + "': " + std::strerror(errno));
  ::setpgid(process.pid_, process.pid_);
  if (const int why = exec_errno(exec_failed))
    return fail("cannot start '" + argv[0] + "': " + std::strerror(why));
  process.input_ = std::exchange(in.write_end, -1);
  process.output_ = std::exchange(out.read_end, -1);
  return process;
}

LineProcess::LineProcess(LineProcess &&other) noexcept {
  *this = std::move(other);
}

LineProcess &LineProcess::operator=(LineProcess &&other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(input_, other.input_);
  std::swap(output_, other.output_);
  std::swap(at_end_, other.at_end_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

LineProcess::~LineProcess() {
  close_input();
  if (output_ >= 0) ::close(output_);
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    wait_for(pid_);
  }
}

Result<void> LineProcess::send(const std::string &line) {
  std::string text = line + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto written = ::write(input_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(std::string("the child process is gone: ") + std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

void LineProcess::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

std::optional<std::string> LineProcess::receive(std::optional<std::chrono::milliseconds> time_limit) {
  std::optional<Clock::time_point> deadline;
  if (time_limit) deadline = Clock::now() + *time_limit;
  while (true) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      auto line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    if (at_end_) return std::nullopt;
    pollfd watched{output_, POLLIN, 0};
    const int ready = ::poll(&watched, 1, milliseconds_left(deadline));
    if (ready == 0) return std::nullopt;
    if (ready > 0 && !drain(output_, buffer_, std::size_t(-1))) at_end_ = true;
  }
}

ProcessResult LineProcess::wait() {
  ProcessResult result;
  if (pid_ > 0) note_status(wait_for(std::exchange(pid_, -1)), result);
  return result;
}

}  // namespace cupilot
