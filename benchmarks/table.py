"""Run the benchmarks, write their table into the README and their plot beside it.

python benchmarks/table.py            run, then write
python benchmarks/table.py FILE.json  write what a run has saved with --benchmark-json
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from pages import replace_between

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
README = ROOT / "README.md"
PLOT = ROOT / "docs" / "speed.svg"
OWN = "vecbleu"  # what the names of our entries begin with

# Panels of the plot: title, and for each line its color, its work and its library.
PANELS = {
    "corpus BLEU, one call": [
        ("tab:red", "corpus, strings, 13a", "sacrebleu"),
        ("tab:orange", "corpus, token lists", "nltk"),
        ("tab:purple", "corpus, strings, 13a", "bleuscore"),
        ("tab:blue", "corpus, strings, 13a", "vecbleu"),
        ("tab:cyan", "corpus, token lists", "vecbleu"),
    ],
    "two files, a whole process": [
        ("tab:red", "command line, 13a", "sacrebleu"),
        ("tab:blue", "command line, 13a", "vecbleu"),
        ("tab:cyan", "command line, none", "vecbleu"),
        ("tab:gray", "command line, none", "wc -w"),
    ],
}

Medians = dict[tuple[str, int], dict[str, float]]  # seconds by work, size and library


def main() -> None:
    """Read or make a run, draw it, and write its table."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else _run()
    run = json.loads(path.read_text(encoding="utf-8"))
    medians: Medians = defaultdict(dict)
    for entry in run["benchmarks"]:
        info = entry["extra_info"]
        medians[info["work"], info["size"]][info["library"]] = entry["stats"]["median"]
    for lines in PANELS.values():
        for _, work, library in lines:
            if not any(one == work and library in medians[one, size] for one, size in [*medians]):
                raise SystemExit(
                    f"{path} has no {work} by {library}: it is of a part of the benchmarks"
                )
    _plot(medians)
    image = (
        f"![Time against segments, a line for each library]({PLOT.relative_to(ROOT).as_posix()})"
    )
    text = "\n".join([*_table(medians), "", image, "", _machine(run)])
    replace_between(README, "benchmarks", text)


def _run() -> Path:
    """All benchmarks in one run."""
    path = Path(tempfile.mkdtemp()) / "benchmarks.json"
    command = [sys.executable, "-m", "pytest", str(FOLDER), f"--benchmark-json={path}"]
    subprocess.run(command, check=True)
    return path


def _table(medians: Medians) -> list[str]:
    """Each peer's time, each of ours, and their ratio."""
    lines = [
        "| work | segments | peer | peer's time | vecbleu's | ratio |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for (work, size), libraries in medians.items():
        peers = {name: time for name, time in libraries.items() if not name.startswith(OWN)}
        for name in (name for name in libraries if name not in peers):
            how = name.removeprefix(OWN)
            for peer, theirs in peers.items():
                ratio = theirs / libraries[name]
                lines.append(
                    f"| {work}{how} | {size:,} | {peer} | {_seconds(theirs)} "
                    f"| {_seconds(libraries[name])} | **{ratio:.{1 if ratio >= 1 else 2}f}×** |"
                )
    return lines


def _seconds(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _plot(medians: Medians) -> None:
    """Draw time against segments."""
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("svg")
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "vecbleu", "font.size": 9})
    figure, axes = pyplot.subplots(1, len(PANELS), figsize=(9, 4), sharey=True, layout="tight")
    for axis, (title, lines) in zip(axes, PANELS.items(), strict=True):
        for color, work, library in lines:
            points = {
                size: libraries[library]
                for (one, size), libraries in medians.items()
                if one == work and library in libraries
            }
            label = f"{library} ({work.split(', ')[-1]})" if library != "wc -w" else library
            axis.loglog([*points], [*points.values()], "o-", color=color, ms=3, label=label)
        axis.set(title=title, xlabel="segments")
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    axes[0].set_ylabel("seconds")
    figure.savefig(PLOT, metadata={"Date": None})


def _machine(run: dict[str, Any]) -> str:
    """What it ran on."""
    machine = run["machine_info"]
    cpu = machine["cpu"]
    return (
        f"Medians of one run on {run['datetime'][:10]}: {cpu['brand_raw']}, {cpu['count']} cores, "
        f"{machine['system']}, Python {machine['python_version']}, "
        f"{', '.join(machine['packages'])}. About 28 tokens a segment, words by Zipf's law, no "
        "line twice. vecbleu has 15 rounds and counts on one process up to 20,000 segments, on all "
        'cores with 200,000 but for the rows that say "1 process"; peers have 3 rounds with 20,000 '
        "segments and, since they take up to some minutes, one with 200,000."
    )


if __name__ == "__main__":
    main()
