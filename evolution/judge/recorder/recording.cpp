// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/recorder/recording.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/attributes.h"

namespace cupilot::judge::recorder {

namespace {

namespace abi = emulate::runtime::abi;

/// Made-up addresses for scratch memory without a place yet: aligned like the runtime's allocations, and
/// never an address of a device.
constexpr std::uint64_t kNowhere = 0x0000'6000'0000'0000, kPieceAlignment = 256;

/// An odd number that divides no power of two: what is divided by it has a rest.
int fewer(int processors) {
  return std::max(1, processors * 5 / 8 | 1);
}

/// Attributes (cudaDeviceAttr) that follow from the architecture. In all others two devices of one kind may
/// differ: clocks, slots, boards, nodes, error correction, what the system allows.
bool same_for_a_kind(int attribute) {
  struct Range {
    int first, last;
  };
  static constexpr Range kSame[] = {{1, 12},    {14, 16},   {21, 31},   {39, 39},   {41, 49},
                                    {51, 83},   {87, 87},   {90, 90},   {95, 95},   {97, 97},
                                    {106, 109}, {111, 112}, {115, 115}, {120, 121}, {126, 126}};
  return std::ranges::any_of(
      kSame, [&](const Range &range) { return attribute >= range.first && attribute <= range.last; });
}

int another(int value) {
  return value == 1 ? 0 : value + 1;  // most are yes or no
}

/// What a call finds whose program has an error that it has not asked for: a launch it could not make.
constexpr int kPending = abi::kInvalidDeviceFunction;

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

void Recording::also_at(std::uintptr_t distance) {
  distances_.push_back(distance);
}

void Recording::begin(const launches::RecordQuestion &question, const Around &around) {
  question_ = question;
  around_ = around;
  list_ = {};
  nowhere_ = kNowhere;
  last_error_ = 0;
}

launches::LaunchList Recording::take() {
  question_.reset();
  return std::move(list_);
}

int Recording::remember(int code) {
  if (code != emulate::runtime::abi::kSuccess) last_error_ = code;
  return code;
}

int Recording::last_error() const {
  return last_error_ == abi::kSuccess && around_.pending_error ? kPending : last_error_;
}

int Recording::take_error() {
  return std::exchange(last_error_, int{abi::kSuccess});
}

void Recording::complain(const std::string &text) {
  if (list_.complaint.empty()) list_.complaint = text;
}

bool Recording::is_ours(const void *stream) {
  if (stream == around_.stream) return true;
  complain("queues work on another stream than l.stream, which nobody waits for");
  return false;
}

const launches::LoadedKernel *Recording::facts(const void *function) const {
  const auto found = registered_.find(function);
  if (found != registered_.end()) return found->second;
  for (const auto distance : distances_) {
    const auto original =
        reinterpret_cast<const void *>(reinterpret_cast<std::uintptr_t>(function) - distance);
    if (const auto of_copy = registered_.find(original); of_copy != registered_.end()) return of_copy->second;
  }
  return nullptr;
}

std::optional<int> Recording::device_attribute(int attribute) const {
  const auto found = device_.find(attribute);
  if (found == device_.end()) return std::nullopt;
  if (attribute == emulate::runtime::abi::kDevAttrMultiProcessorCount && question_ &&
      question_->fewer_processors)
    return fewer(found->second);
  return around_.other_device && !same_for_a_kind(attribute) ? another(found->second) : found->second;
}

std::optional<int> Recording::function_attribute(const void *function, int attribute) const {
  const launches::LoadedKernel *kernel = facts(function);
  std::optional<int> value;
  for (const auto *all : {&around_.attributes, &list_.attributes})
    for (const auto &set : *all)
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
  if (around_.failing_piece && number >= *around_.failing_piece)
    return emulate::runtime::abi::kMemoryAllocation;
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
