"""Ways to annotate completely labelled data, for scripts/robustness."""
import collections
import random

RATE = 0.3  # mean share of annotated positives where it is not studied


class Arff:
    """A dense ARFF file of `mlpac generate`: the labels are the last columns."""

    def __init__(self, path):
        lines = path.read_text().splitlines()
        start = lines.index("@data") + 1
        self.classes = sum(line.startswith("@attribute label") for line in lines)
        self.head = lines[:start]
        self.features, self.labels = [], []
        for line in lines[start:]:
            parts = line.rsplit(",", self.classes)
            self.features.append(parts[0])
            self.labels.append([part == "1" for part in parts[1:]])

    def entries(self, state):
        return [(row, c) for row, labels in enumerate(self.labels) for c, label in enumerate(labels) if label == state]

    def positives(self):
        return self.entries(True)

    def write(self, path, annotated):
        """The same rows with these annotations; every other label is 0, which is unknown."""
        rows = [["0"] * self.classes for _ in self.labels]
        for row, c in annotated:
            rows[row][c] = "1"
        lines = [",".join([features, *labels]) for features, labels in zip(self.features, rows)]
        path.write_text("\n".join([*self.head, *lines]) + "\n")


def ramp(position, factor):
    """A probability that rises linearly from one end (0) to the other (1) by this factor, RATE in the middle."""
    low = 2 * RATE / (1 + factor)
    return low + (factor * low - low) * position


def class_probabilities(data, factor, generator):
    """A probability for every class, in an order that has nothing to do with frequency; RATE of all positives."""
    order = list(range(data.classes))
    generator.shuffle(order)
    raw = [ramp(place / (data.classes - 1), factor) for place in order]
    positives = data.positives()
    scale = RATE * len(positives) / sum(raw[c] for _, c in positives)
    return [min(1.0, scale * probability) for probability in raw]


def places(data, scores):
    """Where every positive stands among those of its class: 0 is the least probable, 1 the most probable."""
    by_class = collections.defaultdict(list)
    for row, c in data.positives():
        by_class[c].append((scores[row][c], row))
    return {(row, c): place / max(1, len(entries) - 1)
            for c, entries in by_class.items() for place, (_, row) in enumerate(sorted(entries))}


def annotate(data, way, value, seed, scores):
    """The annotated entries, and how many of them are wrong.

    The same number is drawn for an entry under all conditions, so that they differ by nothing else.
    """
    generator = random.Random(f"draws {seed}")
    draws = {entry: generator.random() for entry in data.positives()}
    generator = random.Random(f"{way} {seed}")
    if way == "class":
        of_class = class_probabilities(data, value, generator)
        return [entry for entry, draw in draws.items() if draw < of_class[entry[1]]], 0
    if way == "ease":
        place = places(data, scores)
        return [entry for entry, draw in draws.items() if draw < ramp(place[entry], value)], 0
    rate = value if way == "random" else RATE
    annotated = [entry for entry, draw in draws.items() if draw < rate]
    if way == "random":
        return annotated, 0
    wrong = {entry for entry in annotated if generator.random() < value}
    negatives = data.entries(False)
    return [entry for entry in annotated if entry not in wrong] + generator.sample(negatives, len(wrong)), len(wrong)
