"""`Statistics`: one array that is sliced, added up, scored, saved and loaded."""

from __future__ import annotations

import copy
import io
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import score_options, text_corpora, token_corpora

import vecbleu
from vecbleu import Signature, Statistics

HYPOTHESES = ["the cat sat on the mat", "a dog barked", "", "yes"]
REFERENCES = [["the cat sat on a mat"], ["the dog barked", "a dog"], ["x"], ["no", "oh no"]]
STATS = vecbleu.statistics(HYPOTHESES, REFERENCES)
MOST = int(np.iinfo(np.int64).max)


def saved(table):
    file = io.BytesIO()
    table.save(file)
    file.seek(0)
    return file


tables = token_corpora(st.sampled_from("ab"), min_segments=1).map(
    lambda corpus: vecbleu.statistics(*corpus, max_order=3)
)


@given(tables, st.data())
def test_a_table_is_its_array(stats, data):
    array = stats.array
    assert stats.max_order == 3
    for same in (stats, stats.sum(), stats + stats):  # none of which is refused
        assert Statistics(same.array.astype(np.float64), same.signature) == same
        assert Statistics.load(saved(same)) == same
        assert Statistics(same.array) != same  # nobody knows how it was counted
    assert stats[:0] != stats != "statistics"
    nothing, named = stats[:0], stats[0].to_dict()
    assert (nothing.score(), nothing.scores().shape) == (0, (0,))
    assert named == dict(zip(nothing.to_dict(), array[0].tolist(), strict=True))
    columns = stats.hyp_len[:, None], stats.ref_len[:, None], stats.matches, stats.totals
    assert np.array_equal(np.hstack(columns), array)
    assert all(np.shares_memory(column, stats.array) for column in columns)
    assert np.asarray(stats) is stats.array
    assert np.asarray(stats, dtype=np.float32).dtype == np.float32
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(array), max_size=len(array))))
    start = data.draw(st.integers(-9, 9))
    for selection in (mask, slice(start, None), slice(None, start, 2), np.flatnonzero(mask)):
        assert np.array_equal(stats[selection].array, array[selection])
    assert [row.array.tolist() for row in stats] == array.tolist()


@given(tables)
def test_sums_add_up_over_any_split(stats):
    assert np.array_equal(stats.sum().array, stats.array.sum(axis=0))
    for cut in range(len(stats) + 1):
        parts = stats[:cut], stats[cut:]
        assert Statistics.concatenate(parts) == stats
        assert parts[0].sum() + parts[1].sum() == stats.sum()
    assert Statistics.concatenate(row for row in stats) == stats
    assert sum(stats) == stats.sum()
    assert np.array_equal((stats + stats).array, 2 * stats.array)


@given(text_corpora, score_options())
def test_scores_are_those_of_corpora_and_of_sentences(corpus, options):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    counting = {"max_order": options.pop("max_order")}
    rows = vecbleu.statistics(hypotheses, references, **counting)
    score, total = rows.score(**options), rows.sum()
    whole = vecbleu.corpus_bleu(hypotheses, references, **counting, **options)
    assert score.to_dict() == whole.to_dict() == total.score(**options).to_dict()
    assert score == vecbleu.bleu.scores(total, **options)
    sentences = vecbleu.sentence_bleu(hypotheses, references, **counting, **options)
    assert rows.scores(**options).tolist() == sentences.tolist()
    assert [row.score(**options) for row in rows] == sentences.tolist()


@pytest.mark.parametrize(
    ("array", "named"),
    [
        (np.zeros((2, 5), int), "5"),
        (np.zeros((1, 1, 4), int), "3 dimensions"),
        ([[1, 1, -1, 1]], r"matches\[0\]\[0\] is -1"),
        ([[0.5, 1, 1, 1]], r"array\[0\]\[0\] is 0.5"),
        ([[np.inf, 1, 1, 1]], r"hyp_len\[0\] is inf"),
        ([[5, 5, 6, 5]], r"matches\[0\]\[0\] is 6"),
        ([[0] * 6, [2, 2, 0, 0, 2, 2]], r"totals\[1\]\[1\] is 2"),
        ([[0] * 8, [9, 2, 0, 0, 0, 9, 8, 0]], r"totals\[1\]\[2\] is 0"),
        ([2, 2, 0, 1, 2, 1], r"matches\[1\] is 1"),
        ([[0] * 4] * 20_000 + [[3, 2, 9, 3]], r"matches\[20000\]\[0\] is 9"),
    ],
)
def test_counts_that_no_text_has_are_refused(tmp_path, array, named):
    with pytest.raises(ValueError, match=named):
        Statistics(array)
    np.savez(tmp_path / "bad.npz", format=1, statistics=array)
    with pytest.raises(ValueError, match=rf"bad\.npz: .*{named}"):
        Statistics.load(tmp_path / "bad.npz")


