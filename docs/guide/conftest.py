"""Pages that show what an extra or another package brings are skipped by name without it."""

from __future__ import annotations

import pytest

NEEDED = {
    "cluster.md": ["pyarrow", "distributed"],
    "columns.md": ["pyarrow", "pandas", "polars"],
    "from-nltk.md": ["nltk"],
    "significance.md": ["matplotlib"],
}


@pytest.fixture(autouse=True)
def _needed_packages(request: pytest.FixtureRequest) -> None:
    for package in NEEDED.get(request.path.name, []):
        pytest.importorskip(package)
