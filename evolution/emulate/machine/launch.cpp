// SPDX-License-Identifier: Apache-2.0
// Runs a launch: checks its configuration, prepares the state that its blocks share, and distributes the
// blocks over host threads.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "evolution/emulate/machine/block.h"
#include "evolution/emulate/machine/frames.h"
#include "evolution/emulate/machine/warp_run.h"

namespace cupilot::emulate::machine {
namespace {

/// The largest limits of a launch on any architecture in the device tables (sm_80 to sm_100).
constexpr std::uint64_t kMostThreads = 1024, kMostShared = 227 << 10, kMostGridX = 0x7fffffff,
                        kMostGridYz = 0xffff;
constexpr std::array<std::uint32_t, 3> kMostBlock{1024, 1024, 64};

std::string extents(const std::array<std::uint32_t, 3> &value) {
  return fmt::format("{}x{}x{}", value[0], value[1], value[2]);
}

std::string wrong_shape(const LaunchRequest &request) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (request.block[axis] == 0 || request.grid[axis] == 0)
      return fmt::format("a grid of {} blocks of {} threads is empty", extents(request.grid),
                         extents(request.block));
    if (request.block[axis] > kMostBlock[axis])
      return fmt::format("blocks of {} threads; at most 1024x1024x64 and 1024 in all",
                         extents(request.block));
    if (request.grid[axis] > (axis == 0 ? kMostGridX : kMostGridYz))
      return fmt::format("a grid of {} blocks; at most 2147483647x65535x65535", extents(request.grid));
  }
  const std::uint64_t threads = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
  if (threads > kMostThreads)
    return fmt::format("blocks of {} = {} threads; at most 1024", extents(request.block), threads);
  return {};
}

std::string wrong_bounds(const ptx::Function &function, const LaunchRequest &request) {
  std::uint64_t most = 1;
  bool limited = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t required = function.required_threads[axis];
    if (function.required_threads[0] && std::max(required, 1U) != request.block[axis])
      return fmt::format("blocks of {} threads, but the kernel is compiled for exactly {}",
                         extents(request.block),
                         extents({function.required_threads[0], std::max(function.required_threads[1], 1U),
                                  std::max(function.required_threads[2], 1U)}));
    if (function.max_threads[axis]) {
      most *= function.max_threads[axis];
      limited = true;
    }
  }
  const std::uint64_t threads = std::uint64_t{request.block[0]} * request.block[1] * request.block[2];
  if (limited && threads > most)
    return fmt::format("blocks of {} threads, but the kernel is compiled for at most {} (launch bounds)",
                       threads, most);
  return {};
}

/// The reason why the launch cannot run; empty when it can.
std::string what_is_wrong(const program::Program &program, const LaunchRequest &request,
                          const LaunchOptions &options) {
  if (request.function >= program.functions.size() || !program.functions[request.function].source->entry)
    return "the function to launch is no kernel of this module";
  const program::FunctionCode &code = program.functions[request.function];
  if (std::string wrong = wrong_shape(request); !wrong.empty()) return wrong;
  if (std::string wrong = wrong_bounds(*code.source, request); !wrong.empty()) return wrong;
  if (request.parameters.size() != code.parameter_bytes)
    return fmt::format("{} bytes of parameters, but the kernel takes {}", request.parameters.size(),
                       code.parameter_bytes);
  const std::uint64_t shared = std::uint64_t{code.shared_bytes} + request.dynamic_shared_bytes;
  if (shared > kMostShared)
    return fmt::format("{} bytes of shared memory a block ({} static); at most {}", shared, code.shared_bytes,
                       kMostShared);
  const std::uint64_t blocks = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
  for (const std::uint64_t block : options.only_blocks)
    if (block >= blocks) return fmt::format("block {} was asked for; the grid has {}", block, blocks);
  return {};
}

LaunchResult refused(const program::Program &program, const LaunchRequest &request, FindingKind kind,
                     std::string why) {
  Finding finding;
  finding.kind = kind;
  if (request.function < program.functions.size())
    finding.kernel = std::string(program.functions[request.function].source->name);
  finding.message = std::move(why);
  LaunchResult result;
  result.findings.push_back(std::move(finding));
  return result;
}

/// Gives out the next block to the host threads.
class Blocks {
public:
  Blocks(const LaunchState &launch) : launch_(launch), count_(launch.options.only_blocks.size()) {
    if (!count_) count_ = launch.grid_blocks;
  }
  bool next(std::uint64_t &block) {
    // Reading the counter first keeps it from overflowing in a spin loop.
    if (next_.load(std::memory_order_relaxed) >= count_) return false;
    const std::uint64_t i = next_.fetch_add(1, std::memory_order_relaxed);
    if (i >= count_) return false;
    const std::uint64_t at = launch_.options.reversed ? count_ - 1 - i : i;
    block = launch_.options.only_blocks.empty() ? at : launch_.options.only_blocks[at];
    return true;
  }
  std::uint64_t count() const { return count_; }

private:
  const LaunchState &launch_;
  std::uint64_t count_;
  std::atomic<std::uint64_t> next_{0};
};

