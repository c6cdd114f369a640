#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws kernels as people write them, and kernels that only look so.

  kernels.py FOLDER --count 1000 --seed 1 [--batch 40]

writes FOLDER/batch_NN.cu, each with up to --batch annotated kernels, and FOLDER/batch_NN.json: for every kernel the
launches it is tried with (sizes, grid, block), of which some do not cover the data or have another block than the kernel
is written for, and what its buffers hold. Every kernel is defined C++ for launches whose sizes it was written for;
what it does is drawn: the numbers of a loop, its condition, a step of a tree may be off (`twist`), and then the
kernel computes something else than it seems to.
"""

import argparse
import functools
import json
import pathlib
import random
import re

SLACK = 64  # elements behind each buffer: an index that is off by a little stays inside


class Kernel:
    """One kernel as it is put together: its parameters, its text, and how it is launched."""

    def __init__(self, name, draw):
        self.name, self.draw = name, draw
        self.type = draw.choices(["float", "double", "int"], [6, 2, 2])[0]
        self.pointers, self.scalars, self.device, self.lines = [], [], [], []
        self.launches = []  # (sizes, grid, block)
        self.fills = {}
        self.twists = 0
        self.known = ()  # names of what is computed already

    # What is drawn.
    def chance(self, share):
        return self.draw.random() < share

    def pick(self, *options):
        return self.draw.choice(options)

    def twist(self, usual, *others):
        """Seldom one of the others: the kernel does something else than it looks."""
        if self.chance(0.04):
            self.twists += 1
            return self.draw.choice(others)
        return usual

    # Parameters.
    def buffer(self, name, extent, role="in", of=None, fill=None):
        const = "const " if role == "in" else ""
        restrict = "__restrict__ " if self.restrict else ""
        self.pointers.append((name, f"{const}{of or self.type} *{restrict}", extent, role))
        if fill:
            self.fills[name] = fill
        return name

    @functools.cached_property
    def restrict(self):
        return self.chance(0.5)

    def size(self, name, of="int"):
        self.scalars.append((name, of))
        return name

    # Expressions.
    def number(self):
        value = self.draw.randint(1, 3)
        return {"float": f"{value}.0f", "double": f"{value}.0", "int": str(value)}[self.type]

    def identity(self, op):
        if self.type == "int":
            return {"+": "0", "*": "1", "max": "-2147483647", "min": "2147483647"}[op]
        suffix = "f" if self.type == "float" else ""
        return {"+": "0.0" + suffix, "*": "1.0" + suffix, "max": "-INFINITY", "min": "INFINITY"}[op]

    def larger(self, a, b, what="max"):
        if self.type == "int":
            return self.pick(f"{what}({a}, {b})", f"({a} {'>' if what == 'max' else '<'} {b} ? {a} : {b})")
        suffix = "f" if self.type == "float" else ""
        return self.pick(f"f{what}{suffix}({a}, {b})", f"f{what}{suffix}({a}, {b})",
                         f"({a} {'>' if what == 'max' else '<'} {b} ? {a} : {b})")

    def expression(self, leaves, depth=2):
        if depth == 0 or self.chance(0.25):
            return self.draw.choice(leaves) if self.chance(0.85) else self.number()
        a, b = self.expression(leaves, depth - 1), self.expression(leaves, depth - 1)
        kind = self.pick("+", "+", "-", "*", "max", "min", "select", "function", "call")
        if kind in "+-*":
            return f"({a} {kind} {b})"
        if kind in ("max", "min"):
            return self.larger(a, b, kind)
        if kind == "select":
            return f"({a} {self.pick('<', '>', '<=', '>=')} {b} ? {a} : {self.expression(leaves, 0)})"
        if kind == "function":
            if self.type == "int":
                return self.pick(f"({a} % 7)", f"({a} & 15)", f"({a} >> 1)", f"abs({a})")
            return self.pick(f"fabs({a})", f"fabs({a})", self.smooth(a))
        return self.called(a, b)

    def smooth(self, a):
        if self.type == "float":
            return self.pick(f"expf(-fabsf({a}) * 0.125f)", f"sqrtf(fabsf({a}))", f"({a} / (2.0f + fabsf({a})))")
        return self.pick(f"exp(-fabs({a}) * 0.125)", f"sqrt(fabs({a}))", f"({a} / (2.0 + fabs({a})))")

    def called(self, a, b):
        """A call of a __device__ function that is written for it."""
        name = f"{self.name}_f{len(self.device)}"
        body = self.pick(f"return a * {self.number()} + b;",
                         f"{self.type} d = a - b; return d * d;",
                         "if (a < b) return b - a; return a;",
                         f"{self.type} r = a; if (b > {self.number()}) r += b; return r;")
        inline = self.pick("__device__", "__device__ __forceinline__", "static inline __device__")
        self.device.append(f"{inline} {self.type} {name}({self.type} a, {self.type} b) {{ {body} }}")
        return f"{name}({a}, {b})"

    def place(self, names, sizes):
        """A linear place: the names in this order, the last lies together."""
        text = names[0]
        for name, size in zip(names[1:], sizes[1:]):
            text = f"({text}) * {size} + {name}" if " " in text else f"{text} * {size} + {name}"
        return text

    # Lines.
    def line(self, text):
        self.lines.append(text)

    def loop(self, name, end, begin="0", text=None):
        """Opens a loop over begin .. end in one of the ways people write."""
        begin = self.twist(begin, "1")
        end = self.twist(end, f"{end} - 1")
        step = self.twist(f"++{name}", f"{name} += 2")
        if step.startswith("++"):
            step = self.pick(f"{name}++", f"++{name}", f"{name} += 1")
        compare = f"{name} < {end}" if self.chance(0.85) else f"{end} > {name}" if self.chance(0.5) else \
            f"{name} <= {end} - 1"
        if self.chance(0.15):
            self.line(f"#pragma unroll {self.pick('', '4', '1')}")
        self.line(f"for (int {name} = {begin}; {compare}; {step}) {{")

    def launch(self, sizes, grid, block):
        self.launches.append((sizes, [max(1, g) for g in grid], block))


def ceil(a, b):
    return (a + b - 1) // b


# --- Who computes which element -------------------------------------------------------------------------------------
# A mapping opens the code that each element of some axes is computed in, says how it is launched for given sizes, and
# how often it has to be closed.

def one_axis(k, axis, size):
    form = k.pick("guard", "guard", "return", "stride", "several", "up_to", "apart", "blocks", "one_thread")
    first = k.pick("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockIdx.x * blockDim.x",
                   "blockDim.x * blockIdx.x + threadIdx.x")
    kind = k.pick("int", "int", "const int", "unsigned int" if form in ("blocks",) else "int")
    if form == "guard":
        k.line(f"{kind} {axis} = {first};")
        k.line(f"if ({axis} {k.twist('<', '<=')} {size}) {{")
        return 1, lambda n, b: ([ceil(n, b)], [b])
    if form == "return":
        k.line(f"{kind} {axis} = {first};")
        k.line(f"if ({axis} >= {size}) {k.pick('return;', '{ return; }')}")
        return 0, lambda n, b: ([ceil(n, b)], [b])
    if form == "stride":
        step = k.twist("gridDim.x * blockDim.x", "gridDim.x * blockDim.x * 2", "blockDim.x")
        k.line(f"for (int {axis} = {first}; {axis} < {size}; {axis} += {step}) {{")
        return 1, lambda n, b: ([max(1, ceil(n, b) // 2)], [b])
    if form == "several":
        count = k.pick(2, 4)
        k.line(f"int {axis}0 = ({first}) * {count};")
        k.line(f"for (int {axis}j = 0; {axis}j < {k.twist(count, count - 1)}; ++{axis}j) {{")
        k.line(f"int {axis} = {axis}0 + {axis}j;")
        k.line(f"if ({axis} >= {size}) {k.pick('break;', 'continue;')}" if k.chance(0.5) else
               f"if ({axis} < {size}) {{")
        return 1 + ("{" in k.lines[-1]), lambda n, b: ([ceil(ceil(n, count), b)], [b])
    if form == "up_to":
        count = k.pick(3, 4, 8)
        k.line(f"int {axis}0 = ({first}) * {count};")
        if k.chance(0.5):
            k.line(f"int {axis}1 = min({axis}0 + {k.twist(count, count - 1)}, {size});")
            k.line(f"for (int {axis} = {axis}0; {axis} < {axis}1; ++{axis}) {{")
            return 1, lambda n, b: ([ceil(ceil(n, count), b)], [b])
        k.line(f"if ({axis}0 >= {k.twist(size, size + ' / 2')}) return;")
        k.line(f"int {axis}n = {size} - {axis}0 < {count} ? {size} - {axis}0 : {count};")
        k.line(f"for (int {axis}j = 0; {axis}j < {axis}n; {axis}j++) {{")
        k.line(f"int {axis} = {axis}0 + {axis}j;")
        return 1, lambda n, b: ([ceil(ceil(n, count), b)], [b])
    if form == "apart":
        count = k.pick(2, 4)
        k.line(f"int {axis}0 = blockIdx.x * blockDim.x * {k.twist(count, count + 1)} + threadIdx.x;")
        k.line(f"for (int {axis}j = 0; {axis}j < {count}; ++{axis}j) {{")
        k.line(f"int {axis} = {axis}0 + {axis}j * blockDim.x;")
        k.line(f"if ({axis} < {size}) {{")
        return 2, lambda n, b: ([ceil(n, b * count)], [b])
    if form == "blocks":
        k.line(f"int {axis} = blockIdx.x;")
        k.line(f"if (threadIdx.x == {k.twist(0, 1)} && {axis} < {size}) {{")
        return 1, lambda n, b: ([n], [b])
    k.line(f"if (blockIdx.x == 0 && threadIdx.x == 0)" if k.chance(0.5) else "if (blockIdx.x + threadIdx.x == 0)")
    k.line(f"for (int {axis} = 0; {axis} < {size}; ++{axis}) {{")
    return 1, lambda n, b: ([1], [b])


def two_axes(k, outer, rows, inner, cols):
    form = k.pick("grid", "grid", "swapped", "flat", "row_block", "row_thread", "grid_y_rows", "flat_stride")
    x, y = "blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.y * blockDim.y + threadIdx.y"
    if form in ("grid", "swapped"):
        first, second = (inner, outer) if form == "grid" else (outer, inner)
        of = {inner: cols, outer: rows}
        k.line(f"int {first} = {x};")
        k.line(f"int {second} = {y};")
        how = k.pick("and", "return", "nested")
        if how == "return":
            k.line(f"if ({first} >= {of[first]} || {second} >= {of[second]}) return;")
        elif how == "and":
            k.line(f"if ({outer} < {k.twist(rows, rows + ' - 1')} && {inner} < {cols}) {{")
        else:
            k.line(f"if ({outer} < {rows}) {{")
            k.line(f"if ({inner} < {k.twist(cols, rows)}) {{")
        closing = {"return": 0, "and": 1, "nested": 2}[how]
        if form == "grid":
            return closing, lambda r, c, b: ([ceil(c, 8), ceil(r, b // 8)], [8, b // 8])
        return closing, lambda r, c, b: ([ceil(r, 8), ceil(c, b // 8)], [8, b // 8])
    if form in ("flat", "flat_stride"):
        name = "t"
        if form == "flat":
            k.line(f"int {name} = {x};")
            k.line(f"if ({name} >= {rows} * {cols}) return;")
        else:
            k.line(f"for (int {name} = {x}; {name} < {rows} * {cols}; {name} += blockDim.x * gridDim.x) {{")
        if k.chance(0.3):
            k.line(f"int {outer} = {name} % {rows}, {inner} = {name} / {rows};")
        else:
            k.line(f"int {outer} = {name} / {k.twist(cols, rows)};")
            k.line(f"int {inner} = {k.pick(f'{name} % {cols}', f'{name} - {outer} * {cols}')};")
        return int(form != "flat"), lambda r, c, b: ([ceil(r * c, b * (1 if form == "flat" else 3))], [b])
    if form == "row_block":
        k.line(f"int {outer} = blockIdx.x;")
        if k.chance(0.4):
            k.line(f"if ({outer} >= {rows}) return;")
        k.line(f"for (int {inner} = threadIdx.x; {inner} < {cols}; {inner} += {k.twist('blockDim.x', 'blockDim.x + 1')}) {{")
        return 1, lambda r, c, b: ([r], [b])
    if form == "row_thread":
        k.line(f"int {outer} = {x};")
        k.line(f"if ({outer} >= {rows}) return;")
        k.loop(inner, cols)
        return 1, lambda r, c, b: ([ceil(r, b)], [b])
    k.line(f"int {outer} = blockIdx.y;")
    k.line(f"int {inner} = {x};")
    k.line(f"if ({inner} < {cols}) {{")
    return 1, lambda r, c, b: ([ceil(c, b), r], [b])


def three_axes(k, names, sizes):
    a, b, c = names
    na, nb, nc = sizes
    form = k.pick("grid", "flat", "z_blocks", "rows")
    x = "blockIdx.x * blockDim.x + threadIdx.x"
    if form == "grid":
        k.line(f"int {c} = {x};")
        k.line(f"int {b} = blockIdx.y * blockDim.y + threadIdx.y;")
        k.line(f"int {a} = blockIdx.z * blockDim.z + threadIdx.z;")
        k.line(f"if ({c} >= {nc} || {b} >= {nb} || {a} >= {na}) return;")
        return 0, lambda p, q, r, t: ([ceil(r, 8), ceil(q, t // 16), ceil(p, 2)], [8, t // 16, 2])
    if form == "flat":
        k.line(f"int t = {x};")
        k.line(f"if (t < {na} * {nb} * {nc}) {{")
        k.line(f"int {c} = t % {nc};")
        if k.chance(0.25):
            k.line(f"int {b} = (t - {c}) / {nc} % {nb};")
            k.line(f"int {a} = (t - {k.twist(nc, nb)} * {b} - {c}) / ({nb} * {nc});")
        elif k.chance(0.5):
            k.line(f"int {b} = t / {nc} % {nb};")
            k.line(f"int {a} = t / ({nb} * {nc});")
        else:
            k.line(f"int {b} = (t / {nc}) % {nb}, {a} = t / {nc} / {nb};")
        return 1, lambda p, q, r, t: ([ceil(p * q * r, t)], [t])
    if form == "z_blocks":
        k.line(f"int {a} = blockIdx.z, {b} = blockIdx.y;")
        k.line(f"int {c} = {x};")
        k.line(f"if ({c} < {nc}) {{")
        return 1, lambda p, q, r, t: ([ceil(r, t), q, p], [t])
    k.line(f"int {a} = blockIdx.x / {nb}, {b} = blockIdx.x % {nb};")
    k.line(f"for (int {c} = threadIdx.x; {c} < {nc}; {c} += blockDim.x) {{")
    return 1, lambda p, q, r, t: ([p * q], [t])


def close(k, count):
    for _ in range(count):
        k.line("}")


def add_launches(k, sizes_of, shape, blocks=(32, 64, 128)):
    """Launches of other sizes and blocks, and one whose grid is too small."""
    usual = k.draw.choice(blocks)
    for number in range(4):
        sizes = sizes_of(number)
        block = usual if number < 2 else k.draw.choice(blocks)
        grid, threads = shape(*sizes.values(), block)
        if number == 3 and k.chance(0.6):
            grid = [max(1, g - 1) for g in grid]
        elif k.chance(0.2):
            grid = [g + 1 for g in grid]
        k.launch(sizes, grid, threads)


def drawn(k, low, high):
    return k.draw.randint(low, high)


# --- Families -------------------------------------------------------------------------------------------------------

def elements_1(k):
    n = k.size("n")
    x = k.buffer("x", "n")
    leaves = [f"{x}[i]"]
    if k.chance(0.4):
        leaves.append(f"{k.buffer('w', 'n')}[i]")
    if k.chance(0.2):
        leaves.append(f"{k.buffer('v', 'n')}[{k.pick('n - 1 - i', 'i / 2', 'i % 5', 'i + 1')}]")
    if k.chance(0.2):
        index = k.buffer("at", "n", of="int", fill=["below", "n"])
        leaves.append(f"{x}[{index}[i]]")
    if k.chance(0.2):
        leaves.append(k.size("s", k.type))
    role = k.pick("out", "out", "inout")
    y = k.buffer("y", "n", role)
    count, shape = one_axis(k, "i", n)
    where = k.twist("i", "n - 1 - i", "i ^ 1", "i / 2")
    if role == "inout":
        leaves.append(f"{y}[i]")
        how = k.pick("=", "+=", "*=", "-=")
    else:
        how = "="
    value = k.expression(leaves)
    if k.chance(0.3):
        k.line(f"{k.type} r = {value};")
        k.line(f"if (r < {k.number()}) {{ r = {k.expression(leaves + ['r'])}; }}" if k.chance(0.5) else
               f"if (r > {k.number()}) r += {leaves[0]}; else r = -r;")
        value = "r"
    if k.chance(0.15):
        k.line(f"if ({leaves[-1]} > 0)")
    k.line(f"{y}[{where}] {how} {value};")
    close(k, count)
    add_launches(k, lambda _: {"n": drawn(k, 1, 300)}, shape)


def elements_2(k):
    rows, cols = k.size("rows"), k.size("cols")
    x = k.buffer("x", "rows * cols")
    orders = [("r", "c"), ("c", "r")]
    of = {"r": "rows", "c": "cols"}

    def place():
        order = k.pick(*orders, orders[0])
        return k.place(order, [of[o] for o in order])
    leaves = [f"{x}[{place()}]"]
    if k.chance(0.4):
        leaves.append(f"{k.buffer('w', 'cols')}[c]")
    if k.chance(0.3):
        leaves.append(f"{k.buffer('b', 'rows')}[r]")
    role = k.pick("out", "out", "inout")
    y = k.buffer("y", "rows * cols", role)
    to = place()
    if role == "inout":
        leaves.append(f"{y}[{to}]")
    count, shape = two_axes(k, "r", rows, "c", cols)
    if k.chance(0.2):
        k.line("if (c <= r) {" if count else k.pick("if (c > r) {", "if (c <= r) {"))
        count += 1
    k.line(f"{y}[{k.twist(to, to + ' / 2')}] = {k.expression(leaves)};")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 20), "cols": drawn(k, 1, 40)}, shape)


def elements_3(k):
    sizes = [k.size("na"), k.size("nb"), k.size("nc")]
    names = ["a", "b", "c"]
    of = dict(zip(names, sizes))
    x = k.buffer("x", "na * nb * nc")
    y = k.buffer("y", "na * nb * nc", "out")

    def place():
        order = list(names)
        if k.chance(0.4):
            k.draw.shuffle(order)
        return k.place(order, [of[o] for o in order])
    to = place()
    leaves = [f"{x}[{place()}]"]
    if k.chance(0.5):
        leaves.append(f"{k.buffer('w', 'nb')}[b]")
    count, shape = three_axes(k, names, sizes)
    if k.chance(0.4):  # neighbours
        middle = f"(a * nb + b) * nc + c"
        first, step = k.pick(("a > 0 && a < na - 1", "nb * nc"), ("b > 0 && b < nb - 1", "nc"), ("c > 0 && c + 1 < nc", "1"))
        k.line(f"if ({first}) {{")
        k.line(f"{y}[{middle}] = {x}[{middle} - {step}] + {x}[{middle} + {step}] - {k.number()} * {x}[{middle}];")
        k.line("}")
        if k.chance(0.6):
            k.line(f"else {y}[{middle}] = {x}[{middle}];")
    else:
        k.line(f"{y}[{to}] = {k.expression(leaves)};")
    close(k, count)
    add_launches(k, lambda _: {"na": drawn(k, 1, 6), "nb": drawn(k, 1, 9), "nc": drawn(k, 1, 20)}, shape,
                 (32, 64))


def start_of(k, op):
    if k.chance(0.12):
        return k.number()
    if k.type == "int" or op in "+*":
        return k.identity(op)
    suffix, sign = "f" if k.type == "float" else "", "-" if op == "max" else ""
    return k.pick(f"{sign}INFINITY", f"{sign}1e30{suffix}")


def folded(k, op, total, value):
    """A statement that puts one value more into the total."""
    if op in "+*":
        return k.pick(f"{total} {op}= {value};", f"{total} {op}= {value};", f"{total} = {total} {op} {value};")
    if k.chance(0.3):
        return f"if ({value} {'>' if op == 'max' else '<'} {total}) {total} = {value};"
    return f"{total} = {k.larger(total, value, op)};"


def combined(k, op, a, b):
    return f"{a} {op} {b}" if op in "+*" else k.larger(a, b, op)


def tree(k, op, total, shared, threads):
    """Threads of a block fold `total` into the total of all; what has it afterwards. Each tree has its own memory."""
    t = k.pick("threadIdx.x", "tid") if "tid" in k.known else "threadIdx.x"
    kind = k.pick("halves", "halves", "doubling", "strided", "serial", "warps_down", "warps_xor", "unrolled")
    if threads == 32 and k.chance(0.6):
        kind = k.pick("one_warp_xor", "one_warp_down")
    width = k.pick("blockDim.x", str(threads)) if kind in ("halves", "doubling", "strided", "serial") else str(threads)
    if kind.startswith("one_warp"):
        k.line(f"for (int o = {k.twist(16, 8)}; o > 0; o {k.pick('>>= 1', '/= 2')}) {{")
        exchange = "__shfl_xor_sync" if kind.endswith("xor") else "__shfl_down_sync"
        k.line(folded(k, op, total, f"{exchange}(0xffffffff, {total}, o)") if op in "+*" else
               f"{total} = {combined(k, op, total, f'{exchange}(0xffffffff, {total}, o)')};")
        k.line("}")
        if kind.endswith("down") and k.chance(0.5):
            k.line(f"{total} = __shfl_sync(0xffffffff, {total}, {k.twist(0, 1)});")
            return total, True
        return total, kind.endswith("xor")
    if kind.startswith("warps"):
        exchange = "__shfl_xor_sync" if kind.endswith("xor") else "__shfl_down_sync"
        warps = threads // 32
        k.line(f"__shared__ {k.type} {shared}[{max(1, warps)}];")
        k.line(f"for (int o = {k.twist(16, 8)}; o > 0; o >>= 1)")
        k.line(f"  {total} = {combined(k, op, total, f'{exchange}(0xffffffff, {total}, o)')};")
        k.line(f"if ((threadIdx.x & 31) == 0) {shared}[threadIdx.x >> 5] = {total};")
        k.line("__syncthreads();")
        if k.chance(0.5):
            k.line(f"{total} = {shared}[0];")
            k.line(f"for (int w = {k.twist(1, 0)}; w < {warps}; ++w) {folded(k, op, total, f'{shared}[w]')}")
            return total, True
        k.line("if (threadIdx.x < 32) {")
        k.line(f"{total} = threadIdx.x < {warps} ? {shared}[threadIdx.x] : {k.identity(op)};")
        k.line(f"for (int o = 16; o > 0; o >>= 1)")
        k.line(f"  {total} = {combined(k, op, total, f'__shfl_down_sync(0xffffffff, {total}, o)')};")
        k.line("}")
        return total, False
    k.line(f"__shared__ {k.type} {shared}[{threads}];")
    k.line(f"{shared}[{t}] = {total};")
    k.line("__syncthreads();")
    a, b = f"{shared}[{t}]", f"{shared}[{t} + s]"
    if kind == "halves":
        k.line(f"for ({k.pick('int', 'unsigned int')} s = {width} / {k.twist(2, 4)}; s > 0; s {k.pick('>>= 1', '/= 2')}) {{")
        k.line(f"if ({t} < s) {folded(k, op, a, b)}")
        k.line("__syncthreads();")
        k.line("}")
    elif kind == "doubling":
        k.line(f"for (int s = 1; s < {width}; s *= 2) {{")
        k.line(f"if ({t} % (2 * s) == 0) {folded(k, op, a, b)}")
        k.line("__syncthreads();")
        k.line("}")
    elif kind == "strided":
        k.line(f"for (int s = 1; s < {width}; s *= 2) {{")
        k.line(f"int j = 2 * s * {t};")
        k.line(f"if (j < {width}) {folded(k, op, f'{shared}[j]', f'{shared}[j + s]')}")
        k.line("__syncthreads();")
        k.line("}")
    elif kind == "unrolled":
        step = threads // 2
        while step > 0:
            k.line(f"if ({t} < {step}) {a} = {combined(k, op, a, f'{shared}[{t} + {step}]')};")
            k.line("__syncthreads();")
            step //= 2
    else:
        k.line(f"if ({t} == 0) {{")
        k.line(f"for (int j = {k.twist(1, 0)}; j < {width}; ++j) {folded(k, op, f'{shared}[0]', f'{shared}[j]')}")
        k.line("}")
        k.line("__syncthreads();")
    return f"{shared}[0]", True


def row_terms(k, order_is_rows=True):
    x = k.buffer("x", "rows * cols")
    at = "r * cols + c" if order_is_rows else "c * rows + r"
    leaves = [f"{x}[{at}]"]
    if k.chance(0.3):
        leaves.append(f"{k.buffer('w', 'cols')}[c]")
    if k.chance(0.2):
        leaves.append(f"{k.buffer('q', 'rows * cols')}[{at}]")
    return leaves


def term_of(k, op, leaves):
    value = k.expression(leaves, 1)
    if op == "*":
        # products of whole numbers stay small: what does not fit is not defined
        chosen, one = ("-1", "1") if k.type == "int" else (k.number(), "1.0f" if k.type == "float" else "1.0")
        value = f"({value} > {k.number()} ? {chosen} : {one})"
    return value


def condition_line(k, leaves):
    """Sometimes terms are left out."""
    if not k.chance(0.15):
        return
    k.line(k.pick(f"if ({leaves[0]} < 0) continue;", "if (c == r) continue;", f"if ({leaves[0]} > 3) break;",
                  "if (c > r) break;"))


def rows_by_threads(k):
    """A thread a row: one fold or several, then an element a row or the row."""
    rows, cols = k.size("rows"), k.size("cols")
    leaves = row_terms(k, k.chance(0.75))
    count, shape = one_axis(k, "r", rows)
    totals = []
    for number in range(k.pick(1, 1, 2)):
        op = k.pick("+", "+", "max", "min", "*")
        total = f"s{number}"
        k.line(f"{k.type} {total} = {start_of(k, op)};")
        if k.chance(0.1):
            k.line("int c = 0;")
            k.line(f"while (c < cols) {{")
            k.line(folded(k, op, total, term_of(k, op, leaves + totals)))
            k.line("c++;")
            k.line("}")
            if number == 0:
                totals.append(total)
                break
        else:
            k.loop("c", cols)
            condition_line(k, leaves)
            k.line(folded(k, op, total, term_of(k, op, leaves + totals)))
            k.line("}")
        totals.append(total)
    if k.chance(0.5) and "int c = 0;" not in k.lines:
        y = k.buffer("y", "rows * cols", "out")
        k.loop("c", cols)
        k.line(f"{y}[r * cols + c] = {k.expression(leaves + totals)};")
        k.line("}")
    else:
        y = k.buffer("y", "rows", k.pick("out", "inout"))
        how = k.pick("=", "+=") if k.pointers[-1][3] == "inout" else "="
        k.line(f"{y}[{k.twist('r', 'r / 2')}] {how} {k.expression(totals, 1)};")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 80), "cols": drawn(k, 1, 40)},
                 lambda r, _, b: shape(r, b))


def rows_by_blocks(k):
    """A block a row with a tree, or a warp a row."""
    rows, cols = k.size("rows"), k.size("cols")
    threads = k.pick(32, 64, 128)
    leaves = row_terms(k, k.chance(0.85))
    k.line("int r = blockIdx.x;")
    if k.chance(0.3):
        k.line(f"if (r >= {rows}) return;")
    if k.chance(0.5):
        k.line("int tid = threadIdx.x;")
        k.known = ("tid",)
    t = "tid" if k.known else "threadIdx.x"
    totals = []
    everywhere = True
    for number in range(k.pick(1, 1, 2)):
        op = k.pick("+", "+", "max", "min")
        total = f"s{number}"
        k.line(f"{k.type} {total} = {start_of(k, op)};")
        step = k.twist(k.pick("blockDim.x", str(threads)), "2 * blockDim.x")
        k.line(f"for (int c = {k.twist(t, t + ' + 1')}; c < {k.twist(cols, cols + ' - 1')}; c += {step}) {{")
        if k.chance(0.1):
            k.line(f"if ({leaves[0]} < 0) continue;")
        k.line(folded(k, op, total, term_of(k, op, leaves + totals)))
        k.line("}")
        result, everywhere = tree(k, op, total, f"sh{number}", threads)
        totals.append(result)
        if not everywhere:
            break
    if everywhere and k.chance(0.6):
        y = k.buffer("y", "rows * cols", "out")
        k.line(f"for (int c = {t}; c < cols; c += blockDim.x)")
        k.line(f"  {y}[r * cols + c] = {k.expression(leaves + totals)};")
    else:
        y = k.buffer("y", "rows", "out")
        k.line(f"if ({t} == {k.twist(0, 1)}) {y}[r] = {k.expression(totals, 1)};")
    sizes = lambda _: {"rows": drawn(k, 1, 12), "cols": drawn(k, 1, 200)}
    for number in range(4):
        values = sizes(number)
        block = threads if number < 3 else k.pick(threads, threads // 2, 32)
        grid = values["rows"] + (k.pick(-1, 0, 1) if number == 3 else 0)
        k.launch(values, [grid], [block])


def whole(k):
    """One fold of everything, by atomics or a share for each block."""
    n = k.size("n")
    threads = k.pick(32, 64, 128)
    x = k.buffer("x", "n")
    leaves = [f"{x}[i]"]
    if k.chance(0.3):
        leaves.append(f"{k.buffer('w', 'n')}[i]")
    op = "+"
    first = "blockIdx.x * blockDim.x + threadIdx.x"
    if k.chance(0.5):
        k.line("int tid = threadIdx.x;")
        k.known = ("tid",)
    t = "tid" if k.known else "threadIdx.x"
    k.line(f"{k.type} s = {k.identity(op)};")
    stride = k.chance(0.5)
    if stride:
        k.line(f"for (int i = {first}; i < n; i += {k.twist('gridDim.x * blockDim.x', 'blockDim.x')}) {{")
        k.line(folded(k, op, "s", k.expression(leaves, 1)))
        k.line("}")
    else:
        k.line(f"int i = {first};")
        what = k.pick("one", "one", "named", "several", "more")
        if what == "one":
            k.line(f"if (i < n) s = {k.expression(leaves, 1)};")
        else:
            if what == "several":
                k.line(f"{k.type} half = {k.number()};")
            k.line("if (i < n) {")
            k.line(f"{k.pick('const ', '')}{k.type} d = {k.expression(leaves, 1)};")
            if what == "more":
                k.line(f"const {k.type} e = {k.expression(leaves + ['d'], 1)}, f = d;")
            if what == "several":
                k.line(f"half = {k.pick('d', 's + d')}; s {k.pick('=', '+=')} {k.expression(['half', 'd'], 1)};")
            else:
                k.line(f"s {k.pick('=', '+=')} {k.expression(['d', 'e', 'f'] if what == 'more' else ['d'], 1)};")
            k.line("}")
    target = k.buffer("out", "n + 8", "inout")
    how = k.pick("each", "tree", "tree", "share")
    if how == "each":
        k.line(f"atomicAdd(&{target}[0], s);" if k.chance(0.5) else f"atomicAdd({target}, s);")
    else:
        result, _ = tree(k, op, "s", "sh", threads)
        to = f"atomicAdd({target}, {result});" if how == "tree" else f"{target}[blockIdx.x] = {result};"
        k.line(f"if ({t} == {k.twist(0, 1)}) {to}")
    for number in range(4):
        values = {"n": drawn(k, 1, 700)}
        block = threads if number < 3 else k.pick(threads, threads // 2)
        grid = ceil(values["n"], block) if not stride else k.pick(1, 2, 3)
        k.launch(values, [max(1, grid - (number == 3 and k.chance(0.5)))], [block])


def teams_of_a_block(k):
    """A block of two dimensions: threads along one of them fold a row or a column, those along the other have others."""
    lines, terms = k.size("lines"), k.size("terms")
    along, over = k.pick("yx", "yx", "xy")
    team, wide = k.pick(4, 8, 16), k.pick(4, 8, 32)
    x, y = k.buffer("x", "lines * terms"), k.buffer("y", "lines", "out")
    t, u = f"threadIdx.{along}", f"threadIdx.{over}"
    k.line(f"__shared__ {k.type} part[{team}][{k.pick(wide, wide + 1)}];")
    k.line(f"int line = blockIdx.{over} * {k.pick(str(wide), f'blockDim.{over}')} + {u};")
    if k.chance(0.4):
        k.line(f"const int me = {t};")
        t = "me"
    op = k.pick("+", "+", "max", "min")
    guarded = k.chance(0.7)
    k.line(f"{k.type} total = {start_of(k, op)};")
    if guarded:
        k.line("if (line < lines)")
    place = k.pick("i * lines + line", "line * terms + i")
    k.line(f"for (int i = {t}; i < {k.twist('terms', 'terms - 1')}; i += {k.pick(str(team), f'blockDim.{along}')})")
    k.line("  { " + folded(k, op, "total", term_of(k, op, [f"{x}[{place}]"])) + " }")
    k.line(f"part[{t}][{u}] = total;")
    k.line("__syncthreads();")
    if k.chance(0.6):
        k.line(f"for (int s = {team} / {k.twist(2, 4)}; s > 0; s /= 2) {{")
        beside = k.twist(u, f"({u} + 1) % {wide}")
        k.line(f"if ({t} < s) {{ {folded(k, op, f'part[{t}][{u}]', f'part[{t} + s][{beside}]')} }}")
        k.line("__syncthreads();")
        k.line("}")
    else:
        k.line(f"if ({t} == 0) for (int s = {k.twist(1, 0)}; s < {team}; ++s) "
               f"{{ {folded(k, op, f'part[0][{u}]', f'part[s][{u}]')} }}")
        k.line("__syncthreads();")
    first = f"{t} == {k.twist(0, 1)}"
    conditions = [first, "line < lines"] if guarded else [first]
    if k.chance(0.5):
        conditions.reverse()
    k.line(f"if ({' && '.join(conditions)}) {y}[line] = {k.expression([f'part[0][{u}]'], 1)};")
    for number in range(4):
        values = {"lines": drawn(k, 1, 70), "terms": drawn(k, 1, 60)}
        if not guarded:
            values["lines"] = wide * drawn(k, 1, 3)
        blocks = ceil(values["lines"], wide) - (1 if number == 3 and k.chance(0.3) else 0)
        high = team if number < 3 else k.pick(team, team // 2)
        shape = ([blocks], [wide, high]) if over == "x" else ([1, blocks], [high, wide])
        k.launch(values, *shape)


def scans(k):
    rows, cols = k.size("rows"), k.size("cols")
    x = k.buffer("x", "rows * cols")
    y = k.buffer("y", "rows * cols", "out")
    at = k.pick("r * cols + c", "r * cols + c", "c * rows + r")
    count, shape = one_axis(k, "r", rows)
    op = k.pick("+", "+", "max", "*")
    k.line(f"{k.type} s = {start_of(k, op)};")
    if k.chance(0.25):
        k.line(f"for (int c = cols - 1; c >= {k.twist(0, 1)}; c--) {{")
    else:
        k.loop("c", cols)
    kind = k.pick("inclusive", "inclusive", "exclusive", "recurrence", "masked")
    value = f"{x}[{at}]" if op != "*" else term_of(k, "*", [f"{x}[{at}]"])
    if kind == "inclusive":
        k.line(folded(k, op, "s", value))
        k.line(f"{y}[{at}] = {k.pick('s', k.expression(['s', f'{x}[{at}]'], 1))};")
    elif kind == "exclusive":
        k.line(f"{y}[{at}] = s;")
        k.line(folded(k, op, "s", value))
    elif kind == "masked":
        k.line(f"if ({x}[{at}] > 0) {folded(k, op, 's', value)}")
        k.line(f"{y}[{at}] = s;")
    else:
        half = {"int": "/ 2", "float": "* 0.5f", "double": "* 0.5"}[k.type]
        k.line(f"s = s {half} + {x}[{at}];")
        k.line(f"{y}[{at}] = s;")
    k.line("}")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 60), "cols": drawn(k, 1, 12)},
                 lambda r, _, b: shape(r, b))


def scans_in_rounds(k):
    """A block or a warp a row, in rounds that go on from each other: shuffles, two buffers, warps' totals."""
    rows, cols = k.size("rows"), k.size("cols")
    x, y = k.buffer("x", "rows * cols"), k.buffer("y", "rows * cols", "out")
    op = k.pick("+", "+", "*")
    nothing = k.identity(op)
    how = k.pick("buffers", "warp", "warps")
    threads = {"buffers": k.pick(8, 16, 64), "warp": 32, "warps": k.pick(64, 128)}[how]
    kind = k.type
    shared = k.chance(0.5)  # what comes before is in shared memory, or each thread's own
    if shared:
        k.line(f"__shared__ {kind} before;")
    if how == "warps":
        k.line(f"__shared__ {kind} sums[{threads // 32}];")
    if how == "buffers":
        k.line(f"__shared__ {kind} sums[2][{threads}];")
    k.line("int t = threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;")
    k.line(f"if (t == {k.twist(0, 1)}) before = {nothing};" if shared else f"{kind} before = {nothing};")
    if shared:
        k.line("__syncthreads();")
    k.line(f"for (int first = 0; first < cols; first += {threads}) {{")
    k.line(f"int c = {k.pick('first + t', 'first + t', 'cols - 1 - first - t')};")
    inside = "c >= 0 && c < cols"
    if "cols - 1" in k.lines[-1]:
        inside = k.twist("c >= 0", "c > 0")
    else:
        inside = k.twist("c < cols", "c + 1 < cols")
    at = "blockIdx.x * cols + c"
    element = term_of(k, "*", [f"{x}[{at}]"]) if op == "*" else f"{x}[{at}]"
    if k.chance(0.5):
        k.line(f"{kind} v = {inside} ? {element} : {nothing};")
    else:
        k.line(f"{kind} v = {nothing};")
        k.line(f"if ({inside}) v = {element};")
    if how == "buffers":
        k.line("int from = 0;")
        k.line("sums[from][t] = v;")
        k.line("__syncthreads();")
        k.line(f"for (int step = 1; step < {k.twist(threads, threads // 2)}; step *= 2) {{")
        k.line(f"if (t >= step) sums[1 - from][t] = sums[from][t] {op} sums[from][t - step];")
        k.line(f"else sums[1 - from][t] = {k.twist('sums[from][t]', nothing)};")
        k.line("from = 1 - from;")
        k.line("__syncthreads();")
        k.line("}")
        own, whole = "sums[from][t]", f"sums[from][{threads - 1}]"
    else:
        k.line(f"for (int step = 1; step < {k.twist(32, 16)}; step *= 2) {{")
        k.line(f"{kind} left = __shfl_up_sync(0xffffffff, v, step);")
        k.line(f"if (lane >= step) v {op}= left;")
        k.line("}")
        own, whole = "v", "__shfl_sync(0xffffffff, v, 31)"
    if how == "warps":
        k.line("if (lane == 31) sums[warp] = v;")
        k.line("__syncthreads();")
        k.line(f"{kind} lower = {nothing}, all = {nothing};")
        k.line(f"for (int w = 0; w < {threads // 32}; ++w) {{")
        k.line(f"if (w {k.twist('<', '<=')} warp) lower {op}= sums[w];")
        k.line(f"all {op}= sums[w];")
        k.line("}")
        own, whole = f"(lower {op} v)", "all"
    store = f"if ({inside}) {y}[{at}] = before {op} {own};"
    carry = f"before {op}= {whole};"
    if shared:
        last = f"if (t == {k.twist(threads - 1, threads - 2)}) before = before {op} {own};"
        lines = [store, "__syncthreads();", last, "__syncthreads();"]
    else:
        lines = [store, carry, "__syncthreads();"]
    if k.chance(0.04):
        k.twists += 1
        lines = [carry, store, "__syncthreads();"] if not shared else [last, "__syncthreads();", store, "__syncthreads();"]
    for line in lines:
        k.line(line)
    k.line("}")
    for number in range(4):
        values = {"rows": drawn(k, 1, 6), "cols": drawn(k, 1, 300)}
        block = threads if number < 3 else k.pick(threads, 32)
        k.launch(values, [values["rows"] + (k.pick(-1, 0, 1) if number == 3 else 0)], [block])


