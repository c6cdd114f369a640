// SPDX-License-Identifier: Apache-2.0
//
// The emulated device: loads PTX, lists what cannot be executed before a run, runs, remembers findings.

#include "evolution/emulate/runtime/device.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/ptx/parser.h"
#include "evolution/emulate/runtime/finding_report.h"
#include "evolution/emulate/runtime/options.h"

namespace cupilot::emulate::runtime {
namespace {

machine::Finding unsupported_finding(const program::Unsupported &missing, const std::string &kernel) {
  machine::Finding finding;
  finding.kind = machine::FindingKind::unsupported;
  finding.kernel = kernel;
  finding.message = "not supported: " + missing.what;
  finding.place = missing.place;
  return finding;
}

class EmulatedDevice final : public Device {
public:
  EmulatedDevice(DeviceOptions options, const DeviceModel &model, std::unique_ptr<memory::Memory> memory)
      : options_(std::move(options)), model_(model), memory_(std::move(memory)) {}

  memory::Memory &memory() override { return *memory_; }
  DeviceOptions &options() override { return options_; }
  const DeviceModel &model() const override { return model_; }

  std::vector<machine::Finding> take_findings() override {
    const std::lock_guard lock(mutex_);
    return std::exchange(findings_, {});
  }

  Result<std::shared_ptr<machine::LoadedProgram>> load_ptx(std::string text,
                                                           const std::string &name) override {
    CUPILOT_TRY(module, ptx::parse(std::move(text), name));
    return load_module(std::move(module));
  }

  Result<std::shared_ptr<machine::LoadedProgram>> load_module(ptx::Module module) override {
    CUPILOT_TRY(program,
                program::decode(std::make_shared<const ptx::Module>(std::move(module)), lanes::families()));
    return machine::LoadedProgram::load(program, *memory_);
  }

  machine::LaunchResult run(machine::LoadedProgram &program, const machine::LaunchRequest &request) override {
    LaunchSeen seen{kernel_name(program, request), &program, request};
    seen.request.multiprocessors = static_cast<std::uint32_t>(model_.processors);
    auto options = options_.launch;
    machine::LaunchResult result;
    result.completed = true;
    if (before_launch && !before_launch(seen, options)) return result;
    const auto begin = std::chrono::steady_clock::now();
    if (!options_.only_log) result = checked_launch(program, seen, options);
    if (options_.log_launches) log(seen, std::chrono::steady_clock::now() - begin);
    if (after_launch) after_launch(seen, result);
    remember(result);
    return result;
  }

private:
  static std::string kernel_name(const machine::LoadedProgram &program,
                                 const machine::LaunchRequest &request) {
    return std::string(program.program->functions[request.function].source->name);
  }

  static std::vector<machine::Finding> missing(const machine::LoadedProgram &program,
                                               const LaunchSeen &seen) {
    std::vector<machine::Finding> findings;
    const auto &code = *program.program;
    for (const auto index : code.functions[seen.request.function].unsupported)
      findings.push_back(unsupported_finding(code.unsupported[index], seen.kernel));
    return findings;
  }

  machine::LaunchResult checked_launch(machine::LoadedProgram &program, const LaunchSeen &seen,
                                       const machine::LaunchOptions &options) {
    machine::LaunchResult result;
    result.findings = missing(program, seen);
    return result.findings.empty() ? machine::launch(program, *memory_, seen.request, options) : result;
  }

  void log(const LaunchSeen &seen, std::chrono::duration<double, std::milli> time) const {
    const auto &[grid, block] = std::pair(seen.request.grid, seen.request.block);
    const auto name = readable_name(seen.kernel);
    std::fprintf(stderr, "cupilot: launch %s grid %u,%u,%u block %u,%u,%u shared %u", name.c_str(), grid[0],
                 grid[1], grid[2], block[0], block[1], block[2], seen.request.dynamic_shared_bytes);
    if (options_.only_log)
      std::fprintf(stderr, " (not run)\n");
    else
      std::fprintf(stderr, " (%.3f ms on this machine)\n", time.count());
  }

  void remember(const machine::LaunchResult &result) {
    const std::lock_guard lock(mutex_);
    findings_.insert(findings_.end(), result.findings.begin(), result.findings.end());
  }

  DeviceOptions options_;
  const DeviceModel model_;
  std::unique_ptr<memory::Memory> memory_;
  std::mutex mutex_;
  std::vector<machine::Finding> findings_;
};

std::mutex &device_mutex() {
  static std::mutex mutex;
  return mutex;
}
// Never destroyed: programs free device memory and unregister their kernels in destructors of their own.
std::unique_ptr<Device> &device_place() {
  static auto &place = *new std::unique_ptr<Device>;
  return place;
}

void (*device_made)(Device &) = nullptr;

/// A program that asked for something we do not have must not go on with something else.
[[noreturn]] void give_up(const Error &error) {
  std::fprintf(stderr, "cupilot: error: %s\n", error.message.c_str());
  std::fflush(nullptr);
  std::_Exit(2);
}

}  // namespace

Result<std::unique_ptr<Device>> Device::make(DeviceOptions options) {
  CUPILOT_TRY(model, device_model(options.architecture));
  CUPILOT_TRY(memory, memory::Memory::make(options.memory_bytes));
  return std::make_unique<EmulatedDevice>(std::move(options), model, std::move(memory));
}

Device &current_device() {
  const std::lock_guard lock(device_mutex());
  auto &place = device_place();
  if (place) return *place;
  auto options = options_from_environment();
  if (!options) give_up(options.error());
  auto device = Device::make(std::move(*options));
  if (!device) give_up(device.error());
  place = std::move(*device);
  if (device_made) device_made(*place);
  return *place;
}

void when_device_is_made(void (*made)(Device &)) {
  device_made = made;
}

void set_current_device(std::unique_ptr<Device> device) {
  const std::lock_guard lock(device_mutex());
  device_place() = std::move(device);
}

}  // namespace cupilot::emulate::runtime
