// SPDX-License-Identifier: Apache-2.0
//
// Child processes in a process group of their own, with a time limit that ends the whole group.
// What the child did is a value (exit code, signal, timed out); only "could not start it" is an error.

#pragma once

#include <chrono>
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
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the caller's
  int file_rules = -1;                 ///< a Landlock ruleset's descriptor: the child enters it; -1: none
  std::size_t output_cap = 64u << 20;  ///< bytes kept of each of stdout and stderr
  /// Looked at every 100 ms and after each piece of output: true ends the whole group at once.
  std::function<bool(const ProcessResult &)> give_up;
};

struct ProcessResult {
  int exit_code = -1;  ///< valid when `signal` is 0
  int signal = 0;
  bool timed_out = false;
  bool given_up = false;  ///< ProcessRequest::give_up said so
  std::string out, err;
  std::chrono::milliseconds wall{0};
  bool ok() const { return !timed_out && !given_up && signal == 0 && exit_code == 0; }
  /// "exit code 2", "signal 11 (Segmentation fault)", "timed out", "given up".
  std::string describe() const;
};

Result<ProcessResult> run_process(const ProcessRequest &request);

/// A child whose answers are read line by line while it works (scan, worker). Its stderr is the caller's.
class LineProcess {
public:
  static Result<LineProcess> start(const std::vector<std::string> &argv);
  LineProcess(LineProcess &&other) noexcept;
  LineProcess &operator=(LineProcess &&other) noexcept;
  ~LineProcess();  ///< ends the whole group

  Result<void> send(const std::string &line);
  void close_input();
  /// The next whole line without its newline; nullopt at the end of the child's output or at the time limit.
  std::optional<std::string> receive(std::optional<std::chrono::milliseconds> time_limit = {});
  bool at_end() const { return at_end_; }
  /// Waits for the child and says how it ended.
  ProcessResult wait();

private:
  LineProcess() = default;
  int pid_ = -1, input_ = -1, output_ = -1;
  bool at_end_ = false;
  std::string buffer_;
};

/// The file a command name means: itself when it has a slash, else the first match in PATH.
std::optional<std::filesystem::path> find_program(const std::string &name);

/// The folder of the running program, for finding the programs installed beside it.
std::filesystem::path own_folder();

}  // namespace cupilot
