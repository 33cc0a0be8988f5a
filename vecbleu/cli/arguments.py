"""Define and check the options that several commands share."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from vecbleu.cli.program import start, warn
from vecbleu.core.checks import check_names, checked_integer
from vecbleu.core.files.sources import STANDARD_INPUT, check_reads
from vecbleu.core.options import SMOOTHING_VALUES
from vecbleu.core.text.tokenizers import NAMES
from vecbleu.sacrebleu.options import choose_tokenizer, environment_seed
from vecbleu.show.output import check_writable

# The smallest values of options that no function in Python checks.
_LEAST = {"num_refs": 1, "workers": 1, "line": 1, "n": 1, "p": 1}
_LEAST |= {"segments": 0, "min_length": 0, "ngrams": 0, "width": 0}

# Columns to choose for LaTeX.
_COLUMNS = "BLEU", "chrF", "interval", "cluster", "difference", "p"


class Parser(argparse.ArgumentParser):
    """Parser that raises ValueError, which the program prints as one line."""

    def __init__(self, usage: str, description: str) -> None:
        # Fix the width: argparse would import modules to read the terminal's width.
        layout = partial(argparse.RawDescriptionHelpFormatter, width=80)
        self.example = f"{usage} [options]".split("\n")[0]
        super().__init__(
            usage=f"{usage} [options]",
            description=description,
            formatter_class=layout,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise ValueError; argparse would print the message and exit."""
        if "are required:" in message:
            message += f"; write: {self.example}"
        raise ValueError(message)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse options and files in any order."""
        options, unknown = self.parse_known(arguments)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return options

    def parse_known(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Parse options and files in any order; also return what is neither."""
        end = [*arguments, "--"].index("--")  # files after it can begin with a dash
        options, unknown = self.parse_known_intermixed_args(arguments[:end])
        for word in unknown:
            for name in self._option_string_actions if word.startswith("--") else ():
                if name.startswith(word.partition("=")[0]):
                    self.error(f"no option {word}; write {name}")
        if arguments[end + 1 :]:
            options.references += arguments[end + 1 :]
        named = [action for action in self._actions if action.option_strings]
        # The second of several strings is long, and sacreBLEU's.
        long = {action.dest: action.option_strings[:2][-1] for action in named}
        short = {name.removeprefix("chrf_"): option for name, option in long.items()}
        start(options.quiet, short | long)
        for name, least in _LEAST.items():
            if (count := getattr(options, name, None)) is not None:
                checked_integer(count, name, least)
        options.usage = self.example
        return options, unknown

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Find options with a value behind them (-w4), but not those that a word begins (-to)."""
        matches: list[Any] = super()._get_option_tuples(option_string)
        return [match for match in matches if option_string.startswith(match[1])]

    def add_files(
        self, *, required: bool = True, default: str = "", source: bool = False, names: bool = True
    ) -> None:
        """Add options for the files of references, systems and source text."""
        add = self.add_argument_group("files").add_argument
        add("references", nargs="*", metavar="REF", help="references, one file each")
        add("-i", "--input", nargs="+", action="extend", required=required, metavar="SYS",
            help=f"system outputs, one file each{default}; .npz: statistics")  # fmt: skip
        if names:
            add("--names", nargs="+", action="extend", metavar="NAME", help="names of the systems")
        if source:
            add("--source", metavar="FILE", help="source text, shown with each segment")

    def add_text(self, *, effective_order: bool = True) -> None:
        """Add options for reading, counting and smoothing text."""
        self.add_reading()
        self.add_counting()
        self.add_smoothing(effective_order=effective_order)

    def add_reading(self, *, references: bool = True) -> None:
        """Add options for reading files."""
        add = self.add_argument_group("reading").add_argument
        if references:
            add("-nr", "--num-refs", type=int, default=1, metavar="N",
                help="tab-separated references per line of REF (default: 1)")  # fmt: skip
        add("-e", "--encoding", default="utf-8", metavar="NAME",
            help="encoding of files (default: utf-8)")  # fmt: skip
        add("--workers", type=int, metavar="N",
            help="number of processes (default: depends on input and cores)")  # fmt: skip
        add("-q", "--quiet", action="store_true", help="suppress warnings")

    def add_counting(self) -> None:
        """Add options for tokenizing and counting text."""
        add = self.add_argument_group("counting").add_argument
        add("-tok", "--tokenize", metavar="NAME",
            help=f"tokenizer: {', '.join(NAMES)}, or the path of a SentencePiece model "
            "(default: the target language's, or 13a)")  # fmt: skip
        add("-l", "--language-pair", metavar="PAIR",
            help="choose the tokenizer for a pair, such as en-zh")  # fmt: skip
        add("-lc", "--lowercase", action="store_true", help="ignore case")
        add("--max-order", type=int, metavar="N", help="longest n-gram (default: 4)")

    def add_smoothing(self, *, effective_order: bool = False) -> None:
        """Add options for smoothing."""
        add = self.add_argument_group("smoothing").add_argument
        add("-s", "--smooth-method", "--smoothing", dest="smoothing", default="exp",
            choices=[*SMOOTHING_VALUES], metavar="NAME",
            help=f"smoothing of orders without matches: {', '.join(SMOOTHING_VALUES)} "
            "(default: exp)")  # fmt: skip
        add("-sv", "--smooth-value", "--smoothing-value", dest="smoothing_value", type=float,
            metavar="X", help="value of floor (default: 0.1) or add-k (default: 1)")  # fmt: skip
        if effective_order:
            add("--effective-order", action="store_true",
                help="leave out orders without n-grams, as -sl always does")  # fmt: skip

    def add_metrics(self, *more: str) -> None:
        """Add options for the metrics, and for those of chrF."""
        names = "bleu", "chrf", *more
        self.add_argument("-m", "--metrics", nargs="+", choices=names, default=["bleu"],
            metavar="NAME", help=f"metrics: {', '.join(names)} (default: bleu)")  # fmt: skip
        add = self.add_argument_group("chrF").add_argument
        flag: Any = {"action": "store_const", "default": None}
        add("-cc", "--chrf-char-order", type=int, metavar="N",
            help="longest n-gram of characters (default: 6)")  # fmt: skip
        add("-cw", "--chrf-word-order", type=int, metavar="N",
            help="longest n-gram of words: 2 for chrF++ (default: 0)")  # fmt: skip
        add("--chrf-beta", type=float, metavar="X",
            help="recall counts X*X times as much as precision (default: 2)")  # fmt: skip
        add("--chrf-lowercase", const=True, **flag, help="ignore case")
        add("--chrf-whitespace", const=True, **flag, help="count white space, too")
        add("--chrf-eps-smoothing", dest="chrf_effective_order", const=False, **flag,
            help="average the scores of all orders, as chrF++.py does")  # fmt: skip

    def add_resampling(self, *, test: bool = True, level: bool = True) -> None:
        """Add options for intervals and paired tests."""
        add = self.add_argument_group("intervals and tests").add_argument
        if test:
            add("--test", choices=["bootstrap", "randomization"], metavar="NAME",
                help="paired test: bootstrap (default) or randomization")  # fmt: skip
        add("--sides", type=int, metavar="N",
            help="1: sacreBLEU's one-sided test, with 10%% false positives at p < 0.05; "
            "2: two-sided test, with 5%% (default)")  # fmt: skip
        more = "; randomization: 10000" if test else ""
        add("--resamples", dest="n_resamples", type=int, metavar="N",
            help=f"random draws (default: 1000{more})")  # fmt: skip
        add("--seed", dest="rng", type=int, metavar="N",
            help="random seed (default: SACREBLEU_SEED, or 12345)")  # fmt: skip
        if level:
            add("--confidence-level", type=float, metavar="X",
                help="level of intervals (default: 0.95)")  # fmt: skip

    def add_groups(self, *, edges: bool = True) -> None:
        """Add options for groups of segments."""
        either = self.add_argument_group("groups").add_mutually_exclusive_group().add_argument
        either("--labels", metavar="FILE", help="file with the group of each segment")
        if edges:
            either("--edges", type=int, nargs="+", metavar="N",
                help="reference lengths at which groups begin (default: 10 20 30 40 50 60)",
            )  # fmt: skip

    def add_json(self, *, latex: bool = False) -> None:
        """Add the option for JSON, and that for LaTeX."""
        group = self.add_argument_group("records and tables")
        either = group.add_mutually_exclusive_group().add_argument
        either("--json", action="store_true", help="JSON with all digits, scores from 0 to 100")
        if latex:
            either("--latex", nargs="*", choices=_COLUMNS, metavar="COLUMN",
                help="LaTeX table for the package booktabs, with these columns: "
                f"{', '.join(_COLUMNS)} (default: all)")  # fmt: skip

    def add_output(self, formats: str) -> None:
        """Add the option for the output file."""
        self.add_argument("-o", "--output", required=True, metavar="FILE", help=f"output {formats}")


def check_files(options: argparse.Namespace, least: int = 1) -> None:
    """Raise ValueError unless references and at least so many systems can be read together."""
    references, systems = options.references, options.input or [STANDARD_INPUT]
    for path in filter(is_statistics_file, references):
        raise ValueError(f"{path} is a file of statistics, expected the text of references")
    if not references and not all(map(is_statistics_file, systems)):
        raise ValueError(f"no references; write: {options.usage}")
    if options.num_refs > 1 and len(references) != 1:
        raise ValueError(f"num_refs is for one file of references, not {len(references)}")
    check_reads(paths_of(options))
    if len(systems) < least:
        raise ValueError(f"-i has {len(systems)} system, expected at least {least}")


def refuse_reading(options: argparse.Namespace) -> None:
    """Raise ValueError for options of reading text, where none is read from files."""
    for name, default in {"num_refs": 1, "encoding": "utf-8", "workers": None}.items():
        if (given := getattr(options, name)) != default:
            raise ValueError(f"{name} is {given}, but no text is read from files")


def paths_of(options: argparse.Namespace) -> list[str]:
    """Return the files that a command reads."""
    beside = getattr(options, "source", None), getattr(options, "labels", None)
    return [*options.references, *(options.input or [STANDARD_INPUT]), *filter(None, beside)]


def check_output(options: argparse.Namespace, *endings: str) -> None:
    """Raise ValueError or OSError if the output can't be written, before any work is done."""
    path = options.output
    if os.path.splitext(path)[1].lower() not in endings:
        raise ValueError(f"the output {path!r} does not end in {' or '.join(endings)}")
    check_writable(path)
    for given in paths_of(options):
        if os.path.exists(path) and os.path.exists(given) and os.path.samefile(path, given):
            raise ValueError(f"the output {path!r} is also an input file")


