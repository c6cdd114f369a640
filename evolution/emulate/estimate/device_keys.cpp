// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a device table. "cycles" of a unit: how long one instruction of a warp occupies one
// multiprocessor's unit.
#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate::estimate {

const std::vector<DeviceKey> &device_keys() {
  static const std::vector<DeviceKey> keys{
      {"multiprocessors", "", "multiprocessors in use"},
      {"clock_ghz", "GHz", "clock under load"},
      {"max_threads_per_multiprocessor", "", "resident threads"},
      {"max_blocks_per_multiprocessor", "", "resident blocks"},
      {"registers_per_multiprocessor", "", "32-bit registers"},
      {"shared_bytes_per_multiprocessor", "bytes", "largest shared memory"},
      {"reserved_shared_bytes_per_block", "bytes", "taken by the system"},
      {"l1_bytes", "bytes", "L1 and shared memory together"},
      {"l2_bytes", "bytes", "L2"},
      {"dram_gbs", "GB/s", "copying: as many bytes read as written, both counted"},
      {"dram_read_gbs", "GB/s", "reading only, or writing only"},
      {"dram_isolated_bytes", "bytes", "what a sector without neighbours costs, as if so many were streamed"},
      {"dram_latency_cycles", "cycles", "load that misses the L2"},
      {"dram_queue_cycles", "cycles", "what waiting adds to it when memory is fully busy"},
      {"l2_latency_cycles", "cycles", "load that hits the L2"},
      {"l1_latency_cycles", "cycles", "load that hits the L1"},
      {"shared_latency_cycles", "cycles", "load from shared memory"},
      {"l2_read_gbs", "GB/s", "L2 to all multiprocessors"},
      {"l2_write_gbs", "GB/s", "all multiprocessors to L2, whole sectors"},
      {"l2_partial_writes_per_ns", "1/ns", "sectors of which a warp writes a part only"},
      {"l2_share", "", "part of the L2 that keeps data between blocks"},
      {"l2_isolated_per_ns", "1/ns", "sectors without neighbours from the L2"},
      {"lsu_request_cycles", "cycles", "each request, besides its passes"},
      {"l1_wavefront_cycles", "cycles", "each pass of a request through the L1"},
      {"shared_wavefront_cycles", "cycles", "each pass through the banks"},
      {"fma_cycles", "cycles", "fp32 add, multiply, fma"},
      {"alu_cycles", "cycles", "integer add, logic, compare, select"},
      {"imad_cycles", "cycles", "integer multiply-add, 32 bits"},
      {"fp64_cycles", "cycles", "fp64 add, multiply, fma"},
      {"half2_cycles", "cycles", "packed fp16 or bf16 fma"},
      {"special_cycles", "cycles", "one of rcp rsqrt ex2 lg2 sin cos tanh"},
      {"convert_cycles", "cycles", "conversions from floating to integer, between fp32 and fp64"},
      {"bits_cycles", "cycles", "popc clz brev"},
      {"shuffle_cycles", "cycles", "shfl"},
      {"reduce_cycles", "cycles", "redux"},
      {"alu_latency_cycles", "cycles", "result of an fp32 or integer instruction"},
      {"fp64_latency_cycles", "cycles", "result of an fp64 fma"},
      {"special_latency_cycles", "cycles", "result of rcp and kin"},
      {"shuffle_latency_cycles", "cycles", "result of shfl"},
      {"f32_division_issues", "", "instructions of an exact fp32 division"},
      {"f32_root_issues", "", "instructions of an exact fp32 square root"},
      {"f64_division_issues", "", "fp64 instructions of an fp64 division"},
      {"integer_division_issues", "", "instructions of a 32-bit integer division"},
      {"long_division_issues", "", "instructions of a 64-bit integer division"},
      {"mma_f16_flops_per_cycle", "1/cycle", "mma.sync with fp16 or bf16, one multiprocessor"},
      {"mma_tf32_flops_per_cycle", "1/cycle", "mma.sync with tf32"},
      {"mma_f64_flops_per_cycle", "1/cycle", "mma.sync with fp64"},
      {"mma_s8_flops_per_cycle", "1/cycle", "mma.sync with 8-bit integers"},
      {"barrier_cycles", "cycles", "a barrier all warps have reached"},
      {"barrier_warp_cycles", "cycles", "for each warp of it"},
      {"block_start_cycles", "cycles", "from a free place to the first instruction"},
      {"blocks_per_ns", "1/ns", "blocks started, whole device"},
      {"launch_us", "us", "a launch that does nothing"},
      {"atomic_same_integer_ns", "ns", "one lane's integer atomic in the busiest slice of the L2"},
      {"atomic_same_float_ns", "ns", "one lane's floating atomic on the busiest address"},
      {"atomics_per_ns", "1/ns", "lanes' atomics on addresses far apart, in the L2"},
      {"shared_atomic_cycles", "cycles", "integer atomic of a warp without conflict"},
      {"shared_atomic_same_cycles", "cycles", "each further lane on the same word, integer"},
      {"shared_float_atomic_cycles", "cycles", "floating atomic of a warp without conflict"},
      {"shared_float_atomic_same_cycles", "cycles", "each further lane on the same word, floating"},
  };
  return keys;
}

}  // namespace cupilot::emulate::estimate
