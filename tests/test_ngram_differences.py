"""n-grams of whole corpora, against dictionaries and compare-mt's definition."""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from corpora import read_lines
from hypothesis import given
from hypothesis import strategies as st
from ngram_oracle import KINDS, expected, rows_of
from strategies import odd_tokens, text_corpora, token_corpora

import vecbleu
from vecbleu.analysis import ngram_differences
from vecbleu.core import tasks
from vecbleu.core.kernel import occurrences
from vecbleu.core.parallel.futures import LostBlockError

DATA = Path(__file__).parent.parent / "data"
OLD = ["a cat sat on a mat", "a dog sat down"]
NEW = ["the cat sat on the mat", "the dog"]
REFERENCES = ["the cat sat on the mat", "the dog sat down"]


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "by": st.sampled_from(["score", "count"]),
        "alpha": st.sampled_from([0, 0.5, 1, 3, 100.0]),
        "top": st.sampled_from([1, 2, 5, 1000]),
        "examples": st.integers(0, 2),
    },
)


@st.composite
def pairs(draw, tokens=None):
    """Two systems of tokens, and references."""
    first, references = draw(token_corpora(tokens))
    vocabulary = sorted({token for unit in first for token in unit} or {"x"}, key=repr)
    unit = st.lists(st.sampled_from([*vocabulary, vocabulary[0]]), max_size=12)
    return [first, draw(st.lists(unit, min_size=len(first), max_size=len(first)))], references


@given(pairs(), OPTIONS, st.integers(1, 3), st.integers(3, 5))
def test_rows_are_those_of_dictionaries(corpus, options, min_order, max_order):
    sides, references = corpus
    found = ngram_differences(
        sides, references, min_order=min_order, max_order=max_order, **options
    )
    orders = range(min_order, max_order + 1)
    assert rows_of(found) == expected(sides, references, orders=orders, **options)


@given(pairs(odd_tokens), OPTIONS)
def test_tokens_may_be_any_hashables(corpus, options):
    sides, references = corpus
    assert rows_of(ngram_differences(sides, references, **options)) == expected(
        sides, references, **options
    )


@given(text_corpora, st.sampled_from(["13a", "none", "char", "intl", "zh"]), st.booleans())
def test_strings_are_tokenized_as_for_scores(corpus, tokenize, lowercase):
    hypotheses, references = zip(*corpus, strict=True)
    hypotheses, references = [*hypotheses], [*references]
    other = hypotheses[::-1]
    found = ngram_differences(
        [hypotheses, other], references, tokenize=tokenize, lowercase=lowercase, top=5
    )
    split = vecbleu.core.options.CountOptions.checked(tokenize).tokenize.split

    def tokens(strings):
        return [*split([one.lower() if lowercase else one for one in strings])]

    sides, units = [tokens(hypotheses), tokens(other)], [*map(tokens, references)]
    assert rows_of(found) == expected(sides, units, top=5)


def test_large_corpora_are_ranked_as_small_ones(monkeypatch):
    rng = np.random.default_rng(3)
    size = 150
    words = [f"w{number}" for number in range(300)]
    weights = 1 / np.arange(1, 301)

    def text(changed, base):
        drawn = rng.choice(300, (size, 20), p=weights / weights.sum())
        return np.where(rng.random((size, 20)) < changed, drawn, base)

    reference = text(1, 0)
    sides = [text(0.3, reference), text(0.4, reference)]
    lists = [[[words[number] for number in row] for row in side] for side in (*sides, reference)]
    references = [[row] for row in lists[2]]
    for by in ("score", "count"):
        rows = expected(lists[:2], references, by=by, top=10)
        for share in (1 << 17, 100):
            monkeypatch.setattr(occurrences, "_SHARE", share)
            assert rows_of(ngram_differences(lists[:2], references, by=by, top=10)) == rows


def test_workers_change_nothing(monkeypatch):
    """Shares that processes look at give what this process finds, in whichever order they end."""
    monkeypatch.setattr(occurrences, "_SHARE", 300)
    rng = np.random.default_rng(5)
    draw = rng.zipf(1.3, (3, 400, 12)) % 90
    first, second, *references = (
        [" ".join(f"w{word}" for word in row) for row in side] for side in draw.tolist()
    )
    for by in ("score", "count"):
        options = {"by": by, "top": 15, "tokenize": "none"}
        alone, shared = (
            ngram_differences([first, second], references[0], workers=workers, **options)
            for workers in (1, 2)
        )
        assert alone.rows == shared.rows
        assert len(alone.rows) == 6 * 15


