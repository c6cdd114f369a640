// SPDX-License-Identifier: Apache-2.0
//
// A second file of the relocatable build: its own kernel of a name the first has too, a device function and a
// variable the first may call, private strings.

__device__ int second_calls = 0;

__device__ int second_times(int x, int y) {
  atomicAdd(&second_calls, 1);
  return x * y;
}
