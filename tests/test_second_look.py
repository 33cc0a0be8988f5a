"""What scores far below what its characters let expect gets a word on what raises the score."""

from __future__ import annotations

import random
import re
import unicodedata
import warnings

import hypothesis.strategies as st
import pytest
from command import run, write_lines
from conftest import SHARED
from hypothesis import given
from strategies import ugly_text

import vecbleu
import vecbleu.sacrebleu
from vecbleu import chrf, huggingface

RANDOM = random.Random(7)
WORDS = [
    "".join(RANDOM.choices("abcdeéfghilmnöoprstuü", k=RANDOM.randint(2, 9))) for _ in range(400)
]
REF = [" ".join(RANDOM.choices(WORDS, k=RANDOM.randint(8, 25))) + "." for _ in range(60)]
OUT = [
    " ".join(word if RANDOM.random() < 0.8 else RANDOM.choice(WORDS) for word in text.split())
    for text in REF
]


def each(change):
    """A function of both sides that changes each hypothesis."""
    return lambda h, r: (list(map(change, h)), r)


def of_words(form):
    return each(lambda text: " ".join(form.format(word) for word in text.split()))


def wide(text):
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


# How sides are changed, and words that the warning must have. The table of doubts has none of them.
KINDS = {
    "one line lost": (lambda h, r: ([*h[1:], ""], r), r"references after; pass .*\[:-1\], "),
    "one line more": (lambda h, r: (["", *h[:-1]], r), r"references before; pass .*\[1:\], "),
    "a title more in the references": (lambda h, r: (h, ["x", *r[:-1]]), "references after"),
    "upper case": (each(str.upper), "lowercase=True"),
    "titles": (each(str.title), "lowercase=True"),
    "references in upper case": (lambda h, r: (h, list(map(str.upper, r))), "lowercase=True"),
    "full-width letters": (each(wide), "in NFKC; pass normalize='NFKC'"),
    "joined by _": (each(lambda text: text.replace(" ", "_")), r"spaces for U\+005F; .*'_'\), ' '"),
    "joined by dots": (each(lambda text: text.replace(" ", "·")), r"spaces for U\+00B7"),
    "private marks": (of_words("\ue000{}"), r"U\+E000"),
    "bold words": (of_words("**{}**"), r"U\+002A"),
    "soft hyphens": (each(lambda text: re.sub(r"(\w\w)(?=\w)", "\\1\u00ad", text)),
        r"without U\+00AD; .*\\xad'\), ''"),
    "joiners": (each(lambda text: re.sub(r"(\w)(?=\w)", "\\1\u200d", text)), r"without U\+200D"),
    "accents": (each(lambda text: re.sub(r"(\w)", "\\1\u0323", text)), r"without U\+0323"),
    "reversed tokens": (each(lambda text: " ".join(text.split()[::-1])), "reversed tokens"),
    "spaces between characters": (each(" ".join), "by characters; .*'char'"),
    "no spaces in one side": (each(lambda text: "".join(text.split())), "by characters"),
    "a language after each word": (of_words("{}|de"), r"by characters; see vecbleu.explain"),
}  # fmt: skip


def test_what_the_normal_form_mends_is_not_said():
    texts = [unicodedata.normalize("NFD", text) for text in OUT]
    (message,) = said(lambda: vecbleu.corpus_bleu([*texts[1:], ""], REF, normalize="NFC"))
    assert "references after" in message


def test_the_change_of_several_marks_is_as_written():
    """Two accents, composed with their letters; and marks of no letter."""
    accented = [re.sub("[aeiou]", lambda vowel: f"{vowel[0]}\u0323\u0302", text) for text in REF]
    for theirs in (accented, [unicodedata.normalize("NFC", text) for text in accented]):
        (message,) = said(lambda theirs=theirs: vecbleu.corpus_bleu(OUT, theirs))
        change = message.partition("pass ")[2]
        assert change.startswith("unicodedata.normalize(")
        changed = [eval(change, {"unicodedata": unicodedata, "text": text}) for text in theirs]
        plain = [unicodedata.normalize("NFKD", text) for text in REF]
        assert vecbleu.corpus_bleu(OUT, changed) == vecbleu.corpus_bleu(OUT, plain)


