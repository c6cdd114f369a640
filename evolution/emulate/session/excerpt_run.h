// SPDX-License-Identifier: Apache-2.0
//
// Makes an excerpt of one call: executes blocks of each of its launches and follows what they read and write.
// Blocks that read what earlier launches of the call write are tried again together with those launches'
// blocks that write it.

#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "evolution/emulate/runtime/device.h"
#include "evolution/emulate/session/block_search.h"
#include "evolution/emulate/session/traffic.h"
#include "evolution/judge/launches/excerpt.h"
#include "evolution/judge/launches/launch_list.h"

namespace cupilot::emulate::session {

class ExcerptRun {
public:
  /// `seed` picks the blocks and the pieces.
  ExcerptRun(memory::Memory &memory, CaseBuffers &buffers, std::uint64_t seed);

  /// The whole call is repeated for each pass, with these three told of it.
  void begin_pass();
  void before_work(const judge::launches::QueuedWork &work,
                   const std::vector<judge::launches::MemoryRange> &scratch);
  /// Executes what this pass needs of the launch in place of the launch itself.
  void launch(const runtime::LaunchSeen &seen, const machine::LaunchOptions &options,
              const std::vector<judge::launches::Piece> &wanted);

  /// After a pass: whether another one would make more of what was written final.
  bool plan_another();
  /// The answer; the values of its pieces are written to `dump`.
  judge::launches::Excerpt answer(const std::vector<judge::launches::Piece> &wanted,
                                  std::span<std::byte> dump);
  /// What the executed blocks did wrong; not that they read what nobody wrote.
  const std::vector<machine::Finding> &findings() const { return findings_; }

private:
  struct Launch {
    std::unique_ptr<runtime::LaunchSeen> seen;
    std::vector<std::byte> parameters;
    machine::LaunchOptions options;
    std::uint64_t total = 0;
    std::vector<std::uint64_t> chosen;
    std::map<std::uint64_t, BlockSeen> blocks;  ///< of the last pass
    std::vector<std::uint32_t> writers;         ///< TrafficObserver::writer()
    bool waits = false;  ///< a block did not end: it waits for another one, or is too long
  };
  struct Extent {
    double least_written = 0, most_written = 0, least_read = 0, most_read = 0;
  };

  void execute_marked(Launch &launch, const std::vector<std::uint64_t> &blocks);
  void execute(Launch &launch, const std::vector<std::uint64_t> &blocks, bool in_call = true);
  void sample(Launch &launch);
  void look_for(Launch &launch, const std::vector<judge::launches::Piece> &wanted);
  bool provide(std::size_t reader, std::uint64_t address, std::uint64_t bytes);
  bool final_in(std::size_t launch, std::size_t area) const;
  void add_pieces(std::vector<judge::launches::Piece> &pieces, std::uint64_t most_bytes) const;
  Extent extent_in(const Launch &launch, std::size_t area) const;
  judge::launches::BufferTraffic traffic_in(std::size_t area) const;
  std::string why_open(std::size_t area) const;
  bool dependent() const;

  memory::Memory &memory_;
  CaseBuffers &buffers_;
  std::uint64_t seed_;
  TrafficObserver observer_;
  std::vector<Launch> launches_;
  std::vector<std::size_t> filled_before_;  ///< by area: launches that came before the last fill of it
  std::vector<machine::Finding> findings_;
  std::size_t next_ = 0;
  int passes_ = 0;
  std::uint64_t steps_left_ = 0;  ///< for blocks that others need
  std::uint64_t blocks_run_ = 0;
};

}  // namespace cupilot::emulate::session