def products(k):
    m, n, d = k.size("m"), k.size("n"), k.size("d")
    a = k.buffer("a", "m * d")
    b = k.buffer("b", "d * n")
    c = k.buffer("y", "m * n", k.pick("out", "inout"))
    pa = k.pick("i * d + p", "i * d + p", "p * m + i")
    pb = k.pick("p * n + j", "p * n + j", "j * d + p")
    pc = k.pick("i * n + j", "i * n + j", "j * m + i")
    count, shape = two_axes(k, "i", m, "j", n)
    k.line(f"{k.type} s = {k.identity('+')};")
    begin = k.pick("0", "0", "0", "i", "j")
    if k.chance(0.15):
        k.line(f"for (int p = {begin}; p < d; ++p) {{")
        k.line(f"if ({k.pick('p > j', 'p < i', 'p == j')}) {k.pick('continue', 'break')};")
    else:
        k.loop("p", d, begin)
    term = f"{a}[{pa}] * {b}[{pb}]" if k.chance(0.8) else k.expression([f"{a}[{pa}]", f"{b}[{pb}]"], 1)
    k.line(folded(k, "+", "s", term))
    k.line("}")
    value = k.pick("s", "s", f"{k.number()} * s", k.larger("s", k.number()))
    if k.pointers[2][3] == "inout":
        value = f"{value} + {k.number()} * {c}[{pc}]"
    k.line(f"{c}[{pc}] = {value};")
    close(k, count)
    add_launches(k, lambda _: {"m": drawn(k, 1, 14), "n": drawn(k, 1, 14), "d": drawn(k, 1, 14)},
                 lambda mm, nn, dd, t: shape(mm, nn, t), (32, 64))