def said(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {warning.category for warning in caught} <= {vecbleu.InputWarning}
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("kind", KINDS)
def test_what_raises_the_score_is_said(kind):
    change, named = KINDS[kind]
    hypotheses, references = change(OUT, REF)
    (message,) = said(lambda: vecbleu.corpus_bleu(hypotheses, references))
    assert re.search(f"hypotheses scores .* but .*{named}", message)
    before, after = map(float, re.search(r"scores (\S+) in a sample, but (\S+) ", message).groups())
    assert 120 * vecbleu.corpus_bleu(OUT, REF) > after > 5 * before or "characters" in named


def test_the_advice_raises_the_score():
    upper = list(map(str.upper, OUT))
    assert vecbleu.corpus_bleu(upper, REF, lowercase=True) == vecbleu.corpus_bleu(
        OUT, REF, lowercase=True
    )
    assert said(lambda: vecbleu.corpus_bleu(upper, REF, lowercase=True)) == []


def scored_files(folder, hypotheses, references):
    write_lines(folder, {"h": hypotheses, "r": references})
    return vecbleu.file_statistics(folder / "h", folder / "r")


DOORS = {
    "statistics": vecbleu.statistics,
    "columns": lambda h, r: vecbleu.corpus_bleu(tuple(h), [[one, one] for one in r]),
    "sacrebleu": lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, [r]),
    "sacrebleu's intervals": lambda h, r: vecbleu.sacrebleu.BLEU().corpus_score(h, [r], 10),
    "bleu of Hugging Face": lambda h, r: huggingface.bleu(predictions=h, references=r),
    "sacrebleu of Hugging Face": lambda h, r: huggingface.sacrebleu(predictions=h, references=r),
}


@pytest.mark.parametrize("door", [*DOORS, "files"])
def test_every_door_of_corpora_has_it(tmp_path, door):
    score = DOORS.get(door, lambda h, r: scored_files(tmp_path, h, r))
    for kind in ("upper case", "one line lost"):
        (message,) = said(lambda kind=kind: score(*KINDS[kind][0](OUT, REF)))
        assert "in a sample" in message
        name = {"files": str(tmp_path / "h"), "bleu of Hugging Face": "predictions"}.get(door)
        assert message.startswith((f"{name} scores ",) if name else ("hypotheses ", "predictions "))


def test_ten_segments_are_enough_for_it():
    (message,) = said(lambda: vecbleu.corpus_bleu(list(map(str.upper, OUT[:10])), REF[:10]))
    assert "if case is ignored" in message


FORCED = {
    "a metric": lambda h, r: vecbleu.sacrebleu.BLEU(force=True).corpus_score(h, [r]),
    "a function": lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, [r], force=True),
    "tokens": lambda h, r: vecbleu.sacrebleu.raw_corpus_bleu(h, [r]),
    "Hugging Face": lambda h, r: huggingface.sacrebleu(predictions=h, references=r, force=True),
}


@pytest.mark.parametrize("door", FORCED)
def test_nothing_is_said_of_what_is_forced(door):
    assert said(lambda: FORCED[door](list(map(str.upper, OUT)), REF)) == []


@pytest.mark.filterwarnings("always::vecbleu.InputWarning")
def test_the_command_line_prints_it(tmp_path):
    write_lines(tmp_path, {"h": list(map(str.upper, OUT)), "g": OUT, "r": REF})
    for command, names in {
        "r -i h": [b"h"],
        "r -i g h": [b"h"],
        "r -i h g -m bleu chrf": [b"h"],
        "r -i h -m chrf": [],
        "r -i h -lc": [],
        "r -i h -q": [],
        "r -i h --force": [],
    }.items():
        printed = run(tmp_path, *command.split()).stderr.splitlines()
        assert [line.split()[1] for line in printed] == names, command


