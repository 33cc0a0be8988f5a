"""TER: edits, lengths and scores are sacreBLEU's; what tables, files and batches do."""

from __future__ import annotations

import copy
import inspect
import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import product, zip_longest
from random import Random

import numpy as np
import pytest
import ter_oracle
from conftest import ON_BOTH_PATHS, assert_refused, blocks_of
from corpora import (
    COLUMNS,
    HYPOTHESES,
    LISTS,
    REFERENCES,
    STRING_COLUMNS,
    random_lines,
    read_lines,
    transposed,
    write_lines,
)
from fuzz.edits import draw_words, edited, shuffled, text_of
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import process_pool
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import translation_edit_rate
from strategies import IS_LONG
from test_tokenizer import EVERY_SETTING, keywords_of, tercom_text

import vecbleu
from vecbleu import ter
from vecbleu.ter import TerAccumulator, TerStatistics

pytestmark = ON_BOTH_PATHS

PARTS = 720720  # of a word
EXACT = {1, 2, 4, 8, 16}  # numbers of references whose means floats add up exactly


def assert_sacrebleus(hypotheses, references, **options):
    """Edits and mean lengths of segments, their scores, and the score of all of them."""
    metric = TER(**options)
    rows = metric._extract_corpus_statistics(hypotheses, [*zip_longest(*references)])
    stats = ter.statistics(hypotheses, references, **options)
    edits, words, parts = stats.array.T
    most = max(map(len, references))
    is_exact = {*map(len, references)} <= EXACT
    tolerance = 0 if is_exact else 1e-12 if most <= 16 else 1e-6
    assert edits.tolist() == [row[0] for row in rows]
    lengths = (words * PARTS + parts) / PARTS
    assert lengths.tolist() == pytest.approx([row[1] for row in rows], rel=tolerance, abs=0)
    expected = [metric._compute_score_from_stats(row).score / 100 for row in rows]
    scores = ter.sentence_ter(hypotheses, references, **options)
    assert scores.tolist() == pytest.approx(expected, rel=tolerance, abs=0)
    assert stats.scores().tolist() == ter.scores(stats.array).tolist() == scores.tolist()
    whole = metric._aggregate_and_compute(rows)
    score = ter.corpus_ter(hypotheses, references, **options)
    assert score.percent == pytest.approx(whole.score, rel=tolerance, abs=0)
    assert score.edits == whole.num_edits
    assert score.ref_len == pytest.approx(whole.ref_length, rel=tolerance, abs=0)
    assert float(score) == score.percent / 100
    assert stats.score() == ter.scores(stats.sum()) == score


def draw_corpus(random, vocabulary, size, most_references, longest=12):
    """Segments of numbers of words; units of a segment share blocks of words most often."""
    hypotheses, references = [], []
    for _ in range(size):
        base = draw_words(random, vocabulary, longest)
        units = [
            draw_words(random, vocabulary, longest)
            if random.random() < 0.1
            else edited(random, shuffled(random, base), vocabulary)
            for _ in range(1 + random.randint(1, most_references))
        ]
        hypotheses.append(units[0])
        references.append(units[1:])
    return hypotheses, references


@given(st.randoms(use_true_random=True), st.integers(1, 30), st.integers(1, 4))
def test_edits_are_those_of_the_oracle(random, vocabulary, most_references):
    hypotheses, references = draw_corpus(random, vocabulary, 6, most_references)
    stats = ter.statistics(
        [*map(text_of, hypotheses)], [[*map(text_of, several)] for several in references]
    )
    for row, hypothesis, several in zip(stats.array, hypotheses, references, strict=True):
        edits, words, parts = row.tolist()
        assert edits == min(ter_oracle.edits(hypothesis, one) for one in several)
        length = Fraction(sum(map(len, several)), len(several))
        assert words + Fraction(parts, PARTS) == length


