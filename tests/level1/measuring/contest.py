# SPDX-License-Identifier: Apache-2.0
"""One problem on the device: all contenders checked against float64, timed in turn, and checked again on other
numbers. Runs in a process of its own, for a kernel that reaches outside its memory ends every later one."""
import pathlib

import torch

from measuring import libraries, problems, timing

#: What is let pass, by what is looked at: a multiple of the larger of original's and eager's own error, and of this
#: where both are lucky. The factors are the judge's under precision(same).
LIMITS = {"rms": (4, 2**-23), "max": (8, 2**-21)}


class Errors:
    """Of one output against float64, gathered piece by piece on the device."""

    def __init__(self):
        self.squares = self.wanted = self.worst = 0.0
        self.elements = self.not_finite = 0

    def add(self, got, exact):
        off = (got.double() - exact).reshape(-1)
        finite = off.isfinite()
        self.not_finite += int((~finite).sum())
        off = off.where(finite, off.new_zeros(()))
        self.squares += float((off * off).sum())
        self.wanted += float((exact * exact).sum())
        self.worst = max(self.worst, float(off.abs().max()))
        self.elements += off.numel()

    def rms(self):
        """Relative: of the deviation over that of the exact result."""
        return (self.squares / self.wanted)**0.5 if self.wanted else self.squares**0.5

    def worst_relative(self):
        """The largest deviation over the root mean square of the exact result."""
        return self.worst / (self.wanted / self.elements)**0.5 if self.wanted else self.worst


class Contest:
    """`tell(found)` is called whenever there is something new to keep."""

    def __init__(self, problem, part, built, compiled, device, tell):
        self.problem, self.built, self.device, self.tell = problem, built, device, tell
        self.sizes = problem.sized(part)
        self.compiled = torch.compile(problem.module, dynamic=False) if compiled else None
        self.found = {"number": problem.number, "sizes": self.sizes, "contenders": {}}

    def contender(self, name):
        return self.found["contenders"].setdefault(name, {})

    def make(self, kind):
        """Inputs as KernelBench draws them, or around zero; libraries write into self.output."""
        self.inputs = self.calls = self.output = None
        draw = {"uniform": torch.rand, "normal": torch.randn}[kind]
        self.inputs = self.problem.inputs(self.sizes, lambda *shape: draw(*shape, device=self.device.name))
        self.output = torch.empty(self.problem.output(self.sizes), device=self.device.name)
        calls = {"eager": lambda: self.problem.module(*self.inputs)}
        if self.compiled:
            calls["compile"] = lambda: self.compiled(*self.inputs)
        for name, library in self.built.items():
            bound = self.problem.arguments(self.inputs, self.output, self.sizes)
            calls[name] = library.function(self.problem, bound, self.device.stream())
        self.calls = {name: self.watched(name, call) for name, call in calls.items()}

    def watched(self, name, call):
        """What ends the process, or hangs, was this one."""
        def watched_call():
            self.found["doing"] = name
            return call()
        return watched_call

    def check(self, name, kind):
        """One contender's output on the present inputs."""
        ours = name in self.built
        if ours:
            self.built[name].logging()
            self.output.fill_(float("nan"))
        self.found["doing"] = name
        self.tell(self.found)
        result = self.calls[name]()
        self.device.wait()
        del self.found["doing"]
        got = self.output if ours else result
        errors = Errors()
        for where, exact in self.problem.exact(self.inputs):
            errors.add(got[where], exact)
        one = self.contender(name)
        one.setdefault("rms", {})[kind] = errors.rms()
        one.setdefault("max", {})[kind] = errors.worst_relative()
        if errors.not_finite:
            one.update(ok=False, why=f"{errors.not_finite} results are not finite, or not written ({kind} inputs)")

    def time(self, limits):
        calls = dict(self.calls)
        if self.problem.flops:
            calls["cublas"] = lambda: torch.matmul(*self.inputs)
        for name, samples in timing.interleaved(calls, self.device, limits).items():
            told = timing.summary(samples)
            if name == "cublas":
                self.found["cublas_ms"] = told["median_ms"]
            else:
                self.contender(name).update(told)
        self.found.pop("doing", None)

    def describe(self):
        found = self.found
        found["bytes"] = problems.bytes_moved(self.inputs, self.output)
        if self.problem.flops:
            found["flops"] = self.problem.flops(self.sizes)
        if self.sizes == self.problem.sizes and found["bytes"] != self.problem.baseline_bytes:
            raise libraries.Failed(f"moves {found['bytes']} bytes, KernelBench {self.problem.baseline_bytes}")
        for name, library in self.built.items():
            one = self.contender(name)
            one["kernel"] = library.swapped(self.problem.name)
            if library.records:
                one.update(variant=library.variant(self.problem.name), record=library.record(self.problem.name))

    def limit(self, figure, kind):
        factor, least = LIMITS[figure]
        own = [self.contender(name).get(figure, {}).get(kind, 0) for name in ("eager", "original")]
        return factor * max(*own, least)

    def judge(self):
        for name in self.built:
            one = self.contender(name)
            one.setdefault("ok", True)
            for figure in LIMITS:
                for kind, error in one[figure].items():
                    if one["ok"] and not error <= self.limit(figure, kind):
                        one.update(ok=False, why=f"{figure} error {error:.2e} on {kind} inputs, "
                                                 f"allowed are {self.limit(figure, kind):.2e}")

    def run(self, limits):
        self.found["copy_bandwidth_gbs"] = self.device.copy_bandwidth_gbs()
        self.found["gpu_before"] = self.device.state()
        self.make("uniform")
        for name in self.calls:
            self.check(name, "uniform")
        self.describe()
        self.tell(self.found)
        self.time(limits)
        self.found["gpu_after"] = self.device.state()
        # After all timed launches, in the same process, on other numbers.
        self.make("normal")
        for name in self.calls:
            self.check(name, "normal")
        self.judge()


def run_child(name, options, without, tell):
    """In the child process: everything about one problem; errors are in what is told."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    torch.set_grad_enabled(False)
    torch.manual_seed(1)
    problem = next(problem for problem in problems.PROBLEMS if problem.name == name)
    if not torch.cuda.is_available():
        tell({"number": problem.number, "contenders": {}, "error": "PyTorch finds no GPU here"})
        return
    work = pathlib.Path(options.work).resolve()
    built = {word: libraries.Library(word, getattr(options, word, None), work)
             for word in ("original", "rules", "evolved")
             if word not in without and libraries.is_built(work, word)}
    device = timing.Cuda(torch)
    compiled = not options.no_compile and "compile" not in without
    contest = Contest(problem, options.part, built, compiled, device, tell)
    contest.found["torch"], contest.found["device"] = torch.__version__, device.describe()
    try:
        contest.run(timing.Limits(seconds=options.seconds))
    except Exception as error:  # a kernel's, the compiler's, out of memory: all are results of this problem
        contest.found["error"] = f"{type(error).__name__}: {error}"[:2000]
    tell(contest.found)
