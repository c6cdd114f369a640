// SPDX-License-Identifier: Apache-2.0
// cp.async, bulk copies, mbarriers.

#include <cstring>
#include <functional>

#include "tests/emulate/warp_opcodes/warp_case.h"

namespace cupilot::opcodes {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(scrambled(i));
  return bytes;
}
std::uint64_t word_of(const std::vector<std::byte> &bytes, std::size_t at, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, size);
  return word;
}

constexpr const char *kAddresses =
    "  .reg .b64 %from;\n  .reg .b32 %to;\n  mad.wide.u32 %from, %thread, 16, %memory;\n  mov.u32 %to, "
    "buffer;\n"
    "  mad.lo.u32 %to, %thread, 16, %to;\n  st.shared.v4.b32 [%to], {-1, -1, -1, -1};\n";
constexpr const char *kBuffer = ".shared .align 16 .b8 buffer[1024];\n";

/// Lane l copies from memory + 16 l; then its 16 bytes of shared memory are read. `rest`: further operands.
WarpCase copy(const std::string &name, const std::string &opcode, unsigned bytes, const std::string &rest,
              const std::string &wait, const std::function<unsigned(unsigned lane)> &read) {
  const auto memory = random_bytes(512);
  return make_case(
      {.name = name,
       .in = {"b32 size"},
       .out = {"b32 d0", "b32 d1", "b32 d2", "b32 d3"},
       .body = std::string(kAddresses) +
               "  .reg .pred %odd;\n  and.b32 %word, %thread, 1;\n  setp.ne.u32 %odd, %word, 0;\n  " +
               opcode + " [%to], [%from], " + std::to_string(bytes) + rest + ";\n" + wait +
               "  ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%to];\n",
       .input = [=](unsigned lane, unsigned) { return std::uint64_t{read(lane)}; },
       .expected = [=](unsigned lane, unsigned slot) -> std::uint64_t {
         std::uint64_t word = 0xffffffff;
         for (unsigned byte = 0; byte < 4; ++byte) {
           const unsigned at = slot * 4 + byte;
           if (at >= bytes) continue;
           const std::uint64_t value =
               at < read(lane) ? static_cast<std::uint64_t>(memory[lane * 16 + at]) : 0;
           word = (word & ~(0xffull << (8 * byte))) | value << (8 * byte);
         }
         return word;
       },
       .memory = memory,
       .module_scope = kBuffer});
}

void add_copies(std::vector<WarpCase> &cases) {
  const std::string all = "  cp.async.wait_all;\n",
                    group = "  cp.async.commit_group;\n  cp.async.wait_group 0;\n";
  for (unsigned bytes : {4u, 8u, 16u})
    cases.push_back(copy("cp.async.ca " + std::to_string(bytes), "cp.async.ca.shared.global", bytes, "", all,
                         [=](unsigned) { return bytes; }));
  cases.push_back(
      copy("cp.async.cg 16", "cp.async.cg.shared.global", 16, "", group, [](unsigned) { return 16u; }));
  cases.push_back(copy("cp.async.cg 16 L2::128B", "cp.async.cg.shared::cta.global.L2::128B", 16, "", group,
                       [](unsigned) { return 16u; }));
  cases.push_back(copy("cp.async.ca 16, src-size", "cp.async.ca.shared.global", 16, ", %size", all,
                       [](unsigned lane) { return lane % 17; }));
  cases.push_back(copy("cp.async.ca 4, src-size 0", "cp.async.ca.shared.global", 4, ", 0", all,
                       [](unsigned) { return 0u; }));
  cases.push_back(copy("cp.async.cg 16, ignore-src", "cp.async.cg.shared.global", 16, ", %odd", all,
                       [](unsigned lane) { return lane % 2 ? 0u : 16u; }));
}

/// Three groups in flight; waiting for all but two makes only the first certain, then the others follow.
WarpCase groups() {
  const auto memory = random_bytes(1024);
  std::string body = kAddresses;
  for (int i = 0; i < 3; ++i)
    body += "  cp.async.ca.shared.global [%to+" + std::to_string(4 * i) + "], [%from+" +
            std::to_string(4 * i) + "], 4;\n  cp.async.commit_group;\n";
  for (int i = 0; i < 3; ++i)
    body += "  cp.async.wait_group " + std::to_string(2 - i) + ";\n  ld.shared.b32 %d" + std::to_string(i) +
            ", [%to+" + std::to_string(4 * i) + "];\n";
  return make_case(
      {.name = "cp.async.wait_group 2 1 0",
       .out = {"b32 d0", "b32 d1", "b32 d2"},
       .body = body,
       .expected = [=](unsigned lane, unsigned slot) { return word_of(memory, lane * 16 + slot * 4, 4); },
       .memory = memory,
       .module_scope = kBuffer});
}

