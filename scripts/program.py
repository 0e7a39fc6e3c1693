"""The program that is measured: where it is, what tells builds of it apart, and where it runs."""
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A run, or something it needs, went wrong."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def binary():
    return os.environ.get("MLPAC") or str(ROOT / "build/release/bin/mlpac")


def known_methods():
    """The names in the table of methods, in its order."""
    listed = subprocess.run([binary(), "list", "methods"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        sys.exit(f"{binary()}: cannot list its methods; build it, or name another one by MLPAC")
    return [line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ") and line[2] != " "]


def fingerprint():
    """Tells builds of the program apart: with MLPAC the commit of this tree says nothing about it."""
    try:
        return hashlib.sha256(pathlib.Path(binary()).read_bytes()).hexdigest()[:10]
    except OSError:
        return "unknown"


def extra():
    """Options added to every training, for a quick try of everything: MLPAC_EXTRA='--epochs 2'."""
    return shlex.split(os.environ.get("MLPAC_EXTRA", ""))


def recipe(*layers, **changes):
    """What files of options say, later ones first, as options of the command line; None leaves an option out."""
    merged = {}
    for layer in layers:
        merged |= tomllib.loads(pathlib.Path(layer).read_text())
    merged |= {name.replace("_", "-"): value for name, value in changes.items()}
    return [f"--{name}={json.dumps(value) if isinstance(value, bool) else value}"
            for name, value in merged.items() if value is not None]


def epochs_of(run):
    """What a run wrote of its epochs, by phase: seconds of each (the first holds what comes before it, too), and of them
    those that steps waited for data (none where data is not made ahead)."""
    epochs, before = {}, 0.0
    for line in map(json.loads, (pathlib.Path(run) / "metrics.jsonl").read_text().splitlines()):
        epochs.setdefault(line["phase"], []).append((line["seconds"] - before, line.get("data_wait")))
        before = line["seconds"]
    return epochs


def trial():
    """Ends the names of runs with additional options, so that they never mix with others."""
    return f"-trial-{zlib.crc32(shlex.join(extra()).encode()):08x}" if extra() else ""


def output_of(*command):
    """What a command prints; nothing if it fails or is not there."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def commit():
    """The commit of this tree; MLPAC_COMMIT names it where the tree was copied without its history. Reports do not
    change what is measured: they may be written between two runs of one commit."""
    if named := os.environ.get("MLPAC_COMMIT"):
        return named
    described = output_of("git", "describe", "--always")
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/results")
    return (described or "unknown") + ("-dirty" if changed else "")


def gpu():
    """The name of the first GPU; empty without one."""
    return output_of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").partition("\n")[0]


def machine(device="cpu"):
    cpu = "unknown CPU"
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    place = {"cores": os.cpu_count(), "cpu": cpu}
    return place if device == "cpu" else place | {"gpu": gpu() or device}