def flat_products(k):
    """A product with tiles of one index in shared memory, whose threads build several sums each."""
    high, deep, each = k.pick((8, 4, 2), (8, 8, 2), (16, 4, 2))
    threads = (high // each) ** 2
    m, n, d = k.size("m"), k.size("n"), k.size("d")
    a, b, c = k.buffer("a", "m * d"), k.buffer("b", "d * n"), k.buffer("y", "m * n", "inout")
    kind = k.pick("int", "unsigned int", "const int")
    flat = k.chance(0.7)
    left = (lambda i, p: f"left[({i}) * {deep} + {p}]") if flat else (lambda i, p: f"left[{i}][{p}]")
    right = (lambda p, j: f"right[{p} * {high} + {j}]") if flat else (lambda p, j: f"right[{p}][{j}]")
    k.line(f"__shared__ {k.type} left[{high}{' * ' if flat else ']['}{deep}], right[{deep}{' * ' if flat else ']['}{high}];")
    wide = high // each
    k.line(f"{kind} row = threadIdx.x / {wide}, col = threadIdx.x % {wide};")
    k.line(f"{kind} down = threadIdx.x / {deep}, over = threadIdx.x % {deep};")
    k.line(f"{kind} below = threadIdx.x / {high}, across = threadIdx.x % {high};")
    moves = k.chance(0.5)
    if moves:
        k.line(f"{a} += blockIdx.y * {high} * d; {b} += blockIdx.x * {high};")
    k.line(f"{k.type} sums[{each} * {each}] = {{0}};" if flat else f"{k.type} sums[{each}][{each}] = {{}};")
    of = k.chance(0.5)
    if of:
        k.line(f"{k.type} of_left[{each}] = {{0}}, of_right[{each}] = {{0}};")
    loop = k.pick(f"for (int first = 0; first < d; first += {deep}) {{",
                  f"for (int tile = 0; tile * {deep} < d; ++tile) {{ int first = tile * {deep};")
    if moves:
        loop = f"for (int first = 0; first < d; first += {deep}) {{"
    k.line(loop)
    steps = threads // deep
    at = f"(down + i) * d + over" if moves else f"(blockIdx.y * {high} + down + i) * d + first + over"
    if steps <= high:
        k.line(f"for (int i = 0; i < {high}; i += {k.twist(steps, max(1, steps // 2))}) {left('down + i', 'over')} = {a}[{at}];")
    else:
        k.line(f"if (down < {high}) {left('down', 'over')} = {a}[{at.replace('down + i', 'down')}];")
    wideness = threads // high
    if wideness >= 1:
        at = f"(below + i) * n + across" if moves else f"(first + below + i) * n + blockIdx.x * {high} + across"
        k.line(f"for (int i = 0; i < {deep}; i += {wideness}) {right('(below + i)', 'across')} = {b}[{at}];")
    else:
        at = f"i * n + threadIdx.x + j" if moves else f"(first + i) * n + blockIdx.x * {high} + threadIdx.x + j"
        k.line(f"for (int i = 0; i < {deep}; ++i) for (int j = 0; j < {high}; j += {threads}) "
               f"{right('i', 'threadIdx.x + j')} = {b}[{at}];")
    k.line("__syncthreads();")
    if moves:
        k.line(f"{a} += {deep}; {b} += {k.twist(deep, deep // 2)} * n;")
    k.line(f"for (int p = 0; p < {deep}; ++p) {{")
    one, other = left(f"row * {each} + i", "p"), right("p", f"col * {each} + j")
    if of:
        k.line(f"for (int i = 0; i < {each}; ++i) of_left[i] = {one};")
        k.line(f"for (int j = 0; j < {each}; ++j) of_right[j] = {other};")
        one, other = "of_left[i]", "of_right[j]"
    total = f"sums[i * {each} + j]" if flat else "sums[i][j]"
    k.line(f"for (int i = 0; i < {each}; ++i) for (int j = 0; j < {each}; ++j) {total} += {one} * {other};")
    k.line("}")
    k.line("__syncthreads();")
    k.line("}")
    k.line(f"for (int i = 0; i < {each}; ++i) for (int j = 0; j < {each}; ++j)")
    place = f"(blockIdx.y * {high} + row * {each} + i) * n + blockIdx.x * {high} + col * {each} + j"
    k.line(f"{c}[{place}] = {k.pick(total, f'{total} + {k.number()} * {c}[{place}]')};")
    for number in range(4):
        values = {"m": high * drawn(k, 1, 3), "n": high * drawn(k, 1, 3), "d": deep * drawn(k, 1, 4)}
        grid = [values["n"] // high, values["m"] // high]
        k.launch(values, grid, [threads if number < 3 else k.pick(threads, 2 * threads)])


def tiles(k):
    """A product through tiles in shared memory, or a transposition."""
    size = k.pick(4, 8)
    if k.chance(0.4):
        rows, cols = k.size("rows"), k.size("cols")
        x, y = k.buffer("x", "rows * cols"), k.buffer("y", "rows * cols", "out")
        k.line(f"__shared__ {k.type} tile[{size}][{size + k.pick(0, 1)}];")
        k.line(f"int c = blockIdx.x * {size} + threadIdx.x, r = blockIdx.y * {size} + threadIdx.y;")
        k.line(f"if (r < rows && c < cols) tile[threadIdx.y][threadIdx.x] = {x}[r * cols + c];")
        k.line("__syncthreads();")
        k.line(f"int tc = blockIdx.y * {size} + threadIdx.x, tr = blockIdx.x * {size} + threadIdx.y;")
        read = k.twist("tile[threadIdx.x][threadIdx.y]", "tile[threadIdx.y][threadIdx.x]")
        k.line(f"if (tr < cols && tc < rows) {y}[tr * rows + tc] = {read};")
        shape = lambda r, c, _: ([ceil(c, size), ceil(r, size)], [size, size])
        add_launches(k, lambda _: {"rows": drawn(k, 1, 20), "cols": drawn(k, 1, 20)}, shape)
        return
    m, n, d = k.size("m"), k.size("n"), k.size("d")
    a, b, y = k.buffer("a", "m * d"), k.buffer("b", "d * n"), k.buffer("y", "m * n", "out")
    zero = k.identity("+")
    k.line(f"__shared__ {k.type} ta[{size}][{size}], tb[{size}][{size}];")
    k.line(f"int i = blockIdx.y * {size} + threadIdx.y, j = blockIdx.x * {size} + threadIdx.x;")
    k.line(f"{k.type} s = {zero};")
    k.line(f"for (int p0 = {k.twist(0, size)}; p0 < {k.twist('d', 'd - 1')}; p0 += {size}) {{")
    guard = k.twist("p0 + threadIdx.x < d", "p0 < d")
    k.line(f"ta[threadIdx.y][threadIdx.x] = i < m && {guard} ? {a}[i * d + p0 + threadIdx.x] : {zero};")
    k.line(f"tb[threadIdx.y][threadIdx.x] = j < n && p0 + threadIdx.y < d ? {b}[(p0 + threadIdx.y) * n + j] : {zero};")
    k.line("__syncthreads();")
    k.line(f"for (int p = 0; p < {k.twist(size, size - 1)}; ++p) s += ta[threadIdx.y][p] * tb[p][threadIdx.x];")
    k.line("__syncthreads();")
    k.line("}")
    k.line(f"if (i < m && j < n) {y}[i * n + j] = {k.pick('s', k.larger('s', zero))};")
    shape = lambda mm, nn, dd, _: ([ceil(nn, size), ceil(mm, size)], [size, size])
    add_launches(k, lambda _: {"m": drawn(k, 1, 14), "n": drawn(k, 1, 14), "d": drawn(k, 1, 14)}, shape)


def convolutions(k):
    h, w, f = k.size("h"), k.size("w"), k.size("f")
    pad = k.pick(0, 1, 2)
    stride = k.pick(1, 1, 2)
    x = k.buffer("x", "h * w")
    g = k.buffer("g", "f * f")
    y = k.buffer("y", "h * w", "out")
    count, shape = two_axes(k, "i", h, "j", w)
    k.line(f"{k.type} s = {k.identity('+')};")
    k.loop("u", f)
    if k.chance(0.5):
        k.line(f"int r = i{f' * {stride}' if stride > 1 else ''} + u - {pad};")
        k.line(k.pick("if (r < 0 || r >= h) continue;", "if (r >= 0 && r < h)"))
        single = "continue" not in k.lines[-1]
        if single:
            k.line("{")
        k.loop("v", f)
        k.line(f"int c = j{f' * {stride}' if stride > 1 else ''} + v - {pad};")
        k.line(f"if (c >= 0 && c < {k.twist('w', 'w - 1')}) s += {x}[r * w + c] * {g}[u * f + v];")
        k.line("}")
        if single:
            k.line("}")
    else:
        k.loop("v", f)
        k.line(f"int r = i + u - {pad}, c = j + v - {pad};")
        k.line(f"{k.type} e = (r < 0 || c < 0 || r >= h || c >= w) ? {k.identity('+')} : {x}[r * w + c];")
        k.line(folded(k, "+", "s", f"e * {g}[{k.pick('u * f + v', 'u * f + v', 'v * f + u')}]"))
        k.line("}")
    k.line("}")
    k.line(f"{y}[i * w + j] = s;")
    close(k, count)
    add_launches(k, lambda _: {"h": drawn(k, 1, 12), "w": drawn(k, 1, 12), "f": drawn(k, 1, 3)},
                 lambda hh, ww, ff, t: shape(hh, ww, t), (32, 64))


def histograms(k):
    n, bins = k.size("n"), k.size("bins")
    at = k.buffer("at", "n", of="int", fill=["below", "bins"])
    target = k.buffer("y", "bins", "inout", of=k.pick("int", k.type))
    one = "1" if " int" in " " + k.pointers[-1][1] else k.number()
    count, shape = one_axis(k, "i", n)
    place = k.pick(f"{at}[i]", f"{at}[i] % bins", f"({at}[i] + i) % bins")
    if k.chance(0.2):
        k.line(f"if ({at}[i] > 1)")
    k.line(f"atomicAdd(&{target}[{place}], {one});")
    close(k, count)
    add_launches(k, lambda _: {"n": drawn(k, 1, 300), "bins": drawn(k, 1, 12)},
                 lambda nn, _, b: shape(nn, b))


def sparse(k):
    rows = k.size("rows")
    begins = k.buffer("begins", "rows + 1", of="int", fill=["steps", 6])
    at = k.buffer("at", "rows * 6", of="int", fill=["below", "rows"])
    a = k.buffer("a", "rows * 6")
    x = k.buffer("x", "rows")
    y = k.buffer("y", "rows", "out")
    count, shape = one_axis(k, "r", rows)
    k.line(f"{k.type} s = {k.identity('+')};")
    k.loop("p", f"{begins}[r + 1]", f"{begins}[r]")
    k.line(folded(k, "+", "s", f"{a}[p] * {x}[{at}[p]]"))
    k.line("}")
    k.line(f"{y}[r] = s;")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 100)}, shape)


