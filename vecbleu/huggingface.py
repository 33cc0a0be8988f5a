"""Metrics of `evaluate` by Hugging Face, without it: bleu, chrf, google_bleu, sacrebleu and ter.

``vecbleu.huggingface.load("bleu").compute`` replaces ``evaluate.load("bleu").compute``, and
``combine`` replaces ``evaluate.combine``. Nothing is downloaded.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from itertools import chain
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from vecbleu.arguments.checks import checked_bool, checked_integer, checked_name
from vecbleu.arguments.errors import ArgumentError, ArgumentTypeError, Place, argument, checked_each
from vecbleu.arguments.options import Executor
from vecbleu.bleu.metric import Bleu
from vecbleu.bleu.options import CountOptions, RefLength
from vecbleu.bleu.second_look import look_again
from vecbleu.bleu.shared import SharedReferences
from vecbleu.core.corpus import Corpus, TextCorpus, TokenCorpus
from vecbleu.core.count import count_rows, count_total
from vecbleu.inputs import columns
from vecbleu.inputs.alignment import Column, align, listed_strings, listed_values
from vecbleu.inputs.columns import reference_rows
from vecbleu.inputs.doubts import warn_of_corpus
from vecbleu.inputs.mistakes import are_rows, are_strings, no_reference
from vecbleu.text.edits import Normalize
from vecbleu.text.tokenize_13a import split_13a, tokenize_13a
from vecbleu.text.tokenizer import ByteTokenizer

__all__ = ["bleu", "chrf", "combine", "google_bleu", "load", "sacrebleu", "ter"]

Predictions = Iterable[str] | Column
References = Iterable[str | Sequence[str] | npt.NDArray[np.str_]] | Column
Unit = Sequence[Hashable] | npt.NDArray[Any]  # a text, or its tokens
TokenizerFunction = Callable[[str], Unit]
Scores = dict[str, Any]  # numbers, and lists of numbers

# `evaluate`'s copy of sacreBLEU's 13a, which does not strip lines first.
# Keeps a hyphen and newlines that end a unit.
_EVALUATES_13A = ByteTokenizer(
    "13a", partial(tokenize_13a, strips=False), partial(split_13a, strips=False)
)

# Options of `evaluate.load` and of its metrics' classes. Some choose what is computed; here are the
# values for which this module computes the same. Others change no result.
_CHOOSING: dict[str, list[object]] = {
    "num_process": [1],
    "process_id": [0],
    "config_name": [None, "default"],
    "module_type": [None, "metric"],
    "revision": [None],
}
_WITHOUT_EFFECT = (
    "cache_dir experiment_id keep_in_memory download_config download_mode seed hash "
    "max_concurrent_cache_files timeout"
)

# How to add up the segments of several processes.
_ADD = "in each, and add up their states"
_ADD_PERCENT = f"{_ADD}; the percent of its score is the score here"
_PROCESSES = {
    "bleu": f'update vecbleu.Accumulator(ref_length="shortest", smoothing="none") {_ADD}',
    "chrf": f"update vecbleu.chrf.ChrfAccumulator() {_ADD_PERCENT}",
    "google_bleu": "vecbleu.Accumulator has no google_bleu; gather the segments in one process",
    "sacrebleu": f"update vecbleu.Accumulator() {_ADD_PERCENT}",
    "ter": f"update vecbleu.ter.TerAccumulator() {_ADD_PERCENT}",
}

Arguments = ParamSpec("Arguments")
Returned = TypeVar("Returned")


def _by_name(function: Callable[Arguments, Returned]) -> Callable[Arguments, Returned]:
    """Let the error for an unknown argument, or one without its name, say the names of all."""
    spec = inspect.getfullargspec(function)
    most_places = len(spec.args)  # 1 for methods
    known = ", ".join(f"{name}=" for name in spec.kwonlyargs)
    unique = set(spec.kwonlyargs)

    @wraps(function)
    def call(*args: Arguments.args, **named: Arguments.kwargs) -> Returned:
        if len(args) > most_places:
            raise TypeError(f"{function.__name__} takes arguments by name only: {known}")
        if not spec.varkw and not named.keys() <= unique:
            unknown = ", ".join(named.keys() - unique)
            raise TypeError(f"{function.__name__} takes no {unknown}; it takes {known}")
        return function(*args, **named)

    return call


class Metric:
    """Metric with the methods of `evaluate`'s, as returned by `load`."""

    def __init__(self, name: str, function: Callable[..., Scores]) -> None:
        self.name = name
        self._function = function
        self._added: list[tuple[list[str], list[Sequence[str]]]] = []

    @_by_name
    def add(self, *, prediction: str, reference: str | Sequence[str]) -> None:
        """Add a segment, which the next `compute` scores."""
        self.add_batch(predictions=[prediction], references=[reference])

    @_by_name
    def add_batch(self, *, predictions: Predictions, references: References) -> None:
        """Add segments, which the next `compute` scores."""
        self._added.append(_sides(predictions, references))

    @_by_name
    def compute(
        self,
        *,
        predictions: Predictions | None = None,
        references: References | SharedReferences | None = None,
        **options: object,
    ) -> Scores:
        """Score these segments and all that were added; then forget them."""
        added = self._added
        is_given = predictions is not None or references is not None
        if not added and not is_given:
            raise ValueError(
                "there is nothing to score: predictions is None, and nothing was added since the "
                "last compute; pass predictions=..., references=..., or call add_batch before"
            )
        if added:
            if is_given:
                added = [*added, _sides(predictions, references)]
            predictions = [unit for hypotheses, _ in added for unit in hypotheses]
            references = [texts for _, lists in added for texts in lists]
        scores = self._function(predictions=predictions, references=references, **options)
        self._added = []
        return scores


