// SPDX-License-Identifier: Apache-2.0
//
// The cases of tests/emulate/warp_opcodes on a real GPU: do the references, which the CPU executor is held
// to, say what the hardware does? Prints a table of counts. PTX that this driver refuses is listed, not
// failed. Exit status: 0 all agree, 1 something differs, 77 no such GPU.

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tests/emulate/warp_opcodes/warp_case.h"
#include "tests/gpu/opcodes_driver.h"

namespace {

using namespace cupilot;
using namespace cupilot;
using opcodes::Driver;
using opcodes::WarpCase;

constexpr std::size_t kBytes = 1 << 16;

struct Buffers {
  std::uint64_t input = 0, output = 0, memory = 0;
};

Result<Buffers> make_buffers(Driver &driver) {
  CUPILOT_TRY(input, driver.allocate(kBytes));
  CUPILOT_TRY(output, driver.allocate(kBytes));
  CUPILOT_TRY(memory, driver.allocate(kBytes));
  return Buffers{input, output, memory};
}

/// Many cases have no memory or no output; the driver need not like copies of nothing.
Result<> copy_in(Driver &driver, std::uint64_t to, const void *from, std::size_t bytes) {
  return bytes == 0 ? Result<>{} : driver.to_device(to, from, bytes);
}
Result<> copy_out(Driver &driver, void *to, std::uint64_t from, std::size_t bytes) {
  return bytes == 0 ? Result<>{} : driver.from_device(to, from, bytes);
}

struct Results {
  std::vector<std::uint64_t> output;
  std::vector<std::byte> memory;
};

Result<Results> launch(Driver &driver, const WarpCase &one, void *module, Buffers at) {
  CUPILOT_CHECKED(driver.clear(at.output, kBytes));
  CUPILOT_CHECKED(driver.clear(at.memory, kBytes));
  CUPILOT_CHECKED(copy_in(driver, at.input, one.input.data(), one.input.size() * 8));
  CUPILOT_CHECKED(copy_in(driver, at.memory, one.memory.data(), one.memory.size()));
  void *parameters[] = {&at.input, &at.output, &at.memory};
  CUPILOT_CHECKED(driver.launch(module, 1, parameters, one.threads));
  Results results{std::vector<std::uint64_t>(one.expected.size()), std::vector<std::byte>(one.memory.size())};
  CUPILOT_CHECKED(copy_out(driver, results.output.data(), at.output, results.output.size() * 8));
  CUPILOT_CHECKED(copy_out(driver, results.memory.data(), at.memory, results.memory.size()));
  return results;
}

struct Counts {
  int same = 0, close = 0, different = 0, refused = 0, elsewhere = 0;
};

void judge(const WarpCase &one, const Result<Results> &results, Counts &counts) {
  WarpCase strict = one;
  strict.tolerance = 0;
  const std::string problem =
      results ? opcodes::compare(one, results->output, results->memory) : results.error().message;
  if (!problem.empty()) {
    ++counts.different;
    std::printf("DIFFERENT %s: %s\n", one.name.c_str(), problem.c_str());
  } else if (opcodes::compare(strict, results->output, results->memory).empty()) {
    ++counts.same;
  } else {
    ++counts.close;
  }
}

void run(Driver &driver, const WarpCase &one, Buffers at, Counts &counts) {
  if (!one.gpu) {
    ++counts.elsewhere;
    return;
  }
  const auto module = driver.load(one.ptx);
  if (!module) {
    ++counts.refused;
    std::printf("refused %s: %s\n", one.name.c_str(), module.error().message.c_str());
    return;
  }
  judge(one, launch(driver, one, *module, at), counts);
  driver.unload(*module);
}

int run_all(Driver &driver, Buffers at) {
  using namespace cupilot::opcodes;
  const std::pair<const char *, std::vector<WarpCase>> families[] = {{"exchange", exchange_cases()},
                                                                     {"atomic", atomic_cases()},
                                                                     {"matrix", matrix_cases()},
                                                                     {"tile", tile_cases()},
                                                                     {"async", async_cases()}};
  int different = 0;
  std::string table = "family    bit-equal  within tolerance  different  refused  not for sm_90\n";
  for (const auto &[name, cases] : families) {
    Counts counts;
    for (const WarpCase &one : cases) run(driver, one, at, counts);
    char line[160];
    std::snprintf(line, sizeof line, "%-9s %9d  %16d  %9d  %7d  %13d\n", name, counts.same, counts.close,
                  counts.different, counts.refused, counts.elsewhere);
    table += line;
    different += counts.different;
  }
  std::fputs(table.c_str(), stdout);
  return different == 0 ? 0 : 1;
}

}  // namespace

int main() {
  auto driver = Driver::open();
  if (!driver) {
    std::printf("skipped: %s\n", driver.error().message.c_str());
    return 77;
  }
  if ((*driver)->architecture() < 90 || (*driver)->architecture() >= 100) {
    std::printf("skipped: the cases are for sm_90, %s is sm_%u\n", (*driver)->name().c_str(),
                (*driver)->architecture());
    return 77;
  }
  const auto buffers = make_buffers(**driver);
  if (!buffers) {
    std::printf("error: %s\n", buffers.error().message.c_str());
    return 1;
  }
  return run_all(**driver, *buffers);
}
