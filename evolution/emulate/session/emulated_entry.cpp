// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/emulated_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/launch/launch.h"
#include "evolution/emulate/runtime/api/memory/allocations.h"
#include "evolution/emulate/runtime/api/memory/copy.h"
#include "evolution/emulate/runtime/api/properties/properties.h"
#include "evolution/emulate/session/address_flow.h"
#include "evolution/emulate/session/device_coverage.h"
#include "evolution/judge/launches/device_code.h"

extern "C" {
int cudaFuncGetAttributes(cupilot::emulate::runtime::abi::FunctionAttributes *attributes,
                          const void *function);
int cudaFuncSetAttribute(const void *function, int attribute, int value);
}

namespace cupilot::emulate::session {

namespace {

judge::launches::LoadedKernel facts_of(const runtime::Kernel &kernel) {
  runtime::abi::FunctionAttributes attributes;
  (void)cudaFuncGetAttributes(&attributes, &kernel);
  judge::launches::LoadedKernel facts;
  facts.symbol = kernel.name;
  for (const auto &parameter : kernel.code().parameters)
    facts.parameter_bytes.push_back(static_cast<std::uint32_t>(parameter.bytes));
  facts.registers = attributes.registers;
  facts.static_shared_bytes = static_cast<int>(attributes.shared_bytes);
  facts.local_bytes = static_cast<int>(attributes.local_bytes);
  facts.constant_bytes = static_cast<int>(attributes.constant_bytes);
  facts.most_threads = attributes.threads_most;
  return facts;
}

judge::launches::DeviceFacts device_facts(const runtime::DeviceModel &model) {
  judge::launches::DeviceFacts facts;
  for (int i = 1; i <= runtime::abi::kLastDeviceAttribute; ++i)
    if (const auto value = runtime::device_attribute(model, i)) facts.attributes.emplace_back(i, *value);
  return facts;
}

/// Scratch memory of one list, as the runtime allocates it for l.scratch().
class ScratchPieces {
public:
  ScratchPieces() = default;
  ScratchPieces(const ScratchPieces &) = delete;
  ScratchPieces &operator=(const ScratchPieces &) = delete;
  ~ScratchPieces() {
    for (const judge::launches::MemoryRange &place : places_)
      (void)runtime::release(reinterpret_cast<void *>(place.address), "l.scratch");
  }
  bool allocate(const std::vector<std::uint64_t> &sizes) {
    for (const std::uint64_t bytes : sizes) {
      void *place = nullptr;
      if (runtime::allocate(&place, bytes, runtime::abi::kDeviceMemory) != runtime::abi::kSuccess)
        return false;
      places_.push_back({reinterpret_cast<std::uint64_t>(place), bytes});
    }
    return true;
  }
  const std::vector<judge::launches::MemoryRange> &places() const { return places_; }

private:
  std::vector<judge::launches::MemoryRange> places_;
};

std::uint64_t word_at(const std::vector<std::byte> &bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

std::vector<judge::launches::MemoryRange> memory_of(const judge::launches::Arguments &arguments) {
  std::vector<judge::launches::MemoryRange> memory;
  for (std::size_t i = 0; i < arguments.pointers().size(); ++i)
    memory.push_back({word_at(arguments.values()[arguments.pointers()[i]], 0), arguments.pointer_bytes()[i]});
  return memory;
}

bool lies_in(std::uint64_t word, const std::vector<judge::launches::MemoryRange> &memory) {
  return std::ranges::any_of(memory, [&](const judge::launches::MemoryRange &one) {
    return one.address && word >= one.address && word - one.address <= one.bytes;
  });
}

bool moved_along(std::uint64_t before, const std::vector<judge::launches::MemoryRange> &memory_before,
                 std::uint64_t word, const std::vector<judge::launches::MemoryRange> &memory) {
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (const auto distance = memory[i].address - memory_before[i].address;
        distance && word - before == distance)
      return true;
  return false;
}

runtime::Kernel *find(const std::vector<runtime::Kernel *> &kernels, const std::string &symbol) {
  const auto found =
      std::ranges::find_if(kernels, [&](const runtime::Kernel *kernel) { return kernel->name == symbol; });
  return found == kernels.end() ? nullptr : *found;
}

int launch_one(const runtime::Kernel &kernel, const judge::launches::QueuedWork &work) {
  std::vector<void *> arguments;
  for (const auto &argument : work.arguments) arguments.push_back(const_cast<std::byte *>(argument.data()));
  const auto &[grid, block] = std::pair(work.grid, work.block);
  return runtime::call([&] {
    return runtime::launch_kernel(&kernel, {grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]},
                                  arguments.data(), work.shared_bytes, nullptr, work.cooperative);
  });
}

int fill_one(const judge::launches::QueuedWork &work) {
  return runtime::call([&] {
    return runtime::fill_region({reinterpret_cast<std::byte *>(work.address), work.bytes, work.bytes},
                                {work.bytes, 1, 1}, work.value, 1);
  });
}

/// Addresses of buffers in calls that launch nothing, and the distance between two as a power of two; as many
/// calls are asked for at once.
constexpr std::uint64_t kNoBuffers = 0x7000'0000'0000;
constexpr int kApart = 36;
constexpr std::size_t kAtOnce = 256;

/// FNV-1a.
class Hash {
public:
  void add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) value_ = (value_ ^ (value >> (8 * i) & 0xff)) * 0x100'0000'01b3;
  }
  std::uint64_t value() const { return value_ ^ value_ >> 32; }

private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325;
};

}  // namespace

