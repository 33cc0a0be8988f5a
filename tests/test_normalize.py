"""`normalize` does what `unicodedata.normalize` of both sides does, in every call."""

from __future__ import annotations

import io
import re
import tempfile
import unicodedata
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from command import error, lines, run, write_lines
from conftest import ON_BOTH_PATHS, assert_refused, blocks_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import IS_LONG, ugly_text

import vecbleu
from vecbleu import analysis, chrf, huggingface, ter

pytestmark = ON_BOTH_PATHS
SOME = settings(max_examples=1000 if IS_LONG else 8)

FORMS = "NFC", "NFD", "NFKC", "NFKD"

# Marks alone, in another order and behind a newline; syllables; compatible forms that become white
# space, signs, entities, digits or "'s"; what lower case changes; surrogates; NUL.
ODD = ["e\u0301", "é", "\u0301", "\n\u0323", "\u0307\u0323", "a\u0323\u0307", "ệ", "\u1100\u1161"]
ODD += ["\u11a8", "각", "ﬁ", "①", "㎏", "\u212b", "\u2126", "\u212a", "\u0344", "\u1e9b\u0323"]
ODD += ["\u2000", "\u00a8", "\u037e", "\u1fef", "\uff06lt\uff1b", "\uff07s", "5\uff0e", "x.\u0301"]
ODD += ["<\u0338", "\u2260", "=\u0338", "\u0130", "I\u0307", "\u1e9e", "ΑΣ", "\ufb1d", "\u0f73"]
ODD += ["\U0001d15e", "\U0002f800", "\ud800", "\0", " ", "a"]
odd_text = st.lists(st.one_of(st.sampled_from(ODD), ugly_text), max_size=8).map("".join)
segments = st.tuples(odd_text, st.lists(odd_text, min_size=1, max_size=3))
corpora = st.lists(segments, min_size=1, max_size=5)


def shared(hypotheses, references, **options):
    prepared = vecbleu.SharedReferences(references[0], **options)
    return vecbleu.sentence_bleu(hypotheses, prepared, **options)


def flat(references):
    return [one for own in references for one in own]


def batches(make, hypotheses, references, **options):
    total = make(**options)
    for one, own in zip(hypotheses, references, strict=True):
        total.update([one], [own])
    return total.compute()


def explained(hypotheses, references, **options):
    """All that an explanation has but the texts, which are shown as they were passed."""
    rows = [vecbleu.explain(*pair, **options) for pair in zip(hypotheses, references, strict=True)]
    return [(one.tokens, one.reference_tokens, one.orders, float(one.score)) for one in rows]


def hugging_face(function, hypotheses, references, **options):
    return function(predictions=hypotheses, references=references, **options)


BLEU = {
    "corpus_bleu": vecbleu.corpus_bleu,
    "sentence_bleu": vecbleu.sentence_bleu,
    "statistics": lambda h, r, **o: vecbleu.statistics(h, r, **o).array,
    "Accumulator": partial(batches, vecbleu.Accumulator),
    "SharedReferences": shared,
    "pairwise_bleu": lambda h, r, **o: vecbleu.pairwise_bleu(h, flat(r), **o),
    "self_bleu": lambda h, r, **o: vecbleu.self_bleu([*h, *flat(r)], **o),
    "nearest": lambda h, r, **o: vecbleu.nearest(h, flat(r), k=1, **o).scores,
    "expected_bleu": lambda h, r, **o: vecbleu.expected_bleu([h], [flat(r)], **o)[0],
    "explain": explained,
    "ngram_differences": lambda h, r, **o: analysis.ngram_differences(
        [h, [own[0] for own in r]], r, kinds=("match", "over", "under"), **o
    ).rows,
}  # fmt: skip
OTHERS = {
    "corpus_chrf": chrf.corpus_chrf,
    "sentence_chrf": chrf.sentence_chrf,
    "ChrfAccumulator": partial(batches, chrf.ChrfAccumulator),
    "pairwise_chrf": lambda h, r, **o: chrf.pairwise_chrf(h, flat(r), **o),
    "corpus_ter": ter.corpus_ter,
    "sentence_ter": ter.sentence_ter,
    "TerAccumulator": partial(batches, ter.TerAccumulator),
    "google_bleu": partial(hugging_face, huggingface.google_bleu),
    "bleu": partial(hugging_face, huggingface.bleu),
    "bleu by a function": partial(hugging_face, huggingface.bleu, tokenizer=str.split),
}
CHRF = dict.fromkeys(("lowercase", "whitespace"), st.booleans()) | {"word_order": st.integers(0, 2)}
TER = dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans())