def is_statistics_file(path: str) -> bool:
    """Tell whether a file holds statistics instead of text."""
    return path.endswith(".npz")


def tokenizer_name(options: argparse.Namespace) -> str:
    """Return the given tokenizer, or that of the target language."""
    pair = options.language_pair
    language = pair and pair.partition("-")[2].split("-")[0]
    if language == "":
        raise ValueError(f"language_pair is {pair!r}, expected two languages such as en-zh")
    return choose_tokenizer(options.tokenize, language, warn)


def counting_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the counting options as keyword arguments of Python functions."""
    return {
        "tokenize": tokenizer_name(options),
        "lowercase": options.lowercase,
        "max_order": 4 if options.max_order is None else options.max_order,
    }


def smoothing_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return smoothing, and effective order if asked for, as arguments of Python functions."""
    # As in sacreBLEU, a value is ignored where the smoothing takes none.
    value = None if SMOOTHING_VALUES[options.smoothing] is None else options.smoothing_value
    effective = {"effective_order": True} if getattr(options, "effective_order", False) else {}
    return {"smoothing": options.smoothing, "smoothing_value": value} | effective


def draw_options(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keywords of an interval or a test, and its fields for signatures."""
    is_bootstrap = getattr(options, "test", None) != "randomization"
    count, rng = options.n_resamples, getattr(options, "rng", None)
    seed, rng = environment_seed() if rng is None else (str(rng), rng)
    if count is None:
        count = 1000 if is_bootstrap else 10000
    keywords = {"n_resamples": count, "rng": rng, "progress": None}
    for name in ("sides", "confidence_level"):
        if getattr(options, name, None) is not None:
            if not is_bootstrap:
                raise ValueError(f"{name} is for the bootstrap only")
            keywords[name] = getattr(options, name)
    if not is_bootstrap:
        return keywords, {"ar": count, "seed": seed}
    sides = {"sides": 2} if getattr(options, "sides", 1) != 1 else {}
    return keywords, {"bs": count, **sides, "seed": seed}


def system_names(options: argparse.Namespace, columns: int = 0) -> list[str]:
    """Return the names of systems: those given, or of files without their folders."""
    paths = options.input or [f"System {number}" for number in range(1, columns + 1)]
    files = [os.path.basename(path) for path in paths]
    given = getattr(options, "names", None)
    names: list[str] = given or (files if len({*files}) == len(files) else [*paths])
    if len(names) != len(paths):
        raise ValueError(f"names has {len(names)} entries but there are {len(paths)} systems")
    check_names(given or (), "names")
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name!r} is given twice as a system")
    return names
