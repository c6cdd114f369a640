// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/build_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::cli::project {
namespace {

namespace fs = std::filesystem;

/// "run cmake again: cmake -S <source> -B <build>", or what makes compile_commands.json in other projects.
std::string cmake_again(const BuildFolder &build) {
  if (build.without_cmake)
    return "write compile_commands.json again, as with 'bear -- make' after 'make clean'";
  const auto source =
      build.source_folder.empty() ? std::string() : " -S " + shell_quote(build.source_folder.string());
  return "run cmake again: cmake" + source + " -B " + shell_quote(build.path.string());
}

/// The project's top folder as CMakeCache.txt has it.
fs::path cached_source_folder(const fs::path &build) {
  const auto cache = read_file(build / "CMakeCache.txt");
  if (!cache) return {};
  constexpr std::string_view kKey = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (const auto &line : split_lines(*cache))
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  return {};
}

bool text_member(const nlohmann::json &object, const char *name) {
  return object.contains(name) && object[name].is_string();
}

bool is_cuda(const fs::path &source) {
  return source.extension() == ".cu";
}

/// cmake names the language of a CUDA source that is not called .cu.
bool compiles_cuda(const nlohmann::json &entry, const fs::path &source) {
  const auto command = entry.contains("arguments") ? entry["arguments"].dump()
                                                   : entry.value("command", nlohmann::json()).dump();
  return is_cuda(source) || command.find("-x cu") != std::string::npos ||
         command.find("\"-x\",\"cu\"") != std::string::npos;
}

/// CUDA sources that have a compile command.
Result<std::set<fs::path>> compiled_sources(const BuildFolder &build) {
  const auto file = build.path / "compile_commands.json";
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return user_error("'" + file.string() + "' is missing; " + cmake_again(build) +
                      " -DCMAKE_EXPORT_COMPILE_COMMANDS=ON (Ninja or Makefiles)");
  CUPILOT_TRY(text, read_file(file));
  const auto commands = nlohmann::json::parse(text, nullptr, false);
  const auto damaged = [&] {
    return user_error("'" + file.string() + "' is damaged; " + cmake_again(build));
  };
  if (!commands.is_array()) return damaged();
  std::set<fs::path> sources;
  for (const auto &entry : commands) {
    if (!entry.is_object() || !text_member(entry, "file")) return damaged();
    const auto folder =
        text_member(entry, "directory") ? fs::path(entry["directory"].get<std::string>()) : build.path;
    const auto source = (folder / entry["file"].get<std::string>()).lexically_normal();
    if (compiles_cuda(entry, source)) sources.insert(source);
  }
  return sources;
}

Result<TunedTarget> read_target(const fs::path &file) {
  CUPILOT_TRY(text, read_file(file));
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object() || !object.contains("cupilot_target") || !text_member(object, "target") ||
      !text_member(object, "records") || !object.contains("sources") || !object["sources"].is_array())
    return user_error("'" + file.string() + "' is damaged; run cmake again");
  if (object["cupilot_target"] != 1)
    return user_error("'" + file.string() + "' was written by another version of cupilot; run cmake again");
  TunedTarget target{object["target"].get<std::string>(), {}, object["records"].get<std::string>()};
  // Missing in folders that an older cupilot configured.
  const auto accept = object.find("accept_estimates");
  target.accept_estimates = accept != object.end() && accept->is_boolean() && accept->get<bool>();
  for (const auto &source : object["sources"])
    if (source.is_string()) target.sources.push_back(fs::path(source.get<std::string>()).lexically_normal());
  return target;
}

Result<std::vector<TunedTarget>> read_targets(const fs::path &build) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(build / "cupilot", ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<TunedTarget> targets;
  for (const auto &file : files) {
    CUPILOT_TRY(target, read_target(file));
    targets.push_back(std::move(target));
  }
  return targets;
}

/// Only CUDA sources with a compile command can be parsed. If a source is missing, the file list is out of
/// date.
Result<void> keep_compiled(TunedTarget &target, const std::set<fs::path> &compiled,
                           const BuildFolder &build) {
  std::error_code ignored;
  for (const auto &source : target.sources) {
    if (is_cuda(source) && !fs::exists(source, ignored))
      return user_error("the build folder is stale: target '" + target.name + "' names '" + source.string() +
                        "', which is gone; " + cmake_again(build));
    if (is_cuda(source) && !compiled.contains(source))
      return user_error("compile_commands.json is stale: it has no entry for '" + source.string() +
                        "' of target '" + target.name + "'; " + cmake_again(build));
  }
  std::erase_if(target.sources, [&](const auto &source) { return !compiled.contains(source); });
  return {};
}

/// All CUDA sources of a project that names no targets.
TunedTarget whole_project(const BuildFolder &build, const std::set<fs::path> &compiled) {
  return {build.path.filename().string(), {compiled.begin(), compiled.end()}, build.path / "tuned"};
}

/// The CMakeLists.txt files that determine the compile commands of our targets.
Result<void> check_age(const BuildFolder &build) {
  if (build.without_cmake) return {};
  std::set<fs::path> lists{build.source_folder / "CMakeLists.txt"};
  for (const auto &target : build.targets) lists.insert(target.records.parent_path() / "CMakeLists.txt");
  std::error_code no_commands, no_list;
  const auto written = fs::last_write_time(build.path / "compile_commands.json", no_commands);
  for (const auto &list : lists) {
    const auto changed = fs::last_write_time(list, no_list);
    if (!no_commands && !no_list && changed > written)
      return user_error("compile_commands.json is stale: '" + list.string() + "' is newer; " +
                        cmake_again(build));
  }
  return {};
}

}  // namespace

std::optional<fs::path> build_folder_here() {
  std::error_code ignored;
  for (const auto *folder : {".", "build"})
    if (fs::exists(fs::path(folder) / "CMakeCache.txt", ignored)) return folder;
  if (fs::exists("compile_commands.json", ignored)) return ".";
  return std::nullopt;
}

Result<BuildFolder> build_folder_as_it_is(const fs::path &path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return user_error("the build folder '" + path.string() +
                      "' does not exist; configure it first: cmake -S . -B " + shell_quote(path.string()));
  if (!fs::is_directory(path, ignored)) return user_error("'" + path.string() + "' is not a build folder");
  BuildFolder build;
  build.path = fs::canonical(path, ignored);
  build.source_folder = cached_source_folder(build.path);
  build.without_cmake = !fs::exists(build.path / "CMakeCache.txt", ignored) &&
                        fs::exists(build.path / "compile_commands.json", ignored);
  if (build.without_cmake) build.source_folder = build.path;
  return build;
}

Result<BuildFolder> open_build_folder(const fs::path &path) {
  CUPILOT_TRY(build, build_folder_as_it_is(path));
  CUPILOT_TRY(compiled, compiled_sources(build));
  CUPILOT_TRY(targets, read_targets(build.path));
  build.targets = std::move(targets);
  build.without_cmake = build.without_cmake && build.targets.empty();
  if (build.without_cmake) build.targets.push_back(whole_project(build, compiled));
  CUPILOT_CHECKED(check_age(build));
  for (auto &target : build.targets) CUPILOT_CHECKED(keep_compiled(target, compiled, build));
  if (!build.targets.empty()) return build;
  std::error_code ignored;
  for (const auto &source : compiled)
    if (!fs::exists(source, ignored))
      return user_error("compile_commands.json is stale: it names '" + source.string() +
                        "', which is gone; " + cmake_again(build));
  return build;
}

}  // namespace cupilot::cli::project
