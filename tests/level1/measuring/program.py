# SPDX-License-Identifier: Apache-2.0
"""What a measuring program says on stderr, and how it keeps its results."""
import json
import sys


def mistake(text):
    print(f"measure.py: error: {text}", file=sys.stderr)
    sys.exit(2)


def note(text):
    print(f"measure.py: {text}", file=sys.stderr, flush=True)


def write(content, path):
    """Whole or not at all."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(json.dumps(content, indent=1) + "\n")
    beside.replace(path)
