"""Hostile texts as names, labels, segments and signatures: in pictures, tables and messages.

Pictures can be drawn and read. On a terminal nothing but printable
text arrives, on as many lines as of plain names.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import tempfile
import unicodedata
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

from command import run

import vecbleu
from fuzz.runner import Found
from fuzz.texts import draw_alphabet, draw_strings
from vecbleu import plots
from vecbleu.analysis import score_buckets
from vecbleu.significance import bootstrap, rank

CASES = 1_000
BATCH = 2

_HOSTILE = [
    *("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\r", "\n", "\r\n", "\t", "\b", "\x7f", "\0", "\f"),
    *("\u202e", "\u2066", "\u2028", "\u2029", "\x85", "\u200b", "e" + "\u0301" * 50, "\U000e0041"),
    *("\ud800", "\udc80", "\ufffe", "\uffff", "\U0010ffff", "\ufeff", "👩\u200d🚀", "ש", "ﷺ", "𝒳"),
    *("$", "$x^2$", "$\\frac{1}{0}$", "\\", "\\end{tabular}", *"%&_#{}~^"),
    *("<", ">", "-->", "]]>", "&#0;", "&amp;", "│", "=1+1", "1.50", "nan", "None", "x" * 300, " "),
]
Done = subprocess.CompletedProcess[bytes]

_BIDIRECTIONAL = {*"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}

_LATEX_ESCAPES = re.compile(
    r"\\[&%$#_{}]|\\\^\{\}|\\textasciitilde\{\}|\\textbackslash\{\}|\\ensuremath\{[<>]\}"
    r"|\A\{\}(?=\s*[\[*])"  # between the end of a row and what it would take for its own
)
_LATEX_ROW = re.compile(r"[^&%$#_{}~^\\<>]*(&[^&%$#_{}~^\\<>]*)+\\\\")

_REFERENCES = ["a b c d e", "f g h i j", "a a b b"]
_TEXTS = ["a b c d e", "f g h x j", ""]


def check(random: Random, size: int) -> Iterator[Found]:
    """A picture and a command for each case."""
    alphabet = [*_HOSTILE, *draw_alphabet(random)]
    for case in range(size):
        texts = draw_strings(
            random, random.sample(alphabet, 5), random.choice([1, 2, 2, 3, 6, 12]), 5
        )
        for wrong in (_picture(random, texts), _command(random, texts)):
            if wrong:
                yield case, wrong


def _picture(random: Random, texts: list[str]) -> str:
    """Draw systems or groups that are called so, and read what is written; what is wrong."""
    statistics = vecbleu.statistics(_TEXTS, _REFERENCES, tokenize="none", workers=1)
    systems = dict.fromkeys(texts, statistics)
    labels = [texts[place % len(texts)] for place in range(len(_TEXTS))]
    kinds: list[Callable[[], Any]] = [
        lambda: plots.plot_bars({name: one.score() for name, one in systems.items()}),
        lambda: plots.plot_bars(score_buckets(systems, labels)),
        lambda: plots.plot_scores(
            {name: bootstrap(one, n_resamples=5) for name, one in systems.items()}
        ),
        lambda: plots.plot_pairs(
            rank(systems if len(systems) > 1 else [statistics] * 2, n_resamples=5)
        ),
    ]
    kind = random.randrange(len(kinds))
    form, file = random.choice(["svg", "svg", "png", "pdf"]), io.BytesIO()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of characters that fonts lack, and of narrow pictures
            figure = kinds[kind]().figure
            figure.savefig(file, format=form, dpi=30)
            import_module("matplotlib.pyplot").close(figure)
        if form == "svg":
            ElementTree.fromstring(file.getvalue())
    except Exception as error:
        return f"picture {kind} of {texts!a}, {form}: {error!a}"
    return ""


def _command(random: Random, texts: list[str]) -> str:
    """Run a command on files that are called so; what is wrong with what is printed."""
    names = [name for name in dict.fromkeys(map(_file_name, texts[:6])) if name]
    if not names:
        return ""
    labels, printed = random.choices(texts, k=3), []
    plain = (
        [f"name{place}" for place in range(len(names))],
        [str(labels.index(one)) for one in labels],
    )
    arguments = random.choice(_COMMANDS)
    for used, some in ((names, labels), plain):
        with tempfile.TemporaryDirectory() as folder:
            try:
                _write_files(Path(folder), used, some)
            except OSError:  # no file can be called so, here
                return ""
            printed.append(run(Path(folder), *_filled(arguments, used)))
    wrong = _difference(*printed, has_own_lines="r2" in arguments or "--hyp" in arguments)
    return wrong and f"{_filled(arguments, names)!a}, labels {labels!a}: {wrong}"


def _difference(done: Done, expected: Done, has_own_lines: bool) -> str:
    """What is wrong with what is printed, which is of the lines of what is expected."""
    printed, errors = (one.decode(errors="surrogateescape") for one in (done.stdout, done.stderr))
    if done.returncode != expected.returncode:
        return f"status {done.returncode}, {errors!a}"
    if raw := {letter for letter in printed + errors if _is_raw(letter)}:
        return f"prints {raw!a}: {printed + errors!a}"
    if not all(line.startswith("vecbleu") for line in errors.split("\n")[:-1]):
        return f"on standard error: {errors!a}"
    if printed.count("\n") != expected.stdout.count(b"\n") and not has_own_lines:
        return f"prints {printed.count(chr(10))} lines: {printed!a}"
    table = re.search(r"(?<=\\midrule\n).*(?=\n\\bottomrule)", printed, re.DOTALL)
    for row in table[0].split("\n") if table else []:
        if not _LATEX_ROW.fullmatch(_LATEX_ESCAPES.sub("", row)):
            return f"LaTeX's signs are in {row!a}"
    return ""


# NAME stands for one of the names, NAMES for all of them.
_COMMANDS = [
    "r -i NAMES -f text",
    "r -i NAMES -f latex",
    "r -i NAMES -f json",
    "r -i NAMES -par -parn 3",
    "NAME -i none",
    "r -i ./none/NAME",
    "r -i r -tok NAME",
    "-i signed.npz other.npz",
    "stats r -i NAME -o out.npz",
    "stats r -i r -o NAME.npz",
    "compare r -i NAME r --labels labels",
    "compare labels -i labels r2 --source labels --names NAME NAME2",
    "compare r -i NAMES r --names NAME NAME2 --test randomization --resamples 3",
    "rank r -i NAMES r --resamples 3",
    "rank r -i NAME r --resamples 3 --latex",
    "explain r -i NAMES --line 2",
    "explain --hyp NAME --ref NAME",
    "plot scores r -i r r2 -o out.svg --names NAME NAME2",
    "plot pairs r -i r r2 -o NAME.png",
]


def _filled(arguments: str, names: list[str]) -> list[str]:
    """The arguments, with names in their places."""
    filled: list[str] = []
    for word in arguments.split():
        filled += names if word == "NAMES" else [word.replace("NAME", names[0])]
    return filled


def _write_files(folder: Path, names: list[str], labels: list[str]) -> None:
    """Systems by these names, references, labels, and statistics."""
    for name in [*names, "r"]:
        (folder / name).write_text("".join(f"{line}\n" for line in _REFERENCES))
    # A number keeps labels apart that are the same without white space or what UTF-8 lacks.
    lines = [f"{labels.index(label)} {label}!" for label in labels]
    for name, some in (("labels", lines), ("r2", lines[::-1])):
        data = "".join(f"{line}\n" for line in (one.replace("\n", " ") for one in some))
        (folder / name).write_bytes(data.encode(errors="replace"))
    statistics = vecbleu.statistics(_TEXTS, _REFERENCES, workers=1)
    for name in ("signed", "other"):
        statistics.save(folder / f"{name}.npz")


def _file_name(text: str) -> str:
    """A text as it can be the name of a file and no option."""
    name = re.sub("[\0/]|[\ud800-\udc7f\udd00-\udfff]", "", text).lstrip("-")
    name = os.fsencode(name)[:200].decode(errors="surrogateescape")
    return "" if name in ("", ".", "..", "r", "r2", "labels") else name


def _is_raw(letter: str) -> bool:
    """Whether a terminal would do something else than show it."""
    if letter in "\n\t":  # lines are counted
        return False
    return unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in _BIDIRECTIONAL
