"""Every public function x every keyword that it has: each has the effect that it has elsewhere.

A new function or keyword fails until it is in a table below, with a value or with a reason.
"""

from __future__ import annotations

import inspect
import re
import tempfile
import unicodedata
from dataclasses import replace
from functools import partial
from itertools import chain, starmap, zip_longest
from pathlib import Path

import numpy as np
import oracle
import pytest
import sacrebleu as peer
from corpora import noisy_systems
from test_public import FUNCTIONS

import vecbleu
from vecbleu import analysis, chrf, huggingface, report, significance, ter

HYPOTHESES = ["The Cat sat on a mat, mate", "a b", "the dog 中文 barked", "no more rain here today"]
REFERENCES = [
    ["the cat sat on the mat, mate", "The cat sat", "a Cat on a mat, mate now"],
    ["a b c", "a"],
    ["the dog 中文barked loudly at it", "a dog barked"],
    ["no rain here today  at all", "no more snow"],
]
IDS = [np.array(row) for row in ([1, 2, 3, 0, 4, 9, 5], [1, 1, 0, 0, 2], [3, 4, 9, 9, 7, 2, 1])]
OTHER_IDS = [[np.array([1, 2, 3, 4, 9, 6, 5])], [np.array([1, 1, 2, 0])], [np.array([3, 4, 9, 1])]]

# Segments without a match of order 4; those without an n-gram of order 4.
MISSES = ["The cat x sat on", "a b x c d"], [["the cat y sat on", "The cat"], ["a b c d"]]
SHORT = ["The cat sat", "a cat"], [["The cat sat", "The cat"], ["a b cat d"]]
SIDES = {"smoothing": MISSES, "smoothing_value": MISSES, "effective_order": SHORT}
DECOMPOSED = ["der Käse ist gru\u0308n und gut", "der Ka\u0308se ist grün", "gru\u0308n", "grün"]
SIDES["normalize"] = (
    DECOMPOSED,
    [
        ["der Käse ist grün und gut", "der Käse"],
        ["ein Käse ist grün"],
        ["grün"],
        ["gru\u0308n"],
    ],
)
SIDES["no_punct"] = ["the cat.", "a dog"], [["the cat", "cat."], ["the dog", "a dog"]]
SIDES |= dict.fromkeys(("ignore_ids", "eos_id"), (IDS, OTHER_IDS))

# A value of each keyword that must matter.
VALUES = {
    "tokenize": "char",
    "lowercase": True,
    "normalize": "NFD",
    "max_order": 2,
    "ref_length": "longest",
    "weights": (0.7, 0.3),
    "smoothing": "floor",
    "smoothing_value": 0.5,
    "effective_order": True,
    "char_order": 2,
    "word_order": 2,
    "beta": 3,
    "whitespace": True,
    "eps_smoothing": True,
    "normalized": True,
    "no_punct": True,
    "asian_support": True,
    "case_sensitive": True,
    "ignore_ids": 0,
    "eos_id": 9,
}
# What a keyword needs to matter.
BESIDE = {"smoothing_value": {"smoothing": "add-k"}, "asian_support": {"normalized": True}}
WITHOUT_EFFECT = {"workers": 2, "progress": False}  # no result depends on how it is computed


def normalized(text, form):
    return unicodedata.normalize(form, text) if form else text


def tokens_of(text, options):
    text = normalized(text, options["normalize"])
    text = text.lower() if options["lowercase"] else text
    return peer.BLEU(tokenize=options["tokenize"]).tokenizer(text).split()


def ids_of(row, options):
    kept = [int(value) for value in row]
    if options["eos_id"] in kept:
        kept = kept[: kept.index(options["eos_id"])]
    return [value for value in kept if value != options["ignore_ids"]]