Result<std::shared_ptr<EmulatedEntry>> EmulatedEntry::load(const std::filesystem::path &library,
                                                           judge::launches::HostRules rules,
                                                           const std::string &architecture) {
  CUPILOT_TRY(code, judge::launches::device_code_of(library));
  CUPILOT_TRY(model, runtime::device_model(architecture));
  auto entry = std::make_shared<EmulatedEntry>();
  entry->image_ = std::make_shared<runtime::Image>(std::move(code));
  const auto loaded = entry->image_->try_program();
  if (!loaded) {
    entry->trouble_ =
        judge::launches::Fault{judge::launches::Fault::Kind::unsupported, "load", loaded.error().message};
    return entry;
  }
  entry->remember_values(**loaded);
  judge::launches::LoadQuestion question{library.string(), {}, device_facts(model)};
  for (runtime::Kernel *kernel : runtime::kernels_of(entry->image_)) {
    if (!kernel || kernel->resolve() != runtime::abi::kSuccess) continue;
    entry->kernels_.push_back(kernel);
    question.kernels.push_back(facts_of(*kernel));
  }
  entry->host_.emplace(std::move(rules), std::move(question));
  return entry;
}

void EmulatedEntry::remember_values(const machine::LoadedProgram &program) {
  const auto &variables = program.program->module->variables;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool has_value = !variables[i].value.empty() || !variables[i].relocations.empty();
    if (variables[i].space != ptx::Space::global || !has_value || !program.variables[i]) continue;
    const auto *const begin = reinterpret_cast<const std::byte *>(program.variables[i]);
    initial_.push_back(
        {std::string(variables[i].name), program.variables[i], {begin, begin + variables[i].bytes}});
  }
}

std::vector<std::string> EmulatedEntry::changed_variables() const {
  std::vector<std::string> names;
  for (const InitialValue &one : initial_)
    if (std::memcmp(reinterpret_cast<const std::byte *>(one.address), one.bytes.data(), one.bytes.size()) !=
        0)
      names.push_back(one.name);
  return names;
}

/// The first answer says how much scratch memory there must be, the second where it was used.
judge::launches::Recorded EmulatedEntry::ask(const model::Case &which, const CaseBuffers &buffers,
                                             std::vector<judge::launches::MemoryRange> &scratch) {
  judge::launches::RecordQuestion question = judge::launches::question_of(which, buffers.arguments());
  const auto &memory = runtime::current_device().memory();
  question.scratch = scratch;
  question.scratch_most = memory.capacity() - std::min(memory.capacity(), memory.used());
  return host_.value().list(question);
}

std::optional<judge::launches::Fault> EmulatedEntry::unsupported(
    const judge::launches::LaunchList &list) const {
  const auto several = [](const auto &cluster) {
    return std::uint64_t{cluster[0]} * cluster[1] * cluster[2] > 1;
  };
  for (const judge::launches::QueuedWork &work : list.work) {
    const runtime::Kernel *const kernel = find(kernels_, work.kernel);
    if (several(work.cluster) || (kernel && several(kernel->code().source->cluster)))
      return judge::launches::Fault{
          judge::launches::Fault::Kind::unsupported, "launch",
          fmt::format("the launch of {} asks for thread block clusters", work.kernel)};
  }
  return std::nullopt;
}

