// SPDX-License-Identifier: Apache-2.0
//
// Every form of every instruction against its reference: all variants, on every vector extension this
// processor has. Prints the table of counts; exit status 1 when any value is wrong. Usage: opcode_test
// [--only TEXT] (forms whose name contains it)

#include <cstdio>
#include <fstream>
#include <string>

#include "tests/emulate/opcodes/emulated.h"

namespace cupilot::opcodes {
namespace {

constexpr int kWarps = 64;
constexpr std::uint32_t kMasks[] = {0x00000001, 0x80000000, 0xa5f0137c};

void add(Counts &to, const Counts &more) {
  to.values += more.values;
  to.equal += more.equal;
  to.near += more.near;
  to.different += more.different;
}

/// What a guarded run must leave in `out`: results where the mask has a bit, else what was there.
std::vector<WarpRows> merged(const Form &form, const std::vector<WarpRows> &before,
                             const std::vector<WarpRows> &reference, std::uint32_t mask) {
  std::vector<WarpRows> all = before;
  for (std::size_t warp = 0; warp < all.size(); ++warp) {
    for (std::size_t lane = 0; lane < kWarp; ++lane) {
      if (mask >> lane & 1) all[warp][lane] = reference[warp][lane];
    }
  }
  // Only as many bits as the register has come back.
  for (WarpRows &rows : all) {
    for (Row &row : rows) {
      for (std::size_t i = 0; i < form.results.size(); ++i) {
        if (form.results[i].kind == 'p') row[i] &= 1;
      }
    }
  }
  return all;
}

std::vector<WarpRows> earlier_results(const Form &form, std::size_t warps) {
  std::vector<WarpRows> rows(warps);
  for (std::size_t warp = 0; warp < warps; ++warp) {
    for (std::size_t lane = 0; lane < kWarp; ++lane) {
      for (std::size_t i = 0; i < form.results.size(); ++i) {
        const char kind = form.results[i].kind;
        const std::uint64_t value = 0x1234567'89abcdefULL * (warp * kWarp + lane + 1);
        rows[warp][lane][i] = kind == 'p'   ? value >> 7 & 1
                              : kind == 'h' ? value & 0xffff
                              : kind == 'w' ? value & 0xffffffff
                                            : value;
      }
    }
  }
  return rows;
}

bool run_variant(const Form &form, Variant variant, emulate::program::Isa isa, std::uint32_t mask,
                 const std::vector<WarpRows> &operands, const std::vector<WarpRows> &reference,
                 Counts &counts) {
  const std::vector<WarpRows> before = variant == Variant::guarded ? earlier_results(form, operands.size())
                                                                   : std::vector<WarpRows>(operands.size());
  std::vector<WarpRows> out = before;
  const char *const names[] = {"", " guarded", " aliased"};
  const std::string title = std::string(emulate::program::to_string(isa)) + names[static_cast<int>(variant)];
  if (const Result<> run = run_emulated(form, variant, isa, operands, mask, out); !run) {
    std::printf("%s: %s: %s\n", title.c_str(), form.name.c_str(), run.error().message.c_str());
    return false;
  }
  std::string said;
  const std::vector<WarpRows> expected =
      variant == Variant::guarded ? merged(form, before, reference, mask) : reference;
  const Counts more = compare_rows(form, operands, expected, out, title, said);
  std::fputs(said.c_str(), stdout);
  add(counts, more);
  return more.different == 0;
}

bool run_form(const Form &form, Table &table) {
  const std::vector<WarpRows> operands = operand_rows(form, kWarps);
  const std::vector<WarpRows> reference = reference_rows(form, operands);
  Counts &counts = table[form.family];
  ++counts.forms;
  bool good = true;
  for (int i = 0; i <= static_cast<int>(emulate::program::host_isa()) && good; ++i) {
    const auto isa = static_cast<emulate::program::Isa>(i);
    good = run_variant(form, Variant::plain, isa, 0xffffffff, operands, reference, counts);
    if (good && has_variant(form, Variant::aliased))
      good = run_variant(form, Variant::aliased, isa, 0xffffffff, operands, reference, counts);
    if (!good || !has_variant(form, Variant::guarded)) continue;
    for (const std::uint32_t mask : kMasks)
      good = run_variant(form, Variant::guarded, isa, mask, operands, reference, counts) && good;
  }
  counts.failed_forms += !good;
  return good;
}

int write_all(const std::string &folder) {
  int number = 0;
  for (const Form &form : all_forms()) {
    std::ofstream file(folder + "/" + std::to_string(number++) + "_" + form.architecture + ".ptx");
    file << "// " << form.name << "\n" << module_text(form, Variant::plain, "9.0");
    if (!file) return 1;
  }
  return 0;
}

int run_all(const std::string &only) {
  Table table;
  unsigned failures = 0;
  for (const Form &form : all_forms()) {
    if (form.name.find(only) != std::string::npos) failures += !run_form(form, table);
  }
  std::fputs(to_string(table).c_str(), stdout);
  return failures == 0 && !table.empty() ? 0 : 1;
}

}  // namespace
}  // namespace cupilot::opcodes

int main(int count, char **arguments) {
  using namespace cupilot::opcodes;
  const std::string option = count == 3 ? arguments[1] : "", value = count == 3 ? arguments[2] : "";
  if (option == "--write") return write_all(value);
  return run_all(option == "--only" ? value : "");
}
