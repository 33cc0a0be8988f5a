"""What all modules, public functions and results have in common: layers, options, help, tables."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from processes import output_of

import vecbleu
from vecbleu import analysis, significance
from vecbleu.core.metric import METRICS
from vecbleu.show.table import Result, Table

ROOT = Path(__file__).parent.parent
MODULES = [module.name for module in pkgutil.walk_packages(vecbleu.__path__, "vecbleu.")]
OURS = ["vecbleu", "vecbleu.analysis", "vecbleu.significance", "vecbleu.plots", "vecbleu.report"]
OURS += [path.rsplit(".", 2)[0] for path in METRICS.values()]
LAYERS = ["vecbleu.nltk", "vecbleu.huggingface", "vecbleu.sacrebleu"]
PUBLIC = {
    f"{module}.{name}": getattr(import_module(module), name)
    for module in OURS + LAYERS
    for name in import_module(module).__all__
}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}


def test_every_family_has_a_layer():
    """That imports go from layer to layer is checked by import-linter, among the linters."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = project["tool"]["importlinter"]["contracts"]
    families = {name for layer in contract["layers"] for name in layer.split(" | ")}
    assert families == {".".join(name.split(".")[:2]) for name in MODULES}


def test_packages_need_no_import_of_their_own():
    packages = {name.removeprefix("vecbleu.") for name in OURS + LAYERS} - {"vecbleu"}
    assert packages <= set(dir(vecbleu))  # which lists what is imported on first use


def test_modules_are_imported_with_numpy_alone():
    code = """
        import sys
        from importlib import import_module
        class NumPyAlone:
            def find_spec(name, *_):
                if name.partition(".")[0] not in {*sys.stdlib_module_names, "numpy", "vecbleu"}:
                    raise ImportError(name)
        sys.meta_path.insert(0, NumPyAlone)
        print(*(import_module(name).__name__ for name in sys.argv[1:]))
    """
    names = [name for name in MODULES if name != "vecbleu.__main__"]
    assert output_of(code, *names).split() == names


def test_equal_options_have_equal_defaults_and_annotations():
    """But for those of sentences, of the two tests, the processes of a report, and chrF's scores.

    These take what is not given from the statistics.
    """
    uses = defaultdict(set)
    calls = [call for name, call in FUNCTIONS.items() if not name.startswith((*LAYERS,))]
    calls += [vecbleu.Accumulator, vecbleu.Statistics.score, vecbleu.Statistics.scores]
    for call in calls:
        for parameter in inspect.signature(call).parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY:
                uses[parameter.name].add((parameter.default, str(parameter.annotation)))
    several = {option for option, kinds in uses.items() if len(kinds) > 1}
    of_tests = {"n_resamples", "sides", "confidence_level"}
    assert several <= {"effective_order", "workers", "beta", "eps_smoothing"} | of_tests
    assert {default for default, _ in uses["n_resamples"]} == {None, 1000}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_in_the_docstring(name):
    sections = re.split(r"\n(?=\w+\n--)", inspect.getdoc(FUNCTIONS[name]))
    parameters = [section for section in sections if section.startswith("Parameters\n")]
    words = re.findall(r"\w+", "".join(parameters))
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
    "Ranking": significance.rank(SYSTEMS, n_resamples=99),
    "Differences": analysis.segment_differences(SYSTEMS),
    "Buckets": analysis.score_buckets(SYSTEMS, [UGLY, "talk & news", 3] * 9),
    "NgramDifferences": analysis.ngram_differences(
        {UGLY: LINES, "b": OTHERS}, OTHERS, tokenize="none"
    ),
    "Neighbors": vecbleu.nearest(LINES, OTHERS, k=2),
    "Explanation": vecbleu.explain(LINES[0], OTHERS[0], tokenize="none"),
}


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
    assert all(character.isprintable() or character in "\n\t" for character in page)
    assert all(line.isprintable() for line in str(result).split("\n"))
    assert ("alert(1)" in text) == (name not in ("Interval", "Neighbors"))
    assert isinstance(table, Table)
    assert table.to_latex().startswith(r"\begin{tabular}")
    assert {len(values) for values in table.to_dict().values()} == {len(table.records())}
    for shown in (result, table):
        json.dumps(shown.to_dict(), allow_nan=False)
    if name != "Explanation":  # which prints the steps of a textbook
        assert str(result) == repr(result) == str(table)
        assert page == table._repr_html_()


