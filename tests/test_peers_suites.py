"""The peers' own tests, where their source distributions are at hand."""

from __future__ import annotations

import os
from pathlib import Path

import peers_suites
import pytest

# Archives or folders, as `python -m tests.peers_suites` takes them.
SOURCES = [*filter(None, os.environ.get("VECBLEU_PEERS_SOURCES", "").split(os.pathsep))]


@pytest.mark.skipif(not SOURCES, reason="VECBLEU_PEERS_SOURCES names no source distributions")
@pytest.mark.parametrize("source", SOURCES)
def test_peers_suites_pass(source):
    found = peers_suites.run(Path(source))
    assert found.returncode == 0, found.stdout
    assert " passed" in found.stdout
