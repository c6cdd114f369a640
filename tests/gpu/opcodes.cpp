// SPDX-License-Identifier: Apache-2.0
//
// The forms of tests/emulate/opcodes on a GPU: the same PTX with the same operands, compared with the
// emulator in this process. Bit-equal where PTX promises it; approximations within the documented error.
// Build: cmake --preset worker && cmake --build --preset worker --target opcode_gpu_test (no toolkit needed)
// Usage: build/worker/tests/gpu/opcode_gpu_test [--only TEXT]. Exit status: 0 all agree, 1 something differs,
// 77 no GPU.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "tests/emulate/opcodes/emulated.h"
#include "tests/gpu/opcodes_driver.h"

namespace cupilot::opcodes {
namespace {

constexpr int kWarps = 64;

/// Device memory for any form.
struct Buffers {
  std::uint64_t in = 0, out = 0, scratch = 0;
  std::size_t bytes = kWarps * sizeof(WarpRows), scratch_bytes = kWarps * 4096;
};

Result<Buffers> make_buffers(Driver &driver) {
  Buffers buffers;
  CUPILOT_TRY(in, driver.allocate(buffers.bytes));
  CUPILOT_TRY(out, driver.allocate(buffers.bytes));
  CUPILOT_TRY(scratch, driver.allocate(buffers.scratch_bytes));
  buffers.in = in;
  buffers.out = out;
  buffers.scratch = scratch;
  return buffers;
}

Result<> run_on_gpu(Driver &driver, const Buffers &buffers, void *module,
                    const std::vector<WarpRows> &operands, std::vector<WarpRows> &out) {
  CUPILOT_CHECKED(driver.to_device(buffers.in, operands.data(), buffers.bytes));
  CUPILOT_CHECKED(driver.clear(buffers.out, buffers.bytes));
  CUPILOT_CHECKED(driver.clear(buffers.scratch, buffers.scratch_bytes));
  std::uint64_t in = buffers.in, results = buffers.out, scratch = buffers.scratch;
  std::uint32_t mask = 0xffffffff;
  void *parameters[] = {&in, &results, &scratch, &mask};
  CUPILOT_CHECKED(driver.launch(module, static_cast<unsigned>(operands.size()), parameters));
  return driver.from_device(out.data(), buffers.out, buffers.bytes);
}

/// Between two approximations both errors count.
Form loosened(Form form) {
  for (Tolerance &tolerance : form.tolerances) {
    if (tolerance.ulps > 0) tolerance.ulps += 1;
  }
  return form;
}

std::string first_line(const std::string &text) {
  const std::size_t from = text.find("error");
  const std::size_t start = from == std::string::npos ? 0 : from;
  return text.substr(start, text.find('\n', start) - start);
}

class Comparison {
public:
  Comparison(Driver &driver, const Buffers &buffers) : driver_(driver), buffers_(buffers) {}

  /// An error: the GPU's context is broken and nothing more can run.
  Result<> run(const Form &original) {
    const Form form = loosened(original);
    Counts &counts = table_[form.family];
    ++counts.forms;
    const Result<void *> module = driver_.load(module_text(form, Variant::plain, driver_.ptx_version()));
    if (!module) {
      ++counts.refused;
      refused_[first_line(module.error().message)].push_back(form.name);
      return {};
    }
    const std::vector<WarpRows> operands = operand_rows(form, kWarps);
    std::vector<WarpRows> gpu(operands.size());
    const Result<> ran = run_on_gpu(driver_, buffers_, *module, operands, gpu);
    driver_.unload(*module);
    if (!ran) return within(form.name, ran.error());
    compare_with_emulator(form, operands, gpu, counts);
    return {};
  }

  /// Prints the tables; true when everything that ran agrees.
  bool finish() const {
    for (const auto &[reason, names] : refused_) {
      std::printf("refused: %s\n", reason.c_str());
      for (const std::string &name : names) std::printf("  %s\n", name.c_str());
    }
    for (const auto &[reason, forms] : known_) std::printf("known: %u forms: %s\n", forms, reason.c_str());
    std::fputs(to_string(table_).c_str(), stdout);
    return std::all_of(table_.begin(), table_.end(),
                       [](const auto &each) { return each.second.failed_forms == 0; });
  }

private:
  void compare_with_emulator(const Form &form, const std::vector<WarpRows> &operands,
                             const std::vector<WarpRows> &gpu, Counts &counts) {
    std::vector<WarpRows> emulated(operands.size());
    if (const Result<> run =
            run_emulated(form, Variant::plain, emulate::program::host_isa(), operands, 0xffffffff, emulated);
        !run) {
      std::printf("emulator: %s: %s\n", form.name.c_str(), run.error().message.c_str());
      ++counts.failed_forms;
      return;
    }
    std::string said;
    Counts more = compare_rows(form, operands, gpu, emulated, "GPU (expected) and emulator (got)", said);
    if (!form.known_difference.empty() && more.different != 0) {
      ++known_[form.known_difference];
      more.known = std::exchange(more.different, 0);
      more.failed_forms = 0;
    } else {
      std::fputs(said.c_str(), stdout);
    }
    counts.known += more.known;
    counts.values += more.values;
    counts.equal += more.equal;
    counts.near += more.near;
    counts.different += more.different;
    counts.failed_forms += more.failed_forms;
  }

  Driver &driver_;
  const Buffers buffers_;
  Table table_;
  std::map<std::string, std::vector<std::string>> refused_;
  std::map<std::string, unsigned> known_;
};

int run_all(const std::string &only) {
  Result<std::unique_ptr<Driver>> driver = Driver::open();
  if (!driver) {
    std::printf("skipped: %s\n", driver.error().message.c_str());
    return 77;
  }
  const Result<Buffers> buffers = make_buffers(**driver);
  if (!buffers) {
    std::printf("%s\n", buffers.error().message.c_str());
    return 1;
  }
  std::printf("%s, sm_%u, PTX %s; emulator: %s\n", (*driver)->name().c_str(), (*driver)->architecture(),
              (*driver)->ptx_version().c_str(), emulate::program::to_string(emulate::program::host_isa()));
  Comparison comparison(**driver, *buffers);
  for (const Form &form : all_forms()) {
    if (form.name.find(only) == std::string::npos) continue;
    if (const Result<> run = comparison.run(form); !run) {
      std::printf("stopped: %s\n", run.error().message.c_str());
      comparison.finish();
      return 1;
    }
  }
  return comparison.finish() ? 0 : 1;
}

}  // namespace
}  // namespace cupilot::opcodes

int main(int count, char **arguments) {
  const std::string only = count == 3 && std::strcmp(arguments[1], "--only") == 0 ? arguments[2] : "";
  return cupilot::opcodes::run_all(only);
}
