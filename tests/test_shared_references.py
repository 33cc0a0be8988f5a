"""References that all hypotheses share: the integers of enumeration, in every layer."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import oracle
import peers
import pytest
from corpora import LIST_COLUMNS, STRING_COLUMNS
from hypothesis import given
from hypothesis import strategies as st
from peers import TOKENIZE
from processes import output_of, process_pool
from strategies import odd_tokens, string_tokens, ugly_text, words

import vecbleu
from vecbleu import Ragged, SharedReferences

RULES = ["closest", "shortest", "longest"]
ref_lengths = st.sampled_from(RULES)


def rows(hypotheses, references, **options):
    return vecbleu.statistics(hypotheses, references, **options).array.tolist()


def enumerated(hypotheses, references, **options):
    return rows(hypotheses, [[*references] for _ in hypotheses], **options)


def sides(tokens):
    """Hypotheses and references, of which there is at least one each."""
    unit = st.lists(tokens, max_size=14)
    vocabulary = st.lists(tokens, min_size=1, max_size=6)
    some = vocabulary.flatmap(lambda own: st.lists(st.sampled_from(own), max_size=14))
    return st.tuples(*[st.lists(unit | some, min_size=1, max_size=5)] * 2)


TOKENS = {"words": words, "odd": odd_tokens, "strings": string_tokens, "integers": st.integers()}


@pytest.mark.parametrize("first", TOKENS)
@pytest.mark.parametrize("second", TOKENS)
@given(data=st.data(), max_order=st.integers(1, 8), rule=ref_lengths)
def test_tokens(first, second, data, max_order, rule):
    own, _ = data.draw(sides(TOKENS[first]))
    _, others = data.draw(sides(TOKENS[second]))
    references = SharedReferences(others, max_order=max_order + data.draw(st.integers(0, 2)))
    found = rows(own, references, max_order=max_order, ref_length=rule)
    assert found == [oracle.row(one, others, max_order, rule) for one in own]
    assert found == enumerated(own, others, max_order=max_order, ref_length=rule)
    assert references.tokens == sum(map(len, others))


@given(sides(words | st.integers(0, 3)), ref_lengths)
def test_tokens_of_one_vocabulary(both, rule):
    own, others = both
    both = own + others, others + own[:1]
    found = rows(both[0], SharedReferences(both[1]), ref_length=rule)
    assert found == [oracle.row(one, both[1], 4, rule) for one in both[0]]


texts = st.lists(ugly_text, min_size=1, max_size=4)


@pytest.mark.parametrize("tokenize", TOKENIZE)
@given(texts, texts, st.booleans(), ref_lengths)
def test_strings(tokenize, own, others, lowercase, rule):
    own += others[:1]
    options = {"tokenize": tokenize, "lowercase": lowercase}
    found = rows(own, SharedReferences(others, **options), ref_length=rule, **options)
    assert found == enumerated(own, others, ref_length=rule, **options)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("max_order", [1, 4, 8])
def test_many_random_segments(rule, max_order):
    rng = np.random.default_rng(max_order)
    own, others = (
        [" ".join(map(str, rng.integers(0, 9, rng.integers(0, 30)))) for _ in range(60)]
        for _ in "ab"
    )
    options = {"ref_length": rule, "max_order": max_order}
    found = rows(own, SharedReferences(others, max_order=max_order), **options)
    assert found == enumerated(own, others, **options)
    split = [[*map(str.split, side)] for side in (own, others)]
    assert rows(split[0], SharedReferences(split[1], max_order=max_order), **options) == found
    ids = [[np.array(one, int) for one in side] for side in split]
    assert rows(ids[0], SharedReferences(ids[1], max_order=max_order), **options) == found


def test_integers_in_every_container():
    rng = np.random.default_rng(5)
    own, others = rng.integers(0, 4, (2, 9, 12))
    expected = enumerated([*own], [*others])
    for mine in (own, own.tolist(), [*own], Ragged.from_padded(own), own.astype(np.int16)):
        for theirs in (others, others.tolist(), [*others.astype(np.uint8)]):
            assert rows(mine, SharedReferences(theirs)) == expected
    assert rows(own, SharedReferences(Ragged.from_padded(others))) == expected
    assert rows(own.tolist(), SharedReferences([*map(tuple, others.tolist())])) == expected


def test_special_ids():
    rng = np.random.default_rng(6)
    own, others = rng.integers(0, 5, (2, 9, 12))
    options = {"eos_id": 4, "ignore_ids": [0, 3]}
    expected = rows(own, [[*others]] + [[*others] for _ in own[1:]], **options)
    assert rows(own, SharedReferences(others, **options), **options) == expected
    with pytest.raises(TypeError, match=r"hypotheses\[0\]: token 0 is str 'a', expected an int"):
        rows([["a"]], SharedReferences(others, **options), **options)
    with pytest.raises(ValueError, match="references was prepared with"):
        rows(own, SharedReferences([["a"]]), **options)


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_columns_of_strings(name):
    strings = ["the cat sat", "ünï 😀 codé", "", "two\nlines", "a b c d e"]
    own, expected = ["the cat ünï", "b c", "", "x", "lines"], enumerated(strings, strings)
    make = STRING_COLUMNS[name]
    assert rows(make(own), SharedReferences(make(strings))) == enumerated(own, strings)
    assert rows(strings, SharedReferences(make(strings))) == expected
    assert rows(make(strings), SharedReferences(strings)) == expected


@pytest.mark.parametrize("name", LIST_COLUMNS)
def test_columns_of_tokens(name):
    lists = [["a", "b"], ["b"], [], ["c", "a", "b"], ["d"]]
    make = LIST_COLUMNS[name]
    assert rows(make(lists), SharedReferences(make(lists))) == enumerated(lists, lists)


def test_characters():
    own, others = ["héllo", "aaa b", "", "😀"], ["hello é", "aab", "😀😀"]
    options = {"tokenize": "char"}
    assert rows(own, SharedReferences(others, **options), **options) == enumerated(
        own, others, **options
    )


def test_scores():
    own, others = ["the cat sat", "a dog sat down", "x"], ["the dog sat", "a cat sat down", ""]
    each = [[*others] for _ in own]
    for smoothing in ("exp", "floor"):
        call = partial(vecbleu.sentence_bleu, own, smoothing=smoothing)
        assert call(SharedReferences(others)).tolist() == call(each).tolist()
        call = partial(vecbleu.corpus_bleu, own, smoothing=smoothing)
        assert call(SharedReferences(others)) == call(each)
    for rule in RULES:
        call = partial(vecbleu.corpus_bleu, own, ref_length=rule)
        assert call(SharedReferences(others)).ref_len == call(each).ref_len
    accumulator, expected = vecbleu.Accumulator(), vecbleu.Accumulator()
    for _ in range(2):
        accumulator.update(own, SharedReferences(others))
        expected.update(own, each)
    assert accumulator.state.tolist() == expected.state.tolist()


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_one_segment_is_explained(name):
    strings = ["the cat sat on", "a cät"]
    expected = vecbleu.explain("the cat", strings).score
    for references in (strings, STRING_COLUMNS[name](strings)):
        assert vecbleu.explain("the cat", SharedReferences(references)).score == expected
    tokens = SharedReferences([[1, 2, 3], [1]], ignore_ids=1)
    assert vecbleu.explain([2, 1, 3], tokens, ignore_ids=1).score > 0.99
    with pytest.raises(ValueError, match="ignore_ids"):
        vecbleu.explain([2, 1, 3], tokens)


def test_no_hypotheses_and_one():
    references = SharedReferences(["a b", "c"], max_order=2)
    assert rows([], references, max_order=2) == []
    assert rows(["a b"], references, max_order=2) == [[2, 2, 2, 1, 2, 1]]
    assert float(vecbleu.corpus_bleu([], references, max_order=2)) == 0


@pytest.mark.parametrize("references", [["a b", "c d e"], [["a", "b"], ["c", 1]], [[1, 2], [3]]])
def test_pickles(references):
    found = SharedReferences(references, max_order=3)
    copy = pickle.loads(pickle.dumps(found))
    assert repr(copy) == repr(found)
    assert repr(found) == f"SharedReferences(references=2, tokens={found.tokens})"
    assert (len(found), type(found).__module__) == (2, "vecbleu")
    options = {"max_order": 3}
    expected = rows(references, found, **options)
    assert rows(references, copy, **options) == expected
    code = """
        import pickle, sys, vecbleu
        references, own = pickle.loads(bytes.fromhex(sys.argv[1]))
        print(vecbleu.statistics(own, references, max_order=3).array.tolist())
    """
    printed = output_of(code, pickle.dumps((found, references)).hex(), VECBLEU_HASH_SEED="7")
    assert printed.strip() == str(expected)


def test_references_stay_as_they_are():
    tokens, strings, ids = [["a", "b"]], ["a b"], np.array([[1, 2]])
    found = [SharedReferences(one) for one in (tokens, strings, ids)]
    tokens[0][:] = strings[:] = ["c"]
    ids[:] = 9
    for one, own in zip(found, ([["a"]], ["a"], [[1]]), strict=True):
        copy = pickle.loads(pickle.dumps(one))
        assert rows(own, copy)[0][2] == rows(own, one)[0][2] == 1
    assert rows([[1, "a"]], found[0])[0][2] == 1  # numbered now


def test_a_users_tokenizer_is_called_once_for_each_string():
    seen = []

    def split(string):
        seen.append(string)
        return string.lower().split()

    own, others = ["a B", "b c"], ["b A", "C d B"]
    references = SharedReferences(others, tokenize=split)
    found = rows(own, references, tokenize=split)
    assert sorted(seen) == sorted(own + others)
    assert found == enumerated(["a b", "b c"], ["b a", "c d b"])


@pytest.mark.parametrize("most", [0, 1 << 22])
def test_processes_do_not_matter(monkeypatch, most):
    monkeypatch.setattr("vecbleu.pairwise.shared._MOST_TO_SEND", most)
    rng = np.random.default_rng(1)
    lines = [" ".join(map(str, rng.integers(0, 99, 20))) for _ in range(9_000)]
    for side in (lines, [*map(str.split, lines)]):
        references = SharedReferences(side[:50])
        expected = rows(side, references)
        assert rows(side, references, workers=2) == expected
        with process_pool(2) as pool:
            assert rows(side, references, workers=pool) == expected
    assert expected[77] == oracle.row(side[77], side[:50], 4, "closest")


WRONG = [
    ("a", {}, TypeError, "references is a single str; expected a list"),
    (["a", 7], {}, TypeError, r"references\[1\] is int 7"),
    (["a", ["b"]], {}, TypeError, r"references\[1\] is list \['b'\] but references\[0\] is a str"),
    ([["a"], [["b"]]], {}, TypeError, r"references\[1\]: token \['b'\] can't be used"),
    ([], {}, ValueError, "references is empty; expected at least one"),
    (np.arange(3), {}, TypeError, "references is one 1-D integer array"),
    ([["a"]], {"lowercase": True}, ValueError, "lowercase is for strings; references holds token"),
    (["a"], {"ignore_ids": 1}, TypeError, "are for integer ids; references holds strings"),
    (["a"], {"tokenize": "x"}, ValueError, "tokenize"),
    (["a"], {"max_order": 0}, ValueError, "max_order"),
    (["a"], {"tokenize": lambda _: None}, TypeError, r"references\[0\]: tokenize returned None"),
]


@pytest.mark.parametrize(("references", "options", "kind", "message"), WRONG)
def test_wrong_references(references, options, kind, message):
    with pytest.raises(kind, match=message):
        SharedReferences(references, **options)


IDS = np.ones((1, 1), int)
CALLS = [
    (["a"], ["a"], {"tokenize": "none"}, ValueError, "prepared with '13a'; pass tokenize='13a'"),
    (["a"], ["a"], {"lowercase": True}, ValueError, "prepared with False; pass lowercase=False"),
    (["a"], ["a"], {"max_order": 5}, ValueError, "prepared with 4; pass max_order=4, or Shared"),
    ([[1]], IDS, {"eos_id": 2}, ValueError, r"eos_id is \(2,\) but references was"),
    (IDS, IDS, {"eos_id": 2}, ValueError, r"prepared with \(\); pass eos_id=\(\)"),
    (IDS, IDS, {"ignore_ids": 0}, ValueError, r"ignore_ids is \(0,\) but references was prepared"),
    (IDS, [[1]], {"ignore_ids": 0}, ValueError, r"or SharedReferences\(..., ignore_ids=\(0,\)\)"),
    (["a"], [["a"]], {}, TypeError, "hypotheses holds strings but references holds token seq"),
    ([["a"]], ["a"], {}, TypeError, "hypotheses holds token sequences but references holds str"),
    ([["a"], [["b"]]], [["a"]], {}, TypeError, r"hypotheses\[1\]: token \['b'\] can't be used"),
    ([["a"], [["b"]]], [[1]], {}, TypeError, r"hypotheses\[1\]: token \['b'\] can't be used"),
    ([["a"], 7], [["a"]], {}, TypeError, r"hypotheses\[1\] is int 7"),
    ("a", ["a"], {}, TypeError, "hypotheses is a single str"),
    ([[1]], [[1]], {"lowercase": True}, ValueError, "lowercase is for strings"),
]


@pytest.mark.parametrize(("own", "references", "options", "kind", "message"), CALLS)
def test_wrong_calls(own, references, options, kind, message):
    with pytest.raises(kind, match=message):
        vecbleu.statistics(own, SharedReferences(references), **options)


def test_references_of_single_segments_are_not_shared():
    shares = SharedReferences(["a"])
    with pytest.raises(TypeError, match=r"references\[0\] is SharedReferences; hyp"):
        vecbleu.statistics(["a"] * 3, [shares] * 3)
    with pytest.raises(TypeError, match="hypotheses is SharedReferences; expected a list"):
        vecbleu.statistics(shares, ["a"])
    with pytest.raises(TypeError, match="references is SharedReferences; expected a list"):
        SharedReferences(shares)


def test_options_of_tokens_do_not_matter():
    references = SharedReferences([["a"]], tokenize="none")
    assert rows([["a"]], references)[0][2] == 1


HYPOTHESES = ["the cat sat down", "A dog barked at it.", "", "the the the cat -\n"]
REFERENCES = ["the cat sat on the mat", "a dog barked.", "the the cat", "x -\n"]


def test_sacrebleu():
    streams = [[one] * len(HYPOTHESES) for one in REFERENCES]
    for tokenize, lowercase in [("13a", False), ("intl", True), ("char", False)]:
        options = {"tokenize": tokenize, "lowercase": lowercase}
        references = SharedReferences(REFERENCES, **options)
        metric = vecbleu.sacrebleu.BLEU(effective_order=True, **options)
        found = metric.corpus_score(HYPOTHESES, references)
        theirs = peers.sacrebleu_score(HYPOTHESES, [REFERENCES] * len(HYPOTHESES), **options)
        assert (found.counts, found.totals) == (theirs.counts, theirs.totals)
        assert (found.sys_len, found.ref_len) == (theirs.sys_len, theirs.ref_len)
        assert str(found) == str(metric.corpus_score(HYPOTHESES, streams))
        assert metric.num_refs == len(REFERENCES)
        scores = metric.sentence_scores(HYPOTHESES, references).tolist()
        assert scores == metric.sentence_scores(HYPOTHESES, streams).tolist()
    references = SharedReferences(REFERENCES)
    assert str(vecbleu.sacrebleu.corpus_bleu(HYPOTHESES, references)) == str(
        vecbleu.sacrebleu.corpus_bleu(HYPOTHESES, streams)
    )
    with pytest.raises(ValueError, match="tokenize is 'none' but references was prepared with"):
        vecbleu.sacrebleu.corpus_bleu(HYPOTHESES, references, tokenize="none")
    with pytest.raises(TypeError, match="references holds token sequences"):
        vecbleu.sacrebleu.corpus_bleu(HYPOTHESES, SharedReferences([["a"]]))


@pytest.mark.parametrize("tokenizer", [None, str.split])
def test_huggingface(tokenizer):
    options = {"max_order": 3, "tokenizer": tokenizer}
    references = SharedReferences(REFERENCES, tokenize=tokenizer or "13a")
    found = vecbleu.huggingface.bleu(predictions=HYPOTHESES, references=references, **options)
    each = [[*REFERENCES] for _ in HYPOTHESES]
    assert found == vecbleu.huggingface.bleu(predictions=HYPOTHESES, references=each, **options)


def test_a_wide_unit():
    rng = np.random.default_rng(2)
    wide = rng.integers(0, 300, 150_000)
    own, others = [wide, wide[::2], wide[:5]], [wide[:90_000], wide[-9:]]
    assert rows(own, SharedReferences(others)) == enumerated(own, others)
