"""Warn of input that can be scored, but hardly as it is meant.

Each doubt says what is seen, and what to write instead. Evidence is looked for in a sample of each
side, the quickest first: most text has none of the marks. No doubt changes a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, takewhile
from operator import eq
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK, MarkWarning, warn_caller
from vecbleu.arguments.errors import InputWarning
from vecbleu.core.corpus import Corpus, IdCorpus
from vecbleu.inputs.mistakes import is_listed_text

# Names a side, for messages, and has its units.
Side = tuple[str, Any]

Tell = Callable[[InputWarning], None]

# Doubts of one call that are told, the most telling first.
_MOST_TOLD = 2

# Units, first tokens of each, and ids in which doubts are looked for; units and characters of each
# for what takes longer, and rows of tokens.
_SAMPLE, _FIRST_TOKENS, _SAMPLE_IDS = 100, 5, 1 << 14
_FEW, _CHARACTERS, _ROWS = 20, 200, 10

# The share of units that have what ordinary text may have in a few.
_RARE = 0.1

# The id that pads labels in Hugging Face's libraries, and types that can be compared with it.
_NUMBERS = {int, np.int64, np.int32}
_PADDING = -100


class Evidence(NamedTuple):
    """What shows that units of text hold more than text."""

    mark: str  # a character, which is looked for first
    pattern: str  # at the beginning of a unit, if most units have it
    share: float  # of units that have the pattern, at least
    fewest: int  # units
    seen: str
    advice: str


_SPECIAL = "has special tokens of a model, such as {example}, which count as words"
_SKIP = "leave them out, such as by skip_special_tokens=True when decoding"
_PIECES = "has pieces of words, joined by {example}, which count as words"
_JOIN = "join them first, such as by the decode method of what split the text"

# The most telling first.
_TABLE = (
    (
        "\0",
        r"(?:\0?[^\0]\0){2}",
        0.5,
        1,
        "has a zero byte beside each character, as UTF-16 has it",
        "read it with the encoding utf-16 (on the command line: --encoding utf-16)",
    ),
    (
        "|",
        r"\s*\d+ \|\|\| .* \|\|\| ",
        0.5,
        1,
        "looks like an n-best list",
        "pass one text a segment: line.split(' ||| ')[1]; to choose one, see vecbleu mbr",
    ),
    (
        "<",
        r"<(?:/?s|pad|unk|bos|eos|cls|sep|mask|extra_id_\d+|\|\w+\|)>",
        _RARE,
        1,
        _SPECIAL,
        _SKIP,
    ),
    ("[", r"\[(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS)\]", _RARE, 1, _SPECIAL, _SKIP),
    (
        "<",
        r"\s*<(?:\?xml|![A-Z]|([A-Za-z][\w:-]*)[^\n]*</\1>|/?[A-Za-z][^<>]*>\s*$)",
        0.5,
        2,  # one segment may have tags
        "looks like markup, such as SGML or XML",
        "pass the text of its segments: re.findall(r'<seg.*?>(.*?)</seg>', data)",
    ),
    (
        "{",
        r"""\s*\[?\{\s*["'][^\n]*\}\]?,?\s*$""",
        0.5,
        1,
        "looks like JSON",
        "pass one of its fields: json.loads(line)[name]",
    ),
    (
        "[",
        r"""\s*\[(?:["'].*["']|\d+(?:, \d+)+)\]\s*$""",
        0.5,
        1,
        "looks like lists that became strings",
        "pass the lists, or read them by ast.literal_eval",
    ),
    (
        ",",
        r'(?:"[^"]*"|[A-Za-z0-9_.:-]*[0-9]),(?=\S)',
        0.8,
        5,
        "looks like rows of CSV",
        "pass one of its columns: [row[name] for row in csv.DictReader(file)]",
    ),
    ("@", r"@@(?= |$)", _RARE, 1, _PIECES, _JOIN),
    ("#", r" ##\w+", _RARE, 1, _PIECES, _JOIN),
    ("<", r"</w>", _RARE, 1, _PIECES, _JOIN),
    ("\u2581", r"\u2581\w+", _RARE, 1, _PIECES, _JOIN),
    ("\u0120", r"\u0120\w+ ?\u0120\w+", _RARE, 1, _PIECES, _JOIN),
    ("\uffed", r"\uffed\w|\w\uffed", _RARE, 1, _PIECES, _JOIN),
    (
        "&",
        r"&(?:amp;#?\w+|apos|nbsp|#\d+|#x[\da-fA-F]+);",
        _RARE,
        1,
        "has entities such as {example}",
        "unescape it first, by html.unescape",
    ),
    (
        "\t",
        r"[^\t]*[^\t\s][^\t]*\t[^\t]*[^\t\s]",
        0.9,
        3,
        "has tabs in nearly all segments",
        "pass one field: text.split('\\t')[0]; on the command line, -nr 2 reads two references",
    ),
)
_EVIDENCE = tuple(map(Evidence._make, _TABLE))
_MARKS = {evidence.mark for evidence in _EVIDENCE if evidence.fewest == 1}
_FEWEST_OF_ANY = 3

# Doubts of tokens, too.
_OF_TOKENS = _EVIDENCE[2:4]

# Scripts without spaces between words: of a letter a syllable, and of smaller letters. The numbers
# are letters of a run, on average: segmented text has spaces, too, and its words are shorter.
_SYLLABLES = (
    "[\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4c6\uf900-\ufaff\uff66-\uff9f"
    "\U00016fe0-\U00018d7f\U0001aff0-\U0001b2fb\U00020000-\U0003347f]+"
)
_LETTERS = (
    "[\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u0f00-\u0f0b\u0f18-\u0fbc\u1000-\u1049\u1050-\u109f"
    "\u1780-\u17d3\u1950-\u19df\u1a00-\u1aad\u1b00-\u1b4c\ua840-\ua873\ua930-\ua953\ua980-\ua9c0"
    "\ua9e0-\ua9fe\uaa00-\uaa4d\uaa60-\uaadf\U00011700-\U0001172b\U00011ee0-\U00011ef6"
    "\U00011f00-\U00011f42]+"
)
_SCRIPTS = ((_SYLLABLES, 4), (_LETTERS, 8))
_SCRIPT_SHARE = 0.3  # of the characters
_KANA = "[\u3041-\u30ff\uff66-\uff9f]"
_NEED_SPACES = ("13a", "intl", "none")

# Letters that look alike, of which a text has one: with comma and cedilla; Persian and Arabic.
_ALIKE = (("\u0219", "\u015f"), ("\u021b", "\u0163"), ("\u06cc", "\u064a"), ("\u06a9", "\u0643"))

# First bytes in UTF-8 of letters of scripts of which none is written without spaces, or in several
# normal forms.
_PLAIN = bytes({*range(0x100)} - {0xCC, 0xCD, 0xE0, 0xE1, *range(0xE3, 0xF5)})

# A Latin letter before a Cyrillic one; and letters by the first bytes that they have in UTF-8.
_MIXED = "[A-Za-z][\u0400-\u04ff]"
_ALPHABETS = bytes.maketrans(b"\xd0\xd1" + ascii_letters.encode(), b"cc" + b"l" * 52)

# Text looks tokenized if so many segments of a side end in " .", and this share of them.
_PERIOD = (" .", " . ")
_PERIODS, _PERIOD_SHARE = 100, 0.25

# Segments of one word each, segments that equal their references, and references of one word each
# for a segment: fewer may be meant.
_FEWEST_WORDS, _FEWEST_EQUAL, _FEWEST_TOKENS = 5, 20, 3

# Scripts from here on may have no spaces; emoji may stand for many words.
_SPACELESS = "\u0e00"

# What scripts are called, by the first word of the names of their letters.
_LANGUAGES = {"Cjk": ("Chinese", "zh"), "Bopomofo": ("Chinese", "zh")}


def warn_of_corpus(
    corpus: Corpus,
    name: str,
    tokenize: str = "",
    given: Sequence[object] = (),
    tell: Tell = warn_caller,
) -> None:
    """Warn of units that can be scored, but hardly as they are meant.

    The side `name` may have references. `tokenize` names the tokenizer, if a metric has one for
    text. `given` is both sides as the user passed them.
    """
    if not len(corpus):
        return
    sides = [(name, corpus.hypotheses)]
    if len(corpus.references):
        sides.append(("references", corpus.references))
    if given and _are_in_other_order(*given):
        found = f"{name} and references have the same index in another order"
        advice = f"if it names segments, pass references.loc[{name}.index]"
        tell(InputWarning(found, advice=advice))
    _tell(_of_texts(sides, tokenize) if corpus.is_text else _of_tokens(corpus, sides), tell)


def warn_of_texts(sides: Sequence[Side], tokenize: str = "", tell: Tell = warn_caller) -> None:
    """Warn of texts, of which the first are hypotheses."""
    _tell(_of_texts(sides, tokenize), tell)


def warn_of_strings(hypothesis: object, references: Iterable[object]) -> bool:
    """Warn of texts where tokens are meant, and of one reference where a list of them is."""
    units = hypothesis, *([references] if isinstance(references, str) else references)
    strings = [unit for unit in units if isinstance(unit, str)] if str in map(type, units) else []
    if _are_texts([strings or hypothesis]):
        warn_caller("a text is given where tokens are expected; pass text.split()")
        return True
    if strings and not isinstance(hypothesis, str):
        warn_caller("a reference is a string, whose characters are counted; pass [reference]")
    return bool(strings)


def _tell(doubts: Iterable[InputWarning], tell: Tell) -> None:
    """Tell the first doubts, each once for both sides."""
    told: set[str] = set()
    for doubt in doubts:
        kind = doubt.advice or doubt.found
        if kind not in told:
            told.add(kind)
            tell(doubt)
        if len(told) == _MOST_TOLD:
            return


def _sampled(units: Sequence[Any], most: int) -> Sequence[Any]:
    """Return at most so many units, evenly spread."""
    return units[:: max(1, -(-len(units) // most))]


def _are_in_other_order(first: Any, second: Any) -> bool:
    """Return whether two series of pandas have the same unique labels in another order."""
    first, second = getattr(first, "index", None), getattr(second, "index", None)
    if not (hasattr(first, "isin") and hasattr(second, "isin")):
        return False
    if first.equals(second) or not first.is_unique or not second.is_unique:
        return False
    return bool(first.isin(second).all())


def _of_texts(sides: Sequence[Side], tokenize: str) -> Iterator[InputWarning]:
    """Doubt texts, of which the first are hypotheses."""
    samples = [_sampled(units, _SAMPLE) for _, units in sides]
    texts = list(map("\n".join, samples))
    text = "\n".join(texts)
    size = len(samples[0])
    if size >= _FEWEST_OF_ANY or any(map(text.__contains__, _MARKS)):
        for (name, _), sample, part in zip(sides, samples, texts, strict=True):
            yield from _of_evidence(name, sample, part, _EVIDENCE)
    if not text.isascii():
        yield from _of_letters(sides, samples, texts, tokenize)
    if tokenize in _NEED_SPACES and (" " not in texts[0] or " " not in texts[-1]):
        yield from _of_words(sides, samples)
    if tokenize and len(sides[0][1]) >= _PERIODS:
        yield from _of_periods(sides)
    is_same = len(sides) == 2 and samples[0] == samples[1]
    if is_same and len(set(samples[0])) >= _FEWEST_EQUAL:
        found = f"equals {sides[1][0]} in every segment"
        yield InputWarning(found, advice="pass the output of a system", argument=sides[0][0])


def _of_evidence(
    name: str, sample: Sequence[str], text: str, table: Iterable[Evidence]
) -> Iterator[InputWarning]:
    """Doubt texts of a side that hold more than text; `text` is all of them."""
    for evidence in table:
        if len(sample) < evidence.fewest or evidence.mark not in text:
            continue
        pattern = re.compile(evidence.pattern)
        if evidence.share > _RARE:
            few = _sampled(sample, _FEW)
            found = list(filter(None, map(pattern.match, few)))
        else:
            few = sample
            found = list(pattern.finditer(text))
        if len(found) >= max(1, evidence.share * len(few)):
            seen = evidence.seen.replace("{example}", found[0][0])
            yield InputWarning(seen, advice=evidence.advice, argument=name)


def _of_letters(
    sides: Sequence[Side],
    samples: Sequence[Sequence[str]],
    texts: Sequence[str],
    tokenize: str,
) -> Iterator[InputWarning]:
    """Doubt texts for their letters."""
    for (name, _), text in zip(sides, texts, strict=True):
        # The first text alone: WMT23's outputs have the mark in later ones, by no mistake.
        if text.startswith(BYTE_ORDER_MARK):
            yield MarkWarning(argument=name)
    few = [_sampled(sample, _FEW) for sample in samples]
    text = "\n".join([unit[:_CHARACTERS] for unit in chain.from_iterable(few)])
    data = text.encode("utf-8", "surrogatepass")
    leads = data.translate(None, _PLAIN)
    is_script = len(leads) >= _SCRIPT_SHARE * len(text) and max(text) >= _SPACELESS
    if is_script and tokenize in _NEED_SPACES:
        yield from _of_script(text, tokenize)
    if len(sides) > 1:
        yield from _of_likeness(sides, texts)
        if leads and not unicodedata.is_normalized("NFC", text):
            yield from _of_forms(sides, few)
        if b"lc" in data.translate(_ALPHABETS):
            yield from _of_mixed(sides, few)


def _of_script(text: str, tokenize: str) -> Iterator[InputWarning]:
    """Doubt a tokenizer that needs spaces, for text of a script without them."""
    for pattern, least in _SCRIPTS:
        runs = re.findall(pattern, text)
        letters = "".join(runs)
        if not runs or len(letters) < max(least * len(runs), _SCRIPT_SHARE * len(text)):
            continue
        script = unicodedata.name(letters[0], "").partition(" ")[0].title()
        language, tokenizer = _LANGUAGES.get(script, (script, "char"))
        if 10 * len(re.findall(_KANA, letters)) > len(letters):
            language, tokenizer = "Japanese", "ja-mecab"
        yield InputWarning(
            f"the text looks {language}, which is written without spaces, so {tokenize} takes "
            f"whole phrases for words; the usual tokenizer is {tokenizer!r}"
        )


def _of_likeness(sides: Sequence[Side], texts: Sequence[str]) -> Iterator[InputWarning]:
    """Doubt sides that have letters which look alike, but are not."""
    text = "\n".join(texts[1:])
    for usual, other in _ALIKE:
        if other not in text and other not in texts[0]:  # as usual
            continue
        seen = [[usual in side, other in side] for side in (texts[0], text)]
        if sorted(seen) == [[False, True], [True, False]]:
            codes = f"U+{ord(usual):04X} and U+{ord(other):04X}"
            found = f"{sides[0][0]} and {sides[1][0]} differ in {codes}, which look alike"
            yield InputWarning(found, advice="replace one by the other")


def _of_forms(sides: Sequence[Side], few: Sequence[Sequence[str]]) -> Iterator[InputWarning]:
    """Doubt sides of which NFC gives one letters that only the other has."""
    first, *others = few
    both = first, list(chain.from_iterable(others))
    for (name, _), own, other in zip(sides, both, both[::-1], strict=False):
        text = "".join(" ".join(own).split())  # NFC changes some white space, too
        composed = unicodedata.normalize("NFC", text)
        if composed != text and (set(composed) - set(text)).intersection("".join(other)):
            found = "has another Unicode normal form than the other side"
            advice = f"pass [unicodedata.normalize('NFC', text) for text in {name}]"
            yield InputWarning(found, advice=advice, argument=name)


def _of_mixed(sides: Sequence[Side], few: Sequence[Sequence[str]]) -> Iterator[InputWarning]:
    """Doubt one side of which many units mix Latin with Cyrillic, and the other does not."""
    mixed = re.compile(_MIXED).search
    shares = [sum(map(bool, map(mixed, units))) / len(units) for units in few]
    if max(shares) >= _RARE and not min(shares):
        found = "has words of Latin and Cyrillic letters, which look alike"
        name, _ = sides[shares.index(max(shares))]
        yield InputWarning(found, advice="replace one by the other", argument=name)


def _of_periods(sides: Sequence[Side]) -> Iterator[InputWarning]:
    """Doubt texts that look tokenized."""
    for name, units in sides:
        sample = _sampled(units, 2 * _PERIODS)
        share = sum([unit.endswith(_PERIOD) for unit in sample]) / len(sample)
        if share >= _PERIOD_SHARE and share * len(units) >= _PERIODS:
            found = "looks tokenized: many segments end in a space and a period"
            advice = "scores of tokenized text can't be compared with others: detokenize it first"
            yield InputWarning(found, advice=advice, argument=name)


def _of_words(sides: Sequence[Side], samples: Sequence[Sequence[str]]) -> Iterator[InputWarning]:
    """Doubt texts of a word each, in scripts with spaces."""
    if max("".join(chain.from_iterable(samples)), default="") >= _SPACELESS:
        return
    are_words = [{len(unit.split()) for unit in sample} == {1} for sample in samples]
    (name, units), (last, others) = sides[0], sides[-1]
    if all(are_words) and len(units) >= _FEWEST_WORDS:
        found = "has one word in each segment, where BLEU looks for four"
        advice = f"if they are the words of one segment, pass [' '.join({name})]"
        yield InputWarning(found, advice=advice, argument=name)
    elif are_words[-1] and not are_words[0] and len(others) >= _FEWEST_TOKENS * len(units):
        found = "has one word in each reference"
        advice = f"if these are tokens, pass [' '.join(tokens) for tokens in {last}]"
        yield InputWarning(found, advice=advice, argument=last)


def _of_tokens(corpus: Corpus, sides: Sequence[Side]) -> Iterator[InputWarning]:
    """Doubt tokens or ids; not of the references if there are doubts of the hypotheses."""
    are_ids = isinstance(corpus, IdCorpus)
    for name, units in sides:
        rows = list(map(units.__getitem__, range(0, len(units), 1 + (len(units) - 1) // _ROWS)))
        first = rows[0][0] if len(rows[0]) else None
        told: list[InputWarning] = []
        if isinstance(first, str):
            told = list(_of_strings(name, rows, len(sides) > 1))
        elif isinstance(first, (int, np.integer)):
            told = list(_of_ids(name, rows, [units.values[:_SAMPLE_IDS]] if are_ids else rows))
        yield from told
        if told:
            return


def _of_ids(name: str, rows: Sequence[Any], more: Sequence[Any]) -> Iterator[InputWarning]:
    """Doubt padding of ids; in `more` ids, that which is always wrong is looked for."""
    # Other tokens can't all be compared with a number.
    ids = (row for row in more if more is not rows or set(map(type, row)) <= _NUMBERS)
    if any(_PADDING in row for row in ids):
        found = f"has the id {_PADDING}, which pads labels"
        yield InputWarning(found, advice=f"pass ignore_ids={_PADDING}", argument=name)
    elif (pad := _padding_of(rows)) is not None:
        found = f"has the id {pad} at the ends of most rows, as padding"
        yield InputWarning(found, advice=f"pass ignore_ids={pad}", argument=name)


def _of_strings(name: str, rows: Sequence[Any], is_pair: bool) -> Iterator[InputWarning]:
    """Doubt tokens that are strings, of hypotheses that have references, or of any side."""
    lengths = set(map(len, rows))
    if lengths == {1} and any(map(is_listed_text, rows)):
        found = "has one token in each entry, some with spaces, like rows of a database"
        advice = f"if these are texts, pass [row[0] for row in {name}]"
        yield InputWarning(found, advice=advice, argument=name)
    elif _are_texts(rows):
        advice = f"pass each by itself: [function(texts) for texts in {name}]"
        if name == "references" and is_pair:
            advice = "pass [[text.split() for text in texts] for texts in references]"
        elif is_pair:
            advice = (
                "pass each by itself: [function(*texts) for texts in zip(hypotheses, references)]"
            )
        found = f"the tokens of {name} have spaces; if its entries are sets of texts"
        yield InputWarning(f"{found}, {advice}")
    if len(rows) > 1 and len(lengths) == 1 and (pad := _padding_of(rows)) is not None:
        found = f"has the token {pad!r} at the ends of most rows, as padding"
        advice = f"pass [[token for token in row if token != {pad!r}] for row in {name}]"
        yield InputWarning(found, advice=advice, argument=name)
    with suppress(TypeError):  # some tokens are no strings
        yield from _of_evidence(name, rows, " ".join(map(" ".join, rows)), _OF_TOKENS)


def _are_texts(rows: Sequence[Any]) -> bool:
    """Return whether most of the first tokens of rows have a space, other than at their ends."""
    first = [row[0] for row in rows if len(row)]
    if not any(isinstance(token, str) and " " in token for token in first):  # as usual
        return False
    tokens = [token for row in rows for token in islice(row, _FIRST_TOKENS)]
    has_space = [isinstance(token, str) and " " in token.strip() for token in tokens]
    return 2 * sum(has_space) > len(tokens)


def _padding_of(rows: Sequence[Any]) -> Any:
    """Return the token that ends or begins most rows, and stands nowhere else in them, or None."""
    for edge, inner, step in ((-1, -2, -1), (0, 1, 1)):
        doubled = [row[edge] for row in rows if len(row) > 1 and row[edge] == row[inner]]
        if not doubled or 4 * len(doubled) < len(rows):
            continue
        pad = max(set(doubled), key=doubled.count)
        turned = [list(row)[::step] for row in rows]
        runs = [len(list(takewhile(partial(eq, pad), row))) for row in turned]
        padded = sum(map(bool, runs))
        copies = sum(row.count(pad) for row in turned)
        if copies == sum(runs) >= padded + 3 and 2 * padded >= len(rows):
            return pad
    return None