DEFAULTS = {"tokenize": "13a", "lowercase": False, "max_order": 4, "ref_length": "closest"}
DEFAULTS |= {"ignore_ids": None, "eos_id": None, "weights": None, "smoothing": "exp"}
DEFAULTS |= {"smoothing_value": None, "effective_order": False, "normalize": None}


class Plain:
    """BLEU by the oracle, with the options of vecbleu."""

    def __init__(self, hypotheses, references, **options):
        options = DEFAULTS | options
        cut = partial(tokens_of if isinstance(hypotheses[0], str) else ids_of, options=options)
        self.hypotheses = [cut(one) for one in hypotheses]
        self.references = [[cut(one) for one in several] for several in references]
        value = {"floor": 0.1, "add-k": 1}.get(options["smoothing"])
        value = value if options["smoothing_value"] is None else options["smoothing_value"]
        self.counting = options["max_order"], options["ref_length"]
        weights = options["weights"] or [1 / self.counting[0]] * self.counting[0]
        self.scoring = weights, options["smoothing"], value, options["effective_order"]

    def row(self, hypothesis, references):
        return oracle.row(hypothesis, references, *self.counting)

    def bleu(self, hypothesis, references):
        return oracle.bleu(self.row(hypothesis, references), *self.scoring)

    def rows(self):
        return [*map(self.row, self.hypotheses, self.references)]

    def rows_of_two(self):
        sides = zip(self.hypotheses, self.references, strict=True)
        return [self.row(one, [several[0], several[-1]]) for one, several in sides]

    def corpus(self):
        return oracle.bleu(
            [sum(column) for column in zip(*self.rows(), strict=True)], *self.scoring
        )

    def sentences(self):
        return [*map(self.bleu, self.hypotheses, self.references)]

    def pairs(self):
        others = [*chain.from_iterable(self.references)]
        return np.array([[self.bleu(one, [other]) for other in others] for one in self.hypotheses])

    def itself(self):
        units = self.hypotheses
        return [self.bleu(one, units[:at] + units[at + 1 :]) for at, one in enumerate(units)]

    def expected(self):
        sides = zip([self.hypotheses[:2], self.hypotheses[2:]], self.sets(), strict=True)
        pairs = ((one, others) for hyps, others in sides for one in hyps)
        return [np.mean([self.bleu(one, [other]) for other in others]) for one, others in pairs]

    def sets(self):
        return nested([], self.references)[1]


def nested(hypotheses, references):
    halves = [references[:2], references[2:]]
    return [hypotheses[:2], hypotheses[2:]], [[*chain.from_iterable(half)] for half in halves]


def of_files(function, hypotheses, references, **options):
    """Call a function with the paths of files: references are the first and the last ones."""
    columns = [hypotheses, [row[0] for row in references], [row[-1] for row in references]]
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / str(place) for place in range(3)]
        for path, lines in zip(paths, columns, strict=True):
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return function(paths[0], paths[1:], **options)


def accumulated(hypotheses, references, **options):
    total = vecbleu.Accumulator(**options)
    total.update(hypotheses[:1], references[:1])
    total.update(hypotheses[1:], references[1:])
    return total.compute()


def shared(hypotheses, references, **options):
    prepared = vecbleu.SharedReferences(references[0], **options)
    return vecbleu.statistics(hypotheses, prepared, **options).array


SENTENCE = {"effective_order": True}  # by default
flat = chain.from_iterable

