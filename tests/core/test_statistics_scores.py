"""`Statistics` that score themselves, and as NumPy's, pandas' and Polars' tables."""

from __future__ import annotations

import copy
import io
import pickle
import re
from html.parser import HTMLParser

import numpy as np
import oracle
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from peers import same_digits
from strategies import text_corpora

import vecbleu
from vecbleu import Statistics

HYPOTHESES = ["the cat sat on the mat", "a dog barked", "", "yes"]
REFERENCES = [["the cat sat on a mat"], ["the dog barked", "a dog"], ["x"], ["no", "oh no"]]
ROWS = vecbleu.statistics(HYPOTHESES, REFERENCES)
AVERAGES = vecbleu.statistics(HYPOTHESES, REFERENCES, ref_length="average")
COLUMNS = [
    "hyp_len",
    "ref_len",
    *(f"matches_{n}" for n in "1234"),
    *(f"totals_{n}" for n in "1234"),
]

smoothings = st.sampled_from([("none", None), ("exp", None), ("floor", 0.3), ("add-k", 2.0)])


@given(text_corpora, smoothings, st.booleans())
def test_scores_are_those_of_corpora_and_of_sacrebleu(corpus, smoothing, effective_order):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    rows = vecbleu.statistics(hypotheses, references)
    method, value = smoothing
    options = {"smoothing": method, "smoothing_value": value, "effective_order": effective_order}
    score = rows.score(**options)
    whole = vecbleu.corpus_bleu(hypotheses, references, **options)
    assert oracle.counted_parts(score) == oracle.counted_parts(whole)
    assert score == vecbleu.bleu(rows.sum(), **options)
    assert rows.sum().score(**options).to_dict() == score.to_dict()
    total = rows.sum()
    peer = sacrebleu.BLEU.compute_bleu(
        total.matches.tolist(),
        total.totals.tolist(),
        int(total.hyp_len),
        int(total.ref_len),
        smooth_method=method,
        smooth_value=value,
        effective_order=effective_order,
    )
    assert same_digits(score.percent, peer.score)
    assert score.percent_precisions == tuple(peer.precisions)
    of_total = total.precisions(smoothing=method, smoothing_value=value)
    assert of_total.tolist() == [*score.precisions]
    assert total.brevity_penalty == score.brevity_penalty == peer.bp


@given(text_corpora, smoothings)
def test_precisions_and_penalties_of_rows_are_those_of_each(corpus, smoothing):
    rows = vecbleu.statistics(*map(list, zip(*corpus, strict=True)))
    options = dict(zip(("smoothing", "smoothing_value"), smoothing, strict=True))
    precisions, penalties = rows.precisions(**options), rows.brevity_penalty
    assert precisions.shape == rows.matches.shape
    assert precisions.dtype == penalties.dtype == np.float64
    for row, own, penalty in zip(rows, precisions, penalties, strict=True):
        score = row.score(**options)
        assert (tuple(own), penalty) == (score.precisions, score.brevity_penalty)
        assert row.brevity_penalty == penalty
        assert row.precisions(**options).tolist() == own.tolist()


def test_averages_of_lengths():
    assert AVERAGES.ref_len.tolist() == [6.0, 2.5, 1.0, 1.5]
    assert AVERAGES.score().ref_len == 11.0
    penalties = np.exp(1 - np.array([6, 3, 1, 1.5]) / [6, 3, 1, 1])
    penalties[2] = 0  # of no token
    assert AVERAGES.brevity_penalty == pytest.approx(penalties)
    assert AVERAGES.to_dict()["ref_len"].dtype == np.float64


def test_no_rows_one_row_and_one_order():
    nothing = ROWS[:0]
    assert nothing.score() == 0
    assert nothing.precisions().shape == (0, 4)
    assert nothing.brevity_penalty.shape == (0,)
    assert {name: len(column) for name, column in nothing.to_dict().items()} == dict.fromkeys(
        COLUMNS, 0
    )
    assert np.asarray(nothing).shape == (0, 10)
    row = ROWS[0]
    assert row.score() == vecbleu.bleu(ROWS)[0]
    assert row.to_dict() == dict(zip(COLUMNS, ROWS.to_array()[0].tolist(), strict=True))
    assert {type(value) for value in row.to_dict().values()} == {int}
    unigrams = vecbleu.statistics(HYPOTHESES, REFERENCES, max_order=1)
    assert [*unigrams.to_dict()] == ["hyp_len", "ref_len", "matches_1", "totals_1"]
    assert unigrams.precisions()[0].tolist() == [pytest.approx(5 / 6)]


def test_options_are_checked():
    with pytest.raises(ValueError, match="smoothing is 'expp'"):
        ROWS.score(smoothing="expp")
    with pytest.raises(ValueError, match="smoothing_value is 1 but smoothing 'exp' takes none"):
        ROWS.precisions(smoothing="exp", smoothing_value=1)
    with pytest.raises(ValueError, match="which is more than its total"):
        Statistics(
            *(np.array([value]) for value in (1, 1)), np.array([[2]]), np.array([[1]])
        ).score()


def test_impossible_counts_have_no_precisions():
    wrong = Statistics(np.array(1), np.array(1), np.array([3]), np.array([1]))
    with pytest.raises(ValueError, match="more than its total"):
        wrong.precisions()
    many = Statistics.from_array([[2**62, 1, 0, 2**62]] * 2)
    assert f"more than {2**63 - 1}" in many._repr_html_()


