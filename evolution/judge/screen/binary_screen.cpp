// SPDX-License-Identifier: Apache-2.0
//
// The host side is screened by its differences to the original's library, which the same compiler made from
// the same slice. So the compiler's registration code needs no rules here except the names of its data.
#include "evolution/judge/screen/binary_screen.h"

#include <fmt/format.h>

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "evolution/judge/screen/shared_library.h"
#include "evolution/judge/screen/static_rules.h"

namespace cupilot::judge::screen {
namespace {

std::string readable(const std::string &symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

/// Data that the compiler makes for every kernel and library. static_rules forbids such names in variants.
bool is_compilers_data(std::string_view symbol) {
  static constexpr std::array<std::string_view, 11> kParts{
      "__device_stub__", "__nv_inited",  "__nv_fatbinhandle", "__nv_dummy", "__nv_cudaEntity",      "__cuda",
      "__fatDeviceText", "__dso_handle", "DW.ref.",           "_DYNAMIC",   "_GLOBAL_OFFSET_TABLE_"};
  return symbol.starts_with("completed.") ||
         std::ranges::any_of(kParts, [&](auto part) { return symbol.find(part) != symbol.npos; });
}

class LibraryScreen {
public:
  LibraryScreen(const SharedLibrary &candidate, const SharedLibrary &original)
      : candidate_(candidate), original_(original) {}

  std::vector<ScreenFinding> run() {
    for (const auto &symbol : candidate_.undefined)
      if (!original_.undefined.contains(symbol))
        if (const auto why = why_symbol_forbidden(symbol))
          findings_.push_back({fmt::format("calls '{}', which {}", readable(symbol), *why)});
    for (const auto &symbol : candidate_.writable)
      if (!original_.writable.contains(symbol) && !is_compilers_data(symbol))
        findings_.push_back({fmt::format(
            "has the variable '{}', which keeps state between launches; make it constexpr or local",
            readable(symbol))});
    for (const auto &symbol : candidate_.chosen_at_load)
      if (!original_.chosen_at_load.contains(symbol))
        findings_.push_back(
            {fmt::format("'{}' is chosen by code that runs at loading (ifunc)", readable(symbol))});
    for (const auto &library : candidate_.needed)
      if (!original_.needed.contains(library))
        findings_.push_back(
            {fmt::format("needs the library '{}'; a variant is CUDA C++ of its own", library)});
    if (candidate_.constructors > original_.constructors)
      findings_.push_back({"runs code when it is loaded (a constructor); only launch() may do something"});
    if (candidate_.changes_code && !original_.changes_code)
      findings_.push_back({"has code that changes itself (writable and executable memory)"});
    return std::move(findings_);
  }

private:
  const SharedLibrary &candidate_, &original_;
  std::vector<ScreenFinding> findings_;
};

}  // namespace

std::vector<ScreenFinding> screen_library(std::span<const std::byte> candidate,
                                          std::span<const std::byte> original) {
  const auto mine = read_shared_library(candidate);
  if (!mine) return {{mine.error().message}};
  // If the original's library cannot be read, only the rules decide.
  return LibraryScreen(*mine, read_shared_library(original).value_or(SharedLibrary{})).run();
}

}  // namespace cupilot::judge::screen
