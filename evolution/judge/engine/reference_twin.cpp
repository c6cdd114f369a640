// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/reference_twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "evolution/judge/correct/compare_parts.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

constexpr int kMostTwinRestarts = 3;
/// Each takes another run on every set of inputs; what further operands do counts as one.
constexpr std::size_t kMostOperandsAlone = 3;
/// Additional draws of random inputs when there are few outputs. Large inputs get fewer draws, because their
/// runs take long.
constexpr int kMoreDraws = 4, kMoreLargeDraws = 1;
/// Runs on inputs that are moved by one rounding, there as well.
constexpr int kFewNudges = 2;
/// Original and twin further apart than this (root mean square) do not compute the same function.
constexpr double kBelievedWide = 1e-2, kBelievedF16 = 0.1, kBelievedBf16 = 0.3;

double believed_error(spec::ElementType type) {
  return type == spec::ElementType::f16    ? kBelievedF16
         : type == spec::ElementType::bf16 ? kBelievedBf16
                                           : kBelievedWide;
}

/// Name of the group of inputs whose errors are pooled.
std::string pool_of(const cases::PlannedInputs &inputs) {
  if (!data::probe_of(inputs.family)) return data::without_turn(inputs.family);
  return "probes of " + std::to_string(inputs.case_index);
}

std::string first_error(const std::string &log) {
  for (const auto &line : split_lines(log))
    if (line.find("error") != std::string::npos) return std::string(line);
  return log.substr(0, log.find('\n'));
}

bool is_few(const correct::KeptTwin &twin) {
  return !twin.empty() && twin.numbers < correct::kFewNumbers;
}

/// Combines the errors of several draws, relative to the scale of all of them: the result of a single draw
/// may be large or small by chance.
struct Draws {
  /// Of one kind of error: the sum of squares, and the largest.
  struct Errors {
    double squares = 0, max = 0;
    void add(const correct::CompareLimits &one, double rms) {
      squares += one.rms * one.rms * rms * rms;
      max = std::max(max, one.max);
    }
    correct::CompareLimits of(double all_squares) const {
      const double rms = std::sqrt(squares / all_squares);
      return {rms, std::max(max, rms)};
    }
  };
  Errors own, change;
  double squares = 0, share = 0;
  int count = 0;
  void add(const correct::KeptTwin &twin) {
    squares += twin.rms * twin.rms;
    own.add(twin.own, twin.rms);
    change.add(twin.change, twin.rms);
    share = std::max(share, twin.own_share);
    ++count;
  }
  void give(correct::KeptTwin &twin) const {
    if (squares <= 0) return;
    twin.own = own.of(squares);
    twin.change = change.of(squares);
    twin.own_share = share;
    twin.rms = std::max(twin.rms, std::sqrt(squares / count));
  }
};

correct::CompareLimits larger(const correct::CompareLimits &a, const correct::CompareLimits &b) {
  return {std::max(a.rms, b.rms), std::max(a.max, b.max)};
}

/// How far one rounding of the inputs moves outputs of few numbers; `scales`: their own root mean squares.
void move_few(std::vector<correct::KeptTwin> &kept, const std::vector<double> &scales,
              const std::vector<correct::CompareLimits> &moves) {
  for (std::size_t i = 0; i < std::min(kept.size(), moves.size()); ++i) {
    if (!is_few(kept[i]) || kept[i].rms <= 0 || moves[i].rms > correct::kNoDigits) continue;
    const double share = correct::kFewMoved * scales[i] / kept[i].rms;
    kept[i].moved = larger(kept[i].moved, {share * moves[i].rms, share * moves[i].max});
  }
}

}  // namespace

ReferenceTwin::ReferenceTwin(const Engine &engine, const model::Bundle &bundle, const cases::Plan &plan,
                             const model::DeviceReport &device)
    : engine_(engine), bundle_(bundle), plan_(plan), device_(device) {}

