"""The option for sizes, and the versions of the libraries, saved with the times of a run."""

from __future__ import annotations

from importlib.metadata import distributions
from typing import Any

import vecbleu


def pytest_addoption(parser: Any) -> None:
    """Add ``--segments``."""
    parser.addoption("--segments", type=int, help="no work with more segments than these")


def pytest_configure(config: Any) -> None:
    """Ignore that NLTK and vecbleu warn of sentences without a 4-gram in common."""
    # A mark of the tests would be a word that ``-k TER`` finds: filterwarnings.
    config.addinivalue_line("filterwarnings", "ignore::UserWarning")


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    """Add the versions of the libraries."""
    versions = {one.name: one.version for one in distributions()} | {"vecbleu": vecbleu.__version__}
    names = ("vecbleu", "numpy", "nltk", "sacrebleu", "bleuscore", "fast-bleu")
    machine_info["packages"] = [f"{name} {versions[name]}" for name in names if name in versions]
