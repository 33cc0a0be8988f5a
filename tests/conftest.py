from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"

_common = {"deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("quick", max_examples=60, **_common)
settings.register_profile("long", max_examples=4000, **_common)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def wmt23() -> Path:
    """The folder of WMT 2023 outputs and published scores, which is not part of the project."""
    folder = SHARED / "wmt23"
    if not folder.is_dir():
        pytest.skip(f"no WMT 2023 data at {folder}")
    return folder


@pytest.fixture(scope="session")
def lab() -> Path:
    folder = SHARED / "lab"
    if not folder.is_dir():
        pytest.skip(f"no lab data at {folder}")
    return folder
