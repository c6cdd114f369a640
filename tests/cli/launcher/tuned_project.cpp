// SPDX-License-Identifier: Apache-2.0
#include "tuned_project.h"

#include <gtest/gtest.h>

#include <chrono>

#include "annotate/support/hash.h"
#include "annotate/support/text.h"

namespace cupilot::test {
namespace {

namespace fs = std::filesystem;

std::string hash_of(const fs::path &path) {
  return sha256(read_file(path).value());
}

std::string variant_text(const RecordText &record) {
  return "// cupilot variant of " + record.name + " for " + record.arch +
         "\n"
         "constexpr int kThreads = 77;  // knob: 77 78\n"
         "__global__ void __launch_bounds__(kThreads) fast_" +
         record.arch + "(float *x, int n) { if (n) { x[0] = n; } }\n" +
         "static __device__ int unused_helper() { return 1; }\n"
         "bool launch(const cupilot::Launch &l, float *x, int n) {\n"
         "  if (" +
         record.extra_condition +
         ") return false;\n"
         "  fast_" +
         record.arch + "<<<1, kThreads, 0, l.stream>>>(x, n + " + std::to_string(record.added) +
         ");\n"
         "  return true;\n}\n";
}

std::string launch_text(const RecordText &record) {
  if (!record.configurations.empty())
    return R"("launch":{"grid":["","",""],"block":["","",""],"shared_bytes":""},"configurations":[)" +
           record.configurations + "]";
  return R"X("launch":{"grid":["(n * 2 + 1) / 2","1","1"],"block":["max(n - n, 32)","1","1"],"shared_bytes":"0"},)X"
         R"X("configurations":[])X";
}

}  // namespace

TunedProject::TunedProject(std::string generator)
    : generator_(std::move(generator)),
      folder_(TemporaryFolder::create("cupilot-launches").value()),
      source_(folder_.path() / "source"),
      build_(folder_.path() / "build") {
  fs::copy(fs::path(CUPILOT_SOURCE) / "tests/cli/launcher/project", source_, fs::copy_options::recursive);
}

void TunedProject::land(const RecordText &record) const {
  const auto folder = this->record(record.name, record.arch).parent_path();
  const auto variant = variant_text(record);
  std::string files, namespaces;
  for (const auto *name : {"forms.cu", "forms.h", "second.cu"})
    if (name == record.source || std::string_view(name) == "forms.h")
      files += (files.empty() ? "" : ",") + std::string(R"({"path":")") + name + R"(","sha256":")" +
               hash_of(source_ / name) + "\"}";
  for (const auto &name : record.namespaces) namespaces += (namespaces.empty() ? "\"" : ",\"") + name + "\"";
  const std::string text =
      R"({"cupilot_record":1,"arch":")" + record.arch + R"(","estimate":false,"kernel":{"name":")" +
      record.name + R"(","qualified_name":"q","instantiation":")" + record.instantiation +
      R"(","namespaces":[)" + namespaces + R"(],"symbol":"s","file":")" +
      (record.file.empty() ? record.source : record.file) +
      R"(","line":1,"parameters":[{"name":"x","type":"float *"},{"name":"n","type":"int"}]},)" +
      R"("kernel_id":")" + record.kernel_id + R"(","workload_id":"w","fingerprints":[{"source":")" +
      record.source + R"(","macros":")" + Sha256().field("-DFORMS=1").hex() + R"(","files":[)" + files +
      R"(]}],"guard":{)" + record.guard + R"("domain":{"n":[1,100]},)" + launch_text(record) +
      R"(},"variant_sha256":")" + sha256(variant) + "\"}\n";
  ASSERT_TRUE(write_file_atomic(folder / "variant.cuh", variant));
  ASSERT_TRUE(write_file_atomic(folder / "record.json", text));
}

void TunedProject::remove(const std::string &name) const {
  fs::remove_all(source_ / "tuned" / name);
}

ProcessResult TunedProject::configure() const {
  ProcessRequest request;
  request.argv = {CUPILOT_CMAKE, "-S", source_, "-B", build_, "-G", generator_};
  request.argv.push_back(std::string("-DCUPILOT_SOURCE=") + CUPILOT_SOURCE);
  request.argv.push_back(std::string("-DCUPILOT_PROGRAMS=") + CUPILOT_PROGRAMS);
  return run_process(request).value();
}

ProcessResult TunedProject::build(const Environment &environment) const {
  ProcessRequest request;
  request.argv = {CUPILOT_CMAKE, "--build", build_.string(), "--parallel", "2"};
  request.environment = environment;
  return run_process(request).value();
}

std::vector<std::string> TunedProject::rebuilt() {
  std::vector<std::string> changed;
  for (const auto *name : {"forms", "second", "untuned"}) {
    std::error_code missing;
    const auto time =
        fs::last_write_time(build_ / "CMakeFiles/app.dir" / (std::string(name) + ".cu.o"), missing);
    if (auto &known = times_[name]; known != time) {
      known = time;
      changed.push_back(name);
    }
  }
  return changed;
}

std::map<std::string, std::string> TunedProject::run(const Environment &environment) const {
  ProcessRequest request;
  request.argv = {(build_ / "app").string()};
  request.environment = environment;
  const auto result = run_process(request).value();
  EXPECT_TRUE(result.ok()) << result.describe() << result.err;
  std::map<std::string, std::string> launches;
  std::string form;
  for (const auto &line : split_lines(result.out)) {
    if (line.starts_with("form "))
      form = line.substr(5);
    else
      launches[form] += line + "\n";
  }
  launches["stderr"] = result.err;
  return launches;
}

}  // namespace cupilot::test
