# SPDX-License-Identifier: Apache-2.0
"""The table of a run's JSON."""
import math

CONTENDERS = ["eager", "compile", "original", "rules", "evolved"]


def times(problem):
    return {name: one["median_ms"] for name, one in problem.get("contenders", {}).items() if "median_ms" in one}


def number(value):
    return "-" if value is None else f"{value:.3f}"


def ratio(above, below):
    return None if not above or not below else above / below


def gain(value):
    return "-" if value is None else f"{value:.2f}x"


def achieved(problem, name):
    """"91 % of copy", or "45.1 TFLOP/s, 0.98x cuBLAS" for matrix products."""
    ms, bandwidth = times(problem).get(name), problem.get("copy_bandwidth_gbs")
    if not ms:
        return "-"
    if problem.get("flops"):
        product = problem.get("cublas_ms")
        return f"{problem['flops'] / ms / 1e9:.1f} TFLOP/s" + (f", {product / ms:.2f}x cuBLAS" if product else "")
    return f"{problem['bytes'] / ms / 1e6 / bandwidth * 100:.0f} % of copy" if bandwidth else "-"


def table_of(head, rows):
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    line = lambda row: "  ".join(f"{str(cell):<{width}}" for cell, width in zip(row, widths)).rstrip()
    return "\n".join([line(head), *(line(row) for row in rows)])


def geometric_mean(values):
    values = [value for value in values if value]
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else None


def notes(problems):
    for name, problem in problems.items():
        if "error" in problem:
            yield f"{name}: {problem['error']}"
        for contender, one in problem.get("contenders", {}).items():
            if "error" in one:
                yield f"{name}, {contender}: {one['error']}"
            if not one.get("ok", True):
                yield f"{name}, {contender}: WRONG: " + one.get("why", "")
            if one.get("kernel", "").startswith("original:"):
                yield f"{name}, {contender}: {one['kernel']}"


def heading(run):
    told = [problem for problem in run["problems"].values() if "device" in problem]
    if not told:
        return "nothing was measured"
    copies = [problem["copy_bandwidth_gbs"] for problem in told if "copy_bandwidth_gbs" in problem]
    between = f", copy {min(copies):.0f} to {max(copies):.0f} GB/s" if copies else ""
    part = f", sizes / {run['part']}" if run.get("part", 1) > 1 else ""
    return f"{told[0]['device']['name']}, PyTorch {told[0]['torch']}, TF32 off{between}{part}"


def speeds(problems):
    rows, gains = [], {name: [] for name in CONTENDERS}
    for name, problem in problems.items():
        ms = times(problem)
        for contender in CONTENDERS:
            gains[contender].append(ratio(ms.get("eager"), ms.get(contender)))
        best = next((c for c in ("evolved", "rules", "original") if c in ms), "eager")
        than = [gain(ratio(ms.get(c), ms.get(best))) for c in ("eager", "compile", "original")]
        rows.append([f"{problem['number']} {name}", *(number(ms.get(c)) for c in CONTENDERS), *than,
                     achieved(problem, best)])
    means = [gain(geometric_mean(gains[c])) for c in CONTENDERS]
    rows.append(["eager / each, geometric mean", *means, "", "", "", ""])
    return table_of(["median ms", *CONTENDERS, "vs eager", "vs compile", "vs original", "reaches"], rows)


def spreads(problems):
    return table_of(["q3 - q1, % of the median", *CONTENDERS],
                    [[f"{problem['number']} {name}", *(spread(problem, c) for c in CONTENDERS)]
                     for name, problem in problems.items()])


def spread(problem, contender):
    one = problem["contenders"].get(contender, {})
    return f"{(one['q3_ms'] - one['q1_ms']) / one['median_ms'] * 100:.2f}" if "median_ms" in one else "-"


def errors(problems):
    return table_of(["RMS error", *CONTENDERS],
                    [[f"{problem['number']} {name}", *(error(problem, c) for c in CONTENDERS)]
                     for name, problem in problems.items()])


def error(problem, contender):
    found = problem["contenders"].get(contender, {}).get("rms", {})
    return " ".join(f"{found[kind]:.1e}" for kind in ("uniform", "normal") if found.get(kind) is not None) or "-"


def text(run):
    """The tables, and what is to be said about them. The last columns are about the last contender there is:
    evolved, else rules, else original."""
    problems = run["problems"]
    parts = [heading(run), speeds(problems), spreads(problems),
             "Relative to float64, on uniform and on normal inputs:\n" + errors(problems)]
    said = [*run.get("errors", []), *notes(problems)]
    return "\n\n".join(parts + (["\n".join(said)] if said else [])) + "\n"
