# SPDX-License-Identifier: Apache-2.0
"""Times of calls that all start from a cold cache, taken in turn: what one of them suffers from (clocks, heat,
neighbours) the others suffer, too. The device is behind a small interface, so that the rules can be tested."""
import ctypes
import dataclasses
import statistics
import subprocess
import time

SMI = ["clocks.sm", "clocks.mem", "clocks.max.sm", "temperature.gpu", "power.draw"]


@dataclasses.dataclass
class Limits:
    seconds: float = 10  # for one problem, all contenders together
    least: int = 15  # samples of each, whatever they take
    most: int = 200
    warm_up: int = 3


def quartiles(samples):
    """Median, first and third quartile."""
    if len(samples) < 2:
        return samples[0], samples[0], samples[0]
    first, median, third = statistics.quantiles(samples, n=4, method="inclusive")
    return median, first, third


def summary(samples_ms):
    median, first, third = quartiles(samples_ms)
    return {"median_ms": median, "q1_ms": first, "q3_ms": third, "min_ms": min(samples_ms), "samples": len(samples_ms)}


def interleaved(calls, device, limits, now=time.monotonic):
    """{name: [milliseconds]}; who is first changes from round to round."""
    names, samples = list(calls), {name: [] for name in calls}
    for _ in range(limits.warm_up):
        for name in names:
            device.sample(calls[name])
    start, turn = now(), 0
    while turn < limits.most and (turn < limits.least or now() - start < limits.seconds):
        for i in range(len(names)):
            name = names[(turn + i) % len(names)]
            samples[name].append(device.sample(calls[name]))
        turn += 1
    return samples


def keep_pool_memory():
    """Memory behind l.scratch() stays with the device's pool when the host waits, as PyTorch's allocator keeps its
    own; else every sample would pay for getting it from the driver. Without effect where the driver says no."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        pool, release_threshold, all_of_it = ctypes.c_void_p(), 4, ctypes.c_uint64(2**64 - 1)
        if driver.cuDeviceGetDefaultMemPool(ctypes.byref(pool), 0) == 0:
            return driver.cuMemPoolSetAttribute(pool, release_threshold, ctypes.byref(all_of_it)) == 0
    except (OSError, AttributeError):
        pass
    return False


class Cuda:
    """Milliseconds of a call on the current stream. Before each: a buffer several times the size of the cache is read
    (reading leaves no lines to write back), and the stream is held while the host queues the call, so that what the
    host takes is not timed."""

    HOLD_CYCLES = 2_000_000  # about a millisecond

    def __init__(self, torch):
        self.torch, self.name = torch, "cuda"
        properties = torch.cuda.get_device_properties(0)
        self.l2_bytes = getattr(properties, "L2_cache_size", 64 << 20)
        self.flush = torch.ones(self.l2_bytes, device="cuda")  # of 4 bytes each
        self.sink = torch.empty((), device="cuda")
        self.begin = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)
        self.keeps_pool = keep_pool_memory()

    def sample(self, call):
        self.torch.sum(self.flush, dim=0, out=self.sink)
        self.torch.cuda._sleep(self.HOLD_CYCLES)
        self.begin.record()
        call()
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end)

    def stream(self):
        return self.torch.cuda.current_stream().cuda_stream

    def wait(self):
        self.torch.cuda.synchronize()

    def describe(self):
        properties = self.torch.cuda.get_device_properties(0)
        return {"name": properties.name, "memory_bytes": properties.total_memory, "l2_bytes": self.l2_bytes,
                "keeps_pool": self.keeps_pool}

    def state(self):
        """Clocks in MHz and the like, as nvidia-smi says; {} where it does not."""
        argv = ["nvidia-smi", f"--query-gpu={','.join(SMI)}", "--format=csv,noheader,nounits"]
        try:
            told = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=20).stdout
            return dict(zip(SMI, (word.strip() for word in told.splitlines()[0].split(","))))
        except (OSError, IndexError, subprocess.TimeoutExpired):
            return {}

    def copy_bandwidth_gbs(self, bytes_each=1 << 30):
        """Bytes read and written; the better of PyTorch's copy and an elementwise kernel, as for all contenders."""
        torch = self.torch
        source, target = (torch.empty(bytes_each // 4, device="cuda").zero_() for _ in range(2))
        calls = {"copy": lambda: target.copy_(source), "kernel": lambda: torch.mul(source, 1.5, out=target)}
        times = interleaved(calls, self, Limits(seconds=1, least=20, most=60))
        best = min(quartiles(times[name])[0] for name in calls)
        return 2 * bytes_each / best / 1e6
