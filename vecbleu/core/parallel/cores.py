"""How many processes or threads pay."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from vecbleu.core.checks import warn_caller
from vecbleu.core.parallel.interpreter import no_interpreter

# Below so much work, starting workers (0.15 s each) does not pay; nor does one for each half of it.
_WORTH_SHARING = 0.42  # seconds

_CONTROL_GROUPS = Path("/sys/fs/cgroup")
_OWN_GROUPS = Path("/proc/self/cgroup")


def number_of_processes(workers: int | None, seconds: float) -> int:
    """Processes for so many seconds of work, this one included; `workers` if they are given."""
    if not threads_run_at_once() and (reason := no_interpreter()):
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


def threads_run_at_once() -> bool:
    """Whether Python has no lock: the one decision between worker threads and processes."""
    has_lock = getattr(sys, "_is_gil_enabled", None)
    return has_lock is not None and not has_lock()


def warn_of_fewer(workers: int | None, reason: object) -> None:
    """Say that fewer processes count than were asked for, if they were."""
    if workers is not None and workers > 1:
        message = f"workers is {workers}, but no more worker processes can be started: {reason}"
        warn_caller(message, RuntimeWarning)


def available_cores() -> int:
    """Number of cores that this process may use: by affinity, and by quotas of control groups."""
    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    return max(1, min(cores, int(_quota(cores))))


def _quota(cores: int) -> float:
    """Cores' worth of time that control groups leave to this process, at most `cores`."""
    try:
        entries = [line.split(":", 2) for line in _OWN_GROUPS.read_text().splitlines()]
    except OSError:  # not Linux
        return cores
    groups = set()
    for _, controllers, path in entries:
        if not controllers or "cpu" in controllers.split(","):
            root = _CONTROL_GROUPS / controllers  # version 1 has a tree for each set of controllers
            own = root / path.lstrip("/")
            # In a container, the path may lie outside of what is mounted here.
            parents = {own, *own.parents} if own.is_dir() else set()
            groups |= {root, *(group for group in parents if root in group.parents)}
    return min((_quota_of(group, cores) for group in groups), default=cores)


def _quota_of(group: Path, cores: int) -> float:
    """The quota of one control group, of either version."""
    try:
        if (group / "cpu.max").exists():
            quota, period = (group / "cpu.max").read_text().split()
        else:
            quota, period = (
                (group / f"cpu.cfs_{name}_us").read_text().strip() for name in ("quota", "period")
            )
        return float(quota) / float(period) if float(quota) > 0 else cores
    except (OSError, ValueError):  # there is none, or it is "max"
        return cores