Result<> ReferenceTwin::start(const Result<tools::Built> *built, std::span<const double> pauses) {
  if (!bundle_.twin_missing.empty())
    missing_ = bundle_.twin_missing;
  else if (!built)
    missing_ = "the bundle has none";
  else if (!*built || !(*built)->ok)
    missing_ = "the promoted slice does not build: " +
               (*built ? first_error((*built)->report.log) : built->error().message);
  if (!missing_.empty()) return {};
  library_ = (*built)->library;
  for (const model::Case &which : bundle_.cases) {
    auto layout = cases::make_layout(bundle_.parameters, which, cases::Placement::base, true);
    if (!layout) {
      missing_ = layout.error().message;
      return {};
    }
    layouts_.push_back(std::move(*layout));
  }
  Result<> opened = open_device();
  for (auto pause = pauses.begin(); !opened && pause != pauses.end(); ++pause) {
    log::note(fmt::format("the device does not open for the twin ({}); tried again in {} s",
                          opened.error().message, *pause));
    std::this_thread::sleep_for(std::chrono::duration<double>(*pause));
    opened = open_device();
  }
  if (!opened)
    return fail(fmt::format(
        "the device does not open for the twin, which is the reference: {}; judge again when it is free",
        opened.error().message));
  if (const auto loaded = load(); !loaded) missing_ = "it does not start: " + loaded.error().message;
  return {};
}

Result<> ReferenceTwin::connect() {
  CUPILOT_CHECKED(open_device());
  return load();
}

Result<> ReferenceTwin::open_device() {
  std::uint64_t dump_bytes = 0;
  for (std::size_t c = 0; c < layouts_.size(); ++c)
    if (fits(c) && (bundle_.cases[c].verified || !engine_.estimates))
      dump_bytes = std::max(dump_bytes, layouts_[c].dump_bytes);
  CUPILOT_TRY(child, ChildProcess::start(engine_, bundle_.architecture, dump_bytes));
  child_ = std::move(child);
  CUPILOT_TRY(ready, child_->receive(in_seconds(kStartSeconds)));
  CUPILOT_CHECKED(device_from_line(ready));
  return {};
}

Result<> ReferenceTwin::load() {
  CUPILOT_CHECKED(child_->ask_done(setup_order(bundle_)));
  return child_->ask_done({Order::What::load, library_.string(), EntryRole::twin});
}

bool ReferenceTwin::fits(std::size_t case_index) const {
  const std::uint64_t beside =
      cases::device_bytes(plan_.layouts[case_index], device_.l2_bytes);  // memory of the original's child
  return cases::device_bytes(layouts_[case_index], device_.l2_bytes) + beside <= device_.memory_bytes;
}

void ReferenceTwin::note(const std::string &reason) {
  ++without_;
  if (!left_out_.empty()) return;
  left_out_ = reason;
  log::note("judged against the original where the twin has no answer: " + reason);
}

Result<std::span<const std::byte>> ReferenceTwin::run(const RunOrder &given, spec::PrecisionKind operands,
                                                      const std::string &operand) {
  Order order{Order::What::run};
  order.role = EntryRole::twin;
  order.run = given;
  order.run.setting.promoted = true;
  order.run.setting.operands = operands;
  order.run.setting.operand = operand;
  order.run.slot = 0;
  const auto line = child_->ask(order, in_seconds(bundle_.request.run_seconds));
  const auto report =
      line ? run_from_line(*line) : Result<launches::RunReport>(std::unexpected(line.error()));
  if (!report) {
    child_.reset();
    if (++restarts_ > kMostTwinRestarts || !connect())
      missing_ = "it fails too often, last: " + report.error().message;
    return std::unexpected(report.error());
  }
  if (!report->faults.empty()) return fail(child_->explain(report->faults.front()).text);
  if (report->declined) return fail("its launch was refused");
  return child_->slot(0).first(layouts_[given.case_index].dump_bytes);
}

