"""chrF: integers and scores are sacreBLEU's to the last bit; what tables, files and batches do."""

from __future__ import annotations

import inspect
import json
import pickle
from itertools import zip_longest
from pathlib import Path
from random import Random

import numpy as np
import pytest
import sacrebleu
from conftest import ON_BOTH_PATHS, assert_refused, blocks_of
from corpora import (
    COLUMNS,
    HYPOTHESES,
    LISTS,
    REFERENCES,
    noisy_systems,
    read_lines,
    read_table,
    transposed,
    write_lines,
)
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from sacrebleu.significance import PairedTest
from strategies import text_corpora

import vecbleu
import vecbleu.huggingface
import vecbleu.sacrebleu as layer
from vecbleu import analysis, chrf
from vecbleu.significance import paired_bootstrap, rank

pytestmark = ON_BOTH_PATHS

DATA = Path(__file__).parent.parent / "data"


def assert_sacrebleus(hypotheses, references, **options):
    """Statistics and scores of the segments, and the score of all of them."""
    metric = CHRF(**options)
    rows = [
        metric._extract_corpus_statistics([hypothesis], [[one] for one in several])[0]
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]
    scores = [metric._compute_f_score(row) for row in rows]
    stats = chrf.statistics(hypotheses, references, **options)
    assert stats.array.tolist() == rows
    assert stats.percents(stats.array).tolist() == scores
    sentences = chrf.sentence_chrf(hypotheses, references, **options)
    assert sentences.tolist() == [score / 100 for score in scores]
    total = metric._compute_f_score([*map(sum, zip(*rows, strict=True))])
    assert chrf.corpus_chrf(hypotheses, references, **options).percent == total


OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.sampled_from([6, 6, 1, 2, 5, 7, 12, 40]),
        "word_order": st.sampled_from([0, 2, 1, 4]),
        "beta": st.sampled_from([2, 2, 1, 3, 0, 0.5]),
        **dict.fromkeys(["lowercase", "whitespace", "eps_smoothing"], st.booleans()),
    }
)


@given(text_corpora, OPTIONS)
@example([("The Cat", ["the cat"])], {"word_order": 2, "lowercase": True, "beta": 2})
def test_scores_are_sacrebleus(corpus, options):
    hypotheses, references = zip(*corpus, strict=True)
    assert_sacrebleus(hypotheses, references, **options)
    metric, ours = CHRF(**options), chrf.corpus_chrf(hypotheses, references, **options)
    theirs = metric.corpus_score(hypotheses, [*zip_longest(*references)])
    assert (ours.name, float(ours)) == (theirs.name, theirs.score / 100)
    beta = "" if options["beta"] == 2 else f"|beta:{options['beta']}"
    assert ours.signature.format(version=False) == signatures(metric)[0] + beta
    counts = metric._extract_corpus_statistics(hypotheses, [*zip_longest(*references)])
    totals = [sum(column) for column in zip(*counts, strict=True)]
    columns = dict(
        zip(("hypotheses", "references", "matches"), (totals[k::3] for k in range(3)), strict=True)
    )
    kinds = ("char", metric.char_order), ("word", metric.word_order)
    orders = [f"{kind} {n}" for kind, most in kinds for n in range(1, most + 1)]
    assert ours.table().to_dict() == {"order": orders} | columns
    assert f"{theirs.name} = {theirs.score:.2f}" in str(ours.table())
    assert repr(ours) == f"{theirs.name} = {float(ours):.4f}"


def signatures(metric):
    """Both forms of the signature, without versions."""
    texts = (metric.get_signature().format(short) for short in (False, True))
    return [text[: text.index("|v")] for text in texts]