/// The memory of this machine that a resident block needs.
std::uint64_t block_bytes(const LaunchState &launch) {
  const std::uint64_t warp = launch.entry.frame_bytes + std::uint64_t{launch.local_bytes} * program::kLanes;
  return launch.shared_bytes + launch.block_warps * warp;
}
std::uint64_t most_resident(const LaunchState &launch) {
  constexpr std::uint64_t kMost = 4096, kBytes = std::uint64_t{1} << 30;
  return std::clamp<std::uint64_t>(kBytes / block_bytes(launch), 1, kMost);
}

/// One host thread, whose resident blocks take turns. More blocks than requested become resident when all of
/// them spin, because they may wait for a block that has not begun.
class Runner {
public:
  Runner(LaunchState &launch, Blocks &blocks)
      : launch_(launch), blocks_(blocks), most_resident_(most_resident(launch)) {
    host_.ranges.resize(launch.program.steps.size());
    if (launch.options.marks) host_.marks.resize(launch.program.steps.size());
  }

  void run() {
    const unsigned wanted = std::max(1U, launch_.options.resident_blocks);
    while (resident_.size() < wanted && begin_another()) {
    }
    while (!resident_.empty() && !launch_.ended.load(std::memory_order_relaxed)) {
      bool all_spin = true;
      for (std::size_t i = 0; i < resident_.size();) {
        const Block::Outcome outcome = resident_[i]->turn();
        if (outcome == Block::Outcome::ended) return finish();
        all_spin = all_spin && outcome == Block::Outcome::spinning;
        if (outcome != Block::Outcome::finished || renew(i)) ++i;
      }
      if (!all_spin || resident_.empty() || launch_.options.observer) continue;
      if (resident_.size() >= most_resident_ || !begin_another()) std::this_thread::yield();
    }
    finish();
  }

private:
  bool begin_another() {
    std::uint64_t number = 0;
    if (!blocks_.next(number)) return false;
    resident_.push_back(std::make_unique<Block>(launch_, host_, static_cast<unsigned>(resident_.size())));
    begin(*resident_.back(), number);
    return true;
  }

  void begin(Block &block, std::uint64_t number) {
    launch_.out_of_time();
    block.begin(number);
    if (Observer *observer = launch_.options.observer)
      observer->block_begins(number, block.slot, launch_.block_warps);
  }

  /// Replaces a finished block by the next one. Returns false when there is none; the slot is then removed.
  bool renew(std::size_t i) {
    Block &block = *resident_[i];
    instructions_ += block.executed;
    if (Observer *observer = launch_.options.observer) observer->block_ends(block.number, block.slot);
    std::uint64_t number = 0;
    if (blocks_.next(number)) {
      begin(block, number);
      return true;
    }
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
    return false;
  }

  void finish() {
    for (const auto &block : resident_) instructions_ += block->executed;
    launch_.warp_instructions.fetch_add(instructions_);
    if (launch_.options.marks) {
      const std::lock_guard lock(launch_.marks_mutex);
      launch_.options.marks->merge(host_.marks);
    }
    if (!resident_.empty()) launch_.incomplete = true;
  }

  LaunchState &launch_;
  Blocks &blocks_;
  HostThread host_;
  const std::uint64_t most_resident_;
  std::vector<std::unique_ptr<Block>> resident_;
  std::uint64_t instructions_ = 0;
};

/// Starting a thread costs as much as a few thousand instructions.
unsigned host_threads(const LaunchState &launch, std::uint64_t blocks) {
  if (launch.options.observer) return 1;
  constexpr std::uint64_t kWorthAThread = 2048;
  const std::uint64_t wanted =
      launch.options.threads ? launch.options.threads : std::max(1U, std::thread::hardware_concurrency());
  const std::uint64_t worth = launch.options.threads ? blocks : blocks * launch.block_threads / kWorthAThread;
  return static_cast<unsigned>(std::max<std::uint64_t>(1, std::min({wanted, blocks, worth})));
}

void run_all(LaunchState &launch) {
  Blocks blocks(launch);
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < host_threads(launch, blocks.count()); ++i)
    helpers.emplace_back([&] { Runner(launch, blocks).run(); });
  Runner(launch, blocks).run();
  for (std::thread &helper : helpers) helper.join();
}

