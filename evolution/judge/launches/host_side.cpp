// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/host_side.h"

#include "evolution/judge/launches/device_code.h"

namespace cupilot::judge::launches {

namespace {

/// The placements, families and rotated inputs of one bundle need a few hundred different lists.
constexpr std::size_t kMostKnown = 4096;

Fault keeps_state() {
  return {Fault::Kind::forbidden, "host-state",
          "launch() answers differently for the same arguments: it keeps state"};
}

}  // namespace

RecordQuestion question_of(const model::Case &which, const Arguments &arguments) {
  RecordQuestion question;
  question.grid = which.grid;
  question.block = which.block;
  question.shared_bytes = which.shared_bytes;
  question.arguments = arguments.values();
  question.pointers = arguments.pointers();
  question.pointer_bytes = arguments.pointer_bytes();
  // The runs at other addresses are also those on another device.
  question.fewer_processors = arguments.moved();
  return question;
}

HostSide::HostSide(HostRules rules, LoadQuestion question)
    : recorder_(std::move(rules.recorder)), kernels_(question.kernels) {
  for (const std::string &symbol : rules.foreign) foreign_.insert(symbol_of_any_file(symbol));
  question.traced = std::move(rules.traced);
  impatient_.insert(rules.impatient.begin(), rules.impatient.end());
  fault_ = recorder_->load(question);
}

std::optional<Fault> HostSide::ask_again(const Known &known) {
  const Recorded again = recorder_->record(known.question);
  if (!again) return again.error();
  // What surrounds the calls is drawn anew each time.
  if (!again->complaint.empty()) return Fault{Fault::Kind::forbidden, "host-state", again->complaint};
  return *again == known.list ? std::nullopt : std::optional(keeps_state());
}

Recorded HostSide::list(const RecordQuestion &question) {
  if (fault_) return std::unexpected(*fault_);
  if (known_.size() > kMostKnown) known_.clear(), last_ = nullptr;
  const std::vector<std::byte> key = to_bytes(question);
  if (const auto found = known_.find(key); found != known_.end()) return found->second.list;
  Recorded recorded = recorder_->record(question);
  if (!recorded) return fault_ = recorded.error(), recorded;
  const Known &known = known_[key] = {question, std::move(*recorded)};
  // The previous question is asked first, so that the new one is not simply asked twice in a row.
  if (last_) fault_ = ask_again(*last_);
  if (!fault_) fault_ = ask_again(known);
  if (fault_) return std::unexpected(*fault_);
  last_ = &known;
  return known.list;
}

std::optional<Fault> HostSide::check(const LaunchList &list, std::span<const MemoryRange> writable,
                                     std::span<const MemoryRange> scratch, bool writes) const {
  return check_list(
      list, {kernels_, foreign_.empty() ? nullptr : &foreign_, writable, scratch, writes, &impatient_});
}

}  // namespace cupilot::judge::launches
