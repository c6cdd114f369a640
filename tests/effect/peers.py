#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one would call instead of each annotated kernel in PyTorch: the same computation on the same sizes and types.

  peers.py KERNELS [--seconds S]    times them, eager and torch.compile
  peers.py --list                   which kernels have a peer; needs neither PyTorch nor a GPU

KERNELS is a JSON object, or - for one on standard input: {"reach/l1_norm": {"rows": 4096, "dim": 8192}, ...}, folder
(`plain`, `reach`, `level1` or the name of an example) and kernel with the set(...) of a workload. A line of JSON for
each on stdout: medians in microseconds, cold cache, taken in turn, TF32 off; null where there is none, with the `error`.
Exit codes: 0 eager was timed for all, or every kernel is known here, 1 not, 2 a mistake on the command line.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/level1"))
from measuring import timing  # noqa: E402

torch = F = None  # by import_torch(), so that --list works without

#: make(sizes, draw) gives the tensors, call(sizes, *tensors) computes on them, without waiting for the device.
Peer = collections.namedtuple("Peer", "make call")


def import_torch():
    global torch, F
    import torch
    import torch.nn.functional as F
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    torch.set_grad_enabled(False)
    torch.manual_seed(1)


class Sizes:
    def __init__(self, sizes):
        self.__dict__.update(sizes)


class Draw:
    """Tensors of random numbers on a device."""

    def __init__(self, device):
        self.device = device

    def normal(self, *shape, dtype=None):
        return torch.randn(shape, dtype=dtype, device=self.device)

    def uniform(self, *shape, dtype=None):
        return torch.rand(shape, dtype=dtype, device=self.device)

    def integers(self, low, high, *shape, dtype=None):
        return torch.randint(low, high, shape, dtype=dtype, device=self.device)


def normals(*shapes, dtype="float32"):
    """A make() of normal numbers; a shape is names of sizes and numbers: "m k"."""
    def make(s, t):
        sizes = [[int(word) if word.isdigit() else getattr(s, word) for word in shape.split()] for shape in shapes]
        return [t.normal(*size, dtype=getattr(torch, dtype)) for size in sizes]
    return make


def triangles(size, lower=False):
    def make(s, t):
        both = [t.normal(getattr(s, size), getattr(s, size)) for _ in range(2)]
        return [one.tril_() if lower else one.triu_() for one in both]
    return make


def batch_with_statistics(s, t):
    vectors = [t.normal(s.C), t.normal(s.C), t.normal(s.C), 1 + t.uniform(s.C)]
    return [t.normal(s.total // (s.C * s.HW), s.C, s.HW), *vectors]


def rms_over_channels(s, x):
    return x / torch.sqrt(x.square().mean(1, keepdim=True) + s.eps)


def selu_and_negative(s, x):
    y = F.selu(x)
    return y, y.clamp(max=0)


def counted(x, bins):
    """torch.bincount would wait for the largest number; this counts in the type of x."""
    return torch.histc(x, bins, min=0, max=bins)


def seven_points(u, middle, around):
    """New values of the points inside."""
    neighbours = (u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:] + u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1] +
                  u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1])
    return middle * u[1:-1, 1:-1, 1:-1] + around * neighbours


def into_interior(v, inner):
    v[(slice(1, -1),) * v.dim()] = inner
    return v


def heat_step(s, u):
    inner = u[1:-1, 1:-1]
    neighbours = u[1:-1, :-2] + u[1:-1, 2:] + u[:-2, 1:-1] + u[2:, 1:-1]
    return into_interior(u.clone(), inner + s.alpha * (neighbours - 4 * inner))


def attraction(bodies, softening):
    """In pieces, for all pairs at once need not fit into memory."""
    x, y, z, mass = bodies.unbind(1)
    accelerations = []
    for mine in bodies.split(1 << 14):
        dx, dy, dz = x - mine[:, 0:1], y - mine[:, 1:2], z - mine[:, 2:3]
        pull = mass * torch.rsqrt(dx * dx + dy * dy + dz * dz + softening)**3
        accelerations.append(torch.stack([(pull * d).sum(1) for d in (dx, dy, dz)], 1))
    return torch.cat(accelerations)


