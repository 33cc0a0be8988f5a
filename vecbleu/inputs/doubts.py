"""Warn of input that can be scored, but hardly as it is meant.

Each doubt says what is seen, and what to write instead. Evidence is looked for in a sample of each
side, the quickest first: most text has none of the marks. No doubt changes a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, takewhile
from operator import eq
from typing import Any, NamedTuple

import numpy as np

from vecbleu.arguments.checks import BYTE_ORDER_MARK, MarkWarning, warn_caller
from vecbleu.arguments.errors import InputWarning
from vecbleu.core.corpus import Corpus
from vecbleu.inputs.mistakes import is_listed_text

# Names a side, for messages, and has its units.
Side = tuple[str, Any]

Tell = Callable[[InputWarning], None]

# Doubts of one call that are told, the most telling first.
_MOST_TOLD = 2

# Units in which doubts are looked for, and rows of tokens; for what takes longer, units and first
# characters of a side, and first tokens of a unit.
_SAMPLE, _ROWS = 50, 10
_FEW, _CHARACTERS, _FIRST_TOKENS = 10, 1000, 5

# The share of units that have what ordinary text may have in a few.
_RARE = 0.1

# Multiples of the golden ratio, modulo 1, are evenly spread and fit no period, such as that of
# several references for each segment.
_GOLDEN_RATIO = 0.6180339887498949

# The id that pads labels in Hugging Face's libraries.
_PADDING = -100


class Evidence(NamedTuple):
    """Describe what shows that units of text hold more than text."""

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

_DECODED = "has UTF-8 that was read in another encoding, such as {example}"
_ENCODE = "read it with encoding='utf-8'"


# The most telling first.
_TABLE = (
    (
        "\0",
        r"(?:\0?[^\0]\0){2}",
        0.5,
        1,
        "has a zero byte beside each character, as UTF-16 has it",
        "read it with the encoding utf-16-le or utf-16-be (on the command line: -e utf-16-le)",
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
        r"(?i)<(?:/?s|pad|unk|[bse]os|eot|cls|sep|mask|extra_id_\d+|(?:start|end)_of_\w+|\|\w+\|)>",
        _RARE,
        1,
        _SPECIAL,
        _SKIP,
    ),
    ("[", r"\[(?:CLS|SEP|PAD|UNK|MASK|BOS|EOS|/?INST)\]", _RARE, 1, _SPECIAL, _SKIP),
    (
        "_",
        r"(?:[a-z]{2}_[A-Z]{2}|[a-z]{3}_[A-Z][a-z]{3}|__[a-z]{2,3}__) ",  # of languages
        0.5,
        1,
        _SPECIAL,
        _SKIP,
    ),
    (
        "-",
        r"[HD]-\d+\s-\d|T-\d+\t",
        0.5,
        1,
        "looks like the output of fairseq",
        "pass the text of each line: line.split('\\t')[-1]",
    ),
    (
        "<",
        r"\s*<(?:\?xml|![A-Z]|([A-Za-z][\w:-]{0,30})[^\n]*</\1>|/?[A-Za-z][^<>]*>\s*$)",
        0.5,
        2,  # one segment may have tags
        "looks like markup, such as SGML or XML",
        "pass the text without tags; of files of WMT, FILE.sgm#seg or FILE.xml#hyp:SYSTEM",
    ),
    (
        "{",
        r"""\s*\[?\{\s*["'][^\n]*\}\]?,?\s*$""",
        0.5,
        1,
        "looks like JSON",
        "pass one of its fields: json.loads(line)[name], or FILE.jsonl#NAME of a file",
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
        r'"[^"]*",\S|[A-Za-z0-9_.:-]*[0-9],[^\s\d]',
        0.8,
        5,
        "looks like rows of CSV",
        "pass one of its columns: [row[name] for row in csv.DictReader(file)], or FILE.csv#NAME of "
        "a file",
    ),
    ("@", r"@@(?= |$)", _RARE, 1, _PIECES, _JOIN),
    ("#", r" ##\w+", _RARE, 1, _PIECES, _JOIN),
    ("<", r"</w>", _RARE, 1, _PIECES, _JOIN),
    ("\u2581", r"\u2581\w+", _RARE, 1, _PIECES, _JOIN),
    ("\u0120", r"\u0120\w+ ?\u0120\w+", _RARE, 1, _PIECES, _JOIN),
    ("\uffed", r"\uffed\w|\w\uffed", _RARE, 1, _PIECES, _JOIN),
    (
        "&",
        r"&(?:amp;#?\w+|apos|nbsp|[a-zA-Z](?:acute|grave|circ|uml|tilde|cedil)|#\d+|#x[\da-fA-F]+"
        r"|[lr][sd]quo|[nm]dash|hellip|szlig);",
        _RARE,
        1,
        "has entities such as {example}",
        "unescape it first, by html.unescape",
    ),
    ("\u00c3", "\u00c3[\u00a1-\u00bf]", _RARE, 1, _DECODED, _ENCODE),
    ("\u00e2\u20ac", "\u00e2\u20ac.", _RARE, 1, _DECODED, _ENCODE),
    (
        "\t",
        r"[^\S\t]*\S[^\t]*\t[^\S\t]*\S",
        0.9,
        3,
        "has tabs in nearly all segments",
        "pass one field, such as text.split('\\t')[0]; on the command line, write FILE#1 and "
        "--table-format tsv, or -nr 2 for two references",
    ),
)
_EVIDENCE = tuple(map(Evidence._make, _TABLE))
# ASCII is found in bytes in less time, other marks in strings.
_BY_MARK: dict[bytes | str, list[Evidence]] = {}
for _evidence in _EVIDENCE:
    _mark = _evidence.mark.encode() if _evidence.mark.isascii() else _evidence.mark
    _BY_MARK.setdefault(_mark, []).append(_evidence)
_ASCII_MARKS = [mark for mark in _BY_MARK if isinstance(mark, bytes)]
_OTHER_MARKS = [mark for mark in _BY_MARK if isinstance(mark, str)]

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
_OF_TER = "tercom"
_NEED_SPACES = ("13a", "intl", "none", _OF_TER)

# What lets TER cut such text.
_CHARACTERS_OF_TER = (
    "pass normalized=True with asian_support=True (in huggingface: support_zh_ja_chars=True; on "
    "the command line: --ter-normalized --ter-asian-support)"
)

# Characters for each space of text, at most, whose words spaces may separate.
_LONGEST_WORDS = 8

# Letters that look alike, of which a text has one: with comma and cedilla; Persian and Arabic.
_ALIKE = (("\u0219", "\u015f"), ("\u021b", "\u0163"), ("\u06cc", "\u064a"), ("\u06a9", "\u0643"))

# What text has if there are doubts of its letters: the unusual ones of these, a byte order mark,
# what only some normal forms have: combining marks, letters that NFC decomposes; the marks above.
_UNUSUAL = re.compile(
    "[\u00c3\u0120\u20ac\u2581\uffed\u015f\u0163\u0643\u064a\ufeff\u0300-\u036f\u0653-\u0655\u0958-\u095f\u09dc-\u09df\u0a33\u0a36"
    "\u0a59-\u0a5e\u0b5c\u0b5d\u1100-\u11ff\u1f70-\u1ffd\u212b\u3099\u309a\uf900-\ufaff\ufb1d-\ufb4e]"
)


# A Latin letter that looks like a Cyrillic one, before a Cyrillic one, or the reverse; text with
# both has some of these.
_MIXED = re.compile(
    "[ABCEHKMOPTXaceopxy](?<![A-Za-z].)[\u0400-\u04ff]"
    "|[\u0410\u0412\u0421\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425\u0430\u0441\u0435\u043e\u0440\u0445\u0443]"
    "[A-Za-z]"
)
_MIXABLE = "\u043e\u0430", "aeocpCATOPM"

# Text looks tokenized if so many segments of a side end in " .", and this share of them.
_PERIODS, _PERIOD_SHARE = 100, 0.25

# Segments of one word each, segments that equal their references, and references of one word each
# for a segment: fewer may be meant.
_FEWEST_WORDS, _FEWEST_EQUAL, _FEWEST_TOKENS = 5, 20, 3

# Scripts from here on may have no spaces; emoji may stand for many words.
_SPACELESS = "\u0e00"

# What scripts are called, by the first word of the names of their letters.
_LANGUAGES = {"Cjk": ("Chinese", "zh"), "Bopomofo": ("Chinese", "zh")}


def tokenizer_to_check(names: Iterable[str]) -> str:
    """Return the one of several metrics' tokenizers that fits the least text; "" fits any."""
    return min(names, key=lambda name: (name not in _NEED_SPACES, not name), default="")


def warn_of_corpus(
    corpus: Corpus,
    name: str,
    tokenize: str = "",
    given: Sequence[object] = (),
    tell: Tell = warn_caller,
    normalize: str | None = None,
) -> None:
    """Warn of units that can be scored, but hardly as they are meant.

    The side `name` may have references. `tokenize` names the tokenizer, if a metric has one for
    text, and `normalize` the normal form that text is put into, if any. `given` is both sides as
    the user passed them.
    """
    if not len(corpus):
        return
    sides = [(name, corpus.hypotheses)]
    if len(corpus.references):
        sides.append(("references", corpus.references))
    if given and hasattr(given[0], "isin") and _are_in_other_order(*given):
        found = f"{name} and references have the same index in another order"
        advice = f"if it names segments, pass references.loc[{name}.index]"
        tell(InputWarning(found, advice=advice))
    is_text = corpus.is_text
    _tell(_of_texts(sides, tokenize, normalize) if is_text else _of_tokens(sides), tell)


def warn_of_texts(
    sides: Sequence[Side],
    tokenize: str = "",
    tell: Tell = warn_caller,
    normalize: str | None = None,
) -> None:
    """Warn of texts, of which the first are hypotheses."""
    _tell(_of_texts(sides, tokenize, normalize), tell)


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
    """Return at most so many units, evenly spread; the first is the first."""
    if len(units) <= most:
        return units
    return [units[int(number * _GOLDEN_RATIO % 1 * len(units))] for number in range(most)]


def _are_in_other_order(first: Any, second: Any) -> bool:
    """Return whether two series of pandas have the same unique labels in another order."""
    first, second = first.index, getattr(second, "index", None)
    if not (hasattr(first, "isin") and hasattr(second, "isin")):
        return False
    if first.equals(second) or not first.is_unique or not second.is_unique:
        return False
    return bool(first.isin(second).all())


def _of_texts(
    sides: Sequence[Side], tokenize: str, normalize: str | None
) -> Iterator[InputWarning]:
    """Doubt texts, of which the first are hypotheses."""
    samples = [_sampled(units, _SAMPLE) for _, units in sides]
    texts = list(map("\n".join, samples))
    text = "\n".join(texts)
    data = text.encode("utf-8", "surrogatepass")
    yield from _of_marks(sides, samples, filter(data.__contains__, _ASCII_MARKS))
    if not text.isascii():
        yield from _of_letters(sides, samples, texts, tokenize, normalize)
    is_bleu = tokenize not in ("", _OF_TER)
    needs_spaces = is_bleu and tokenize in _NEED_SPACES
    if needs_spaces and " " not in texts[-1] and max(text, default="") < _SPACELESS:
        yield from _of_words(sides, samples)
    if is_bleu:
        for name, units in sides:
            if len(units) >= _PERIODS:
                yield from _of_periods(name, units)
    is_same = len(sides) == 2 and texts[0] == texts[1]
    if is_same and len(set(samples[0])) >= _FEWEST_EQUAL:
        found = f"equals {sides[1][0]} in every segment"
        yield InputWarning(found, advice="pass the output of a system", argument=sides[0][0])


def _of_marks(
    sides: Sequence[Side], samples: Sequence[Sequence[str]], marks: Iterable[Any]
) -> Iterator[InputWarning]:
    """Doubt texts that have these marks."""
    for mark in marks:
        for evidence in _BY_MARK[mark]:
            for (name, _), sample in zip(sides, samples, strict=True):
                yield from _of_evidence(name, sample, evidence)


def _of_evidence(name: str, sample: Sequence[str], evidence: Evidence) -> Iterator[InputWarning]:
    """Doubt texts of a side that hold more than text."""
    if len(sample) < evidence.fewest:
        return
    pattern = re.compile(evidence.pattern)
    if evidence.share > _RARE:
        sample = _sampled(sample, _FEW)
        found = list(filter(None, map(pattern.match, sample)))
    else:
        found = list(filter(None, map(pattern.search, sample)))
    if len(found) >= max(1, evidence.share * len(sample)):
        seen = evidence.seen.replace("{example}", found[0][0])
        yield InputWarning(seen, advice=evidence.advice, argument=name)


def _of_letters(
    sides: Sequence[Side],
    samples: Sequence[Sequence[str]],
    texts: Sequence[str],
    tokenize: str,
    normalize: str | None,
) -> Iterator[InputWarning]:
    """Doubt texts for their letters, those of each side joined."""
    texts = [text[:_CHARACTERS] for text in texts]
    text = "".join(texts)
    if tokenize in _NEED_SPACES and len(text) > _LONGEST_WORDS * text.count(" "):
        yield from _of_script(text, tokenize)
    if _UNUSUAL.search(text):
        yield from _of_marks(sides, samples, filter(text.__contains__, _OTHER_MARKS))
        for (name, _), own in zip(sides, texts, strict=True):
            # The first text alone: WMT23's outputs have the mark in later ones, by no mistake.
            if own.startswith(BYTE_ORDER_MARK):
                yield MarkWarning(argument=name)
        if len({frozenset(_UNUSUAL.findall(own)) for own in texts}) > 1:
            yield from _of_likeness(sides, texts)
            if not normalize:
                yield from _of_forms(sides, texts)
    if len(sides) > 1 and all(any(map(text.__contains__, some)) for some in _MIXABLE):
        yield from _of_mixed(sides, texts)


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
        cutter, advice = tokenize, f"the usual tokenizer is {tokenizer!r}"
        if tokenize == _OF_TER:
            cutter, advice = "TER", "chrF does not"
            if language == "Chinese":
                advice = _CHARACTERS_OF_TER
        found = f"the text looks {language}, which is written without spaces, so {cutter} takes"
        yield InputWarning(f"{found} whole phrases for words", advice=advice)


def _of_likeness(sides: Sequence[Side], texts: Sequence[str]) -> Iterator[InputWarning]:
    """Doubt sides that have letters which look alike, but are not."""
    both = texts[0], "".join(texts[1:])
    for usual, other in _ALIKE:
        seen = [[usual in text, other in text] for text in both]
        if sorted(seen) == [[False, True], [True, False]]:
            codes = f"U+{ord(usual):04X} and U+{ord(other):04X}"
            found = f"{sides[0][0]} and {sides[1][0]} differ in {codes}, which look alike"
            yield InputWarning(found, advice="replace one by the other")


def _of_forms(sides: Sequence[Side], texts: Sequence[str]) -> Iterator[InputWarning]:
    """Doubt sides of which NFC gives one letters that only the other has."""
    both = texts[0], "".join(texts[1:])
    for (name, _), own, other in zip(sides, both, both[::-1], strict=False):
        text = "".join(own.split())  # NFC changes some white space, too
        composed = set(unicodedata.normalize("NFC", text))
        if composed.difference(text).intersection(other):
            found = "has another Unicode normal form than the other side"
            advice = 'pass normalize="NFC" (--normalize NFC), or unicodedata.normalize("NFC", text)'
            yield InputWarning(found, advice=advice, argument=name)


def _of_mixed(sides: Sequence[Side], texts: Sequence[str]) -> Iterator[InputWarning]:
    """Doubt one side that mixes Latin with Cyrillic in many lines, if no other side does."""
    shares = [len(_MIXED.findall(text)) / (1 + text.count("\n")) for text in texts]
    if max(shares) >= _RARE and not min(shares):
        found = "has words of Latin and Cyrillic letters, which look alike"
        name, _ = sides[shares.index(max(shares))]
        yield InputWarning(found, advice="replace one by the other", argument=name)


def _of_periods(name: str, units: Sequence[str]) -> Iterator[InputWarning]:
    """Doubt texts that look tokenized."""
    sample = _sampled(units, 2 * _PERIODS)
    share = sum([unit.rstrip().endswith(" .") for unit in sample]) / len(sample)
    if share >= _PERIOD_SHARE and share * len(units) >= _PERIODS:
        found = "looks tokenized: many segments end in a space and a period"
        advice = "scores of tokenized text can't be compared with others: detokenize it first"
        yield InputWarning(found, advice=advice, argument=name)


def _of_words(sides: Sequence[Side], samples: Sequence[Sequence[str]]) -> Iterator[InputWarning]:
    """Doubt texts of a word each."""
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


def _of_tokens(sides: Sequence[Side]) -> Iterator[InputWarning]:
    """Doubt tokens or ids; not of the references if there are doubts of the hypotheses."""
    for name, units in sides:
        rows = [units[row] for row in range(0, len(units), 1 + (len(units) - 1) // _ROWS)]
        first = rows[0][0] if len(rows[0]) else None
        told = None
        if isinstance(first, str):
            for told in _of_strings(name, rows, len(sides) > 1):
                yield told
        elif isinstance(first, (int, np.integer)):
            for told in _of_ids(name, rows):
                yield told
        if told:
            return


def _of_ids(name: str, rows: Sequence[Any]) -> Iterator[InputWarning]:
    """Doubt padding of ids."""
    pad = _padding_of(rows)
    if any(_PADDING in (row[0], row[-1]) for row in rows if len(row)):
        pad = _PADDING
    if pad is not None:
        found = f"has the id {pad} at the ends of rows, as padding"
        yield InputWarning(found, advice=_without(pad), argument=name)


def _without(pad: object) -> str:
    """Say how to score without padding; functions of other libraries have no option for it."""
    value = pad.item() if isinstance(pad, np.generic) else pad
    return f"to functions such as vecbleu.corpus_bleu, pass ignore_ids={value!r}"


def _of_strings(name: str, rows: Sequence[Any], is_pair: bool) -> Iterator[InputWarning]:
    """Doubt tokens that are strings, of hypotheses that have references, or of any side."""
    try:
        text = " ".join(chain.from_iterable(rows))
    except TypeError:  # some tokens are no strings
        return
    lengths = list(map(len, rows))
    if text.count(" ") >= sum(lengths):
        yield from _of_spaces(name, rows, is_pair)
    is_rectangle = len(rows) > 1 and len(set(lengths)) == 1
    pad = _padding_of(rows) if is_rectangle else None
    if pad is not None and any(map(str.isalnum, pad)):  # no punctuation, such as "..."
        found = f"has the token {pad!r} at the ends of most rows, as padding"
        yield InputWarning(found, advice=_without(pad), argument=name)
    for evidence in _OF_TOKENS:
        if evidence.mark in text:
            yield from _of_evidence(name, list(map(" ".join, rows)), evidence)


def _of_spaces(name: str, rows: Sequence[Any], is_pair: bool) -> Iterator[InputWarning]:
    """Doubt tokens with spaces."""
    if {len(row) for row in rows} == {1} and any(map(is_listed_text, rows)):
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


def _are_texts(rows: Sequence[Any]) -> bool:
    """Return whether most of the first tokens of rows have a space, other than at their ends."""
    tokens = [token for row in rows for token in islice(row, _FIRST_TOKENS)]
    has_space = [isinstance(token, str) and " " in token.strip() for token in tokens]
    return 2 * sum(has_space) > len(tokens)


def _padding_of(rows: Sequence[Any]) -> Any:
    """Return the token that ends or begins most rows, and stands nowhere else in them, or None."""
    for edge, inner, step in ((-1, -2, -1), (0, 1, 1)):
        doubled = [row[edge] for row in rows if len(row) > 1 and row[edge] == row[inner]]
        if not doubled:
            continue
        pad = max(set(doubled), key=doubled.count)
        turned = [list(row)[::step] for row in rows]
        runs = [len(list(takewhile(partial(eq, pad), row))) for row in turned]
        padded = sum(map(bool, runs))
        copies = sum(row.count(pad) for row in turned)
        if copies == sum(runs) >= padded + 3 and 2 * padded >= len(rows):
            return pad
    return None
