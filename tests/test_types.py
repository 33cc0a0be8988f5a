"""What `mypy --strict` says of programs that use vecbleu."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vecbleu

FOLDER = Path(__file__).parent / "typed"

# NumPy's own annotations differ from version to version; those of 2.0 know less.
pytestmark = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.2.0", reason="NumPy's types are too old"
)


def errors(name):
    """Lines of a program in which mypy finds errors, each with the errors' codes."""
    command = [sys.executable, "-m", "mypy", "--strict", "--show-error-codes", name]
    environment = os.environ | {"MYPYPATH": str(Path(vecbleu.__file__).parent.parent)}
    done = subprocess.run(
        command, cwd=FOLDER, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout, done.stderr
    found = re.finditer(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    return {(match[1], int(match[2]), match[3]) for match in found}


def test_every_public_call_is_typed():
    assert errors("user_program.py") == set()


def test_wrong_calls_are_refused():
    name = "wrong_calls.py"
    lines = enumerate((FOLDER / name).read_text().splitlines(), 1)
    expected = {(name, number, line.split("  # ")[1]) for number, line in lines if "  # " in line}
    assert errors(name) == expected