@given(text_corpora, OPTIONS, st.booleans())
def test_layers_have_sacrebleus_numbers(corpus, options, cached):
    hypotheses, lists = zip(*corpus, strict=True)
    streams = [*zip_longest(*lists)]  # None where a segment has fewer references
    cache, given = (streams, None) if cached else (None, streams)
    ours, theirs = (module.CHRF(**options, references=cache) for module in (layer, sacrebleu))
    score, expected = (metric.corpus_score(hypotheses, given) for metric in (ours, theirs))
    assert {name: getattr(score, name) for name in vars(expected)} == vars(expected)
    beta = options["beta"]
    fields = [""] * 2 if beta == 2 else [f"|beta:{beta}", f"|b:{beta}"]
    assert signatures(ours) == [*map("".join, zip(signatures(theirs), fields, strict=True))]
    for shown in ({}, {"width": 7, "score_only": True}, {"is_json": True}):
        assert score.format(**shown, signature="nc:6") == expected.format(**shown, signature="nc:6")
    rows = theirs._extract_corpus_statistics(hypotheses, given)
    assert ours._extract_corpus_statistics(hypotheses, given) == rows
    summed = (metric._aggregate_and_compute(rows) for metric in (ours, theirs))
    assert {*map(str, summed)} == {str(expected)}
    sentences = [theirs.sentence_score(hyp, refs).score for hyp, refs in corpus]
    assert ours.sentence_scores(hypotheses, given).tolist() == sentences
    assert [ours.sentence_score(hyp, [*refs, None]).score for hyp, refs in corpus] == sentences
    keys = {name: options[name] for name in ("char_order", "word_order", "beta")}
    published = {"score": expected.score, **keys}
    found = vecbleu.huggingface.chrf(predictions=hypotheses, references=lists, **options)
    assert (found, [*found]) == (published, [*published])
    options["remove_whitespace"] = not options.pop("whitespace")
    if not options.pop("lowercase"):
        called = layer.corpus_chrf(hypotheses, streams, **options)
        assert str(called) == str(expected)
        called = layer.sentence_chrf(*corpus[0], **options)
        assert called.score == sentences[0]


@pytest.mark.parametrize("size", [30, 77])
@pytest.mark.parametrize("options", [{}, {"word_order": 2, "beta": 3, "eps_smoothing": True}])
def test_resampled_scores_are_sacrebleus(size, options, monkeypatch):
    references, outputs = noisy_systems(size, [0.3, 0.35, 0.5])
    systems = [*zip("abc", outputs, strict=True)]
    for seed, draws in (("12345", 250), ("7", 2)):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        printed, results = [], []
        for module in (layer, sacrebleu):
            metric = module.CHRF(**options)
            score = metric.corpus_score(outputs[0], [references], n_bootstrap=draws)
            printed.append((score._mean, score._ci, score.format(7), signatures(metric)[0][:30]))
            for test in ("ar", "bs"):
                tested = PairedTest(systems, {"chrF": metric}, [references], test, 199, 50)()
                _, found = tested[1].values()
                results.append([vars(result) for result in found])
        assert printed[0] == printed[1]
        assert results[:2] == results[2:]


