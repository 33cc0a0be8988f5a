"""Sets against sets: every function against enumeration through `sentence_bleu`."""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import odd_tokens, ugly_text, words

import vecbleu

NO_SMOOTHING = {"smoothing": "none", "effective_order": False}
SMOOTHINGS = [
    {},
    {"effective_order": False},
    {"smoothing": "floor", "smoothing_value": 0.05},
    {"smoothing": "add-k", "effective_order": False},
    {"smoothing": "skip-zero"},
    {"smoothing": "none"},
    NO_SMOOTHING,
]
# Of n-grams that are shared, how many a pair may have to be joined: none, some, any.
JOINED = [0.0, 0.2, 1e9]

SIZES = [
    "neighbors._TASK_TOKENS",
    "neighbors._OCCURRENCES",
    "neighbors._LOOKED_UP",
    "neighbors._KEPT",
    "scores._PAIRS",
    "matrices._TASK_PAIRS",
    "expected._TASK_PAIRS",
    "keys._PIECE",
]

lines = st.lists(words, max_size=12).map(" ".join)
tokens = st.lists(st.sampled_from("aab"), max_size=14)


@st.composite
def options(draw):
    """Options of counting and scoring."""
    order = draw(st.integers(1, 8))
    found = {"max_order": order, **draw(st.sampled_from(SMOOTHINGS))}
    weights = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=order)
    return found | (draw(st.none() | weights.map(lambda some: {"weights": some})) or {})


@st.composite
def sets(draw, least=0, most=20):
    """Units of one kind, some of which occur again, and how they are tokenized."""
    kind = draw(st.sampled_from(["none", "13a", "char", "tokens", "odd", "ugly"]))
    unit = {"tokens": tokens, "odd": st.lists(odd_tokens, max_size=6), "ugly": ugly_text}
    units = draw(st.lists(unit.get(kind, lines), min_size=max(least, 1), max_size=most))
    chosen = draw(st.lists(st.sampled_from(units), min_size=least, max_size=most))
    return chosen, {"tokenize": kind} if kind in ("none", "13a", "char") else {}