@EVERY_SETTING
@settings(max_examples=400 if IS_LONG else 8)
@given(
    st.lists(tercom_text, min_size=1, max_size=9),
    st.randoms(use_true_random=True),
    st.sampled_from([1, 2, 4]),
)
def test_ugly_text_scores_as_by_sacrebleu(options, pieces, random, most_references):
    longest = random.choice([2, 4, 6])
    corpus = draw_corpus(random, len(pieces), 4, most_references, longest)
    separator = random.choice([" ", " ", "\t", "\n", ""])
    hypotheses, lists = corpus

    def spelled(words):
        return separator.join(pieces[word] for word in words)

    references = [[spelled(words) for words in several] for several in lists]
    assert_sacrebleus([*map(spelled, hypotheses)], references, **keywords_of(options))


@pytest.mark.parametrize("numbers", [[1], [2], [4], [8], [3], [5, 1], [16, 7, 3], [17], [50, 1]])
def test_any_number_of_references_scores_as_by_sacrebleu(numbers):
    random = Random(f"{numbers}")
    hypotheses, references = [], []
    for number in numbers * (1 + 12 // len(numbers)):
        (hypothesis, *_), (several, *_) = draw_corpus(random, 5, 1, 1)
        several += [draw_words(random, 5, 9) for _ in range(number - 1)]
        hypotheses.append(text_of(hypothesis))
        references.append([*map(text_of, several)])
    assert_sacrebleus(hypotheses, references)
    # The mean is rounded to the nearest part of a word.
    _, words, parts = ter.statistics(hypotheses, references).array.T.tolist()
    for whole, rest, several in zip(words, parts, references, strict=True):
        length = Fraction(sum(len(text.split()) for text in several), len(several))
        assert abs(whole + Fraction(rest, PARTS) - length) <= Fraction(1, 2 * PARTS)


def rotated(size, by):
    return [*range(by, size), *range(by)], range(size)


def sparse(size, by):
    """Words of which every third one is `by` places before its place in a range."""
    return [word + by if word % 3 == 0 else 1000 + word for word in range(size)]


def at_random(random, vocabulary, *sizes):
    return [random.choices(range(vocabulary), k=size) for size in sizes]


# Pairs of words, in which a limit of sacreBLEU or of the arrays is reached.
LIMITS = {
    "empty": [([], []), ([], [1]), ([1], []), ([], range(70)), (range(70), [])],
    "one word": [([0] * n, [0] * m) for n, m in product([1, 2, 9, 25, 63, 64, 65], repeat=2)],
    "one word and another": [
        ([0] * k + [1] + [0] * (9 - k), [0] * j + [1] + [0] * (7 - j))
        for k, j in product(range(10), range(8))
    ],
    "blocks": [rotated(size, by) for size, by in product([12, 21, 22, 30], [1, 5, 9, 10, 11])],
    "far blocks": [
        ([*range(1, size), 0, 999], [0, *range(100, 99 + size), 0]) for size in (25, 49, 50, 51, 52)
    ],
    "64 words": [
        *((range(n), [*range(1, m), 0]) for n, m in product([63, 64], [63, 64, 65])),
        *(([*range(0, 2 * n, 2), 1], range(2 * n)) for n in (31, 32, 33, 64, 96)),
    ],
    "beam": [
        rotated(56, 24),
        *((sparse(n, by), range(m)) for n, m in [(80, 80), (60, 97)] for by in range(22, 29)),
        *((range(40), [*range(100, 100 + size), *range(40)]) for size in (23, 24, 25, 26, 30)),
        *(
            ([*range(35), *range(200, 200 + left)], [*range(100, 100 + right), *range(35)])
            for left, right in [*((k, 23 + k) for k in range(5)), *product((24, 25), (23, 24))]
        ),
    ],
    "long references": [
        ([7] * n + [m - 1], [*range(m)])
        for n, m in product(range(3), [49, 50, 51, 99, 100, 101, 102, 149, 150, 151, 152, 153, 300])
    ],
    "far shifts": [
        case
        for words in (list(range(1, far)) for far in range(48, 54))
        for case in (([*words, 0], [0, *words]), ([0, *words], [*words, 0]))
    ],
    "a block to its own place": [("afcfgbd", "cgagbbe")],
    "1,000 shifts": [
        # In the first round fewer, in all rounds more.
        ("10020221200010101220200120202120", "01222220220120202020222210000010"),
        ("20200122101220210201000222111110", "00121111210200001100120211101022"),
        *(
            at_random(Random(seed), vocabulary, size, size)
            for seed, vocabulary, size in product(range(3), [2, 3], [16, 19, 22])
        ),
    ],
}


@cache
def sacrebleus_edits(name):
    return [translation_edit_rate([*hyp], [*reference])[0] for hyp, reference in LIMITS[name]]


@pytest.mark.parametrize("name", LIMITS)
def test_edits_at_limits_are_sacrebleus(name):
    """Of many pairs at once, and of each alone."""
    sides = [[*map(text_of, side)] for side in zip(*LIMITS[name], strict=True)]
    expected = sacrebleus_edits(name)
    assert ter.statistics(*sides).array[:, 0].tolist() == expected
    alone = [ter.statistics([one], [other]).array[0, 0] for one, other in zip(*sides, strict=True)]
    assert alone == expected
    with blocks_of(200):
        assert ter.statistics(*sides).array[:, 0].tolist() == expected


@EVERY_SETTING
@pytest.mark.parametrize(
    "given", [(["a"], [["b"]]), (["a"], [["b", "c d"]]), (["a"] * 2, [["b"], ["b", "c d"]])]
)
def test_signatures_and_shown_scores_are_sacrebleus(options, given):
    hypotheses, references = given
    metric = TER(**keywords_of(options))
    theirs = metric.corpus_score(hypotheses, [*zip_longest(*references)])
    ours = ter.corpus_ter(hypotheses, references, **keywords_of(options))
    text = metric.get_signature().format()
    assert ours.signature.format(version=False) == text[: text.index("|version")]
    assert ours.name == theirs.name
    assert f"TER = {theirs.score:.2f}" in str(ours.table())
    assert repr(ours) == f"TER = {theirs.score / 100:.4f}"
    shown = ours.table().to_dict()
    assert (shown["edits"], shown["ref_len"]) == ([theirs.num_edits], [theirs.ref_length])
    assert ours.to_dict() == {
        "score": theirs.score / 100,
        "percent": theirs.score,
        "edits": theirs.num_edits,
        "ref_len": theirs.ref_length,
        "signature": str(ours.signature),
    }
    assert ter.statistics(*given, **vars(options)).signature == ours.signature


def test_a_worked_example():
    """A block moves, a word is replaced, a word is missing, and the mean of lengths counts."""
    hypotheses = ["on the mat the cat sat", "a dog barked", "x"]
    references = [["the cat sat on the mat"], ["the dog barked", "a dog barked loudly now"], [""]]
    stats = ter.statistics(hypotheses, references)
    assert stats.array.tolist() == [[1, 6, 0], [1, 4, 0], [1, 0, 0]]
    assert stats.scores().tolist() == pytest.approx([1 / 6, 0.25, 1], rel=1e-15)
    assert stats.score() == pytest.approx(3 / 10, rel=1e-15)
    assert (stats.score().edits, stats.score().ref_len) == (3, 10)
    thirds = ter.statistics(["a"], [["a", "a b", "a b"]])
    assert thirds.array.tolist() == [[0, 1, PARTS * 2 // 3]]
    assert sum([thirds.sum()] * 3).score().ref_len == 5


def test_every_way_of_counting_gives_the_same_bits(tmp_path):
    lines = [[line.replace("\n", " ") for line in side] * 20 for side in (HYPOTHESES, REFERENCES)]
    lines.append(random_lines(3, len(lines[0])))
    hypotheses, references = lines[0], transposed(lines[1:])
    options = {"normalized": True, "case_sensitive": True}
    expected = ter.statistics(hypotheses, references, **options)
    paths = [write_lines(tmp_path / str(number), side) for number, side in enumerate(lines)]
    with blocks_of(1000), ThreadPoolExecutor(2) as threads:
        for workers in (1, 2, threads):
            run = options | {"workers": workers}
            assert ter.statistics(hypotheses, references, **run) == expected
            assert ter.file_statistics(paths[0], paths[1:], **run) == expected
            assert ter.corpus_ter(hypotheses, references, **run) == expected.score()
            scores = ter.sentence_ter(hypotheses, references, **run)
            assert scores.tolist() == expected.scores().tolist()
    parts = [
        ter.statistics([h], [r], **options) for h, r in zip(hypotheses, references, strict=True)
    ]
    assert TerStatistics.concatenate(parts) == expected
    assert np.array_equal(sum(part[0] for part in parts).array, expected.array.sum(axis=0))
    assert (expected[:7] + expected[7:14]).sum() == sum(expected[:14])
    assert TerStatistics.concatenate([expected[:150], expected[150:]]) == expected
    chosen = np.arange(len(expected)) % 3 == 1
    assert expected[chosen].score() == ter.corpus_ter(hypotheses[1::3], references[1::3], **options)
    expected.save(tmp_path / "ter.npz")
    for same in (TerStatistics.load(tmp_path / "ter.npz"), pickle.loads(pickle.dumps(expected))):
        assert same == expected
        assert same.signature == expected.signature
    with pytest.raises(ValueError, match="counts of TER, not of BLEU"):
        vecbleu.Statistics.load(tmp_path / "ter.npz")


@pytest.mark.slow
def test_other_executors_give_the_same_bits():
    hypotheses, references = random_lines(1, 400), random_lines(2, 400)
    expected = ter.statistics(hypotheses, references)
    with blocks_of(4000), process_pool() as workers:
        assert ter.statistics(hypotheses, references, workers=workers) == expected


@pytest.mark.slow
def test_files_of_any_size_take_the_same_memory(tmp_path):
    sides = [text_of(range(16)), text_of([*range(4, 9), *range(4), *range(9, 16)])]

    def peak(lines):
        """Bytes that are allocated at once, NumPy's arrays among them."""
        paths = [
            write_lines(tmp_path / f"{lines}.{number}", [side] * lines)
            for number, side in enumerate(sides)
        ]
        tracemalloc.start()
        assert ter.file_statistics(*paths, workers=1).score().edits == lines
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1000)  # what is imported, or kept, at the first call
    assert peak(40_000) < 1.5 * peak(10_000)


def test_nothing_scores_zero():
    for empty in ([], ()):
        assert ter.statistics(empty, empty).array.shape == (0, 3)
        assert ter.sentence_ter(empty, empty).shape == (0,)
        score = ter.corpus_ter(empty, empty)
        assert (score, score.edits, score.ref_len) == (0, 0, 0)
    assert ter.corpus_ter(["", " \n"], ["", [" ", "\u3000"]]) == 0
    assert ter.corpus_ter(["a b", ""], ["", ""]) == 1
    assert ter.scores([[[0, 0, 0], [5, 0, 0], [6, 3, 0]]]).tolist() == [[0, 1, 2]]


@pytest.mark.parametrize("name", STRING_COLUMNS)
def test_columns_count_as_lists(name):
    column = STRING_COLUMNS[name]
    expected = ter.statistics(HYPOTHESES, REFERENCES)
    assert ter.statistics(iter(HYPOTHESES), iter(REFERENCES)) == expected
    for sides in product((HYPOTHESES, column(HYPOTHESES)), (REFERENCES, column(REFERENCES))):
        assert ter.statistics(*sides) == expected
    if name in COLUMNS:
        expected = ter.statistics(HYPOTHESES, LISTS)
        assert ter.statistics(column(HYPOTHESES), column(LISTS)) == expected


def state_of(accumulator):
    return accumulator.state.tolist()


def test_accumulators_add_up_batches():
    whole, one, other = (TerAccumulator(case_sensitive=True) for _ in range(3))
    whole.update(HYPOTHESES, LISTS)
    one.update(HYPOTHESES[:4], LISTS[:4])
    other.update(HYPOTHESES[4:], LISTS[4:])
    expected = ter.statistics(HYPOTHESES, LISTS, case_sensitive=True)
    assert state_of(whole) == [len(HYPOTHESES), *expected.sum().array.tolist()]
    reduced = copy.deepcopy(whole)
    reduced.reset()
    assert (len(reduced), reduced.compute()) == (0, 0)
    reduced.state = one.state + other.state
    one.merge(pickle.loads(pickle.dumps(other)))
    for accumulator in (one, reduced):
        assert state_of(accumulator) == state_of(whole)
        assert accumulator.compute() == expected.score()
    assert repr(one) == f"TerAccumulator(segments={len(HYPOTHESES)})"
    before = state_of(one)
    for call in (
        lambda: one.merge(TerAccumulator()),
        lambda: one.merge(TerAccumulator(case_sensitive=True, no_punct=True)),
        lambda: one.merge(vecbleu.chrf.ChrfAccumulator()),
        lambda: one.update(["a", "b"], ["a"]),
        lambda: one.update([["a"]], [["a"]]),
        lambda: setattr(one, "state", [1, 2, -1, 0]),
        lambda: setattr(one, "state", [1, 2]),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
        assert state_of(one) == before


def test_sums_that_are_too_large_are_refused():
    half = TerStatistics([2**62, 0, 0])
    with pytest.raises(OverflowError):
        half + half
    with pytest.raises(OverflowError):
        TerStatistics([[0, 2**62, 0]] * 2).sum()
    accumulator = TerAccumulator()
    accumulator.state = [1, 0, 2**62, 0]
    with pytest.raises(OverflowError):
        accumulator.merge(accumulator)
    large = TerStatistics([2**61, 2**61, 0])
    assert large.score() == ter.scores(large) == 1


WRONG = [
    (TypeError, "hypotheses", {"hypotheses": [["a"]], "references": ["a"]}),
    (TypeError, "TER takes text", {"hypotheses": [["a"]], "references": [[["a"]]]}),
    (TypeError, "TER takes text", {"hypotheses": np.ones((2, 3), int)}),
    (TypeError, "references is SharedReferences", {"references": vecbleu.SharedReferences(["a"])}),
    (TypeError, "hypotheses is str 'a'", {"hypotheses": "a"}),
    (TypeError, "hypotheses[1]", {"hypotheses": ["a", None]}),
    (TypeError, "references[1]", {"hypotheses": ["a"] * 2, "references": ["a", None]}),
    (TypeError, "references[0][1]", {"references": [["a", None]]}),
    (TypeError, "references[0]", {"references": [b"a"]}),
    (TypeError, "references[1][1]", {"hypotheses": ["a"] * 2, "references": ["a", ["b", 3]]}),
    (ValueError, "hypotheses has 1 segments but references has 2", {"references": ["a", "b"]}),
    (ValueError, "references[0]", {"references": [[]]}),
    (TypeError, "normalized is 'yes', expected True or False", {"normalized": "yes"}),
    (TypeError, "no_punct is None", {"no_punct": None}),
    (TypeError, "asian_support is 2", {"asian_support": 2}),
    (TypeError, "case_sensitive is 'no'", {"case_sensitive": "no"}),
    (ValueError, "workers is 0", {"workers": 0}),
    (TypeError, "unexpected keyword argument 'tokenize'", {"tokenize": "13a"}),
    (TypeError, "array has counts of BLEU", vecbleu.statistics(["a"], ["a"])),
    (ValueError, "array has 2 columns", [[0, 1]]),
    (ValueError, "array[0][0] is -1", [[-1, 1, 0]]),
    (ValueError, "array[0][1] is 0.5", [[1, 0.5, 0]]),
]


@pytest.mark.parametrize(("error", "named", "given"), WRONG)
def test_errors_name_what_is_wrong(error, named, given):
    """In arguments of every call, and in counts that no text has."""
    if not isinstance(given, dict):
        assert_refused(error, named, TerStatistics, given)
        return
    sides = dict.fromkeys(("hypotheses", "references"), given.get("hypotheses", ["a"]))
    for call in (ter.statistics, ter.corpus_ter, ter.sentence_ter):
        assert_refused(error, named, call, **sides | given)


def test_wrong_counts_of_scores_are_refused():
    columns = "statistics has {} columns".format
    for counts, named in (
        ([[1, 1]], columns(2)),
        ([[-1, 1, 1]], r"statistics\[0\]\[0\] is -1"),
        (3, columns(0)),
    ):
        with pytest.raises(ValueError, match=named):
            ter.scores(counts)
    with pytest.raises(TypeError, match="counts of BLEU"):
        ter.scores(vecbleu.statistics(["a"], ["a"]))
    with pytest.raises(TypeError, match="counts of TER"):
        vecbleu.chrf.scores(ter.statistics(["a"], ["a"]))


# Changes of text that only one option sees or does not see.
SEEN = {
    "normalized": ("the cat.", "the cat ."),
    "no_punct": ("the cat.", "the cat"),
    "asian_support": ("the 中文 cat", "the 中国 cat"),
    "case_sensitive": ("the cat", "The cat"),
    "normalize": ("der Käse", "der Ka\u0308se"),
}
BESIDE = {"asian_support": {"normalized": True}}


@pytest.mark.parametrize("option", SEEN)
def test_options_do_the_same_in_every_way(option):
    """For one segment, for many, and in batches."""
    one, other = SEEN[option]
    sides = [[f"{text} {n}" for n in range(90)] for text in (one, other)]
    beside = BESIDE.get(option, {})
    given = beside | {option: "NFC" if option == "normalize" else True}
    scores = ter.sentence_ter(*sides, **given).tolist()
    assert scores != ter.sentence_ter(*sides, **beside).tolist()
    pairs = list(zip(*sides, strict=True))
    assert scores == [ter.sentence_ter([h], [r], **given)[0] for h, r in pairs]
    batches = TerAccumulator(**given)
    for hypothesis, reference in pairs:
        batches.update([hypothesis], [reference])
    assert batches.compute() == ter.corpus_ter(*sides, **given)
    assert batches.compute().signature == ter.statistics(*sides, **given).signature
    assert str(batches.compute().signature) != str(ter.corpus_ter(*sides, **beside).signature)


def test_every_option_is_here():
    options = {*inspect.signature(ter.corpus_ter).parameters}
    assert options - {"hypotheses", "references", "workers", "progress"} == {*SEEN}


# Drawn over the systems in turn.
OPTIONS_OF_SYSTEMS = [
    {},
    {"normalized": True, "asian_support": True},
    {"no_punct": True, "case_sensitive": True},
]


@pytest.mark.parametrize(
    ("step", "longest"), [(500, 200), pytest.param(200, 400, marks=pytest.mark.slow)]
)
def test_systems_of_wmt23_score_as_by_sacrebleu(wmt23, step, longest):
    """Of every system, some segments whose references have at most so many characters."""
    paths = sorted((wmt23 / "system-outputs").iterdir())
    assert len(paths) == 83
    for number, path in enumerate(paths):
        pair = path.name.split(".")[1]
        streams = sorted((wmt23 / "references").glob(f"*.{pair}.ref.*{path.suffix}"))
        segments = transposed(map(read_lines, [path, *streams]))
        chosen = [one for one in segments if len(one[1]) <= longest][number % step :: step]
        hypotheses = [hypothesis for hypothesis, *_ in chosen]
        references = [several for _, *several in chosen]
        assert_sacrebleus(hypotheses, references, **OPTIONS_OF_SYSTEMS[number % 3])
