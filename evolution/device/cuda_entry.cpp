// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/cuda_entry.h"

#include <algorithm>

#include "evolution/device/kernels/cuda_call.h"
#include "evolution/judge/launches/device_code.h"

namespace cupilot::device {

namespace {

/// All numbers of cudaDeviceAttr are smaller.
constexpr int kMostAttributes = 256;
/// Upper bound of the number of parameters: their size limit in bytes.
constexpr std::size_t kMostParameters = 4096;

/// The runtime's functions accept a kernel handle in place of a host function.
const void *as_function(cudaKernel_t kernel) {
  return static_cast<const void *>(kernel);
}

Result<judge::launches::DeviceFacts> device_facts() {
  judge::launches::DeviceFacts facts;
  for (int i = 1; i < kMostAttributes; ++i) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(i), 0) == cudaSuccess)
      facts.attributes.emplace_back(i, value);
    else
      (void)cudaGetLastError();
  }
  return facts;
}

Result<judge::launches::LoadedKernel> facts_of(cudaKernel_t kernel) {
  judge::launches::LoadedKernel facts;
  const char *name = nullptr;
  CUPILOT_CUDA("asking for a kernel's name", cudaFuncGetName(&name, as_function(kernel)));
  facts.symbol = name;
  cudaFuncAttributes attributes{};
  CUPILOT_CUDA("asking for a kernel's attributes", cudaFuncGetAttributes(&attributes, as_function(kernel)));
  facts.registers = attributes.numRegs;
  facts.static_shared_bytes = static_cast<int>(attributes.sharedSizeBytes);
  facts.local_bytes = static_cast<int>(attributes.localSizeBytes);
  facts.constant_bytes = static_cast<int>(attributes.constSizeBytes);
  facts.most_threads = attributes.maxThreadsPerBlock;
  for (std::size_t i = 0; i < kMostParameters; ++i) {
    std::size_t offset = 0, bytes = 0;
    const cudaError_t code = cudaFuncGetParamInfo(as_function(kernel), i, &offset, &bytes);
    if (code == cudaErrorInvalidValue) {  // index past the last parameter
      (void)cudaGetLastError();
      break;
    }
    CUPILOT_CUDA("asking for a kernel's parameters", code);
    facts.parameter_bytes.push_back(static_cast<std::uint32_t>(bytes));
  }
  return facts;
}

dim3 as_dim3(const std::array<std::uint32_t, 3> &d) {
  return dim3(d[0], d[1], d[2]);
}

}  // namespace

Replay::Launch Replay::prepared(judge::launches::QueuedWork &work,
                                const std::map<std::string, cudaKernel_t> &kernels) const {
  Launch launch;
  launch.kernel = as_function(kernels.at(work.kernel));
  launch.configuration.gridDim = as_dim3(work.grid);
  launch.configuration.blockDim = as_dim3(work.block);
  launch.configuration.dynamicSmemBytes = work.shared_bytes;
  for (auto &argument : work.arguments) launch.arguments.push_back(argument.data());
  cudaLaunchAttribute attribute{};
  if (work.cooperative) {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    launch.attributes.push_back(attribute);
  }
  if (work.cluster[0] * work.cluster[1] * work.cluster[2] > 0) {
    attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = work.cluster[0];
    attribute.val.clusterDim.y = work.cluster[1];
    attribute.val.clusterDim.z = work.cluster[2];
    launch.attributes.push_back(attribute);
  }
  if (work.programmatic) {
    attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    launch.attributes.push_back(attribute);
  }
  return launch;
}

Result<std::unique_ptr<Replay>> Replay::make(const judge::launches::LaunchList &list,
                                             const std::map<std::string, cudaKernel_t> &kernels) {
  std::unique_ptr<Replay> replay(new Replay(list));
  for (const auto &attribute : list.attributes)
    CUPILOT_CUDA("launching: setting an attribute of a kernel",
                 cudaFuncSetAttribute(as_function(kernels.at(attribute.kernel)),
                                      static_cast<cudaFuncAttribute>(attribute.attribute), attribute.value));
  for (judge::launches::QueuedWork &work : replay->list_.work) {
    const bool is_launch = work.kind == judge::launches::QueuedWork::Kind::launch;
    replay->launches_.push_back(is_launch ? replay->prepared(work, kernels) : Launch{});
    Launch &launch = replay->launches_.back();  // does not move: its configuration points into it
    launch.configuration.attrs = launch.attributes.data();
    launch.configuration.numAttrs = static_cast<unsigned>(launch.attributes.size());
  }
  return replay;
}

