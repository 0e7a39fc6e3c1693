"""A plan: which cells an experiment consists of, as a JSON file says it.

A cell is one run: a value for every axis (recipe, method, ratio, seed, ...) and a variant. What a value means to the
program is said by the plan: options of the command line (`axes`, `variants`), files of options (`layers`; a later one
overrides an earlier one) or a part of a path (`data`). Tasks differ by nothing else.
"""
import dataclasses
import hashlib
import itertools
import json
import pathlib
import tomllib

from program import Failed, extra

NONE = "none"  # the variant without additional options
FIELDS = {"name": True, "title": True, "text": False, "axes": True, "layers": False, "variants": False, "data": False,
          "devices": False, "bounds": False, "paper": False, "groups": True, "report": False}
# Names of a line in the file of cells that no axis may have.
TAKEN = {"kind", "options", "variant", "group", "test", "critic", "selection", "seconds", "version", "commit", "binary",
         "machine", "device", "jobs", "data"}


@dataclasses.dataclass(frozen=True)
class Cell:
    values: dict  # of the axes and the variant
    name: str
    options: str  # a digest of everything that defines the result
    layers: tuple
    arguments: tuple  # of the command line
    groups: list


def listed(value):
    return value if isinstance(value, list) else [value]


def toml_value(value):
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


class Plan:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        content = self.content()
        self.name = content["name"]
        self.title = content["title"]
        self.text = content.get("text", "")
        self.axes = content["axes"]
        self.layers = content.get("layers", {})
        self.variants = {NONE: []} | content.get("variants", {})
        self.data = content.get("data", {})
        self.devices = content.get("devices", {})
        self.bounds = content.get("bounds", [])
        self.paper = content.get("paper")
        self.report = content.get("report", [])
        self.check_axes()
        self.files = {}  # options by layer
        self.cells = self.distinct(content["groups"])

    def fail(self, text):
        raise Failed(f"{self.path}: {text}")

    def content(self):
        try:
            content = json.loads(self.path.read_text())
        except (OSError, ValueError) as error:
            self.fail(f"cannot be read as a plan: {error}")
        if not isinstance(content, dict):
            self.fail("expected an object")
        if unknown := content.keys() - FIELDS.keys():
            self.fail(f"unknown: {', '.join(sorted(unknown))}; expected some of {', '.join(FIELDS)}")
        if missing := [name for name, needed in FIELDS.items() if needed and name not in content]:
            self.fail(f"{', '.join(missing)} is missing")
        return content

    def check_axes(self):
        if "seed" not in self.axes:
            self.fail("axes: 'seed' is missing")
        if taken := self.axes.keys() & TAKEN:
            self.fail(f"axes: '{taken.pop()}' is the name of something else")
        if unknown := self.layers.keys() - self.axes.keys():
            self.fail(f"layers: '{unknown.pop()}' is no axis")

    def distinct(self, groups):
        """The cells in the order of the plan; one of several groups is made once, at its first place."""
        cells = {}
        for group in groups:
            for cell in self.cells_of(group):
                cells.setdefault(cell.name, cell).groups.append(group.get("name", ""))
        return list(cells.values())

    def cells_of(self, group):
        """The cells of a group; the axis that is named first changes slowest."""
        name = group.get("name", "")
        axes = {axis: listed(values) for axis, values in group.items() if axis != "name"}
        if unknown := axes.keys() - self.axes.keys() - {"variant"}:
            self.fail(f"group '{name}': '{unknown.pop()}' is no axis")
        if missing := self.axes.keys() - axes.keys():
            self.fail(f"group '{name}': a value for {', '.join(sorted(missing))} is missing (null: none)")
        for values in itertools.product(*axes.values()):
            yield self.cell({"variant": NONE} | dict(zip(axes, values)))

    def cell(self, values):
        if values["variant"] not in self.variants:
            self.fail(f"there is no variant '{values['variant']}'")
        arguments = [text for axis, options in self.axes.items() if values[axis] is not None
                     for option in options for text in (f"--{option}", str(values[axis]))]
        arguments += self.variants[values["variant"]]
        layers = [self.path.parent / file for axis, files in self.layers.items()
                  for file in listed(files.get(values[axis], []))]
        defined = json.dumps([sorted(self.merged(layers).items()), arguments, extra()])
        digest = hashlib.sha256(defined.encode()).hexdigest()[:12]
        return Cell(values, self.name_of(values), digest, tuple(layers), tuple(arguments), [])

    def name_of(self, values):
        """A short name; values that are none are left out."""
        parts = [str(values[axis]) for axis in self.axes if axis != "seed" and values[axis] is not None]
        variant = [values["variant"]] if values["variant"] != NONE else []
        return "/".join([*parts, *variant, f"seed-{values['seed']}"])

    def merged(self, layers):
        """The options of several files; a later one overrides an earlier one."""
        options = {}
        for file in layers:
            if file not in self.files:
                try:
                    self.files[file] = tomllib.loads(file.read_text())
                except (OSError, ValueError) as error:
                    raise Failed(f"{file}: {error}") from error
            options |= self.files[file]
        return options

    def config(self, cell, folder):
        """The option that names the cell's layers; several become one file, because a default that is off cannot be
        restored on the command line."""
        if not cell.layers:
            return []
        if len(cell.layers) == 1:
            return ["--config", cell.layers[0]]
        merged = folder / "layers.toml"
        merged.write_text("".join(f"{name} = {toml_value(value)}\n" for name, value in
                                  self.merged(cell.layers).items()))
        return ["--config", merged]

    def files_of(self, cell, folder):
        """The name of the first kind of data that is there, and the options that name its files."""
        if not self.data:
            return "", []
        if not folder and "{data}" in json.dumps(self.data):
            raise Failed("--data DIR is needed: where the data is")
        try:
            kinds = {kind: {option: path.format(data=folder, **cell.values) for option, path in paths.items()}
                     for kind, paths in self.data.items()}
        except KeyError as error:
            self.fail(f"data: {error} is no axis")
        for kind, paths in kinds.items():
            if all(pathlib.Path(path).exists() for path in paths.values()):
                return kind, [text for option, path in paths.items() for text in (f"--{option}", path)]
        expected = "; or ".join(", ".join(paths.values()) for paths in kinds.values())
        raise Failed(f"the data is not there; expected {expected}")
