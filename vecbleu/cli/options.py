"""All options of the command line, and the commands that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vecbleu._version import __version__
from vecbleu.arguments.options import OptionGroup
from vecbleu.bleu.options import SMOOTHING_VALUES, CountOptions, ScoreOptions
from vecbleu.core.metric import METRICS, metric_named
from vecbleu.files.sources import FORMATS as TABLES
from vecbleu.show.table import LEVEL
from vecbleu.text.edits import TextOptions

FORMATS = "json", "text", "latex"

# N-grams that `compare` lists; and the number of outputs above which it lists none unless asked,
# because they would take longer than everything else.
NGRAMS, MOST_OUTPUTS = 5, 100_000

# Commands that draw, show scores, read references, smooth, test. Each kind of `plot` is one.
_PLOTS = "plot-scores plot-pairs plot-precisions plot-groups"
_SCORES = f"scoring rank compare explain report {_PLOTS}"
_TEXT = f"{_SCORES} stats"
_SMOOTHED = f"{_SCORES} mbr"
_ALL = f"{_TEXT} mbr"
_READ = f"{_ALL} settings"
_METRICS = "scoring rank report compare"
_ONE_OF_ALL = "stats plot-scores plot-pairs plot-groups"
ONE_METRIC = f"{_ONE_OF_ALL} mbr"
_TESTS = "rank compare report plot-scores plot-pairs"

# Columns to choose for LaTeX.
_COLUMNS = *METRICS, "interval", "cluster", "difference", "p"

# Metrics as they are written behind -m.
_NAMES = list(map(str.lower, METRICS))
_BLEU = ["bleu"]
_OF_NGRAMS = [name for name in _NAMES if hasattr(metric_named(name), "pair_scores")]

# Commands that score by each of them.
_TAKERS = dict.fromkeys(_NAMES, f"{_METRICS} {_ONE_OF_ALL}")
_TAKERS |= dict.fromkeys(_OF_NGRAMS, f"{_METRICS} {ONE_METRIC}")

# Kinds of options, as argparse is told of them.
_COUNT: dict[str, object] = {"type": int, "metavar": "N"}
_COUNTS = {"type": int, "metavar": "N", "nargs": "+"}
_NUMBER: dict[str, object] = {"type": float, "metavar": "X"}
_NAME: dict[str, object] = {"metavar": "NAME"}
_LIST = {"metavar": "NAME", "nargs": "+"}
_FILE: dict[str, object] = {"metavar": "FILE"}
_STRING: dict[str, object] = {"metavar": "TEXT"}
_SYSTEMS = {"metavar": "SYS", "nargs": "+", "action": "extend"}
_SYSTEM_NAMES = {"metavar": "NAME", "nargs": "+", "action": "extend"}
_FLAG: dict[str, object] = {"action": "store_true", "default": False}


class Option(NamedTuple):
    """An option or argument: what argparse is told of it, and the commands that have it."""

    names: str
    commands: str
    help: str
    kind: Mapping[str, object] = _FLAG
    least: int | None = None  # if no function in Python checks it
    is_required: bool = False
    default: object = None
    choices: Sequence[str] | None = None
    value: str = ""  # its name, if argparse would derive another one

    @property
    def dest(self) -> str:
        """The name of the value."""
        return self.value or _dest(self.names)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the keywords of argparse's `add_argument`."""
        settings: dict[str, Any] = {**self.kind}
        if self.choices is not None:
            settings["choices"] = self.choices
        if self.value:
            settings["dest"] = self.value
        return settings


def dests(group: type[OptionGroup]) -> dict[str, str]:
    """Return the names of values on the command line, by the keywords of Python functions."""
    known = group.declared.items()
    return {keyword: _dest(declared.flags) for keyword, declared in known if declared.flags}


def _dest(names: str) -> str:
    return names.split()[-1].strip("-").replace("-", "_")


def _declared(group: type[OptionGroup], keyword: str, commands: str) -> Option:
    """Return an option as a metric declares it: with its flags, its default and its help."""
    declared = group.declared[keyword]
    text, default = declared.summary, declared.default
    if default is not None and not isinstance(default, bool) and "(default" not in text:
        text += f" (default: {default})"
    kinds = {bool: _FLAG, int: _COUNT, float: _NUMBER}
    kind = kinds.get(type(declared.check(default)), _NAME)
    return Option(declared.flags, commands, text, kind, value=_dest(declared.flags))