def sequences(k):
    """Loops of one thread, or of a thread a row, of which one iteration may write what another has written."""
    rows, cols = k.size("rows"), k.size("cols")
    x, y = k.buffer("x", "rows * cols"), k.buffer("y", "rows * cols * 4", "out")
    alone = k.chance(0.5)
    if alone:
        k.line("int r = 0;")
        k.line("if (threadIdx.x == 0 && blockIdx.x == 0)" if k.chance(0.5) else "if (blockIdx.x > 0 || threadIdx.x > 0) return;")
        count, shape = 0, lambda _, b: ([1], [b])
    else:
        count, shape = one_axis(k, "r", rows)
    base = "r * cols * 4"
    k.loop("c", cols)
    kind = k.pick("fours", "windows", "neighbours", "pairs", "back")
    if kind in ("fours", "windows"):
        at = "c * 4 + j" if kind == "fours" else "c + j"
        k.line(f"for (int j = 0; j < {k.pick(2, 3, 4)}; ++j) {y}[{base} + {at}] = {x}[r * cols + c] * {k.number()} + j;")
    elif kind == "back":
        k.line(f"{y}[{base} + {k.pick('c / 2', 'cols - 1 - c', 'c % 3', 'c * 2')}] = {x}[r * cols + c];")
    else:
        step, other = ("c", "c + 1") if kind == "neighbours" else ("2 * c", "2 * c + 1")
        k.line(f"{y}[{base} + {step}] = {x}[r * cols + c];")
        k.line(f"{y}[{base} + {other}] = {k.number()} * {x}[r * cols + c];")
    k.line("}")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 40), "cols": drawn(k, 1, 12)}, lambda r, _, b: shape(r, b))


