// SPDX-License-Identifier: Apache-2.0
//
// Runs that consist of more than one launch. They show faults that a launch alone on the device cannot show:
// state in device globals that two launches share, and addresses or values kept from an earlier launch.
#include <chrono>
#include <thread>

#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/session_cuda.h"

namespace cupilot::device {

namespace {

/// Number of pairs of launches; each of the two is queued first in half of them.
constexpr int kConcurrentPairs = 6;

class Stream {
public:
  Stream() = default;
  ~Stream() {
    if (stream_) (void)cudaStreamDestroy(stream_);
    if (event_) (void)cudaEventDestroy(event_);
  }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  Result<> make() {
    CUPILOT_CUDA("creating a second stream", cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUPILOT_CUDA("creating an event", cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    return {};
  }
  cudaStream_t get() const { return stream_; }
  cudaEvent_t event() const { return event_; }

private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

/// How long both streams are held; long enough to queue everything.
constexpr auto kHold = std::chrono::microseconds(300);
void wait_on_host(void *) {
  std::this_thread::sleep_for(kHold);
}

/// Makes both streams wait for each other and until their launches are queued. Otherwise a short kernel would
/// end before the other stream's kernel begins.
Result<> meet(cudaStream_t first, const Stream &second, cudaEvent_t of_first) {
  CUPILOT_CUDA("holding a stream", cudaLaunchHostFunc(first, wait_on_host, nullptr));
  CUPILOT_CUDA("joining streams", cudaEventRecord(of_first, first));
  CUPILOT_CUDA("joining streams", cudaEventRecord(second.event(), second.get()));
  CUPILOT_CUDA("joining streams", cudaStreamWaitEvent(first, second.event(), 0));
  CUPILOT_CUDA("joining streams", cudaStreamWaitEvent(second.get(), of_first, 0));
  return {};
}

class Graph {
public:
  Graph() = default;
  ~Graph() {
    if (executable_) (void)cudaGraphExecDestroy(executable_);
    if (graph_) (void)cudaGraphDestroy(graph_);
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  Result<> capture(const Replay &replay, cudaStream_t stream) {
    CUPILOT_CUDA("beginning to capture", cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    const Result<> queued = replay.queue(stream);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
    if (!queued) {
      (void)cudaGetLastError();
      return queued;
    }
    CUPILOT_CUDA("capturing", ended);
    CUPILOT_CUDA("making a graph of the launch", cudaGraphInstantiate(&executable_, graph_, 0));
    return {};
  }
  Result<> replay(cudaStream_t stream) const {
    CUPILOT_CUDA("replaying the graph", cudaGraphLaunch(executable_, stream));
    CUPILOT_CUDA("replaying the graph", cudaStreamSynchronize(stream));
    return {};
  }

private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

/// True if there is nothing to launch; the report then says why.
bool is_over(const CudaEntry::Prepared &prepared, judge::launches::RunReport &report) {
  report.declined = prepared.declined;
  report.scratch_bytes = prepared.scratch_bytes;
  if (prepared.fault) report.faults = {*prepared.fault};
  return prepared.fault || prepared.declined;
}

}  // namespace

Result<judge::launches::RunReport> CudaSession::run_beside(CudaEntry &entry,
                                                           const std::vector<spec::Parameter> &parameters,
                                                           const judge::launches::Setting &setting,
                                                           std::span<std::byte> dump) {
  Stream second, gate;
  CUPILOT_CHECKED(second.make());
  CUPILOT_CHECKED(gate.make());
  memory::CaseMemory others(second.get());
  const judge::launches::Setting other = judge::launches::beside(setting);
  CUPILOT_CHECKED(memory_->prepare(parameters, setting));
  CUPILOT_CHECKED(others.prepare(parameters, other));
  if (setting.manner == judge::launches::Manner::shared_inputs)
    CUPILOT_CHECKED(others.borrow_inputs(parameters, *setting.which, *memory_));
  for (memory::CaseMemory *memory : {memory_.get(), &others}) {
    CUPILOT_CHECKED(memory->hash_inputs());
    CUPILOT_CHECKED(memory->keep_inouts());
  }
  judge::launches::RunReport report;
  CUPILOT_TRY(mine, entry.prepare(*setting.which, *memory_));
  if (is_over(mine, report)) return report;
  CUPILOT_TRY(theirs, entry.prepare(*setting.which, others));
  if (is_over(theirs, report)) return report;
  for (int i = 0; i < kConcurrentPairs; ++i) {
    CUPILOT_CHECKED(memory_->restore());
    CUPILOT_CHECKED(others.restore());
    CUPILOT_CHECKED(meet(stream_, second, gate.event()));
    if (i % 2) CUPILOT_CHECKED(theirs.replay->queue(second.get()));
    CUPILOT_CHECKED(mine.replay->queue(stream_));
    if (i % 2 == 0) CUPILOT_CHECKED(theirs.replay->queue(second.get()));
  }
  CUPILOT_CUDA("launching", cudaPeekAtLastError());
  CUPILOT_CUDA("running two launches at once", cudaStreamSynchronize(stream_));
  CUPILOT_CUDA("running two launches at once", cudaStreamSynchronize(second.get()));
  CUPILOT_CHECKED(others.inspect(report));
  CUPILOT_CHECKED(memory_->inspect(report));
  CUPILOT_CHECKED(memory_->dump(dump));
  return report;
}

Result<judge::launches::RunReport> CudaSession::run_captured(CudaEntry &entry,
                                                             const std::vector<spec::Parameter> &parameters,
                                                             const judge::launches::Setting &setting,
                                                             std::span<std::byte> dump) {
  judge::launches::RunReport report;
  CUPILOT_CHECKED(memory_->prepare(parameters, judge::launches::beside(setting)));
  CUPILOT_TRY(prepared, entry.prepare(*setting.which, *memory_));
  if (is_over(prepared, report)) return report;
  Graph graph;
  if (const auto captured = graph.capture(*prepared.replay, stream_); !captured) {
    report.faults = {{judge::launches::Fault::Kind::forbidden, "graph-capture",
                      "the launch cannot be captured in a graph: " + captured.error().message, false}};
    return report;
  }
  CUPILOT_CHECKED(graph.replay(stream_));
  // The case is the same, so the buffers keep their addresses.
  judge::launches::Setting own = setting;
  own.manner = judge::launches::Manner::plain;
  CUPILOT_CHECKED(memory_->prepare(parameters, own));
  CUPILOT_CHECKED(memory_->hash_inputs());
  CUPILOT_CHECKED(graph.replay(stream_));
  CUPILOT_CHECKED(memory_->inspect(report));
  CUPILOT_CHECKED(memory_->dump(dump));
  return report;
}

Result<judge::launches::RunReport> CudaSession::run_exactly(CudaEntry &entry,
                                                            const std::vector<spec::Parameter> &parameters,
                                                            const judge::launches::Setting &setting) {
  judge::launches::RunReport report;
  CUPILOT_CHECKED(memory_->prepare(parameters, setting));
  CUPILOT_TRY(prepared, entry.prepare(*setting.which, *memory_));
  if (is_over(prepared, report)) return report;
  CUPILOT_CHECKED(prepared.replay->queue(stream_));
  CUPILOT_CUDA("launching", cudaPeekAtLastError());
  CUPILOT_CUDA("running the kernel", cudaStreamSynchronize(stream_));
  return report;
}

}  // namespace cupilot::device
