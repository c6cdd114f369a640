#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random size faults in right variants, and what catches them.

  size_faults.py --annotate A --writer W --keep FOLDER [--count 40] [--seed 1]

Each fault is one condition put into the innermost store of a right variant: one width, one residue or one quadrant
of sizes of which one is at least a random bound, with numbers drawn from sizes that a program may have. `by chance`
is a fault that is caught by a case that the judge has anyway; `made` one by a case that was made for uncovered code;
`coverage` one that was refused because no case reaches it.
"""
import argparse
import pathlib
import random
import shutil

import bundles
import run
from programs import FOLDER, Program

ROWS = """__global__ void faulty(const float *x, const float *w, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row + c] * x[row + c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) {
    float v = x[row + c] * scale * w[c];
    @fault@
    y[row + c] = v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  faulty<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
"""
PRODUCT = """__global__ void faulty(const float *a, const float *b, float *out, int rows, int cols, int k) {
  const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r >= rows || c >= cols) return;
  float v = 0;
  for (int i = 0; i < k; ++i) v += a[(size_t)r * k + i] * b[(size_t)i * cols + c];
  @fault@
  out[(size_t)r * cols + c] = v;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *out, int rows, int cols, int k) {
  faulty<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, out, rows, cols, k);
  return true;
}
"""
TURNED = """__global__ void faulty(const float *in, float *out, int cols, int rows) {
  const int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (c >= cols || r >= rows) return;
  float v = in[(size_t)r * cols + c];
  @fault@
  out[(size_t)c * rows + r] = v;
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int cols, int rows) {
  faulty<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, l.stream>>>(in, out, cols, rows);
  return true;
}
"""
VARIANTS = {"row_norm": (ROWS, "blockIdx.x", "c"), "gemm": (PRODUCT, "r", "c"), "transpose": (TURNED, "r", "c")}


def fault(random_numbers, row, column):
    """A condition, and a statement that makes the value wrong: with a branch or by choosing."""
    kind = random_numbers.choice(["width", "residue", "quadrant"])
    size = random_numbers.choice(["rows", "cols"])
    if kind == "width":
        condition = f"{size} == {random_numbers.randint(3, 4096)}"
    elif kind == "residue":
        modulus = random_numbers.randint(48, 512)
        condition = f"{size} % {modulus} == {random_numbers.randrange(modulus)}"
    else:
        condition = (f"{size} > {random_numbers.randint(200, 4096)} && 2 * {row} >= rows && 2 * {column} >= cols")
    statement = random_numbers.choice([f"if ({condition}) v = 0;", f"v = {condition} ? v + 1 : v;", f"if ({condition}) return;"])
    return kind, statement


def faults(count, seed):
    random_numbers, found = random.Random(seed), []
    for number in range(count):
        kernel = random_numbers.choice(sorted(VARIANTS))
        text, row, column = VARIANTS[kernel]
        kind, statement = fault(random_numbers, row, column)
        program = Program(kernel, f"{kind}-{number}", text.replace("@fault@", statement))
        program.idea = statement
        found.append(program)
    return found


def answer(verdict):
    made = verdict.get("coverage", {}).get("made_cases", 0)
    if verdict["stage"] == "coverage":
        return "coverage"
    if verdict["verdict"] in ("wrong", "rejected", "crashed"):
        return "made" if made else "by chance"
    return "missed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annotate")
    parser.add_argument("--writer", required=True)
    parser.add_argument("--worker")
    parser.add_argument("--keep", required=True, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    annotate = run.found("cupilot-annotate", options.annotate, options.writer)
    worker = run.found("cupilot-emulate", options.worker, options.writer)
    specs = bundles.scan(annotate, sorted((FOLDER / "kernels").glob("*.cu")), FOLDER)
    programs = faults(options.count, options.seed)
    folder = pathlib.Path(options.keep)
    shutil.rmtree(folder, ignore_errors=True)
    written, verdicts = bundles.write(options.writer, specs, programs, folder, seed=options.seed)
    for complaint in bundles.judge([worker, "judge"], written, options.jobs):
        print(complaint)
    verdicts.update(bundles.verdicts_in(folder))
    counts = {}
    for program in programs:
        verdict = verdicts[(program.kernel, program.name)]
        kind, how = program.name.split("-")[0], answer(verdict)
        counts.setdefault(kind, {}).setdefault(how, 0)
        counts[kind][how] += 1
        print(f"{how:9} {program.kernel}/{program.name}: {program.idea}  [{verdict['stage']} {verdict['verdict']}: {verdict['reason'][:100]}]")
    print(f"{'kind':9} {'by chance':>10} {'made':>6} {'coverage':>9} {'missed':>7}")
    for kind in sorted(counts):
        print(f"{kind:9} " + " ".join(f"{counts[kind].get(how, 0):>{width}}" for how, width in
                                      (("by chance", 10), ("made", 6), ("coverage", 9), ("missed", 7))))


if __name__ == "__main__":
    main()
