// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/cache_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "annotate/support/files.h"

namespace cupilot::launcher {

Result<void> write_cache_file(const std::filesystem::path &path, std::string_view content) {
  if (const auto old = read_file(path); old && *old == content) return {};
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  const std::string aside = path.string() + "." + std::to_string(::getpid());
  std::FILE *file = std::fopen(aside.c_str(), "wb");
  const bool written = file && std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = file && std::fclose(file) == 0;
  if (written && closed && std::rename(aside.c_str(), path.c_str()) == 0) return {};
  const std::string reason = std::strerror(errno);
  (void)std::remove(aside.c_str());
  return fail("cannot write '" + path.string() + "': " + reason);
}

}  // namespace cupilot::launcher
