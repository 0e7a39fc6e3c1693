"""The numbers that the paper prints, as data: experiments/paper.json."""
import json

from plan import NONE, listed
from program import ROOT

PRINTED = {"precision": "P", "recall": "R", "f1": "F1", "map": "mAP"}


def covers(where, values):
    """Whether the values are those that `where` names; a list names several, what is not named may be anything."""
    return all(values.get(axis) in listed(wanted) for axis, wanted in where.items())


class Paper:
    """What the paper says about cells of a plan. The plan's `paper` names the tables, the first of which that has a
    value is right; the paper's names of the methods; the cells it speaks of (`where`); which records of a table are
    meant where it has several (`records`); and values that cannot be true (`doubtful`)."""

    def __init__(self, plan):
        self.about = plan.paper
        self.values = {}
        if not self.about:
            return
        records = json.loads((ROOT / "experiments/paper.json").read_text())["records"]
        methods = {printed: name for name, printed in self.about["methods"].items()}
        for table in reversed(self.about["tables"]):
            for record in records:
                if record["table"] == table and record["method"] in methods and record["value"] is not None \
                        and covers(self.about.get("records", {}), record):
                    self.values[methods[record["method"]], record["ratio"], record["metric"]] = record["value"]

    def value(self, values, metric):
        """The value that is printed for a cell; None if there is none, or none that can be true."""
        if not self.about or not covers({"variant": NONE} | self.about.get("where", {}), values):
            return None
        for doubtful in self.about.get("doubtful", []):
            if metric in doubtful["metrics"] and covers(doubtful["where"], values):
                return None
        return self.values.get((values["method"], values.get("ratio"), PRINTED.get(metric)))
