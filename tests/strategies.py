"""Hypothesis strategies that draw the ugly input of real test sets."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

IS_LONG = settings.default.max_examples > 1000  # the profile "long"

WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
NEARLY_WHITE_SPACE = "\x00\x08\x0e\x1b\x7f\x84\x86\u180e\u200b\u200c\u2060\ufeff\u2c80\u3001"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

MARKUP = ["&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&amp;quot;", "&am", "p;", "<skipped>"]
MARKUP += ["-\n", "\r\n", "-<skipped>\n", "<skip<skipped>ped>", "...", "..5", ",,", "1.5", "--"]
_WORDS = ["the", "a", "Cat", "naïve", "Straße", "İ", "ΑΣ", "中文", "𝒳𠮷", "👩\u200d🚀"]
_WORDS += "–„،٣²€。，５．"
PIECES = ["0123456789", ".,-", PUNCTUATION, WHITE_SPACE, NEARLY_WHITE_SPACE, MARKUP, _WORDS]
_pieces = st.one_of(*map(st.sampled_from, PIECES), st.characters(exclude_categories=()))

ugly_text = st.one_of(
    st.lists(_pieces, max_size=16).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=12),
    st.text(alphabet="5.,-a ", max_size=12),
)

text_segments = st.tuples(ugly_text, st.lists(ugly_text, min_size=1, max_size=4))
text_corpora = st.lists(text_segments, min_size=1, max_size=9)


def opposites(power):
    """Thue and Morse's bits and their complement: polynomials of one multiplier can't tell them."""
    bits = [place.bit_count() % 2 for place in range(2**power)]
    return bits, [1 - bit for bit in bits]


words = st.sampled_from(["the", "cat", "sat", "on", "mat", "a", ".", "internationalization"])

# Tokens whose equality is Python's: 1 == 1.0 == True, "1" != 1.
odd_tokens = st.one_of(
    st.sampled_from([1, 1.0, True, 0, False, "1", "a b", "a\nb", "", "\x00", "a", "a\x00", b"a"]),
    st.sampled_from([None, (1, "a"), ("a",), (1.0, "a"), 2**70, -1, frozenset({1})]),
    st.text(st.characters(exclude_categories=()), max_size=20),
    st.integers(),
)
string_tokens = st.one_of(words, st.text(st.characters(exclude_categories=()), max_size=20))


@st.composite
def token_corpora(
    draw, tokens=None, min_segments=0, max_segments=6, max_references=4, max_tokens=14
):
    """(hypotheses, references): references[i] is a list of at least one reference."""
    vocabulary = draw(st.lists(words if tokens is None else tokens, min_size=1, max_size=6))
    segment = st.lists(st.sampled_from(vocabulary), max_size=max_tokens)
    size = draw(st.integers(min_segments, max_segments))
    several = st.lists(segment, min_size=1, max_size=max_references)
    hypotheses = draw(st.lists(segment, min_size=size, max_size=size))
    return hypotheses, draw(st.lists(several, min_size=size, max_size=size))


@st.composite
def score_options(draw):
    """Options of `sentence_bleu` that choose orders, weights and smoothing."""
    max_order = draw(st.integers(1, 8))
    smoothing = draw(st.sampled_from(["none", "exp", "skip-zero", "floor", "add-k"]))
    values = [None, 0.0, 0.5, 2] if smoothing in ("floor", "add-k") else [None]
    weight = st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0])
    return {
        "max_order": max_order,
        "smoothing": smoothing,
        "smoothing_value": draw(st.sampled_from(values)),
        "effective_order": draw(st.booleans()),
        "weights": draw(st.none() | st.lists(weight, min_size=1, max_size=max_order)),
    }
