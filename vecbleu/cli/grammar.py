"""References first, systems behind -i: the call to write for other orders of arguments."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from vecbleu.cli.names import display_names

STATISTICS_SUFFIX = ".npz"


def is_statistics_file(path: str) -> bool:
    """Whether a file holds statistics instead of text."""
    return path.endswith(STATISTICS_SUFFIX)


def system_names(options: argparse.Namespace) -> list[str]:
    """What the systems behind -i are called."""
    given: list[str] | None = options.names
    paths: list[str] = options.input
    return given or (display_names(paths) if options.shortens_names else paths)


def check_order(options: argparse.Namespace, program: str, arguments: Sequence[str]) -> None:
    """ValueError with the call to write, where systems do not stand behind -i."""
    references, systems = options.references, options.input
    first = [options.kind] if options.kind else []  # of a picture
    refuse = partial(refuse_order, program, arguments, first=first)
    if options.ref is not None:  # they are behind --ref
        others = references if systems else []
        refuse([*others, *options.ref], systems or references, words=["--ref"])
    if systems:
        return
    if references and all(map(is_statistics_file, references)):
        refuse([], references)
    if options.first_is_system and len(references) > 1:
        refuse(references[1:], references[:1])
    shown = " ".join([program, *first, *(references or ["REF"])])
    raise ValueError(f"no system behind -i; write: {shown} -i SYS")


def refuse_empty_input(options: argparse.Namespace) -> NoReturn:
    """ValueError with the call to write, where standard input, without -i, has nothing to score."""
    references = [] if options.test_set else options.references
    systems = references[1:][-1:] or ["SYS"]  # the last file may be meant as one
    references = references[:1] if len(references) < 2 else references[:-1]
    why = "standard input, which is read without -i, is empty"
    refuse_order(options.program, options.arguments, references, systems, why=why)


def refuse_no_references(options: argparse.Namespace) -> NoReturn:
    """ValueError with the call to write; references may be among the systems behind -i."""
    first = [options.kind] if options.kind else []  # of a picture
    call = " ".join([options.program, *first, "REF", "-i", *(options.input or ["SYS"])])
    raise ValueError(f"no references before -i; write: {call}")


def refuse_order(
    program: str,
    arguments: Sequence[str],
    references: Sequence[str],
    systems: Sequence[str],
    *,
    first: Sequence[str] = (),
    words: Sequence[str] = (),
    why: str = "references come first, and systems stand behind -i",
) -> NoReturn:
    """ValueError with the same call in the right order; `words` are options of another order."""
    import shlex  # 5 ms, which only errors wait for

    others = [*arguments]
    for word in (*first, *references, *systems, *words, "-i", "--input"):
        if word in others:
            others.remove(word)
    call = shlex.join([*program.split(), *first, *references, "-i", *systems, *others])
    raise ValueError(f"{why}; write: {call}")
