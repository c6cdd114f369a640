// SPDX-License-Identifier: Apache-2.0
//
// How a warp runs. Its lanes form *parts* that run in lockstep. When a part diverges it leaves a *join*
// behind, at the branch's post-dominator, where its lanes wait for each other. Joins form a tree, and a
// part knows its innermost one. Lanes may also wait for each other in a .sync operation or at a block
// barrier. No join may keep a thread from making progress: a part that spins, or that waits for lanes
// waiting at a join, sets those lanes free. Private to machine/.

#pragma once

#include <memory>
#include <vector>

#include "evolution/emulate/machine/block.h"
#include "evolution/emulate/machine/frames.h"

namespace cupilot::emulate::machine {

struct Join {
  std::uint32_t pc = 0;  ///< pc of the Flow::join step
  Frame *frame = nullptr;
  Join *outer = nullptr;
  program::Mask members = 0;  ///< lanes that have arrived or will arrive
  program::Mask arrived = 0;
};

struct Part {
  enum class State : std::uint8_t { ready, gathering, at_barrier };
  std::uint32_t pc = 0;
  program::Mask mask = 0;
  Frame *frame = nullptr;
  Join *join = nullptr;
  State state = State::ready;
  program::Mask members = 0;  ///< state gathering: the lanes it waits for
  std::uint32_t barrier = 0;  ///< state at_barrier: the barrier's id
  std::uint32_t turns = 0;    ///< number of turns it has had
  bool spins = false;         ///< its last turn ended in a loop that may wait for other threads
};

class WarpRun : public Warp {
public:
  explicit WarpRun(Block &of, std::uint32_t warp_index);
  void begin();  ///< starts the next block

  enum class Outcome : std::uint8_t {
    finished,
    blocked,    ///< waits for other warps
    turn_over,  ///< could go on
    spinning,   ///< could go on, but probably waits for another thread
    ended,      ///< the launch is over
  };
  /// Runs until all lanes wait or the turn is over.
  Outcome run();

  /// Lets those of the lanes `needed` that wait at joins go on without the others. Returns false when there
  /// are none.
  bool break_joins(program::Mask needed);
  /// Lets the parts that wait at that barrier go on.
  void pass_barrier(std::uint32_t barrier);
  const std::vector<Part> &parts() const { return parts_; }  ///< all but the running one
  program::Mask all_lanes() const { return all_lanes_; }  ///< lanes that exist, also those that have exited

  // For handlers of control flow; they run in the part `current`.
  Part current;
  void wait_at_barrier(const Barriers::Arrival &arrival);  ///< the current part stops behind this step
  void wait_for(program::Mask members);                    ///< the current part stops at this step
  void keep_only(const program::Step &step,
                 program::Mask mask);             ///< the current part's other lanes execute the step later
  void sleep() { patience_ = 0, slept_ = true; }  ///< its turn ends at the end of the loop
  std::uint64_t executed = 0;                     ///< warp instructions of this block
  std::uint32_t exit_pc = program::kNowhere;      ///< where a lane of it left the kernel

private:
  enum class Watch : std::uint8_t { nothing, marks, observer };
  template <Watch kWatch>
  void execute();
  bool flow(const program::Step &step, program::Mask mask, std::uint32_t &next);
  program::Mask guarded(const program::Step &step);
  void observe(const program::Step &step, program::Mask mask);
  void pause(const program::Step &next);
  bool after_stop(const program::Step &step);
  bool take_ready_part();
  void end_turn(const program::Step &branch, bool spins);
  void report_flow(const program::Step &step);

  // join.cpp
  void diverge(const program::Step &step, program::Mask taken);
  bool jump_by_index(const program::Step &step, program::Mask mask, std::uint32_t &next);
  bool arrive(const program::Step &step);
  void leave_joins(Join *from, const Join *until, program::Mask mask);
  void exit_lanes(program::Mask mask, const program::Step &step);
  void leave_frame(Frame *at_frame, program::Mask mask);
  void add_part(std::uint32_t pc, program::Mask mask, Frame *at_frame, Join *join);
  void send(std::uint32_t pc, program::Mask mask, Join *join);
  Join *join_for(std::uint32_t pc);
  Join *new_join(std::uint32_t pc, Frame *at_frame, Join *outer, program::Mask members);
  void free_join(Join *join);
  void release(Join *join);

  // gather.cpp
  bool try_gather();
  void run_together(program::Mask here);
  void run_apart(const std::vector<std::size_t> &others, program::Mask here);
  void merge_with_current();
  bool release_for_gathers();
  bool leaves_at_once(std::uint32_t pc) const;
  void report_absent(program::Mask leaving);

  // call.cpp
  bool call(const program::Step &step, std::uint32_t &next);
  bool call_function(const program::Step &step, std::uint32_t function, std::uint32_t &next);
  std::uint32_t return_from_call();
  bool reserve_local(std::uint32_t bytes);

  Frames frames_;
  std::vector<Part> parts_;  ///< the running one is not among them
  bool running_ = false;     ///< `current` is a part
  std::vector<std::unique_ptr<Join>> joins_;
  std::vector<Join *> free_joins_;
  std::vector<std::byte> local_storage_;
  std::int64_t patience_ = 0;
  program::Mask all_lanes_ = 0;
  program::Mask owed_ = 0;  ///< lanes that went past an operation whose other members wait for them
  bool turn_over_ = false, slept_ = false;
  Barriers::Arrival arrival_;
  Frame *entry_frame_ = nullptr;
  enum class Wait : std::uint8_t { none, gather, barrier } wait_ = Wait::none;
};

/// Bytes of local memory a thread may have (cudaLimitStackSize at most).
inline constexpr std::uint32_t kMostLocalBytes = 512 << 10;
/// Local memory that a call takes in addition to the callee's variables, so that endless recursion is found
/// even without variables.
inline constexpr std::uint32_t kCallBytes = 32;

}  // namespace cupilot::emulate::machine
