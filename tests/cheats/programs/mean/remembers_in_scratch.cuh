// SPDX-License-Identifier: Apache-2.0
// D6: scratch memory comes from a pool and still holds what the last call left: a key of the input and
// the result.
// caught: correct wrong "uninitialised"
// caught: correct wrong "scratch"
// caught: correct wrong "output 'result'"
// caught: finalist wrong "initcheck"
__global__ void remembered(const float *x, float *result, float *memory, int n) {
  const float key = x[0] + x[n / 2] + x[n - 1];
  if (memory[0] == key && memory[1] == n) {
    *result = memory[2];
    return;
  }
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  memory[0] = key, memory[1] = n, memory[2] = *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  float *memory = (float *)l.scratch(16);
  if (!memory) return false;
  remembered<<<1, 1, 0, l.stream>>>(x, result, memory, n);
  return true;
}
