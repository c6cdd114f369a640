// SPDX-License-Identifier: Apache-2.0
//
// Runs child processes, each in a process group of its own, with a time limit that kills the whole group. How
// the child ended (exit code, signal, timeout) is part of the result; the only error is that it could not be
// started.

#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

struct ProcessResult;

struct ProcessRequest {
  std::vector<std::string> argv;  ///< argv[0] is looked up in PATH
  std::filesystem::path folder;   ///< working folder; empty: the caller's
  std::string input;              ///< written to stdin, then stdin is closed
  std::optional<std::chrono::milliseconds> time_limit;
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the caller's environment
  int file_rules = -1;                  ///< descriptor of a Landlock ruleset that the child enters; -1: none
  std::uint64_t most_memory_bytes = 0;  ///< private writable memory of each process in it; 0: no limit
  std::uint64_t most_file_bytes = 0;    ///< size of each file that it writes; 0: no limit
  std::size_t output_cap = 64u << 20;   ///< bytes kept of stdout and of stderr each
  /// Called every 100 ms and after each piece of output. Returning true kills the whole group at once.
  std::function<bool(const ProcessResult &)> give_up;
};

struct ProcessResult {
  int exit_code = -1;  ///< valid when `signal` is 0
  int signal = 0;
  bool timed_out = false;
  bool given_up = false;  ///< ProcessRequest::give_up returned true
  std::string out, err;
  std::chrono::milliseconds wall{0};
  bool ok() const { return !timed_out && !given_up && signal == 0 && exit_code == 0; }
  /// "exit code 2", "signal 11 (Segmentation fault)", "timed out", "given up".
  std::string describe() const;
};

Result<ProcessResult> run_process(const ProcessRequest &request);

/// A child whose output is read line by line while it works (scan, worker). It shares the caller's stderr.
class LineProcess {
public:
  /// `environment` is added to the caller's.
  static Result<LineProcess> start(const std::vector<std::string> &argv,
                                   const std::vector<std::pair<std::string, std::string>> &environment = {});
  LineProcess(LineProcess &&other) noexcept;
  LineProcess &operator=(LineProcess &&other) noexcept;
  ~LineProcess();  ///< kills the whole group

  Result<void> send(const std::string &line);
  void close_input();
  /// The next whole line without its newline; nullopt at the end of the child's output or at the time limit.
  std::optional<std::string> receive(std::optional<std::chrono::milliseconds> time_limit = {});
  bool at_end() const { return at_end_; }
  /// Waits for the child to end and returns how it ended.
  ProcessResult wait();

private:
  LineProcess() = default;
  int pid_ = -1, input_ = -1, output_ = -1;
  bool at_end_ = false;
  std::string buffer_;
};

/// The file a command name refers to: the name itself if it contains a slash, else the first match in PATH.
std::optional<std::filesystem::path> find_program(const std::string &name);

/// The folder of the running program, where the other programs are installed too.
std::filesystem::path own_folder();

}  // namespace cupilot
