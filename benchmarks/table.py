"""Run the benchmarks; write all results into docs/speed.md, some into the README, and a plot.

python benchmarks/table.py            run, then write
python benchmarks/table.py FILE.json  write what a run has saved with --benchmark-json
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from pages import replace_between
from works import ONE_SENTENCE_SCORE

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "speed.md"
PLOT = ROOT / "docs" / "speed.svg"
OWN = "vecbleu"  # the names of our entries begin with it

# The README's rows: work, segments and peer.
SELECTION = [
    ("corpus, strings, 13a", 20_000, "sacrebleu"),
    ("corpus, strings, 13a", 200_000, "sacrebleu"),
    ("corpus, strings, 13a", 200_000, "bleuscore"),
    ("corpus, token lists", 20_000, "nltk"),
    ("sentence scores, strings, 13a", 20_000, "sacrebleu"),
    ("command line, 13a", 20_000, "sacrebleu"),
    ("command line, 13a", 100, "sacrebleu"),
    (ONE_SENTENCE_SCORE, 1, "sacrebleu"),
]

METHOD = (
    "A segment has about 28 tokens; words follow Zipf's law, and no line occurs twice. vecbleu has "
    "15 rounds. It counts on one process up to 20,000 segments, and with 200,000 on all cores, "
    'except in rows that say "1 process". Other libraries have 3 rounds with 20,000 segments and '
    "one with 200,000, which takes up to some minutes."
)

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
    """Read or make a run, draw it, and write its tables."""
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
    rows = _rows(medians)
    table = _text([*rows.values()], PLOT.name, f"{_machine(run)} {METHOD}")
    replace_between(PAGE, "benchmarks", table)
    selected = [rows[row] for row in SELECTION if row in rows]  # a peer may not be installed
    table = _text(selected, f"{_site()}/{PLOT.name}", _machine(run))
    replace_between(README, "benchmarks", table)


def _run() -> Path:
    """All benchmarks in one run."""
    path = Path(tempfile.mkdtemp()) / "benchmarks.json"
    command = [sys.executable, "-m", "pytest", str(FOLDER), f"--benchmark-json={path}"]
    subprocess.run(command, check=True)
    return path


def _rows(medians: Medians) -> dict[tuple[str, int, str], str]:
    """Lines of the table, by work, size and peer: the peer's time, ours, and their ratio."""
    rows = {}
    for (work, size), libraries in medians.items():
        peers = {name: time for name, time in libraries.items() if not name.startswith(OWN)}
        for name in (name for name in libraries if name not in peers):
            title = work + name.removeprefix(OWN)
            for peer, theirs in peers.items():
                ratio = theirs / libraries[name]
                rows[title, size, peer] = (
                    f"| {title} | {size:,} | {peer} | {_seconds(theirs)} "
                    f"| {_seconds(libraries[name])} | **{ratio:.{1 if ratio >= 1 else 2}f}×** |"
                )
    return rows


def _site() -> str:
    """The address of the documentation: package indexes show the README without its files."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search('^Documentation = "(.*)"$', text, re.MULTILINE)
    assert found
    return found[1]


def _text(lines: list[str], plot: str, note: str) -> str:
    """The table, the plot at its address and a note, as Markdown."""
    header = ["| work | segments | compared with | its time | vecbleu's time | ratio |"]
    header.append("|---|--:|---|--:|--:|--:|")
    image = f"![Time against segments, a line for each library]({plot})"
    return "\n".join([*header, *lines, "", image, "", note])


def _seconds(seconds: float) -> str:
    """A time in the unit that suits it."""
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
    """When and where it ran, and with which versions."""
    machine = run["machine_info"]
    cpu = machine["cpu"]
    return (
        f"Medians of one run on {run['datetime'][:10]}: {cpu['brand_raw']}, {cpu['count']} cores, "
        f"{machine['system']}, Python {machine['python_version']}, "
        f"{', '.join(machine['packages'])}."
    )


if __name__ == "__main__":
    main()
