"""The seed of the hash, as the environment gives it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from processes import TESTS


@pytest.mark.skipif(sys.platform == "win32", reason="environments are text")
def test_any_bytes_are_a_seed():
    code = "from vecbleu.core.kernel import hashing; print(hashing.ROLL)"

    def drawn(seed):
        environment = os.environb | {
            b"VECBLEU_HASH_SEED": seed,
            b"PYTHONPATH": os.fsencode(TESTS.parent),
        }
        return subprocess.check_output([sys.executable, "-c", code], env=environment, timeout=60)

    assert drawn(b"7\xff") == drawn(b"7\xff") != drawn(b"7\xfe")