/// Frees the parameter buffer whatever happens.
class ParameterBuffer {
public:
  ParameterBuffer(memory::Memory &memory, std::span<const std::byte> parameters) : memory_(memory) {
    if (parameters.empty()) return;
    auto made = memory.allocate(parameters.size(), "the kernel's parameters");
    if (!made) return;
    address_ = *made;
    std::memcpy(reinterpret_cast<void *>(address_), parameters.data(), parameters.size());
    memory.set_read_only(address_);
  }
  ~ParameterBuffer() {
    if (address_) (void)memory_.free(address_);
  }
  ParameterBuffer(const ParameterBuffer &) = delete;
  ParameterBuffer &operator=(const ParameterBuffer &) = delete;
  std::uint64_t address() const { return address_; }

private:
  memory::Memory &memory_;
  std::uint64_t address_ = 0;
};

void measure(LaunchState &launch) {
  const LaunchRequest &request = launch.request;
  launch.block_threads = request.block[0] * request.block[1] * request.block[2];
  launch.block_warps = (launch.block_threads + program::kLanes - 1) / program::kLanes;
  launch.grid_blocks = std::uint64_t{request.grid[0]} * request.grid[1] * request.grid[2];
  launch.static_shared = kReservedShared + launch.entry.shared_bytes;
  const std::uint32_t alignment = launch.entry.dynamic_alignment;
  launch.dynamic_offset = (launch.static_shared + alignment - 1) / alignment * alignment;
  launch.shared_bytes = request.dynamic_shared_bytes ? launch.dynamic_offset + request.dynamic_shared_bytes
                                                     : launch.static_shared;
  std::uint64_t local = launch.entry.local_bytes;
  for (const std::uint32_t f : launch.entry.reaches)
    local += launch.program.functions[f].local_bytes + kCallBytes;
  // Deeper calls allocate more when they occur.
  launch.local_bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(local, kMostLocalBytes));
  constexpr std::uint64_t kBudget = std::uint64_t{1} << 32;
  launch.budget = launch.options.instruction_budget ? launch.options.instruction_budget : kBudget;
}

}  // namespace

bool LaunchState::out_of_time() {
  const bool stopped = options.stop && options.stop->load(std::memory_order_relaxed);
  const bool unlimited = options.deadline == std::chrono::steady_clock::time_point::max();
  if (stopped || (!unlimited && std::chrono::steady_clock::now() >= options.deadline)) ended = true;
  return ended;
}

LaunchResult launch(LoadedProgram &loaded, memory::Memory &memory, const LaunchRequest &request,
                    const LaunchOptions &options) {
  const program::Program &program = *loaded.program;
  if (std::string wrong = what_is_wrong(program, request, options); !wrong.empty())
    return refused(program, request, FindingKind::invalid_launch, std::move(wrong));
  const program::FunctionCode &entry = program.functions[request.function];
  if (entry.local_bytes > kMostLocalBytes)
    return refused(
        program, request, FindingKind::out_of_memory,
        fmt::format("{} bytes of local memory a thread; at most {}", entry.local_bytes, kMostLocalBytes));
  const ParameterBuffer parameters(memory, request.parameters);
  if (!request.parameters.empty() && !parameters.address())
    return refused(program, request, FindingKind::out_of_memory,
                   "no device memory is left for the parameters");

  LaunchState state{.program = program,
                    .loaded = loaded,
                    .memory = memory,
                    .request = request,
                    .options = options,
                    .entry = entry,
                    .findings = FindingSink(std::max<std::size_t>(1, options.most_findings))};
  state.parameters = parameters.address();
  measure(state);
  if (block_bytes(state) > memory.capacity() / 4)
    return refused(
        program, request, FindingKind::out_of_memory,
        fmt::format(
            "a block takes {} bytes for registers, local and shared memory; this machine has not enough",
            block_bytes(state)));
  state.templates = make_templates(state);
  if (options.checks.initialised) memory.begin_launch();
  if (options.checks.races) state.shared_use = &loaded.shared_use();
  if (options.checks.races)
    state.global_shadow = std::make_unique<check::GlobalShadow>(memory, state.grid_blocks, state.block_warps);
  if (state.global_shadow && !state.global_shadow->available())
    return refused(program, request, FindingKind::unsupported,
                   "races in global memory cannot be watched for this launch: it has too many threads, or no "
                   "addresses are left; launch fewer blocks, or without checks for races");
  if (options.observer) state.executed.assign(program.steps.size(), 0);
  run_all(state);

  LaunchResult result;
  result.findings = state.findings.take();
  result.completed = !state.ended && !state.incomplete;
  result.warp_instructions = state.warp_instructions;
  result.flushed = state.flushed;
  result.executed = std::move(state.executed);
  return result;
}

}  // namespace cupilot::emulate::machine