@pytest.mark.parametrize("order", [{}, {"char_order": 12}, {"char_order": 3, "word_order": 2}])
def test_runs_of_a_character_score_as_by_sacrebleu(order):
    sizes = 1, 63, 64, 65, 127, 128, 129, 255, 257
    units = [piece * (size // len(piece)) for piece in ("a", "ab ", "中") for size in sizes]
    if not order:
        units += ["中" * 70_000]  # more than 16 bits count
    pairs = [*zip(units, units[1:] + units[:1], strict=True)]
    hypotheses, references = zip(*pairs, strict=True)
    assert_sacrebleus(hypotheses, [[one] for one in references], **order)
    assert_sacrebleus(hypotheses[-9:], [[one, hyp[1:]] for hyp, one in pairs[-9:]], **order)


# Characters whose ids fit as they are, or if rows are numbered anew, or do not fit.
ALPHABETS = {"ugly": [*map(ord, "ab é.中\ud800A")], "ASCII": [*range(0x80)] * 9}
ALPHABETS["ASCII and others"] = [*ALPHABETS["ASCII"], *range(0x100, 0x1A0)]
ALPHABETS |= {f"{size}": range(0x4E00, 0x4E00 + size) for size in (200, 3000, 70_000)}


@pytest.mark.parametrize("kind", ALPHABETS)
def test_text_of_any_alphabet_scores_as_by_sacrebleu(kind):
    random = Random(kind)

    def draw(size):
        return "".join(map(chr, random.choices(ALPHABETS[kind], k=size)))

    units = [draw(2500) for _ in range(3)]
    mixed = [units[0][:900] + units[1][:900] + units[0][:700], "a中", units[2][:99] + units[1]]
    assert_sacrebleus(units, [[one] for one in mixed])
    assert_sacrebleus([units[0][:60]] * 30, [[units[0][k : k + 50]] for k in range(30)])
    short = [draw(random.randrange(9)) for _ in range(1000)], [[draw(8)] for _ in range(1000)]
    assert_sacrebleus(*short, word_order=2, char_order=3)
    few = [side[:200] for side in short]
    alone = [chrf.statistics([hyp], [refs]).array[0] for hyp, refs in zip(*few, strict=True)]
    assert chrf.statistics(*short).array[:200].tolist() == [row.tolist() for row in alone]


@pytest.mark.parametrize("size", range(124, 130))
def test_letters_beyond_ascii_are_no_others_however_many_there_are(size):
    """They are numbered beside ASCII, whose space has an id of its own."""
    letters = "".join(map(chr, range(0x100, 0x100 + size)))
    ascii_text = "".join(map(chr, range(32, 127))) * 9  # most of the text
    hypotheses = [ascii_text + letters] + [f"a{letter}b" for letter in letters]
    references = [[f"{letters[::-1]} {ascii_text}"]] + [["a b"]] * size
    assert_sacrebleus(hypotheses, references, whitespace=True)


GOLDEN = read_table(DATA / "golden-chrf.tsv")


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: " ".join([*row.values()][:3]))
def test_golden_scores_are_reproduced(row):
    paths = [DATA / name for name in row["references"].split(",")]
    rows = chrf.file_statistics(DATA / row["hypothesis"], paths, **json.loads(row["options"]))
    assert rows.sum().array.tolist() == json.loads(row["counts"])
    assert repr(rows.score().percent) == row["score"]


# Drawn over the systems in turn.
OPTIONS_OF_SYSTEMS = [
    {},
    {"word_order": 2, "lowercase": True, "eps_smoothing": True},
    {"char_order": 9, "word_order": 1, "whitespace": True, "beta": 0.5},
]


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])
def test_systems_of_wmt23_score_as_by_sacrebleu(wmt23, step):
    """Every system, or one of eleven: one of twenty segments is scored as by sacreBLEU."""
    paths = sorted((wmt23 / "system-outputs").iterdir())
    assert len(paths) == 83
    for number, path in [*enumerate(paths)][::step]:
        pair, sampled = path.name.split(".")[1], slice(number % 20, None, 20)
        streams = sorted((wmt23 / "references").glob(f"*.{pair}.ref.*{path.suffix}"))
        segments = transposed(map(read_lines, streams))[sampled]
        assert_sacrebleus(read_lines(path)[sampled], segments, **OPTIONS_OF_SYSTEMS[number % 3])


def test_every_way_of_counting_gives_the_same_bits(tmp_path):
    lines = [[line.replace("\n", " ") for line in side] * 20 for side in (HYPOTHESES, REFERENCES)]
    expected = chrf.statistics(*lines, word_order=2)
    paths = [write_lines(tmp_path / str(number), side) for number, side in enumerate(lines)]
    with blocks_of(1000):
        for workers in (1, 2):
            run = {"word_order": 2, "workers": workers}
            assert chrf.statistics(*lines, **run) == expected
            assert chrf.file_statistics(*paths, **run) == expected
            assert chrf.corpus_chrf(*lines, **run) == expected.score()
    nothing = chrf.statistics([], [])
    assert (nothing.array.shape, nothing.score()) == ((0, 18), 0)
    assert (expected[:7] + expected[7:14]).sum() == sum(expected[:14])
    assert chrf.ChrfStatistics.concatenate([expected[:150], expected[150:]]) == expected
    expected.save(tmp_path / "chrf.npz")
    assert chrf.ChrfStatistics.load(tmp_path / "chrf.npz") == expected
    assert pickle.loads(pickle.dumps(expected)) == expected
    with pytest.raises(ValueError, match="counts of chrF, not of BLEU"):
        vecbleu.Statistics.load(tmp_path / "chrf.npz")


