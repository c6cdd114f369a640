// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/compile_command.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace cupilot::extract {
namespace {

namespace fs = std::filesystem;
using enum cupilot::OptionRole;

bool is_compiler(const std::string &word) {
  const std::string name = fs::path(word).filename().string();
  return name.starts_with("nvcc") || name.starts_with("clang") || name == "g++" || name == "gcc" ||
         name == "c++" || name == "cc";
}

std::string absolute(const std::string &path, const std::string &folder) {
  return (fs::path(folder) / path).lexically_normal().string();
}

bool names_path(cupilot::OptionRole role) {
  return role == include_folder || role == quote_folder || role == system_folder;
}

/// Roles that select what is made of the source and do not affect what the source means.
bool belongs_to_the_object(cupilot::OptionRole role) {
  constexpr cupilot::OptionRole kRoles[] = {
      input,    compile,      other_action, output, dependencies,  depfile,    dependency_target,
      language, options_file, architecture, code,   generate_code, relocatable};
  return std::ranges::find(kRoles, role) != std::end(kRoles);
}

/// Such options are dropped: in a slice a function may have lost its only user, which causes a warning.
bool turns_warnings_into_errors(const CompileOption &option) {
  return option.name == "Werror" ||
         (option.role == host_option && option.value.find("-Werror") != std::string::npos);
}

/// Long options of nvcc need two dashes; an unknown option is kept with its own dashes.
std::vector<std::string> words_of(const CompileOption &option, const std::string &value) {
  if (option.name.starts_with('-')) return {option.name};
  const bool two =
      option.name.find('-') != std::string::npos || option.name == "optimize" || option.name == "threads";
  const std::string name = (two ? "--" : "-") + option.name;
  if (value.empty()) return {name};
  const bool one_word = option.name.size() == 1 && option.name != "t" && option.name != "e";
  return one_word ? std::vector{name + value} : std::vector{name, value};
}

std::string path_value(const CompileOption &option, const std::string &folder) {
  if (names_path(option.role)) return absolute(option.value, folder);
  if (option.role == pre_include && fs::exists(fs::path(folder) / option.value))
    return absolute(option.value, folder);
  return option.value;
}

std::vector<std::string> reusable_flags(const CompileLine &line, const std::string &folder) {
  std::vector<std::string> flags;
  for (const CompileOption &option : line.options) {
    if (belongs_to_the_object(option.role) || turns_warnings_into_errors(option)) continue;
    std::ranges::copy(words_of(option, path_value(option, folder)), std::back_inserter(flags));
  }
  return flags;
}

/// Adds the options from the environment, which only nvcc reads.
Result<CompileLine> with_environment(const std::string &compiler, std::vector<std::string> words,
                                     const std::string &folder) {
  if (fs::path(compiler).filename().string().starts_with("nvcc")) {
    const auto before = environment_words("NVCC_PREPEND_FLAGS"),
               after = environment_words("NVCC_APPEND_FLAGS");
    words.insert(words.begin(), before.begin(), before.end());
    words.insert(words.end(), after.begin(), after.end());
  }
  return parse_compile_line(words, folder);
}

bool cuda_input(const std::string &source, const CompileLine &line) {
  const std::string wanted = line.last(language);
  return wanted.empty() ? fs::path(source).extension() == ".cu" : wanted == "cu" || wanted == "cuda";
}

/// Options passed to the host compiler with -Xcompiler that affect parsing.
void add_host_options(const std::string &list, std::vector<std::string> &arguments) {
  for (const std::string &word : split(list, ','))
    if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I") || word == "-fopenmp")
      arguments.push_back(word);
}

void add_translated(const CompileOption &option, const std::string &folder,
                    std::vector<std::string> &arguments) {
  const std::string value = path_value(option, folder);
  switch (option.role) {
    case define:
      arguments.push_back("-D" + value);
      break;
    case undefine:
      arguments.push_back("-U" + value);
      break;
    case standard:
      arguments.push_back("-std=" + value);
      break;
    case include_folder:
      arguments.push_back("-I" + value);
      break;
    case quote_folder:
      arguments.insert(arguments.end(), {"-iquote", value});
      break;
    case system_folder:
      arguments.insert(arguments.end(), {"-isystem", value});
      break;
    case pre_include:
      arguments.insert(arguments.end(), {"-include", value});
      break;
    case host_option:
      add_host_options(value, arguments);
      break;
    case relocatable:
      if (value == "true") arguments.push_back("-fgpu-rdc");
      break;
    case compile:
      if (option.name == "dc" || option.name == "device-c") arguments.push_back("-fgpu-rdc");
      break;
    case other:
      if (option.name == "O" || option.name == "-fopenmp")
        arguments.push_back(option.name == "O" ? "-O" + value : option.name);
      break;
    default:
      break;
  }
}

}  // namespace