@contextmanager
def pieces_of(size):
    """Have the work cut into pieces of a size; 0: as it is."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SIZES if size else ():
            patch.setattr(f"vecbleu.pairwise.{name}", size)
        yield


def enumerated(hypotheses, references, **how):
    """The matrix, by sentence BLEU of every pair."""
    pairs = [(one, [other]) for one in hypotheses for other in references]
    if not pairs:
        return np.zeros((len(hypotheses), len(references)))
    scores = vecbleu.sentence_bleu(*map(list, zip(*pairs, strict=True)), **how)
    return scores.reshape(len(hypotheses), len(references))


@given(sets(), st.data(), options(), st.sampled_from([0, 3, 40]))
def test_a_matrix_holds_the_score_of_each_pair(drawn, data, how, size):
    units, counting = drawn
    cut = data.draw(st.integers(0, len(units)))
    hypotheses, references = units[:cut], units[cut:]
    with pieces_of(size):
        matrix = vecbleu.pairwise_bleu(hypotheses, references, **counting, **how)
        own = vecbleu.pairwise_bleu(units, **counting, **how)
    expected_matrix = enumerated(hypotheses, references, **counting, **how)
    assert matrix.shape == (len(hypotheses), len(references))
    assert matrix.tolist() == expected_matrix.tolist()
    assert own.tolist() == enumerated(units, units, **counting, **how).tolist()


@given(sets(least=2), options())
def test_self_bleu_scores_each_against_all_others(drawn, how):
    units, counting = drawn
    others = [[*units[:place], *units[place + 1 :]] for place in range(len(units))]
    found = vecbleu.self_bleu(units, **counting, **how)
    assert found.tolist() == vecbleu.sentence_bleu(units, others, **counting, **how).tolist()


@given(sets(least=1), st.data(), options(), st.sampled_from([0, 3, 40]), st.sampled_from(JOINED))
def test_nearest_are_the_best_of_each_row(drawn, data, how, size, most_joined):
    units, counting = drawn
    cut = data.draw(st.integers(0, len(units) - 1))
    hypotheses, references = units[:cut], units[cut:]
    k = data.draw(st.integers(1, len(references)))
    with pieces_of(size), pytest.MonkeyPatch.context() as patch:
        patch.setattr("vecbleu.pairwise.neighbors._MOST_JOINED", most_joined)
        found = vecbleu.nearest(hypotheses, references, k=k, **counting, **how)
    matrix = enumerated(hypotheses, references, **counting, **how)
    best = np.argsort(-matrix, axis=1, kind="stable")[:, :k]
    assert found.indices.tolist() == best.tolist()
    assert found.scores.tolist() == np.take_along_axis(matrix, best, axis=1).tolist()


@given(sets(), st.data(), options(), st.sampled_from([0, 3, 40]))
def test_expected_bleu_is_the_mean_over_pseudo_references(drawn, data, how, size):
    units, counting = drawn
    cuts = sorted(data.draw(st.lists(st.integers(0, len(units)), max_size=4)))
    edges = [0, *cuts, len(units)]
    sources = [units[start:stop] for start, stop in pairwise(edges)]
    references = data.draw(st.sampled_from([None, [units[:3]] * len(sources)]))
    with pieces_of(size):
        found = vecbleu.expected_bleu(sources, references if units else None, **counting, **how)
    assert [len(scores) for scores in found] == [len(source) for source in sources]
    for place, (source, scores) in enumerate(zip(sources, found, strict=True)):
        others = references[place] if references and units else source
        means = enumerated(source, others, **counting, **how).mean(axis=1) if source else []
        assert np.allclose(scores, means, rtol=1e-14, atol=0)


@pytest.mark.parametrize("how", [{}, NO_SMOOTHING])
def test_workers_change_nothing(how):
    rng = np.random.default_rng(3)
    units = [" ".join(map(str, rng.integers(0, 30, rng.integers(0, 15)))) for _ in range(120)]
    sources = [units[:40], units[40:], []]
    with pieces_of(200):
        for call in (
            lambda **run: vecbleu.pairwise_bleu(units, units[:50], **how, **run).tolist(),
            lambda **run: vecbleu.nearest(units, units, k=3, **how, **run).to_dict(),
            lambda **run: vecbleu.self_bleu(units, **how, **run).tolist(),
            lambda **run: [*map(np.ndarray.tolist, vecbleu.expected_bleu(sources, **how, **run))],
        ):
            assert call(workers=2) == call(workers=1)


@pytest.mark.parametrize("how", SMOOTHINGS)
def test_two_hundred_units(how):
    rng = np.random.default_rng(11)
    units = [" ".join(map(str, rng.zipf(1.6, rng.integers(0, 20)) % 40)) for _ in range(200)]
    matrix = enumerated(units, units, **how)
    assert vecbleu.pairwise_bleu(units, **how).tolist() == matrix.tolist()
    best = np.argsort(-matrix, axis=1, kind="stable")[:, :7]
    assert vecbleu.nearest(units, units, k=7, **how).indices.tolist() == best.tolist()
    (means,) = vecbleu.expected_bleu([units], **how)
    assert np.allclose(means, matrix.mean(axis=1), rtol=1e-13, atol=0)
    others = [[*units[:place], *units[place + 1 :]] for place in range(200)]
    own = vecbleu.sentence_bleu(units, others, **how)
    assert vecbleu.self_bleu(units, **how).tolist() == own.tolist()


IDS = np.array([[1, 2, 3, 4, 0], [1, 2, 3, 0, 0], [9, 9, 1, 2, 3], [2, 3, 4, 5, 0]])


def test_all_formats_are_one():
    rows = [row[row != 0].tolist() for row in IDS]
    expected_matrix = vecbleu.pairwise_bleu(rows, max_order=2)
    text = [" ".join(map(str, row)) for row in rows]
    formats = [
        (IDS, {"ignore_ids": 0}),
        (vecbleu.Ragged.from_padded(IDS, ignore_ids=0), {}),
        ([np.array(row) for row in rows], {}),
        ([tuple(map(str, row)) for row in rows], {}),
        (text, {"tokenize": "none"}),
        (np.array(text), {"tokenize": "none"}),
        (np.array(text, object), {"tokenize": "none"}),
    ]
    for units, how in formats:
        assert vecbleu.pairwise_bleu(units, max_order=2, **how).tolist() == expected_matrix.tolist()
        assert vecbleu.pairwise_bleu(units, units, max_order=2, **how).tolist() == (
            expected_matrix.tolist()
        )


def test_columns():
    pa = pytest.importorskip("pyarrow", reason="needs the extra 'arrow'")
    text = ["the cat sat on the mat", "", "a cat sat on the mat"]
    own = vecbleu.pairwise_bleu(text)
    assert vecbleu.pairwise_bleu(pa.array(text), pa.chunked_array([text])).tolist() == own.tolist()
    assert vecbleu.nearest(pa.array(text), text).indices.tolist() == [[0], [0], [2]]
    sources = pa.array([text, text[:1]])
    found = vecbleu.expected_bleu(sources)
    assert [*map(len, found)] == [3, 1]
    assert found[0].tolist() == own.mean(axis=1).tolist()


def test_a_users_tokenizer_is_called_once_for_each_string():
    seen = []

    def split(line):
        seen.append(line)
        return line.split()

    vecbleu.pairwise_bleu(["a b", "c"], ["d e", "f"], tokenize=split)
    assert sorted(seen) == ["a b", "c", "d e", "f"]


def test_candidates_of_a_source_are_passed_as_any_side_is():
    pandas = pytest.importorskip("pandas")
    drawn = [["a b c", "a b"], ["d"]]
    expected = [one.tolist() for one in vecbleu.expected_bleu(drawn, max_order=2)]
    for kind in (iter, np.array, pandas.Series):
        for sources in ([*map(kind, drawn)], map(kind, drawn)):
            found = vecbleu.expected_bleu(sources, max_order=2)
            assert [one.tolist() for one in found] == expected
    ids = [[np.array([1, 2, 3]), np.array([1, 2])], [np.array([4])]]
    found = vecbleu.expected_bleu([*map(vecbleu.Ragged.from_arrays, ids)], max_order=2)
    assert [one.tolist() for one in found] == expected


def test_candidates_that_occur_again_count_as_often():
    samples = ["the cat sat", "the cat sat", "a cat sat"]
    found = vecbleu.expected_bleu([samples], max_order=2)[0]
    one, other = vecbleu.pairwise_bleu(samples[1:], max_order=2).tolist()
    assert found[0] == found[1] == (2 * one[0] + one[1]) / 3
    assert found[2] == (2 * other[0] + other[1]) / 3


def test_wide_units_and_many_copies():
    rng = np.random.default_rng(5)
    units = [["a"] * 3000, ["a", "b"] * 1500, [*map(str, rng.integers(0, 20, 5000))], [], ["a"]]
    assert vecbleu.pairwise_bleu(units).tolist() == enumerated(units, units).tolist()
    others = [[*units[:place], *units[place + 1 :]] for place in range(5)]
    assert vecbleu.self_bleu(units).tolist() == vecbleu.sentence_bleu(units, others).tolist()


@pytest.mark.parametrize("how", [{}, {"smoothing": "none"}, {"smoothing": "floor"}])
def test_weights_of_orders_that_are_not_reached_score_nothing(how):
    units, weights = ["a b", "a c", "a b c d e"], [0, 0, 0, 1]
    matrix = vecbleu.pairwise_bleu(units, weights=weights, **how)
    assert not matrix[:2].any()
    assert matrix[2, 2] == 1
    assert vecbleu.nearest(units, units, weights=weights, **how).scores[:, 0].tolist() == [0, 0, 1]
    assert vecbleu.self_bleu(units, weights=weights, **how)[:2].tolist() == [0, 0]


def test_neighbors_are_a_table_and_pickle():
    found = vecbleu.nearest(["a b c d e", "x"], ["a b c d", "a b c d e"], k=2, tokenize="none")
    assert found.indices.tolist() == [[1, 0], [0, 1]]
    assert found.table().to_dict() == {
        "segment": [1, 2],
        "score 1": found.scores[:, 0].tolist(),
        "reference 1": [2, 1],
        "score 2": found.scores[:, 1].tolist(),
        "reference 2": [1, 2],
    }
    assert not isinstance(found, tuple)
    again = pickle.loads(pickle.dumps(found))
    assert type(again) is vecbleu.Neighbors
    assert (
        again.to_dict()
        == found.to_dict()
        == {
            "scores": found.scores.tolist(),
            "indices": found.indices.tolist(),
        }
    )


def stops_at_b(text):
    """A user's tokenizer that forgets what `next` raises."""
    return [next(iter(()))] if text == "b" else text.split()


