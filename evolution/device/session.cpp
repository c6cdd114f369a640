// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "evolution/device/open_cuda.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/kernels/kernels.h"
#include "evolution/device/session_cuda.h"
#include "evolution/judge/launches/device_turn.h"

namespace cupilot::device {

namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Result<model::DeviceReport> describe_device() {
  cudaDeviceProp properties{};
  CUPILOT_CUDA("asking for the device's properties", cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0, clock_khz = 0;
  CUPILOT_CUDA("asking for the driver's version", cudaDriverGetVersion(&driver));
  CUPILOT_CUDA("asking for the runtime's version", cudaRuntimeGetVersion(&runtime));
  CUPILOT_CUDA("asking for the clock", cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  model::DeviceReport report;
  report.name = properties.name;
  report.architecture = fmt::format("sm_{}{}", properties.major, properties.minor);
  report.driver = version_text(driver);
  report.runtime = version_text(runtime);
  report.multiprocessors = properties.multiProcessorCount;
  report.memory_bytes = properties.totalGlobalMem;
  report.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  report.sm_clock_mhz = clock_khz / 1e3;
  return report;
}

}  // namespace

Result<std::unique_ptr<judge::launches::DeviceSession>> open_cuda_session() {
  return CudaSession::open();
}

Result<std::unique_ptr<judge::launches::DeviceSession>> CudaSession::open() {
  int devices = 0;
  const cudaError_t counted = cudaGetDeviceCount(&devices);
  if (counted != cudaSuccess || devices == 0)
    return fail("no usable CUDA device: " +
                std::string(counted == cudaSuccess ? "none is visible" : cudaGetErrorString(counted)));
  std::array<char, 32> bus_id{};
  CUPILOT_CUDA("asking for the device's bus", cudaDeviceGetPCIBusId(bus_id.data(), bus_id.size(), 0));
  // A new context would disturb whoever times now.
  const auto turn =
      judge::launches::DeviceTurn::take(bus_id.data(), judge::launches::DeviceTurn::Use::beside);
  CUPILOT_CUDA("choosing the device", cudaSetDevice(0));
  CUPILOT_CUDA("creating a context", cudaFree(nullptr));
  std::unique_ptr<CudaSession> session(new CudaSession);
  CUPILOT_TRY(report, describe_device());
  session->report_ = std::move(report);
  session->report_.bus_id = bus_id.data();
  // Non-blocking: work that a variant puts on the default stream is neither ordered nor timed with this
  // stream, which the checks notice.
  CUPILOT_CUDA("creating a stream", cudaStreamCreateWithFlags(&session->stream_, cudaStreamNonBlocking));
  session->use_ = DeviceUseReader::open(bus_id.data());
  session->memory_ = std::make_unique<memory::CaseMemory>(session->stream_);
  return std::unique_ptr<judge::launches::DeviceSession>(std::move(session));
}

CudaSession::~CudaSession() {
  rotation_.reset();
  memory_.reset();
  stopwatch_.reset();
  (void)cudaStreamDestroy(stream_);
}

Result<double> CudaSession::copy_bandwidth_gbs() {
  const std::uint64_t bytes = std::min<std::uint64_t>(1ull << 30, report_.memory_bytes / 8 / 4096 * 4096);
  char *buffers = nullptr;
  CUPILOT_CUDA("allocating buffers for the bandwidth", kernels::device_allocate(&buffers, 2 * bytes));
  CUPILOT_CUDA("clearing buffers", cudaMemsetAsync(buffers, 1, bytes, stream_));
  CUPILOT_CHECKED(start_stopwatch());
  // The faster of two copies is the bandwidth that kernels are compared with, so that no kernel gets a share
  // above 100 % because of a slow copy.
  const timing::Stopwatch::Launch by_kernel = [&] {
    return kernels::cuda_result(kernels::copy_large(buffers + bytes, buffers, bytes, stream_), "copying");
  };
  const timing::Stopwatch::Launch by_runtime = [&] {
    return kernels::cuda_result(
        cudaMemcpyAsync(buffers + bytes, buffers, bytes, cudaMemcpyDeviceToDevice, stream_), "copying");
  };
  double best_us = std::numeric_limits<double>::infinity();
  for (const auto *copy : {&by_kernel, &by_runtime}) {
    CUPILOT_TRY(time_us, median_cold_us(*copy));
    best_us = std::min(best_us, time_us);
  }
  CUPILOT_CUDA("freeing buffers", cudaFree(buffers));
  report_.copy_bandwidth_gbs = 2 * static_cast<double>(bytes) / best_us / 1e3;
  return report_.copy_bandwidth_gbs;
}

Result<double> CudaSession::median_cold_us(const timing::Stopwatch::Launch &launch) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    CUPILOT_TRY(sample, stopwatch_->cold(launch));
    if (i >= 5) times.push_back(sample.time_us);  // the first samples only raise the clocks
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

Result<> CudaSession::start_stopwatch() {
  if (stopwatch_) return {};
  CUPILOT_TRY(made, timing::Stopwatch::make(stream_, report_.l2_bytes, report_.multiprocessors));
  stopwatch_ = std::move(made);
  return {};
}

Result<CudaEntry::Prepared> CudaSession::prepare(judge::launches::Entry &entry, const model::Case &which,
                                                 memory::CaseMemory &memory) {
  auto prepared = static_cast<CudaEntry &>(entry).prepare(which, memory);
  host_fault_ = prepared ? prepared->fault : std::nullopt;
  return prepared;
}

Result<CudaSession::Answer> CudaSession::call(judge::launches::Entry &entry, const model::Case &which,
                                              memory::CaseMemory &memory) {
  CUPILOT_TRY(prepared, prepare(entry, which, memory));
  if (prepared.fault) return Answer::at_fault;
  if (prepared.declined) return Answer::declined;
  CUPILOT_CHECKED(prepared.replay->queue(stream_));
  CUPILOT_CUDA("launching", cudaPeekAtLastError());
  return Answer::launched;
}

void CudaSession::pin(std::span<std::byte> dump) {
  constexpr std::size_t kWorthPinning = 64 << 20;
  if (memory_->layout().dump_bytes < kWorthPinning || !pinned_.insert(dump.data()).second) return;
  if (cudaHostRegister(dump.data(), dump.size(), cudaHostRegisterDefault) != cudaSuccess)
    (void)cudaGetLastError();
}

Result<judge::launches::RunReport> CudaSession::run(judge::launches::Entry &any,
                                                    const std::vector<spec::Parameter> &parameters,
                                                    const judge::launches::Setting &setting,
                                                    std::span<std::byte> dump) {
  auto &entry = static_cast<CudaEntry &>(any);
  switch (setting.manner) {
    case judge::launches::Manner::two_streams:
    case judge::launches::Manner::shared_inputs:
      return run_beside(entry, parameters, setting, dump);
    case judge::launches::Manner::captured:
      return run_captured(entry, parameters, setting, dump);
    case judge::launches::Manner::exact:
      return run_exactly(entry, parameters, setting);
    case judge::launches::Manner::plain:
      break;
  }
  return run_plain(entry, parameters, setting, dump);
}

Result<judge::launches::RunReport> CudaSession::run_plain(CudaEntry &entry,
                                                          const std::vector<spec::Parameter> &parameters,
                                                          const judge::launches::Setting &setting,
                                                          std::span<std::byte> dump) {
  judge::launches::RunReport report;
  CUPILOT_CHECKED(memory_->prepare(parameters, setting));
  CUPILOT_CHECKED(memory_->hash_inputs());
  CUPILOT_TRY(prepared, prepare(entry, *setting.which, *memory_));
  if (prepared.fault) return report.faults = {*prepared.fault}, report;
  report.declined = prepared.declined;
  report.scratch_bytes = prepared.scratch_bytes;
  if (prepared.replay) CUPILOT_CHECKED(prepared.replay->queue(stream_));
  CUPILOT_CUDA("launching", cudaPeekAtLastError());
  CUPILOT_CUDA("running the kernel", cudaStreamSynchronize(stream_));
  CUPILOT_CHECKED(memory_->inspect(report));
  CUPILOT_TRY(changed, entry.changed_variables());
  report.changed = std::move(changed);
  if (report.declined) return report;
  pin(dump);
  CUPILOT_CHECKED(memory_->dump(dump));
  return report;
}

}  // namespace cupilot::device
