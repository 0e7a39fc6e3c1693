"""Methods on the Mulan data sets: the grid of runs that scripts/features and scripts/methods share."""
import functools
import pathlib

import comparisons
import experiment
from program import Failed, extra, trial
from runner import Job
from tables import counted

# About how many seconds mlpac takes on one core: the order of the runs and the time that is left. Largest first.
DATA = {"delicious": 300, "tmc2007-500": 100, "bibtex": 80, "genbase": 20, "medical": 12, "scene": 7, "yeast": 5,
        "flags": 1}
RATIOS = (0.1, 0.3, 0.5)


def tuned(method):
    """Options of a simple method whose weight, epoch and threshold are chosen by the score that chooses w for mlpac."""
    return ["--method", method, "--weight", "auto", "--folds", "0", "--threshold", "auto"]


def files_of(folder, data):
    """The options that name the files of a data set."""
    base = folder / data.removesuffix("-500") / data
    files = [base.with_name(base.name + end) for end in ("-train.arff", ".xml", "-test.arff")]
    for file in files:
        if not file.is_file():
            raise Failed(f"{file}: not there; expected the unpacked Mulan data sets, see --help")
    return [part for pair in zip(("--train", "--labels", "--test"), map(str, files)) for part in pair]


class Grid:
    """Runs of methods on data sets with a share of the labels. `methods` says which options a method means, `shares`
    how long it takes, mlpac being 1."""

    def __init__(self, datasets, methods, shares):
        self.datasets = datasets
        self.methods = methods
        self.shares = shares
        self.pairs = [(data, ratio) for data in datasets for ratio in RATIOS]

    def options_of(self, ratio, method, seed):
        return ["--ratio", str(ratio), "--label-seed", str(seed), "--seed", str(seed), *self.methods[method],
                *extra()]

    def train(self, data, ratio, method, seed, files, runner, folder):
        result = runner.train([*files, *self.options_of(ratio, method, seed)], folder / "run")
        return {"data": data, "ratio": ratio, "method": method, "seed": seed, "test": result["test"],
                "selection": result["selection"], "seconds": result["seconds"], "version": result["version"]}

    def jobs(self, folder, datasets, methods, seeds):
        for data in datasets:
            files = files_of(folder, data)
            for ratio in RATIOS:
                for method in methods:
                    for seed in seeds:
                        yield Job(f"{data}-{ratio}-{method}-{seed}{trial()}", self.options_of(ratio, method, seed),
                                  DATA[data] * self.shares.get(method, 0.1) + 0.5,
                                  functools.partial(self.train, data, ratio, method, seed, files))

    def add_arguments(self, parser, work):
        parser.add_argument("folder", metavar="FOLDER", nargs="?", type=pathlib.Path,
                            help="the unpacked Mulan data sets")
        experiment.add_common(parser, work)
        parser.add_argument("--only", metavar="DATA,DATA", default=",".join(self.datasets),
                            help="data sets to run [all]")
        parser.add_argument("--methods", metavar="A,B", default=",".join(self.methods), help="methods to run [all]")
        parser.add_argument("--again", metavar="A,B", type=lambda text: text.split(","), default=[],
                            help="methods whose results are not taken from --merge but made again: those that a "
                                 "change of the program concerns")

    def execute(self, parser, kind, as_json, report):
        """Does what the command line asks for."""
        arguments = parser.parse_args()
        datasets = experiment.chosen(parser, "--only", arguments.only, list(self.datasets))
        methods = experiment.chosen(parser, "--methods", arguments.methods, list(self.methods))
        seeds = experiment.chosen(parser, "--seeds", arguments.seeds)
        if not arguments.folder and not arguments.report_only:
            parser.error("FOLDER is missing (only --report-only does without)")
        return experiment.execute(arguments, kind, lambda: self.jobs(arguments.folder, datasets, methods, seeds),
                                  functools.partial(Cells, self), as_json, report)


class Cells:
    """The records, by data, ratio and method."""

    def __init__(self, grid, store):
        self.grid = grid
        self.cells = {}
        for record in sorted(store.records.values(), key=lambda record: record["seed"]):
            key = record["data"], record["ratio"], record["method"]
            if record["method"] in grid.methods and record["options"] == grid.options_of(
                    record["ratio"], record["method"], record["seed"]):
                self.cells.setdefault(key, []).append(record)

    def records(self):
        return [record for cell in self.cells.values() for record in cell]

    def get(self, data, ratio, method):
        return self.cells.get((data, ratio, method), [])

    def summary(self, data, ratio, method, metric="f1"):
        return comparisons.summary(self.get(data, ratio, method), metric)

    def mean(self, data, ratio, method):
        summary = self.summary(data, ratio, method)
        return summary and summary["mean"]

    def difference(self, data, ratio, opponent, method="mlpac"):
        """The method minus the opponent, over the seeds that both have."""
        return comparisons.difference(self.get(data, ratio, method), self.get(data, ratio, opponent))

    def seconds(self, data, ratio, method, which="total"):
        return comparisons.seconds(self.get(data, ratio, method), which)

    def as_json(self):
        listed = []
        for data, ratio in self.grid.pairs:
            for method in self.grid.methods:
                records = self.get(data, ratio, method)
                if records:
                    listed.append({
                        "data": data, "ratio": ratio, "method": method, "seeds": [record["seed"] for record in records],
                        **{metric: self.summary(data, ratio, method, metric) for metric in experiment.METRICS},
                        "selection": counted(record["selection"]["rule"] for record in records),
                        "w": [record["selection"].get("w") for record in records],
                        "seconds": self.seconds(data, ratio, method)["mean"]})
        return listed