const std::string kBarrier = ".shared .align 8 .b64 barrier;\n" + std::string(kBuffer);
const std::string kInit =
    "  .reg .pred %go, %first;\n  .reg .b32 %mb;\n  .reg .b64 %state;\n  mov.u32 %mb, barrier;\n  "
    "setp.eq.u32 %first, %thread, 0;\n";

/// 64 threads arrive; each waits for its phase and then reads what its neighbour wrote.
WarpCase barrier(const std::string &name, const std::string &arrive, const std::string &test,
                 unsigned count) {
  return make_case({.name = name,
                    .out = {"b32 d"},
                    .body = kInit + "  .reg .b32 %to, %other;\n  @%first mbarrier.init.shared.b64 [%mb], " +
                            std::to_string(count) +
                            ";\n  bar.sync 0;\n  mov.u32 %to, buffer;\n  mad.lo.u32 %word, %thread, 4, "
                            "%to;\n  st.shared.u32 [%word], %thread;\n" +
                            arrive + "W:\n" + test +
                            "  @!%go bra W;\n  xor.b32 %other, %thread, 33;\n  mad.lo.u32 %word, %other, 4, "
                            "%to;\n  ld.shared.u32 %d, [%word];\n",
                    .expected = [](unsigned thread, unsigned) -> std::uint64_t { return thread ^ 33; },
                    .module_scope = kBarrier,
                    .threads = 64});
}

void add_barriers(std::vector<WarpCase> &cases) {
  const std::string arrive = "  mbarrier.arrive.shared.b64 %state, [%mb];\n",
                    by_state = "  mbarrier.test_wait.shared.b64 %go, [%mb], %state;\n";
  cases.push_back(barrier("mbarrier.arrive, test_wait", arrive, by_state, 64));
  cases.push_back(barrier("mbarrier.arrive, try_wait", arrive,
                          "  mbarrier.try_wait.shared.b64 %go, [%mb], %state;\n", 64));
  cases.push_back(barrier("mbarrier.arrive, test_wait.parity", arrive,
                          "  mbarrier.test_wait.parity.shared.b64 %go, [%mb], 0;\n", 64));
  cases.push_back(barrier("mbarrier.arrive, try_wait.parity with hint", arrive,
                          "  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %go, [%mb], 0, 1000;\n",
                          64));
  cases.push_back(barrier("mbarrier.arrive count",
                          "  mbarrier.arrive.release.cta.shared::cta.b64 %state, [%mb], 2;\n", by_state,
                          128));
  cases.push_back(
      barrier("mbarrier.arrive_drop", "  mbarrier.arrive_drop.shared.b64 %state, [%mb];\n", by_state, 64));
  cases.push_back(barrier("mbarrier.arrive.expect_tx, complete_tx",
                          "  mbarrier.arrive.expect_tx.shared.b64 %state, [%mb], 4;\n  "
                          "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%mb], 4;\n",
                          by_state, 64));
  cases.push_back(barrier("mbarrier.expect_tx, arrive",
                          "  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%mb], 8;\n" + arrive +
                              "  mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%mb], 8;\n",
                          by_state, 64));
}

