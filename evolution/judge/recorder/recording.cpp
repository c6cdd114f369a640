// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/recording.h"

#include <algorithm>
#include <cstring>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/attributes.h"

namespace cupilot::judge::recorder {

namespace {

namespace abi = emulate::runtime::abi;

/// Made-up addresses for scratch memory without a place yet: aligned like the runtime's allocations, and
/// never an address of a device.
constexpr std::uint64_t kNowhere = 0x0000'6000'0000'0000, kPieceAlignment = 256;

}  // namespace

Recording &recording() {
  static auto &one = *new Recording;
  return one;
}

void Recording::know(launches::LoadQuestion question) {
  for (launches::LoadedKernel &kernel : question.kernels) {
    const std::string symbol = kernel.symbol;
    kernels_[symbol] = std::move(kernel);
  }
  for (const auto &[attribute, value] : question.device.attributes) device_[attribute] = value;
}

void Recording::register_kernel(const void *host, const char *symbol) {
  const auto known = kernels_.find(symbol);
  if (known != kernels_.end()) registered_[host] = &known->second;
}

void Recording::begin(const launches::RecordQuestion &question, const void *stream) {
  question_ = question;
  stream_ = stream;
  list_ = {};
  nowhere_ = kNowhere;
  last_error = 0;
}

launches::LaunchList Recording::take() {
  question_.reset();
  return std::move(list_);
}

int Recording::remember(int code) {
  if (code != emulate::runtime::abi::kSuccess) last_error = code;
  return code;
}

void Recording::complain(const std::string &text) {
  if (list_.complaint.empty()) list_.complaint = text;
}

bool Recording::is_ours(const void *stream) {
  if (stream == stream_) return true;
  complain("queues work on another stream than l.stream, which nobody waits for");
  return false;
}

const launches::LoadedKernel *Recording::facts(const void *function) const {
  const auto found = registered_.find(function);
  return found == registered_.end() ? nullptr : found->second;
}

std::optional<int> Recording::device_attribute(int attribute) const {
  const auto found = device_.find(attribute);
  return found == device_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> Recording::function_attribute(const void *function, int attribute) const {
  const launches::LoadedKernel *kernel = facts(function);
  std::optional<int> value;
  for (const auto &set : list_.attributes)
    if (kernel && set.kernel == kernel->symbol && set.attribute == attribute) value = set.value;
  return value;
}

/// Does not check the configuration: the device refuses an invalid one later and says why.
int Recording::launch(const void *function, const Configuration &configuration, void **arguments,
                      const launches::QueuedWork &attributes) {
  const launches::LoadedKernel *kernel = facts(function);
  if (!question_) return emulate::runtime::abi::kInitializationError;
  if (!kernel) return emulate::runtime::abi::kInvalidDeviceFunction;
  if (!is_ours(configuration.stream)) return emulate::runtime::abi::kInvalidResourceHandle;
  launches::QueuedWork work = attributes;
  work.kind = launches::QueuedWork::Kind::launch;
  work.kernel = kernel->symbol;
  work.grid = configuration.grid;
  work.block = configuration.block;
  work.shared_bytes = configuration.shared_bytes;
  for (std::size_t i = 0; i < kernel->parameter_bytes.size(); ++i) {
    if (!arguments || !arguments[i]) return emulate::runtime::abi::kInvalidValue;
    const auto *const begin = static_cast<const std::byte *>(arguments[i]);
    work.arguments.emplace_back(begin, begin + kernel->parameter_bytes[i]);
  }
  list_.work.push_back(std::move(work));
  return emulate::runtime::abi::kSuccess;
}

int Recording::fill(void *to, int value, std::size_t bytes, const void *stream) {
  if (!question_) return emulate::runtime::abi::kInitializationError;
  if (!is_ours(stream)) return emulate::runtime::abi::kInvalidResourceHandle;
  launches::QueuedWork work;
  work.kind = launches::QueuedWork::Kind::memset;
  work.address = reinterpret_cast<std::uint64_t>(to);
  work.bytes = bytes;
  work.value = static_cast<std::uint8_t>(value);
  list_.work.push_back(std::move(work));
  return emulate::runtime::abi::kSuccess;
}

int Recording::allocate(void **to, std::size_t bytes, const void *stream) {
  if (!question_) return emulate::runtime::abi::kInitializationError;
  const launches::RecordQuestion &question = *question_;
  if (!to) return emulate::runtime::abi::kInvalidValue;
  *to = nullptr;
  if (!is_ours(stream)) return emulate::runtime::abi::kInvalidResourceHandle;
  if (bytes == 0) return emulate::runtime::abi::kSuccess;
  const std::uint64_t most = question.scratch_most, used = list_.scratch_bytes();
  if (bytes > most || used > most - bytes) return emulate::runtime::abi::kMemoryAllocation;
  const std::size_t number = list_.scratch.size();
  list_.scratch.push_back(bytes);
  std::uint64_t address = nowhere_;
  if (number < question.scratch.size() && bytes <= question.scratch[number].bytes)
    address = question.scratch[number].address;
  else
    nowhere_ += (bytes + kPieceAlignment) / kPieceAlignment * kPieceAlignment;
  *to = reinterpret_cast<void *>(address);
  return emulate::runtime::abi::kSuccess;
}

int Recording::set_attribute(const void *function, int attribute, int value) {
  const launches::LoadedKernel *kernel = facts(function);
  if (!kernel) return emulate::runtime::abi::kInvalidDeviceFunction;
  if (!question_) return emulate::runtime::abi::kInitializationError;
  if (attribute == emulate::runtime::abi::kFuncAttributeMaxDynamicSharedMemorySize) {
    const int most =
        device_attribute(emulate::runtime::abi::kDevAttrMaxSharedMemoryPerBlockOptin).value_or(48 << 10) -
        kernel->static_shared_bytes;
    if (value < 0 || value > most) return emulate::runtime::abi::kInvalidValue;
  }
  list_.attributes.push_back({kernel->symbol, attribute, value});
  return emulate::runtime::abi::kSuccess;
}

}  // namespace cupilot::judge::recorder