def load(name: str, **options: object) -> Metric:
    """Return a metric by name, as `evaluate.load` does.

    Parameters
    ----------
    name : {"bleu", "chrf", "google_bleu", "sacrebleu", "ter"}
        Name of the metric: its `compute` takes the arguments of the function of the same name in
        this module.
    **options
        Options of `evaluate.load`. Those that change no result, such as cache_dir, have no effect.
        Of config_name, module_type, revision, num_process and process_id, only the defaults are
        taken; `vecbleu.Accumulator` adds up several processes.

    Returns
    -------
    Metric

    Raises
    ------
    TypeError
        `evaluate.load` has no such option; options of the score are for `compute`.
    ValueError
        There is no metric of that name, or an option asks for another computation.

    Examples
    --------
    >>> from vecbleu.huggingface import load
    >>> load("google_bleu").compute(predictions=["the cat sat"], references=[["a cat sat"]])
    {'google_bleu': 0.5}
    >>> metric = load("google_bleu", keep_in_memory=True)
    >>> metric.add(prediction="the cat sat", reference=["a cat sat"])
    >>> metric.add_batch(predictions=["it rained"], references=[["it rained"]])
    >>> round(metric.compute()["google_bleu"], 4)
    0.6667
    """
    metrics = {function.__name__: function for function in _FUNCTIONS}
    with argument("name"):
        checked_name(name, metrics)
    for option, value in options.items():
        if option not in [*_CHOOSING, *_WITHOUT_EFFECT.split()]:
            raise TypeError(
                f"load takes no {option}; if it is of the score, use compute({option}=...)"
            )
        if value not in _CHOOSING.get(option, [value]):
            raise ValueError(_refusal(name, option, value))
    return Metric(name, metrics[name])