/// An address is in one of the buffers, or it has moved as one of them since the last list for this case.
std::optional<judge::launches::Fault> EmulatedEntry::addresses_used(
    const model::Case &which, const judge::launches::LaunchList &list, const CaseBuffers &buffers,
    const std::vector<judge::launches::MemoryRange> &scratch) {
  std::vector<judge::launches::MemoryRange> memory = memory_of(buffers.arguments());
  memory.insert(memory.end(), scratch.begin(), scratch.end());
  for (std::size_t i = 0; i < list.work.size(); ++i) {
    const judge::launches::QueuedWork &work = list.work[i];
    runtime::Kernel *const kernel = find(kernels_, work.kernel);
    if (work.kind != judge::launches::QueuedWork::Kind::launch || !kernel) continue;
    PassedArguments &before = passed_[fmt::format("{}/{}/{}", which.id, i, work.kernel)];
    std::vector<std::uint32_t> &known = pointers_[work.kernel];
    const std::size_t count = known.size();
    for (std::size_t p = 0; p < std::min(work.arguments.size(), kernel->code().parameters.size()); ++p)
      for (std::size_t at = 0; at + sizeof(std::uint64_t) <= work.arguments[p].size(); at += 8) {
        const auto place = static_cast<std::uint32_t>(kernel->code().parameters[p].offset + at);
        if (std::ranges::find(known, place) != known.end()) continue;
        const std::uint64_t word = word_at(work.arguments[p], at);
        const bool same_list = p < before.arguments.size() && before.memory.size() == memory.size() &&
                               before.arguments[p].size() == work.arguments[p].size();
        const bool moved =
            same_list && moved_along(word_at(before.arguments[p], at), before.memory, word, memory);
        if (moved || lies_in(word, memory)) known.push_back(place);
      }
    before = {work.arguments, memory};
    if (known.size() == count) continue;
    AddressUse use = address_use(*kernel->program->program, kernel->function, known);
    compared_addresses_.merge(use.compared);
    if (use.computed)
      return judge::launches::Fault{
          judge::launches::Fault::Kind::forbidden, "address",
          *use.computed +
              ": where memory lies is chance, so nothing may depend on it. Kernels may load and store "
              "through addresses, look at their lowest 8 bits, and compare them with each other"};
  }
  return std::nullopt;
}

/// What an earlier list has asked for is no property of this one.
int EmulatedEntry::set_attributes(const judge::launches::LaunchList &list) const {
  const runtime::Kernel fresh;
  for (runtime::Kernel *kernel : kernels_)
    kernel->dynamic_shared_most = fresh.dynamic_shared_most, kernel->carveout = fresh.carveout;
  for (const auto &attribute : list.attributes)
    if (const int code =
            cudaFuncSetAttribute(find(kernels_, attribute.kernel), attribute.attribute, attribute.value))
      return code;
  return runtime::abi::kSuccess;
}

int EmulatedEntry::launch_all(const judge::launches::LaunchList &list,
                              const std::vector<judge::launches::MemoryRange> &scratch,
                              const Between &between) const {
  if (const int code = set_attributes(list)) return code;
  for (const judge::launches::QueuedWork &work : list.work) {
    if (between && &work != &list.work.front()) between();
    if (before_work) before_work(work, scratch);
    const bool is_launch = work.kind == judge::launches::QueuedWork::Kind::launch;
    if (const int code = is_launch ? launch_one(*find(kernels_, work.kernel), work) : fill_one(work))
      return code;
  }
  return runtime::abi::kSuccess;
}

Result<EmulatedEntry::Launched> EmulatedEntry::launch(const model::Case &which, CaseBuffers &buffers,
                                                      const Between &between) {
  Launched launched;
  if ((launched.fault = trouble_)) return launched;
  std::vector<judge::launches::MemoryRange> nowhere;
  judge::launches::Recorded list = ask(which, buffers, nowhere);
  const auto pieces = std::make_shared<ScratchPieces>();
  ScratchPieces &scratch = *pieces;
  kept_scratch_ = before_work ? pieces : nullptr;
  std::vector<judge::launches::MemoryRange> places;
  if (list && !list->scratch.empty()) {
    if (!scratch.allocate(list->scratch)) return fail("there is no memory for the scratch of a launch");
    places = scratch.places();
    list = ask(which, buffers, places);
  }
  if (list) launched.fault = host_.value().check(*list, buffers.writable(), places, buffers.has_outputs());
  if (!list) launched.fault = list.error();
  if (!launched.fault) launched.fault = unsupported(*list);
  if (!launched.fault) launched.fault = addresses_used(which, *list, buffers, places);
  if (launched.fault) return launched;
  launched.declined = list->declined;
  launched.scratch_bytes = list->scratch_bytes();
  if (!launched.declined) launched.code = list->error ? list->error : launch_all(*list, places, between);
  return launched;
}