def normalized(form, corpus):
    hypotheses, references = zip(*corpus, strict=True)
    put = partial(unicodedata.normalize, form)
    return list(map(put, hypotheses)), [list(map(put, own)) for own in references]


def assert_normalizes(call, corpus, form, **options):
    hypotheses, references = zip(*corpus, strict=True)
    expected = call(*normalized(form, corpus), **options)
    found = call(list(hypotheses), list(references), normalize=form, **options)
    is_array = isinstance(expected, np.ndarray)
    assert np.array_equal(found, expected) if is_array else found == expected


@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
@pytest.mark.parametrize("name", BLEU)
@SOME
@given(
    corpora,
    st.sampled_from(FORMS),
    st.sampled_from(["13a", "intl", "char", "zh", "none", str.split]),
    st.booleans(),
)
def test_calls_of_bleu_count_what_is_normalized(name, corpus, form, tokenize, lowercase):
    assert_normalizes(BLEU[name], corpus, form, tokenize=tokenize, lowercase=lowercase)


@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
@pytest.mark.parametrize("name", OTHERS)
@SOME
@given(st.data(), corpora, st.sampled_from(FORMS))
def test_calls_of_other_metrics_count_what_is_normalized(name, data, corpus, form):
    options = {}
    if "chrf" in name.lower():
        options = data.draw(st.fixed_dictionaries(CHRF))
    if "ter" in name.lower():
        options = data.draw(st.fixed_dictionaries(TER))
    assert_normalizes(OTHERS[name], corpus, form, **options)


def test_references_of_ter_are_cut_twice_but_normalized_once():
    """The first cut joins a letter and a mark, which a second normalization would make one."""
    text = "e\n-\u0301"
    for size in (1, 900):
        assert ter.corpus_ter([text] * size, [text] * size, normalized=True, normalize="NFC") == 0


METRICS = {"BLEU": vecbleu, "chrF": chrf, "TER": ter}


@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
@pytest.mark.parametrize("name", METRICS)
@SOME
@given(st.lists(st.tuples(odd_text, odd_text), min_size=1, max_size=9), st.sampled_from(FORMS))
@example([("\u0301", "a"), ("\u0323", "e\u0301")] * 3, "NFC")  # lines that begin with a mark
def test_files_are_normalized_line_by_line(name, pairs, form):
    not_in_files = re.compile("[\n\ud800-\udfff]")
    lines = [[not_in_files.sub("", one) for one in side] for side in zip(*pairs, strict=True)]
    with tempfile.TemporaryDirectory() as folder, blocks_of(60):
        paths = Path(folder) / "h", Path(folder) / "r"
        for path, side in zip(paths, lines, strict=True):
            path.write_bytes("".join(f"{line}\n" for line in side).encode())
        found = METRICS[name].file_statistics(*paths, normalize=form)
    sides = [[unicodedata.normalize(form, line) for line in side] for side in lines]
    assert np.array_equal(found.array, METRICS[name].statistics(*sides).array)


def test_files_that_are_not_text_are_refused_as_without_it(tmp_path):
    (tmp_path / "h").write_bytes(b"a\nb\xcc\n")
    for module in METRICS.values():
        for options in ({}, {"normalize": "NFC"}):
            call = partial(module.file_statistics, *[tmp_path / "h"] * 2, **options)
            assert_refused(ValueError, "h: line 2 is not UTF-8", call)


COMPOSED, DECOMPOSED = ["der Käse ist süß"] * 9, ["der Ka\u0308se ist su\u0308ß"] * 9


@pytest.mark.parametrize("name", METRICS)
def test_signatures_have_the_form_and_files_keep_it(name):
    module = METRICS[name]
    table = module.statistics(COMPOSED, DECOMPOSED, normalize="NFC")
    plain = module.statistics(COMPOSED, COMPOSED)
    assert table.score() == plain.score()
    assert "|unicode:NFC|" in str(table.score().signature)
    assert "|u:NFC|" in table.score().signature.format(short=True)
    assert "unicode" not in str(plain.score().signature)
    assert "normalize" not in plain.signature.to_dict()
    file = io.BytesIO()
    table.save(file)
    file.seek(0)
    loaded = type(table).load(file)
    assert loaded.signature == table.signature
    assert loaded[2:].score().signature.normalize == "NFC"
    for one, other in ((loaded, plain), (plain, loaded)):
        assert_refused(ValueError, "normalize", lambda one, other: one + other, one, other)
    assert (loaded + table).signature.normalize == "NFC"