TWO, FOUR = (vecbleu.statistics(["a"], ["a"], max_order=order) for order in (2, 4))
LOWERCASE = vecbleu.statistics(["a"], ["a"], lowercase=True)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: Statistics.concatenate([TWO, FOUR]), ValueError),
        (lambda: Statistics.concatenate([TWO, 1]), TypeError),
        (lambda: TWO + FOUR, ValueError),
        (lambda: Statistics.concatenate([FOUR, LOWERCASE]), ValueError),
        (lambda: FOUR + LOWERCASE, ValueError),
        (lambda: Statistics([["1"] * 4]), TypeError),
        (lambda: TWO.array + TWO, TypeError),
        (lambda: TWO.sum()[0], TypeError),
        (lambda: len(TWO.sum()), TypeError),
        (lambda: TWO[np.array([[0, 0]])], IndexError),
        (lambda: np.sum(TWO), TypeError),
        (lambda: Statistics(TWO.array, None), TypeError),
        (lambda: Statistics(TWO.array, FOUR.signature), ValueError),
        (lambda: hash(TWO), TypeError),
        (lambda: Statistics.load("missing/file.npz"), FileNotFoundError),
        (lambda: TWO.score(smoothing="exp", smoothing_value=1), ValueError),
    ],
)
def test_what_does_not_fit_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_signatures_say_what_is_known_of_all_rows():
    one, two = (vecbleu.statistics(["A b"], [["A b"] * n]) for n in (1, 2))
    counted = {"tokenize": "13a", "lowercase": False, "max_order": 4, "ref_length": "closest"}
    assert one.signature.to_dict() == counted | {"references": 1}
    assert Statistics.concatenate([one, two]).signature.references == "var"
    assert vecbleu.statistics(["a", "b"], [["a"], ["b", "c"]]).signature.references == "var"
    unknown = Statistics(vecbleu.statistics(["A b"], ["A b"], tokenize="char").array)
    for joined in (unknown + one, one + unknown, Statistics.concatenate([one, unknown])):
        assert str(joined.score().signature).startswith("eff:no|smooth:exp|")
    empty = vecbleu.statistics([], [])
    assert Statistics.concatenate([one, empty]).signature == one.signature


def test_arrays_are_read_only():
    large = vecbleu.statistics(["a b c d e"] * 3000, ["a b c d e"] * 3000)
    for stats in (
        *(STATS, STATS[0], STATS[1:], STATS[[0, 2]], STATS.sum(), STATS + STATS, large),
        *(Statistics(STATS.array), Statistics.load(saved(STATS)), copy.copy(STATS)),
    ):
        for array in (stats.array, stats.matches, np.asarray(stats)):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    given = STATS.array.copy()
    stats = Statistics(given)
    given[0, 0] = 7  # an array that was passed is a copy
    assert stats == Statistics(STATS.array)


def test_sums_are_exact_or_an_error():
    for row in ([MOST, 0, 0, MOST], [0, MOST, 0, 0]):
        one = Statistics([row, [0, 0, 0, 0]])
        assert one.sum().array.tolist() == row
        twice = Statistics.concatenate([one, one])
        for call in (twice.sum, twice.score, lambda one=one: one + one):
            with pytest.raises(OverflowError):
                call()
        assert f"hyp_len={2 * row[0]}, ref_len={2 * row[1]}" in repr(twice)
    below = Statistics([[2**62, 2**62, 0, 2**62], [2**62 - 1, 0, 0, 2**62 - 1]])
    assert below.sum().array.tolist() == [MOST, 2**62, 0, MOST]


ROWS = np.array([[2, 2, 2, 1, 2, 1]])
KNOWN = {"tokenize": "13a", "lowercase": False, "max_order": 2, "references": 3}
VARIOUS = KNOWN | {"references": "var"}


def test_files_have_the_format_that_earlier_versions_read(tmp_path):
    Statistics(ROWS).save(tmp_path / "saved.npz")
    assert np.load(tmp_path / "saved.npz")["format"] == 3  # of 0.4.0, too


@pytest.mark.parametrize(
    ("members", "signature"),
    [
        ({"format": 1}, {}),
        ({"format": 2, "signature": json.dumps(KNOWN)}, KNOWN),
        ({"format": 2, "signature": json.dumps(KNOWN | {"references": -1})}, VARIOUS),
    ],
)
@pytest.mark.parametrize("rows", [ROWS[0], ROWS.astype(">i2")])
def test_files_of_both_older_formats_load(tmp_path, members, signature, rows):
    np.savez(tmp_path / "kept.npz", statistics=rows, **members)
    loaded = Statistics.load(tmp_path / "kept.npz")
    assert loaded.array.tolist() == rows.tolist()
    assert loaded.signature == Signature(**signature)
    with pytest.raises(ValueError, match="counts of BLEU, not of chrF"):
        vecbleu.chrf.ChrfStatistics.load(tmp_path / "kept.npz")
    loaded.save(tmp_path / "again")  # at exactly this path
    assert Statistics.load(tmp_path / "again") == loaded


@pytest.mark.parametrize(
    "members",
    [
        {},
        *({"format": version, "signature": "{}"} for version in (4, 99, 0, "x")),
        *({"format": 2, "signature": text} for text in ("[1]", "{", "[" * 100_000)),
        *(
            {"format": 2, "signature": json.dumps(KNOWN | wrong)}
            for wrong in ({"color": 1}, {"tokenize": ["13a"]}, {"references": -5}, {"max_order": 9})
        ),
        {"format": 2},
    ],
    ids=lambda members: str(members)[:60],
)
def test_damaged_files_are_refused(tmp_path, members):
    (tmp_path / "text").write_text("no archive")
    np.save(tmp_path / "array.npy", ROWS)
    np.savez(tmp_path / "bad.npz", statistics=ROWS, **members)
    for name in ("text", "array.npy", r"bad.npz: "):
        with pytest.raises(ValueError, match=name):
            Statistics.load(tmp_path / name.rstrip(": "))


@given(st.data())
def test_damage_is_a_value_error_or_changes_nothing(data):
    content = bytearray(saved(STATS).getvalue())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    for _ in range(data.draw(st.integers(1, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ValueError, MemoryError):  # the latter where a header claims too much
        assert np.array_equal(Statistics.load(io.BytesIO(content)).array, STATS.array)


@pytest.mark.parametrize("size", [0, 1, 40])
def test_few_ids_count_as_lists_do(size):
    """Plainly, also if they are in arrays."""
    own, reference = [*range(size)], [*range(0, size, 2), *range(size)]
    expected = vecbleu.statistics([own], [reference])
    assert vecbleu.statistics([np.array(own, int)], [np.array(reference, int)]) == expected