@pytest.mark.parametrize("options", [{}, {"beta": 0.5}, {"eps_smoothing": True}, {"beta": 3.0}])
def test_counts_are_scored_with_any_options(options):
    """With one reference, no option of scoring changes what is counted."""
    stats = chrf.statistics(HYPOTHESES, REFERENCES, word_order=2)
    expected = chrf.sentence_chrf(HYPOTHESES, REFERENCES, word_order=2, **options)
    for counts in (stats, stats.array, stats.array.astype(float)):
        assert chrf.scores(counts, **options).tolist() == expected.tolist()
    assert chrf.scores(stats.sum(), **options) == chrf.corpus_chrf(
        HYPOTHESES, REFERENCES, word_order=2, **options
    )
    own = chrf.statistics(HYPOTHESES, REFERENCES, **options)
    assert chrf.scores(own).tolist() == own.scores().tolist()


@pytest.mark.parametrize("options", [{"eps_smoothing": False}, {"beta": 0}])
def test_options_of_scores_replace_those_of_counting(options):
    counted = {"beta": 0.5, "eps_smoothing": True}
    stats = chrf.statistics(HYPOTHESES, REFERENCES, **counted)
    expected = chrf.sentence_chrf(HYPOTHESES, REFERENCES, **counted | options)
    assert expected.tolist() != stats.scores().tolist()
    assert chrf.scores(stats, **options).tolist() == expected.tolist()


def test_wrong_counts_and_options_of_scores_are_refused():
    for counts, message in ([[1, 1]], "2 columns"), ([[2, 2, 3]], "matches"), (3, "0 columns"):
        with pytest.raises(ValueError, match=message):
            chrf.scores(counts)
    with pytest.raises(TypeError, match=r"^beta is"):
        chrf.scores([[2, 2, 1]], beta="2")
    with pytest.raises(TypeError, match="counts of BLEU"):
        chrf.scores(vecbleu.statistics(["a"], ["a"]))
    with pytest.raises(TypeError, match="counts of chrF"):
        vecbleu.bleu.scores(chrf.statistics(["a"], ["a"]))


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_count_as_lists(name):
    column, expected = COLUMNS[name], chrf.statistics(HYPOTHESES, LISTS)
    assert chrf.statistics(column(HYPOTHESES), column(LISTS)) == expected


SYSTEMS = {"a": HYPOTHESES, "b": REFERENCES, "c": ["x"] * len(REFERENCES)}
TABLES = {name: chrf.statistics(system, REFERENCES) for name, system in SYSTEMS.items()}


def test_statistics_can_be_analyzed():
    """Groups are scored as corpora, segments as sentences, and names say which metric it is."""
    buckets = analysis.score_buckets(TABLES, ["x", "y", "x"] * 5)
    groups = np.arange(15) % 3 != 1, np.arange(15) % 3 == 1
    scores = [[float(table[group].score()) for group in groups] for table in TABLES.values()]
    assert buckets.scores == pytest.approx(np.array(scores), rel=1e-15)
    assert buckets.metric == "chrF2"
    with pytest.raises(ValueError, match="pass labels"):
        analysis.score_buckets(TABLES)
    found = analysis.segment_differences(TABLES)
    sentences = [chrf.sentence_chrf(system, REFERENCES) for system in SYSTEMS.values()]
    assert np.array_equal(found.scores, sentences)
    assert str(found).startswith("Sentence chrF compared")


def test_statistics_can_be_tested():
    ranking = rank(TABLES)
    assert ranking.scores.tolist() == [float(table.score()) for table in TABLES.values()]
    assert ranking.order.tolist()[0] == 1
    assert paired_bootstrap(TABLES).p_values[2] < 0.05
    with pytest.raises(TypeError, match="holds chrF"):
        rank([TABLES["a"], vecbleu.statistics(HYPOTHESES, REFERENCES)])
    with pytest.raises(ValueError, match="beta"):
        rank([TABLES["a"], chrf.statistics(HYPOTHESES, REFERENCES, beta=1)])
    with pytest.raises(ValueError, match="other has beta"):
        chrf.ChrfAccumulator().merge(chrf.ChrfAccumulator(beta=1))


