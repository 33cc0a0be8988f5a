"""The number of cores that affinity and the quotas of control groups leave."""

from __future__ import annotations

import os

import pytest

from vecbleu.core.parallel import cores

CORES = 8


@pytest.fixture
def control_groups(tmp_path, monkeypatch):
    """A machine of 8 cores whose control groups are made of files and their contents."""

    def make(own, files):
        monkeypatch.setattr(cores, "_CONTROL_GROUPS", tmp_path / "cgroup")
        monkeypatch.setattr(cores, "_OWN_GROUPS", tmp_path / "own")
        monkeypatch.setattr(os, "cpu_count", lambda: CORES)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {*range(CORES)}, raising=False)
        if own is not None:
            (tmp_path / "own").write_text(own)
        for name, content in files.items():
            path = tmp_path / "cgroup" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    return make


V1 = "4:memory:/docker/a\n3:cpu,cpuacct:/docker/a\n"


def of_v1(folder, quota, period=100_000):
    files = {"cpu.cfs_quota_us": quota, "cpu.cfs_period_us": period}
    return {f"cpu,cpuacct/{folder}{name}": f"{value}\n" for name, value in files.items()}


@pytest.mark.parametrize(
    ("own", "files", "expected"),
    [
        # Version 2: one tree, "quota period".
        ("0::/a\n", {"a/cpu.max": "300000 100000\n"}, 3),
        ("0::/a\n", {"a/cpu.max": "max 100000\n"}, CORES),
        ("0::/a\n", {"a/cpu.max": "1600000 100000\n"}, CORES),
        ("0::/a\n", {"a/cpu.max": "250000 100000\n"}, 2),
        ("0::/a\n", {"a/cpu.max": "50000 100000\n"}, 1),
        ("0::/a\n", {"a/cpu.max": "100000 50000\n"}, 2),
        ("0::/a/b/c\n", {"a/cpu.max": "200000 100000\n", "a/b/c/cpu.max": "max 100000\n"}, 2),
        ("0::/a/b\n", {"a/cpu.max": "500000 100000\n", "a/b/cpu.max": "400000 100000\n"}, 4),
        ("0::/a\n", {"a/cpu.max": "max 100000\n", "other/cpu.max": "100000 100000\n"}, CORES),
        ("0::/\n", {"cpu.max": "300000 100000\n"}, 3),
        # In a container the own group is outside of what is mounted.
        ("0::/../../docker/a\n", {"cpu.max": "300000 100000\n"}, 3),
        ("0::/docker/a\n", {"cpu.max": "300000 100000\n"}, 3),
        # Version 1: a tree for each set of controllers; -1 is no quota.
        (V1, of_v1("docker/a/", 300_000), 3),
        (V1, of_v1("docker/a/", -1), CORES),
        (V1, of_v1("docker/a/", 1_600_000), CORES),
        (V1, of_v1("docker/a/", -1) | of_v1("docker/", 200_000), 2),
        (V1, of_v1("", 300_000), 3),
        (V1, {"memory/docker/a/cpu.max": "100000 100000\n"}, CORES),
        # Both: version 2 has the controllers that version 1 does not have.
        (V1 + "0::/a\n", of_v1("docker/a/", 300_000) | {"a/cpu.max": "200000 100000\n"}, 2),
        # Nothing is there, or nothing that can be read.
        (None, {}, CORES),
        (None, {"cpu.max": "300000 100000\n"}, CORES),
        ("0::/a\n", {}, CORES),
        (V1, {}, CORES),
        ("", {"cpu.max": "300000 100000\n"}, CORES),
        ("0::/a\n", {"a/cpu.max": "nonsense\n"}, CORES),
        (V1, {"cpu,cpuacct/docker/a/cpu.cfs_quota_us": "100000\n"}, CORES),
    ],
)
def test_quotas(control_groups, own, files, expected):
    control_groups(own, files)
    assert cores.available_cores() == expected


def test_affinity_counts_where_there_is_one(control_groups, monkeypatch):
    control_groups("0::/a\n", {"a/cpu.max": "500000 100000\n"})
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3}, raising=False)
    assert cores.available_cores() == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert cores.available_cores() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert cores.available_cores() == 1