Result<> Replay::queue(cudaStream_t stream) const {
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Launch &launch = launches_[i];
    if (!launch.kernel) {
      const judge::launches::QueuedWork &work = list_.work[i];
      CUPILOT_CUDA("launching: clearing memory",
                   cudaMemsetAsync(reinterpret_cast<void *>(work.address), work.value, work.bytes, stream));
      continue;
    }
    cudaLaunchConfig_t configuration = launch.configuration;
    configuration.stream = stream;
    CUPILOT_CUDA("launching", cudaLaunchKernelExC(&configuration, launch.kernel,
                                                  const_cast<void **>(launch.arguments.data())));
  }
  return {};
}

Result<std::shared_ptr<CudaEntry>> CudaEntry::load(const std::filesystem::path &library,
                                                   judge::launches::HostRules rules) {
  auto entry = std::make_shared<CudaEntry>();
  CUPILOT_TRY(code, judge::launches::device_code_of(library));
  entry->code_ = std::move(code);
  CUPILOT_CUDA("loading the entry's kernels", cudaLibraryLoadData(&entry->library_, entry->code_.data(),
                                                                  nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUPILOT_TRY(kernels, entry->find_kernels());
  CUPILOT_CHECKED(entry->remember_values());
  CUPILOT_TRY(device, device_facts());
  entry->host_.emplace(std::move(rules), judge::launches::LoadQuestion{library.string(), std::move(kernels),
                                                                       std::move(device)});
  return entry;
}

CudaEntry::~CudaEntry() {
  if (library_) (void)cudaLibraryUnload(library_);
}

Result<std::vector<judge::launches::LoadedKernel>> CudaEntry::find_kernels() {
  unsigned count = 0;
  CUPILOT_CUDA("counting the entry's kernels", cudaLibraryGetKernelCount(&count, library_));
  std::vector<cudaKernel_t> handles(count);
  CUPILOT_CUDA("listing the entry's kernels", cudaLibraryEnumerateKernels(handles.data(), count, library_));
  std::vector<judge::launches::LoadedKernel> all;
  for (const cudaKernel_t handle : handles) {
    CUPILOT_TRY(facts, facts_of(handle));
    kernels_[facts.symbol] = handle;
    all.push_back(std::move(facts));
  }
  return all;
}

Result<> CudaEntry::remember_values() {
  for (const std::string &name : judge::launches::initialised_variables(code_)) {
    void *place = nullptr;
    std::size_t bytes = 0;
    if (cudaLibraryGetGlobal(&place, &bytes, library_, name.c_str()) != cudaSuccess) {
      (void)cudaGetLastError();  // in code for another architecture only
      continue;
    }
    InitialValue value{name, place, std::vector<std::byte>(bytes)};
    CUPILOT_CUDA("reading a constant", cudaMemcpy(value.bytes.data(), place, bytes, cudaMemcpyDeviceToHost));
    initial_.push_back(std::move(value));
  }
  return {};
}

Result<std::vector<std::string>> CudaEntry::changed_variables() const {
  std::vector<std::string> names;
  for (const InitialValue &one : initial_) {
    std::vector<std::byte> now(one.bytes.size());
    CUPILOT_CUDA("reading a constant", cudaMemcpy(now.data(), one.place, now.size(), cudaMemcpyDeviceToHost));
    if (now != one.bytes) names.push_back(one.name);
  }
  return names;
}

/// The first list says how much scratch memory is needed; the second is recorded with its real addresses.
Result<CudaEntry::Prepared> CudaEntry::prepare(const model::Case &which, memory::CaseMemory &memory) {
  Prepared prepared;
  judge::launches::RecordQuestion question = judge::launches::question_of(which, memory.arguments());
  CUPILOT_TRY(most, memory.scratch_most());
  question.scratch_most = most;
  judge::launches::Recorded list = host_.value().list(question);
  if (list && !list->scratch.empty()) {
    CUPILOT_TRY(places, memory.place_scratch(list->scratch));
    question.scratch = std::move(places);
    list = host_.value().list(question);
  }
  if (list)
    prepared.fault = host_.value().check(*list, memory.writable(), question.scratch, memory.has_outputs());
  if (!list) prepared.fault = list.error();
  if (prepared.fault) return prepared;
  CUPILOT_CUDA("launching", static_cast<cudaError_t>(list->error));
  prepared.declined = list->declined;
  prepared.scratch_bytes = list->scratch_bytes();
  if (prepared.declined) return prepared;
  CUPILOT_TRY(replay, Replay::make(*list, kernels_));
  prepared.replay = std::move(replay);
  return prepared;
}

}  // namespace cupilot::device