def test_a_lost_share_is_named(monkeypatch):
    """A process that dies with every share that it gets ends the call with an error."""
    monkeypatch.setattr(occurrences, "_SHARE", 300)
    monkeypatch.setattr(tasks, "map_blocks", _losing)
    lines = [f"a{number} b{number} c" for number in range(500)]
    with pytest.raises(
        ChildProcessError, match=r"^lost [0-9,]+ places of n-grams \(ValueError: gone\), tries: 3"
    ):
        ngram_differences([lines, lines[::-1]], lines, workers=1)


def _losing(function, blocks, executor, retries):
    next(iter(blocks))
    yield from ()
    raise LostBlockError(ValueError("gone"), f"tries: {retries + 1}")


def read(language, name):
    return read_lines(DATA / language / f"{name}.{language}")


def compare_mt_counts(hypotheses, references):
    """compare-mt's definition, occurrence by occurrence, of white-space tokens."""
    sums = {kind: Counter() for kind in KINDS}
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        own, other = hypothesis.split(), reference.split()
        left, below = Counter(), []
        for order in range(1, 5):
            below += [tuple(other[i : i + order]) for i in range(len(other) - order + 1)]
        left.update(below)
        for order in range(1, 5):
            for start in range(len(own) - order + 1):
                ngram = tuple(own[start : start + order])
                kind = "match" if left[ngram] > 0 else "over"
                sums[kind][ngram] += 1
                left[ngram] -= kind == "match"
        sums["under"].update(+left)
    return sums


def compare_mt_ranking(first, second, alpha=1.0):
    return {
        ngram: (first[ngram] + alpha) / (first[ngram] + second[ngram] + 2 * alpha)
        for ngram in {**first, **second}
    }


def assert_like_compare_mt(found, sums, ranking):
    """The same scores in the same order; which of equal n-grams are listed differs."""
    for kind in KINDS:
        for more, less in (("good", "fair"), ("fair", "good")):
            scores = ranking(sums[more][kind], sums[less][kind])
            best = sorted((score for score in scores.values() if score > 0.5), reverse=True)[:50]
            rows = found.select(kind, more, less)
            assert [row.score for row in rows] == best
            for row in rows:
                assert row.score == scores[row.ngram]
                assert row.counts == (sums[more][kind][row.ngram], sums[less][kind][row.ngram])


@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_sample_data_are_ranked_as_by_compare_mt(language):
    systems = {name: read(language, f"sys.{name}") for name in ("fair", "good")}
    references = read(language, "ref.A")
    found = ngram_differences(systems, references, tokenize="none")
    sums = {name: compare_mt_counts(lines, references) for name, lines in systems.items()}
    assert_like_compare_mt(found, sums, compare_mt_ranking)
    assert len(found.rows) > 100


def test_sample_data_are_ranked_by_compare_mt_itself():
    counting = pytest.importorskip("compare_mt.ngram_utils")
    ranking = pytest.importorskip("compare_mt.stat_utils").extract_salient_features
    systems = {name: read("en", f"sys.{name}") for name in ("fair", "good")}
    references = read("en", "ref.A")
    split = [*map(str.split, references)]
    sums = {}
    for name, lines in systems.items():
        _, *found = counting.compare_ngrams(split, [*map(str.split, lines)])
        sums[name] = dict(zip(KINDS, found, strict=True))
    assert_like_compare_mt(ngram_differences(systems, references, tokenize="none"), sums, ranking)


def test_every_system_is_compared_with_the_baseline():
    systems = {"old": OLD, "new": NEW, "copy": REFERENCES}
    found = ngram_differences(systems, REFERENCES, baseline="new")
    assert found.names == (*systems,)
    assert found.baseline == 1
    assert found == ngram_differences(systems, REFERENCES, baseline=1)
    for name in ("old", "copy"):
        pair = ngram_differences({"new": NEW, name: systems[name]}, REFERENCES)
        own = tuple(row for row in found.rows if name in (row.more, row.less))
        assert own == pair.rows
    assert {frozenset((row.more, row.less)) for row in found.rows} == {
        frozenset(("new", "old")),
        frozenset(("new", "copy")),
    }


@pytest.mark.parametrize("kinds", [["under"], ["over", "match"], ("match", "match"), "over"])
def test_kinds_are_those_that_are_asked_for(kinds):
    found = ngram_differences([OLD, NEW], REFERENCES, kinds=kinds)
    whole = ngram_differences([OLD, NEW], REFERENCES)
    wanted = [kinds] if isinstance(kinds, str) else [*dict.fromkeys(kinds)]
    assert found.rows == tuple(row for kind in wanted for row in whole.select(kind))