def test_normal_forms_are_told_from_unknown_ones():
    """A table without a signature fits any, and so do tokens, which the user has normalized."""
    table = vecbleu.statistics(COMPOSED, DECOMPOSED, normalize="NFC")
    tokens = vecbleu.statistics(*[[text.split() for text in COMPOSED]] * 2)
    for other in (vecbleu.Statistics(table.array), tokens):
        joined = vecbleu.Statistics.concatenate([table, other])
        assert joined.signature.normalize is None


WRONG = [
    ({"normalize": "nfc"}, "normalize is 'nfc', expected one of NFC, NFD, NFKC, NFKD"),
    ({"normalize": True}, "normalize is True, expected one of NFC"),
]


@pytest.mark.parametrize(("options", "named"), WRONG)
@pytest.mark.parametrize("name", METRICS)
def test_other_forms_are_refused(name, options, named):
    assert_refused(ValueError, named, METRICS[name].statistics, ["a"], ["a"], **options)


@pytest.mark.parametrize("tokens", [[["a"]], [np.array([1, 2])], np.ones((2, 3), int)])
def test_tokens_and_ids_are_not_normalized(tokens):
    of_batches = vecbleu.Accumulator(normalize="NFC").update
    calls = [
        partial(call, normalize="NFC") for call in (vecbleu.corpus_bleu, vecbleu.pairwise_bleu)
    ]
    for call in (*calls, of_batches):
        assert_refused(ValueError, "normalize is for strings", call, tokens, tokens)


def test_workers_normalize_as_one_process_does():
    sides = COMPOSED * 300, DECOMPOSED * 300
    for name, module in METRICS.items():
        expected = module.statistics(*sides, normalize="NFKD", workers=1)
        with blocks_of(1 << 12):
            found = module.statistics(*sides, normalize="NFKD", workers=2)
        assert np.array_equal(found.array, expected.array), name


DOORS = [vecbleu.corpus_bleu, chrf.corpus_chrf, ter.sentence_ter]
DOORS += [partial(batches, make) for make in (vecbleu.Accumulator, ter.TerAccumulator)]
DOORS += [partial(hugging_face, one) for one in (huggingface.bleu, huggingface.google_bleu)]


@pytest.mark.parametrize("call", DOORS)
def test_other_forms_are_doubted_unless_they_are_made_one(call):
    with pytest.warns(vecbleu.InputWarning, match="normalize=.NFC"):
        call(COMPOSED, DECOMPOSED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call(COMPOSED, DECOMPOSED, normalize="NFC")


@pytest.fixture
def folder(tmp_path):
    write_lines(tmp_path, {"r": COMPOSED, "h": DECOMPOSED, "g": [*DECOMPOSED[1:], "der"]})
    return tmp_path


def test_commands_normalize_for_every_metric(folder):
    for name, best in {"BLEU": "100.0", "chrF": "100.0", "TER": "0.0"}.items():
        command = ["r", "-i", "h", "--normalize", "NFC", "-m", name.lower()]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (shown,) = lines(run(folder, *command))
            METRICS[name].file_statistics(folder / "h", folder / "r", normalize="NFC")
        assert "|unicode:NFC|" in shown
        assert shown.partition(" = ")[2].split()[0] == best
    done = run(folder, "r", "-i", "h", "-m", "ter", "--normalize", "x")
    assert "--normalize is 'x', expected one of NFC" in error(done)


@pytest.mark.filterwarnings("always:.*normal form")
def test_commands_read_the_form_from_statistics(folder):
    assert b"--normalize NFC" in run(folder, "r", "-i", "h").stderr
    for words in ("-o n.npz --normalize NFC", "-o p.npz"):
        assert run(folder, "stats", "r", "-i", "h", *words.split()).returncode == 0
    for words in ("-i n.npz", "-i n.npz --normalize NFC", "r -i n.npz --normalize NFC"):
        (shown,) = lines(run(folder, *words.split()))
        assert "|unicode:NFC|" in shown
    for words in ("-i p.npz --normalize NFC", "-i n.npz --normalize NFD", "rank -i n.npz p.npz"):
        assert "normalize" in error(run(folder, *words.split()))
    assert "normalize" in error(run(folder, "rank", "r", "-i", "n.npz", "g"))