# A function's call, the same by the oracle, and defaults that differ.
BLEU = {
    "vecbleu.corpus_bleu": (vecbleu.corpus_bleu, Plain.corpus, {}),
    "vecbleu.sentence_bleu": (vecbleu.sentence_bleu, Plain.sentences, SENTENCE),
    "vecbleu.statistics": (lambda h, r, **o: vecbleu.statistics(h, r, **o).array, Plain.rows, {}),
    "vecbleu.file_statistics": (
        lambda h, r, **o: of_files(vecbleu.file_statistics, h, r, **o).array,
        Plain.rows_of_two,
        {},
    ),
    "vecbleu.explain": (
        lambda h, r, **o: [
            float(vecbleu.explain(one, other, **o).score) for one, other in zip(h, r, strict=True)
        ],
        Plain.sentences,
        SENTENCE,
    ),
    "vecbleu.pairwise_bleu": (
        lambda h, r, **o: vecbleu.pairwise_bleu(h, [*flat(r)], **o),
        Plain.pairs,
        SENTENCE,
    ),
    "vecbleu.self_bleu": (lambda h, _, **o: vecbleu.self_bleu(h, **o), Plain.itself, SENTENCE),
    "vecbleu.expected_bleu": (
        lambda h, r, **o: np.concatenate(vecbleu.expected_bleu(*nested(h, r), **o)),
        Plain.expected,
        SENTENCE,
    ),
    "vecbleu.nearest": (
        lambda h, r, **o: vecbleu.nearest(h, [*flat(r)], k=2, **o).scores,
        lambda plain: np.sort(plain.pairs(), axis=1)[:, :-3:-1],
        SENTENCE,
    ),
    "vecbleu.Accumulator": (accumulated, Plain.corpus, {}),
    "vecbleu.SharedReferences": (shared, None, {}),
    "vecbleu.bleu.scores": (
        lambda h, r, **o: vecbleu.bleu.scores(vecbleu.statistics(h, r).sum(), **o),
        Plain.corpus,
        {},
    ),
}
CALLED = {
    "vecbleu.Accumulator": vecbleu.Accumulator,
    "vecbleu.SharedReferences": vecbleu.SharedReferences,
}


def keywords_of(call):
    parameters = inspect.signature(call).parameters.values()
    return [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]


# Of sets, which tests/test_pairwise.py and tests/test_mbr.py have.
OF_SETS = "k", "min_score", "log_probs", "leave_one_out"

CASES = [
    (name, keyword)
    for name in BLEU
    for keyword in keywords_of(CALLED.get(name) or FUNCTIONS[name])
    if keyword not in OF_SETS
]


@pytest.mark.parametrize(("name", "keyword"), CASES)
def test_keywords_of_bleu_do_what_the_oracle_does(name, keyword):
    call, plain, defaults = BLEU[name]
    sides = SIDES.get(keyword, (HYPOTHESES, REFERENCES))
    if keyword in WITHOUT_EFFECT:
        assert np.array_equal(call(*sides, **{keyword: WITHOUT_EFFECT[keyword]}), call(*sides))
        return
    assert keyword in VALUES, "give it a value in VALUES, or a reason in WITHOUT_EFFECT"
    value = not defaults[keyword] if keyword in defaults else VALUES[keyword]
    beside = BESIDE.get(keyword, {})
    found = call(*sides, **beside, **{keyword: value})
    assert not np.array_equal(found, call(*sides, **beside))
    options = defaults | beside | {keyword: value}
    if name == "vecbleu.SharedReferences":  # calls have to use the same options
        prepared = vecbleu.SharedReferences(sides[1][0], **{keyword: value})
        with pytest.raises(ValueError, match=keyword):
            vecbleu.statistics(sides[0], prepared)
    if plain is None:
        expected = Plain(sides[0], [sides[1][0]] * len(sides[0]), **options).rows()
    else:
        expected = plain(Plain(*sides, **options))
    assert np.allclose(found, expected, rtol=1e-9, atol=0)


PEERS = {"chrf": peer.CHRF, "ter": peer.TER}


def peers_scores(metric, hypotheses, references, **options):
    """sacreBLEU's metric; its streams may have None where a segment has no further reference."""
    form = options.pop("normalize", None)
    hypotheses = [normalized(one, form) for one in hypotheses]
    references = [[normalized(one, form) for one in own] for own in references]
    metric = PEERS[metric](**options)
    streams = [list(stream) for stream in zip_longest(*references)]
    score = metric.corpus_score(hypotheses, streams).score / 100
    pairs = zip(hypotheses, references, strict=True)
    return score, [metric.sentence_score(one, own).score / 100 for one, own in pairs]


