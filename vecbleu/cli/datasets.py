"""Test sets, which sacreBLEU knows, downloads and keeps."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from vecbleu.cli.grammar import is_statistics_file
from vecbleu.cli.messages import warn
from vecbleu.core.extras import import_extra
from vecbleu.core.parallel.interpreter import no_interpreter
from vecbleu.core.terminal import Verbatim

_PROGRAM = """
import sys
sys.path[:], sys.argv[0] = {path!r}, "sacrebleu"
from sacrebleu.sacrebleu import main
main()
"""


def run(options: Namespace) -> Iterator[str]:
    """Print what there is about test sets, or have sacreBLEU's own command score parts of them."""
    if options.download:
        _fetch(options.download, options.language_pair)
    elif options.citation and not options.list_test_sets:
        yield from _citations(options.test_set)
    else:
        if options.test_set and not options.list_test_sets:
            for name in options.test_set.split(","):
                _fetch(name, options.language_pair)  # failures of which it would print a traceback
        yield from _pass_on(options)


def check_passed_on(options: Namespace) -> None:
    """ValueError for options and files that sacreBLEU's own command does not take."""
    check_test_sets(options)
    if options.language_pair and "-" not in options.language_pair:
        raise ValueError(f"language-pair is {options.language_pair!r}, expected one like en-de")
    own = {"--json": options.json, "--names": options.names, "--workers": options.workers}
    own |= {"--max-order": options.max_order, "-s skip-zero": options.smoothing == "skip-zero"}
    own |= {"--paired-bs-sides 2": options.paired_bs_sides == 2, "--clusters": options.clusters}
    for what in filter(own.get, own):
        raise ValueError(f"{what} is not for what sacreBLEU's own command does")
    for path in filter(is_statistics_file, options.input or []):
        raise ValueError(f"{path} is a file of statistics, expected text for sacreBLEU")


def check_test_sets(options: Namespace) -> None:
    """ValueError unless sacreBLEU has the test sets that are asked for."""
    if options.test_set is None and (options.origlang or options.subset or options.detail):
        raise ValueError("--origlang, --subset and --detail are for a test set (-t) with -l")
    if (options.echo or options.citation) and options.test_set is None:
        raise ValueError("which test set? pass -t NAME; --list prints all names")
    known = _load("sacrebleu.dataset").DATASETS
    for names in (options.test_set, options.download):
        for name in [] if names is None else names.split(","):
            if name not in known:
                raise ValueError(f"sacreBLEU has no test set {name!r}; --list prints all names")
            _check_pair(name, [*known[name].langpairs], options)


def _check_pair(name: str, pairs: list[str], options: Namespace) -> None:
    """ValueError unless a test set has the pair of languages, where there has to be one."""
    pair, is_listed = options.language_pair, options.list_test_sets or options.citation
    if (pair is None and not (is_listed or options.download)) or (pair and pair not in pairs):
        raise ValueError(f"language-pair is {pair!r}, and {name} has {', '.join(pairs)}")


def reference_files(options: Namespace) -> list[str]:
    """The files of a test set's references, which sacreBLEU downloads if it has not yet."""
    if options.references or options.num_refs != 1:
        raise ValueError("references are files or a test set (-t), not both")
    check_test_sets(options)
    if options.tokenize == "none":
        warn("scores of own tokens (-tok none) can't be compared with published ones")
    _fetch(options.test_set, options.language_pair)
    known = _load("sacrebleu.dataset").DATASETS[options.test_set]
    files: list[str] = known.get_reference_files(options.language_pair)
    return files


def _fetch(name: str, pair: str | None) -> None:
    """Have sacreBLEU download a test set, or all pairs of languages of it, if it has not yet."""
    known = _load("sacrebleu.dataset").DATASETS[name]
    try:
        for one in [pair] if pair else known.langpairs:
            known.get_files(one)
    except OSError as error:
        raise ValueError(f"test set {name} can't be downloaded: {error}") from error


def _citations(names: str) -> Iterator[str]:
    """The citation of each test set, in BibTeX."""
    known = _load("sacrebleu.dataset").DATASETS
    for name in names.split(","):
        yield from (known[name].citation or f"% no citation of {name}").split("\n")


def _pass_on(options: Namespace) -> Iterator[str]:
    """Run sacreBLEU's own command, and yield what it prints."""
    import subprocess  # 6 ms, which scores need not wait for

    if reason := no_interpreter():
        raise ValueError(f"sacreBLEU's own command can't be run: {reason}")
    program = _PROGRAM.format(path=sys.path)
    # Its default is JSON. Colors would be escaped where this program prints.
    arguments = [_in_its_words(word) for word in options.arguments] + ["-f", options.format]
    environment = os.environ | {"NO_COLOR": "1"}
    command = [sys.executable, "-c", program, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield Verbatim(line.decode(errors="replace").removesuffix("\n").removesuffix("\r"))
        except GeneratorExit:  # nobody reads on
            process.terminate()
            raise
    if process.returncode:
        sys.exit(2)


def _in_its_words(word: str) -> str:
    """An argument in sacreBLEU's words; only vecbleu has other names for the smoothing."""
    own = {"--smoothing-value": "--smooth-value", "--smoothing": "--smooth-method"}
    name, sign, value = word.partition("=")
    return f"{own.get(name, name)}{sign}{value}"


def _load(module: str) -> Any:
    """A module of sacreBLEU; ImportError says what to install."""
    (loaded,) = import_extra("test sets need", "sacrebleu", module)
    return loaded