Result<std::vector<std::vector<std::byte>>> ReferenceTwin::run_alone(const RunOrder &order) {
  std::vector<std::string> operands;
  for (const cases::PlacedBuffer &buffer : plan_.layouts[order.case_index].buffers)
    if (buffer.read() && cases::has_floating(buffer))
      operands.push_back(bundle_.parameters[buffer.parameter].name);
  if (!operands.empty()) operands.resize(std::min(operands.size() - 1, kMostOperandsAlone));
  std::vector<std::vector<std::byte>> all;
  for (const std::string &operand : operands) {
    CUPILOT_TRY(outputs, run(order, bundle_.precision.kind, operand));
    all.emplace_back(outputs.begin(), outputs.end());
  }
  return all;
}

Result<std::vector<correct::KeptTwin>> ReferenceTwin::compared(std::size_t index, const RunOrder &order,
                                                               std::span<const std::byte> original) {
  const std::size_t c = plan_.inputs[index].case_index;
  const cases::CaseLayout &narrow = plan_.layouts[c], &wide = layouts_[c];
  CUPILOT_TRY(exact, run(order, spec::PrecisionKind::same));
  std::vector<std::byte> copy;
  std::vector<std::vector<std::byte>> alone;
  std::span<const std::byte> rounded;
  if (correct::rounds_operands(bundle_.precision)) {
    copy.assign(exact.begin(), exact.end());
    exact = copy;
    CUPILOT_TRY(one_by_one, run_alone(order));
    alone = std::move(one_by_one);
    CUPILOT_TRY(moved, run(order, bundle_.precision.kind));
    rounded = moved;
  }
  const auto narrow_at = cases::dump_offsets(narrow), wide_at = cases::dump_offsets(wide);
  std::vector<correct::KeptTwin> kept(narrow.buffers.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const cases::PlacedBuffer &buffer = narrow.buffers[i];
    if (!buffer.dumped() || !spec::is_floating(buffer.element.type)) continue;
    const auto twin = exact.subspan(wide_at[i], wide.buffers[i].bytes);
    kept[i] = correct::keep_twin(buffer.element.type, original.subspan(narrow_at[i], buffer.bytes), twin);
    kept[i].cancels = plan_.inputs[index].family == data::kWhole;
    // One draw of equal terms may be summed without an error, by an original that has one in others.
    if (!correct::rounds_once(buffer.element.type, kept[i])) rounds_often_.insert(buffer.parameter);
    if (data::is_structured(plan_.inputs[index].family) && rounds_often_.contains(buffer.parameter))
      kept[i].least = correct::same_precision_limits(
          buffer.element.type, {.structured = true, .spread = {}, .change = {}, .precision = {}});
    const auto moved =
        rounded.empty() ? std::span<const std::byte>() : rounded.subspan(wide_at[i], wide.buffers[i].bytes);
    const auto of_original = original.subspan(narrow_at[i], buffer.bytes);
    if (!moved.empty()) {
      correct::RoundedOutputs outputs{twin, moved};
      for (const auto &one : alone)
        outputs.alone.push_back(std::span(one).subspan(wide_at[i], wide.buffers[i].bytes));
      kept[i].change = correct::twin_change(buffer.element.type, of_original, outputs);
    }
    kept[i].overflowed = correct::find_overflowed(buffer.element.type, of_original, twin, moved);
  }
  return kept;
}