# fmt: off
OPTIONS = {
    "files": [
        Option("references", _READ, "references, one file each", {"metavar": "REF", "nargs": "*"}),
        Option("-i --input", "scoring", "system outputs, one file each (default: stdin, one "
            "system per tab-separated column); .npz: statistics, need no REF", _SYSTEMS),
        Option("-i --input", "explain", "system outputs, one file each", _SYSTEMS),
        Option("-i --input", "settings", "output of the system", _SYSTEMS, is_required=True),
        Option("--score", "settings", "the score with its printed digits, from 0 to 100 or from 0 "
            "to 1", {"metavar": "X"}, is_required=True),
        Option("-i --input", f"rank compare report stats {_PLOTS}",
            "system outputs, one file each; .npz: statistics, need no REF", _SYSTEMS,
            is_required=True),
        Option("-i --input", "mbr", "candidates: an n-best list (NUMBER ||| TEXT ||| ...), or "
            "with -n lines, one source after the other", _FILE, is_required=True),
        Option("-n", "mbr", "lines per source, if -i is no n-best list", _COUNT, 1),
        Option("-p", "mbr", "lines per source, if REF is no n-best list; 1 for a file of "
            "real references, by which the choice is the oracle", _COUNT, 1),
        Option("--log-probs", "mbr", "log-probability of each pseudo-reference, one a line: "
            "weights the mean by their softmax", _FILE),
        Option("--leave-one-out", "mbr", "do not score a candidate against itself"),
        Option("-o --output", f"report stats {_PLOTS}",
            "output (report: .html; stats: .npz; plot: .png, .svg or .pdf)", _FILE,
            is_required=True),
        Option("--names", _SCORES, "names of the systems", _SYSTEM_NAMES),
        Option("--source", "compare report", "source text, shown with each segment", _FILE),
        Option("--baseline", "compare", "name or file (default: the first)", _NAME),
        Option("--title", "report", "heading (default: the reference file)", _STRING),
        Option("--hyp", "explain", 'hypothesis, instead of files (if it begins with a dash: '
            '--hyp="- a")', _STRING),
        Option("--ref", "explain", "its reference; can be repeated",
            {"metavar": "TEXT", "action": "append"}),
        Option("--line", "explain", "line of the files, from 1", _COUNT, 1),
    ],
    "reading": [
        Option("-nr --num-refs", _TEXT, "tab-separated references per line of REF (default: 1)",
            _COUNT, 1, default=1),
        Option("--documents", "scoring", "file with the document of each line; its lines are "
            "joined and scored as one segment", _FILE),
        Option("-e --encoding", _READ, "encoding of files (default: utf-8)",
            _NAME, default="utf-8"),
        Option("--table-format", _READ, "ending that says the format of FILE#COLUMN where its own "
            "does not, such as csv for -#COLUMN", _NAME, default="", choices=list(TABLES)),
        Option("--workers", f"scoring rank compare report stats mbr settings {_PLOTS}",
            "number of processes (default: depends on input and cores)", _COUNT, 1),
        Option("-q --quiet", _READ, "suppress warnings"),
    ],
    "counting": [
        _declared(CountOptions, "tokenize", _ALL),
        Option("-l --language-pair", _ALL, "choose the tokenizer for a pair, such as en-zh",
            {"metavar": "PAIR"}),
        _declared(CountOptions, "lowercase", _ALL),
        _declared(TextOptions, "normalize", _ALL),
        _declared(CountOptions, "max_order", _ALL),
    ],
    "smoothing": [
        _declared(ScoreOptions, "smoothing", _SMOOTHED)._replace(
            choices=list(SMOOTHING_VALUES), default="exp"),
        _declared(ScoreOptions, "smoothing_value", _SMOOTHED)._replace(kind=_NUMBER),
        _declared(ScoreOptions, "effective_order",
            "scoring rank compare plot-scores plot-pairs plot-groups"),
    ],
    "metrics": [
        Option("-m --metrics", _METRICS, f"metrics: {', '.join(_NAMES)} (default: bleu)",
            _LIST, choices=_NAMES, default=_BLEU),
        Option("-m --metrics", _ONE_OF_ALL, f"one metric: {', '.join(_NAMES)} (default: bleu)",
            _LIST, choices=_NAMES, default=_BLEU),
        Option("-m --metrics", "mbr", f"one metric: {', '.join(_OF_NGRAMS)} (default: bleu)",
            _LIST, choices=_OF_NGRAMS, default=_BLEU),
        *(_declared(group, keyword, _TAKERS[metric]) for metric in _NAMES[1:]
            for group in metric_named(metric).groups for keyword in dests(group)
            if keyword not in TextOptions.declared),
    ],
    "intervals and tests": [
        Option("--test", "rank compare plot-scores plot-pairs",
            "paired test: bootstrap (default) or randomization",
            _NAME, choices=["bootstrap", "randomization"]),
        Option("--sides", _TESTS, "1: sacreBLEU's one-sided test, with 10%% false positives at "
            "p < 0.05; 2: two-sided test, with 5%% (default)", _COUNT),
        Option("--resamples", _TESTS, "random draws (default: as many as decide the tests)",
            _COUNT, value="n_resamples"),
        Option("--seed", _TESTS, "random seed (default: SACREBLEU_SEED, or 12345)",
            _COUNT, value="rng"),
        Option("--confidence-level", "rank compare report plot-scores",
            "level of intervals (default: 0.95)", _NUMBER),
        Option("--level", "rank", "significance level of clusters; intervals have 1 - X "
            f"(default: {LEVEL:g})",
            _NUMBER, default=LEVEL),
        Option("--documents", "rank compare report", "file with the document of each segment: "
            "whole documents are drawn", _FILE),
        Option("--human-agreement", "rank", "in which share of such cases people agree with the "
            "difference from the best"),
        Option("--fail-if-worse", "compare", "exit with status 1 if a system is significantly "
            "worse than the baseline, by any metric"),
        Option("--adjust", "rank", "adjustment of p-values: none, holm, benjamini_hochberg "
            "(default: none)", _NAME, default="none"),
    ],
    "tests, as sacreBLEU has them; the seed is SACREBLEU_SEED": [
        Option("-ci --confidence", "scoring", "95%% interval of one system",
            {"action": "store_const", "const": "confidence"}, value="asked"),
        Option("-cin --confidence-n", "scoring", "resamples (default: 1000)", _COUNT),
        Option("-pbs --paired-bs", "scoring", "test against the first by bootstrap",
            {"action": "store_const", "const": "paired_bs"}, value="asked"),
        Option("-pbsn --paired-bs-n", "scoring", "resamples (default: 1000)", _COUNT),
        Option("-par --paired-ar", "scoring", "test against the first by randomization",
            {"action": "store_const", "const": "paired_ar"}, value="asked"),
        Option("-parn --paired-ar-n", "scoring", "trials (default: 10000)", _COUNT),
        Option("-j --paired-jobs", "scoring", "ignored, but for sacreBLEU's tests with -t; see "
            "--workers", _COUNT),
    ],
    "groups of segments": [
        Option("--labels", "scoring rank compare report", "file with the group of each segment, "
            "or with several tab-separated ones", _FILE),
        Option("--labels", "plot-groups", "file with the group of each segment", _FILE),
        Option("--edges", "compare plot-groups",
            "reference lengths at which groups begin (default: 10 20 30 40 50 60)",
            _COUNTS),
    ],
    "segments and n-grams": [
        Option("--segments", "compare", "wins, and losses, to list (default: 2 of each)",
            _COUNT, 0, default=2),
        Option("--min-length", "compare", "show only segments with at least N reference tokens",
            _COUNT, 0, default=0),
        Option("--ngrams", "compare", f"n-grams of wins, and losses, to list (default: {NGRAMS}; "
            f"0 for more than {MOST_OUTPUTS:,} outputs)", _COUNT, 0),
        Option("--full", "compare", "show whole texts; by default, long ones are cut"),
    ],
    "output": [
        Option("-sl --sentence-level", "scoring", "score each line, with effective order"),
        Option("-f --format", "scoring", "text, json (sacreBLEU's) or latex (default: text); "
            "SACREBLEU_FORMAT overrides -f", _NAME, choices=FORMATS, default="text"),
        Option("-w --width", "scoring", "decimal places (default: 1)", _COUNT, 0, default=1),
        Option("-b --score-only", "scoring", "print only the score"),
        Option("-sh --short", "scoring", "short signature"),
        Option("-nc --no-color", "scoring compare", "no colors, as with NO_COLOR set"),
        Option("--scores", "mbr", "print the mean score and a tab before each line"),
        Option("--ranked", "mbr", "print all candidates, best first: number of the source, mean "
            "score, line"),
        Option("--force", "scoring", "do not warn of text that looks tokenized"),
        Option("--json", "scoring rank compare explain mbr",
            "JSON records with all digits, scores from 0 to 100"),
        Option("--latex", "scoring rank compare", "LaTeX table for the package booktabs, with "
            f"these of its columns: {', '.join(_COLUMNS)} (default: all)",
            {"metavar": "COLUMN", "nargs": "*"}, choices=_COLUMNS),
        Option("-V --version", "scoring", "show the version", {"action": "version",
            "version": f"vecbleu {__version__}"}),
        Option("-t --test-set", "scoring", "test set, which is handed to sacreBLEU", _NAME),
    ],
}
# fmt: on