/// Three phases, then what is pending.
WarpCase phases() {
  std::string body =
      kInit +
      "  .reg .b32 %left;\n  @%first mbarrier.init.shared.b64 [%mb], 32;\n  bar.sync 0;\n  mov.u32 %d, 0;\n";
  for (int i = 0; i < 3; ++i) {
    const std::string label = "W" + std::to_string(i);
    body += "  mbarrier.arrive.shared.b64 %state, [%mb];\n" + label +
            ":\n  mbarrier.test_wait.parity.shared.b64 %go, [%mb], " + std::to_string(i & 1) +
            ";\n  @!%go bra " + label + ";\n  add.u32 %d, %d, 1;\n";
  }
  body +=
      "  bar.sync 0;\n  @%first mbarrier.arrive.noComplete.shared.b64 %state, [%mb], 5;\n  @%first "
      "mbarrier.arrive.noComplete.shared.b64 %state, [%mb], 1;\n"
      "  mov.u32 %left, 27;\n  @%first mbarrier.pending_count.b64 %left, %state;\n  bar.sync 0;\n  @%first "
      "mbarrier.inval.shared.b64 [%mb];\n";
  Recipe recipe{.name = "mbarrier phases, noComplete, pending_count, inval",
                .out = {"b32 d", "b32 left"},
                .body = body};
  recipe.body.erase(recipe.body.find("  .reg .b32 %left;\n"), 19);
  recipe.expected = [](unsigned, unsigned slot) -> std::uint64_t { return slot == 0 ? 3 : 27; };
  recipe.module_scope = kBarrier;
  return make_case(recipe);
}

/// cp.async that arrives at an mbarrier when it is done.
WarpCase copy_arrival(bool increments) {
  const auto memory = random_bytes(512);
  const std::string arrive =
      increments
          ? "  cp.async.mbarrier.arrive.shared.b64 [%mb];\n  mbarrier.arrive.shared.b64 %state, [%mb];\n"
          : "  cp.async.mbarrier.arrive.noinc.shared.b64 [%mb];\n";
  return make_case(
      {.name = std::string("cp.async.mbarrier.arrive") + (increments ? "" : ".noinc"),
       .out = {"b32 d"},
       .body = kInit + kAddresses +
               "  .reg .b32 %other;\n  @%first mbarrier.init.shared.b64 [%mb], 32;\n  bar.sync 0;\n"
               "  cp.async.ca.shared.global [%to], [%from], 16;\n" +
               arrive +
               "W:\n  mbarrier.test_wait.parity.shared.b64 %go, [%mb], 0;\n  @!%go bra W;\n  mov.u32 %other, "
               "buffer;\n"
               "  xor.b32 %word, %thread, 5;\n  mad.lo.u32 %other, %word, 16, %other;\n  ld.shared.u32 %d, "
               "[%other];\n",
       .expected = [=](unsigned lane, unsigned) { return word_of(memory, (lane ^ 5) * 16, 4); },
       .memory = memory,
       .module_scope = kBarrier});
}

/// Global to shared by one thread, waited for by all; then shared to global.
WarpCase bulk() {
  auto memory = random_bytes(2048);
  auto after = memory;
  std::memcpy(after.data() + 1024, memory.data(), 1024);
  return make_case(
      {.name = "cp.async.bulk both ways",
       .out = {"b64 d"},
       .body =
           kInit +
           "  .reg .b32 %to;\n  .reg .b64 %back;\n  mov.u32 %to, buffer;\n  @%first mbarrier.init.shared.b64 "
           "[%mb], 1;\n"
           "  fence.mbarrier_init.release.cluster;\n  fence.proxy.async;\n  bar.sync 0;\n  @!%first bra W;\n"
           "  mbarrier.arrive.expect_tx.shared.b64 %state, [%mb], 1024;\n"
           "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%memory], 1024, "
           "[%mb];\n"
           "W:\n  mbarrier.try_wait.parity.shared.b64 %go, [%mb], 0;\n  @!%go bra W;\n  mad.lo.u32 %word, "
           "%thread, 8, %to;\n"
           "  ld.shared.b64 %d, [%word];\n  bar.sync 0;\n  @!%first bra E;\n  add.u64 %back, %memory, 1024;\n"
           "  cp.async.bulk.prefetch.L2.global [%memory], 64;\n"
           "  cp.async.bulk.global.shared::cta.bulk_group [%back], [%to], 1024;\n  "
           "cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\nE:\n",
       .expected = [=](unsigned lane, unsigned) { return word_of(memory, lane * 8, 8); },
       .memory = memory,
       .memory_expected = after,
       .module_scope = kBarrier});
}

}  // namespace

std::vector<WarpCase> async_cases() {
  std::vector<WarpCase> cases;
  add_copies(cases);
  cases.push_back(groups());
  add_barriers(cases);
  cases.push_back(phases());
  for (bool increments : {false, true}) cases.push_back(copy_arrival(increments));
  cases.push_back(bulk());
  return cases;
}

}  // namespace cupilot::opcodes
