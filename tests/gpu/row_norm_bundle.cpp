// SPDX-License-Identifier: Apache-2.0
#include "row_norm_bundle.h"

#include <algorithm>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/model/bundle_json.h"

namespace cupilot {
using namespace judge::data;
using namespace model;
using namespace spec;

namespace {

constexpr const char *kCall = R"(
#include "cupilot/launch.cuh"
struct CupilotCall {
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  void *stream;
  void **args;
  unsigned long long scratch_bytes;
};
)";

/// The slice: a thread for a row, as many a user writes it.
constexpr const char *kOriginalKernel = R"(
__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += x[(size_t)row * cols + i] * x[(size_t)row * cols + i];
  const float scale = rsqrtf(sum / cols + 1e-5f);
  for (int i = 0; i < cols; ++i) y[(size_t)row * cols + i] = x[(size_t)row * cols + i] * scale * w[i];
}
)";

constexpr const char *kOriginalEntry = R"(
extern "C" int cupilot_entry(const CupilotCall *call) {
  const dim3 grid(call->grid[0], call->grid[1], call->grid[2]), block(call->block[0], call->block[1], call->block[2]);
  return cudaLaunchKernel((const void *)row_norm, grid, block, call->args, call->shared_bytes, (cudaStream_t)call->stream);
}
)";

constexpr const char *kCandidateEntry = R"(
extern "C" int cupilot_entry(CupilotCall *call) {
  const dim3 grid(call->grid[0], call->grid[1], call->grid[2]), block(call->block[0], call->block[1], call->block[2]);
  cupilot::Launch l(grid, block, call->shared_bytes, (cudaStream_t)call->stream);
  void **a = call->args;
  const bool launched = cupilot_variant::launch(l, *(const float **)a[0], *(const float **)a[1], *(float **)a[2],
                                                *(int *)a[3], *(int *)a[4]);
  call->scratch_bytes = l.scratch_bytes();
  const int code = (int)cudaGetLastError();
  return code == 1 ? 999 : code ? code : launched ? 0 : 1;  // 1 means declined
}
)";

Parameter pointer(const std::string &name, bool is_const) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = is_const ? "const float *" : "float *";
  parameter.pointer = true;
  parameter.const_pointee = is_const;
  parameter.element = ElementType::f32;
  parameter.element_type = "float";
  parameter.element_bytes = 4;
  return parameter;
}
Parameter integer(const std::string &name) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = "int";
  parameter.element = ElementType::i32;
  parameter.element_type = "int";
  parameter.element_bytes = 4;
  return parameter;
}

}  // namespace

std::string gpu_architecture() {
  ProcessRequest ask;
  ask.argv = {"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"};
  const auto answer = run_process(ask);
  std::string text = answer ? answer->out.substr(0, answer->out.find('\n')) : "9.0";
  text.erase(std::remove(text.begin(), text.end(), '.'), text.end());
  return "sm_" + text;
}

Case row_norm_case(const std::string &id, const std::string &workload, long long rows, long long cols,
                   bool timed, std::vector<std::string> families) {
  Case made;
  made.id = id;
  made.workload = workload;
  made.timed = timed;
  made.scalars = {{"rows", std::int64_t{rows}}, {"cols", std::int64_t{cols}}};
  const auto all = static_cast<std::uint64_t>(rows * cols);
  made.buffers = {{"x", BufferRole::in, all, {}},
                  {"w", BufferRole::in, static_cast<std::uint64_t>(cols), {}},
                  {"y", BufferRole::out, all, {}}};
  made.grid = {static_cast<std::uint32_t>((rows + 255) / 256), 1, 1};
  made.block = {256, 1, 1};
  if (families.empty()) families = input_families();
  made.families = std::move(families);
  return made;
}

std::vector<Case> row_norm_cases() {
  return {row_norm_case("llama", "llama", 8192, 4096, true),
          row_norm_case("tiny", "tiny", 3, 129, false),
          row_norm_case("llama/cols+1", "llama", 512, 4097, false),
          row_norm_case("llama/cols-1", "llama", 512, 4095, false),
          row_norm_case("llama/rows=1", "llama", 1, 4096, false),
          row_norm_case("tiny/cols=7", "tiny", 5, 7, false),
          row_norm_case("tiny/cols=128", "tiny", 64, 128, false)};
}

Bundle row_norm_bundle(const std::string &id, const std::string &architecture) {
  Bundle bundle;
  bundle.id = id;
  bundle.kernel = "row_norm";
  bundle.kernel_id = "hand";
  bundle.architecture = architecture;
  bundle.flags = {"-std=c++17", "-O3"};
  bundle.parameters = {pointer("x", true), pointer("w", true), pointer("y", false), integer("rows"),
                       integer("cols")};
  bundle.request.seed = 20;
  bundle.request.run_seconds = 6;
  bundle.request.timing_seconds = 1;
  return bundle;
}

Result<> write_row_norm_bundle(const std::filesystem::path &folder, Bundle bundle,
                               const std::vector<HandCandidate> &candidates,
                               const std::string &original_body) {
  const std::string kernel = original_body.empty() ? kOriginalKernel : original_body;
  CUPILOT_TRY(header, read_file(CUPILOT_LAUNCH_HEADER));
  CUPILOT_CHECKED(write_file_atomic(folder / "include/cupilot/launch.cuh", header));
  CUPILOT_CHECKED(write_file_atomic(folder / "original/entry.cu", kernel + kCall + kOriginalEntry));
  for (const HandCandidate &candidate : candidates) {
    const auto place = folder / "candidates" / candidate.id;
    CUPILOT_CHECKED(write_file_atomic(place / "variant.cuh", candidate.variant));
    CUPILOT_CHECKED(write_file_atomic(place / "entry.cu", kernel + kCall + "namespace cupilot_variant {\n" +
                                                              candidate.variant + "\n}\n" + kCandidateEntry));
    bundle.candidates.push_back({candidate.id});
  }
  return write_file_atomic(folder / "bundle.json", to_json(bundle));
}

}  // namespace cupilot
