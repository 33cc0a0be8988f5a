"""What has to be loaded before anything is counted: of imports and of the command line.

Usage: python benchmarks/starts.py

All run in new processes in turns; the ratios are of medians. Of an import it is the time of the
processor, which other programs change less.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROUNDS = 20

# Imports that are timed against `import numpy`.
IMPORTS = {
    "vecbleu.corpus_bleu": "import vecbleu; vecbleu.corpus_bleu",
    "vecbleu.sacrebleu.BLEU": "from vecbleu.sacrebleu import BLEU",
    "vecbleu.nltk": "import vecbleu.nltk",
}

HYPOTHESES = "\n".join(f"the cat number {number} sat on the mat ." for number in range(5))
REFERENCES = HYPOTHESES.replace("sat", "lay")


def main() -> None:
    # Python writes the bytecode of what it imports, as it does for users.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-m", "vecbleu", "--version"], env=environment, check=True)
    for name, statement in IMPORTS.items():
        ours, numpys = in_turns(
            *(importer(one, environment) for one in (statement, "import numpy"))
        )
        print(f"{name}: import numpy takes {numpys / ours:.2f} of its time, {numpys:.3f} s")
    with tempfile.TemporaryDirectory() as folder:
        hypotheses, references = Path(folder) / "hyp", Path(folder) / "ref"
        hypotheses.write_text(HYPOTHESES)
        references.write_text(REFERENCES)
        files = [str(references), "-i", str(hypotheses)]
        peers = Path(sysconfig.get_path("scripts"), "sacrebleu")
        ours, theirs = in_turns(
            process([sys.executable, "-m", "vecbleu", *files], environment),
            process([sys.executable, str(peers), *files], environment),
        )
    print(f"command line, 5 lines: {theirs / ours:.2f} times sacreBLEU's speed, {ours:.3f} s")


def importer(statement: str, environment: dict[str, str]) -> Callable[[], float]:
    """A function that runs a statement in a new process, and returns the seconds that it takes."""
    program = f"from time import process_time as now; t = now(); {statement}; print(now() - t)"
    command = [sys.executable, "-c", program]

    def run() -> float:
        return float(subprocess.run(command, env=environment, capture_output=True).stdout)

    return run


def process(command: list[str], environment: dict[str, str]) -> Callable[[], float]:
    """A function that runs a command, and returns its seconds."""

    def run() -> float:
        start = perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        return perf_counter() - start

    return run


def in_turns(*functions: Callable[[], float]) -> list[float]:
    """Medians of what functions return that take turns, the first time aside."""
    rounds = [[function() for function in functions] for _ in range(ROUNDS + 1)][1:]
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


if __name__ == "__main__":
    main()
