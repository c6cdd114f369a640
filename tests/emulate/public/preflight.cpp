// SPDX-License-Identifier: Apache-2.0
//
// emulate_preflight FILE.ptx...: one line a kernel, "FILE<tab>KERNEL<tab>ok" or what is not supported, a line
// for each; "FILE<tab><tab>error<tab>..." for a file that is refused. Decoding only, nothing runs.

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/ptx/parser.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::program;
namespace {

std::string read(const char *path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void print_kernel(const char *path, const Program &program, std::uint32_t function, std::string_view name) {
  const std::string head = std::string(path) + "\t" + std::string(name) + "\t";
  std::set<std::string> reasons;
  for (const std::uint32_t index : program.functions[function].unsupported) {
    const Unsupported &one = program.unsupported[index];
    reasons.insert(one.what + "\t" + one.place.file + ":" + std::to_string(one.place.line));
  }
  if (reasons.empty()) std::printf("%sok\n", head.c_str());
  for (const std::string &reason : reasons) std::printf("%sunsupported\t%s\n", head.c_str(), reason.c_str());
}

bool preflight(const char *path) {
  auto module = ptx::parse(read(path), path);
  if (!module) {
    std::printf("%s\t\terror\t%s\n", path, module.error().message.c_str());
    return false;
  }
  const auto program = decode(std::make_shared<const ptx::Module>(std::move(*module)), families());
  if (!program) {
    std::printf("%s\t\terror\t%s\n", path, program.error().message.c_str());
    return false;
  }
  for (const auto &[name, function] : (*program)->entries) print_kernel(path, **program, function, name);
  return true;
}

}  // namespace
}  // namespace cupilot::emulate

int main(int argc, char **argv) {
  bool fine = argc > 1;
  for (int i = 1; i < argc; ++i) fine &= cupilot::emulate::preflight(argv[i]);
  return fine ? 0 : 1;
}