bool ReferenceTwin::believable(std::size_t index, const std::vector<correct::KeptTwin> &kept,
                               const std::function<const Moved &()> &moved) {
  const cases::PlannedInputs &inputs = plan_.inputs[index];
  const cases::CaseLayout &layout = plan_.layouts[inputs.case_index];
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (kept[i].own.rms <= believed_error(buffer.element.type)) continue;
    const std::string figures = fmt::format(
        "output '{}' of the original is {} (root mean square, relative) from the same kernel in double "
        "precision; on {}",
        bundle_.parameters[buffer.parameter].name, correct::error_number(kept[i].own.rms),
        correct::describe_run(bundle_, inputs.case_index, inputs.family, cases::Placement::base));
    note(figures);
    if (inputs.family != "user" || !cases::is_users_own(bundle_.cases[inputs.case_index])) return false;
    // Either rounding errors explain the distance, or the promoted slice computes another function.
    const auto &moves = moved().spread;
    const bool unstable = !moves.empty() && correct::kWideSpread * moves[i].rms >= kept[i].own.rms;
    (unstable ? disagreement_ : missing_) = figures;
    if (!unstable) missing_ += ", and rounding does not explain it: the promoted text is another function";
    return false;
  }
  return true;
}

void ReferenceTwin::widen_by(std::size_t index, std::vector<correct::KeptTwin> &kept,
                             const std::function<const Moved &()> &moved) const {
  const cases::PlannedInputs &inputs = plan_.inputs[index];
  const auto has_slack = [](const correct::KeptTwin &twin) { return twin.least.max > 0; };
  if (data::without_turn(inputs.family) != data::kPatchwork || std::ranges::none_of(kept, has_slack)) return;
  const auto &[moves, shares] = moved();
  for (std::size_t i = 0; i < std::min(kept.size(), moves.size()); ++i) {
    if (!has_slack(kept[i])) continue;
    const spec::ElementType type = plan_.layouts[inputs.case_index].buffers[i].element.type;
    const correct::Conditioning conditioning{
        .structured = true, .spread = correct::without_digits(moves[i]), .change = {}, .precision = {}};
    kept[i].least = correct::same_precision_limits(type, conditioning);
    // Small numbers that one rounding of the inputs moves do not keep their size in another order.
    kept[i].own_share = std::max({kept[i].own_share, correct::kWideSpread * moves[i].rms, shares[i]});
  }
}

void ReferenceTwin::draw_more(std::size_t index, RunOrder order, std::vector<correct::KeptTwin> &kept,
                              const RunOriginal &run_original) {
  if (std::ranges::none_of(kept, is_few) || data::probe_of(plan_.inputs[index].family)) return;
  std::vector<Draws> draws(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) draws[i].add(kept[i]);
  const bool large = plan_.layouts[order.case_index].arena_bytes > cases::kSmallCaseBytes;
  const std::uint64_t seed = order.setting.seed;
  for (int draw = 1; draw <= (large ? kMoreLargeDraws : kMoreDraws); ++draw) {
    order.setting.seed = data::derived_seed(seed, "draw " + std::to_string(draw));
    const auto original = run_original(order);
    const auto more = original.empty() ? Result<std::vector<correct::KeptTwin>>(fail(""))
                                       : compared(index, order, original);
    if (!more) return;
    for (std::size_t i = 0; i < kept.size(); ++i) draws[i].add((*more)[i]);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (is_few(kept[i])) draws[i].give(kept[i]);
}

ReferenceTwin::Moved ReferenceTwin::moved_by(std::size_t case_index, std::span<const double> scales,
                                             std::span<const std::byte> original,
                                             std::span<const std::byte> outputs) const {
  const cases::CaseLayout &layout = plan_.layouts[case_index];
  Moved moved{correct::output_spread(layout, original, outputs), std::vector<double>(scales.size())};
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (buffer.dumped() && spec::is_floating(buffer.element.type))
      moved.share[i] =
          correct::moved_share(buffer.element.type, scales[i], original.subspan(offsets[i], buffer.bytes),
                               outputs.subspan(offsets[i], buffer.bytes));
  }
  return moved;
}

