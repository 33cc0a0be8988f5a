"""How many processes or threads pay."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from math import inf
from pathlib import Path

from vecbleu.core.checks import warn_caller

# Below so much work, starting workers (0.15 s each) does not pay; nor does one for each half of it.
_WORTH_SHARING = 0.42  # seconds

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")
_VERSION_1 = "cpu.cfs_quota_us", "cpu.cfs_period_us"


def number_of_processes(workers: int | None, seconds: float) -> int:
    """Return how many processes do so much work, this one included: `workers` if given."""
    if not threads_run_at_once() and (reason := _no_interpreter()):
        if workers is not None and workers > 1:
            warn_of_fewer(workers, reason)
        return 1
    if workers is not None:
        return workers
    # A process of a pool has its share of the cores. Importing multiprocessing takes 10 ms.
    process = sys.modules.get("multiprocessing.process")
    is_in_a_pool = process is not None and process.parent_process() is not None
    if is_in_a_pool or seconds < _WORTH_SHARING:
        return 1
    return min(available_cores(), int(seconds // (_WORTH_SHARING / 2)))


def warn_of_fewer(workers: int, reason: str) -> None:
    """Warn that fewer processes count than were asked for."""
    message = f"workers is {workers}, but no more worker processes can be started: {reason}"
    warn_caller(message, RuntimeWarning)


def _no_interpreter() -> str | None:
    """Say why there is no program for workers to run; None if there is."""
    if getattr(sys, "frozen", False):  # it would start the user's program again
        return "the program is frozen"
    return None if sys.executable else "sys.executable is not set"


def threads_run_at_once() -> bool:
    """Whether Python has no lock, so that threads do the work of processes."""
    has_lock = getattr(sys, "_is_gil_enabled", None)
    return has_lock is not None and not has_lock()


def available_cores() -> int:
    """Return how many cores this process may use, by affinity and quotas of control groups."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return max(1, int(min(cores, _quota())))


def _quota() -> float:
    """Return how many cores' worth of time control groups leave to this process."""
    quotas = [inf]
    with suppress(OSError):  # not Linux
        for line in _OWN_GROUPS.read_text().splitlines():
            # Version 1 has a tree for each set of controllers; version 2 has one.
            _, controllers, path = line.split(":", 2)
            own = _CONTROL_GROUPS / controllers / path.lstrip("/")
            quotas += map(_quota_of, (own, *own.parents))
    return min(quotas)


def _quota_of(group: Path) -> float:
    """Return the quota of one control group, of either version."""
    try:
        if (group / "cpu.max").exists():
            quota, period = (group / "cpu.max").read_text().split()
        else:
            quota, period = ((group / name).read_text() for name in _VERSION_1)
        return float(quota) / float(period) if float(quota) > 0 else inf
    except (OSError, ValueError):  # there is none, or it is "max"
        return inf
