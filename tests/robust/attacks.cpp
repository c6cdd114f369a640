// SPDX-License-Identifier: Apache-2.0
#include "attacks.h"

#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;

namespace {

using enum VerdictKind;

const std::string kKernel = R"(
__global__ void rows_kernel(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += x[(size_t)row * cols + i] * x[(size_t)row * cols + i];
  const float scale = rsqrtf(sum / cols + 1e-5f);
  for (int i = 0; i < cols; ++i) y[(size_t)row * cols + i] = x[(size_t)row * cols + i] * scale * w[i];
}
)";

/// x86-64 and aarch64 have the same calls under different numbers.
const std::string kSystemCalls = R"(
#if defined(__x86_64__)
#define NUMBER(x86, arm) x86
inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long answer;
  asm volatile("movq %5, %%r10; movq %6, %%r8; movq %7, %%r9; syscall"
               : "=a"(answer)
               : "a"(number), "D"(a), "S"(b), "d"(c), "m"(d), "m"(e), "m"(f)
               : "rcx", "r8", "r9", "r10", "r11", "memory");
  return answer;
}
#else
#define NUMBER(x86, arm) arm
inline long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long answer;
  asm volatile("ldr x8, %1; ldr x0, %2; ldr x1, %3; ldr x2, %4; ldr x3, %5; ldr x4, %6; ldr x5, %7; svc 0; mov %0, x0"
               : "=r"(answer)
               : "m"(number), "m"(a), "m"(b), "m"(c), "m"(d), "m"(e), "m"(f)
               : "x0", "x1", "x2", "x3", "x4", "x5", "x8", "memory");
  return answer;
}
#endif
)";

const std::string kGo =
    "  rows_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n";

/// Host code in front of a correct launch.
std::string host(const std::string &code) {
  return kKernel + kSystemCalls + kLaunchSignature + code + "\n" + kGo;
}
/// Device code behind a correct kernel.
std::string device(const std::string &code) {
  return kKernel + "__global__ void extra(const float *x, float *y) {\n" + code + "\n}\n" + kLaunchSignature +
         "  rows_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n"
         "  extra<<<1, 1, 0, l.stream>>>(x, y);\n  return true;\n}\n";
}

}  // namespace

std::vector<Attack> attacks() {
  return {
      {"host_crash", host("*(volatile int *)nullptr = 1;"), {crashed}, "signal 11", true},
      {"host_hang", host("for (volatile int i = 0;;) i = i + 1;"), {timed_out}, "", true},
      {"host_stack",
       host("volatile char deep[512 << 20]; deep[0] = 1; deep[rows] = deep[0];"),
       {crashed},
       ""},
      {"host_memory",
       host("for (;;) {\n"
            "  char *p = (char *)call(NUMBER(9, 222), 0, 1 << 28, 3, 0x22, -1, 0);\n"
            "  for (long i = 0; i < 1 << 28; i += 4096) ((volatile char *)p)[i] = 1;\n}"),
       {crashed, rejected, timed_out},
       "",
       true},
      {"fork_bomb", host("for (;;) call(NUMBER(57, 220), 17);"), {rejected}, "system call", true},
      {"threads",
       host("char stack[8192];\nfor (;;) call(NUMBER(56, 220), 0x10f00, (long)stack + 8000);"),
       {rejected},
       "system call"},
      {"starts_a_program",
       host("const char *argv[] = {\"/bin/sh\", \"-c\", \"touch /tmp/cupilot_was_here\", nullptr};\n"
            "call(NUMBER(59, 221), (long)argv[0], (long)argv, 0);"),
       {rejected},
       "'execve' (starts programs)"},
      {"writes_a_file",
       host("call(NUMBER(257, 56), -100, (long)\"/tmp/cupilot_was_here\", 0x41, 0600);"),
       {rejected},
       "'openat' (opens files)",
       true},
      {"reads_a_file",
       host("call(NUMBER(257, 56), -100, (long)\"/etc/passwd\", 0, 0);"),
       {rejected},
       "'openat' (opens files)"},
      {"network", host("call(NUMBER(41, 198), 2, 1, 0);"), {rejected}, "'socket' (network)", true},
      {"kills_its_parent",
       host("call(NUMBER(62, 129), call(NUMBER(110, 173)), 9);"),
       {rejected},
       "'kill' (signals to processes)",
       true},
      {"kills_everybody", host("call(NUMBER(62, 129), -1, 9);"), {rejected}, "'kill' (signals to processes)"},
      {"traces", host("call(NUMBER(101, 117), 16, call(NUMBER(110, 173)), 0, 0);"), {rejected}, "'ptrace'"},
      {"forged_answer",
       host("for (int fd = 0; fd < 64; ++fd)\n"
            "  call(NUMBER(1, 64), fd, "
            "(long)\"{\\\"ok\\\":true}\\n{\\\"ok\\\":true}\\n\\1\\0\\0\\0\\0\\0\\0\\0\", 34);"),
       {rejected, crashed, wrong},
       "",
       true},
      {"closes_everything",
       host("for (int fd = 0; fd < 64; ++fd) call(NUMBER(3, 57), fd);"),
       {rejected, crashed},
       ""},
      {"talks_without_end",
       host("for (int i = 0; i < 20000; ++i) call(NUMBER(1, 64), 2, (long)\"cupilot: error: all is "
            "well\\n\", 29);"),
       {faster, slower, same, unsure},
       ""},
      {"device_hang", device("while (*(volatile const float *)x != 1e30f) {}"), {timed_out}, "", true},
      {"device_crash", device("*(volatile float *)0x10 = y[0];"), {crashed}, ""},
      {"device_trap", device("asm volatile(\"trap;\");"), {crashed}, ""},
      {"device_memory",
       kKernel + kLaunchSignature +
           "  for (int i = 0; i < 8; ++i)\n    if (!l.scratch(1ull << 42)) return false;\n" + kGo,
       {rejected, crashed, not_evaluated, wrong},
       ""},
      {"honest", kKernel + kLaunchSignature + kGo, {faster, slower, same, unsure}, "", true},
  };
}

}  // namespace cupilot