WRONG = [
    (TypeError, "pass strings on both sides", {"hypotheses": [["a"]], "references": ["a"]}),
    (TypeError, "chrF takes text", {"hypotheses": np.ones((2, 3), int)}),
    (TypeError, "references is SharedReferences", {"references": vecbleu.SharedReferences(["a"])}),
    (ValueError, "char_order is 0, expected 1 to 100", {"char_order": 0}),
    (ValueError, "word_order is 101, expected 0 to 100", {"word_order": 101}),
    (ValueError, "beta is -1.0", {"beta": -1}),
    (TypeError, "beta is '2', expected a number", {"beta": "2"}),
    (TypeError, "lowercase is 'yes', expected True or False", {"lowercase": "yes"}),
    (TypeError, "whitespace is 'no'", {"whitespace": "no"}),
    (TypeError, "eps_smoothing is None", {"eps_smoothing": None}),
    (TypeError, "unexpected keyword argument 'tokenize'", {"tokenize": "13a"}),
    (TypeError, "array has counts of BLEU", vecbleu.statistics(["a"], ["a"])),
    (ValueError, "array has 17 columns but the signature asks for 18", [[0] * 17]),
    (ValueError, "array[0][0] is -1", [[-1, *[0] * 17]]),
    (ValueError, "matches[0][1] is 3, which is more than ", [[2, 2, 2, 3, 2, 3, *[0] * 12]]),
    (ValueError, "matches[0][0] is 2, which is more than ", [[1, 3, 2, *[0] * 15]]),
    (ValueError, "matches[0][0] is 2, which is more than ", [[3, 1, 2, *[0] * 15]]),
    (ValueError, "hyp_totals[0] is 1, but the reference has no n-gram", [1, *[0] * 17]),
]


@pytest.mark.parametrize(("error", "named", "given"), WRONG)
def test_errors_name_what_is_wrong(error, named, given):
    """In arguments of calls, and in counts that no text has."""
    if isinstance(given, dict):
        sides = dict.fromkeys(("hypotheses", "references"), given.get("hypotheses", ["a"]))
        assert_refused(error, named, chrf.statistics, **sides | given)
    else:
        assert_refused(error, named, chrf.ChrfStatistics, given)


# A value of each option that is not its default.
OTHER = {"char_order": 3, "word_order": 2, "beta": 0.5}
OTHER |= dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), True)
OTHER["normalize"] = "NFD"


@pytest.mark.parametrize("option", inspect.signature(chrf.corpus_chrf).parameters)
def test_options_do_the_same_in_every_way(option):
    """For one segment, for many, and in batches."""
    if option in ("hypotheses", "references", "workers", "progress"):
        return
    ends = (HYPOTHESES, "a, b. é -"), (REFERENCES, "A, b. e\u0301 -")
    sides = [[f"{line} {end}" for line in side] * 9 for side, end in ends]
    given = {option: OTHER[option]}
    scores = chrf.sentence_chrf(*sides, **given).tolist()
    assert scores != chrf.sentence_chrf(*sides).tolist()
    pairs = list(zip(*sides, strict=True))
    assert scores == [chrf.sentence_chrf([h], [r], **given)[0] for h, r in pairs]
    batches = chrf.ChrfAccumulator(**given)
    for hypothesis, reference in pairs:
        batches.update([hypothesis], [reference])
    assert batches.compute() == chrf.corpus_chrf(*sides, **given)
    assert batches.compute().signature == chrf.statistics(*sides, **given).signature
    assert str(batches.compute().signature) != str(chrf.corpus_chrf(*sides).signature)


@pytest.mark.parametrize("letter", ["\x80", "é", "\u0400", "\U0001f600"])
def test_no_letter_beyond_ascii_is_taken_for_one_of_ascii(letter):
    """Of a block that is nearly all ASCII, whose characters are numbered by a table."""
    ascii_text = "".join(map(chr, range(32, 127)))
    hypotheses = [f"{ascii_text}{ascii_text}{char}" for char in ascii_text] * 20
    references = [f"{ascii_text}{letter}{ascii_text}" for _ in hypotheses]
    many = chrf.statistics(hypotheses, references).array
    few = [chrf.statistics([one], references[:1]).array[0] for one in hypotheses[:95]]
    assert many.tolist() == np.tile(few, (20, 1)).tolist()