def combine(
    evaluations: Sequence[str | Metric] | Mapping[str, str | Metric], force_prefix: bool = False
) -> Metric:
    """Return several metrics as one, as `evaluate.combine` does.

    Parameters
    ----------
    evaluations : sequence or dict of metrics, or of their names for `load`
        The keys of a dict name the metrics in prefixes.
    force_prefix : bool
        Put the name of its metric before each key of the result; by default only before keys that
        several metrics have. Of metrics with equal names, it is followed by their number from 0.

    Returns
    -------
    Metric
        Its `compute` passes segments and options to all metrics, and returns one dict.

    Raises
    ------
    TypeError, ValueError
        As for `load`; or `evaluations` is a single string.

    Examples
    --------
    >>> from vecbleu.huggingface import combine
    >>> both = combine(["chrf", "ter"])
    >>> scores = both.compute(predictions=["the cat sat"], references=[["a cat sat"]])
    >>> round(scores["chrf_score"], 2), round(scores["ter_score"], 2), scores["num_edits"]
    (67.23, 33.33, 1)
    """
    if isinstance(evaluations, str):
        found = f"is {evaluations!r}"
        raise ArgumentTypeError(found, "a list or a dict of metrics", argument="evaluations")
    named = evaluations if isinstance(evaluations, Mapping) else {}
    chosen: Iterable[Any] = named.values() or evaluations
    metrics = [value if isinstance(value, Metric) else load(value) for value in chosen]
    names = list(named) or [metric.name for metric in metrics]
    prefixes = [
        f"{name}_{names[:index].count(name)}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]

    def compute(**arguments: Any) -> Scores:
        for name, value in arguments.items():
            arguments[name] = list(value) if isinstance(value, Iterator) else value
        results = [metric.compute(**arguments) for metric in metrics]
        counts = Counter(chain.from_iterable(results))
        merged: Scores = {}
        for prefix, result in zip(prefixes, results, strict=True):
            for key, value in result.items():
                is_alone = counts[key] == 1 and not force_prefix
                merged[key if is_alone else f"{prefix}_{key}"] = value
        return merged

    return Metric("combine", compute)


def _refusal(name: str, option: str, value: object) -> str:
    """Say why `load` refuses the value of an option, and what to write instead."""
    refused = f"{option} is {value!r}, expected {_CHOOSING[option][-1]!r}"
    if option not in ("num_process", "process_id"):
        return f"{refused}: there is one {name} here; leave {option} out"
    return f"{refused}: a metric scores the segments of its own process; {_PROCESSES[name]}"


@_by_name
def bleu(
    *,
    predictions: Predictions,
    references: References | SharedReferences,
    tokenizer: TokenizerFunction | str | None = None,
    normalize: Normalize | None = None,
    max_order: int = 4,
    smooth: bool = False,
) -> Scores:
    """Score a corpus as `evaluate`'s "bleu" does: BP * exp(sum over n of ln(p_n) / N).

    BP = 1 if translation_length > reference_length, else exp(1 - 1 / length_ratio). The shortest
    reference of each segment gives its reference length. BLEU is 0 if any precision is 0.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        Texts to score.
    references : sequence (segments,) of str or of sequences of str
        One string per prediction, or a sequence of any number of strings; or a
        `vecbleu.SharedReferences` with the same tokenizer.
    tokenizer : callable or str, optional
        Function from a string to a sequence of hashable tokens, or the name of a tokenizer of
        `vecbleu.corpus_bleu`. By default `evaluate`'s copy of sacreBLEU's 13a.
    normalize : str, optional
        As for `vecbleu.corpus_bleu`; `evaluate` has no such option.
    max_order : int
        Length of the longest n-grams counted, N.
    smooth : bool
        Add 1 to matches and totals of every order (Lin and Och 2004).

    Returns
    -------
    dict
        bleu (between 0 and 1), precisions (list of N floats between 0 and 1), brevity_penalty,
        length_ratio (translation_length / reference_length), translation_length and
        reference_length (tokens).

    Raises
    ------
    TypeError
        A text is not a string, `tokenizer` does not return a sequence of hashable tokens, or an
        option has the wrong type.
    ValueError
        Predictions and references differ in length, a prediction has no reference, `max_order` is
        below 1, or the tokenizer is unknown.

    Notes
    -----
    Results equal `evaluate`'s on the same Python version, bit for bit. (Its formula uses the
    built-in `sum`, which rounds differently since Python 3.12.)

    If translation_length or reference_length is 0, `evaluate` divides by zero. Here,
    brevity_penalty and bleu are 0 if translation_length is 0. If only reference_length is 0,
    length_ratio is 0 and brevity_penalty is 1.

    The default tokenizer differs from "13a" of `vecbleu.corpus_bleu` for segments that end in a
    hyphen and a newline: sacreBLEU strips the newline first, `evaluate` does not.

    Examples
    --------
    >>> from vecbleu.huggingface import bleu
    >>> bleu(
    ...     predictions=["hello there general kenobi", "foo bar foobar"],
    ...     references=[["hello there general kenobi", "hello there!"], ["foo bar foobar"]],
    ... )  # doctest: +NORMALIZE_WHITESPACE
    {'bleu': 1.0, 'precisions': [1.0, 1.0, 1.0, 1.0], 'brevity_penalty': 1.0,
     'length_ratio': 1.1666666666666667, 'translation_length': 7, 'reference_length': 6}

    References
    ----------
    `evaluate`'s metrics/bleu, which calls nmt/scripts/bleu.py of TensorFlow's NMT; Papineni et al.
    (2002); Lin and Och (2004), "ORANGE", COLING.
    """
    with argument("smooth"):
        smooth = checked_bool(smooth)
    counting = _counting(tokenizer, normalize, max_order, "shortest")
    if isinstance(references, SharedReferences):
        if tokenizer is None:  # they were prepared with sacreBLEU's 13a
            references = SharedReferences.of(references.side, counting)
        with argument("predictions"):
            hypotheses = listed_strings(predictions)
        shared = align(hypotheses, references)
        return _nmt_bleu(count_total(shared, Bleu(counting)), smooth)
    kind, units, lists = _units(predictions, references, tokenizer, counting)
    if 0 in (sizes := list(map(len, lists))):
        raise no_reference(sizes.index(0), "empty")
    corpus = kind.of_lists(units, lists, _place)
    if kind is TextCorpus:
        warn_of_corpus(
            corpus,
            "predictions",
            counting.tokenize.name,
            (predictions, references),
            normalize=counting.normalize,
        )
    metric = Bleu(counting)
    counts = count_total(corpus, metric)
    look_again(corpus, metric, counts, "predictions")
    return _nmt_bleu(counts, smooth)


def _nmt_bleu(row: list[int], smooth: bool) -> Scores:
    """Compute BLEU with the operations of nmt/scripts/bleu.py."""
    translation_length, reference_length, *counts = row
    orders = len(counts) // 2
    pairs = zip(counts[:orders], counts[orders:], strict=True)
    precisions = [(match + smooth) / (n + smooth) if n + smooth else 0.0 for match, n in pairs]
    mean = 0.0
    if min(precisions) > 0:
        mean = math.exp(sum((1.0 / orders) * math.log(p) for p in precisions))
    ratio = translation_length / reference_length if reference_length else 0.0
    if not translation_length:
        penalty = 0.0
    elif ratio > 1.0 or not reference_length:
        penalty = 1.0
    else:
        penalty = math.exp(1 - 1.0 / ratio)
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": translation_length,
        "reference_length": reference_length,
    }


