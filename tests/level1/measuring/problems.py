# SPDX-License-Identifier: Apache-2.0
"""The eight problems as KernelBench level 1 states them: sizes, inputs, the PyTorch module, and the same in float64.

Sizes are those of KernelBench at 423217d (March 2026); `bytes_moved` is inputs and outputs once, which is what the
column `bytes` of its published H200 baselines says for each. `part` makes a problem smaller, for trials."""
import dataclasses
import typing

import torch
import torch.nn.functional as F

EPS = 1e-5


@dataclasses.dataclass(frozen=True)
class Problem:
    name: str  # of the kernel, of run_<name> and of the records folder
    number: int
    sizes: dict
    axis: str  # the size that `part` makes smaller
    inputs: typing.Callable  # (sizes, draw) -> list of tensors; draw(*shape) gives floats
    module: typing.Callable  # PyTorch's answer: forward of KernelBench's Model
    output: typing.Callable  # (sizes) -> shape
    exact: typing.Callable  # (inputs) -> pairs (index into the output, float64 result there), piece by piece
    arguments: typing.Callable  # (inputs, output, sizes) -> what run_<name> takes, without the stream
    flops: typing.Callable = None  # of matrix products
    baseline_bytes: int = 0  # as KernelBench's baselines give them; checked against bytes_moved

    def sized(self, part):
        return {**self.sizes, self.axis: max(1, self.sizes[self.axis] // part)}


def bytes_moved(inputs, output):
    return sum(t.numel() * t.element_size() for t in [*inputs, output])


def pieces(count, size):
    return [slice(first, min(first + size, count)) for first in range(0, count, size)]


# ---- matrix products ----

def square(s, draw):
    return [draw(s["n"], s["n"]), draw(s["n"], s["n"])]


def triangles(s, draw):
    return [draw(s["n"], s["n"]).triu_(), draw(s["n"], s["n"]).triu_()]


def exact_product(inputs):
    a, b = inputs
    wide = b.double()
    for rows in pieces(a.shape[0], 1024):
        yield rows, a[rows].double() @ wide


def square_of(s):
    return (s["n"], s["n"])


# ---- rows ----

def exact_softmax(inputs):
    for rows in pieces(inputs[0].shape[0], 64):
        yield rows, torch.softmax(inputs[0][rows].double(), dim=1)


def exact_rms_norm(inputs):
    for image in range(inputs[0].shape[0]):
        x = inputs[0][image].double()
        yield image, x / torch.sqrt(torch.mean(x * x, dim=0, keepdim=True) + EPS)


def exact_layer_norm(inputs):
    x, gain, shift = inputs
    for row in range(x.shape[0]):
        wide = x[row].double()
        centred = wide - wide.mean()
        yield row, centred / torch.sqrt((centred * centred).mean() + EPS) * gain.double() + shift.double()


def exact_sums(inputs):
    for item in range(inputs[0].shape[0]):
        yield item, inputs[0][item].sum(dim=0, keepdim=True, dtype=torch.float64)


def exact_cumsum(inputs):
    for rows in pieces(inputs[0].shape[0], 512):
        yield rows, torch.cumsum(inputs[0][rows], dim=1, dtype=torch.float64)


def logits(s, draw):
    x = draw(s["rows"], s["classes"])
    return [x, torch.randint(0, s["classes"], (s["rows"],), device=x.device)]


def exact_cross_entropy(inputs):
    x, target = inputs
    total = 0
    for rows in pieces(x.shape[0], 4096):
        total = total + F.cross_entropy(x[rows].double(), target[rows], reduction="sum")
    yield ..., total / x.shape[0]


def image_shape(s):
    return (s["batch"], s["features"], s["height"], s["width"])


PROBLEMS = [
    Problem("matmul", 1, {"n": 4096}, "n", square, lambda a, b: torch.matmul(a, b), square_of, exact_product,
            lambda i, o, s: [*i, o, s["n"], s["n"], s["n"]], lambda s: 2 * s["n"]**3, 201326592),
    Problem("upper_matmul", 14, {"n": 4096}, "n", triangles, lambda a, b: torch.triu(torch.matmul(a, b)), square_of,
            exact_product, lambda i, o, s: [*i, o, s["n"]],
            # terms between row and column only: n (n + 1) (n + 2) / 6 products
            lambda s: s["n"] * (s["n"] + 1) * (s["n"] + 2) / 3, 201326592),
    Problem("softmax", 23, {"rows": 4096, "cols": 393216}, "rows", lambda s, draw: [draw(s["rows"], s["cols"])],
            lambda x: torch.softmax(x, dim=1), lambda s: (s["rows"], s["cols"]), exact_softmax,
            lambda i, o, s: [*i, o, s["rows"], s["cols"]], None, 12884901888),
    Problem("rms_norm", 36, {"batch": 112, "features": 64, "height": 512, "width": 512}, "batch",
            lambda s, draw: [draw(*image_shape(s))],
            lambda x: x / torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + EPS), image_shape, exact_rms_norm,
            lambda i, o, s: [*i, o, s["batch"], s["features"], s["height"] * s["width"], EPS], None, 15032385536),
    Problem("layer_norm", 40, {"batch": 16, "features": 64, "height": 256, "width": 256}, "batch",
            lambda s, draw: [draw(*image_shape(s)), draw(*image_shape(s)[1:]), draw(*image_shape(s)[1:])],
            lambda x, gain, shift: F.layer_norm(x, gain.shape, gain, shift, EPS), image_shape, exact_layer_norm,
            lambda i, o, s: [*i, o, s["batch"], s["features"] * s["height"] * s["width"], EPS], None, 570425344),
    Problem("sum_over_rows", 47, {"batch": 128, "rows": 4096, "cols": 4095}, "batch",
            lambda s, draw: [draw(s["batch"], s["rows"], s["cols"])], lambda x: torch.sum(x, dim=1, keepdim=True),
            lambda s: (s["batch"], 1, s["cols"]), exact_sums,
            lambda i, o, s: [*i, o, s["batch"], s["rows"], s["cols"]], None, 8589934080),
    Problem("cumsum", 89, {"rows": 32768, "cols": 32768}, "rows", lambda s, draw: [draw(s["rows"], s["cols"])],
            lambda x: torch.cumsum(x, dim=1), lambda s: (s["rows"], s["cols"]), exact_cumsum,
            lambda i, o, s: [*i, o, s["rows"], s["cols"]], None, 8589934592),
    Problem("cross_entropy", 95, {"rows": 32768, "classes": 4096}, "rows", logits,
            lambda x, target: F.cross_entropy(x, target), lambda s: (), exact_cross_entropy,
            # the losses of the rows are scratch memory of the plain version
            lambda i, o, s: [*i, torch.empty(s["rows"], device=o.device), o, s["rows"], s["classes"]], None,
            537133060),
]