def attraction4(bodies, softening):
    return F.pad(attraction(bodies, softening), (0, 1))


PRODUCT = Peer(normals("m k", "k n"), lambda s, a, b: torch.matmul(a, b))
BATCHED_PRODUCT = Peer(normals("batch m k", "batch k n"), lambda s, a, b: torch.bmm(a, b))
DIAGONAL_PRODUCT = lambda s, d, x: d[:, None] * x
MATVEC = Peer(normals("rows cols", "cols"), lambda s, a, x: torch.mv(a, x))
# Zeros on the other side of the diagonal come by themselves; KernelBench takes triu() or tril() of the result, too.
TRIANGLE_PRODUCT = lambda s, a, b: torch.matmul(a, b)
CONV2D = lambda s, x, w: F.conv2d(x, w)
SOFTMAX = lambda s, x: torch.softmax(x, 1)
LOG_SOFTMAX = lambda s, x: F.log_softmax(x, 1)
CUMSUM = Peer(normals("rows cols"), lambda s, x: torch.cumsum(x, 1))
TRANSPOSE = lambda s, x: x.t().contiguous()
GELU_TANH = Peer(normals("n"), lambda s, x: F.gelu(x, approximate="tanh"))
SIGMOID_HALF = Peer(normals("n", dtype="float16"), lambda s, x: torch.sigmoid(x))
RMS_OVER_CHANNELS = Peer(normals("batch features plane"), rms_over_channels)
STENCIL_INTO = Peer(normals("nz ny nx", "nz ny nx"), lambda s, u, v: into_interior(v, seven_points(u, 0.4, 0.1)))
HISTOGRAM = Peer(lambda s, t: [t.integers(0, 256, s.n, dtype=torch.int32)], lambda s, x: counted(x, s.bins))