ABC = ["a", "b", "c"]
STOPPED = {
    "pairwise": (lambda **how: vecbleu.pairwise_bleu(ABC, ABC, **how), r"hypotheses\[1\]"),
    "self": (lambda **how: vecbleu.self_bleu(ABC, **how), r"hypotheses\[1\]"),
    "nearest": (lambda **how: vecbleu.nearest(["a"], ABC, **how), r"references\[1\]"),
    "expected": (lambda **how: vecbleu.expected_bleu([["a"], ABC], **how), r"candidates\[1\]\[1\]"),
    "shared": (lambda **how: vecbleu.SharedReferences(ABC, **how), r"references\[1\]"),
    "corpus": (lambda **how: vecbleu.corpus_bleu(ABC, ABC, **how), r"hypotheses\[1\]"),
    "sentence": (lambda **how: vecbleu.sentence_bleu(["a"], ["b"], **how), r"references\[0\]"),
    "statistics": (
        lambda **how: vecbleu.statistics([*"aaaa" * 5000, "b"], ["a"] * 20001, **how),
        r"hypotheses\[20000\]",
    ),
}


@pytest.mark.parametrize("name", STOPPED)
def test_a_tokenizer_that_stops_iteration_loses_no_segment(name):
    call, unit = STOPPED[name]
    with pytest.raises(TypeError, match=f"{unit}.*: tokenize raised StopIteration"):
        call(tokenize=stops_at_b)


