"""A cluster of processes on this machine."""

from __future__ import annotations

from contextlib import contextmanager

import pytest


@contextmanager
def two_processes():
    """A client of a `dask.distributed` cluster of two worker processes."""
    distributed = pytest.importorskip("distributed", reason="needs the extra 'dask'")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
