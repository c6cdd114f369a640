// SPDX-License-Identifier: Apache-2.0
//
// Launches run to their end before the function returns, as with CUDA_LAUNCH_BLOCKING=1: an error is the
// launch's own.

#include "evolution/emulate/runtime/api/launch/launch.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/allocations.h"
#include "evolution/emulate/runtime/api/stream/stream.h"
#include "evolution/emulate/runtime/finding_report.h"

namespace cupilot::emulate::runtime {
namespace {

std::string text(const abi::Dim3 &d) {
  return fmt::format("{},{},{}", d.x, d.y, d.z);
}

int refuse_launch(const Launch &launch, int code, const std::string &why) {
  machine::Finding finding;
  finding.kind = machine::FindingKind::invalid_launch;
  finding.kernel = launch.kernel->name;
  finding.message = fmt::format("launch of {} with grid {}, block {}: {}", readable_name(launch.kernel->name),
                                text(launch.grid), text(launch.block), why);
  publish_findings({finding});
  return code;
}

std::uint64_t count(const abi::Dim3 &d) {
  return std::uint64_t{d.x} * d.y * d.z;
}

int check_block(const Launch &launch) {
  const auto &block = launch.block;
  if (!count(block) || !count(launch.grid))
    return refuse_launch(launch, abi::kInvalidConfiguration, "a dimension of the grid or of the block is 0");
  if (count(block) > kThreadsPerBlock || block.x > 1024 || block.y > 1024 || block.z > 64)
    return refuse_launch(launch, abi::kInvalidConfiguration,
                         "a block has at most 1024 threads, and at most 1024 x 1024 x 64 in its dimensions");
  if (launch.grid.x > 0x7fffffff || launch.grid.y > 65535 || launch.grid.z > 65535)
    return refuse_launch(launch, abi::kInvalidConfiguration,
                         "a grid has at most 2147483647 x 65535 x 65535 blocks");
  return abi::kSuccess;
}

int check_bounds(const Launch &launch) {
  const auto &source = *launch.kernel->code().source;
  const std::uint32_t sizes[] = {launch.block.x, launch.block.y, launch.block.z};
  std::uint64_t most = 1;
  for (int i = 0; i < 3; ++i) {
    if (source.required_threads[i] && source.required_threads[i] != sizes[i])
      return refuse_launch(launch, abi::kInvalidValue, "the kernel was compiled for another block size");
    most *= source.max_threads[i] ? source.max_threads[i] : 1;
  }
  if (source.max_threads[0] && count(launch.block) > most)
    return refuse_launch(launch, abi::kInvalidValue,
                         fmt::format("the kernel's launch bounds allow at most {} threads in a block", most));
  return abi::kSuccess;
}

int check_shared(const Launch &launch) {
  const auto fixed = launch.kernel->code().shared_bytes;
  if (launch.shared_bytes <= static_cast<std::size_t>(launch.kernel->dynamic_shared_most) &&
      (launch.shared_bytes == 0 || fixed + launch.shared_bytes <= kSharedPerBlock ||
       launch.kernel->dynamic_shared_most > static_cast<int>(kSharedPerBlock)))
    return abi::kSuccess;
  return refuse_launch(
      launch, abi::kInvalidValue,
      fmt::format("a block needs {} bytes of dynamic and {} bytes of static shared memory; it gets at most "
                  "{} bytes in "
                  "all, unless cudaFuncSetAttribute raises cudaFuncAttributeMaxDynamicSharedMemorySize",
                  launch.shared_bytes, fixed, kSharedPerBlock));
}

/// A cooperative grid is resident as a whole.
int check_cooperative(const Launch &launch) {
  const DeviceModel &model = current_device().model();
  const auto &code = launch.kernel->code();
  const BlockResources block{.threads = static_cast<int>(count(launch.block)),
                             .shared_bytes = code.shared_bytes + launch.shared_bytes};
  const auto most = resident_blocks(model, block) * static_cast<std::uint64_t>(model.processors);
  if (count(launch.grid) <= most) return abi::kSuccess;
  return refuse_launch(launch, abi::kCooperativeLaunchTooLarge,
                       fmt::format("a cooperative launch with this block size has at most {} blocks", most));
}

/// Makes all blocks resident from the start and gives them memory to synchronise through.
int prepare_cooperative(const Launch &launch, machine::LaunchRequest &request) {
  static std::uint64_t workspace = 0;
  constexpr std::size_t kWorkspaceBytes = 8;
  auto &device = current_device();
  if (!device.memory().find(workspace)) {  // the first time on this device
    const auto made = device.memory().allocate(kWorkspaceBytes, "workspace of cooperative launches");
    if (!made) return abi::kMemoryAllocation;
    workspace = *made;
  }
  std::memset(reinterpret_cast<void *>(workspace), 0, kWorkspaceBytes);
  request.grid_workspace = workspace;
  device.options().launch.threads = 1;
  device.options().launch.resident_blocks = static_cast<unsigned>(count(launch.grid));
  return abi::kSuccess;
}

int code_of(machine::FindingKind kind) {
  switch (kind) {
    case machine::FindingKind::out_of_bounds:
      return abi::kIllegalAddress;
    case machine::FindingKind::misaligned:
      return abi::kMisalignedAddress;
    case machine::FindingKind::assertion:
      return abi::kAssert;
    case machine::FindingKind::endless_loop:
      return abi::kLaunchTimeout;
    case machine::FindingKind::invalid_launch:
      return abi::kInvalidConfiguration;
    case machine::FindingKind::out_of_memory:
      return abi::kMemoryAllocation;
    case machine::FindingKind::unsupported:
      return abi::kNotSupported;
    default:
      return abi::kLaunchFailure;
  }
}

/// A fault makes all further calls fail, but a launch that never ran does not.
bool spoils(int code) {
  return code != abi::kSuccess && code != abi::kNotSupported && code != abi::kInvalidConfiguration &&
         code != abi::kMemoryAllocation;
}

}  // namespace

int error_of(const machine::LaunchResult &result) {
  if (result.completed) return abi::kSuccess;
  for (const auto &finding : result.findings) {
    const bool goes_on = finding.kind == machine::FindingKind::shared_race ||
                         finding.kind == machine::FindingKind::global_race ||
                         finding.kind == machine::FindingKind::uninitialised_read;
    if (!goes_on) return code_of(finding.kind);
  }
  return abi::kLaunchFailure;  // the launch was ended because of too many races
}

void publish_findings(const std::vector<machine::Finding> &findings) {
  const auto &options = current_device().options();
  for (const auto &finding : findings) {
    if (options.print_findings) say_finding(finding);
    if (!options.report.empty()) append_finding(options.report, finding);
  }
}

int pack_parameters(Launch &launch, void **arguments) {
  const auto &code = launch.kernel->code();
  launch.parameters.resize(code.parameter_bytes);
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const auto &place = code.parameters[i];
    if (!arguments || !arguments[i]) return abi::kInvalidValue;
    std::memcpy(launch.parameters.data() + place.offset, arguments[i], place.bytes);
  }
  return abi::kSuccess;
}