def moved(k):
    """Sums over what loops move evenly, an index or a pointer, in one loop or two, and counters that go on in the next."""
    rows, depth, width = k.size("rows"), k.size("depth"), k.size("width")
    x, y = k.buffer("x", "rows * depth * width"), k.buffer("y", "rows", "out")
    count, shape = one_axis(k, "r", rows)
    k.line(f"{k.type} total = 0;")
    kind = k.pick("index", "pointer", "outer", "goes_on")
    if kind == "goes_on":
        step = k.pick(1, 2, 4)
        terms = " + ".join(f"{x}[r * depth * width + c + {j}]" for j in range(k.twist(step, step + 1)))
        k.line("int c = 0;")
        k.line(f"for (; c + {step - 1} < width; c += {k.twist(step, step + 1)}) total += {terms};")
        k.line(f"for (; c < {k.twist('width * depth', 'width')}; ++c) total += {k.number()} * {x}[r * depth * width + c];")
    else:
        begin = "r * depth * width"
        k.line(f"const {k.type} *at = {x} + {begin};" if kind == "pointer" else f"int at = {begin};")
        value = "*at" if kind == "pointer" else f"{x}[at]"
        k.line("for (int d = 0; d < depth; ++d) {")
        if kind == "outer":
            k.line(f"for (int c = 0; c < width; ++c) total += {x}[at + c];")
            k.line(k.twist("at += width;", "at += d;", "if (d != 1) at += width;"))
        else:
            k.line(f"for (int c = 0; c < width; ++c) {{ total += {value} * {k.pick('1', 'c', 'd')}; {k.twist('', 'if (c != 2)')} "
                   f"{k.pick('++at', 'at++', 'at += 1')}; }}")
        k.line("}")
    k.line(f"{y}[r] = total;")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 40), "depth": drawn(k, 1, 6), "width": drawn(k, 1, 12)},
                 lambda r, _, __, b: shape(r, b))


