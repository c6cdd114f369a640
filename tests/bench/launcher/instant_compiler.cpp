// SPDX-License-Identifier: Apache-2.0
//
// `nvcc ... -c IN -o OUT -MF DEPFILE` that copies $INSTANT_OBJECT to OUT and writes a depfile: nothing else.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

int main(int argc, char **argv) {
  const char *out = nullptr, *depfile = nullptr, *in = nullptr;
  for (int i = 1; i + 1 < argc; ++i) {
    if (!std::strcmp(argv[i], "-o")) out = argv[i + 1];
    if (!std::strcmp(argv[i], "-MF")) depfile = argv[i + 1];
    if (!std::strcmp(argv[i], "-c")) in = argv[i + 1];
  }
  const char *object = std::getenv("INSTANT_OBJECT");
  if (!out || !depfile || !in || !object) return 1;
  const int from = ::open(object, O_RDONLY), to = ::open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  struct stat info{};
  if (from < 0 || to < 0 || ::fstat(from, &info) != 0) return 1;
  if (::sendfile(to, from, nullptr, static_cast<std::size_t>(info.st_size)) != info.st_size) return 1;
  const std::string rule = std::string(out) + " : " + in + " \\\n    /usr/include/stdio.h\n";
  const int deps = ::open(depfile, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  return ::write(deps, rule.data(), rule.size()) == static_cast<ssize_t>(rule.size()) ? 0 : 1;
}
