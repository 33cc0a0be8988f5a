"""Versions of the libraries, saved with the times of a run."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("vecbleu", "numpy", "nltk", "sacrebleu", "bleuscore", "fast-bleu")


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    """Add the versions of the libraries."""
    machine_info["packages"] = packages = []
    for name in PACKAGES:
        try:
            packages.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            packages.append(f"{name} not installed")