def test_numpy_makes_an_array_of_all_columns():
    for rows in (ROWS, AVERAGES, ROWS[0], ROWS.sum()):
        made = np.asarray(rows)
        assert made.dtype == rows.to_array().dtype
        assert np.array_equal(made, rows.to_array())
        assert made.flags.writeable
    assert np.array(ROWS, dtype=np.float32).dtype == np.float32
    assert np.array(ROWS, dtype=np.uint8).tolist() == ROWS.to_array().tolist()
    assert np.array(ROWS, copy=True).tolist() == ROWS.to_array().tolist()
    assert np.asarray([ROWS[0], ROWS[1]]).tolist() == ROWS[:2].to_array().tolist()


def test_numpy_loses_nothing():
    with pytest.raises(ValueError, match="is a copy; use"):
        ROWS.__array__(copy=False)
    with pytest.raises(ValueError, match="dtype is int64, which cannot hold"):
        np.asarray(AVERAGES, dtype=np.int64)
    many = Statistics.from_array([[300, 300, 300, 300]])
    with pytest.raises(ValueError, match="dtype is int8, which cannot hold"):
        np.asarray(many, dtype=np.int8)
    for add in (
        lambda: ROWS + ROWS.to_array(),
        lambda: ROWS.to_array() + ROWS,
        lambda: np.sqrt(ROWS),
    ):
        with pytest.raises(TypeError):
            add()


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.0.0", reason="NumPy 2's rule")
def test_numpy_2_refuses_a_view():
    with pytest.raises(ValueError, match="is a copy"):
        np.array(ROWS, copy=False)


def test_frames_are_made_of_columns():
    expected = dict(zip(COLUMNS, ROWS.to_array().T.tolist(), strict=True))
    for name, maker in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        library = pytest.importorskip(name)
        frame = getattr(library, maker)(ROWS.to_dict())
        found = (
            frame.to_dict("list")
            if name == "pandas"
            else (frame.to_dict(as_series=False) if name == "polars" else frame.to_pydict())
        )
        assert found == expected
        assert (
            getattr(library, maker)(
                [ROWS.sum().to_dict()] if name == "pandas" else ROWS[:1].to_dict()
            )
            is not None
        )


def test_tables_of_more_dimensions_have_no_columns():
    cube = Statistics(*(np.stack([one, one]) for one in ROWS._columns))
    with pytest.raises(ValueError, match=r"shape \(2, 4, 4\) are no table of columns"):
        cube.to_dict()
    assert cube[0].to_dict().keys() == ROWS.to_dict().keys()
    assert cube.precisions().shape == (2, 4, 4)
    assert cube.brevity_penalty.shape == (2, 4)


def sources():
    """Statistics from everywhere, whose arrays nobody can write to."""
    file = io.BytesIO()
    ROWS.save(file)
    file.seek(0)
    yield from (ROWS, AVERAGES, ROWS[0], ROWS[1:], ROWS[[0, 2]], ROWS[ROWS.hyp_len > 1], ROWS.sum())
    yield from (ROWS + ROWS, Statistics.concatenate([ROWS, ROWS]), Statistics.load(file))
    yield Statistics.from_array(ROWS.to_array())
    yield from (copy.copy(ROWS), copy.deepcopy(ROWS))
    yield from (pickle.loads(pickle.dumps(ROWS, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1))
    long = ["a b c d e"] * 3000
    yield vecbleu.statistics(long, long)
    accumulator = vecbleu.Accumulator(keep_rows=True)
    accumulator.update(HYPOTHESES, REFERENCES)
    yield accumulator.rows


def test_arrays_are_read_only():
    for rows in sources():
        for column in (
            *rows._columns,
            *(c for c in rows.to_dict().values() if hasattr(c, "flags")),
        ):
            with pytest.raises(ValueError, match="read-only"):
                column[...] = 0


def test_arrays_that_were_passed_can_be_written_to():
    given = [np.array(one) for one in ROWS._columns]
    rows = Statistics(*given)
    assert all(one.flags.writeable for one in given)
    given[0][0] = 7
    assert rows.hyp_len[0] == 7  # a view, as before
    array = ROWS.to_array()
    array[0, 0] = 7
    assert ROWS.hyp_len[0] == 6


class Cells(HTMLParser):
    """The text of each row of a table."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def cells(page):
    parser = Cells()
    parser.feed(re.sub("<p>.*?</p>", "", page))
    return parser.rows


def test_notebooks_show_the_first_rows_and_the_sum():
    rows = ROWS.to_array().tolist()
    head, *found, total = cells(ROWS._repr_html_())
    assert head == ["", *COLUMNS]
    assert found == [[str(place), *map(str, row)] for place, row in enumerate(rows)]
    assert total == ["sum", *map(str, np.sum(rows, axis=0).tolist())]
    long = Statistics.concatenate([ROWS] * 50)
    found = cells(long._repr_html_())
    assert len(found) < 20
    assert found[-2][0] == "..."
    assert found[-1][1:] == [str(50 * value) for value in ROWS.sum().to_array().tolist()]
    assert cells(ROWS.sum()._repr_html_())[1:] == [total]
    assert cells(ROWS[:0]._repr_html_())[1:] == [["sum", *["0"] * 10]]
    assert cells(AVERAGES._repr_html_())[2][2] == "2.5000"
    wide = vecbleu.statistics(["a b"], ["a b"], max_order=30)._repr_html_()
    assert "22 more orders" in wide
    assert len(cells(wide)[0]) == 19
