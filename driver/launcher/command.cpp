// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/command.h"

#include <algorithm>

#include "annotate/support/text.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

/// The index of nvcc in `command`: it comes first, or after other launchers that have no options (ccache,
/// sccache, time).
std::optional<std::size_t> find_nvcc(const std::vector<std::string> &command) {
  for (std::size_t i = 0; i < command.size() && !command[i].starts_with('-'); ++i)
    if (fs::path(command[i]).filename().string().starts_with("nvcc")) return i;
  return {};
}

bool is_cuda_source(const CompileLine &line, const fs::path &source) {
  const auto language = line.last(OptionRole::language);
  return language == "cu" || (language.empty() && source.extension() == ".cu");
}

/// The toolkit's headers have no kernels of the user, and there are more than a thousand of them.
bool is_toolkit(const fs::path &folder) {
  std::error_code ignored;
  return fs::exists(folder / "cuda_runtime_api.h", ignored);
}

/// Whether both names lead to one file; also true when there is none.
bool same_place(const fs::path &written, const fs::path &normal) {
  std::error_code missing;
  return written == normal || fs::equivalent(written, normal, missing) || missing;
}

std::vector<fs::path> folders(const CompileLine &line, OptionRole role, const fs::path &base) {
  std::vector<fs::path> found;
  for (const auto &list : line.values(role))
    for (const auto &name : split(list, ','))
      if (auto folder = (base / name).lexically_normal(); !is_toolkit(folder))
        found.push_back(std::move(folder));
  return found;
}

}  // namespace

std::optional<CompileJob> recognise(const std::vector<std::string> &command, std::string &why) {
  const auto decline = [&](const char *reason) {
    why = reason;
    return std::nullopt;
  };
  const auto nvcc = find_nvcc(command);
  if (!nvcc) return decline("the compiler is not nvcc");
  auto words = environment_words("NVCC_PREPEND_FLAGS");
  const std::size_t before = words.size();
  words.insert(words.end(), command.begin() + static_cast<std::ptrdiff_t>(*nvcc) + 1, command.end());
  const std::size_t after = words.size();
  std::ranges::move(environment_words("NVCC_APPEND_FLAGS"), std::back_inserter(words));

  CompileJob job{.command = command};
  std::error_code failed;
  job.folder = fs::current_path(failed);
  if (failed) return decline("the working folder is gone");
  const auto line = parse_compile_line(words, job.folder);
  if (!line) return decline("its options cannot be parsed");
  if (!line->has(OptionRole::compile) || line->has(OptionRole::other_action))
    return decline("it does not make an object file");
  const auto input = std::ranges::find(line->options, OptionRole::input, &CompileOption::role);
  if (line->values(OptionRole::input).size() != 1) return decline("it does not have exactly one input");
  const auto at = static_cast<std::size_t>(input->position);
  if (input->position < 0 || at < before || at >= after)
    return decline("its input is not on the command line");
  if (!is_cuda_source(*line, input->value)) return decline("its input is not CUDA");
  const auto object = line->last(OptionRole::output);
  if (object.empty()) return decline("it does not name its output");

  job.nvcc_at = *nvcc;
  job.source_at = at - before + *nvcc + 1;
  job.source = (job.folder / input->value).lexically_normal();
  job.object = (job.folder / object).lexically_normal();
  // `link/../x.cu` is not x.cu when `link` leads elsewhere
  if (!same_place(job.folder / input->value, job.source) ||
      !same_place((job.folder / object).parent_path(), job.object.parent_path()))
    return decline("a '..' behind a symbolic link makes its paths ambiguous");
  if (const auto depfile = line->last(OptionRole::depfile);
      !depfile.empty() && line->has(OptionRole::dependencies))
    job.depfile = (job.folder / depfile).lexically_normal();
  job.architectures = architectures(*line);
  job.macros = macros_hash(*line);
  job.macro_options = macro_options(*line);
  job.quote_folders = folders(*line, OptionRole::quote_folder, job.folder);
  job.include_folders = folders(*line, OptionRole::include_folder, job.folder);
  for (const auto &name : line->values(OptionRole::pre_include)) job.forced_includes.emplace_back(name);
  return job;
}

}  // namespace cupilot::launcher
