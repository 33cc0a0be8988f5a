"""Count the false alarms of tests: pairs of systems without a difference that are significant.

Two systems of `data/` exchange their outputs at random, of segments or of whole documents. So
neither is better, but in the second case the segments of a document are alike.

    python benchmarks/false_alarms.py --pairs 2000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import vecbleu
from vecbleu.significance import Comparison, paired_bootstrap, paired_randomization

DATA = Path(__file__).parent.parent / "data" / "en"
SEGMENTS_EACH = 8  # of a document
Counts = np.ndarray[tuple[int, int], np.dtype[np.int64]]
Tests = dict[str, Callable[..., Comparison]]


def pair_of(rng: np.random.Generator, tables: list[Counts], units: int, size: int) -> list[Counts]:
    """Draw segments of two systems, which exchange each unit of this size or not."""
    rows = rng.integers(len(tables[0]), size=units * size)
    is_exchanged = np.repeat(rng.integers(2, size=units, dtype=bool), size)[:, None]
    one, other = (table[rows] for table in tables)
    return [np.where(is_exchanged, other, one), np.where(is_exchanged, one, other)]


def alarms(
    tables: list[Counts], tests: Tests, pairs: int, units: int, size: int
) -> dict[str, list[float]]:
    """Return for each test the shares of pairs: significant, borderline, with p < 0.05."""
    rng = np.random.default_rng(1)
    found: dict[str, list[list[bool]]] = {name: [] for name in tests}
    for _ in range(pairs):
        pair = [vecbleu.Statistics(own) for own in pair_of(rng, tables, units, size)]
        for name, test in tests.items():
            result = test(pair, rng=rng)
            is_small = result.p_values[1] < 0.05
            found[name].append([result.significant[1], result.borderline[1], is_small])
    return {name: np.mean(flags, axis=0).tolist() for name, flags in found.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=2000, help="simulated pairs (default: 2000)")
    parser.add_argument("--documents", type=int, default=100, help="documents (default: 100)")
    asked = parser.parse_args()
    references = DATA / "ref.A.en"
    names = "good", "fair"
    files = [vecbleu.file_statistics(DATA / f"sys.{name}.en", references) for name in names]
    tables = [table.array for table in files]
    documents = np.repeat(np.arange(asked.documents), SEGMENTS_EACH)
    plain: Tests = {"bootstrap": paired_bootstrap, "randomization": paired_randomization}
    of_sacrebleu: Tests = {
        "bootstrap, sides=1": partial(paired_bootstrap, sides=1),
        "randomization, count_equal=False": partial(paired_randomization, count_equal=False),
    }
    grouped: Tests = {
        f"{name}, groups": partial(test, groups=documents) for name, test in plain.items()
    }
    print("of 100 pairs without a difference            significant  borderline  p < 0.05")
    size = len(documents)
    for kind, tests, units, each in (
        ("segments", plain | of_sacrebleu, size, 1),
        ("documents", plain | grouped, asked.documents, SEGMENTS_EACH),
    ):
        for name, shares in alarms(tables, tests, asked.pairs, units, each).items():
            significant, borderline, small = (100 * share for share in shares)
            counts = f"{significant:11.1f}{borderline:12.1f}{small:10.1f}"
            print(f"{kind}: {name:<34}{counts}", flush=True)


if __name__ == "__main__":
    main()
