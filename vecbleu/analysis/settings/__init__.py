"""Find the settings that give a score: count text by each metric, and score it in all ways.

`files` changes the lines, `ways` counts and scores as commands do, `nltk` scores as NLTK does.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import NamedTuple

from vecbleu.analysis.settings.files import File, changed_files
from vecbleu.analysis.settings.nltk import scored_by_nltk
from vecbleu.analysis.settings.ways import Scored, count_files, scored_by_commands, ways_of_commands
from vecbleu.arguments.errors import ArgumentError
from vecbleu.arguments.options import RunOptions
from vecbleu.inputs.alignment import Hypotheses, References, align_text

# By the number of options that are changed, the most time that a metric may take, as a multiple of
# that of words by 13a: on the files as they are, and on changed files.
_MOST_COST = {0: 20.0, 1: 20.0, 2: 5.0}
_MOST_COST_OF_CHANGED = {0: 2.0, 1: 2.0}

# The highest score: an error rate may be above 100.
_HIGHEST = 10_000

# Decimals in which different scores differ; and what rounding may add to a distance.
_DIGITS = 11
_ROUNDING = 1e-9


class Setting(NamedTuple):
    """A way to score text, and the score.

    Parameters
    ----------
    score : float
        The score, between 0 and 1; an error rate can be higher.
    command : str
        A line for a shell that prints the score.
    signature : str
        The name of the score, and its signature.
    distance : float
        How far the score is from those that are printed as the given one, in the same units; 0 if
        it is one of them.
    """

    score: float
    command: str
    signature: str
    distance: float


Setting.__module__ = "vecbleu"


def find_settings(
    hypotheses: Hypotheses,
    references: References,
    score: float | str,
    *,
    workers: int | None = None,
) -> list[Setting]:
    """Find the settings that give a score, such as one that somebody else has published.

    All metrics are tried with the defaults, and with one or two changes of them. A change is
    another value of an option, such as a tokenizer that is installed; the mean of the scores of all
    lines instead of that of the corpus; or other lines: one of several references, sides swapped,
    lines shifted by one or missing, the first lines only, another normal form, text detokenized.
    NLTK's BLEU is tried, too, with tokens at white space and those of 13a.

    Parameters
    ----------
    hypotheses, references : sequence (segments,)
        Text, as for `vecbleu.corpus_bleu`; the same number of references for each segment.
    score : float or str
        The score as it was printed, from 0 to 100 or from 0 to 1. Each digit counts: 30.6 is what
        30.55 to 30.65 are printed as, and "30.60" what 30.595 to 30.605 are.
    workers : int, optional
        As for `vecbleu.corpus_bleu`.

    Returns
    -------
    list of Setting
        All different scores, the nearest first. Those that match are in the order of the list
        above: those with the fewest changes of options first, those of other lines last.

    Raises
    ------
    TypeError, ValueError
        The score is no number from 0 to 10,000, there is no text, or segments differ in their
        number of references.

    Examples
    --------
    >>> import vecbleu
    >>> hypotheses = ["The cat sat on the mat!", "It rained all day long"]
    >>> references = ["The cat sat on a mat!", "it rained the whole day long"]
    >>> for setting in vecbleu.find_settings(hypotheses, references, "34.95"):
    ...     if not setting.distance:
    ...         print(setting.command)
    vecbleu REF1 -i SYS -lc
    """
    corpus = align_text(hypotheses, references, "find_settings")
    each = corpus.references_each()
    if not isinstance(each, int):
        found = "has no segments, or segments with different numbers of references"
        raise ArgumentError(found, "the same number for each", argument="references")
    files = [File("SYS", corpus.hypotheses)]
    for index in range(each):
        file = File(f"REF{index + 1}", corpus.references[index::each])
        files.append(file)
    return settings_of_files(files, score, workers)


def settings_of_files(files: list[File], score: float | str, workers: int | None) -> list[Setting]:
    """Return the settings of a score, with commands that read these files."""
    run = RunOptions.checked(workers=workers)
    number, half = _number(score)
    if not files[0].lines:
        raise ArgumentError("has 0 segments", "at least one", argument="hypotheses")
    ways = ways_of_commands(_MOST_COST)
    tables = count_files(files, ways, run)
    scored: list[Scored] = []
    scored += scored_by_commands(files, ways, tables, 2)
    scored += scored_by_nltk(files, tables)
    usual = ways_of_commands(_MOST_COST_OF_CHANGED)
    for changed in changed_files(files):
        tables = count_files(changed, usual, run)
        scored += scored_by_commands(changed, usual, tables, 1)
    settings: dict[float, Setting] = {}
    for value, command, signature in scored:
        # The given score is from 0 to 100, or from 0 to 1.
        given = float(value)
        distances = [abs(given / unit - number) - half for unit in (0.01, 1)]
        setting = Setting(given, command, signature, max(0.0, min(distances)))
        settings.setdefault(round(given, _DIGITS), setting)
    return sorted(settings.values(), key=attrgetter("distance"))


def _number(score: float | str) -> tuple[float, float]:
    """Return a score as a number, and half of its last digit."""
    printed = f"{score}".strip()
    is_number = re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", printed)
    if not is_number or float(printed) > _HIGHEST:
        expected = f"a score from 0 to {_HIGHEST:,} as it is printed, such as 30.6 or 0.306"
        raise ArgumentError(f"is {score!r}", expected, argument="score")
    _, _, decimals = printed.partition(".")
    return float(printed), 0.5 / 10 ** len(decimals) + _ROUNDING
