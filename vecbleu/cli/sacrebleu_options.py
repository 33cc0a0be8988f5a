"""Options of sacreBLEU that are not of BLEU: test sets, chrF and TER."""

from __future__ import annotations

import argparse

from vecbleu.cli.arguments import Parser
from vecbleu.core.checks import checked_integer

BLEU = "bleu"

METRICS = (BLEU, "chrf", "ter")


def add_test_sets(parser: Parser) -> None:
    """Which test set takes the place of references, and what else there is about test sets."""
    add = parser.group("test sets, by sacreBLEU, which downloads them")
    add("-t", "--test-set", metavar="NAME",
        help="with -l, a test set for references, such as wmt20; several with commas")  # fmt: skip
    add("-ol", "--origlang", metavar="LANG",
        help="score only what was written in a language; non-LANG: in any other")  # fmt: skip
    add("--subset", metavar="REGEX", help="score only documents whose annotation matches")
    add("-d", "--detail", action="store_true", help="also print scores of each original language")
    add("--list", dest="list_test_sets", action="store_true",
        help="print test sets, or with -t pairs of languages and fields")  # fmt: skip
    add("--echo", nargs="+", metavar="FIELD",
        help="print fields of the test set: src, ref, ..., or all")  # fmt: skip
    add("--download", metavar="NAME", help="download a test set")
    add("--citation", "--cite", action="store_true", help="print the citation of the test set")


def add_chrf_and_ter(parser: Parser) -> None:
    """How chrF and TER are computed; BLEU ignores it."""
    add = parser.group("chrF, by sacreBLEU")
    add("-cc", "--chrf-char-order", type=int, default=6, metavar="N",
        help="longest n-gram of characters (default: %(default)s)")  # fmt: skip
    add("-cw", "--chrf-word-order", type=int, default=0, metavar="N",
        help="longest n-gram of words; 2 is chrF++ (default: %(default)s)")  # fmt: skip
    add("--chrf-beta", type=int, default=2, metavar="N",
        help="weight of recall (default: %(default)s)")  # fmt: skip
    add("--chrf-whitespace", action="store_true", help="count white space in n-grams")
    add("--chrf-lowercase", action="store_true", help="ignore case")
    add("--chrf-eps-smoothing", action="store_true",
        help="smooth as chrF++.py, NLTK and Moses do")  # fmt: skip
    add = parser.group("TER, by sacreBLEU")
    add("--ter-case-sensitive", action="store_true", help="do not ignore case")
    add(
        "--ter-asian-support", action="store_true", help="treat East Asian characters by themselves"
    )
    add("--ter-no-punct", action="store_true", help="remove punctuation")
    add("--ter-normalized", action="store_true", help="normalize and tokenize")


def check_chrf(options: argparse.Namespace) -> None:
    """ValueError for options that sacreBLEU's chrF fails at; other metrics ignore them."""
    if "chrf" not in options.metrics:
        return
    orders = "chrf_char_order", "chrf_word_order"
    for name in (*orders, "chrf_beta"):
        checked_integer(getattr(options, name), name.replace("_", "-"), 0)
    if not any(getattr(options, name) for name in orders):
        raise ValueError("chrf-char-order and chrf-word-order are both 0")


def is_passed_on(options: argparse.Namespace) -> bool:
    """Whether it is about test sets and not about files: sacreBLEU does all of it."""
    asked = "list_test_sets", "citation", "echo", "download", "detail", "origlang", "subset"
    return any(getattr(options, name) for name in asked) or "," in (options.test_set or "")
