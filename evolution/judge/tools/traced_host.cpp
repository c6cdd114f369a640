// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/traced_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

#include "annotate/support/compile_options.h"
#include "annotate/support/elf_file.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/screen/quiet_lines.h"
#include "evolution/judge/tools/compiler_run.h"
#include "evolution/judge/tools/host_listing.h"

namespace cupilot::judge::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kObjdumpLimit{20};
/// nvcc splits the values of -Xcompiler at commas.
constexpr const char *kTracing[] = {"-fPIC",
                                    "-fno-gnu-unique",
                                    "-O0",
                                    "-g1",
                                    "-fno-lto",
                                    "-fplt",
                                    "-fno-jump-tables",
                                    "-fno-omit-frame-pointer",
                                    "-fsanitize-coverage=trace-pc",
                                    "-fsanitize-coverage=trace-cmp"};

bool keeps_files(std::string_view word) {
  return word.starts_with("-keep") || word.starts_with("--keep") || word.ends_with("-save-temps");
}

/// Macros and included files are in the host code already, and it must not be optimised.
bool is_left_out(const CompileOption &option) {
  using enum OptionRole;
  static constexpr std::array<std::string_view, 4> kOptimisation{"O", "Ofast-compile", "Ofc", "optimize"};
  return option.role == define || option.role == undefine || option.role == pre_include ||
         option.role == language || std::ranges::find(kOptimisation, option.name) != kOptimisation.end();
}

/// The words of options that the host code is compiled and linked with.
Result<std::vector<std::string>> host_options(const std::vector<std::string> &words, const fs::path &folder) {
  CUPILOT_TRY(line, parse_compile_line(words, folder));
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < line.options.size(); ++i) {
    const CompileOption &option = line.options[i];
    if (option.position < 0) return fail("options come from a file");
    const auto begin = static_cast<std::size_t>(option.position);
    const auto end = i + 1 < line.options.size() && line.options[i + 1].position > 0
                         ? static_cast<std::size_t>(line.options[i + 1].position)
                         : words.size();
    if (is_left_out(option)) continue;
    for (std::size_t at = begin; at < end; ++at) kept.push_back(words[at]);
  }
  return kept;
}

Result<> check_environment() {
  for (const char *variable : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    for (const std::string &word : environment_words(variable))
      for (const std::string_view bad : {"-O", "--optimize", "-include", "--pre-include", "-D", "-x"})
        if (word.starts_with(bad)) return fail(fmt::format("{} holds '{}'", variable, word));
  return {};
}

/// Addresses that the loader writes into data: of functions in tables. The constructors are no part of a
/// call.
std::set<std::uint64_t> taken_addresses(std::span<const std::byte> file) {
  std::set<std::uint64_t> taken;
  const auto elf = ElfFile::read(file);
  if (!elf) return taken;
  const auto in_constructors = [&](std::uint64_t address) {
    return std::ranges::any_of(elf->sections(), [&](const Elf64_Shdr &section) {
      return (section.sh_type == SHT_INIT_ARRAY || section.sh_type == SHT_FINI_ARRAY) &&
             address >= section.sh_addr && address - section.sh_addr < section.sh_size;
    });
  };
  for (const Elf64_Shdr &section : elf->sections()) {
    if (section.sh_type != SHT_RELA) continue;
    const auto entries = elf->table<Elf64_Rela>(section);
    if (!entries || section.sh_link >= elf->sections().size()) continue;
    const auto symbols = elf->table<Elf64_Sym>(elf->sections()[section.sh_link]);
    for (const Elf64_Rela &entry : *entries) {
      const auto type = ELF64_R_TYPE(entry.r_info);
      if (type == R_X86_64_JUMP_SLOT || in_constructors(entry.r_offset)) continue;
      if (type == R_X86_64_RELATIVE) taken.insert(static_cast<std::uint64_t>(entry.r_addend));
      const auto symbol = ELF64_R_SYM(entry.r_info);
      if (symbols && symbol && symbol < symbols->size()) taken.insert((*symbols)[symbol].st_value);
    }
  }
  return taken;
}

std::chrono::milliseconds build_limit(const Recipe &recipe) {
  return std::chrono::milliseconds(static_cast<long long>(recipe.bundle.request.build_seconds * 1000));
}

Result<launches::HostCode> read_code(const Recipe &recipe, const fs::path &folder, const fs::path &library) {
  if (!find_program("objdump")) return fail("no objdump (binutils) in PATH");
  ProcessRequest request;
  request.argv = {"objdump", "-d", "-l", "--no-show-raw-insn", library.string()};
  request.time_limit = kObjdumpLimit;
  CUPILOT_TRY(listing, run_compiler(request, recipe.bundle_folder, folder));
  if (!listing.ok()) return fail("objdump: " + listing.describe());
  CUPILOT_TRY(file, read_file(library));
  CUPILOT_TRY(variant, read_file(folder / "variant.cuh"));
  return read_host_listing(listing.out, taken_addresses(std::as_bytes(std::span(file))),
                           screen::quiet_lines(variant));
}

Result<Built::TracedHost> build_traced(const Recipe &recipe, const fs::path &folder) {
  CUPILOT_TRY(command, traced_command(recipe, folder));
  ProcessRequest request;
  request.argv = command;
  request.folder = folder;
  request.time_limit = build_limit(recipe);
  CUPILOT_TRY(result, run_compiler(request, recipe.bundle_folder, folder));
  if (!result.ok()) return fail("the host code does not compile for it: " + result.describe());
  Built::TracedHost traced;
  traced.library = folder / "traced.so";
  CUPILOT_TRY(code, read_code(recipe, folder, traced.library));
  traced.code = std::move(code);
  return traced;
}

}  // namespace

bool is_candidate(const fs::path &folder) {
  std::error_code none;
  return fs::exists(folder / "variant.cuh", none);
}

void keep_host_code(std::vector<std::string> &command, const fs::path &folder) {
  if (std::ranges::any_of(command, keeps_files)) return;
  std::error_code none;
  fs::create_directories(folder / "host", none);
  command.insert(command.begin() + 1, {"-keep", "-keep-dir", (folder / "host").string()});
}

Result<std::vector<std::string>> traced_command(const Recipe &recipe, const fs::path &folder) {
  CUPILOT_CHECKED(check_environment());
  std::vector<std::string> words = recipe.options;
  words.insert(words.end(), recipe.bundle.flags.begin(), recipe.bundle.flags.end());
  if (std::ranges::any_of(words, keeps_files)) return fail("the options keep the compiler's files elsewhere");
  CUPILOT_TRY(options, host_options(words, folder));
  std::vector<std::string> command{nvcc_program(), "-shared"};
  command.insert(command.end(), options.begin(), options.end());
  for (const char *option : kTracing) command.insert(command.end(), {"-Xcompiler", option});
  command.insert(command.end(), {"-o", (folder / "traced.so").string(), "-x", "c++",
                                 (folder / "host" / "entry.cudafe1.cpp").string()});
  return command;
}

Built::TracedHost traced_host(const Recipe &recipe, const fs::path &folder, bool ok) {
  Built::TracedHost traced;
  if (ok) {
    auto built = build_traced(recipe, folder);
    if (built)
      traced = std::move(*built);
    else
      traced.code.unknown = built.error().message;
  }
  std::error_code none;
  fs::remove_all(folder / "host", none);
  return traced;
}

}  // namespace cupilot::judge::tools
