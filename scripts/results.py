"""The cells of a plan with what was measured: one entry for all seeds of a cell."""
import dataclasses

import comparisons
from paper import covers
from plan import NONE, listed
from tables import counted

METRICS = ("precision", "recall", "f1", "map")


@dataclasses.dataclass
class Entry:
    """All seeds of a cell."""
    values: dict  # of the axes but the seed, and the variant
    planned: list  # seeds
    records: list  # of the seeds that are measured

    def missing(self):
        measured = {record["seed"] for record in self.records}
        return [seed for seed in self.planned if seed not in measured]

    def summary(self, metric="f1"):
        return comparisons.summary(self.records, metric)

    def mean(self, metric="f1"):
        found = self.summary(metric)
        return found and found["mean"]

    def difference(self, other, metric="f1"):
        return comparisons.difference(self.records, other.records, metric) if other else None

    def weights(self):
        return [record["selection"].get("w") for record in self.records]

    def as_json(self):
        variant = {"variant": self.values["variant"]} if self.values["variant"] != NONE else {}
        missing = {"missing": self.missing()} if self.missing() else {}
        seconds = comparisons.seconds(self.records)
        return {**{axis: value for axis, value in self.values.items() if axis != "variant"}, **variant,
                "seeds": [record["seed"] for record in self.records], **missing,
                **{metric: self.summary(metric) for metric in METRICS}, "w": self.weights(),
                "selection": counted(record["selection"]["rule"] for record in self.records) if self.records else None,
                "seconds": seconds and seconds["mean"]}


class Results:
    def __init__(self, plan, store):
        self.plan = plan
        self.axes = [axis for axis in plan.axes if axis != "seed"] + ["variant"]
        self.entries = {}
        for cell in plan.cells:
            values = {axis: cell.values[axis] for axis in self.axes}
            entry = self.entries.setdefault(tuple(values.values()), Entry(values, [], []))
            entry.planned.append(cell.values["seed"])
            if record := store.get(cell.name, cell.options):
                entry.records.append(record)
        for entry in self.entries.values():
            entry.records.sort(key=lambda record: record["seed"])

    def records(self):
        return [record for entry in self.entries.values() for record in entry.records]

    def find(self, values):
        """The entry with these values of all axes; None if it is not planned."""
        return self.entries.get(tuple(values.get(axis, NONE if axis == "variant" else None) for axis in self.axes))

    def select(self, where):
        """The planned entries that `where` names; those without a variant if it names none. Numbers ascend, everything
        else is in the order of the plan."""
        chosen = [entry for entry in self.entries.values() if covers({"variant": NONE} | where, entry.values)]
        for axis in reversed(self.axes):
            named = listed(where.get(axis, []))
            ranks = list(dict.fromkeys([*named, *(entry.values[axis] for entry in self.entries.values())]))
            if all(isinstance(value, (int, float)) for value in ranks if value is not None):
                ranks.sort(key=lambda value: (value is None, value))
            chosen.sort(key=lambda entry: ranks.index(entry.values[axis]))
        return chosen

    def as_json(self):
        # Variants last: whoever looks for a cell finds the cell itself first.
        ordered = sorted(self.entries.values(), key=lambda entry: entry.values["variant"] != NONE)
        return [entry.as_json() for entry in ordered]