def accumulated(make, hypotheses, references, **options):
    total = make(**options)
    for one, own in zip(hypotheses, references, strict=True):
        total.update([one], [own])
    return total.compute()


def of_each(function):
    """A function of one hypothesis and its references, for all."""
    return lambda h, r, **o: [*starmap(partial(function, **o), zip(h, r, strict=True))]


def same(one, several):
    """One source for each reference."""
    return [[one]] * len(several), [[other] for other in several]


CALLED["vecbleu.chrf.ChrfAccumulator"] = chrf.ChrfAccumulator
CALLED["vecbleu.ter.TerAccumulator"] = ter.TerAccumulator
OTHER_METRICS = {
    "vecbleu.chrf.corpus_chrf": (chrf.corpus_chrf, 0),
    "vecbleu.chrf.sentence_chrf": (chrf.sentence_chrf, 1),
    "vecbleu.chrf.statistics": (lambda h, r, **o: chrf.statistics(h, r, **o).score(), 0),
    "vecbleu.chrf.file_statistics": (
        lambda h, r, **o: of_files(chrf.file_statistics, h, r, **o).score(),
        0,
    ),
    "vecbleu.chrf.scores": (
        lambda h, r, **o: chrf.scores(chrf.statistics(h, r, **o).array.sum(axis=0), **o),
        0,
    ),
    "vecbleu.chrf.ChrfAccumulator": (partial(accumulated, chrf.ChrfAccumulator), 0),
    # The best of several references.
    "vecbleu.chrf.pairwise_chrf": (
        of_each(lambda one, several, **o: chrf.pairwise_chrf([one], several, **o).max()),
        1,
    ),
    "vecbleu.chrf.self_chrf": (
        of_each(lambda one, several, **o: chrf.self_chrf([one, *several], **o)[0]),
        1,
    ),
    "vecbleu.chrf.nearest_chrf": (
        of_each(lambda one, several, **o: chrf.nearest_chrf([one], several, **o).scores[0, 0]),
        1,
    ),
    "vecbleu.chrf.expected_chrf": (
        of_each(lambda one, several, **o: max(chrf.expected_chrf(*same(one, several), **o))[0]),
        1,
    ),
    "vecbleu.huggingface.chrf": (
        lambda h, r, **o: huggingface.chrf(predictions=h, references=r, **o)["score"] / 100,
        0,
    ),
    "vecbleu.ter.corpus_ter": (ter.corpus_ter, 0),
    "vecbleu.ter.sentence_ter": (ter.sentence_ter, 1),
    "vecbleu.ter.statistics": (lambda h, r, **o: ter.statistics(h, r, **o).score(), 0),
    "vecbleu.ter.file_statistics": (
        lambda h, r, **o: of_files(ter.file_statistics, h, r, **o).score(),
        0,
    ),
    "vecbleu.ter.TerAccumulator": (partial(accumulated, ter.TerAccumulator), 0),
}
OTHER_CASES = [
    (name, keyword)
    for name in OTHER_METRICS
    for keyword in keywords_of(CALLED.get(name) or FUNCTIONS[name])
    if keyword not in ("predictions", "references", *OF_SETS)
]


@pytest.mark.parametrize(("name", "keyword"), OTHER_CASES)
def test_keywords_of_other_metrics_do_what_sacrebleu_does(name, keyword):
    call, place = OTHER_METRICS[name]
    hypotheses, references = SIDES.get(keyword, (HYPOTHESES, REFERENCES))
    if "file" in name:
        references = [[row[0], row[-1]] for row in references]
    if keyword in WITHOUT_EFFECT:
        found = call(hypotheses, references, **{keyword: WITHOUT_EFFECT[keyword]})
        assert np.array_equal(found, call(hypotheses, references))
        return
    beside = BESIDE.get(keyword, {})
    options = beside | {keyword: VALUES[keyword]}
    found = call(hypotheses, references, **options)
    assert not np.array_equal(found, call(hypotheses, references, **beside))
    metric = name.rpartition(".")[2] if "huggingface" in name else name.split(".")[1]
    expected = peers_scores(metric, hypotheses, references, **options)[place]
    assert np.allclose(found, expected, rtol=1e-12)


