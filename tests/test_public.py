"""What all public functions and classes have in common: types, options, docstrings, examples."""

from __future__ import annotations

import doctest
import functools
import inspect
import pickle
import re
import typing
from collections import defaultdict
from importlib import import_module

import numpy as np
import pytest
from processes import output_of

import vecbleu
from vecbleu import analysis, significance

OWN = ["vecbleu", "vecbleu.analysis", "vecbleu.significance", "vecbleu.plots"]
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
        assert parameters <= {*hints}, function
    if name in CLASSES:
        assert {*typing.get_type_hints(value)} >= {*vars(value).get("__annotations__", ())}


# Where an option is another one than its name says elsewhere, and why.
OTHER_OPTIONS = {
    ("weights", "vecbleu.bleu"): "several sets, a score for each",
    ("weights", "vecbleu.corpus_bleu"): "several sets, a score for each",
    ("weights", "vecbleu.sentence_bleu"): "several sets, a score for each",
    ("smoothing", "vecbleu.analysis.segment_differences"): "most sentences lack a 4-gram",
    ("effective_order", "vecbleu.analysis.segment_differences"): "some sentences are short",
    ("resamples", "vecbleu.significance.all_pairs"): "None: trials of the randomization",
    ("resamples", "vecbleu.plots.plot_scores"): "None: no test",
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
    value = DOCUMENTED[name]
    names = {name for name in inspect.signature(value).parameters if not name.startswith("_")}
    assert {*documented(value)} == names - {"self", "cls"}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_docstrings_refer_to_is_documented_there(name):
    beside = [name[: dot.end()] for dot in re.finditer(r"\.", name)]
    wrong = []
    for parameter, about in documented(DOCUMENTED[name]).items():
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


# Something of each class that users pickle, of the statistics of a system.
RESULTS = {
    "vecbleu.Statistics": lambda rows: rows,
    "vecbleu.Signature": lambda rows: rows.signature,
    "vecbleu.BleuScore": lambda rows: vecbleu.corpus_bleu(["a b"], ["a b"]),
    "vecbleu.significance.Interval": lambda rows: significance.bootstrap(rows, resamples=50),
    "vecbleu.significance.Jackknife": significance.jackknife,
    "vecbleu.significance.Comparison": lambda rows: significance.paired_bootstrap([rows, rows]),
    "vecbleu.significance.AllPairs": lambda rows: significance.all_pairs([rows, rows]),
    "vecbleu.analysis.Differences": lambda rows: analysis.segment_differences([rows, rows]),
    "vecbleu.analysis.Buckets": lambda rows: analysis.score_buckets([rows, rows]),
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