PEERS = {
    # maps
    "relu_swapped": Peer(normals("rows cols"), lambda s, x: torch.relu(x)),
    "relu_inplace": Peer(normals("n"), lambda s, data: torch.relu_(data)),
    "leaky_relu_vec4": Peer(normals("n"), lambda s, x: F.leaky_relu(x, s.slope)),
    "gelu": GELU_TANH,
    "gelu_tanh_tiled": GELU_TANH,
    "unary_kernel": Peer(normals("n"), lambda s, x: F.gelu(x)),
    "sigmoid_half": SIGMOID_HALF,
    "sigmoid_half2": SIGMOID_HALF,
    "tanh_2d": Peer(normals("M N"), lambda s, x: torch.tanh(x)),
    "swish_bf16": Peer(normals("n", dtype="bfloat16"), lambda s, x: F.silu(x)),
    "softplus_f64": Peer(normals("n", dtype="float64"), lambda s, x: F.softplus(x, s.beta, s.threshold)),
    "softsign_double": Peer(normals("n", dtype="float64"), lambda s, x: F.softsign(x)),
    "softsign_nchw": Peer(normals("N C HW"), lambda s, x: F.softsign(x)),
    "elu_forward": Peer(normals("count"), lambda s, x: F.elu(x, s.alpha)),
    "hardtanh_row_on_x": Peer(normals("rows cols"), lambda s, x: F.hardtanh(x, s.lo, s.hi)),
    "selu_keep_negative": Peer(normals("n"), selu_and_negative),
    "hardsigmoid_eight_each": Peer(normals("n"), lambda s, x: F.hardsigmoid(x)),
    "scale_half_kernel": Peer(normals("n", dtype="float16"), lambda s, x: torch.relu(x * s.a + s.b)),
    "matrix_times_scalar": Peer(normals("n"), lambda s, x: x * s.s),
    "diagonal_product": Peer(normals("rows", "rows cols"), DIAGONAL_PRODUCT),
    "diag_matmul": Peer(normals("n", "n m"), DIAGONAL_PRODUCT),
    "frobenius_divide": Peer(normals("n", "1"), lambda s, x, norm: x / norm),
    "naive_transpose": Peer(normals("height width"), TRANSPOSE),
    "transpose_tile": Peer(normals("height width", dtype="float64"), TRANSPOSE),
    "transpose_kernel": Peer(normals("height width"), TRANSPOSE),

    # matrix products
    "matmul": PRODUCT,
    "matmul_tiled": PRODUCT,
    "matmul_kernel": PRODUCT,
    "sgemm_regs": Peer(normals("M K", "K N"), lambda s, a, b: torch.matmul(a, b)),
    "gemm_tn": Peer(normals("K M", "K N"), lambda s, a, b: torch.matmul(a.t(), b)),
    "long_k_nt": Peer(normals("m k", "n k"), lambda s, a, b: torch.matmul(a, b.t())),
    "dgemm_tt": Peer(normals("k m", "n k", dtype="float64"), lambda s, a, b: torch.matmul(a.t(), b.t())),
    "gemm_both_transposed": Peer(normals("k m", "n k", "m n"),
                                 lambda s, a, b, c: c.addmm_(a.t(), b.t(), beta=s.beta, alpha=s.alpha)),
    "batched_matmul": BATCHED_PRODUCT,
    "bmm_tile": BATCHED_PRODUCT,
    "tall_skinny": Peer(normals("m k", "k 16"), lambda s, a, b: torch.matmul(a, b)),
    "tensor3_matmul": Peer(normals("N M K", "K L"), lambda s, a, b: torch.matmul(a, b)),
    "tensor4_matmul": Peer(normals("b i j l", "l k"), lambda s, a, w: torch.matmul(a, w)),
    "symm_upper": Peer(normals("n n", "n n"), lambda s, a, b: torch.matmul(a.triu() + a.triu(1).t(), b)),
    "triu_matmul": Peer(triangles("N"), TRIANGLE_PRODUCT),
    "tril_matmul_tiled": Peer(triangles("n", lower=True), TRIANGLE_PRODUCT),
    "upper_matmul": Peer(triangles("n"), TRIANGLE_PRODUCT),
    "matvec": MATVEC,
    "gemv_warp": MATVEC,

    # convolutions
    "convolution": Peer(normals("N C H W", "K C R R"), CONV2D),
    "conv2d_asymmetric": Peer(normals("N Ci H W", "Co Ci KH KW"), CONV2D),
    "conv2d_filter_in_smem": Peer(normals("N C H W", "K C R R"),
                                  lambda s, x, w: F.conv2d(x, w, stride=s.stride, padding=s.pad)),
    "conv2d_kernel": Peer(normals("n c h w", "k c 3 3"), lambda s, x, w: F.conv2d(x, w, padding=1)),
    "grouped_conv2d": Peer(lambda s, t: [t.normal(s.N, s.C, s.H, s.W), t.normal(s.K, s.C // s.groups, s.R, s.R)],
                           lambda s, x, w: F.conv2d(x, w, padding=s.pad, dilation=s.dil, groups=s.groups)),
    "depthwise3x3": Peer(normals("N C H W", "C 1 3 3"), lambda s, x, w: F.conv2d(x, w, padding=1, groups=s.C)),
    "pointwise_conv": Peer(normals("N C HW", "K C 1"), lambda s, x, w: F.conv1d(x, w)),
    "conv1d_strided_dilated": Peer(normals("N C L", "K C R", "K"),
                                   lambda s, x, w, bias: F.conv1d(x, w, bias, stride=s.stride, dilation=s.dilation)),
    "conv3d_grid_stride": Peer(normals("N C D H W", "K C T T T"), lambda s, x, w: F.conv3d(x, w)),
    "conv_transpose2d": Peer(normals("N Ci H W", "Ci Co R R"),
                             lambda s, x, w: F.conv_transpose2d(x, w, stride=s.stride, padding=s.pad)),

    # pooling
    "max_pool": Peer(normals("n c h w"), lambda s, x: F.max_pool2d(x, s.k, s.stride, s.pad)),
    "maxpool1d": Peer(normals("1 planes L"), lambda s, x: F.max_pool1d(x, s.k, s.stride, s.pad)),
    "maxpool3d": Peer(normals("1 NC D H W"), lambda s, x: F.max_pool3d(x, s.k, s.s)),
    "average_pool_1d": Peer(normals("1 c l"), lambda s, x: F.avg_pool1d(x, s.k)),
    "avgpool2d": Peer(normals("1 NC H W"), lambda s, x: F.avg_pool2d(x, 3, s.stride, s.pad, count_include_pad=False)),

    # reductions
    "column_mean": Peer(normals("rows cols"), lambda s, x: x.mean(0)),
    "max_over_rows": Peer(normals("batch rows cols"), lambda s, x: x.amax(1)),
    "row_min": Peer(normals("rows cols"), lambda s, x: x.amin(1)),
    "row_min_half": Peer(normals("rows cols", dtype="float16"), lambda s, x: x.amin(1)),
    "row_max_tree": Peer(normals("rows cols"), lambda s, x: x.amax(1)),
    "row_sum_shfl": Peer(normals("rows cols"), lambda s, x: x.sum(1)),
    "sum_over_rows": Peer(normals("batch rows cols"), lambda s, x: x.sum(1)),
    "mean_dim1": Peer(normals("B R C"), lambda s, x: x.mean(1)),
    "prod_dim": Peer(normals("outer len inner"), lambda s, x: x.prod(1)),
    "row_argmax": Peer(normals("rows cols"), lambda s, x: x.argmax(1)),
    "argmin_dim1": Peer(normals("B R C"), lambda s, x: x.argmin(1)),
    "sum_by_atomics": Peer(normals("n"), lambda s, x: x.sum()),
    "reduction_kernel": Peer(normals("n"), lambda s, x: x.sum()),
    "frobenius_sumsq": Peer(normals("n"), lambda s, x: torch.dot(x, x)),
    "histogram": HISTOGRAM,
    "histogram_kernel": HISTOGRAM,
    "histogram_private": Peer(lambda s, t: [t.integers(0, 256, s.n, dtype=torch.uint8)],
                              lambda s, x: counted(x.int(), 256)),

    # softmax
    "softmax": Peer(normals("rows cols"), SOFTMAX),
    "softmax_tree": Peer(normals("rows cols"), SOFTMAX),
    "softmax_kernel": Peer(normals("rows cols"), SOFTMAX),
    "softmax_thread_per_row": Peer(normals("r n"), SOFTMAX),
    "softmax_warp_per_row": Peer(normals("rows cols"), SOFTMAX),
    "online_softmax": Peer(normals("batch V"), SOFTMAX),
    "log_softmax": Peer(normals("rows cols"), LOG_SOFTMAX),
    "log_softmax_tree": Peer(normals("rows cols"), LOG_SOFTMAX),
    "log_softmax_channels": Peer(normals("N C H W"), LOG_SOFTMAX),

    # norms
    "batchnorm_inference": Peer(batch_with_statistics, lambda s, x, gamma, beta, mean, var: F.batch_norm(
        x, mean, var, gamma, beta, eps=s.eps)),
    "batchnorm_stats": Peer(normals("N C S"), lambda s, x: torch.var_mean(x, dim=(0, 2), correction=0)),
    "instance_norm": Peer(normals("n c plane"), lambda s, x: F.instance_norm(x, eps=s.eps)),
    "reach/instance_norm": Peer(normals("B C H W"), lambda s, x: F.instance_norm(x, eps=s.eps)),
    "group_norm_cub": Peer(normals("N C HW", "C", "C"),
                           lambda s, x, gamma, beta: F.group_norm(x, s.G, gamma, beta, s.eps)),
    "rms_norm": RMS_OVER_CHANNELS,
    "rms_norm_channels": RMS_OVER_CHANNELS,
    "rms_norm_bf16": Peer(normals("tokens hidden", "hidden", dtype="bfloat16"),
                          lambda s, x, w: F.rms_norm(x, w.shape, w, s.eps)),
    "rms_norm_kernel": Peer(normals("rows cols", "cols"), lambda s, x, w: F.rms_norm(x, w.shape, w, 1e-6)),
    "layer_norm": Peer(normals("rows cols", "cols", "cols"),
                       lambda s, x, gain, shift: F.layer_norm(x, gain.shape, gain, shift, s.eps)),
    "layer_norm_kernel": Peer(normals("rows cols", "cols", "cols"),
                              lambda s, x, scale, shift: F.layer_norm(x, scale.shape, scale, shift, 1e-5)),
    "layer_norm_staged": Peer(normals("M N", "N", "N"),
                              lambda s, x, gamma, beta: F.layer_norm(x, gamma.shape, gamma, beta, 1e-5)),
    "layer_norm_welford": Peer(normals("rows cols", "cols", "cols"),
                               lambda s, x, gamma, beta: torch.native_layer_norm(x, gamma.shape, gamma, beta, s.eps)),
    "l1_norm": Peer(normals("rows dim"), lambda s, x: x / x.abs().mean(1, keepdim=True)),
    "l2_norm_warps": Peer(normals("rows cols"), lambda s, x: x / torch.linalg.vector_norm(x, dim=1, keepdim=True)),
    "l2_normalize_tiles": Peer(normals("rows dim"), lambda s, x: F.normalize(x, dim=1)),

    # losses
    "mse_one_block": Peer(normals("n", "n"), lambda s, p, t: F.mse_loss(p, t)),
    "mse_atomic": Peer(normals("n", "n", dtype="float16"), lambda s, p, t: F.mse_loss(p, t)),
    "huber_shuffles": Peer(normals("n", "n"), lambda s, p, t: F.huber_loss(p, t)),
    "smooth_l1_partials": Peer(normals("n", "n"),
                               lambda s, p, t: F.smooth_l1_loss(p, t, reduction="sum", beta=s.beta)),
    "cross_entropy": Peer(lambda s, t: [t.normal(s.rows, s.classes), t.integers(0, s.classes, s.rows)],
                          lambda s, x, target: F.cross_entropy(x, target, reduction="none")),
    "cross_entropy_naive": Peer(lambda s, t: [t.normal(s.batch, s.classes), t.integers(0, s.classes, s.batch)],
                                lambda s, x, target: F.cross_entropy(x, target, reduction="none")),
    "cross_entropy_vocab": Peer(lambda s, t: [t.normal(s.T, s.V, dtype=torch.float16), t.integers(0, s.V, s.T)],
                                lambda s, x, target: F.cross_entropy(x, target)),
    "cosine_similarity_warp": Peer(normals("B D", "B D"), lambda s, a, b: F.cosine_similarity(a, b, dim=1, eps=1e-8)),
    "kl_div_rows": Peer(lambda s, t: [torch.log_softmax(t.normal(s.rows, s.cols), 1), t.uniform(s.rows, s.cols)],
                        lambda s, logp, target: F.kl_div(logp, target, reduction="none").sum(1)),
    "hinge_loss": Peer(normals("batch dim", "batch"),
                       lambda s, pred, label: (1 - pred * label[:, None]).clamp(min=0).mean()),
    "triplet_margin": Peer(normals("batch dim", "batch dim", "batch dim"),
                           lambda s, a, p, n: F.triplet_margin_loss(a, p, n, margin=s.margin, reduction="none")),

    # scans
    "cumsum": CUMSUM,
    "cumsum_block": CUMSUM,
    "scan_kernel": CUMSUM,
    "exclusive_cumsum_columns": Peer(normals("rows cols"), lambda s, x: torch.cumsum(F.pad(x[:-1], (0, 0, 1, 0)), 0)),
    "reverse_cumsum_warp": Peer(normals("rows cols"), lambda s, x: torch.cumsum(x.flip(1), 1).flip(1)),
    "cumprod_rows": Peer(normals("rows cols"), lambda s, x: torch.cumprod(x, 1)),
    "masked_cumsum": Peer(lambda s, t: [t.normal(s.rows, s.cols), t.integers(0, 2, s.rows, s.cols, dtype=torch.uint8)],
                          lambda s, x, mask: torch.cumsum(x * mask, 1)),

    # stencils and all pairs
    "stencil_3d": STENCIL_INTO,
    "stencil7_kernel": STENCIL_INTO,
    "stencil7": Peer(normals("nz ny nx"), lambda s, u: into_interior(u.clone(), seven_points(u, s.c0, s.c1))),
    "heat_step": Peer(normals("h w"), heat_step),
    "bodies": Peer(normals("n 4"), lambda s, bodies: attraction4(bodies, 1e-3)),
    "nbody_kernel": Peer(normals("n 4"), lambda s, bodies: attraction4(bodies, 1e-4)),
    "nbody_tiled": Peer(normals("n 4"), lambda s, bodies: attraction(bodies, s.eps2)),
}

WITHOUT = {
    "csr_spmv": "the workload's row starts are random numbers in no order, which no sparse tensor takes",
}


def looked_up(table, folder, kernel):
    """By the whole name, or by that without template arguments: a.float.3 and a<float, 3> are a."""
    names = [kernel, re.split("[<.]", kernel)[0]]
    return next((table[key] for name in names for key in (f"{folder}/{name}", name) if key in table), None)


def peer_of(folder, kernel):
    return looked_up(PEERS, folder, kernel)


# ---- the main program ----

def one_line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def measured(peer, sizes, seconds):
    found = {"eager_us": None, "compile_us": None, "error": None, "device": None}
    try:
        import_torch()
        found["device"] = torch.cuda.get_device_name(0)
        device = timing.Cuda(torch)
        tensors = peer.make(sizes, Draw("cuda"))
        call = peer.call
        calls = {"eager": lambda: call(sizes, *tensors)}
        for _ in range(3):
            calls["eager"]()
        device.wait()
        torch._dynamo.reset()  # after a few kernels it would compile no more, as if it were one that changes
        compiled = torch.compile(lambda *given: call(sizes, *given), dynamic=False)
        try:
            compiled(*tensors)
            device.wait()
            calls["compile"] = lambda: compiled(*tensors)
        except Exception as error:  # the compiler's, of any kind: eager is timed all the same
            found["error"] = one_line(error)
        for name, samples in timing.interleaved(calls, device, timing.Limits(seconds=seconds)).items():
            found[f"{name}_us"] = 1000 * timing.quartiles(samples)[0]
    except Exception as error:  # no PyTorch, no GPU, too little memory, sizes missing: all are results
        found["error"] = one_line(error)
    return found


KERNEL = re.compile(r"#pragma cupilot optimize.*?\b__global__\s+void\s+(?:__launch_bounds__\([^()]*\)\s*)?(\w+)\s*\(",
                    re.DOTALL)


def annotated():
    """(folder, kernel) of the sources, roughly."""
    sources = [("plain", "tests/plain/*.cu"), ("reach", "tests/cases/reach/*.cu"), ("level1", "tests/level1/*.cu"),
               (None, "examples/*/*.cu")]
    return [(folder or path.parent.name, kernel) for folder, pattern in sources
            for path in sorted(ROOT.glob(pattern)) for kernel in KERNEL.findall(path.read_text())]


def listed():
    kernels = annotated()
    missing = 0
    for folder, kernel in kernels:
        reason = looked_up(WITHOUT, folder, kernel)
        known = "OK" if peer_of(folder, kernel) else f"without: {reason}" if reason else "missing"
        missing += known == "missing"
        print(f"{folder}/{kernel}: {known}")
    names = {name for folder, kernel in kernels for name in (kernel, f"{folder}/{kernel}")}
    for key in [key for key in [*PEERS, *WITHOUT] if key not in names]:
        missing += 1
        print(f"{key}: no kernel has this name")
    print(f"{len(kernels)} kernels, {missing} mistakes")
    return 1 if missing or not kernels else 0


def asked(name, sizes, seconds):
    folder, _, kernel = name.partition("/")
    peer = peer_of(folder, kernel)
    if peer:
        return {"name": name, **measured(peer, Sizes(sizes), seconds)}
    reason = looked_up(WITHOUT, folder, kernel) or "no kernel of this name is known here"
    return {"name": name, "eager_us": None, "compile_us": None, "error": reason, "device": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="?", type=argparse.FileType(), metavar="KERNELS", help="a file, or -")
    parser.add_argument("--seconds", type=float, default=2, help="of timing for each, both together; default: 2")
    parser.add_argument("--list", action="store_true", help="say which kernels have a peer, and stop")
    options = parser.parse_args()
    if options.list:
        return listed()
    try:
        kernels = json.load(options.kernels) if options.kernels else {}
    except ValueError as error:
        parser.error(f"{options.kernels.name}: {error}")
    if not kernels or not all(isinstance(sizes, dict) for sizes in kernels.values()):
        parser.error("say which kernels at which sizes, or --list")
    missing = 0
    for name, sizes in kernels.items():
        found = asked(name, sizes, options.seconds)
        missing += not found["eager_us"]
        print(json.dumps(found), flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
