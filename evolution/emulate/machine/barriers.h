// SPDX-License-Identifier: Apache-2.0
//
// The sixteen barriers of a block, and one for its cluster. Threads arrive one by one, as parts of their
// warps. Whether they arrived at the right place is judged when all have arrived, because two lanes that
// took different branches may still meet. Private to machine/.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::machine {

class Block;
class WarpRun;

/// Step::detail of a barrier.
struct BarrierForm {
  enum class Kind : std::uint8_t { sync, arrive, popc, all, any } kind = Kind::sync;
  bool aligned = true;   ///< all threads of a warp execute the same barrier instruction
  bool counted = false;  ///< the instruction gives a number of threads
  bool negated = false;  ///< the predicate of a reduction is negated
  bool cluster = false;
  bool reduces() const { return kind == Kind::popc || kind == Kind::all || kind == Kind::any; }
};

class Barriers {
public:
  static constexpr std::uint32_t kNamed = 16, kCluster = 16;
  explicit Barriers(Block &block) : block_(block) {}
  void begin(std::uint32_t threads, std::uint32_t warps);

  struct Arrival {
    const program::Step *step = nullptr;
    std::uint32_t id = 0, threads = 0;  ///< threads 0: all of the block
    program::Mask mask = 0, truth = 0;  ///< truth: lanes whose predicate holds
  };
  void arrive(WarpRun &warp, const Arrival &arrival);
  void lanes_left(WarpRun &warp, program::Mask mask);

  struct State {
    std::vector<program::Mask> arrived;  ///< lanes that have arrived, by warp
    std::uint32_t lanes = 0;             ///< number of lanes that have arrived
    std::uint32_t threads = 0, true_lanes = 0;
    const program::Step *first = nullptr;
    bool mixed = false;  ///< the lanes arrived at different steps

    void clear() {
      arrived.assign(arrived.size(), 0);
      lanes = threads = true_lanes = 0;
      first = nullptr;
      mixed = false;
    }
  };
  const State &state(std::uint32_t id) const { return states_[id]; }
  std::uint32_t live() const { return live_; }

private:
  bool complete(const State &state) const;
  void pass(std::uint32_t id);
  void judge(std::uint32_t id);
  void judge_places(std::uint32_t id);
  void judge_missing(const State &state);
  void tell_checks(const State &state);

  Block &block_;
  std::uint32_t live_ = 0;  ///< threads of the block that have not left the kernel
  std::array<State, kNamed + 1> states_;
};

}  // namespace cupilot::emulate::machine
