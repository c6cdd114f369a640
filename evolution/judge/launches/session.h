// SPDX-License-Identifier: Apache-2.0
//
// One device in one process, a GPU (open_cuda.h) or the emulated one (evolution/emulate/session): loads
// entries, runs cases with poison and guards around, times, counts, estimates. Names no CUDA type, so that
// the engine of the workers needs no CUDA header. A failed call usually leaves the device unusable for this
// process (CUDA errors stick): report it and end the process.
//
// Of an entry.so only the kernels come into this process. Its host function runs in another one, without a
// device, and says what it would launch (recorder.h); the session launches that.

#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// How a run launches; its outputs are compared as ever. `two_streams`: beside another setting of the same
/// case with other data and other buffers, several times, concurrently. `captured`: in a graph, replayed
/// first on other data in the same buffers. `shared_inputs`: as two_streams, but both read the same inputs.
/// `exact`: every buffer is an allocation of its own, as long as the workload says and without poison, for
/// tools that watch memory; no outputs, guards or hashes.
enum class Manner { plain, two_streams, captured, exact, shared_inputs };

/// Which data, where: everything that determines the bytes a kernel sees.
struct Setting {
  const Case *which = nullptr;
  std::string family;
  std::uint64_t seed = 0;
  Placement placement = Placement::base;
  int nudge = 0;  ///< not 0: floating inputs moved by one rounding, each number another way
  /// For devices that check: rules that are off since the original breaks them, and how many warp
  /// instructions a block may take (0: no limit but time).
  std::vector<std::string> waived;
  std::uint64_t instruction_budget = 0;
  double seconds = 60;  ///< the emulated device ends a launch itself, with a finding
  Manner manner = Manner::plain;
  /// For the twin's entry: every floating buffer and scalar is a double, with the value the narrower type
  /// has.
  bool promoted = false;
  std::string beside_family{};    ///< of the other data of `two_streams` and `captured`; empty: the same
  std::uint64_t beside_seed = 0;  ///< of that data
  /// Floating inputs are rounded to that type, too, as an operand of it would be; `same`: they are not.
  PrecisionKind operands = PrecisionKind::same;
  bool other_poison = false;  ///< kOtherPoison and kOtherGuard instead of the usual ones
};

/// The same case with the other data.
inline Setting beside(Setting setting) {
  if (!setting.beside_family.empty()) setting.family = setting.beside_family;
  setting.seed = setting.beside_seed;
  setting.manner = Manner::plain;
  return setting;
}

/// What a checked run found wrong with a kernel, or with the host function that launches it. A GPU finds
/// none of the first kind: it crashes, or goes on.
struct Fault {
  /// `forbidden`: the host side did something that no variant may.
  enum class Kind { wrong, crashed, endless, unsupported, forbidden };
  Kind kind = Kind::wrong;
  std::string rule;       ///< the check that found it: "shared-race"
  std::string text;       ///< "variant.cuh:12: shared-race: ... [block (0,0,0) thread (3,0,0)]"
  bool waivable = false;  ///< an original that has it is warned about, and judged without this check
};

/// What was seen of one launch besides its outputs.
struct RunReport {
  bool declined = false;              ///< the entry said "not for me"
  std::vector<std::string> stained;   ///< "wrote 12 bytes before 'y'": guards
  std::vector<std::string> modified;  ///< read-only parameters whose bytes changed
  std::uint64_t scratch_bytes = 0;
  std::vector<Fault> faults;
  std::uint64_t warp_instructions = 0;  ///< executed by the emulated device; 0: not known
};

/// What ptxas said of one kernel.
struct KernelResources {
  std::string symbol;
  int registers = 0, spill_bytes = 0, shared_bytes = 0;
};

struct EstimateReport {
  bool declined = false;
  EstimatedTime time;
  std::vector<Fault> faults;
};

struct TimingOptions {
  double seconds = 2, relative_error = 0.005;
  std::uint64_t order_seed = 0;
  /// Of the contents that launches take in turn, the setting's own first; empty: that one only.
  std::vector<std::uint64_t> seeds{};
};
/// What the checks on the device saw of all timed launches of the candidate on one content, beside its first
/// launch there.
struct TimedOutputs {
  std::uint64_t launches = 0;
  std::uint64_t differing = 0;   ///< launches with any byte another
  std::uint64_t unwritten = 0;   ///< most elements that one launch left as they were before
  std::uint64_t not_finite = 0;  ///< most elements of one launch that are NaN or infinite in one of the two
  double deviation = 0;          ///< largest, relative to |first| + its root mean square
};
struct TimingReport {
  SampleSet original, candidate;
  std::string stopped_because;
  bool declined = false;
  std::vector<Fault> faults;  ///< of the host side; nothing was timed
  bool synchronised = false;  ///< the launch waited for the device (the blocked stream timed out)
  /// A batch of candidate launches on a stream that is not held: the stream's time, the whole device's.
  double events_us = 0, wall_us = 0;
  int batch = 0;                      ///< launches in it; 0: it holds other work too
  int launches = 1;                   ///< back to back in each sample, on as many sets of buffers
  std::string too_short;              ///< why the samples do not tell a launch's time; empty: they do
  std::vector<TimedOutputs> outputs;  ///< by content
};

class Entry;       // a loaded entry.so
struct HostRules;  // who runs its host side, and what that may not launch: host_side.h

class DeviceSession {
public:
  virtual ~DeviceSession() = default;

  /// Without the copy bandwidth, which costs some milliseconds and memory: see below.
  virtual DeviceReport report() const = 0;
  virtual Result<double> copy_bandwidth_gbs() = 0;

  /// A host side that does not load shows as a fault of the first run.
  virtual Result<std::shared_ptr<Entry>> load(const std::filesystem::path &library, HostRules host) = 0;

  /// Prepares the setting, launches once, checks guards and inputs, copies outputs into `dump`.
  virtual Result<RunReport> run(Entry &entry, const std::vector<Parameter> &parameters,
                                const Setting &setting, std::span<std::byte> dump) = 0;

  /// Interleaved cold samples of both, on several contents in turn. The candidate's last outputs on each are
  /// then to be asked for with timed_outputs(), before anything else is.
  virtual Result<TimingReport> time(Entry &original, Entry &candidate,
                                    const std::vector<Parameter> &parameters, const Setting &setting,
                                    const TimingOptions &options) = 0;
  virtual Result<> timed_outputs(std::size_t /*content*/, std::span<std::byte> /*dump*/) {
    return fail("nothing was timed");
  }

  /// What one call of the entry would take on the device this one stands in for. A real device has none.
  virtual Result<EstimateReport> estimate(Entry & /*entry*/, const std::vector<Parameter> & /*parameters*/,
                                          const Setting & /*setting*/,
                                          const std::vector<KernelResources> & /*kernels*/) {
    return fail("this device measures, it does not estimate");
  }

  /// Hardware counters of one launch. Without them (no permission, no CUPTI) the profile's note says why.
  virtual Profile profile(Entry &entry, const std::vector<Parameter> &parameters, const Setting &setting) = 0;
};

}  // namespace cupilot
