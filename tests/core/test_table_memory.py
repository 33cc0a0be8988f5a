"""Peaks of memory where there is a row for each of many segments."""

from __future__ import annotations

from functools import partial

import numpy as np
from processes import peak

import vecbleu
import vecbleu.cli
from vecbleu.core.memory import keep_freed_memory
from vecbleu.significance import bootstrap, jackknife

keep_freed_memory()  # once a process, whose array would count in the first of the tests


def test_statistics_of_files_go_to_disk(tmp_path, capsys):
    def count(lines):
        path = tmp_path / f"{lines}"
        path.write_text("a b\n" * lines)
        arguments = ["stats", str(path), "-i", str(path), "-o", f"{path}.npz", "--workers", "1"]
        return partial(vecbleu.cli.main, arguments)

    small, large = count(400_000), count(800_000)  # 32 and 64 MB of rows
    count(10)()
    assert peak(large) < 1.2 * peak(small)
    assert len(vecbleu.Statistics.load(tmp_path / "800000.npz")) == 800_000
    assert "segments=800000" in capsys.readouterr().out


def test_rows_are_loaded_saved_and_resampled_without_copies(tmp_path):
    rows = 200_000
    lengths = np.arange(rows) % 50 + 4
    totals = lengths[:, None] - np.arange(4)
    table = vecbleu.Statistics(lengths, lengths, totals // 2, totals)
    size = 80 * rows
    path = tmp_path / "table.npz"
    array = table.to_array()
    works = {
        "save": (lambda: table.save(path), 0.6),
        "load": (lambda: vecbleu.Statistics.load(path), 1.6),
        "from_array": (lambda: vecbleu.Statistics.from_array(array), 1.6),
        "bootstrap": (lambda: bootstrap(table, resamples=2), 1.6),  # as float64, and the draws
        "jackknife": (lambda: jackknife(table), 0.6),
        "equality": (lambda: table == table[:], 0.6),
    }
    for name, (work, most) in works.items():
        assert peak(work) < most * size, name
