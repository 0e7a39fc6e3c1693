"""Whether two runs have the same losses and scores after every epoch, and the same test result.

Usage: same.py RUN RUN [TOLERANCE]; it is relative for what epochs say, or absolute for numbers below 1, and absolute for results.
"""
import json
import pathlib
import sys

FREE = {"seconds", "data_wait", "exchange"}  # how long things took
first, second = map(pathlib.Path, sys.argv[1:3])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 1e-5


def near(a, b, share):
    return abs(a - b) <= share * max(1, abs(a))


def epochs(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def result(run):
    content = json.loads((run / "result.json").read_text())
    chosen = [content["selection"].get("epoch"), content["selection"].get("w")]
    return chosen + [(content.get("test") or {}).get(name) for name in ("f1", "precision", "recall", "map", "macro_f1")]


a, b = epochs(first), epochs(second)
if len(a) != len(b):
    sys.exit(f"{first} has {len(a)} epochs, {second} has {len(b)}")
for number, (one, other) in enumerate(zip(a, b)):
    for key, value in one.items():
        if isinstance(value, (int, float)) and key not in FREE and not near(value, other.get(key, float("nan")), tolerance):
            sys.exit(f"line {number + 1} of metrics.jsonl: {key} is {value} in {first} and {other.get(key)} in {second}")
one, other = result(first), result(second)
if not all(x == y or (x is not None and y is not None and abs(x - y) < max(1e-4, tolerance)) for x, y in zip(one, other)):
    sys.exit(f"the results of {first} and {second} differ: {one} and {other}")