# Options that have no effect if another one is given, and why.
USELESS_WITH = {
    "json": {
        "format width score_only": "--json is a format, with all digits",
        "short": "--json has whole signatures",
        "full scores": "--json has it always",
    },
    "latex": {
        "score_only": "--latex has a table",
        "segments ngrams source min_length full": "--latex has no segments",
    },
    "ranked": {"scores": "--ranked has it always"},
    "score_only": {"short": "-b prints no signature", "labels": "-b prints the score alone"},
    "sentence_level": {
        "format": "-sl prints lines of text; write --json for records",
        "effective_order": "-sl always has it",
        "labels": "-sl scores each line by itself",
    },
}

# What to write, by a command and an option that it does not have.
INSTEAD = dict.fromkeys(
    [("explain", "-m"), ("explain", "--metrics")],
    "; for the counts of another metric, line by line: vecbleu REF -i SYS -m NAME -sl --json",
)

# Of these, one of a group at most can be given.
EXCLUSIVE = {"asked", "labels", "edges", "json", "latex"}

# The values of options that are not given, or that a command does not have.
DEFAULTS = {
    option.dest: option.kind.get("default", option.default)
    for group in OPTIONS.values()
    for option in group
}

# The options of each metric alone, as `dests` returns them.
OF_METRICS = {
    metric: {
        keyword: dest
        for group in metric_named(metric).groups
        for keyword, dest in dests(group).items()
        if keyword not in TextOptions.declared
    }
    for metric in _NAMES
}
