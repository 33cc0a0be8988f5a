"""Names of tokenizers, smoothings, commands, arguments and options are known where they must be."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest
import sacrebleu
from command import error, run, run_sacrebleu, write_lines
from peers import MECAB, TOKENIZE
from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS

from vecbleu.analysis.ngrams import KINDS
from vecbleu.bleu.options import SMOOTHING_VALUES as SMOOTHINGS
from vecbleu.cli import commands
from vecbleu.cli.options import FORMATS
from vecbleu.cli.program import COMMANDS
from vecbleu.core.metric import METRICS
from vecbleu.files.sources import FORMATS as TABLES
from vecbleu.sacrebleu import BLEU
from vecbleu.significance.resampling import Test
from vecbleu.text import external, tokenizers
from vecbleu.typing import RefLength, Smoothing

HELP = r"\n#+ vecbleu (.+)\n\n<!-- help: \1 -->\n"
ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def text_of(page):
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def section(page, title):
    return text_of(page).partition(f"# {title}\n")[2].partition("\n#")[0]


def argument(name, function="vecbleu.corpus_bleu"):
    text = inspect.getdoc(pkgutil.resolve_name(function))
    return re.search(rf"^{name} : .*(\n .*|\n$)*", text, flags=re.M)[0]


NAMES, PACKAGES = tokenizers.NAMES, [*external.DICTIONARIES, *external.MODELS]
TESTS, LENGTHS = get_args(Test), get_args(RefLength)
PICTURES = [f"plot {kind}" for kind in commands.PICTURES]
KNOWN = {
    "oracles of tokenizers": (NAMES, [*TOKENIZE, *MECAB, *SPM_MODELS]),
    "docstring on tokenizers": (NAMES, argument("tokenize")),
    "page on tokenizers": (NAMES, section("faq", "Which tokenizer?")),
    "page on packages": (PACKAGES, section("command-line", "Tokenizers that need a package")),
    "tokenizers of sacreBLEU": (BLEU.TOKENIZERS, [*sacrebleu.BLEU.TOKENIZERS]),
    "type of smoothings": (SMOOTHINGS, get_args(Smoothing)),
    "docstring on smoothings": (SMOOTHINGS, argument("smoothing").partition("\n")[2]),
    "page on smoothings": (SMOOTHINGS, section("step-by-step", "When nothing matches: smoothing")),
    "docstring on reference lengths": (LENGTHS, argument("ref_length")),
    "page on types": ([*SMOOTHINGS, *LENGTHS], section("reference/typing", "vecbleu.typing")),
    "docstring on tests": (TESTS, argument("test", "vecbleu.significance.rank")),
    "page on tests": (TESTS, section("command-line", "Rankings")),
    "docstring on n-grams": (KINDS, argument("kinds", "vecbleu.analysis.ngram_differences")),
    "page on n-grams": (KINDS, section("why", "N-grams")),
    "page on formats": ({*FORMATS} - {"text"}, section("command-line", "Scores")),
    "page on pictures": (PICTURES, section("why", "Pictures")),
    "reference": ([*COMMANDS, *PICTURES], re.findall(HELP, text_of("reference/command-line"))),
    "page on metrics": ([name.lower() for name in METRICS], section("command-line", "Scores")),
    "page on columns of LaTeX": (METRICS, section("command-line", "LaTeX")),
    "page on tables": ([rf"\.{ending}" for ending in TABLES], section("tables", "Formats")),
    "page on commands": (COMMANDS, section("command-line", "Command line")),
}


@pytest.mark.parametrize("place", KNOWN)
def test_every_name_is_in(place):
    names, known = KNOWN[place]
    known = re.sub("(?<=`)(vecbleu|-f) ", "", f"{known}")
    assert [name for name in names if not re.search(f"[\"'`]{name}[\"'` ]", known)] == []


def test_every_file_and_folder_that_a_page_names_exists():
    pages = [ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    named = {*re.findall(r"`((?:[\w.]+/)+(?:\w+\.\w+)?|\w+\.py)`", text)}
    assert len(named) > 60
    of_package = {name for name in named if any((ROOT / "vecbleu").rglob(name))}
    missing = [name for name in named - of_package if not (ROOT / name).exists()]
    assert missing in ([], ["site/"])  # which is built


FLAGS = {"--seed": "rng", "--sides": "sides", "-cc": "char_order"}
FLAGS |= {"--confidence-level": "confidence_level", "-cw": "word_order"}


def test_defaults_on_pages_are_those_of_the_functions():
    modules = [import_module(f"vecbleu{name}") for name in ("", ".chrf", ".ter", ".significance")]
    defaults = defaultdict(set)
    for function in (getattr(module, name) for module in modules for name in module.__all__):
        for parameter in inspect.signature(function).parameters.values():
            if isinstance(parameter.default, (int, float)):
                defaults[parameter.name].add(parameter.default)
    default = r"`(-[\w-]+) \w+`[^`]*?(?:(\d+) \(default\)|\(default: ([^)]*)\))"
    rows = {flag: two + three for flag, two, three in re.findall(default, text_of("command-line"))}
    others = {"--min-length", "--ngrams", "--resamples"}  # of compare; and as many as decide
    assert rows.keys() - FLAGS.keys() == others
    for flag, name in FLAGS.items():
        numbers = {float(number) for number in re.findall(r"\d[\d.]*", rows[flag])}
        assert numbers >= defaults[name]
        assert flag == "-cw" or numbers == defaults[name]  # which also says what chrF++ has
    pages = "".join(text_of(path.stem) for path in DOCS.glob("*.md")).replace(",", "")
    assert {*map(int, re.findall(r"seed (\d\d+)", pages))} == defaults["rng"]
    assert {*map(int, re.findall(r"(\d+) resamples", pages))} <= defaults["n_resamples"]
    for name, number in re.findall(r"`(\w+)` (\d+) by default", pages):
        assert defaults[name] == {int(number)}


def test_every_option_is_of_sacrebleu_or_on_a_page(tmp_path, monkeypatch):
    """Those of sacreBLEU are taken or handed over, and so are those that the page names."""
    monkeypatch.setenv("COLUMNS", "1000")  # no line of its help ends inside a name
    option, programs = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*"), ["", *COMMANDS, *PICTURES]
    theirs = {*option.findall(run_sacrebleu(tmp_path, "--help")[0])}
    assert len(theirs) > 60
    helps = [run(tmp_path, *f"{name} --help".split()).stdout.decode() for name in programs]
    heads = re.findall("^  (-.*?)(?:  .*)?$", "".join(helps), flags=re.M)
    known = theirs.union(*(option.findall(text_of(path.stem)) for path in DOCS.glob("*.md")))
    assert [head for head in heads if known.isdisjoint(option.findall(head))] == []
    ours = {*option.findall("\n".join(heads))}
    assert {*re.findall("(?<=`)-[^` ]+", text_of("command-line"))} <= ours | theirs
    monkeypatch.setattr("vecbleu.cli.score.find_spec", lambda name: None)
    write_lines(tmp_path, {"r": "a", "h": "a"})
    handed_over = theirs - {*option.findall(helps[0])} | {"-t wmt20", "-d", "--list", "-cw2"}
    for name in handed_over:
        assert f"vecbleu has no {name};" in error(run(tmp_path, "r", "-i", "h", *name.split()))
    assert "-d: No such file" in error(run(tmp_path, "r", "-i", "h", "--", "-d"))