judge::launches::Coverage EmulatedEntry::coverage() {
  const auto loaded = image_->try_program();
  if (!loaded) return {.unknown = {"device: " + loaded.error().message}};
  machine::StepMarks all = marks_;
  if (!special_marks_.empty()) all.merge(special_marks_);
  return device_coverage(*(*loaded)->program, {all, marks_}, compared_addresses_);
}

const UniformValues &EmulatedEntry::uniform(std::uint32_t function) {
  return uniform_.try_emplace(function, *(*image_->try_program())->program, function).first->second;
}

std::vector<std::int64_t> EmulatedEntry::numbers() {
  std::vector<std::int64_t> all;
  if (trouble_) return all;
  for (const auto &[name, function] : (*image_->try_program())->program->entries)
    std::ranges::copy(uniform(function).numbers(), std::back_inserter(all));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

void EmulatedEntry::add_launches(judge::launches::Outcomes &outcomes,
                                 const judge::launches::LaunchList &list) {
  using judge::launches::OutcomeKind;
  const program::Program &program = *(*image_->try_program())->program;  // trouble_ is none
  Hash hash;
  hash.add(list.declined);
  for (const judge::launches::QueuedWork &work : list.work) {
    hash.add(static_cast<std::uint64_t>(work.kind));
    if (work.kind != judge::launches::QueuedWork::Kind::launch) continue;
    const auto kernel = program.entries.find(work.kernel);
    if (kernel == program.entries.end()) continue;
    const std::uint32_t function = kernel->second;
    Hash shape;
    for (const auto &sizes : {work.block, work.cluster})
      for (const std::uint32_t size : sizes) shape.add(size);
    hash.add(function);
    shape.add(function);
    outcomes.push_back(judge::launches::outcome(OutcomeKind::launch, shape.value()));
    for (const UniformTruth &one : uniform(function).truths({work.grid, work.block, work.arguments}))
      outcomes.push_back(
          judge::launches::outcome(OutcomeKind::condition, std::uint64_t{one.pc} << 1 | (one.value ? 1 : 0)));
  }
  outcomes.push_back(judge::launches::outcome(OutcomeKind::launch, hash.value()));
}

Result<std::vector<judge::launches::Outcomes>> EmulatedEntry::outcomes(
    const std::vector<spec::Parameter> &parameters, std::span<const model::Case> cases) {
  if (trouble_) return std::vector<judge::launches::Outcomes>();
  std::vector<judge::launches::RecordQuestion> questions;
  for (const model::Case &which : cases) {
    CUPILOT_TRY(layout, judge::cases::make_layout(parameters, which, judge::cases::Placement::base));
    std::vector<std::uint64_t> addresses;
    for (std::size_t i = 0; i < layout.buffers.size(); ++i) addresses.push_back(kNoBuffers + (i << kApart));
    CUPILOT_TRY(arguments, judge::launches::Arguments::make(parameters, which, layout, addresses));
    questions.push_back(judge::launches::question_of(which, arguments));
    questions.back().scratch_most = runtime::current_device().memory().capacity();
  }
  std::vector<judge::launches::Outcomes> all;
  for (std::size_t begin = 0; begin < questions.size(); begin += kAtOnce) {
    const auto some = std::span(questions).subspan(begin, std::min(kAtOnce, questions.size() - begin));
    auto told = host_.value().outcomes(some);
    if (!told) return fail(told.error().text);
    for (judge::launches::CallOutcomes &call : *told) {
      add_launches(call.host, call.list);
      std::ranges::sort(call.host);
      call.host.erase(std::ranges::unique(call.host).begin(), call.host.end());
      all.push_back(std::move(call.host));
    }
  }
  return all;
}

}  // namespace cupilot::emulate::session