std::vector<std::vector<float>> ReferenceTwin::exact_outputs(const RunOrder &order) {
  if (!missing_.empty() || !disagreement_.empty()) return {};
  const auto outputs = run(order, spec::PrecisionKind::same);
  if (!outputs) return {};
  const cases::CaseLayout &narrow = plan_.layouts[order.case_index], &wide = layouts_[order.case_index];
  const auto offsets = cases::dump_offsets(wide);
  std::vector<std::vector<float>> exact(narrow.buffers.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (!narrow.buffers[i].dumped() || !spec::is_floating(narrow.buffers[i].element.type)) continue;
    exact[i].resize(wide.buffers[i].bytes / sizeof(double));
    for (std::size_t k = 0; k < exact[i].size(); ++k) {
      double value;
      std::memcpy(&value, &(*outputs)[offsets[i] + k * sizeof value], sizeof value);
      exact[i][k] = static_cast<float>(value);
    }
  }
  return exact;
}

ReferenceTwin::Measured ReferenceTwin::measure(std::size_t index, const RunOrder &order,
                                               std::span<const std::byte> original,
                                               const RunOriginal &run_original) {
  if (!missing_.empty() || !disagreement_.empty()) {
    if (with_ > 0) note(missing_ + disagreement_);
    return {};
  }
  if (!fits(order.case_index)) {
    note(fmt::format("case '{}' in double precision needs more memory than {} has",
                     bundle_.cases[order.case_index].id, device_.name));
    return {};
  }
  auto kept = compared(index, order, original);
  if (!kept) {
    note(kept.error().message);
    return {};
  }
  std::vector<double> scales;
  for (const correct::KeptTwin &one : *kept) scales.push_back(one.rms);
  draw_more(index, order, *kept, run_original);
  std::map<int, Moved> nudges;
  const auto nudged_by = [&](int nudge) -> const Moved & {
    const auto [at, fresh] = nudges.try_emplace(nudge);
    if (!fresh) return at->second;
    RunOrder nudged = order;
    nudged.setting.nudge = nudge;
    const auto outputs = run_original(nudged);
    if (!outputs.empty()) at->second = moved_by(order.case_index, scales, original, outputs);
    return at->second;
  };
  const auto nudged_once = [&]() -> const Moved & { return nudged_by(1); };
  if (!believable(index, *kept, nudged_once)) return {.twin = {}, .exact = exact_outputs(order)};
  if (std::ranges::any_of(*kept, is_few) && !data::probe_of(plan_.inputs[index].family))
    for (int nudge = 1; nudge <= kFewNudges; ++nudge) move_few(*kept, scales, nudged_by(nudge).spread);
  widen_by(index, *kept, nudged_once);
  ++with_;
  return {.twin = std::move(*kept), .exact = {}};
}

void ReferenceTwin::pool(const std::map<std::size_t, std::vector<correct::KeptTwin> *> &measured) {
  child_.reset();
  struct Pooled {
    correct::CompareLimits own, change;
    double share = 0;
  };
  // Indexed by pool and buffer.
  std::map<std::pair<std::string, std::size_t>, Pooled> pools;
  const auto each = [&](const auto &with) {
    for (const auto &[index, kept] : measured)
      for (std::size_t i = 0; i < kept->size(); ++i)
        if (is_few((*kept)[i])) with(pools[{pool_of(plan_.inputs[index]), i}], (*kept)[i]);
  };
  each([&](Pooled &all, const correct::KeptTwin &twin) {
    all = {larger(all.own, twin.own), larger(all.change, twin.change), std::max(all.share, twin.own_share)};
  });
  each([&](const Pooled &all, correct::KeptTwin &twin) {
    twin.own = all.own, twin.change = all.change, twin.own_share = all.share;
  });
}

std::string ReferenceTwin::oracle() const {
  if (!missing_.empty() && with_ == 0) return "original: no twin: " + missing_;
  if (!disagreement_.empty()) return "original: the twin is not believed: " + disagreement_;
  if (with_ == 0) return "original: " + left_out_;
  if (without_ == 0) return "twin";
  return fmt::format("twin; the original on {} of {} sets of inputs: {}", without_, without_ + with_,
                     left_out_);
}

}  // namespace cupilot::judge::engine
