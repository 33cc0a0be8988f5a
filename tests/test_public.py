"""What all public functions and classes have in common: types, options, docstrings, examples."""

from __future__ import annotations

import doctest
import functools
import inspect
import os
import pickle
import re
import subprocess
import sys
import typing
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from processes import output_of

import vecbleu

OWN = ["vecbleu", "vecbleu.analysis", "vecbleu.significance", "vecbleu.plots", "vecbleu.report"]
LAYERS = ["vecbleu.nltk", "vecbleu.huggingface", "vecbleu.sacrebleu"]


@functools.cache
def public(module):
    """Functions and classes of a module, by their whole names."""
    found = import_module(module)
    named = ((f"{module}.{name}", getattr(found, name)) for name in found.__all__)
    return {name: value for name, value in named if callable(value)}


EVERYTHING = {name: value for module in OWN + LAYERS for name, value in public(module).items()}
CLASSES = {name: value for name, value in EVERYTHING.items() if inspect.isclass(value)}


def methods_of(cls):
    """Public functions and properties that a class defines itself, and how it is made."""
    for name, value in vars(cls).items():
        if isinstance(value, property):
            value = value.fget
        value = getattr(value, "__func__", value)
        if inspect.isfunction(value) and (name == "__init__" or not name.startswith("_")):
            yield value


@pytest.mark.parametrize("name", EVERYTHING)
def test_type_hints_are_found(name):
    value = EVERYTHING[name]
    functions = [*methods_of(value)] if name in CLASSES else [value]
    for function in functions:
        hints = typing.get_type_hints(function)
        parameters = {*inspect.signature(function).parameters} - {"self", "cls"}
        assert parameters | {"return"} <= {*hints}, function
    if name in CLASSES:
        assert {*typing.get_type_hints(value)} >= {*vars(value).get("__annotations__", ())}


# Where an option is another one than its name says elsewhere, and why.
OTHER_OPTIONS = {
    ("weights", "vecbleu.bleu"): "several sets, a score for each",
    ("weights", "vecbleu.corpus_bleu"): "several sets, a score for each",
    ("weights", "vecbleu.sentence_bleu"): "several sets, a score for each",
    ("smoothing", "vecbleu.analysis.segment_differences"): "most sentences lack a 4-gram",
    ("effective_order", "vecbleu.analysis.segment_differences"): "some sentences are short",
    ("weights", "vecbleu.pairwise_bleu"): "several sets, a score for each",
    ("weights", "vecbleu.pairwise_bleu_chunked"): "several sets, a score for each",
    ("weights", "vecbleu.self_bleu"): "several sets, a score for each",
    ("references", "vecbleu.pairwise_bleu"): "units of a set, by default the hypotheses",
    ("references", "vecbleu.pairwise_bleu_chunked"): "units of a set, by default the hypotheses",
    ("references", "vecbleu.nearest"): "units of a set",
    ("trials", "vecbleu.significance.all_pairs"): "the same as resamples",
    ("references", "vecbleu.explain"): "those of one segment",
    ("references", "vecbleu.expected_bleu"): "sets of units, by default the candidates",
    ("systems", "vecbleu.analysis.ngram_differences"): "texts",
    ("systems", "vecbleu.analysis.word_f_measures"): "texts",
    ("by", "vecbleu.analysis.ngram_differences"): "what n-grams are ranked by",
    ("by", "vecbleu.analysis.score_buckets"): "what segments are grouped by",
    ("by", "vecbleu.plots.plot_buckets"): "what segments are grouped by",
    ("resamples", "vecbleu.significance.all_pairs"): "None: trials of the randomization",
    ("resamples", "vecbleu.plots.plot_scores"): "None: no test",
    ("resamples", "vecbleu.plots.plot_buckets"): "None: no intervals",
    ("resamples", "vecbleu.plots.plot_pairs"): "None: trials of the randomization",
    ("level", "vecbleu.plots.plot_scores"): "of significance, not of confidence",
    ("systems", "vecbleu.plots.plot_pairs"): "the result of tests, too",
    ("references", "vecbleu.report.write"): "strings, or None for statistics",
    ("systems", "vecbleu.report.write"): "outputs, too, which are shown",
    ("systems", "vecbleu.plots.plot_scores"): "one system, or the result of a test",
    ("systems", "vecbleu.plots.plot_buckets"): "one system, or the result of a comparison",
    ("systems", "vecbleu.plots.plot_precisions"): "one system alone, too",
    ("systems", "vecbleu.plots.plot_brevity_penalty"): "one system alone, too",
}
SIDES = {"hypotheses", "references", "systems"}


@functools.cache
def options():
    """Options and sides by name: function, default and annotation of each."""
    found = defaultdict(dict)
    functions = {n: value for module in OWN for n, value in public(module).items()}
    for name, value in functions.items():
        if name in CLASSES and value is not vecbleu.Accumulator:
            continue  # results
        hints = typing.get_type_hints(value.__init__ if name in CLASSES else value)
        for parameter in inspect.signature(value).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY or parameter.name in SIDES:
                found[parameter.name][name] = parameter.default, hints[parameter.name]
    return found


@pytest.mark.parametrize("option", sorted(options()))
def test_equal_options_have_equal_defaults_and_types(option):
    users = options()[option]
    usual = {name: kind for name, kind in users.items() if (option, name) not in OTHER_OPTIONS}
    first = next(iter(usual.values()))
    assert {name: kind for name, kind in usual.items() if kind != first} == {}
    unusual = {name: kind for name, kind in users.items() if name not in usual}
    assert {name: kind for name, kind in unusual.items() if kind == first} == {}


