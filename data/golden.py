"""Write golden.tsv: the sample's scores, computed by sacreBLEU and NLTK and not by vecbleu.

    python data/golden.py > data/golden.tsv
    python data/golden.py chrf > data/golden-chrf.tsv

needs sacrebleu 2.6.0 and nltk 3.10.4, under Python 3.10 or 3.11 (from 3.12 on, the built-in sum
that sacreBLEU uses gives other last digits than the published scores have).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

FOLDER = Path(__file__).parent
SYSTEMS = ("good", "fair", "poor")
REFERENCES = (("A",), ("B",), ("A", "B"))
CHRF = (
    {},
    {"word_order": 2},
    {"char_order": 4, "word_order": 1, "beta": 1, "lowercase": True},
    {"whitespace": True, "eps_smoothing": True, "beta": 3},
)
TOKENIZERS = ("13a", "char", "intl", "none", "zh")


def read(name: str) -> list[str]:
    """The lines of a sample file."""
    return (FOLDER / name).read_text(encoding="utf-8").split("\n")[:-1]


def main() -> None:
    """Print one row for each language, system, choice of references, tokenizer and case."""
    columns = ["hypothesis", "references", "tokenize", "lowercase", "score", "matches", "totals"]
    print(*columns, "hyp_len", "ref_len", "nltk", sep="\t")
    for language in ("en", "de", "zh"):
        for system in SYSTEMS:
            hypothesis = f"{language}/sys.{system}.{language}"
            for chosen in REFERENCES:
                names = [f"{language}/ref.{name}.{language}" for name in chosen]
                for tokenize in TOKENIZERS:
                    for lowercase in (False, True):
                        print(*_row(hypothesis, names, tokenize, lowercase), sep="\t")


def print_chrf() -> None:
    """Print one row for each language, system, choice of references, and options of chrF."""
    print("hypothesis", "references", "options", "score", "counts", sep="\t")
    for language in ("en", "de", "zh"):
        for system in SYSTEMS:
            hypothesis = f"{language}/sys.{system}.{language}"
            for chosen in REFERENCES:
                names = [f"{language}/ref.{name}.{language}" for name in chosen]
                streams = [read(name) for name in names]
                for options in CHRF:
                    metric = sacrebleu.CHRF(**options)
                    rows = metric._extract_corpus_statistics(read(hypothesis), streams)
                    counts = [sum(column) for column in zip(*rows, strict=True)]
                    score = metric.corpus_score(read(hypothesis), streams).score
                    row = hypothesis, ",".join(names), json.dumps(options), repr(score), counts
                    print(*row, sep="\t")


def _row(hypothesis: str, names: list[str], tokenize: str, lowercase: bool) -> list[object]:
    """A row of numbers by sacreBLEU, and for `none` without lowercasing by NLTK, too."""
    lines, streams = read(hypothesis), [read(name) for name in names]
    score = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase, force=True).corpus_score(
        lines, streams
    )
    nltk: object = ""
    if tokenize == "none" and not lowercase:
        references = [[line.split() for line in segment] for segment in zip(*streams, strict=True)]
        nltk = repr(corpus_bleu(references, [line.split() for line in lines]))
    lengths = [score.sys_len, score.ref_len]
    counts = [score.counts, score.totals]
    case = "yes" if lowercase else "no"
    return [hypothesis, ",".join(names), tokenize, case, repr(score.score), *counts, *lengths, nltk]


if __name__ == "__main__":
    if sys.version_info >= (3, 12):
        sys.exit("run this under Python 3.10 or 3.11")
    print_chrf() if "chrf" in sys.argv else main()