def test_a_tokenizer_that_stops_iteration_names_the_line_of_a_file(tmp_path):
    path = tmp_path / "lines"
    path.write_text("a\nb\n")
    with pytest.raises(TypeError, match="line 2: tokenize raised StopIteration"):
        vecbleu.file_statistics(path, path, tokenize=stops_at_b)


def test_other_errors_of_a_tokenizer_show_the_segment():
    with pytest.raises(KeyError) as raised:
        vecbleu.pairwise_bleu(["a", "b c"], tokenize={"a": ["a"]}.__getitem__)
    assert "'b c'" in raised.value.__notes__[0]


def test_nothing_against_something():
    assert vecbleu.pairwise_bleu([], ["a"]).shape == (0, 1)
    assert vecbleu.pairwise_bleu(["a"], []).shape == (1, 0)
    assert vecbleu.pairwise_bleu([], weights=[0.5, 0.5]).shape == (0, 0)
    assert vecbleu.self_bleu([]).shape == (0,)
    assert vecbleu.expected_bleu([]) == []
    assert [*map(len, vecbleu.expected_bleu([[], []]))] == [0, 0]
    assert vecbleu.nearest([], ["a", "b"], k=2).indices.shape == (0, 2)


BAD = {
    "hypotheses is a single str": lambda: vecbleu.pairwise_bleu("a b"),
    r"references is a single str": lambda: vecbleu.nearest(["a"], "a"),
    r"references\[1\] is": lambda: vecbleu.pairwise_bleu([["a"]], [["a"], 3]),
    r"hypotheses holds strings but references holds token sequences": (
        lambda: vecbleu.pairwise_bleu(["a"], [["a"]])
    ),
    r"hypotheses has 1 segment, which has no other": lambda: vecbleu.self_bleu(["a"]),
    r"k is 3 but references has 2 segments": lambda: vecbleu.nearest(["a"], ["a", "b"], k=3),
    r"k is 0": lambda: vecbleu.nearest(["a"], ["a"], k=0),
    r"k is 1\.0": lambda: vecbleu.nearest(["a"], ["a"], k=1.0),
    r"candidates\[0\] is .*pass \[candidates\]": lambda: vecbleu.expected_bleu(["a b", "c"]),
    r"candidates is .*expected a list": lambda: vecbleu.expected_bleu("a b"),
    r"candidates\[1\] is one 1-D integer array": (
        lambda: vecbleu.expected_bleu([[np.arange(3)], np.arange(3)])
    ),
    r"candidates\[0\] is a single dict": lambda: vecbleu.expected_bleu([{"a": 1}]),
    r"candidates\[1\]\[1\] is .*but candidates\[0\]\[0\] is": (
        lambda: vecbleu.expected_bleu([["a"], ["b", ["c"]]])
    ),
    r"candidates has 2 sources but references has 1": (
        lambda: vecbleu.expected_bleu([["a"], ["b"]], [["a"]])
    ),
    r"references\[1\] is empty": lambda: vecbleu.expected_bleu([["a"], ["b"]], [["a"], []]),
    r"candidates\[1\]\[0\].*unhashable": lambda: vecbleu.expected_bleu([[["a"]], [[{}]]]),
    r"candidates\[1\]\[0\] is an array of 2 dimensions": (
        lambda: vecbleu.expected_bleu([[np.arange(3)] * 2, [np.zeros((2, 2), int)]])
    ),
    r"candidates\[0\]\[1\] is a masked array": (
        lambda: vecbleu.expected_bleu([[np.arange(3), np.ma.masked_array([1, 2], [0, 1])]])
    ),
    r"references\[1\]\[0\] is bytes": lambda: vecbleu.expected_bleu([[], []], [[], [b"a"]]),
    r"lowercase is for strings; references": (
        lambda: vecbleu.pairwise_bleu([], [["a"]], lowercase=True)
    ),
    r"weights has 2 sets": lambda: vecbleu.nearest(["a"], ["a"], weights=[(1,), (0.5, 0.5)]),
    r"hypotheses holds strings": lambda: vecbleu.self_bleu(["a", "b"], ignore_ids=0),
    r"unexpected keyword argument 'pad_id'": lambda: vecbleu.self_bleu(["a", "b"], pad_id=0),
    r"max_order is 0": lambda: vecbleu.self_bleu(["a", "b"], max_order=0),
}