def tails(k):
    """Several elements at once where there are as many, and the rest one by one."""
    n = k.size("n")
    x, y = k.buffer("x", "n"), k.buffer("y", "n", k.pick("out", "inout"))
    at_once = k.pick(2, 4, 8)
    factor = k.number()
    k.line(f"int i = {k.pick(f'{at_once} * (blockIdx.x * blockDim.x + threadIdx.x)', f'(blockIdx.x * blockDim.x + threadIdx.x) * {at_once}')};")
    k.line(f"if (i + {k.twist(at_once - 1, at_once)} < n) {{")
    for j in range(k.twist(at_once, at_once - 1)):
        k.line(f"{y}[i + {j}] = {factor} * {x}[i + {j}];")
    k.line("} else {")
    k.line(f"for (; i < n; {k.pick('++i', 'i++', 'i += 1')}) {y}[i] = {k.twist(factor, k.number())} * {x}[i];")
    k.line("}")
    add_launches(k, lambda _: {"n": drawn(k, 1, 300)}, lambda n, b: ([ceil(ceil(n, at_once), b)], [b]))


def at_steps(k):
    """Several elements of a row at a step, folded or written, and the rest one by one."""
    rows, cols = k.size("rows"), k.size("cols")
    x = k.buffer("x", "rows * cols")
    folds, step = k.chance(0.6), k.pick(2, 4, 8)
    y = k.buffer("y", "rows" if folds else "rows * cols", "out")
    count, shape = one_axis(k, "r", rows)
    op, factor = k.pick("+", "+", "max"), k.number()
    if folds:
        k.line(f"{k.type} total = {start_of(k, op)};")

    def each(at):
        value = f"{factor} * {x}[r * cols + {at}]"
        k.line(folded(k, op, "total", value) if folds else f"{y}[r * cols + {at}] = {value};")

    if k.chance(0.5):
        k.line(f"int c = 0;\nfor (; c + {step - 1} < cols; c += {k.twist(step, step + 1)}) {{")
        places = [f"c + {j}" for j in range(step)]
        rest = "for (; c < cols; ++c) {"
    else:
        k.line(f"for (int c = 0; c < cols / {step}; ++c) {{")
        places = [f"c * {step} + {j}" for j in range(step)]
        rest = f"for (int c = {k.twist(f'cols / {step} * {step}', f'cols / {step}')}; c < cols; ++c) {{"
    if k.twist(False, True):
        places[-1] = places[0]
    for at in places:
        each(at)
    k.line("}")
    k.line(rest)
    each("c")
    k.line("}")
    if folds:
        k.line(f"{y}[r] = total;")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 40), "cols": drawn(k, 1, 40)}, lambda r, _, b: shape(r, b))


