// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/child.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>

#include "annotate/support/log.h"
#include "evolution/judge/cases/explored_cases.h"
#include "evolution/judge/engine/channel.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/launches/excerpt.h"
#include "evolution/judge/launches/host_side.h"
#include "evolution/judge/launches/session.h"
#include "evolution/judge/sandbox/sandbox.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::engine {

namespace {

class Child {
public:
  Child(std::unique_ptr<launches::DeviceSession> session, std::span<std::byte> dump)
      : session_(std::move(session)), dump_(dump) {}

  /// Executes an order. Returns the line of the answer, or an error after which this process must end.
  Result<std::string> obey(const Order &order) {
    switch (order.what) {
      case Order::What::setup:
        return setup(order);
      case Order::What::load:
        return load(order);
      case Order::What::bandwidth:
        return bandwidth();
      case Order::What::run:
        return run(order);
      case Order::What::time:
        return time(order);
      case Order::What::profile:
        return profile(order);
      case Order::What::estimate:
        return estimate(order);
      case Order::What::host_trace:
        return host_trace(order);
      case Order::What::coverage:
        return coverage(order);
      case Order::What::outcomes:
        return outcomes(order);
      case Order::What::excerpt:
        return excerpt(order);
      case Order::What::timed_outputs:
        CUPILOT_CHECKED(session_->timed_outputs(order.content, slot(order.run)));
        return done_line();
    }
    return fail("unknown order");
  }

private:
  Result<std::string> setup(const Order &order) {
    CUPILOT_TRY(bundle, model::bundle_from_json(order.text));
    bundle_ = std::move(bundle);
    return done_line();
  }
  Result<std::string> load(const Order &order) {
    std::string &loaded = loaded_[static_cast<int>(order.role)];
    if (loaded == order.text) return done_line();  // loaded already, for an earlier stage
    loaded = order.text;
    launches::HostRules host{.recorder = recorders_[static_cast<int>(order.role)],
                             .foreign = {},
                             .traced = order.traced,
                             .impatient = order.impatient};
    for (const launches::KernelResources &foreign : order.kernels) host.foreign.push_back(foreign.symbol);
    CUPILOT_TRY(entry, session_->load(order.text, std::move(host)));
    entries_[static_cast<int>(order.role)] = std::move(entry);
    return done_line();
  }
  Result<std::string> bandwidth() {
    CUPILOT_CHECKED(session_->copy_bandwidth_gbs());
    return to_line(session_->report());
  }
  Result<std::string> run(const Order &order) {
    CUPILOT_TRY(report, session_->run(*entries_[static_cast<int>(order.role)], bundle_.parameters,
                                      setting(order.run), slot(order.run)));
    return to_line(report);
  }
  Result<std::string> time(const Order &order) {
    CUPILOT_TRY(report, session_->time(*entries_[0], *entries_[1], bundle_.parameters, setting(order.run),
                                       order.timing));
    return to_line(report);
  }
  Result<std::string> profile(const Order &order) {
    return to_line(
        session_->profile(*entries_[static_cast<int>(order.role)], bundle_.parameters, setting(order.run)));
  }

  Result<std::string> estimate(const Order &order) {
    CUPILOT_TRY(report, session_->estimate(*entries_[static_cast<int>(order.role)], bundle_.parameters,
                                           setting(order.run), order.kernels));
    return to_line(report);
  }

  Result<std::string> host_trace(const Order &order) {
    const auto trace = recorders_[static_cast<int>(order.role)]->trace();
    return to_line(trace ? *trace : launches::HostTrace{.unknown = trace.error().text});
  }

  Result<std::string> coverage(const Order &order) {
    CUPILOT_TRY(coverage, session_->coverage(*entries_[static_cast<int>(order.role)]));
    return to_line(coverage);
  }