def test_what_the_table_says_is_not_said_twice():
    spaced = [text + " </s>" for text in map(str.upper, OUT)]
    (message,) = said(lambda: vecbleu.corpus_bleu(spaced, REF))
    assert "special tokens" in message
    chars = said(lambda: chrf.corpus_chrf(list(map(str.upper, OUT)), REF))
    assert chars == []


def typos(text, share):
    return "".join(RANDOM.choice("abcde") if RANDOM.random() < share else char for char in text)


# What has a low score, and is meant.
MEANT = {
    "no translation": (OUT[20:40], REF[:20]),
    "long texts": ([" ".join(OUT[k : k + 9]) for k in range(40)],
        [" ".join(REF[k + 9 : k + 18]) for k in range(40)]),
    "long answers": ([f"{' '.join(RANDOM.choices(WORDS, k=12))} {text[:9]}" for text in REF],
        [text[:9] for text in REF]),
    "first words": ([text.split()[0] for text in OUT], REF),
    "one output for all": ([OUT[0]] * 60, REF),
    "one reference for all": (OUT, [REF[0]] * 60),
    "inflection": (["running", "walked", "cats", "goes", "houses", "seen"] * 2,
        ["run", "walks", "cat", "going", "house", "see"] * 2),
    "numbers": ([str(7919 * k % 100003) for k in range(50)],
        [str(7919 * k % 100003 + 10) for k in range(50)]),
    "typing errors": ([typos(text, 0.12) for text in REF], REF),
    "another order": (sorted(OUT), REF),
    "letter cases in turn": ([REF[0], REF[0].upper()] * 15, [REF[0].upper(), REF[0]] * 15),
    "nothing": ([""] * 20, REF[:20]),
    "too few": (list(map(str.upper, OUT[:9])), REF[:9]),
    "code": ([f"x{k} = foo({k}, y)" for k in range(50)],
        [f"let x{k} = bar({k});" for k in range(50)]),
}  # fmt: skip


@pytest.mark.parametrize("name", MEANT)
def test_nothing_is_said_of_what_may_be_meant(name):
    hypotheses, references = MEANT[name]
    messages = said(lambda: vecbleu.corpus_bleu(hypotheses, references))
    assert not any("in a sample" in message for message in messages)


def test_a_users_tokenizer_is_called_once_for_each_text():
    called = []
    vecbleu.corpus_bleu(
        list(map(str.upper, OUT)), REF, tokenize=lambda text: called.append(text) or [text]
    )
    assert len(called) == 120


@pytest.mark.filterwarnings("ignore::vecbleu.InputWarning")
@given(st.lists(st.tuples(ugly_text, ugly_text), min_size=10, max_size=14))
def test_no_text_is_too_ugly(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    counts = vecbleu.statistics(hypotheses, references)
    parts = [vecbleu.statistics(hypotheses[k::2], references[k::2]) for k in (0, 1)]
    assert counts.sum().array.tolist() == (parts[0].sum().array + parts[1].sum().array).tolist()


@pytest.mark.skipif(not SHARED.exists(), reason="needs the outputs of WMT 2023")
@pytest.mark.filterwarnings("error::vecbleu.InputWarning")
def test_nothing_is_said_of_real_systems():
    tokenizers = {"zh": "zh", "ja": "char"}
    for path in sorted((SHARED / "wmt23" / "system-outputs").iterdir())[::9]:
        _, pair, _, _, language = path.name.split(".")
        hypotheses = path.read_text(encoding="utf-8").split("\n")[:-1]
        tokenize = tokenizers.get(language, "13a")
        for reference in (SHARED / "wmt23" / "references").glob(f"*.{pair}.*"):
            references = reference.read_text(encoding="utf-8").split("\n")[:-1]
            vecbleu.statistics(hypotheses, references, tokenize=tokenize)
            for size in (10, 20, 50):
                for first in range(0, len(references) - size, len(references) // 4):
                    part = slice(first, first + size)
                    vecbleu.corpus_bleu(hypotheses[part], references[part], tokenize=tokenize)
            if tokenize != "13a":
                with pytest.raises(vecbleu.InputWarning, match=f"usual tokenizer is '{language}"):
                    vecbleu.corpus_bleu(hypotheses[:1], references[:1])
