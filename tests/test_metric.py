"""A metric that nothing in the package knows goes through the protocol of metrics alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from corpora import noisy_systems, write_lines

from vecbleu import Signature
from vecbleu.analysis import segment_differences
from vecbleu.core.count import count_rows, count_table, count_total
from vecbleu.core.options import RunOptions
from vecbleu.core.score import Score
from vecbleu.files.segments import corpus_of_files
from vecbleu.files.store import SavedTable
from vecbleu.inputs.alignment import align
from vecbleu.significance import bootstrap, paired_randomization, rank


class DiceTable(SavedTable):
    """Matches, and bigrams of both sides."""

    metric = "Dice"

    def percents(self, counts):
        return 200 * counts[..., 0] / np.maximum(counts[..., 1] + counts[..., 2], 1)

    def scores(self):
        return self.percents(self.array) / 100

    def score(self):
        return Score(self.percents(self.sum().array) / 100)


def dice_row(hypothesis, reference):
    one, other = (Counter(pairwise("".join(text.split()))) for text in (hypothesis, reference))
    return [(one & other).total(), one.total(), other.total()]


@dataclass(frozen=True)
class Dice:
    """Character bigrams."""

    table: ClassVar[type] = DiceTable
    groups: ClassVar[tuple] = ()
    columns: ClassVar[int] = 3
    cost: ClassVar[float] = 1.0
    is_portable: ClassVar[bool] = True

    @classmethod
    def of_options(cls):
        return cls(), {}

    def signature(self, is_text, references):
        return Signature(references=references)

    def pinned(self):
        return self

    def encode(self, units):
        return units.strings()

    def count(self, block):
        """Count pairs of a hypothesis and one reference."""
        units = self.encode(block.units)
        if block.order is not None:
            units = [units[unit] for unit in block.order.tolist()]
        return np.array([dice_row(*pair) for pair in zip(units[::2], units[1::2], strict=True)])

    def most_plain(self, is_text):
        return 500

    def count_plain(self, units, offsets, is_text):
        return list(map(dice_row, units[: len(units) // 2], units[len(units) // 2 :]))


REFERENCES, OUTPUTS = noisy_systems(300, (0.1, 0.2, 0.5))
ROWS = [list(map(dice_row, own, REFERENCES)) for own in OUTPUTS]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", [1, 3, 300])
def test_segments_are_counted_in_every_way(tmp_path, small_blocks, size, workers):
    sides, run = (OUTPUTS[0][:size], REFERENCES[:size]), RunOptions(workers)
    corpus = align(*sides)
    assert count_rows(corpus, Dice(), run).tolist() == ROWS[0][:size]
    assert count_total(corpus, Dice(), run) == np.sum(ROWS[0][:size], axis=0).tolist()
    table = count_table(corpus, Dice(), run)
    paths = [write_lines(tmp_path / name, side) for name, side in zip("hr", sides, strict=True)]
    again = count_table(corpus_of_files(*paths), Dice(), run)
    table.save(tmp_path / "x.npz")
    for one in (again, DiceTable.load(tmp_path / "x.npz")):
        assert one == table
        assert np.array_equal(one.reference_hashes, table.reference_hashes)
    assert table.signature == Signature(references=1)


def test_tables_are_tested_and_ranked():
    tables = [count_table(align(own, REFERENCES), Dice()) for own in OUTPUTS]
    totals = np.sum(ROWS, axis=1)  # (systems, 3)
    expected = (2 * totals[:, 0] / totals[:, 1:].sum(axis=1)).tolist()
    assert [float(table.score()) for table in tables] == pytest.approx(expected)
    ranking = rank(tables, n_resamples=200)
    assert (ranking.metric, ranking.order.tolist()) == ("Dice", [0, 1, 2])
    assert ranking.scores.tolist() == pytest.approx(expected)
    assert "Dice" in str(ranking)
    interval = bootstrap(tables[0], n_resamples=200)
    assert interval.lower < interval.score < interval.upper
    assert paired_randomization(tables, n_resamples=99).p_values[2] == 0.01
    assert segment_differences(tables).scores.shape == (3, 300)
    with pytest.raises(ValueError, match="references"):
        rank([tables[0], count_table(align(OUTPUTS[0], REFERENCES[::-1]), Dice())])