def first_apart(k):
    """A fold that begins with the row's first element, and perhaps a second one over the whole row."""
    rows, cols = k.size("rows"), k.size("cols")
    x, y = k.buffer("x", "rows * cols"), k.buffer("y", "rows", "out")
    count, shape = one_axis(k, "r", rows)
    op = k.pick("max", "max", "min", "+")
    k.line(f"{k.type} first = {k.twist('', f'{k.number()} + ')}{x}[r * cols];")
    k.line(f"for (int c = {k.twist('1', '2', '0')}; c < cols; ++c) {folded(k, op, 'first', f'{x}[r * cols + c]')}")
    if k.chance(0.5):
        k.line(f"{k.type} total = 0;")
        k.line(f"for (int c = {k.pick('0', '0', '1')}; c < cols; ++c) total += {x}[r * cols + c] - first;")
        k.line(f"{y}[r] = total + first;")
    else:
        k.line(f"{y}[r] = first;")
    close(k, count)
    add_launches(k, lambda _: {"rows": drawn(k, 1, 60), "cols": drawn(k, 1, 40)}, lambda r, _, b: shape(r, b))


def long_tiles(k):
    """Windows of a block's outputs in a tile that is as long as their sizes say."""
    threads = k.pick(32, 64)
    rows, n, width, step = k.size("rows"), k.size("n"), k.size("width"), k.size("step")
    x, y = k.buffer("x", "rows * n"), k.buffer("y", "rows * n", "out")
    k.line(f"__shared__ {k.type} tile[{threads * 4 + 16}];")
    k.line(f"const int first = blockIdx.x * {threads}, o = first + threadIdx.x;")
    k.line(f"for (int i = threadIdx.x; i < {threads - 1} * step + {k.twist('width', 'width + 1')}; i += {threads}) {{")
    k.line("const int at = first * step + i;")
    k.line(f"tile[i] = at < n ? {x}[blockIdx.y * n + at] : {k.pick('0', k.number())};")
    k.line("}\n__syncthreads();")
    k.line("if (o * step + width > n) return;")
    k.line(f"{k.type} total = 0;")
    place = k.pick("threadIdx.x * step + j", "threadIdx.x * step + width - 1 - j")
    k.line(f"for (int j = {k.twist('0', '1')}; j < width; ++j) total += {k.pick('1', 'j')} * tile[{place}];")
    k.line(f"{y}[blockIdx.y * n + o] = total;")
    add_launches(k, lambda _: {"rows": drawn(k, 1, 4), "n": drawn(k, 12, 300), "width": drawn(k, 1, 9), "step": drawn(k, 1, 3)},
                 lambda rows, n, width, step, b: ([ceil((n - width) // step + 1, b), rows], [b]), (threads,))


def best_and_place(k):
    """(begin, step, merge, result) of the largest or smallest value and where it is."""
    more, sign = k.pick((">", "-"), ("<", ""))
    ties = k.chance(0.5)
    rule = f" || (V == A && P {k.twist('<', '>', '<=')} B)"
    take = "{ A = V; B = P; }"
    step = f"if (V {k.twist(more, '>=')} A{rule if ties else ''}) {take}"
    merge = f"if (V {more} A{k.twist(rule, '')}) {take}"
    begin = [k.pick(f"{sign}INFINITY", f"{sign}1e30f"), k.twist(k.pick("0x7fffffff", "0"), "-1", "cols")]
    return begin, step, merge, "B"


def exponentials_below(k):
    f = "f" if k.type == "float" else ""
    begin = [k.pick("-INFINITY", f"-1e30{f}"), k.twist("0", "1")]
    step = k.pick(f"{{ {k.type} top = fmax{f}(A, V); B = B * exp{f}(A - {k.twist('top', 'V')}) + exp{f}(V - top); A = top; }}",
                  f"if (V > A) {{ B = B * exp{f}({k.twist('A - V', 'V - A')}) + 1; A = V; }} else B += exp{f}(V - A);")
    merge = f"{{ {k.type} top = fmax{f}(A, V); B = B * exp{f}(A - top) + P * exp{f}({k.twist('V', 'A')} - top); A = top; }}"
    return begin, step, merge, k.pick(f"A + log{f}(B)", "B", "A")


def mean_and_squares(k):
    begin = ["0", "0", k.twist("0", "1")]
    step = f"{{ A += 1; {k.type} d = V - B; B += d / A; C += d * ({k.twist('V - B', 'd')}); }}"
    merge = (f"{{ {k.type} n = A + V; if (n > 0) {{ {k.type} d = P - B; B += d * V / n; C += Q + d * d * A * V / n; "
             f"A = {k.twist('n', 'A')}; }} }}")
    return begin, step, merge, k.pick("C / A", "B", "C")


def together(k):
    """Variables that change together, whose parts threads put together."""
    kind = k.pick(best_and_place, best_and_place, exponentials_below, mean_and_squares)
    k.type = "float" if kind is best_and_place else k.pick("float", "double")
    threads = k.pick(32, 32, 64)
    rows, cols = k.size("rows"), k.size("cols")
    x, y = k.buffer("x", "rows * cols"), k.buffer("y", "rows", "out", of="int" if kind is best_and_place else None)
    begin, step, merge, result = kind(k)
    types = [k.type, "int" if kind is best_and_place else k.type, k.type][:len(begin)]
    names = ["one", "two", "three"][:len(begin)]

    def with_names(text, own, other=()):
        for letter, name in zip("ABC", own):
            text = re.sub(rf"\b{letter}\b", name, text)
        for letter, name in zip("VPQ", other):
            text = re.sub(rf"\b{letter}\b", name, text)
        return text

    for of, name, value in zip(types, names, begin):
        k.line(f"{of} {name} = {value};")
    k.line(f"for (int c = threadIdx.x; c < cols; c += {threads}) {{")
    element = f"{x}[blockIdx.x * cols + c]"
    floor = "floorf" if k.type == "float" else "floor"  # then there are equal ones
    k.line(f"const {k.type} v = {k.pick(element, f'{floor}({element})')};")
    k.line(with_names(step, names, ["v", "c"] if kind is best_and_place else ["v"]) + "\n}")
    if threads == 32:
        exchange = k.pick("__shfl_xor_sync", "__shfl_down_sync")
        k.line("for (int o = 16; o > 0; o /= 2) {")
        for of, name in zip(types, names):
            k.line(f"const {of} o_{name} = {exchange}(0xffffffff, {name}, {k.twist('o', 'o / 2')});")
        k.line(with_names(merge, names, [f"o_{name}" for name in names]) + "\n}")
        done = names
    else:
        for of, name in zip(types, names):
            k.line(f"__shared__ {of} all_{name}[{threads}];")
        for name in names:
            k.line(f"all_{name}[threadIdx.x] = {name};")
        k.line(f"__syncthreads();\nfor (int s = {threads // 2}; s > 0; s >>= 1) {{")
        k.line("if (threadIdx.x < s) {")
        k.line(with_names(merge, [f"all_{name}[threadIdx.x]" for name in names],
                          [f"all_{name}[threadIdx.x + s]" for name in names]))
        k.line("}\n__syncthreads();\n}")
        done = [f"all_{name}[0]" for name in names]
    k.line(f"if (threadIdx.x == 0) {y}[blockIdx.x] = {with_names(result, done)};")
    add_launches(k, lambda _: {"rows": drawn(k, 1, 9), "cols": drawn(k, threads, 200)},
                 lambda r, _, b: ([r], [b]), (threads,))


def own_elements(k):
    """A few elements a thread, in loops of its own, and what the threads of a block have is put together."""
    threads, items = k.pick(32, 64, 128), k.pick(2, 3, 4, 8)
    n = k.size("n")
    x, y = k.buffer("x", "n"), k.buffer("y", f"(n + {threads * items - 1}) / {threads * items}", "out")
    op = k.pick("+", "+", "max", "min")
    k.line(f"{k.type} s = {start_of(k, op)};")
    k.line(f"const int first = blockIdx.x * {threads * items}{k.pick('', ' + threadIdx.x')};")
    inside = "threadIdx.x" not in k.lines[-1]
    thread = k.pick(f"j * {threads} + threadIdx.x", f"threadIdx.x * {items} + j") if inside else f"j * {threads}"
    k.loop("j", str(items))
    k.line(f"const int i = first + {k.twist(thread, 'threadIdx.x' if inside else 'j')};")
    k.line(f"if (i < {k.twist('n', 'n - 1')}) {folded(k, op, 's', f'{x}[i]')}")
    k.line("}")
    if k.chance(0.2):
        k.line(f"s = s {k.pick('+', '*')} {k.number()};")  # of each thread: then it is no fold of all
    total, everywhere = tree(k, op, "s", "parts", threads)
    k.line(f"if (threadIdx.x == 0) {y}[blockIdx.x] = {total};")
    add_launches(k, lambda _: {"n": drawn(k, 1, 900)}, lambda nn, b: ([ceil(nn, b * items)], [b]), (threads,))


FAMILIES = [(elements_1, 16), (elements_2, 12), (elements_3, 8), (rows_by_threads, 14), (rows_by_blocks, 18), (teams_of_a_block, 7), (whole, 8),
            (scans, 6), (scans_in_rounds, 5), (products, 7), (flat_products, 4), (tiles, 4), (convolutions, 5), (histograms, 4), (sparse, 3),
            (sequences, 5), (moved, 6), (tails, 4), (at_steps, 6), (first_apart, 4), (long_tiles, 4), (together, 8), (own_elements, 5)]


def make(number, seed):
    draw = random.Random(seed * 1_000_003 + number)
    family = draw.choices([f for f, _ in FAMILIES], [w for _, w in FAMILIES])[0]
    k = Kernel(f"k{number}_{family.__name__}", draw)
    family(k)
    return k


def text_of(k):
    parameters = [f"{of}{name}" for name, of, _, _ in k.pointers] + [f"{of} {name}" for name, of in k.scalars]
    uses = " ".join(f"{role}({name}[{extent} + {SLACK}])" for name, _, extent, role in k.pointers)
    lines = list(k.device) + ["#pragma cupilot optimize"]
    for sizes, grid, block in k.launches[:2]:
        given = dict(sizes)
        for name, _ in k.scalars:
            given.setdefault(name, 3)
        three = [", ".join(map(str, (shape + [1, 1])[:3])) for shape in (grid, block)]
        names = ", ".join(f"{name} = {value}" for name, value in given.items())
        lines.append(f"#pragma cupilot workload set({names}) {uses} launch(dim3({three[0]}), dim3({three[1]}))")
    lines.append(f"__global__ void {k.name}({', '.join(parameters)}) {{")
    return "\n".join(lines + k.lines + ["}", ""])


def description(k):
    return {"launches": [{"set": sizes, "grid": (grid + [1, 1])[:3], "block": (block + [1, 1])[:3]}
                         for sizes, grid, block in k.launches],
            "fills": k.fills, "twists": k.twists}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=40, help="kernels in one source")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, options.count, options.batch):
        kernels = [make(n, options.seed) for n in range(first, min(first + options.batch, options.count))]
        stem = options.folder / f"batch_{first // options.batch:03}"
        stem.with_suffix(".cu").write_text("".join(text_of(k) + "\n" for k in kernels))
        stem.with_suffix(".json").write_text(json.dumps({k.name: description(k) for k in kernels}) + "\n")


if __name__ == "__main__":
    main()
