"""Calls that `mypy --strict` refuses; behind each its error's code."""

from __future__ import annotations

import vecbleu
from vecbleu import significance
from vecbleu.sacrebleu import BLUE as BLUE  # attr-defined

vecbleu.no_such_name()  # attr-defined
vecbleu.sacrebleu.corpus_blue([], [])  # attr-defined
vecbleu.corpus_bleu("a", 3)  # arg-type
vecbleu.corpus_bleu(3, ["a"])  # arg-type
vecbleu.corpus_bleu(["a"], ["a"], smoothing="expp")  # arg-type
vecbleu.corpus_bleu(["a"], ["a"], smooth="exp")  # call-arg
vecbleu.corpus_bleu(["a"], ["a"], weights=0.5)  # arg-type
vecbleu.sentence_bleu(["a"], ["a"], ref_length="median")  # arg-type
vecbleu.statistics(["a"], ["a"], tokenize=13)  # arg-type
vecbleu.statistics(["a"], ["a"], ignore_ids=3.0)  # arg-type
vecbleu.file_statistics(3, "ref")  # arg-type
vecbleu.bleu.scores([1.0], smoothing="unknown")  # arg-type
vecbleu.Accumulator(weights=[[0.5], [0.5]])  # list-item
vecbleu.Accumulator().update("a", 3)  # arg-type
significance.bootstrap([1, 2])  # arg-type
significance.rank([], test="permutation")  # arg-type
significance.rank([], adjust="bonferroni")  # arg-type
