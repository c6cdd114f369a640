// SPDX-License-Identifier: Apache-2.0
//
// Faulty and correct kernels through two compilers and the executor with all checks on: every fault is found
// at its line, nothing else is, and results are right. Each kernel of each compiler is a test:
// nvcc.reductions/tree_sum.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include <unistd.h>

#include <gtest/gtest.h>

#include "annotate/support/process.h"
#include "tests/emulate/corpus/run_case.h"

namespace cupilot::corpus {
namespace {

namespace fs = std::filesystem;

struct Compiler {
  std::string name;
  std::vector<std::string> command;  ///< before the source and "-o"
};

std::vector<Compiler> compilers() {
  std::vector<Compiler> found;
  const auto nvcc = find_program("nvcc");
  if (!nvcc) return found;  // Clang needs the toolkit's headers, too
  const fs::path toolkit = fs::canonical(*nvcc).parent_path().parent_path();
  found.push_back({"nvcc", {nvcc->string(), "-ptx", "-lineinfo", "-arch=sm_90", "-std=c++17"}});
  if (const auto clang = find_program("clang++-22"))
    found.push_back({"clang",
                     {clang->string(), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
                      "-std=c++17", "-O2", "-gline-tables-only", "-S", "-Wno-unknown-cuda-version",
                      "--cuda-path=" + toolkit.string(), "-I" + (toolkit / "include/cccl").string()}});
  return found;
}

struct Unit {
  const Compiler *compiler = nullptr;
  fs::path source, ptx;
  std::string error;
  std::shared_ptr<const emulate::program::Program> program;
};

bool up_to_date(const Unit &unit) {
  std::error_code missing;
  const auto made = fs::last_write_time(unit.ptx, missing);
  return !missing && made > fs::last_write_time(unit.source);
}

Result<> compile(const Unit &unit) {
  if (up_to_date(unit)) return {};
  ProcessRequest request;
  request.argv = unit.compiler->command;
  request.argv.insert(request.argv.end(), {unit.source.string(), "-o", unit.ptx.string()});
  request.time_limit = std::chrono::minutes(20);
  CUPILOT_TRY(result, run_process(request));
  if (!result.ok()) return fail(result.err);
  return {};
}

void build(Unit &unit) {
  if (const auto compiled = compile(unit); !compiled) {
    unit.error = compiled.error().message;
    return;
  }
  auto program = load_ptx(unit.ptx);
  if (!program)
    unit.error = program.error().message;
  else
    unit.program = std::move(*program);
}

/// As many compilers at once as there are cores.
void build_all(std::vector<Unit> &units) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(2u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < units.size(); at = next++) build(units[at]);
    });
}

class CaseTest : public testing::Test {
public:
  CaseTest(const Case &one, const Unit &unit) : case_(one), unit_(unit) {}
  void TestBody() override {
    ASSERT_TRUE(unit_.program) << unit_.error;
    const std::string wrong = run_case(case_, unit_.program);
    if (!wrong.empty()) ADD_FAILURE() << case_.file.string() << ":" << case_.line << ":\n" << wrong;
  }

private:
  Case case_;
  const Unit &unit_;
};

/// Registers a test a kernel; false: a file cannot be read.
bool add_tests(const Unit &unit) {
  const auto cases = read_cases(unit.source);
  if (!cases) {
    std::fprintf(stderr, "%s\n", cases.error().message.c_str());
    return false;
  }
  for (const Case &one : *cases)
    testing::RegisterTest(unit.compiler->name.c_str(),
                          (unit.source.stem().string() + "/" + one.kernel).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__, [one, &unit] { return new CaseTest(one, unit); });
  return true;
}

/// What the corpus must hold: 60 faulty kernels, 5 of each kind of fault, 120 correct ones.
class CorpusTest : public testing::Test {
public:
  explicit CorpusTest(fs::path folder) : folder_(std::move(folder)) {}
  void TestBody() override {
    std::size_t faulty = 0, correct = 0;
    std::map<std::string, std::set<std::string>> of_kind;
    for (const auto &entry : fs::directory_iterator(folder_)) {
      if (entry.path().extension() != ".cu") continue;
      const auto cases = read_cases(entry.path());
      ASSERT_TRUE(cases);
      for (const Case &one : *cases) {
        ++(one.marks.empty() ? correct : faulty);
        for (const Mark &mark : one.marks)
          if (mark.need != Mark::Need::may)
            of_kind[mark.kind == "trap" ? "assertion" : mark.kind].insert(one.kernel);
      }
    }
    EXPECT_GE(faulty, 60u);
    EXPECT_GE(correct, 120u);
    EXPECT_EQ(of_kind.size(), 12u);
    for (const auto &[kind, kernels] : of_kind) EXPECT_GE(kernels.size(), 5u) << kind;
    std::printf("%zu faulty kernels, %zu correct ones\n", faulty, correct);
  }

private:
  fs::path folder_;
};

int run(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  const fs::path folder = CUPILOT_CORPUS;
  static const std::vector<Compiler> found = compilers();
  if (found.empty()) {
    std::puts("skipped: no nvcc in PATH");
    return 77;
  }
  const char *kept = std::getenv("CUPILOT_CORPUS_PTX");
  const fs::path made = kept != nullptr
                            ? fs::path(kept)
                            : fs::path(testing::TempDir()) / ("cupilot-corpus-" + std::to_string(::getpid()));
  fs::create_directories(made);
  static std::vector<Unit> units;
  for (const auto &entry : fs::directory_iterator(folder))
    for (const Compiler &compiler : found)
      if (entry.path().extension() == ".cu")
        units.push_back({&compiler,
                         entry.path(),
                         made / (entry.path().stem().string() + "." + compiler.name + ".ptx"),
                         {},
                         {}});
  std::sort(units.begin(), units.end(), [](const Unit &a, const Unit &b) { return a.ptx < b.ptx; });
  build_all(units);
  for (const Unit &unit : units)
    if (!add_tests(unit)) return 1;
  testing::RegisterTest("corpus", "IsLargeEnough", nullptr, nullptr, __FILE__, __LINE__,
                        [folder] { return new CorpusTest(folder); });
  const int status = RUN_ALL_TESTS();
  if (kept == nullptr) fs::remove_all(made);
  return status;
}

}  // namespace
}  // namespace cupilot::corpus

int main(int argc, char **argv) {
  return cupilot::corpus::run(argc, argv);
}
