// SPDX-License-Identifier: Apache-2.0
//
// The entries of a bundle through the real compiler, exactly as the worker calls it. No GPU is needed: a call
// then ends in an error of the runtime, which must be told apart from "declined".

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <iostream>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

namespace fs = std::filesystem;

struct CupilotCall {
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  void *stream;
  void **args;
  unsigned long long scratch_bytes;
};
using Entry = int (*)(const CupilotCall *);

class EntryCompile : public testing::Test {
protected:
  TemporaryFolder temporary = TemporaryFolder::create("cupilot-entry").value();

  void SetUp() override {
    if (find_program("nvcc")) return;
    std::cout << "skipped: no nvcc in PATH\n";
    std::exit(77);
  }
  ProcessResult build(const fs::path &folder) {
    ProcessRequest request;
    request.folder = folder;
    request.argv = {"nvcc",  "-shared",    "-Xcompiler", "-fPIC",    "-arch",
                    "sm_90", "-std=c++17", "-o",         "entry.so", "entry.cu"};
    return run_process(request).value();
  }
  fs::path bundle(const KernelSpec &spec, const std::string &variant) {
    BundleContent content;
    content.id = "b";
    content.architecture = "sm_90";
    content.spec = spec;
    content.cases = make_cases(spec, {1}).value();
    Individual individual;
    individual.id = "c1";
    individual.variant = variant;
    content.individuals = {individual};
    const auto folder = temporary.path() / "bundle";
    EXPECT_TRUE(write_bundle(folder, content));
    return folder;
  }
  int call(const fs::path &folder, void **args) {
    void *library = ::dlopen((folder / "entry.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library, nullptr) << ::dlerror();
    if (!library) return -1;
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, "cupilot_entry"));
    EXPECT_NE(entry, nullptr);
    CupilotCall request{{1, 1, 1}, {32, 1, 1}, 0, nullptr, args, 0};
    return entry ? entry(&request) : -1;
  }
};

/// template <typename T, int N> with class types, in the global namespace.
KernelSpec template_spec() {
  auto spec = fake::scale_spec();
  spec.name = "mix";
  spec.instantiation = "mix<__half, 4>";
  spec.namespaces = {};
  spec.parameters = {fake::pointer("in", "const __half *", true), fake::pointer("out", "Pair *", false),
                     fake::integer("n", ElementType::u64, "unsigned long long")};
  spec.workloads[0].set = {{"n", "4096"}};
  spec.workloads[0].buffers = {fake::use("in", BufferRole::in, "n"), fake::use("out", BufferRole::out, "n")};
  spec.workloads[0].launch.grid[0] = "(n + 255) / 256";
  spec.slice = R"(#include <cuda_fp16.h>
struct Pair { float a, b; };
__device__ float twice(float v) { return 2 * v; }
template <typename T, int N>
__global__ void mix(const T *in, Pair *out, unsigned long long n) {
  extern __shared__ float tile[];
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < n) tile[threadIdx.x] = static_cast<float>(in[i]), out[i] = {twice(tile[threadIdx.x]), N};
})";
  return spec;
}

TEST_F(EntryCompile, AnonymousNamespaceOriginalAndCandidate) {
  const auto folder = bundle(fake::scale_spec(), fake::scale_variant());
  const auto original = build(folder / "original"), candidate = build(folder / "candidates/c1");
  ASSERT_TRUE(original.ok()) << original.err;
  ASSERT_TRUE(candidate.ok()) << candidate.err;
  float *x = nullptr, *y = nullptr, *odd = reinterpret_cast<float *>(1);
  float a = 1;
  int rows = 1, cols = 1;
  void *args[] = {&x, &y, &a, &rows, &cols};
  EXPECT_NE(call(folder / "original", args), -1);
  void *misaligned[] = {&odd, &y, &a, &rows, &cols};
  const int declined = call(folder / "candidates/c1", misaligned);
  if (!fs::exists("/dev/nvidiactl")) {
    EXPECT_GT(call(folder / "original", args), 1);
    EXPECT_GT(call(folder / "candidates/c1", args), 1);
    EXPECT_GE(declined, 1);
  } else {
    EXPECT_EQ(declined, 1);
  }
}

TEST_F(EntryCompile, TemplateInstantiationAndTheUsersOwnTypes) {
  const auto folder = bundle(template_spec(), R"(
__global__ void mix_all(const __half *in, Pair *out, unsigned long long n) {
  const unsigned long long i = blockIdx.x * 512ull + threadIdx.x;
  if (i < n) out[i] = {twice(static_cast<float>(in[i])), 4};
}
bool launch(const cupilot::Launch &l, const __half *in, Pair *out, unsigned long long n) {
  mix_all<<<(n + 511) / 512, 512, 0, l.stream>>>(in, out, n);
  return true;
}
)");
  const auto original = build(folder / "original"), candidate = build(folder / "candidates/c1");
  EXPECT_TRUE(original.ok()) << original.err;
  EXPECT_TRUE(candidate.ok()) << candidate.err;
}

TEST_F(EntryCompile, ErrorsNameTheLineOfTheVariant) {
  const auto folder =
      bundle(fake::scale_spec(), replace_all(fake::scale_variant(), "if (i < n) y[i]", "if (i < n) z[i]"));
  const auto candidate = build(folder / "candidates/c1");
  EXPECT_FALSE(candidate.ok());
  EXPECT_NE((candidate.out + candidate.err).find("variant.cuh(4): error: identifier \"z\" is undefined"),
            std::string::npos)
      << candidate.err;
}

TEST_F(EntryCompile, AParameterOfAnotherTypeIsABuildError) {
  const auto folder = bundle(fake::scale_spec(),
                             replace_all(fake::scale_variant(), "float a, int rows", "double a, int rows"));
  const auto candidate = build(folder / "candidates/c1");
  EXPECT_FALSE(candidate.ok());
}

}  // namespace
}  // namespace cupilot