@_by_name
def google_bleu(
    *,
    predictions: Predictions,
    references: References,
    tokenizer: TokenizerFunction | str | None = None,
    normalize: Normalize | None = None,
    min_len: int = 1,
    max_len: int = 4,
) -> dict[str, float]:
    """Score a corpus as `evaluate`'s "google_bleu" does: sum of matches / sum of n-grams.

    The counts of all orders are added up. The number of n-grams of a segment is that of the
    prediction or of the reference, whichever is larger. If a prediction has several references,
    only the one with the highest matches / n-grams is used; if several tie, the first of them.

    Parameters
    ----------
    predictions, references, tokenizer, normalize
        As for `bleu`. A prediction with an empty list of references is left out, as in NLTK.
    min_len, max_len : int
        Lengths of the shortest and the longest n-grams counted.

    Returns
    -------
    dict
        google_bleu (between 0 and 1), equal to NLTK's `corpus_gleu` bit for bit; 0 if there are no
        n-grams.

    Raises
    ------
    TypeError, ValueError
        As for `bleu`; or `min_len` is below 1 or above `max_len`.

    Examples
    --------
    >>> from vecbleu.huggingface import google_bleu
    >>> google_bleu(predictions=["the cat sat"], references=[["a cat sat", "the dog"]])
    {'google_bleu': 0.5}

    References
    ----------
    Wu et al. (2016), "Google's neural machine translation system", section 8.2;
    nltk.translate.gleu_score of NLTK 3.10; `evaluate`'s metrics/google_bleu.
    """
    with argument("min_len"):
        checked_integer(min_len, 1)
    with argument("max_len"):
        checked_integer(max_len, min_len, or_else=" (min_len)")
    counting = _counting(tokenizer, normalize, max_len, "closest")
    kind, units, lists = _units(predictions, references, tokenizer, counting)
    places = [(segment, k) for segment, entry in enumerate(lists) for k in range(len(entry))]
    corpus = kind(
        [units[segment] for segment, _ in places],
        list(chain.from_iterable(lists)),
        np.arange(len(places) + 1),
        lambda pair, k: _place(places[pair][0], k if k < 0 else places[pair][1]),
    )
    if kind is TextCorpus:
        warn_of_corpus(
            corpus,
            "predictions",
            counting.tokenize.name,
            (predictions, references),
            normalize=counting.normalize,
        )
    rows = count_rows(corpus, Bleu(counting))
    used = np.arange(min_len - 1, max_len)
    matches = rows[:, 2 + used].sum(axis=1)
    totals = rows[:, 2 + max_len + used].sum(axis=1)
    of_reference = np.maximum(rows[:, 1:2] - used, 0).sum(axis=1)
    ngrams = np.maximum(totals, of_reference)
    # NLTK skips references if neither side has n-grams.
    scores = np.where(ngrams > 0, matches / np.maximum(ngrams, 1), -1.0)
    segments = np.array([segment for segment, _ in places], np.int64)
    best_first = np.lexsort((-scores, segments))
    chosen = best_first[np.unique(segments, return_index=True)[1]]
    total = int(ngrams[chosen].sum())
    return {"google_bleu": int(matches[chosen].sum()) / total if total else 0.0}


