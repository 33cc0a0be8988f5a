"""Define and check the options that several commands share."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

from vecbleu.arguments.checks import check_names, checked_integer
from vecbleu.arguments.errors import ArgumentError, argument
from vecbleu.arguments.options import OptionGroup
from vecbleu.bleu.options import SMOOTHING_VALUES
from vecbleu.cli.options import (
    DEFAULTS,
    EXCLUSIVE,
    INSTEAD,
    OF_METRICS,
    ONE_METRIC,
    OPTIONS,
    USELESS_WITH,
    Option,
    dests,
)
from vecbleu.cli.program import COMMANDS, start, warn
from vecbleu.files.cells import with_texts
from vecbleu.files.replace import check_writable
from vecbleu.files.sources import STANDARD_INPUT, Source, check_reads, files_read, split_path
from vecbleu.sacrebleu.options import choose_tokenizer, environment_seed

# The least share of characters that a wrong option has in common with the one that was meant.
_SIMILARITY = 0.85


class Parser(argparse.ArgumentParser):
    """Parser of a command that raises ValueError, which the program prints as one line."""

    def __init__(self, command: str, usage: str, description: str = "") -> None:
        # Fix the width: argparse would import modules to read the terminal's width.
        layout = partial(argparse.RawDescriptionHelpFormatter, width=80)
        usage = f"vecbleu {usage} [options]"
        text = description or COMMANDS[command]
        super().__init__(usage=usage, description=text, formatter_class=layout, allow_abbrev=False)
        # Negative numbers are values; so are columns of standard input.
        self._negative_number_matcher = re.compile(r"-(\d+|\d*\.\d+)$|-#")
        self.command = command
        self.example = usage.split("\n")[0]
        self.options: list[Option] = []
        for title, options in OPTIONS.items():
            chosen = [option for option in options if command in option.commands.split()]
            group = self.add_argument_group(title)
            either = group.add_mutually_exclusive_group()
            for option in chosen:
                add = (either if option.dest in EXCLUSIVE else group).add_argument
                add(*option.names.split(), help=option.help, **option.settings)
            self.options += chosen

    def error(self, message: str) -> NoReturn:
        """Raise ValueError; argparse would print the message and exit."""
        raise ValueError(message)

    def parse(self, arguments: Sequence[str], systems: int = 0) -> argparse.Namespace:
        """Parse options and files in any order; check that so many systems can be read."""
        options, unknown = self.parse_known(arguments)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        if systems:
            check_files(options, systems)
        metrics = len(set(options.metrics))
        if metrics > 1 and self.command in ONE_METRIC.split():
            raise ArgumentError(f"has {metrics} names", "one", argument="metrics")
        refuse_without_effect(options, shows_bleu=self.command == "report")
        return options

    def parse_known(self, arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
        """Parse options and files in any order; also return what is neither."""
        end = [*arguments, "--"].index("--")  # files after it can begin with a dash
        defaults = argparse.Namespace(**DEFAULTS)
        options, unknown = self.parse_known_intermixed_args(arguments[:end], defaults)
        required = [option for option in self.options if option.is_required]
        missing = [option for option in required if getattr(options, option.dest) is None]
        if missing:
            listed = ", ".join(option.names.replace(" ", "/") for option in missing)
            self.error(f"the following arguments are required: {listed}; write: {self.example}")
        for word in unknown:
            self._refuse(word)
        options.references += arguments[end + 1 :]
        names = {option.dest: option.names.split()[:2][-1] for option in self.options}
        keywords = {
            keyword: names[dest]
            for of_metric in OF_METRICS.values()
            for keyword, dest in of_metric.items()
            if dest in names
        }
        start(options.quiet, keywords | names)
        for option in self.options:
            value = getattr(options, option.dest)
            if option.least is not None and value is not None:
                with argument(option.dest):
                    checked_integer(value, option.least)
            if value == "" and option.kind.get("metavar") == "FILE":
                raise ArgumentError("is ''", "the name of a file", argument=option.dest)
        options.usage = self.example
        options.has_metrics = "metrics" in names
        return options, unknown

    def _refuse(self, word: str) -> None:
        """Raise ValueError for a word that begins an option, or is one of other commands."""
        begin = word.partition("=")[0]
        known = [option for options in OPTIONS.values() for option in options]
        takers = [option.commands for option in known if begin in option.names.split()]
        if takers:
            commands = " ".join(takers).replace(" ", ", ").replace("scoring", "vecbleu REF")
            advice = INSTEAD.get((self.command, begin), "")
            commands = commands.replace("-", " ")
            self.error(f"no option {begin} here; these have it: {commands}{advice}")
        if begin.startswith("--"):
            from difflib import get_close_matches  # for this error alone

            own = " ".join(option.names for option in self.options).split()
            names = [name for name in own if name.startswith("--")]
            similar = [name for name in names if name.startswith(begin)]
            similar += get_close_matches(begin, names, 1, _SIMILARITY)
            if similar:
                self.error(f"no option {word}; write {similar[0]}")

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """Return how many words are the values of an option; an error has advice."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            if action.nargs is None:
                error.message += "; write --option=-value if it begins with a dash"
            raise

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Find options with a value behind them (-w4), but not those that a word begins (-to)."""
        matches: list[Any] = super()._get_option_tuples(option_string)
        return [match for match in matches if option_string.startswith(match[1])]


def check_files(options: argparse.Namespace, least: int = 1) -> None:
    """Raise ValueError unless references and at least so many systems can be read together."""
    references = options.references
    systems = options.input or [STANDARD_INPUT]
    saved = list(filter(is_statistics_file, references))
    if saved:
        found = "is a file of statistics, not of references: write it behind -i"
        raise ValueError(f"{saved[0]} {found}")
    is_text_read = not all(map(is_statistics_file, systems))
    if is_text_read and not references:
        raise ValueError(f"no references; write: {options.usage}")
    if options.num_refs > 1 and len(references) != 1:
        found = f"is for one file of references, not {len(references)}"
        raise ArgumentError(found, argument="num_refs")
    if not references:
        refuse_reading(options)
    if len(references) == 1:
        source = source_of(options, references[0], options.num_refs)
        options.num_refs = with_texts(source).columns
    if not is_text_read:
        refuse(options, "workers force", "all systems are statistics")
    check_reads(paths_of(options))
    if len(systems) < least:
        raise ValueError(f"-i has {len(systems)} system, expected at least {least}")


def source_of(options: argparse.Namespace, path: str, columns: int = 1) -> Source:
    """Return the source of a file with this number of columns, in the given encoding."""
    return Source(path, columns, options.encoding, table_format=options.table_format)


def refuse(options: argparse.Namespace, names: str, reason: str) -> None:
    """Raise ValueError if one of these options is given: it would have no effect."""
    for name in names.split():
        value = getattr(options, name)
        if value != DEFAULTS[name]:
            given = "given" if value is True else value
            raise ArgumentError(f"is {given}, but {reason}", argument=name)


def refuse_reading(options: argparse.Namespace) -> None:
    """Raise ValueError for options of reading text, where none is read from files."""
    has_others = options.labels or options.documents or options.source  # which are text, too
    names = "num_refs workers" if has_others else "num_refs workers encoding"
    refuse(options, names, "no text is read from files")


def refuse_without_effect(options: argparse.Namespace, shows_bleu: bool = False) -> None:
    """Raise ValueError for options that have no effect beside the others that are given."""
    for metric, of_metric in OF_METRICS.items():
        if metric in options.metrics or (metric == "bleu" and shows_bleu):
            continue
        refused = " ".join(of_metric.values())
        reason = f"it needs -m {metric}"
        if metric == "bleu":
            reason = f"-m has {' '.join(options.metrics)} alone"
            own = OF_METRICS[options.metrics[0]].get("lowercase")
            if options.lowercase and own:
                reason += f"; write --{own.replace('_', '-')}"
            refused += " language_pair force"
        refuse(options, refused, reason)
    for given, useless in USELESS_WITH.items():
        if getattr(options, given) != DEFAULTS[given]:
            for names, reason in useless.items():
                refuse(options, names, reason)
    if SMOOTHING_VALUES[options.smoothing] is None:
        refuse(options, "smoothing_value", f"the smoothing {options.smoothing!r} takes no value")
    if "#" not in str(options):
        refuse(options, "table_format", "there is no FILE#COLUMN")
    if options.segments == 0:
        refuse(options, "source min_length full", "no segments are listed")


def paths_of(options: argparse.Namespace) -> list[str]:
    """Return the files that a command reads."""
    together = [*options.references, *(options.input or [STANDARD_INPUT])]
    beside = filter(None, [options.source, options.labels, options.documents])
    return [*files_read(together), *beside]


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
        found = f"is {pair!r}"
        raise ArgumentError(found, "two languages such as en-zh", argument="language_pair")
    return choose_tokenizer(options.tokenize, language, warn)


def given_of(options: argparse.Namespace, group: type[OptionGroup]) -> dict[str, Any]:
    """Return the options of a group that are given, as keyword arguments of Python functions."""
    given = {}
    for keyword, dest in dests(group).items():
        value = getattr(options, dest)
        if value != DEFAULTS[dest]:
            given[keyword] = value
    is_chosen = options.tokenize or options.language_pair is not None
    if is_chosen and "tokenize" in group.declared:
        given["tokenize"] = tokenizer_name(options)
    return given


def draw_options(options: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keywords of an interval or a test, and its fields for signatures."""
    is_bootstrap = options.test != "randomization"
    if options.rng is None:
        seed, rng = environment_seed()
    else:
        seed = str(options.rng)
        rng = options.rng
    first = 1000 if is_bootstrap else 10000  # as sacreBLEU draws; tests go on if need be
    count = options.n_resamples
    if count is None and options.asked:
        count = first
    keywords = {"n_resamples": count, "rng": rng, "progress": None}
    for name in ("sides", "confidence_level"):
        if (value := getattr(options, name)) is not None:
            if not is_bootstrap:
                raise ArgumentError("is for the bootstrap only", argument=name)
            keywords[name] = value
    if not is_bootstrap:
        return keywords, {"ar": count or first, "seed": seed}
    fields = {"bs": count or first, "seed": seed}
    if options.sides != 1 and options.asked != "confidence":
        fields["sides"] = 2
    return keywords, fields


def system_names(options: argparse.Namespace, columns: int = 0) -> list[str]:
    """Return the names of systems: those given, or of files without their folders."""
    paths = options.input or [f"System {number}" for number in range(1, columns + 1)]
    split = list(map(split_path, paths))
    files = [column or os.path.basename(file) for file, column in split]
    distinct = files if len(set(files)) == len(files) else list(paths)
    names: list[str] = options.names or distinct
    if len(names) != len(paths):
        found = f"has {len(names)} entries but there are {len(paths)} systems"
        raise ArgumentError(found, argument="names")
    with argument("names"):
        check_names(options.names or ())
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name!r} is given twice as a system")
    return names