@pytest.mark.parametrize("message", BAD)
def test_misuse_is_named(message):
    with pytest.raises((TypeError, ValueError), match=message):
        BAD[message]()


def test_fast_bleu_gives_the_same():
    """Its smoothing is NLTK's method 1; its totals, as NLTK's, are 1 at least."""
    fast_bleu = pytest.importorskip("fast_bleu", reason="needs fast-bleu")
    rng = np.random.default_rng(7)
    units = [[*map(str, rng.zipf(1.5, rng.integers(4, 25)) % 50)] for _ in range(200)]
    theirs = fast_bleu.SelfBLEU(units, {"four": (0.25,) * 4}).get_score()["four"]
    found = vecbleu.self_bleu(units, smoothing="floor")
    assert np.allclose(found, theirs, rtol=1e-12, atol=0)


def test_fast_bleu_gives_the_same_with_shared_references():
    fast_bleu = pytest.importorskip("fast_bleu", reason="needs fast-bleu")
    rng = np.random.default_rng(9)
    units = [[*map(str, rng.zipf(1.5, rng.integers(4, 25)) % 50)] for _ in range(150)]
    hypotheses, references = units[:100], units[100:]
    theirs = fast_bleu.BLEU(references, {"four": (0.25,) * 4}).get_score(hypotheses)["four"]
    shared = vecbleu.SharedReferences(references)
    found = vecbleu.sentence_bleu(hypotheses, shared, smoothing="floor")
    assert np.allclose(found, theirs, rtol=1e-12, atol=0)
