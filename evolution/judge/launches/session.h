// SPDX-License-Identifier: Apache-2.0
//
// The interface to one device in one process: a GPU (open_cuda.h) or the emulated device
// (evolution/emulate/session). It loads entries, runs cases with poisoned outputs and guarded buffers, takes
// times, collects counters and makes estimates. It has no CUDA types, so the engine needs no CUDA header.
// After a failed call the device is usually unusable for this process (CUDA errors are sticky): report the
// error and end the process.
//
// Only the kernels of an entry.so are loaded into this process. Its host function runs in another process,
// without a device, and returns the launches it would make (recorder.h); the session makes them.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/launches/coverage.h"
#include "evolution/judge/launches/outcomes.h"
#include "evolution/judge/time/sharing.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::launches {

/// How a run launches. Its outputs are compared as usual, except for `exact`. `two_streams`: several times,
/// concurrently with another setting of the same case that has other data and other buffers. `captured`: in a
/// CUDA graph, which is replayed first on other data in the same buffers. `shared_inputs`: as two_streams,
/// but both read the same inputs. `exact`: every buffer is a separate allocation of exactly the workload's
/// length and without poison, for memory checking tools; there are no outputs, guards or hashes.
enum class Manner { plain, two_streams, captured, exact, shared_inputs };

/// Everything that determines the bytes a kernel sees in one run: which data, and where they are placed.
struct Setting {
  const model::Case *which = nullptr;
  std::string family;
  std::uint64_t seed = 0;
  cases::Placement placement = cases::Placement::base;
  int nudge = 0;  ///< not 0: moves every floating input up or down by one rounding, as this seed picks
  /// For the emulated device, which checks: the rules that are off because the original breaks them, and how
  /// many warp instructions a block may execute (0: only the time is limited).
  std::vector<std::string> waived;
  std::uint64_t instruction_budget = 0;
  double seconds = 60;  ///< time limit; the emulated device ends a launch itself and reports it
  Manner manner = Manner::plain;
  /// For the twin's entry: every floating buffer and scalar is a double that holds the value of the narrower
  /// type.
  bool promoted = false;
  std::string beside_family{};  ///< family of the other data of `two_streams` and `captured`; empty: the same
  std::uint64_t beside_seed = 0;  ///< seed of the other data
  /// Floating inputs are also rounded to this type, as operands of it would be; `same`: they are not rounded.
  spec::PrecisionKind operands = spec::PrecisionKind::same;
  std::string operand{};      ///< only this parameter is rounded so; empty: every floating input
  bool other_poison = false;  ///< use kOtherPoison and kOtherGuard
  /// The outputs will be compared: what the run executes counts for DeviceSession::coverage().
  bool covered = false;
  cases::Shifts shifts = 0;  ///< for Placement::mixed
};

/// The setting of the other data: the same case with beside_family and beside_seed.
inline Setting beside(Setting setting) {
  if (!setting.beside_family.empty()) setting.family = setting.beside_family;
  setting.seed = setting.beside_seed;
  setting.manner = Manner::plain;
  return setting;
}

/// An error that a checked run found in a kernel or in the host function that launches it. Errors in kernels
/// are found by the emulated device only; a GPU crashes or continues.
struct Fault {
  /// `forbidden`: the host side did something that no variant is allowed to do.
  enum class Kind { wrong, crashed, endless, unsupported, forbidden };
  Kind kind = Kind::wrong;
  std::string rule;       ///< the check that found it: "shared-race"
  std::string text;       ///< "variant.cuh:12: shared-race: ... [block (0,0,0) thread (3,0,0)]"
  bool waivable = false;  ///< in the original it gives a warning, and this check is then turned off
};

/// The result of one launch besides its outputs.
struct RunReport {
  bool declined = false;              ///< the entry declined the launch
  std::vector<std::string> stained;   ///< damaged guards: "wrote 12 bytes before 'y'"
  std::vector<std::string> modified;  ///< read-only parameters whose bytes changed
  /// Variables of the module with an initial value that have another one now.
  std::vector<std::string> changed;
  std::uint64_t scratch_bytes = 0;
  std::vector<Fault> faults;
  std::uint64_t warp_instructions = 0;  ///< executed by the emulated device; 0: unknown
  /// Subnormal numbers that float atomics turned into zero. Only the emulated device counts them.
  std::uint64_t flushed = 0;
};

/// The resources of one kernel as ptxas reports them.
struct KernelResources {
  std::string symbol;
  int registers = 0, spill_bytes = 0, shared_bytes = 0;
};

struct EstimateReport {
  bool declined = false;
  model::EstimatedTime time;
  std::vector<Fault> faults;
};

