"""Run the peers' own tests of BLEU on vecbleu, from source distributions that are at hand.

    python -m tests.peers_suites sacrebleu-2.6.0.tar.gz nltk-3.10.4.tar.gz

Tests run unchanged, in a copy of their folder, after `install` has put vecbleu into the installed
peer. Tests that would download are left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

# By the peer's name: the folder of its tests, which of them, and those that download.
SUITES = {
    "sacrebleu": (
        "test",
        "test_*.py",
        ["dataset.py", "api.py::test_api_get_source", "api.py::test_api_get_reference"],
    ),
    "nltk": ("nltk/test/unit/translate", "test_bleu.py", ["bleu.py::TestBLEUvsMteval13a"]),
}


def run(archive: Path) -> int:
    """Run the tests of one source distribution; pytest's exit status."""
    peer = archive.name.partition("-")[0]
    folder, files, left_out = SUITES[peer]
    with tempfile.TemporaryDirectory() as name:
        with tarfile.open(archive) as opened:
            opened.extractall(name, filter="data")
        # Not in the sources, whose options pytest would take and whose packages it would import.
        moved = Path(name, "moved")
        ignored = shutil.ignore_patterns("__init__.py")
        source = next(Path(name).glob(f"{peer}-*"))
        shutil.copytree(source / folder, moved / folder, ignore=ignored)
        (moved / "conftest.py").write_text(f"from vecbleu.{peer} import install\n\ninstall()\n")
        tests = sorted((moved / folder).glob(files))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short"]
        command += [f"--deselect={folder}/test_{test}" for test in left_out]
        return subprocess.run(
            [*command, "--rootdir", str(moved), *map(str, tests)],
            cwd=moved,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        ).returncode


if __name__ == "__main__":
    sys.exit(max(run(Path(source)) for source in sys.argv[1:]))
