"""Run the peers' own tests of BLEU on vecbleu, from source distributions that are at hand.

    python -m tests.peers_suites sacrebleu-2.6.0.tar.gz nltk-3.10.4.tar.gz

Each is an archive or a folder of its contents. Tests are copied to a temporary folder in which
their imports name vecbleu's module, as in a program that moves over; what they need besides comes
from the installed peer. Tests that would download are left out.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Suite:
    """Where a peer has its tests, and what their imports are replaced by."""

    folder: str
    files: str  # a pattern
    imports: dict[str, str]
    without: Sequence[str] = ()  # tests that download


SUITES = {
    "sacrebleu": Suite(
        "test",
        "test_*.py",
        {
            r"\bimport sacrebleu$": "import vecbleu.sacrebleu as sacrebleu",
            r"\b(import|from) sacrebleu\b": r"\1 vecbleu.sacrebleu",
        },
        (
            "test_dataset.py",
            "test_api.py::test_api_get_source",
            "test_api.py::test_api_get_reference",
        ),
    ),
    "nltk": Suite(
        "nltk/test/unit/translate",
        "test_bleu.py",
        {r"\bnltk\.translate\.bleu_score\b": "vecbleu.nltk"},
        ("test_bleu.py::TestBLEUvsMteval13a",),
    ),
}


def run(source: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of one source distribution."""
    with tempfile.TemporaryDirectory() as folder:
        top = unpacked(source, Path(folder))
        (suite,) = [found for name, found in SUITES.items() if top.name.startswith(f"{name}-")]
        # Beside the project: pytest would take its options from a folder above.
        place = Path(folder, "moved")
        target = place / suite.folder
        shutil.copytree(top / suite.folder, target, ignore=shutil.ignore_patterns("__init__.py"))
        for path in target.glob("*.py"):
            text = path.read_text(encoding="utf-8")
            for pattern, replacement in suite.imports.items():
                text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
            path.write_text(text, encoding="utf-8")
        tests = sorted(target.glob(suite.files))
        left_out = [f"--deselect={suite.folder}/{name}" for name in suite.without]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
        return subprocess.run(
            [*command, "--rootdir", str(place), *left_out, *map(str, tests)],
            cwd=place,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
            text=True,
            encoding="utf-8",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


def unpacked(source: Path, folder: Path) -> Path:
    """The top folder of a source distribution."""
    if source.is_dir():
        return source.resolve()
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    return top


def main() -> int:
    """Run the suites of all source distributions that are given, and print what they print."""
    parser = argparse.ArgumentParser(prog="python -m tests.peers_suites", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE")
    failed = 0
    for source in parser.parse_args().sources:
        print(f"{source}:", flush=True)
        found = run(source, "--tb=short")
        print(found.stdout, flush=True)
        failed += found.returncode != 0
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