def test_options_that_differ_exist():
    assert [pair for pair in OTHER_OPTIONS if pair[1] not in options()[pair[0]]] == []


def documented(value):
    """Parameters that a docstring names, and what it says about each."""
    _, _, section = (inspect.getdoc(value) or "").partition("Parameters\n----------\n")
    section = re.split(r"\n\n?[A-Z][\w ]*\n-{4,}", section)[0]
    entries, names = {}, ""
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names += line
            if not line.endswith(","):
                about = []
                own = re.split(r",\s*", names.partition(" : ")[0])
                entries |= {one.lstrip("*"): about for one in own}
                names = ""
        elif line:
            about.append(line.strip())
    return {name: " ".join(about) for name, about in entries.items()}


DOCUMENTED = EVERYTHING | {
    f"{name}.{method.__name__}": method
    for name, cls in CLASSES.items()
    for method in methods_of(cls)
    if "Parameters\n" in (inspect.getdoc(method) or "")
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_parameter_is_documented(name):
    entries, parameters = (
        documented(DOCUMENTED[name]),
        inspect.signature(DOCUMENTED[name]).parameters,
    )
    assert {*entries} == {one for one in parameters if one[0] != "_"} - {"self", "cls"}
    beside = [name[: dot.end()] for dot in re.finditer(r"\.", name)]
    wrong = []  # what docstrings refer to is documented there
    for parameter, about in entries.items():
        for target in re.findall(r"\bas for `([\w.]+)`", about, flags=re.I):
            there = [one + target for one in ("", *beside) if one + target in DOCUMENTED]
            told = there and documented(DOCUMENTED[there[-1]]).get(parameter)
            if not told or told.startswith("As for "):
                wrong.append((parameter, target))
    assert wrong == []


@pytest.mark.parametrize("name", CLASSES)
def test_examples_of_classes_and_their_methods_run(name):
    """Classes carry their public module's name, by which pytest does not find their examples."""
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(CLASSES[name], name, module=False, globs={}):
        runner.run(test)
    texts = [inspect.getdoc(value) or "" for value in (CLASSES[name], *methods_of(CLASSES[name]))]
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries == sum(text.count(">>> ") for text in texts)


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
    with pytest.raises(AttributeError, match="module 'vecbleu' has no attribute 'blue'"):
        vecbleu.blue  # noqa: B018


# Of the statistics of a system; results of tests and analyses are pickled in their own tests.
RESULTS = {
    "vecbleu.Statistics": lambda rows: rows,
    "vecbleu.Signature": lambda rows: rows.signature,
    "vecbleu.BleuScore": lambda rows: vecbleu.corpus_bleu(["a b"], ["a b"]),
    "vecbleu.ScoreSignature": lambda rows: vecbleu.corpus_bleu(["a b"], ["a b"]).signature,
    "vecbleu.Explanation": lambda rows: vecbleu.explain("a b", ["a b", "a c"]),
    "vecbleu.analysis.OrderCounts": lambda rows: vecbleu.explain("a b", "a b").orders[0],
    "vecbleu.analysis.NgramCounts": lambda rows: vecbleu.explain("a b", "a").orders[0].ngrams[0],
}


@pytest.mark.parametrize("name", RESULTS)
def test_pickles_are_equal_and_name_public_modules(name):
    value = RESULTS[name](vecbleu.statistics(["a b c d", "b"] * 3, ["a b c d e", "a"] * 3))
    module, _, own = name.rpartition(".")
    assert (type(value).__module__, type(value).__qualname__) == (module, own)
    assert EVERYTHING[name] is type(value)
    assert pickle.loads(pickle.dumps(value)) == value


def test_pickles_of_what_has_no_equality():
    ragged = vecbleu.Ragged.from_padded(np.array([[1, 2], [3, 0]]), pad_id=0)
    accumulator = vecbleu.Accumulator(smoothing="exp", keep_rows=True)
    accumulator.update(["a b", "c"], ["a b", "d"])
    for value in (ragged, accumulator):
        assert type(value).__module__ == "vecbleu"
        assert repr(pickle.loads(pickle.dumps(value))) == repr(value)
    copy = pickle.loads(pickle.dumps(ragged))
    assert [row.tolist() for row in copy] == [[1, 2], [3]]
    copy = pickle.loads(pickle.dumps(accumulator))
    copy.merge(accumulator)
    assert copy.rows == vecbleu.Statistics.concatenate([accumulator.rows] * 2)


FOLDER = Path(__file__).parent / "typed"
typed = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.2.0", reason="NumPy's own types are too old"
)


def errors(name):
    """Lines of a program in which mypy finds errors, each with the errors' codes."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--show-error-codes", name]
    environment = os.environ | {"MYPYPATH": str(Path(vecbleu.__file__).parent.parent)}
    done = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True, text=True)
    assert done.stdout, done.stderr
    found = re.finditer(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE)
    return {(match[1], int(match[2]), match[3]) for match in found}


@typed
def test_every_public_call_is_typed():
    assert errors("user_program.py") == set()


@typed
def test_wrong_calls_are_refused():
    name = "wrong_calls.py"
    lines = enumerate((FOLDER / name).read_text().splitlines(), 1)
    expected = {(name, number, line.split("  # ")[1]) for number, line in lines if "  # " in line}
    assert errors(name) == expected