int check_launch(const Launch &launch) {
  for (const auto check : {check_block, check_bounds, check_shared})
    if (const int code = check(launch)) return code;
  return launch.cooperative ? check_cooperative(launch) : abi::kSuccess;
}

int run_launch(const Launch &launch) {
  machine::LaunchRequest request;
  request.function = launch.kernel->function;
  request.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  request.block = {launch.block.x, launch.block.y, launch.block.z};
  request.dynamic_shared_bytes = static_cast<std::uint32_t>(launch.shared_bytes);
  request.parameters = launch.parameters;
  auto &device = current_device();
  const auto before = device.options().launch;
  if (launch.cooperative) {
    if (const int code = prepare_cooperative(launch, request)) return code;
  }
  std::fflush(stdout);  // what the program printed comes before what its kernels print
  bring_registered(true);
  const auto result = device.run(*launch.kernel->program, request);
  bring_registered(false);
  if (launch.cooperative) device.options().launch = before;
  publish_findings(result.findings);
  const int code = error_of(result);
  if (spoils(code)) set_sticky_error(code);
  return code;
}

int launch_kernel(const void *function, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                  std::size_t shared_bytes, void *stream, bool cooperative) {
  auto *const kernel = find_kernel(function);
  if (!kernel) return abi::kInvalidDeviceFunction;
  if (const int code = kernel->resolve()) return code;
  Launch launch{kernel, grid, block, shared_bytes, cooperative, {}};
  if (const int code = check_launch(launch)) return code;
  if (const int code = pack_parameters(launch, arguments)) return code;
  return submit(stream, NodeKind::kernel, [launch = std::move(launch)] { return run_launch(launch); });
}

}  // namespace cupilot::emulate::runtime