TARGETS, NOISY = noisy_systems(24, (0.3, 0.33, 0.4))
TEXTS = dict(zip(("one", "two", "three"), NOISY, strict=True))
TARGETS = [line.replace("the", "The") for line in TARGETS]
TABLES = {name: vecbleu.statistics(lines, TARGETS) for name, lines in TEXTS.items()}
# Without a match of order 4; without an n-gram of order 4.
MISSING_TABLES, SHORT_TABLES = (
    {
        name: vecbleu.statistics([*map(change, lines)], [*map(str.split, TARGETS)])
        for name, lines in TEXTS.items()
    }
    for change in (
        lambda line: [f"x{at}" if at % 4 == 3 else word for at, word in enumerate(line.split())],
        lambda line: line.split()[:3],
    )
)
OF_ODD = {"smoothing": MISSING_TABLES, "smoothing_value": MISSING_TABLES}
OF_ODD["effective_order"] = SHORT_TABLES
OF_ODD["count_equal"] = {name: table[:4] for name, table in TABLES.items()}  # 8 exchanges
SCORING = "weights", "smoothing", "smoothing_value", "effective_order"
TESTS = {"n_resamples": 50, "confidence_level": 0.5, "rng": 0, "sides": 1, "level": 0.9}
TESTS |= {"adjust": "holm", "test": "randomization", "baseline": "two", "count_equal": False}
TESTS |= {"groups": [number // 2 for number in range(24)]}
TESTS |= {name: VALUES[name] for name in SCORING}
OF_OWN_SCORES = "metric", "higher_is_better"  # see test_significance.py


def numbers(result, place=0):
    """Numbers of a test against one system, or of the interval of a system."""
    if isinstance(result, significance.Interval):
        return [[one] for one in (result.score, result.lower, result.upper)]
    rows = [result.scores, result.differences, result.p_values, result.lower, result.upper]
    rows += [result.difference_lower, result.difference_upper]
    columns = [np.asarray(row) for row in rows if row is not None]
    return [(column[:, place] if column.ndim == 2 else column).tolist() for column in columns]


def elsewhere(name, options):
    """The same numbers by another function."""
    options = dict(options)
    if name == "bootstrap":
        both = significance.paired_bootstrap([TABLES["one"]] * 2, **options)
        return [[float(row[0])] for row in (both.scores, both.lower, both.upper)]
    place = [*TABLES].index(options.pop("baseline", "one"))
    if name == "rank":
        is_bootstrap = options.pop("test", "") != "randomization"
        tests = significance.paired_randomization, significance.paired_bootstrap
        return numbers(tests[is_bootstrap](TABLES, **options))
    if name == "paired_randomization":
        options["test"] = "randomization"
    return numbers(significance.rank(TABLES, **options), place)


SIGNIFICANCE_CASES = [
    (name.rpartition(".")[2], keyword)
    for name, function in FUNCTIONS.items()
    if name.startswith("vecbleu.significance") and keywords_of(function)
    for keyword in [*keywords_of(function), *SCORING]
    if keyword not in OF_OWN_SCORES
]


@pytest.mark.parametrize(("name", "keyword"), SIGNIFICANCE_CASES)
def test_keywords_of_tests_do_the_same_in_every_test(name, keyword):
    function = getattr(significance, name)
    tables = OF_ODD.get(keyword, TABLES)
    given = tables["one"] if name == "bootstrap" else tables
    if keyword == "progress":
        assert str(numbers(function(given, progress=False))) == str(numbers(function(given)))
        return
    beside = {"smoothing_value": {"smoothing": "add-k"}}.get(keyword, {})
    options = beside | {keyword: TESTS[keyword]}
    found, before = function(given, **options), function(given, **beside)
    if keyword == "level":
        adjusted = found.scores, found.p_values, 0.9
        assert found.clusters().tolist() == significance.clusters(*adjusted).tolist()
        assert found.clusters().tolist() != before.clusters().tolist()
    elif keyword == "adjust":
        pairs = np.triu_indices(3, 1)
        for adjust in (significance.holm, significance.benjamini_hochberg):
            adjusted = replace(found, adjust=adjust.__name__).adjusted
            assert adjusted[pairs].tolist() == adjust(found.p_values[pairs]).tolist()
            assert np.array_equal(adjusted, adjusted.T, equal_nan=True)
        assert found.adjusted[pairs].tolist() != before.adjusted[pairs].tolist()
    else:
        assert str(numbers(found)) != str(numbers(before))
        if keyword in SCORING:
            scores = [table.score(**options) for table in tables.values()]
            assert numbers(found)[0] == (scores[:1] if name == "bootstrap" else scores)
        elif keyword != "count_equal":  # sacreBLEU's, see test_significance.py
            assert str(numbers(found)) == str(elsewhere(name, options))


ANALYSIS = {
    ("score_buckets", "labels"): ["x", "y"] * 12,
    ("score_buckets", "edges"): [6, 9],
    ("score_buckets", "baseline"): "two",
    ("score_buckets", "compare"): significance.paired_randomization,
    ("score_buckets", "documents"): [number % 22 for number in range(24)],
    ("segment_differences", "baseline"): 1,
    ("ngram_differences", "baseline"): "two",
    ("ngram_differences", "kinds"): ("over",),
    ("ngram_differences", "top"): 1,
    ("ngram_differences", "examples"): 1,
    **{
        ("ngram_differences", name): VALUES[name]
        for name in ("tokenize", "lowercase", "normalize", "max_order")
    },
    **{
        (name, one): VALUES[one]
        for name in ("score_buckets", "segment_differences")
        for one in SCORING
    },
}


@pytest.mark.parametrize(("name", "keyword"), ANALYSIS)
def test_keywords_of_the_analysis_matter(name, keyword):
    function = getattr(analysis, name)
    tables = OF_ODD.get(keyword, TABLES)
    call = partial(function, TEXTS, TARGETS) if name[0] == "n" else partial(function, tables)
    beside = {"smoothing_value": {"smoothing": "add-k"}}.get(keyword, {})
    if keyword in ("compare", "documents"):
        beside = {"baseline": "one", "labels": ["x"] * 24}
    if (name, keyword) == ("segment_differences", "effective_order"):
        value = False
    else:
        value = ANALYSIS[name, keyword]
    found, before = call(**beside, **{keyword: value}), call(**beside)
    assert str(vars(found)) != str(vars(before))  # all fields
    known = {one for own, one in ANALYSIS if own == name}
    assert {*keywords_of(function)} - known <= {"workers", "progress", "ignore_ids", "eos_id"}


REPORT = {
    "source": [f"Satz {number}" for number in range(24)],
    "labels": ["x", "y"] * 12,
    "documents": TESTS["groups"],
    "metrics": ["chrf"],
    "chrf": {"word_order": 2},
    "title": "X",
    "language_pair": "en-zh",
    **{name: TESTS[name] for name in ("sides", "n_resamples", "confidence_level", "rng")},
    **{name: VALUES[name] for name in ("tokenize", "lowercase", "normalize", "max_order")},
    "ref_length": VALUES["ref_length"],
    **{name: VALUES[name] for name in ("smoothing", "smoothing_value")},
}


@pytest.mark.parametrize("keyword", [*keywords_of(report.write), "chrf"])
def test_keywords_of_a_report_are_those_of_its_ranking(tmp_path, keyword):
    references = [[line, f"{line} x y z"] for line in TARGETS]

    def page(**options):
        report.write(tmp_path / "page.html", TEXTS, references, **options)
        return (tmp_path / "page.html").read_text(encoding="utf-8")

    if keyword in WITHOUT_EFFECT:
        assert page(**{keyword: WITHOUT_EFFECT[keyword]}) == page()
        return
    beside = {"smoothing_value": {"smoothing": "add-k"}, "chrf": {"metrics": ["chrf"]}}
    beside = beside.get(keyword, {})
    options = beside | {keyword: REPORT[keyword]}
    found = page(**options)
    assert found != page(**beside)
    counting = {name: options[name] for name in options if name in DEFAULTS and name not in SCORING}
    testing = {name: options[name] for name in options if name in TESTS}
    if counting or testing:
        tables = {
            name: vecbleu.statistics(lines, references, **counting) for name, lines in TEXTS.items()
        }
        ranking = significance.rank(tables, **testing)
        shown = [cell for row in ranking.table().to_text().split("\n")[1:4] for cell in row.split()]
        text = re.sub("<[^>]*>", " ", found.replace("−", "-").replace("&lt;", "<"))
        assert [cell for cell in shown if "." in cell and cell not in text] == []


PREDICTED = {"predictions": ["the cat sat", "a dog"], "references": ["a cat sat", "a dog"]}


def calls():
    """Every function with a keyword that takes no object."""
    for name, keyword in [*CASES, *OTHER_CASES]:
        call, *_ = (BLEU | OTHER_METRICS)[name]
        yield name, keyword, partial(call, HYPOTHESES, REFERENCES)
    for name, keyword in SIGNIFICANCE_CASES:
        given = TABLES["one"] if name == "bootstrap" else TABLES
        yield name, keyword, partial(getattr(significance, name), given)
    for name, keyword in ANALYSIS:
        given = [TEXTS, TARGETS] if name == "ngram_differences" else [TABLES]
        yield name, keyword, partial(getattr(analysis, name), *given)
    for name in ("bleu", "google_bleu", "chrf", "ter"):  # its "sacrebleu" takes what sacreBLEU does
        function = getattr(huggingface, name)
        for keyword in {*keywords_of(function)} - {*PREDICTED}:
            yield name, keyword, partial(function, **PREDICTED)


def test_what_is_no_value_of_a_keyword_is_refused_by_its_name():
    taken = []
    for name, keyword, call in calls():
        try:
            call(**{keyword: object()})
            taken.append((name, keyword))
        except (TypeError, ValueError) as error:
            if keyword.removesuffix("r") not in str(error):  # of Hugging Face's tokenizer
                taken.append((name, keyword, error))
    assert [one for one in taken if one[:2] != ("ngram_differences", "kinds")] == []


ELSEWHERE = {
    "vecbleu.nltk": "tests/test_nltk.py draws all keywords, and compares with NLTK",
    "vecbleu.sacrebleu": "tests/test_sacrebleu.py and test_chrf.py do so with sacreBLEU",
    "vecbleu.huggingface": "tests/test_huggingface.py does so with the published metrics",
    "vecbleu.plots": "has `ax` alone, see tests/test_plots.py",
    "vecbleu.report": "is above",
}


def test_every_function_with_keywords_is_here():
    known = {*BLEU, *OTHER_METRICS, *(f"vecbleu.analysis.{name}" for name, _ in ANALYSIS)}
    known |= {f"vecbleu.significance.{name}" for name, _ in SIGNIFICANCE_CASES}
    known.add("vecbleu.find_settings")  # has `workers` alone, see tests/test_settings.py
    missing = {name for name, function in FUNCTIONS.items() if keywords_of(function)} - known
    assert {name for name in missing if name.rpartition(".")[0] not in ELSEWHERE} == set()