  /// The calls that go a way which no case of the bundle goes. The parent makes cases of them.
  Result<std::string> outcomes(const Order &order) {
    std::vector<model::Case> judged, explored;
    std::ranges::copy_if(bundle_.cases, std::back_inserter(judged), &model::Case::verified);
    launches::Entry &entry = *entries_[static_cast<int>(order.role)];
    std::vector<std::int64_t> numbers = order.numbers;
    std::ranges::copy(session_->numbers(entry), std::back_inserter(numbers));
    const auto made = cases::explored_cases(bundle_.spec, numbers, order.run.setting.seed);
    for (const cases::ExploredCase &one : made) explored.push_back(one.which);
    CUPILOT_TRY(seen, session_->outcomes(entry, bundle_.parameters, judged));
    CUPILOT_TRY(told, session_->outcomes(entry, bundle_.parameters, explored));
    std::vector<cases::ExploredCall> calls;
    for (const std::size_t index : launches::calls_with_new_outcomes(seen, told, {}))
      calls.push_back(made[index].call);
    return to_line(calls);
  }

  Result<std::string> excerpt(const Order &order) {
    CUPILOT_TRY(report, session_->excerpt(*entries_[static_cast<int>(order.role)], bundle_.parameters,
                                          setting(order.run), order.wanted, slot(order.run)));
    return to_line(report);
  }

  launches::Setting setting(const RunOrder &run) const {
    launches::Setting setting = run.setting;
    setting.which = &bundle_.cases.at(run.case_index);
    return setting;
  }
  std::span<std::byte> slot(const RunOrder &run) const {
    const std::size_t half = dump_.size() / 2;
    return dump_.subspan(run.slot ? half : 0, half);
  }

  std::unique_ptr<launches::DeviceSession> session_;
  std::span<std::byte> dump_;
  model::Bundle bundle_;
  std::array<std::shared_ptr<launches::Recorder>, kEntryRoles> recorders_{
      ///< indexed by EntryRole, like entries_
      std::make_shared<launches::Recorder>(kChildRecorders),
      std::make_shared<launches::Recorder>(kChildRecorders + 1),
      std::make_shared<launches::Recorder>(kChildRecorders + 2)};
  std::array<std::shared_ptr<launches::Entry>, kEntryRoles> entries_;
  std::array<std::string, kEntryRoles> loaded_;  ///< the libraries of entries_
};

Result<std::span<std::byte>> map_dump() {
  struct stat status{};
  if (::fstat(kChildDump, &status) != 0) return fail("no shared memory");
  const auto size = static_cast<std::size_t>(status.st_size);
  void *memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kChildDump, 0);
  if (memory == MAP_FAILED) return fail("shared memory cannot be mapped");
  return std::span(static_cast<std::byte *>(memory), size);
}

Result<> serve(Channel &channel, const Engine &engine, const std::string &architecture) {
  CUPILOT_TRY(dump, map_dump());
  CUPILOT_TRY(session, engine.open(architecture));
  CUPILOT_TRY(locked, sandbox::enter_sandbox({.readable = {"/"}, .device = true, .notes = STDERR_FILENO}));
  if (!locked.missing.empty()) log::debug("the child's sandbox: " + locked.missing);
  CUPILOT_CHECKED(channel.send(to_line(session->report())));
  Child child(std::move(session), dump);
  while (const auto line = channel.receive({})) {
    CUPILOT_TRY(order, order_from_line(*line));
    CUPILOT_TRY(answer, child.obey(order));
    CUPILOT_CHECKED(channel.send(answer));
  }
  return {};
}

}  // namespace

int child_main(const Engine &engine, const std::string &architecture) {
  Channel channel(kChildChannel);
  if (const auto served = serve(channel, engine, architecture); !served) {
    (void)channel.send(failed_line(served.error().message));
    ::_exit(1);  // after a CUDA error nothing can be cleaned up: no destructors
  }
  ::_exit(0);
}

}  // namespace cupilot::judge::engine
