"""Whether two runs have the same losses and scores after every epoch, and the same test result.

Usage: same.py RUN RUN [TOLERANCE [PREDICTIONS PREDICTIONS]]; the tolerance is relative for what epochs say, or absolute for numbers
below 1, and absolute for results. With predictions of both runs (CSV, all labels) probabilities are compared instead of mAP: the order of
nearly equal ones hangs on rounding.
"""
import csv
import json
import pathlib
import sys

FREE = {"seconds", "data_wait", "exchange"}  # how long things took
first, second = map(pathlib.Path, sys.argv[1:3])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 1e-5
predictions = sys.argv[4:6]
PROBABILITIES = 1e-3  # instruction sets differ by up to 1.3e-4 on the images of networks.sh, in one process


def near(a, b, share):
    return abs(a - b) <= share * max(1, abs(a))


def epochs(run):
    return [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]


def result(run):
    content = json.loads((run / "result.json").read_text())
    chosen = [content["selection"].get("epoch"), content["selection"].get("w")]
    names = ["f1", "precision", "recall", "macro_f1"] + ([] if predictions else ["map"])
    return chosen + [(content.get("test") or {}).get(name) for name in names]


def probabilities(file):
    with open(file, newline="") as lines:
        return {(line["id"], line["label"]): float(line["probability"]) for line in csv.DictReader(lines)}


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
if predictions:
    one, other = map(probabilities, predictions)
    if not one or one.keys() != other.keys():
        sys.exit(f"{predictions[0]} and {predictions[1]} are about different things")
    worst = max(one, key=lambda entry: abs(one[entry] - other[entry]))
    if abs(one[worst] - other[worst]) > PROBABILITIES:
        sys.exit(f"{worst} has the probability {one[worst]} in {predictions[0]} and {other[worst]} in {predictions[1]}")
