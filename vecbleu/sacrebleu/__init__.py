"""Replacement for sacreBLEU's BLEU: reference streams, scores from 0 to 100, signatures.

To switch a program, write ``import vecbleu.sacrebleu as sacrebleu``. All other names, such as
`CHRF`, `TER` and those of test sets, come from the installed sacreBLEU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vecbleu.sacrebleu import mirrors

if TYPE_CHECKING:
    from sacrebleu import CHRF as CHRF
    from sacrebleu import DATASETS as DATASETS
    from sacrebleu import SACREBLEU_DIR as SACREBLEU_DIR
    from sacrebleu import TER as TER
    from sacrebleu import corpus_chrf as corpus_chrf
    from sacrebleu import corpus_ter as corpus_ter
    from sacrebleu import download_test_set as download_test_set
    from sacrebleu import get_available_testsets as get_available_testsets
    from sacrebleu import get_langpairs_for_testset as get_langpairs_for_testset
    from sacrebleu import get_reference_files as get_reference_files
    from sacrebleu import get_source_file as get_source_file
    from sacrebleu import sentence_chrf as sentence_chrf
    from sacrebleu import sentence_ter as sentence_ter
    from sacrebleu import significance as significance
    from sacrebleu import smart_open as smart_open

    from vecbleu.sacrebleu.bleu import BLEU, corpus_bleu, raw_corpus_bleu, sentence_bleu
    from vecbleu.sacrebleu.ngrams import extract_char_ngrams, extract_word_ngrams
    from vecbleu.sacrebleu.score import BLEUScore
    from vecbleu.sacrebleu.signature import BLEUSignature

__description__ = "BLEU with sacreBLEU's calls, tens of times faster"
__version__ = "2.6.0"  # sacreBLEU with the same numbers; vecbleu's own: `vecbleu.__version__`

__all__ = [
    "BLEU",
    "BLEUScore",
    "BLEUSignature",
    "__version__",
    "corpus_bleu",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "raw_corpus_bleu",
    "sentence_bleu",
]

if not TYPE_CHECKING:  # with `__getattr__`, type checkers would accept misspelled names

    def __getattr__(name: str) -> Any:
        return mirrors.find("", name)

    def __dir__() -> list[str]:
        return [*globals(), *mirrors.names_of("")]
