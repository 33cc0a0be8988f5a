"""Write all results of a run into docs/speed.md, some into the README, and draw them.

pytest benchmarks --benchmark-json=FILE
python benchmarks/table.py FILE...

If several files are given, the times of later ones replace those of earlier ones.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "speed.svg"

# The README's rows, of one process: peer, work and segments.
SELECTION = [
    ("sacrebleu", "corpus, 13a", 20_000),
    ("sacrebleu", "corpus, chrF", 20_000),
    ("sacrebleu", "corpus, TER", 2_000),
    ("sacrebleu", "corpus, TER, paragraphs", 500),
    ("bleuscore", "corpus, 13a, lists of one reference", 20_000),
    ("nltk", "corpus, token lists", 20_000),
    ("sacrebleu", "command line, 13a", 20_000),
    ("sacrebleu", "one sentence, 13a", 1),
]

METHOD = (
    "A time is the median of several rounds, or of one if it takes longer than ten seconds. Each "
    "round has new segments of about 28 words, which follow Zipf's law; no line occurs twice. "
    "For TER, segments have about 20 words (far from the references: 24; paragraphs: 70; Chinese: "
    "30 characters), and some blocks of words stand elsewhere. "
    "vecbleu may use one core for each of its processes."
)

# Panels of the picture: title, and for each line its color, peer, work, and whose time it is.
PANELS = {
    "corpus BLEU, one call": [
        ("tab:red", "sacrebleu", "corpus, 13a", "sacrebleu"),
        ("tab:orange", "nltk", "corpus, token lists", "nltk"),
        ("tab:purple", "bleuscore", "corpus, 13a, lists of one reference", "bleuscore"),
        ("tab:blue", "sacrebleu", "corpus, 13a", "vecbleu"),
        ("tab:cyan", "nltk", "corpus, token lists", "vecbleu"),
    ],
    "chrF and TER, one call": [
        ("tab:red", "sacrebleu", "corpus, chrF", "sacrebleu"),
        ("tab:brown", "sacrebleu", "corpus, TER", "sacrebleu"),
        ("tab:blue", "sacrebleu", "corpus, chrF", "vecbleu"),
        ("tab:cyan", "sacrebleu", "corpus, TER", "vecbleu"),
    ],
    "two files, a whole process": [
        ("tab:red", "sacrebleu", "command line, 13a", "sacrebleu"),
        ("tab:blue", "sacrebleu", "command line, 13a", "vecbleu"),
        ("tab:cyan", "wc", "command line, none", "vecbleu"),
        ("tab:gray", "wc", "command line, none", "wc"),
    ],
}


class Timing(NamedTuple):
    """The median seconds of a side of a pair."""

    peer: str
    work: str
    size: int
    side: str  # vecbleu or the peer
    processes: str
    seconds: float


def main() -> None:
    """Read runs, draw them, and write their tables."""
    runs = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]
    timings = timings_of(runs)
    draw(timings)
    rows = rows_of(timings)
    selected = [rows[*row, "1"] for row in SELECTION if (*row, "1") in rows]
    machines = machine_of(runs[0])
    for run in (run for run in runs if machine_of(run) != machine_of(runs[0])):
        works = dict.fromkeys(entry["extra_info"]["work"] for entry in run["benchmarks"])
        machines += f" {machine_of(run)} That run timed: {'; '.join(works)}."
    note = f"{machines} {METHOD}"
    replace_between(ROOT / "docs" / "speed.md", "benchmarks", table_of([*rows.values()]), note)
    replace_between(ROOT / "README.md", "benchmarks", table_of(selected), machines)


def timings_of(runs: list[dict[str, Any]]) -> list[Timing]:
    """Return the last timing of each side, peer by peer."""
    timings = {}
    for entry in (entry for run in runs for entry in run["benchmarks"]):
        timing = Timing(**entry["extra_info"], seconds=entry["stats"]["median"])
        timings[timing[:-1]] = timing
    peers = [timing.peer for timing in timings.values()]
    return sorted(timings.values(), key=lambda timing: peers.index(timing.peer))


def rows_of(timings: list[Timing]) -> dict[tuple[str, str, int, str], str]:
    """Return the table's lines: processes, times, and their ratio."""
    peers = {timing[:3]: timing for timing in timings if timing.side == timing.peer}
    rows = {}
    for peer, work, size, side, number, time in timings:
        theirs = peers.get((peer, work, size))
        if theirs and side != peer:
            ratio = theirs.seconds / time
            rows[peer, work, size, number] = (
                f"| {work} | {f'{size:,}' if size else '–'} "
                f"| **{ratio:{'.1f' if ratio >= 1 else '.2g'}}×** | {peer} | {theirs.processes} "
                f"| {text_of(theirs.seconds)} | {number} | {text_of(time)} |"
            )
    return rows


def table_of(rows: list[str]) -> str:
    """Return a Markdown table."""
    sides = " | ".join(f"{side}'s processes | {side}'s time" for side in ("peer", "vecbleu"))
    titles = f"work | segments | ratio | peer | {sides}"
    return "\n".join([f"| {titles} |", "|---|--:|--:|---|--:|--:|--:|--:|", *rows])


def text_of(time: float) -> str:
    """Return a time in the unit that suits it."""
    if time < 1e-3:
        return f"{time * 1e6:.0f} µs"
    return f"{time * 1e3:.1f} ms" if time < 1 else f"{time:.2f} s"


def draw(timings: list[Timing]) -> None:
    """Draw time against segments; vecbleu's is that of one process."""
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("svg")
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "vecbleu", "font.size": 9})
    figure, axes = pyplot.subplots(1, len(PANELS), figsize=(13, 4), sharey=True, layout="tight")
    for axis, (title, lines) in zip(axes, PANELS.items(), strict=True):
        for color, peer, work, side in lines:
            points = {
                timing.size: timing.seconds
                for timing in timings
                if (timing.peer, timing.work, timing.side) == (peer, work, side)
                and (timing.processes == "1" or side == peer)
            }
            if not points:
                raise SystemExit(f"there is no {work} by {side}: only some benchmarks have run")
            label = side if side == "wc" else f"{side} ({work.split(', ')[-1]})"
            axis.loglog([*points], [*points.values()], "o-", color=color, ms=3, label=label)
        axis.set(title=title, xlabel="segments")
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    axes[0].set_ylabel("seconds")
    figure.savefig(PICTURE, metadata={"Date": None})


def machine_of(run: dict[str, Any]) -> str:
    """Return when and where a run was, and with which versions."""
    machine = run["machine_info"]
    cpu = machine["cpu"]
    timers = {entry["options"]["timer"] for entry in run["benchmarks"]}
    note = " Its times are processor time." if timers == {"process_time"} else ""
    return (
        f"Run on {run['datetime'][:10]}: {cpu['brand_raw']}, {cpu['count']} cores, "
        f"{machine['system']}, Python {machine['python_version']}, "
        f"{', '.join(machine['packages'])}.{note}"
    )


def replace_between(page: Path, name: str, table: str, note: str = "") -> None:
    """Put a table and a note between two comments of a page; pictures there stay."""
    start, end = f"<!-- {name}: start -->", f"<!-- {name}: end -->"
    before, found, following = page.read_text(encoding="utf-8").partition(start)
    old, found_end, after = following.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{page} has no {start} and {end}")
    pictures = [line for line in old.splitlines() if line.startswith("![")]
    text = "\n\n".join(part for part in (table, *pictures, note) if part)
    page.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