def formats():
    """The same corpus in several formats."""
    yield OLD, NEW, REFERENCES
    yield iter(OLD), iter(NEW), iter(REFERENCES)
    yield OLD, NEW, [[one] for one in REFERENCES]
    yield (
        [one.split() for one in OLD],
        [one.split() for one in NEW],
        [one.split() for one in REFERENCES],
    )
    yield tuple(OLD), np.array(NEW), np.array(REFERENCES)
    for module, name in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        if importlib.util.find_spec(module):
            column = getattr(importlib.import_module(module), name)
            yield column(OLD), column(NEW), column(REFERENCES)


def test_all_formats_give_the_same_rows():
    wanted = rows_of(ngram_differences([OLD, NEW], REFERENCES))
    for old, new, references in formats():
        assert rows_of(ngram_differences([old, new], references)) == wanted


def test_ids_come_without_those_that_are_no_tokens():
    old, new = np.array([[1, 2, 3, 0], [4, 0, 0, 0]]), np.array([[1, 2, 0, 0], [4, 5, 0, 0]])
    references = [np.array([1, 2, 3, 0]), np.array([4, 5, 6, 0])]
    found = ngram_differences([old, new], references, pad_id=0)
    sides = [[[1, 2, 3], [4]], [[1, 2], [4, 5]]]
    assert rows_of(found) == expected(sides, [[[1, 2, 3]], [[4, 5, 6]]])
    assert json.loads(json.dumps(found.to_dict()))["rows"][0]["ngram"] == [4, 5]


@pytest.mark.parametrize("segments", [3, 40])
def test_references_may_be_shared(segments):
    shared = ["the cat sat on the mat", "the dog sat down"] * 300
    old, new = (OLD * segments)[:segments], (NEW * segments)[:segments]
    wanted = ngram_differences([old, new], [list(shared) for _ in old])
    assert ngram_differences([old, new], [shared] * segments) == wanted
    prepared = vecbleu.SharedReferences(shared)
    assert ngram_differences([old, new], prepared) == wanted
    with pytest.raises(ValueError, match="max_order is 5 but references was prepared with 4"):
        ngram_differences([old, new], prepared, max_order=5)


def test_equal_systems_differ_in_no_ngram():
    found = ngram_differences([OLD, OLD], REFERENCES)
    assert found.rows == ()
    assert str(found) == "No n-gram has different counts."
    assert ngram_differences([[], []], []).segments == 0


def test_tables_are_aligned_and_safe():
    names = {"猫\x1b[31m": ["猫 猫", "a\tb"], "b": ["x\u202ey", "the the the"]}
    text = str(ngram_differences(names, ["x\u202ey", "猫"], tokenize="none", kinds="over"))
    assert "\x1b" not in text
    assert "\u202e" not in text
    width = vecbleu.core.terminal.display_width
    for block in text.split("\n\n"):
        _, header, *lines = [line for line in block.splitlines() if not line.startswith("...")]
        column = width(header[: header.index("segments")])
        for line in lines:
            before, _, examples = line.rpartition("  ")
            assert width(before) + 2 == column
            assert set(examples) <= set("0123456789, ")


def test_records_say_what_they_are():
    found = ngram_differences({"old": OLD, "new": NEW}, REFERENCES)
    assert repr(found) == f"NgramDifferences(new against old: {len(found.rows)})"
    first = found.rows[0]
    assert first.order == len(first.ngram)
    assert found.select("match", "new") == found.select("match", less="old")
    assert found.select() == found.rows
    assert hash(found) == hash(ngram_differences({"old": OLD, "new": NEW}, REFERENCES))
    written = json.loads(json.dumps(found.to_dict()))
    assert written["rows"][0]["counts"] == [*first.counts]
    assert "more" in found.to_text(1)


def test_rows_of_unknown_kinds_and_systems_are_refused():
    found = ngram_differences({"old": OLD, "new": NEW}, REFERENCES)
    with pytest.raises(ValueError, match="kind is 'matches', expected one of match, over, under"):
        found.select("matches")
    with pytest.raises(ValueError, match="more is 'newer', expected one of old, new"):
        found.select(more="newer")
    with pytest.raises(ValueError, match="less is 0, expected one of old, new"):
        found.select(less=0)


