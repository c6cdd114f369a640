// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/timing/rotation.h"

#include <algorithm>

#include "evolution/device/kernels/cuda_call.h"

namespace cupilot::device::timing {

namespace {

/// Share of the device's free memory for sets; the rest is for the variant's scratch memory.
constexpr double kMemoryShare = 0.8;

kernels::Type type_of(const judge::cases::PlacedBuffer &buffer) {
  return static_cast<kernels::Type>(buffer.element.type);
}
std::uint64_t count_of(const judge::cases::PlacedBuffer &buffer) {
  return buffer.element.type == spec::ElementType::opaque ? buffer.bytes : buffer.elements;
}

}  // namespace

Rotation::~Rotation() {
  for (const Kept &kept : kept_) {
    (void)cudaFree(kept.data);
    (void)cudaFree(kept.squares);
  }
  (void)cudaFree(records_);
}

Result<> Rotation::fill(memory::CaseMemory &memory, std::size_t content) {
  judge::launches::Setting setting = setting_;
  setting.seed = seeds_[content];
  CUPILOT_CHECKED(memory.prepare(*parameters_, setting));
  return memory.keep_inouts();
}

Result<> Rotation::add_set(memory::CaseMemory &memory) {
  content_.push_back(sets_.size() % seeds_.size());
  sets_.push_back(&memory);
  return fill(memory, content_.back());
}

Result<> Rotation::exchange() {
  for (std::size_t set = 0; set < seeds_.size(); ++set) {
    content_[set] = (set + 1) % seeds_.size();
    CUPILOT_CHECKED(fill(*sets_[set], content_[set]));
  }
  return {};
}

Result<> Rotation::dump(std::size_t content, std::span<std::byte> to) {
  const auto set = static_cast<std::size_t>(std::ranges::find(content_, content) - content_.begin());
  return sets_[set]->dump(to);
}

/// Size of the arena and of the copies of buffers that are read and written.
std::uint64_t Rotation::set_bytes() const {
  std::uint64_t bytes = first_.layout().arena_bytes;
  for (const judge::cases::PlacedBuffer &buffer : first_.layout().buffers)
    if (buffer.role == spec::BufferRole::inout) bytes += buffer.bytes;
  return bytes;
}

Result<> Rotation::prepare(const std::vector<spec::Parameter> &parameters,
                           const judge::launches::Setting &setting, const std::vector<std::uint64_t> &seeds) {
  parameters_ = &parameters;
  setting_ = setting;
  seeds_ = seeds.empty() ? std::vector{setting.seed} : seeds;
  CUPILOT_CHECKED(add_set(first_));
  CUPILOT_CHECKED(grow(seeds_.size()));
  seeds_.resize(std::min(seeds_.size(), sets_.size()));
  kept_.resize(seeds_.size());
  const judge::cases::CaseLayout &layout = first_.layout();
  for (Kept &kept : kept_) {
    CUPILOT_CUDA("allocating copies of outputs",
                 kernels::device_allocate(&kept.data, std::max<std::uint64_t>(layout.dump_bytes, 64)));
    CUPILOT_CUDA("allocating sums of outputs",
                 kernels::device_allocate(&kept.squares, (layout.buffers.size() + 1) * sizeof *kept.squares));
  }
  CUPILOT_CUDA("allocating records", kernels::device_allocate(&records_, kMostRecords * sizeof *records_));
  CUPILOT_CUDA("clearing records", cudaMemsetAsync(records_, 0, kMostRecords * sizeof *records_, stream_));
  return {};
}

Result<> Rotation::grow(std::size_t size) {
  std::size_t free_bytes = 0, all_bytes = 0;
  CUPILOT_CUDA("asking for free memory", cudaMemGetInfo(&free_bytes, &all_bytes));
  const double each = static_cast<double>(set_bytes() + first_.layout().dump_bytes + 1);
  const auto most = static_cast<std::size_t>(kMemoryShare * static_cast<double>(free_bytes) / each);
  size = std::min(size, sets_.size() + most);
  while (sets_.size() < size) {
    owned_.push_back(std::make_unique<memory::CaseMemory>(stream_));
    CUPILOT_CHECKED(add_set(*owned_.back()));
  }
  return {};
}

Result<> Rotation::keep(std::size_t set) {
  memory::CaseMemory &memory = *sets_[set];
  const Kept &kept = kept_[content_of(set)];
  const auto offsets = judge::cases::dump_offsets(memory.layout());
  const auto &buffers = memory.layout().buffers;
  CUPILOT_CUDA("clearing sums of outputs",
               cudaMemsetAsync(kept.squares, 0, (buffers.size() + 1) * sizeof *kept.squares, stream_));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].dumped()) continue;
    char *copy = kept.data + offsets[i];
    CUPILOT_CUDA("keeping outputs", cudaMemcpyAsync(copy, memory.address(buffers[i]), buffers[i].bytes,
                                                    cudaMemcpyDeviceToDevice, stream_));
    CUPILOT_CUDA("summing outputs", kernels::add_squares(copy, count_of(buffers[i]), type_of(buffers[i]),
                                                         kept.squares + i, stream_));
  }
  return {};
}

Result<> Rotation::check(std::size_t set, std::size_t record) {
  memory::CaseMemory &memory = *sets_[set];
  const Kept &kept = kept_[content_of(set)];
  const auto offsets = judge::cases::dump_offsets(memory.layout());
  const auto &buffers = memory.layout().buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].dumped()) continue;
    CUPILOT_CUDA("checking timed outputs",
                 kernels::tell_differences(memory.address(buffers[i]), kept.data + offsets[i],
                                           count_of(buffers[i]), type_of(buffers[i]), kept.squares + i,
                                           records_ + std::min(record, kMostRecords - 1), stream_));
  }
  return {};
}

Result<std::vector<kernels::OutputDifference>> Rotation::differences(std::size_t records) {
  std::vector<kernels::OutputDifference> all(std::min(records, kMostRecords));
  CUPILOT_CUDA("reading checks", cudaMemcpyAsync(all.data(), records_, all.size() * sizeof all[0],
                                                 cudaMemcpyDeviceToHost, stream_));
  CUPILOT_CUDA("reading checks", cudaStreamSynchronize(stream_));
  return all;
}

}  // namespace cupilot::device::timing
