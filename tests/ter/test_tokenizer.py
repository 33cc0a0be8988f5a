"""Words are those of sacreBLEU in all settings; ids are equal where words are."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from corpora import read_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from strategies import IS_LONG, MARKUP, NEARLY_WHITE_SPACE, PIECES, WHITE_SPACE, ugly_text

from vecbleu.ter.options import TerOptions
from vecbleu.ter.tokenizer import split_reference, split_tercom, tercom_ids
from vecbleu.text.text import Text

DATA = Path(__file__).parent.parent.parent / "data"

VALUES = list(product([False, True], repeat=4))
SETTINGS = [TerOptions(*values) for values in VALUES]
EVERY_SETTING = pytest.mark.parametrize(
    "options", SETTINGS, ids=[" ".join(map(str, map(int, values))) for values in VALUES]
)
NORMALIZED = [one for one in SETTINGS if one.normalized and not one.case_sensitive]


def keywords_of(options):
    """The options that sacreBLEU has, too."""
    return {name: value for name, value in vars(options).items() if name != "normalize"}


def sacrebleus_words(string, options):
    """The words of a string as a hypothesis, and as a reference, which is tokenized twice."""
    metric = TER(**keywords_of(options))
    once = metric._preprocess_segment(string)
    return once.split(), metric._preprocess_segment(once).split()


def assert_equal_ids(units, ids):
    """Ids are as many as words, and equal where words are."""
    assert ids.lengths.tolist() == list(map(len, units))
    words = [word for unit in units for word in unit]
    pairs = set(zip(words, ids.values.tolist(), strict=True))
    assert len(pairs) == len({word for word, _ in pairs}) == len({one for _, one in pairs})


def assert_sacrebleus(strings, options):
    """Each string alone and in a block, as a hypothesis and as a reference."""
    expected = [words for string in strings for words in sacrebleus_words(string, options)]
    both = [
        split(string, options) for string in strings for split in (split_tercom, split_reference)
    ]
    pairs = zip(np.repeat(strings, 2), both, expected, strict=True)
    assert [(string, ours, theirs) for string, ours, theirs in pairs if ours != theirs] == []
    text = Text.from_strings([string for string in strings for _ in range(2)])
    before = text.strings()
    is_reference = np.tile([False, True], len(strings))
    assert_equal_ids(expected, tercom_ids(text, is_reference, options))
    assert text.strings() == before


POSSESSIVES = ["'s", "'s ", "'S ", "'s.", "'s\t", "'s中", "s'", "'s's"]
ASIAN = "中あア㋿㼢㼣䷀䶿。、・｡，．（［⻿㇀㇯ㇰ︰豈\uf8ff"
TERCOM_PIECES = st.one_of(
    *map(st.sampled_from, [*PIECES, POSSESSIVES, POSSESSIVES, ASIAN, ASIAN, "5.,-a ", ["\n-"]])
)
tercom_text = st.one_of(ugly_text, st.lists(TERCOM_PIECES, max_size=12).map("".join))


@EVERY_SETTING
@settings(max_examples=4000 if IS_LONG else 40)
@given(
    strings=st.lists(tercom_text, min_size=5, max_size=12),
    newline=st.sampled_from(["\n", "\t", ""]),
)
def test_words_of_generated_text_are_sacrebleus(options, strings, newline):
    """A block is tokenized in another way if units hold newlines, so most have none."""
    assert_sacrebleus([string.replace("\n", newline) for string in strings], options)


@EVERY_SETTING
@pytest.mark.parametrize("language", ["de", "en", "zh"])
def test_words_of_real_text_are_sacrebleus(options, language):
    lines = [line for path in sorted((DATA / language).glob("*.*.*")) for line in read_lines(path)]
    assert len(lines) > 100
    assert_sacrebleus(lines[:: 1 if IS_LONG else 5], options)


@pytest.mark.parametrize("options", NORMALIZED)
def test_words_of_chosen_strings_are_sacrebleus(options):
    for alphabet in ("5.,-a", "'s .5中", "x&;\t'"):
        many = [product(alphabet, repeat=size) for size in range(7 if IS_LONG else 5)]
        assert_sacrebleus(["".join(word) for some in many for word in some], options)
    runs = product(["", "5", "a", "'s", "中"], ".,-'", range(6), ["", "5", "a", "'s ", "中"])
    assert_sacrebleus([a + run * length + b for a, run, length, b in runs], options)
    spaces = [f"a's{c}b{c}{c}5{c}.{c}'s{c}" for c in WHITE_SPACE + NEARLY_WHITE_SPACE]
    assert_sacrebleus(spaces, options)
    assert_sacrebleus([c for c in spaces if "\n" not in c], options)
    markup = [f"{mark}{end}" for mark, end in product(MARKUP, ["", "a", ";"])]
    for strings in ([], [""], [" ", ""], ["\n\n"], ["\t", "\u3000"], markup):
        assert_sacrebleus(strings, options)


# Those between which the edges of sacreBLEU's ranges lie, and their neighbors.
EDGES = [*range(0x2E70, 0x3410), *range(0x3F1E, 0x3F28), *range(0x4DB0, 0x4E10)]
EDGES += [*range(0x9FF0, 0xA010), *range(0xF8F0, 0xFB10), *range(0xFE20, 0xFFF0)]


@pytest.mark.parametrize("options", [one for one in NORMALIZED if one.asian_support])
def test_words_at_code_points_are_sacrebleus(options):
    characters = list(map(chr, range(0x110000) if IS_LONG else [*range(0x500), *EDGES]))
    between = [f"a{c}b's{c}.{c}5{c} 7.{c}" for c in characters]
    strings = [" ".join(between[start::997]) for start in range(997)]
    assert_sacrebleus([string.replace("\n", "") for string in strings], options)
    only_removed = TerOptions(no_punct=True, asian_support=True)
    assert_sacrebleus(strings, only_removed)


# What is set, a string, the words of a hypothesis, and those of a reference if they differ.
QUIRKS = [
    ("", "The END.", "the end.", None),
    ("", "ΑΣ ΑΣ.\n-", "ας ας. -", None),
    ("case_sensitive", "The END.", "The END.", None),
    ("asian_support", "中文。a", "中文。a", None),
    ("no_punct", 'Well, (2.5) "a.b"-c\'s?', "well 25 ab-c's", None),
    ("no_punct", "a。b，c", "a。b，c", None),
    ("no_punct asian_support", "a。b，c・d,e", "abcde", None),
    ("normalized", "Well-known (2.5) 7-3, a.b", "well-known ( 2.5 ) 7 - 3 , a . b", None),
    ("normalized", "中文。a", "中文。a", None),
    ("normalized", "the cat's hat, it's", "the cat 's hat , it 's", None),
    ("normalized", "cat's. that", "cat's . that", "cat 's . that"),
    ("normalized", "cat's\tthat", "cat's that", "cat 's that"),
    ("normalized", "cat's \t", "cat 's", None),
    ("normalized", "cat's\t", "cat 's", None),
    ("normalized", "cat's\t\n-", "cat's", "cat 's"),
    ("normalized", "x's's's", "x's's 's", "x's 's 's"),
    ("normalized", "cat's) cat's-eye cat'sa", "cat 's ) cat's-eye cat'sa", None),
    ("normalized", "a..5 a...5", "a . .5 a . . . 5", "a . . 5 a . . . 5"),
    ("normalized", "1..5 1...5", "1 . . 5 1 . . .5", "1 . . 5 1 . . . 5"),
    ("normalized", "semi\n-final\nday", "semifinal day", None),
    ("normalized", "ΑΣ\n-Α", "αςα", None),
    ("normalized", "&amp;lt; &amp;quot; &AMP;", "< & quot ; &", None),
    ("normalized case_sensitive", "&AMP; IT'S it's", "& AMP ; IT'S it 's", None),
    ("normalized asian_support", "a中文b㋿c㼢㼣。あア", "a 中 文 b ㋿ c 㼢 㼣 。 あア", None),
    ("normalized asian_support", "cat's中", "cat's 中", "cat 's 中"),
    ("normalized no_punct", "2.5 a..5 1,000.", "25 a 5 1000", None),
    ("normalized no_punct", "cat's. a.b's\"", "cat's a b 's", "cat 's a b 's"),
    ("normalized no_punct", "a。b", "a。b", None),
    ("normalized no_punct asian_support", "2.5。cat's、", "25 cat's", "25 cat 's"),
]


@pytest.mark.parametrize(("names", "string", "once", "twice"), QUIRKS)
def test_quirks(names, string, once, twice):
    options = TerOptions(**dict.fromkeys(names.split(), True))
    assert " ".join(split_tercom(string, options)) == once
    assert " ".join(split_reference(string, options)) == (twice or once)
    assert_sacrebleus([string], options)


def test_words_of_hypotheses_and_references_share_ids():
    text = Text.from_strings(["the internationalization's.", "The internationalization 's ."])
    ids = tercom_ids(text, np.array([True, False]), TerOptions(normalized=True))
    assert ids[0].tolist() == ids[1].tolist()
    assert len(set(ids[0].tolist())) == 4


def test_one_newline_changes_the_words_of_its_unit_alone():
    options = TerOptions(normalized=True)
    ids, joined = (
        tercom_ids(Text.from_strings(lines), np.array([False, True]), options)
        for lines in (["semi\n-final", "cat's."], ["semifinal", "cat 's ."])
    )
    assert ids.values.tolist() == joined.values.tolist()
    assert ids.lengths.tolist() == [1, 3]