@_by_name
def sacrebleu(
    *,
    predictions: Predictions,
    references: References | SharedReferences,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> Scores:
    """Score a corpus as `evaluate`'s "sacrebleu" does, with a list of references per prediction.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        Texts to score.
    references : sequence (segments,) of str or of sequences of str
        One string per prediction, or the same number of strings for each; or a
        `vecbleu.SharedReferences`.
    smooth_method, smooth_value, force, lowercase
        As for `vecbleu.sacrebleu.BLEU`.
    tokenize : str, optional
        Name of a tokenizer, as for `vecbleu.sacrebleu.BLEU`; by default "13a".
    use_effective_order : bool
        Leave out orders that the predictions are too short for.

    Returns
    -------
    dict
        score (between 0 and 100), counts and totals (lists of N), precisions (list of N numbers
        between 0 and 100), bp, sys_len and ref_len.

    Raises
    ------
    TypeError
        A text is not a string.
    ValueError
        Predictions and references differ in length, a prediction has no reference, predictions
        differ in their number of references (`vecbleu.corpus_bleu` allows that), there are no
        predictions, or an option is unknown.

    Examples
    --------
    >>> from vecbleu.huggingface import sacrebleu
    >>> scores = sacrebleu(
    ...     predictions=["hello there general kenobi", "foo bar foobar"],
    ...     references=[
    ...         ["hello there general kenobi", "hello there !"],
    ...         ["foo bar foobar", "foo bar"],
    ...     ],
    ... )
    >>> scores["counts"], scores["totals"], scores["bp"], scores["sys_len"], scores["ref_len"]
    ([7, 5, 3, 1], [7, 5, 3, 1], 1.0, 7, 7)
    >>> round(scores["score"], 6)
    100.0

    References
    ----------
    Post (2018), "A call for clarity in reporting BLEU scores", WMT; `evaluate`'s
    metrics/sacrebleu.
    """
    from vecbleu.sacrebleu import BLEU  # "bleu" does not need it

    if isinstance(references, SharedReferences):
        with argument("predictions"):
            hypotheses = listed_strings(predictions)
        streams: list[tuple[str, ...]] | SharedReferences = references
    else:
        hypotheses, lists = _sides(predictions, references)
        streams = _streams(lists)
    if not hypotheses:
        found, advice = "has 0 segments", "there is nothing to score"
        raise ArgumentError(found, advice=advice, argument="predictions")
    options = lowercase, force, tokenize or None, smooth_method, smooth_value
    metric = BLEU(*options, effective_order=use_effective_order)
    result = metric.corpus_score(hypotheses, streams)
    names = "score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"
    return {name: getattr(result, name) for name in names}


@_by_name
def chrf(
    *,
    predictions: Predictions,
    references: References,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    lowercase: bool = False,
    normalize: Normalize | None = None,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Scores:
    """Score a corpus as `evaluate`'s "chrf" does, with a list of references per prediction.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        Texts to score.
    references : sequence (segments,) of str or of sequences of str
        One string per prediction, or a sequence of any number of strings.
    char_order, word_order, beta, lowercase, normalize, whitespace, eps_smoothing, workers, progress
        As for `vecbleu.chrf.corpus_chrf`: `word_order` is 2 for chrF++.

    Returns
    -------
    dict
        score (between 0 and 100), equal to sacreBLEU's bit for bit; char_order, word_order and
        beta, as they were passed.

    Raises
    ------
    TypeError
        A text is not a string, or an option has the wrong type.
    ValueError
        Predictions and references differ in length, a prediction has no reference, or an option is
        out of range.

    Examples
    --------
    >>> from vecbleu.huggingface import chrf
    >>> predictions = ["The cat sat on the mat.", "A dog barked."]
    >>> references = [["The cat sat on a mat.", "A cat sat on the mat."], ["A dog barks."]]
    >>> scores = chrf(predictions=predictions, references=references, word_order=2)
    >>> round(scores.pop("score"), 2), scores
    (81.25, {'char_order': 6, 'word_order': 2, 'beta': 2})

    References
    ----------
    Popović (2015), "chrF: character n-gram F-score for automatic MT evaluation", WMT; `evaluate`'s
    metrics/chrf.
    """
    from vecbleu.chrf import corpus_chrf  # "bleu" does not need it

    hypotheses, lists = _sides(predictions, references)
    score = corpus_chrf(
        hypotheses,
        lists,
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        normalize=normalize,
        whitespace=whitespace,
        eps_smoothing=eps_smoothing,
        workers=workers,
        progress=progress,
    )
    keys = {"char_order": char_order, "word_order": word_order, "beta": beta}
    return {"score": score.percent, **keys}


@_by_name
def ter(
    *,
    predictions: Predictions,
    references: References,
    normalized: bool = False,
    ignore_punct: bool = False,
    support_zh_ja_chars: bool = False,
    case_sensitive: bool = False,
    normalize: Normalize | None = None,
    workers: int | Executor | None = None,
    progress: bool | None = False,
) -> Scores:
    """Score a corpus as `evaluate`'s "ter" does, with a list of references per prediction.

    Parameters
    ----------
    predictions : sequence of str (segments,)
        Texts to score.
    references : sequence (segments,) of str or of sequences of str
        One string per prediction, or a sequence of any number of strings.
    normalized, case_sensitive, normalize, workers, progress
        As for `vecbleu.ter.corpus_ter`.
    ignore_punct, support_zh_ja_chars : bool
        As `no_punct` and `asian_support` of `vecbleu.ter.corpus_ter`.

    Returns
    -------
    dict
        score (TER times 100: lower is better), num_edits (int) and ref_length (float), equal to
        sacreBLEU's.

    Raises
    ------
    TypeError
        A text is not a string, or an option is not a bool.
    ValueError
        Predictions and references differ in length, or a prediction has no reference.

    Examples
    --------
    >>> from vecbleu.huggingface import ter
    >>> ter(predictions=["on the mat the cat sat"], references=[["the cat sat on a mat"]])
    {'score': 33.33333333333333, 'num_edits': 2, 'ref_length': 6.0}

    References
    ----------
    Snover et al. (2006), "A study of translation edit rate with targeted human annotation", AMTA;
    `evaluate`'s metrics/ter.
    """
    from vecbleu.ter import corpus_ter  # "bleu" does not need it

    with argument("ignore_punct"):
        no_punct = checked_bool(ignore_punct)
    with argument("support_zh_ja_chars"):
        asian_support = checked_bool(support_zh_ja_chars)
    hypotheses, lists = _sides(predictions, references)
    score = corpus_ter(
        hypotheses,
        lists,
        normalized=normalized,
        no_punct=no_punct,
        asian_support=asian_support,
        case_sensitive=case_sensitive,
        normalize=normalize,
        workers=workers,
        progress=progress,
    )
    return {"score": score.percent, "num_edits": score.edits, "ref_length": score.ref_len}


_FUNCTIONS = (bleu, chrf, google_bleu, sacrebleu, ter)


def _counting(
    tokenizer: TokenizerFunction | str | None,
    normalize: Normalize | None,
    max_order: int,
    ref_length: RefLength,
) -> CountOptions:
    name = "13a" if tokenizer is None else tokenizer
    counting = CountOptions.checked(
        tokenize=name, normalize=normalize, max_order=max_order, ref_length=ref_length
    )
    return replace(counting, tokenize=_EVALUATES_13A) if tokenizer is None else counting


def _sides(predictions: object, references: object) -> tuple[list[str], list[Sequence[str]]]:
    """Return checked predictions, and the references of each."""
    with argument("predictions"):
        hypotheses = listed_strings(predictions)
    if columns.accepts(references):
        with argument("references"):
            rows = reference_rows(references, of_text=True)
    else:
        with argument("references"):
            rows = listed_values(references)
    if len(hypotheses) != len(rows):
        found = f"has {len(hypotheses)} segments but references has {len(rows)}"
        raise ArgumentError(found, argument="predictions")
    lists = [(row,) if isinstance(row, str) else row for row in rows]
    if not (are_rows(lists) and are_strings(chain.from_iterable(lists))):
        with argument("references"):
            lists = checked_each(listed_strings, lists)
    return hypotheses, lists


def _streams(lists: list[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return streams of references; all segments need the same number of them."""
    for i, texts in enumerate(lists):
        if len(texts) != len(lists[0]):
            found = f"has {len(texts)} references but references[0] has {len(lists[0])}"
            advice = "vecbleu.corpus_bleu takes any number"
            raise ArgumentError(found, advice=advice, argument="references", index=(i,))
    return list(zip(*lists, strict=True))


def _units(
    predictions: Predictions,
    references: References,
    tokenizer: TokenizerFunction | str | None,
    counting: CountOptions,
) -> tuple[type[Corpus], Sequence[Unit], Sequence[Sequence[Unit]]]:
    """Return both sides as text, or as tokens of the user's function."""
    hypotheses, lists = _sides(predictions, references)
    if not callable(tokenizer):
        return TextCorpus, hypotheses, lists
    # References first, as in `evaluate`: the order matters for functions with a state.
    with argument("references"):
        tokens = checked_each(partial(_tokens, tokenizer, counting.edit), lists)
    with argument("predictions"):
        return TokenCorpus, _tokens(tokenizer, counting.edit, hypotheses), tokens


def _tokens(
    tokenizer: TokenizerFunction, edit: Callable[[str], str], texts: Sequence[str]
) -> list[Unit]:
    units = list(map(tokenizer, map(edit, texts)))
    for index, unit in enumerate(units):
        if not isinstance(unit, (Sequence, np.ndarray)):
            found = f"makes tokenizer return {type(unit).__name__}"
            raise ArgumentTypeError(found, "a list", index=(index,))
    return units


def _place(segment: int, reference: int) -> Place:
    return ("predictions", segment) if reference < 0 else ("references", segment, reference)