Result<CompileEntry> read_compile_command(const std::vector<std::string> &argv, const std::string &folder,
                                          const std::string &source) {
  const auto compiler = std::ranges::find_if(argv, is_compiler);
  if (compiler == argv.end())
    return user_error(
        fmt::format("no compiler in the command '{}'; cupilot knows nvcc and clang++", join(argv, " ")));
  CompileEntry entry;
  const std::vector<std::string> words(compiler + 1, argv.end());
  CUPILOT_TRY(line, parse_compile_line(words, folder));
  CUPILOT_TRY(effective, with_environment(*compiler, words, folder));
  const auto inputs = line.values(input);
  if (source.empty() && inputs.size() != 1)
    return user_error(fmt::format("expected one source file in the command '{}', found {}", join(argv, " "),
                                  inputs.size()));
  entry.command.folder = folder;
  entry.command.source = absolute(source.empty() ? inputs[0] : source, folder);
  entry.command.compiler = *compiler;
  entry.command.flags = reusable_flags(effective, folder);
  entry.command.architectures = architectures(effective);
  entry.is_cuda = cuda_input(entry.command.source, effective);
  entry.line = std::move(line);
  entry.effective = std::move(effective);
  return entry;
}

std::string cuda_root(const CompileEntry &entry) {
  std::vector<fs::path> candidates;
  std::error_code ignored;
  const auto program = find_program(entry.command.compiler);
  if (program && fs::path(*program).filename() == "nvcc")
    candidates.push_back(fs::canonical(*program, ignored).parent_path().parent_path());
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *value = std::getenv(name)) candidates.emplace_back(value);
  candidates.emplace_back("/usr/local/cuda");
  for (const fs::path &candidate : candidates)
    if (fs::exists(candidate / "include/cuda_runtime.h")) return candidate.string();
  return candidates.back().string();
}

std::vector<std::string> clang_arguments(const CompileEntry &entry, const std::string &shim_path) {
  const std::string root = cuda_root(entry);
  // The architecture only prevents a warning of the driver: host-only parsing never defines __CUDA_ARCH__.
  std::vector<std::string> arguments{"clang++",
                                     "-x",
                                     "cuda",
                                     "--cuda-host-only",
                                     "--cuda-gpu-arch=sm_80",
                                     "-nogpulib",
                                     "--no-cuda-version-check",
                                     "--cuda-path=" + root,
                                     "-fsyntax-only",
                                     "-w",
                                     "-ferror-limit=0",
                                     "-Xclang",
                                     "-fcuda-allow-variadic-functions",
                                     "-std=c++17"};
  for (const CompileOption &option : entry.effective.options)
    add_translated(option, entry.command.folder, arguments);
  // nvcc adds these two folders implicitly. They come last, so that the user's folders are searched first.
  for (const char *folder : {"/include/cccl", "/include"})
    arguments.insert(arguments.end(), {"-isystem", root + folder});
  if (!shim_path.empty()) arguments.insert(arguments.end(), {"-include", shim_path});
  arguments.push_back(entry.command.source);
  return arguments;
}

std::vector<std::string> user_include_folders(const CompileEntry &entry) {
  std::vector<std::string> folders;
  for (const CompileOption &option : entry.effective.options)
    if (option.role == include_folder || option.role == quote_folder)
      folders.push_back(absolute(option.value, entry.command.folder));
  return folders;
}

}  // namespace cupilot::extract