def test_tables_have_a_number_of_rows():
    found = ngram_differences({"old": OLD, "new": NEW}, REFERENCES)
    for most, error in ((-1, ValueError), (1.5, TypeError), (None, TypeError)):
        with pytest.raises(error, match=f"most is {most}, expected"):
            found.to_text(most)
    assert "... and" in found.to_text(0)


def test_tokens_with_spaces_are_told_from_several():
    outputs = [[["a b", ""], ["x"]], [["a", "b"], ["x"]]]
    found = ngram_differences(outputs, [[["a b", "", "a", "b"]], [["x"]]], max_order=2)
    shown = re.findall(r"^[\d.]+ +\d +\d  (.*?) +0$", str(found), re.MULTILINE)
    assert {"'a b' ''", "a b"} <= {*shown}
    assert len({*shown}) == len({row.ngram for row in found.rows})


def test_ids_in_lists_are_shown_as_numbers():
    ids = [*np.array([1, 2])]
    found = ngram_differences([[ids], [ids[:1]]], [[ids]])
    assert "  1 2  " in str(found)
    assert "np." not in str(found) + found.to_latex()


def test_names_are_strings_and_escaped():
    with pytest.raises(TypeError, match="systems has the name 1, expected str"):
        ngram_differences({1: OLD, 2: NEW}, REFERENCES)
    found = ngram_differences({"a\x1b[31m": OLD, "b\n": NEW}, REFERENCES)
    assert repr(found).isprintable()
    assert all(repr(row).isprintable() for row in found.rows)


def test_rows_become_a_data_frame():
    pytest.importorskip("pandas")
    found = ngram_differences({"old": OLD, "new": NEW}, REFERENCES)
    frame = found.to_dataframe()
    assert frame["ngram"].tolist() == [" ".join(row.ngram) for row in found.rows]
    assert frame["more_count"].tolist() == [row.counts[0] for row in found.rows]


@pytest.mark.parametrize(
    ("systems", "given", "error", "message"),
    [
        ([OLD], {}, ValueError, "systems has 1, expected at least 2 to compare"),
        ("abc", {}, TypeError, "systems is str, expected a dict of names or a list"),
        (5, {}, TypeError, "systems is int, expected a dict"),
        ([OLD, NEW[:1]], {}, ValueError, r"systems\[1\] has 1 segments but systems\[0\] has 2"),
        ({"x": OLD[:1], "y": NEW[:1]}, {}, ValueError, r"systems\['x'\] has 1 segments but ref"),
        ([OLD, [["a"], ["b"]]], {}, TypeError, r"systems\[0\] holds strings but systems\[1\]"),
        ([OLD, ["a", 5]], {}, TypeError, r"systems\[1\]\[1\] is int"),
        ([OLD, None], {}, TypeError, r"systems\[1\] is "),
        ([OLD, NEW], {"baseline": 2}, ValueError, "baseline is 2, expected 0 to 1"),
        ([OLD, NEW], {"baseline": "x"}, ValueError, "baseline is 'x', expected one of"),
        ([OLD, NEW], {"kinds": []}, ValueError, "kinds is empty, expected some of match, over"),
        ([OLD, NEW], {"kinds": ["matches"]}, ValueError, "kinds is 'matches', expected one of"),
        ([OLD, NEW], {"kinds": None}, ValueError, "kinds is None, expected one of"),
        ([OLD, NEW], {"by": "p"}, ValueError, "by is 'p', expected one of score, count"),
        ([OLD, NEW], {"alpha": -1}, ValueError, "alpha is -1, expected a finite number >= 0"),
        ([OLD, NEW], {"alpha": float("nan")}, ValueError, "alpha is nan"),
        ([OLD, NEW], {"alpha": "1"}, TypeError, "alpha is '1', expected a number"),
        ([OLD, NEW], {"top": 0}, ValueError, "top is 0, expected at least 1"),
        ([OLD, NEW], {"examples": -1}, ValueError, "examples is -1, expected at least 0"),
        ([OLD, NEW], {"min_order": 5}, ValueError, "min_order is 5, expected 1 to 4"),
        ([OLD, NEW], {"pad_id": 0}, TypeError, "pad_id, eos_id and ignore_ids are for integer"),
    ],
)
def test_misuse_is_named(systems, given, error, message):
    with pytest.raises(error, match=message):
        ngram_differences(systems, REFERENCES, **given)


def test_transposed_references_are_named():
    with pytest.raises(ValueError, match=r"pass list\(zip\(\*references\)\)"):
        ngram_differences([OLD * 3, NEW * 3], [REFERENCES * 3, REFERENCES * 3])