struct TimingOptions {
  double seconds = 2, relative_error = 0.005;
  std::uint64_t order_seed = 0;
  /// Seeds of the buffer contents that launches use in turn; the first is the setting's own. Empty: only that
  /// one.
  std::vector<std::uint64_t> seeds{};
};
/// How the outputs of all timed launches of the candidate on one content differ from those of its first
/// launch on it, checked on the device.
struct TimedOutputs {
  std::uint64_t launches = 0;
  std::uint64_t differing = 0;   ///< launches with at least one different byte
  std::uint64_t unwritten = 0;   ///< largest number of elements that one launch did not write
  std::uint64_t not_finite = 0;  ///< largest number that are NaN or infinite in only one of the two
  double deviation = 0;          ///< largest, relative to |first| + its root mean square
};
struct TimingReport {
  model::SampleSet original, candidate;
  std::string stopped_because;
  bool declined = false;
  std::vector<Fault> faults;  ///< of the host side; if any, nothing was timed
  bool synchronised = false;  ///< the host waited for the device (the blocked stream timed out)
  /// Batches of both on a stream that is not blocked, until judge_looks() has its answer.
  std::vector<time::Look> looks;
  int launches = 1;       ///< back-to-back launches in each sample, each on its own set of buffers
  std::string too_short;  ///< why launches are too short to be timed; empty: they are not
  std::vector<TimedOutputs> outputs;  ///< one per content
};

struct Piece;      // some bytes of an output, see excerpt.h
struct Excerpt;    // what some blocks of a call wrote, see excerpt.h
class Entry;       // a loaded entry.so, see entry.h
struct HostRules;  // how its host side runs and what it must not launch, see host_side.h

class DeviceSession {
public:
  virtual ~DeviceSession() = default;

  /// Properties of the device without the copy bandwidth, which takes some milliseconds and memory to
  /// measure.
  virtual model::DeviceReport report() const = 0;
  virtual Result<double> copy_bandwidth_gbs() = 0;

  /// A host side that cannot be loaded is reported as a fault of the first run.
  virtual Result<std::shared_ptr<Entry>> load(const std::filesystem::path &library, HostRules host) = 0;

  /// Prepares the buffers of the setting, launches once, checks guards and inputs, and copies the outputs
  /// into `dump`.
  virtual Result<RunReport> run(Entry &entry, const std::vector<spec::Parameter> &parameters,
                                const Setting &setting, std::span<std::byte> dump) = 0;

  /// Takes interleaved cold-cache samples of both, on several contents in turn. The candidate's last outputs
  /// on each content must be fetched with timed_outputs() before any other call.
  virtual Result<TimingReport> time(Entry &original, Entry &candidate,
                                    const std::vector<spec::Parameter> &parameters, const Setting &setting,
                                    const TimingOptions &options) = 0;
  virtual Result<> timed_outputs(std::size_t /*content*/, std::span<std::byte> /*dump*/) {
    return fail("nothing was timed");
  }

  /// Estimates the time of one call of the entry on the GPU that this device emulates. A real GPU makes no
  /// estimates.
  virtual Result<EstimateReport> estimate(Entry & /*entry*/,
                                          const std::vector<spec::Parameter> & /*parameters*/,
                                          const Setting & /*setting*/,
                                          const std::vector<KernelResources> & /*kernels*/) {
    return fail("this device measures, it does not estimate");
  }

  /// What the runs with Setting::covered have executed of the entry's text so far, host and device side. A
  /// side of which this session learns nothing is named in Coverage::unknown.
  virtual Result<Coverage> coverage(Entry & /*entry*/) {
    return Coverage{.unknown = {"device: this device does not tell which code it executes"}};
  }

  /// Numbers in the entry's device code that sizes and scalars meet, for outcomes().
  virtual std::vector<std::int64_t> numbers(Entry & /*entry*/) { return {}; }

  /// What the sizes and scalars of each case decide in a call of the entry; nothing is launched. Empty: this
  /// device does not tell.
  virtual Result<std::vector<Outcomes>> outcomes(Entry & /*entry*/,
                                                 const std::vector<spec::Parameter> & /*parameters*/,
                                                 std::span<const model::Case> /*cases*/) {
    return std::vector<Outcomes>();
  }

  /// Executes some blocks of one call on exact inputs. `wanted` empty: blocks spread over the launches, and
  /// the pieces that they write. Else the blocks that write these pieces: the answer has those that were
  /// found.
  virtual Result<Excerpt> excerpt(Entry &entry, const std::vector<spec::Parameter> &parameters,
                                  const Setting &setting, const std::vector<Piece> &wanted,
                                  std::span<std::byte> dump);

  /// Collects the hardware counters of one launch. If there are none (no permission, no CUPTI), the profile's
  /// note says why.
  virtual model::Profile profile(Entry &entry, const std::vector<spec::Parameter> &parameters,
                                 const Setting &setting) = 0;
};

}  // namespace cupilot::judge::launches
