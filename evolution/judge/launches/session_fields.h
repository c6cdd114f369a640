// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of what a device session takes and reports, and the
// names of their enumerators.

#pragma once

#include <array>

#include "annotate/support/enum_names.h"
#include "evolution/judge/cases/placement_names.h"
#include "evolution/judge/launches/excerpt.h"
#include "evolution/judge/launches/session.h"
#include "evolution/judge/time/sharing_fields.h"
#include "evolution/model/verdict_fields.h"

namespace cupilot::judge::launches {

using cupilot::operator==;  // of every described struct

inline constexpr std::array<std::pair<Manner, const char *>, 5> kManners{
    {{Manner::plain, "plain"},
     {Manner::two_streams, "two_streams"},
     {Manner::captured, "captured"},
     {Manner::exact, "exact"},
     {Manner::shared_inputs, "shared_inputs"}}};
inline EnumNames<Manner> names_of(const Manner *) {
  return kManners;
}

inline constexpr std::array<std::pair<Fault::Kind, const char *>, 5> kFaultKinds{
    {{Fault::Kind::wrong, "wrong"},
     {Fault::Kind::crashed, "crashed"},
     {Fault::Kind::endless, "endless"},
     {Fault::Kind::unsupported, "unsupported"},
     {Fault::Kind::forbidden, "forbidden"}}};
inline EnumNames<Fault::Kind> names_of(const Fault::Kind *) {
  return kFaultKinds;
}

/// Setting::which is a pointer and is not written; the message sends the case as an index
/// (RunOrder::case_index).
constexpr auto fields_of(const Setting *) {
  using S = Setting;
  return fields(
      unwritten(&S::which), field("family", &S::family), field("seed", &S::seed),
      field("placement", &S::placement), field("nudge", &S::nudge), field("waived", &S::waived),
      field("instruction_budget", &S::instruction_budget), field("seconds", &S::seconds),
      field("manner", &S::manner), field("promoted", &S::promoted), field("beside_family", &S::beside_family),
      field("beside_seed", &S::beside_seed), field("operands", &S::operands), sparse("operand", &S::operand),
      field("other_poison", &S::other_poison), sparse("covered", &S::covered), sparse("shifts", &S::shifts));
}
constexpr auto fields_of(const Fault *) {
  using S = Fault;
  return fields(field("kind", &S::kind), field("rule", &S::rule), field("text", &S::text),
                field("waivable", &S::waivable));
}
constexpr auto fields_of(const RunReport *) {
  using S = RunReport;
  return fields(field("declined", &S::declined), field("stained", &S::stained),
                field("modified", &S::modified), field("changed", &S::changed),
                field("scratch_bytes", &S::scratch_bytes), field("faults", &S::faults),
                field("warp_instructions", &S::warp_instructions), field("flushed", &S::flushed));
}
constexpr auto fields_of(const KernelResources *) {
  using S = KernelResources;
  return fields(field("symbol", &S::symbol), field("registers", &S::registers),
                field("spill_bytes", &S::spill_bytes), field("shared_bytes", &S::shared_bytes));
}
constexpr auto fields_of(const EstimateReport *) {
  using S = EstimateReport;
  return fields(field("declined", &S::declined), field("time", &S::time), field("faults", &S::faults));
}
constexpr auto fields_of(const Piece *) {
  using S = Piece;
  return fields(field("buffer", &S::buffer), field("at", &S::at), field("bytes", &S::bytes));
}
constexpr auto fields_of(const BufferTraffic *) {
  using S = BufferTraffic;
  return fields(field("buffer", &S::buffer), field("least_written", &S::least_written),
                field("most_written", &S::most_written), field("least_read", &S::least_read),
                field("most_read", &S::most_read), field("filled", &S::filled), field("place", &S::place));
}
constexpr auto fields_of(const Excerpt *) {
  using S = Excerpt;
  return fields(field("declined", &S::declined), field("faults", &S::faults), field("pieces", &S::pieces),
                field("traffic", &S::traffic), field("dependent", &S::dependent), field("open", &S::open),
                field("blocks_run", &S::blocks_run));
}
constexpr auto fields_of(const TimingOptions *) {
  using S = TimingOptions;
  return fields(field("seconds", &S::seconds), field("relative_error", &S::relative_error),
                field("order_seed", &S::order_seed), field("seeds", &S::seeds));
}
constexpr auto fields_of(const TimedOutputs *) {
  using S = TimedOutputs;
  return fields(field("launches", &S::launches), field("differing", &S::differing),
                field("unwritten", &S::unwritten), field("not_finite", &S::not_finite),
                field("deviation", &S::deviation));
}
/// Only raw samples are taken from the device's process; the statistics are always computed by the reader.
inline constexpr auto kRawSamples = fields(field("samples_us", &model::SampleSet::samples_us),
                                           field("sm_clock_mhz", &model::SampleSet::sm_clock_mhz),
                                           field("dropped", &model::SampleSet::dropped, Whole{}));
constexpr auto fields_of(const TimingReport *) {
  using S = TimingReport;
  return fields(field("original", &S::original, kRawSamples), field("candidate", &S::candidate, kRawSamples),
                field("stopped_because", &S::stopped_because), field("declined", &S::declined),
                field("faults", &S::faults), field("synchronised", &S::synchronised),
                field("looks", &S::looks), field("launches", &S::launches), field("too_short", &S::too_short),
                field("outputs", &S::outputs));
}
/// The members of a profile that are counted; the position on the roofline is derived from them.
inline constexpr auto kCountedProfile =
    fields(field("workload", &model::Profile::workload), field("counters", &model::Profile::counters),
           field("note", &model::Profile::note));

}  // namespace cupilot::judge::launches
