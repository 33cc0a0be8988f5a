"""Other processes: pools, a cluster on this machine, programs."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

TESTS = Path(__file__).parent

needs_signals = pytest.mark.skipif(
    sys.platform == "win32", reason="processes are forked, and ended by signals, here"
)


def process_pool(processes=2, *initializer):
    """A pool of processes that share nothing with this one."""
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), *initializer)


@contextmanager
def two_processes():
    """The executor of a `dask.distributed` cluster of two worker processes."""
    distributed = pytest.importorskip("distributed", reason="needs the extra 'dask'")
    kind = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    kind["dashboard_address"] = "127.0.0.1:0"  # with None, it is port 8787, which others may use
    with distributed.LocalCluster(**kind) as cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


def start_program(code, *arguments, **environment):
    """A Python program that can import the modules of these tests."""
    paths = [TESTS.parent, TESTS, TESTS / "core", environment.pop("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        text=True,
    )


def output_of(code, *arguments, **environment):
    """What a Python program prints that ends as it should."""
    with start_program(code, *arguments, **environment) as program:
        printed, errors = program.communicate(timeout=60)
    assert program.returncode == 0, errors
    return printed
