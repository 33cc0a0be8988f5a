"""What all public functions and results have in common: options, defaults, help, tables."""

from __future__ import annotations

import doctest
import functools
import inspect
import json
import os
import pickle
import re
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from processes import output_of

import vecbleu
from vecbleu import analysis, significance
from vecbleu.show.table import Result, Table

OWN = [
    "vecbleu",
    "vecbleu.analysis",
    "vecbleu.significance",
    "vecbleu.plots",
    "vecbleu.report",
    "vecbleu.chrf",
]
LAYERS = ["vecbleu.nltk", "vecbleu.huggingface", "vecbleu.sacrebleu"]


@functools.cache
def public(module):
    """Functions and classes of a module, by their whole names."""
    found = import_module(module)
    named = ((f"{module}.{name}", getattr(found, name)) for name in found.__all__)
    return {name: value for name, value in named if callable(value)}


EVERYTHING = {name: value for module in OWN + LAYERS for name, value in public(module).items()}
FUNCTIONS = {name: value for name, value in EVERYTHING.items() if inspect.isfunction(value)}
CLASSES = {name: value for name, value in EVERYTHING.items() if inspect.isclass(value)}


def is_result(value):
    return inspect.isclass(value) and issubclass(value, Result)


def test_equal_options_have_equal_defaults_and_annotations():
    """But for those of sentences and of randomization."""
    found = defaultdict(set)
    own = [*map(public, ("vecbleu", "vecbleu.analysis", "vecbleu.significance"))]
    calls = [value for some in own for value in some.values() if not is_result(value)]
    for call in (*calls, vecbleu.Statistics.score, vecbleu.Statistics.scores):
        for parameter in inspect.signature(call).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                found[parameter.name].add((parameter.default, str(parameter.annotation)))
    several = {option for option, uses in found.items() if len(uses) > 1}
    assert several <= {"effective_order", "n_resamples"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_in_the_docstring(name):
    sections = re.split(r"\n(?=\w+\n--)", inspect.getdoc(FUNCTIONS[name]))
    words = re.findall(r"\w+", "".join(one for one in sections if one.startswith("Parameters\n")))
    assert {*inspect.signature(FUNCTIONS[name]).parameters} <= {*words, "options"}


UGLY = "<script>alert(1)</script>&\x1b[31m\u202e\"'"
LINES = [f"the cat {UGLY}", "a dog barked & ran", "x <b>y</b> z w"] * 9
OTHERS = ["the cat sat", "the dog barked & ran", "x <b>y</b> z v"] * 9
STATS = vecbleu.statistics(LINES, OTHERS)
SYSTEMS = {UGLY: STATS, "b": vecbleu.statistics(OTHERS, OTHERS), "c": STATS}

# A result of each class, which holds the ugly text wherever it can.
RESULTS = {
    "Interval": significance.bootstrap(STATS, n_resamples=99),
    "Comparison": significance.paired_bootstrap(SYSTEMS, n_resamples=99),
    "randomization": significance.paired_randomization(SYSTEMS, n_resamples=99),
    "Ranking": significance.rank(SYSTEMS, n_resamples=99),
    "Differences": analysis.segment_differences(SYSTEMS),
    "Buckets": analysis.score_buckets(SYSTEMS, [UGLY, "talk & news", 3] * 9),
    "NgramDifferences": analysis.ngram_differences(
        {UGLY: LINES, "b": OTHERS}, OTHERS, tokenize="none"
    ),
    "Neighbors": vecbleu.nearest(LINES, OTHERS, k=2),
    "Explanation": vecbleu.explain(LINES[0], OTHERS[0], tokenize="none"),
}


def test_every_public_result_is_tried():
    assert {*filter(is_result, CLASSES.values())} <= {*map(type, RESULTS.values())}


TAG = re.compile(
    r"</?(b|bdi|caption|div|mark|p|table|tbody|td|th|thead|tr)"
    r'( (cellpadding|class|scope|style|title)="[^"<>]*")*>'
)


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_tables_in_which_text_stays_text(name):
    result = RESULTS[name]
    page, table = result._repr_html_(), result.table()
    text = TAG.sub("", page)
    assert re.search("[<>]", text) is None
    assert "<table" in page
    assert all(one.isprintable() or one in "\n\t" for one in page)
    assert all(line.isprintable() for line in str(result).split("\n"))
    assert ("alert(1)" in text) == (name not in ("Interval", "Neighbors"))
    assert isinstance(table, Table)
    assert table.to_latex().startswith(r"\begin{tabular}")
    assert {len(values) for values in table.to_dict().values()} == {len(table.records())}
    for one in (result, table):
        json.dumps(one.to_dict(), allow_nan=False)
    if name != "Explanation":  # which prints the steps of a textbook
        assert str(result) == repr(result) == str(table)
        assert page == table._repr_html_()


def test_long_results_are_cut_and_say_so():
    other = vecbleu.statistics(["a b c"] * 300, ["a b c"] * 300)
    rows = vecbleu.statistics([f"a b {place}" for place in range(300)], ["a b c"] * 300)
    found = analysis.segment_differences([other, rows])
    assert " 240 more rows" in found._repr_html_()
    assert " 240 more rows" in str(found)


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen(name):
    with pytest.raises(AttributeError):
        setattr(RESULTS[name], next(iter(RESULTS[name].__dataclass_fields__)), 1)


ACCUMULATOR = vecbleu.Accumulator()
ACCUMULATOR.update(LINES, OTHERS)
RAGGED = vecbleu.Ragged.from_padded(np.array([[1, 2], [3, 0]]), ignore_ids=0)
VALUES = [*RESULTS.values(), STATS, STATS.signature, STATS.score(), ACCUMULATOR, RAGGED]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_pickle_and_name_public_modules(value):
    assert type(value).__module__ in OWN
    assert repr(pickle.loads(pickle.dumps(value))) == repr(value)


@pytest.mark.parametrize("name", CLASSES)
def test_examples_of_classes_and_their_methods_run(name):
    """Classes carry their public module's name, by which pytest does not find their examples."""
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(CLASSES[name], name, module=False, globs={}):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_names_are_loaded_when_they_are_used():
    code = """
        import vecbleu
        names = {*vecbleu.__all__, *vecbleu._PACKAGES}
        assert names <= {*dir(vecbleu)}
        assert names.isdisjoint(vars(vecbleu))
        for name in names:
            assert getattr(vecbleu, name).__name__.rpartition(".")[2] == name
        assert names <= {*vars(vecbleu)}
    """
    assert output_of(code) == ""
    code = """
        import sys, vecbleu
        from vecbleu.huggingface import bleu, google_bleu
        for segments in (["a"], [[1]]):
            vecbleu.corpus_bleu(segments, [segments])
        for metric in (bleu, google_bleu):
            metric(predictions=["a"], references=["a"])
        names = "pyarrow pandas polars datasets tqdm evaluate nltk sacrebleu"
        print({*names.split()} & {*sys.modules})
    """
    assert output_of(code) == "set()\n"
    with pytest.raises(AttributeError, match="module 'vecbleu' has no attribute 'blue'"):
        vecbleu.blue  # noqa: B018


@pytest.mark.slow
@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.2.0", reason="NumPy's own types are too old"
)
def test_calls_are_typed_and_wrong_ones_refused():
    """By mypy: nothing in one program, and in the other what its comments say."""
    pytest.importorskip("mypy")
    programs, wrong = ("user_program.py", "wrong_calls.py"), "wrong_calls.py"
    folder = Path(__file__).parent / "typed"
    command = [sys.executable, "-m", "mypy", "--strict", "--show-error-codes", *programs]
    environment = os.environ | {"MYPYPATH": str(Path(vecbleu.__file__).parent.parent)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.stdout, done.stderr
    found = re.findall(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    lines = enumerate((folder / wrong).read_text().splitlines(), 1)
    expected = {(wrong, str(n), line.split("  # ")[1]) for n, line in lines if "  # " in line}
    assert {*found} == expected
