// SPDX-License-Identifier: Apache-2.0
//
// An object that passes the launcher's self-check.
extern "C" int cudaLaunchKernel();
extern "C" int cudaLaunchKernelExC();
static __attribute__((used)) int on_function() __asm__("cupilot_launch_function");
static __attribute__((used)) int on_extended() __asm__("cupilot_launch_extended");
static int on_function() {
  return cudaLaunchKernel() + 1;
}
static int on_extended() {
  return cudaLaunchKernelExC() + 1;
}
