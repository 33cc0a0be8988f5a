"""How many processes pay."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

# Below so much work, starting workers (0.15 s each) does not pay; nor does one for each half of it.
_WORTH_SHARING = 0.42  # seconds

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")


def number_of_processes(workers: int | None, seconds: float) -> int:
    """Return how many processes do so much work, this one included: `workers` if given."""
    if workers is not None:
        return workers
    # A process of a pool has its share of the cores. Importing multiprocessing takes 10 ms.
    process = sys.modules.get("multiprocessing.process")
    is_in_a_pool = process is not None and process.parent_process() is not None
    if is_in_a_pool or seconds < _WORTH_SHARING:
        return 1
    return min(available_cores(), int(seconds // (_WORTH_SHARING / 2)))


def available_cores() -> int:
    """Return how many cores this process may use, by affinity and quotas of control groups."""
    cores: float = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    with suppress(OSError):  # not Linux
        for line in _OWN_GROUPS.read_text().splitlines():
            # Version 1 has a tree for each set of controllers; version 2 has one.
            _, controllers, path = line.split(":", 2)
            own = _CONTROL_GROUPS / controllers / path.lstrip("/")
            cores = min(cores, *map(_quota_of, (own, *own.parents)))
    return max(1, int(cores))


def _quota_of(group: Path) -> float:
    """Return how many cores' worth of time one control group has, of either version."""
    files = ("cpu.max",), ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    for names in files:
        with suppress(OSError, ValueError):  # there is none, or it is "max"
            quota, period = " ".join((group / name).read_text() for name in names).split()
            if float(quota) > 0:
                return float(quota) / float(period)
    return float("inf")
