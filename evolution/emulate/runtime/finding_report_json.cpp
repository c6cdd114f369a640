// SPDX-License-Identifier: Apache-2.0
//
// {"kind":"out-of-bounds","kernel":..,"message":..,"file":..,"line":..,"block":[..],"thread":[..],"times":1}

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "evolution/emulate/runtime/finding_report.h"

namespace cupilot::emulate::runtime {

std::string readable_name(const std::string &mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      ::abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : mangled;
}

void say_finding(const machine::Finding &finding) {
  std::fflush(stdout);  // what the program printed before comes first
  std::fprintf(stderr, "%s\n", machine::describe(finding).c_str());
}

std::string finding_line(const machine::Finding &finding) {
  nlohmann::ordered_json line{{"kind", machine::to_string(finding.kind)},
                              {"kernel", readable_name(finding.kernel)},
                              {"message", finding.message},
                              {"file", finding.place.file},
                              {"line", finding.place.line},
                              {"ptx", finding.place.text},
                              {"block", finding.thread.block},
                              {"thread", finding.thread.thread},
                              {"times", finding.times}};
  if (finding.other_place)
    line["other"] = {{"file", finding.other_place->file}, {"line", finding.other_place->line}};
  if (finding.other_thread) {
    line["other"]["block"] = finding.other_thread->block;
    line["other"]["thread"] = finding.other_thread->thread;
  }
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_finding(const std::string &file, const machine::Finding &finding) {
  const auto line = finding_line(finding) + "\n";
  const int out = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (out < 0 || write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    std::fprintf(stderr, "cupilot: warning: cannot write findings to '%s'\n", file.c_str());
  if (out >= 0) close(out);
}

}  // namespace cupilot::emulate::runtime
