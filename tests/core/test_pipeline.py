"""From what the user passes to statistics: every kind of input, against oracle and peers."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE, newer_characters, sacrebleu_score, same_digits
from processes import peak
from strategies import odd_tokens, string_tokens, text_corpora, token_corpora

import vecbleu
import vecbleu.cli
from vecbleu import Ragged

ref_lengths = st.sampled_from(["closest", "shortest", "longest"])


def expected(hypotheses, references, max_order=4, choice="closest"):
    pairs = zip(hypotheses, references, strict=True)
    return [oracle.row(h, refs, max_order, choice) for h, refs in pairs]


def rows(statistics):
    return statistics.array.tolist()


@pytest.mark.parametrize("tokens", [None, odd_tokens, string_tokens], ids=["words", "odd", "any"])
@given(data=st.data(), max_order=st.integers(1, 16), choice=ref_lengths)
def test_token_sequences(tokens, data, max_order, choice):
    corpus = data.draw(token_corpora(tokens))
    stats = vecbleu.statistics(*corpus, max_order=max_order, ref_length=choice)
    assert rows(stats) == expected(*corpus, max_order, choice)
    assert stats.array.dtype == np.int64


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(pairs=text_corpora, lowercase=st.booleans())
def test_strings_against_oracle_and_sacrebleu(tokenize, pairs, lowercase):
    newer, options = newer_characters(), {"tokenize": tokenize, "lowercase": lowercase}
    hypotheses = [hypothesis.translate(newer) for hypothesis, _ in pairs]
    references = [[reference.translate(newer) for reference in refs] for _, refs in pairs]
    stats = vecbleu.statistics(hypotheses, references, **options)

    def split(string):
        return TOKENIZE[tokenize](string.lower() if lowercase else string)

    tokens = [split(h) for h in hypotheses], [[split(r) for r in refs] for refs in references]
    assert rows(stats) == expected(*tokens)
    theirs = sacrebleu_score(hypotheses, references, **options)
    ours = vecbleu.corpus_bleu(hypotheses, references, smoothing="exp", **options)
    assert list(ours.matches) == theirs.counts
    assert list(ours.totals) == theirs.totals
    assert (ours.hyp_len, ours.ref_len) == (theirs.sys_len, theirs.ref_len)
    assert same_digits(ours.percent, theirs.score)


@given(text_corpora)
def test_a_callable_tokenizer_sees_every_string_as_it_is(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    stats = vecbleu.statistics(hypotheses, references, tokenize=list)
    tokens = [[*map(list, refs)] for refs in references]
    assert rows(stats) == expected([*map(list, hypotheses)], tokens)


@given(token_corpora(st.integers(-2, 2) | st.sampled_from([2**62, -(2**63)])), st.data())
def test_integers_in_every_container(corpus, data):
    hypotheses, references = corpus
    plain = rows(vecbleu.statistics(hypotheses, references))
    assert plain == expected(hypotheses, references)
    kind = data.draw(st.sampled_from([np.int64, object]))
    arrays = [np.array(h, kind) for h in hypotheses]
    reference_arrays = [[np.array(r, kind) for r in refs] for refs in references]
    tuples = tuple(map(tuple, hypotheses)), tuple(tuple(map(tuple, r)) for r in references)
    for sides in (*product((hypotheses, arrays), (references, reference_arrays)), tuples):
        assert rows(vecbleu.statistics(*sides)) == plain


@given(token_corpora(st.integers(1, 4), max_references=1), st.integers(0, 3))
def test_padded_arrays(corpus, slack):
    hypotheses, references = corpus
    references = [refs[0] for refs in references]
    plain = vecbleu.statistics(hypotheses, [[r] for r in references])

    def pad(units):
        width = max(map(len, units), default=0) + slack
        padded = [unit + [0] * (width - len(unit)) for unit in units]
        return np.array(padded, np.int32).reshape(len(units), width)

    h, r = pad(hypotheses), pad(references)
    for sides in ((h, r), (h, r[:, None, :]), (h, [[row] for row in r]), (list(h), list(r))):
        assert vecbleu.statistics(*sides, ignore_ids=0) == plain
    own = Ragged.from_padded(h, lengths=[*map(len, hypotheses)])
    other = Ragged.from_padded(r, lengths=[*map(len, references)])
    for several in (other, [[list(row)] for row in other]):
        assert vecbleu.statistics(own, several) == plain


@given(token_corpora(), st.integers(1, 200))
def test_blocks_of_any_size_count_the_same(blocks_of, corpus, size):
    strings = [" ".join(h) for h in corpus[0]], [[" ".join(r) for r in rs] for rs in corpus[1]]
    ids = [np.array(list(map(hash, h))) for h in corpus[0]]
    references = [[np.array(list(map(hash, r))) for r in rs] for rs in corpus[1]]
    whole, of_strings = vecbleu.statistics(*corpus), vecbleu.statistics(*strings)
    with blocks_of(size):
        assert vecbleu.statistics(*corpus) == whole
        assert vecbleu.statistics(*strings) == of_strings
        assert vecbleu.statistics(ids, references) == whole


@given(token_corpora())
def test_one_reference_may_stand_by_itself_or_in_a_list(corpus):
    hypotheses, references = corpus
    firsts = [refs[0] for refs in references]
    listed = rows(vecbleu.statistics(hypotheses, [[first] for first in firsts]))
    assert rows(vecbleu.statistics(hypotheses, firsts)) == listed
    strings, others = ([*map(" ".join, units)] for units in (hypotheses, firsts))
    assert rows(vecbleu.statistics(strings, others, tokenize="none")) == listed

    def mixed(units):
        return [[first] if i % 2 else first for i, first in enumerate(units)]

    assert rows(vecbleu.statistics(strings, mixed(others), tokenize="none")) == listed
    if all(firsts):  # an empty entry among lists of references has none
        assert rows(vecbleu.statistics(hypotheses, mixed(firsts))) == listed


def test_tuples_are_tokens_where_the_hypotheses_have_tuples_for_tokens():
    pair = (1, "a"), (2, "b")
    assert rows(vecbleu.statistics([pair], [pair])) == [[2, 2, 2, 1, 0, 0, 2, 1, 0, 0]]
    assert vecbleu.statistics([["x", (1, 2)]], [[(1, 2), "x"]]).ref_len.tolist() == [2]
    several = vecbleu.statistics([["a", "b"]], [(("a", "b"), ("a",))])
    assert rows(several) == expected([["a", "b"]], [[["a", "b"], ["a"]]])
    assert vecbleu.statistics([["a"]], [[("a", 1), "a"]]).matches[0, 0] == 1


def test_sequences_of_other_types():
    assert vecbleu.statistics([range(3)], [[range(2)]]).matches[0].tolist() == [2, 1, 0, 0]
    half = Fraction(1, 2)
    assert vecbleu.statistics([[half]], [[[0.5]]]).matches[0, 0] == 1
    words = np.array([["a", "b"], ["c", "d"]])
    assert vecbleu.statistics(words, words).matches[:, 1].tolist() == [1, 1]
    strings = np.array(["a b", "c"], object)
    assert vecbleu.statistics(strings, iter(strings)).hyp_len.tolist() == [2, 1]
    assert vecbleu.statistics(iter(strings), strings).hyp_len.tolist() == [2, 1]
    big = np.array([2**63, 2**64 - 1], np.uint64)  # beyond int64
    stats = vecbleu.statistics([big, np.array([-1])], [[big], [big]])
    assert stats.matches[:, 0].tolist() == [2, 0]


def test_hypotheses_and_references_are_not_changed():
    hypotheses, references = [["a", "b"]], [[["a"], ["b"]]]
    vecbleu.corpus_bleu(hypotheses, references)
    assert (hypotheses, references) == ([["a", "b"]], [[["a"], ["b"]]])
    ids = np.array([[1, 0], [2, 3]])
    vecbleu.corpus_bleu(ids, ids, ignore_ids=0)
    assert ids.tolist() == [[1, 0], [2, 3]]


def test_millions_of_segments():
    size = 1_000_000
    stats = vecbleu.statistics(["a b"] * size, ["a c"] * size, max_order=1)
    assert rows(stats.sum()) == [2 * size, 2 * size, size, 2 * size]
    assert len(stats) == size


@given(token_corpora(), ref_lengths)
def test_corpus_and_sentence_scores_come_from_the_statistics(corpus, choice):
    stats = vecbleu.statistics(*corpus, ref_length=choice)
    options = {"smoothing": "add-k", "smoothing_value": 0.5}
    sentences = vecbleu.sentence_bleu(*corpus, ref_length=choice, **options)
    assert sentences.tolist() == stats.scores(**options).tolist()
    score = vecbleu.corpus_bleu(*corpus, ref_length=choice, **options)
    assert float(score) == vecbleu.bleu(stats.sum(), **options)


def test_an_empty_corpus_has_no_rows():
    for empty in ([], (), np.zeros((0, 5), int)):
        rows = vecbleu.statistics(empty, empty, max_order=3).array
        assert rows.shape == (0, 8)
        assert vecbleu.bleu(rows).shape == vecbleu.sentence_bleu(empty, empty).shape == (0,)
        assert float(vecbleu.corpus_bleu(empty, empty)) == 0


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
def test_files_of_any_size_take_the_same(tmp_path, tokenize, capsys):
    line = "the cat, sat on 3.5 mats while a dog barked and other dogs barked too\n"

    def score(lines):
        path = tmp_path / f"{lines}"
        path.write_text(line * lines)
        return lambda: vecbleu.cli.main([str(path), "-i", str(path), "-tok", tokenize])

    small, large = score(12_000), score(60_000)  # 0.8 and 4.2 MB a file
    score(1_000)()  # what is imported, or kept, at the first call
    assert peak(large) < 1.2 * peak(small)
    assert "100.0" in capsys.readouterr().out


@pytest.mark.parametrize("references", [1, 3])
def test_wide_segments_take_memory_by_their_width(references):
    def count(width):
        rng = np.random.default_rng(width)
        ids = rng.zipf(1.3, (1 + references, width))
        own = [ids[0], ids[0][:20]]
        return lambda: vecbleu.statistics(own, [[*ids[1:]], [ids[1][:20]]])

    assert peak(count(200_000)) < 2.4 * peak(count(100_000))


def test_a_wide_segment_does_not_widen_the_others():
    short, wide = [np.arange(20)] * 2_000, [np.arange(100_000)]
    others, alone, together = (
        peak(partial(vecbleu.statistics, one, one)) for one in (short, wide, short + wide)
    )
    assert together < 1.1 * (others + alone)