def test_columns_of_tables_are_what_their_titles_say():
    texts = {"a": ["x"] * 27, "b": LINES, "c": OTHERS[::-1]}
    systems = {name: vecbleu.statistics(text, OTHERS) for name, text in texts.items()}
    interval = significance.bootstrap(systems["b"], n_resamples=99)
    fields = {interval.metric: interval.score, "mean": interval.mean}
    fields |= {"lower": interval.lower, "upper": interval.upper}
    assert interval.table().to_dict() == {name: [value] for name, value in fields.items()}
    ranking = significance.rank(systems, n_resamples=99)
    places = {name: place for place, name in enumerate(ranking.names)}
    pairs = ranking.pairs().to_dict()
    for number, (better, worse) in enumerate(zip(pairs["better"], pairs["worse"], strict=True)):
        cell = places[worse], places[better]
        assert ranking.scores[cell[0]] <= ranking.scores[cell[1]]
        matrices = "difference difference_lower difference_upper p holm benjamini_hochberg"
        for title in matrices.split():
            name = {"difference": "differences", "p": "p_values"}.get(title, title)
            assert pairs[title][number] == getattr(ranking, name)[cell]
    found = analysis.ngram_differences(texts, OTHERS)
    shown = found.table().to_dict()
    expected = [(row.kind, row.more, row.less, *row.counts, row.score) for row in found.rows]
    titles = "kind", "more", "less", "more count", "less count", "score"
    assert [*zip(*(shown[title] for title in titles), strict=True)] == expected
    assert any(row.counts[0] != row.counts[1] for row in found.rows)


def test_results_are_frozen_and_all_are_tried():
    kinds = {value for value in CLASSES.values() if issubclass(value, Result)}
    assert kinds <= {*map(type, RESULTS.values())}
    for result in RESULTS.values():
        with pytest.raises(AttributeError):
            setattr(result, next(iter(result.__dataclass_fields__)), 1)


def test_pickles_name_public_modules():
    named = {name for name in CLASSES if not name.startswith((*LAYERS,))}
    assert {name for name in named if CLASSES[name].__module__ not in OURS} == {"vecbleu.Table"}


METHODS = {
    f"{name}.{method}": getattr(kind, method)
    for name, kind in CLASSES.items()
    for method in dir(kind)
    if inspect.isroutine(getattr(kind, method)) and not method.startswith("_")
}
CALLS = {
    name: call
    for name, call in (PUBLIC | METHODS).items()
    if callable(call) and str(getattr(call, "__module__", "")).startswith("vecbleu")
}
# sacreBLEU's classes of these names have the same methods.
NAMES = {part for name in PUBLIC for part in name.split(".")} | {"Metric", "Score"}


@pytest.mark.parametrize("name", CALLS)
def test_the_error_for_an_unknown_keyword_names_no_internal_class(name):
    parameters = inspect.signature(CALLS[name]).parameters.values()
    kinds = {parameter.kind for parameter in parameters if parameter.name != "self"}
    if kinds and kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}:
        with pytest.raises(TypeError, match="misspelt") as raised:
            CALLS[name](misspelt=1)
        assert re.match(r"\w+", str(raised.value))[0] in NAMES


@pytest.mark.parametrize("name", CLASSES)
def test_examples_of_classes_and_their_methods_run(name):
    """Classes carry their public module's name, by which pytest does not find their examples."""
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(CLASSES[name], name, module=False, globs={}):
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_names_are_loaded_when_they_are_used():
    code = """
        import sys, vecbleu
        names = {*vecbleu.__all__, *vecbleu._PACKAGES}
        assert names <= {*dir(vecbleu)}
        assert names.isdisjoint(vars(vecbleu))
        for segments in (["a"], [[1]]):
            vecbleu.corpus_bleu(segments, [segments])
        for metric in (vecbleu.huggingface.bleu, vecbleu.huggingface.google_bleu):
            metric(predictions=["a"], references=["a"])
        packages = "pyarrow pandas polars datasets tqdm evaluate nltk sacrebleu"
        assert {*packages.split()}.isdisjoint(sys.modules)
        for name in names:
            assert getattr(vecbleu, name).__name__.rpartition(".")[2] == name
        assert names <= {*vars(vecbleu)}
    """
    assert output_of(code) == ""
    with pytest.raises(AttributeError, match="module 'vecbleu' has no attribute 'blue'"):
        vecbleu.blue  # noqa: B018


@pytest.mark.slow
@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.2.0", reason="NumPy's own types are too old"
)
def test_calls_are_typed_and_wrong_ones_refused():
    """By mypy: nothing in one program, and in the other what its comments say."""
    pytest.importorskip("mypy")
    folder, wrong = ROOT / "tests" / "typed", "wrong_calls.py"
    command = [sys.executable, "-m", "mypy", "--strict", "--show-error-codes", "user_program.py"]
    with_package = {"cwd": folder, "env": os.environ | {"MYPYPATH": str(ROOT)}}
    printed = subprocess.run([*command, wrong], **with_package, capture_output=True, text=True)
    errors = re.findall(r"^(.*?):(\d+): error: .*\[([\w-]+)\]$", printed.stdout, flags=re.M)
    lines = enumerate((folder / wrong).read_text().splitlines(), 1)
    expected = {(wrong, str(n), line.split("  # ")[1]) for n, line in lines if "  # " in line}
    assert {*errors} == expected
