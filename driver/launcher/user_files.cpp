// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/user_files.h"

#include <sys/stat.h>

#include <optional>
#include <unordered_set>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "driver/launcher/limits.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;
  bool quoted = false;
};

/// `#include "x"` and `#include <x>`, at the position just after a '#'.
std::optional<Include> include_after_hash(std::string_view rest) {
  constexpr std::size_t kMostLineBytes = 8192;
  rest = rest.substr(0, kMostLineBytes);
  rest = rest.substr(0, rest.find('\n'));
  const auto skip_blanks = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
  skip_blanks();
  if (!rest.starts_with("include")) return {};
  rest.remove_prefix(7);
  skip_blanks();
  if (rest.empty() || (rest[0] != '"' && rest[0] != '<')) return {};
  const auto end = rest.find(rest[0] == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return {};
  return Include{std::string(rest.substr(1, end - 1)), rest[0] == '"'};
}

enum class Kind { none, regular, other };
Kind kind_of(const std::string &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)) return Kind::none;
  return S_ISREG(info.st_mode) ? Kind::regular : Kind::other;
}

class Collector {
public:
  explicit Collector(const CompileJob &job) : job_(job) {}

  std::vector<UserFile> collect() {
    add(job_.source.string());
    if (files_.empty()) return {};
    for (const auto &name : job_.forced_includes) follow({name.string(), true}, job_.folder.string());
    for (std::size_t next = 0; known_ && next < files_.size(); ++next) {
      const std::string folder = files_[next].path.parent_path().string();
      // moved out while it is read, because `files_` grows below
      std::string content = std::move(files_[next].content);
      for (std::size_t at = 0; (at = content.find('#', at)) != std::string::npos; ++at)
        if (const auto include = include_after_hash(std::string_view(content).substr(at + 1)))
          follow(*include, folder);
      files_[next].content = std::move(content);
    }
    if (!known_) files_.clear();
    return std::move(files_);
  }

private:
  void add(const std::string &path) {
    if (!seen_.insert(path).second) return;
    if (kind_of(path) == Kind::none) return;
    auto content = read_regular_file(path, kMostSourceBytes);
    if (content) bytes_ += content->size();
    known_ = known_ && content && bytes_ <= kMostUserBytes && files_.size() < kMostUserFiles;
    if (known_) files_.push_back({path, std::move(*content)});
  }

  bool try_folder(const std::string &folder, const std::string &name) {
    const std::string path = folder + "/" + name;
    if (kind_of(path) == Kind::none) return false;
    add(fs::path(path).lexically_normal().string());
    return true;
  }

  void follow(const Include &include, const std::string &folder) {
    if (include.name.starts_with('/')) return add(include.name);
    if (include.quoted) {
      if (try_folder(folder, include.name)) return;
      for (const auto &quote : job_.quote_folders)
        if (try_folder(quote.string(), include.name)) return;
    }
    for (const auto &searched : job_.include_folders)
      if (try_folder(searched.string(), include.name)) return;
  }

  const CompileJob &job_;
  std::vector<UserFile> files_;
  std::unordered_set<std::string> seen_;
  std::size_t bytes_ = 0;
  bool known_ = true;  ///< false: the compiler reads something that we cannot or will not read
};

}  // namespace

std::vector<UserFile> read_user_files(const CompileJob &job) {
  return Collector(job).collect();
}

bool mentions_pragma(std::string_view content) {
  for (std::size_t at = 0; (at = content.find("cupilot", at)) != std::string_view::npos; at += 7) {
    constexpr std::size_t kMostBefore = 4096;
    const auto begin = at - std::min(at, kMostBefore);
    const auto before = trim(content.substr(begin, at - begin));
    if (before.ends_with("pragma") || before.ends_with("_Pragma(\"")) return true;
  }
  return content.contains("CUPILOT_PRAGMA");
}

}  // namespace cupilot::launcher
