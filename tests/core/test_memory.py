"""Peaks of memory: constant on files, linear in the width of a segment."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

import vecbleu
import vecbleu.cli


def peak(work: Callable[[], object]) -> int:
    """Bytes that were allocated at once, NumPy's arrays among them."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
def test_files_of_any_size_take_the_same(tmp_path, tokenize, capsys):
    line = "the cat, sat on 3.5 mats while a dog barked and other dogs barked too\n"

    def score(lines: int) -> Callable[[], object]:
        path = tmp_path / f"{lines}"
        path.write_text(line * lines)
        return lambda: vecbleu.cli.main([str(path), "-i", str(path), "-tok", tokenize])

    small, large = score(12_000), score(60_000)  # 0.8 and 4.2 MB a file
    score(10)()  # what is imported at the first call
    assert peak(large) < 1.2 * peak(small)
    assert "100.0" in capsys.readouterr().out


@pytest.mark.parametrize("references", [1, 3])
def test_wide_segments_take_memory_by_their_width(references):
    def count(width: int) -> Callable[[], object]:
        rng = np.random.default_rng(width)
        ids = rng.zipf(1.3, (1 + references, width))
        own = [ids[0], ids[0][:20]]
        return lambda: vecbleu.statistics(own, [[*ids[1:]], [ids[1][:20]]])

    assert peak(count(200_000)) < 2.4 * peak(count(100_000))


def test_a_wide_segment_does_not_widen_the_others():
    short = [np.arange(20)] * 2_000
    wide = [np.arange(100_000)]
    alone, together = (
        peak(lambda segments=segments: vecbleu.statistics(segments, segments))
        for segments in (wide, short + wide)
    )
    assert together < 1.3 * alone
