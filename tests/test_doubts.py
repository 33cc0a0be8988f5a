"""What can be scored but was hardly meant gets a warning that says what to write; else nothing."""

from __future__ import annotations

import json
import os
import random
import re
import unicodedata
import warnings
from functools import partial

import numpy as np
import pytest
from command import run, write_lines

import vecbleu
import vecbleu.nltk
import vecbleu.sacrebleu
from vecbleu import chrf, huggingface, report, ter

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "two",
    "dogs",
    "barked",
    "at",
    "me",
    "while",
    "it",
    "rained",
    "all",
    "day",
    "in",
    "town",
]


def lines(seed, count=30, words=WORDS, joint=" ", least=4):
    rng = random.Random(seed)
    return [joint.join(rng.choices(words, k=rng.randint(least, 12))) for _ in range(count)]


OUT, REF = lines(1), lines(2)
THAI = ["ฉันชอบแมวตัวนี้มากและมันนอนอยู่บนเสื่อทั้งวัน", "วันนี้ฝนตกหนักมากในเมืองใหญ่"]
LAO = ["ຂ້ອຍມັກແມວໂຕນີ້ຫຼາຍແລະມັນນອນຢູ່", "ມື້ນີ້ຝົນຕົກໜັກຫຼາຍໃນເມືອງໃຫຍ່"]
KHMER = ["ខ្ញុំចូលចិត្តឆ្មានេះណាស់ហើយវាដេកនៅលើកន្ទេល"]
BURMESE = ["ကျွန်တော်ဒီကြောင်လေးကိုအရမ်းချစ်ပါတယ်"]
TIBETAN = ["བོད་ཀྱི་སྐད་ཡིག་ནི་ཤིན་ཏུ་གལ་ཆེན་པོ་ཡིན།"]
ADORNED = ["我们の喜欢这只猫小狗"]  # a tenth
CHINESE, JAPANESE = ["我喜欢这只猫。"], ["この会社の売り上げは増えた。"]
FRENCH = ["le café est fermé", "à l'été prochain", "où est la forêt ?"]
KOREAN = ["나는 고양이를 좋아한다", "오늘은 비가 왔다"]
IDS = np.random.default_rng(1).integers(5, 900, (20, 12))


def padded(ids, pad, left=False):
    """Rows of which most end, or begin, with an id."""
    rows = ids.copy()
    for number, row in enumerate(rows):
        size = number % 7
        row[:size] = pad if left else row[:size]
        row[len(row) - size :] = row[len(row) - size :] if left else pad
    return rows


def marked(texts, form):
    return [form.format(text=text, number=number) for number, text in enumerate(texts, 1)]


def strings(rows):
    return [[f"w{token}" if token else "PAD" for token in row] for row in rows.tolist()]


# What is passed, and words that the warning has. What is of one kind stands together.
DOUBTS = {
    "Thai": (THAI, THAI, "looks Thai.* 'char'"),
    "Lao": (LAO, LAO, "looks Lao.* 'char'"),
    "Khmer": (KHMER, KHMER, "looks Khmer"),
    "Burmese": (BURMESE, BURMESE, "looks Myanmar"),
    "Tibetan": (TIBETAN, TIBETAN, "looks Tibetan"),
    "short Chinese": (CHINESE, CHINESE, "looks Chinese.* 'zh'"),
    "Chinese with a kana": (ADORNED, ADORNED, "looks Chinese.* 'zh'"),
    "short Japanese": (JAPANESE, JAPANESE, "looks Japanese.* 'ja-mecab'"),
    "an id at the end": (padded(IDS, 0), IDS, "hypotheses has the id 0 .*, pass ignore_ids=0$"),
    "padding of another type": ([[5, "x", "x"], [6, "x", "x", "x"]], [[5], [6]], "ignore_ids='x'"),
    "another at the beginning": (IDS, padded(IDS, 2, True), "references has the id 2 .*_ids=2"),
    "lists of ids": (padded(IDS, 1).tolist(), IDS.tolist(), "the id 1 .*ignore_ids=1"),
    "tokens at the end": (strings(padded(IDS, 0)), strings(IDS), "token 'PAD' .*ignore_ids='PAD'"),
    "tokens at the beginning": (strings(padded(IDS, 0, True)), strings(IDS), "token 'PAD'"),
    "SGML": (marked(OUT, '<seg id="{number}"> {text} </seg>'), REF, "like markup.*FILE.sgm#seg"),
    "two tags": (["<b>a</b>", "<i>x y</i>"], ["a b", "x"], "hypotheses looks like markup"),
    "XML": (OUT, marked(REF, "<tuv><seg>{text}</seg></tuv>"), "references looks like markup"),
    "JSON": ([json.dumps({"text": text}) for text in OUT], REF, r"like JSON.*json\.loads"),
    "one JSON": ([json.dumps({"text": OUT[0]})], REF[:1], "like JSON"),
    "JSON with numbers": ([json.dumps({"id": 1, "t": text}) for text in OUT], REF, "like JSON"),
    "an n-best list": (marked(OUT, "{number} ||| {text} ||| -1.5"), REF, "n-best list.*split"),
    "scored n-best": (marked(OUT, "0 ||| {text} ||| lm: -3 ||| -2"), REF, "n-best list"),
    "CSV": (marked(OUT, '"{text}",{number}'), REF, r"rows of CSV.*DictReader"),
    "CSV with numbers": (marked(OUT, "{number},{text}"), REF, "rows of CSV"),
    "written lists": ([str(text.split()) for text in OUT], REF, "became strings.*literal_eval"),
    "written ids": (list(map(str, IDS.tolist())), REF[:20], "became strings"),
    "@@": ([text.replace("dogs", "do@@ gs") for text in OUT], REF, "pieces .*@@"),
    "sentencepiece": (["▁" + text.replace(" ", " ▁") for text in OUT], REF, "pieces of words.*▁"),
    "wordpiece": (OUT, [text.replace("dogs", "do ##gs") for text in REF], "pieces .* ##gs"),
    "</w>": ([text.replace(" ", "</w> ") for text in OUT], REF, "pieces .*</w>"),
    "byte-level": ([text.replace(" ", " Ġ") for text in OUT], REF, "pieces .*Ġ"),
    "</s>": (marked(OUT, "{text} </s>"), REF, "special tokens.*</s>.*skip_special_tokens"),
    "[CLS]": (OUT, marked(REF, "[CLS] {text} [SEP]"), "references has special .*CLS"),
    "end of text": (marked(OUT, "{text}<|endoftext|>"), REF, "special tokens"),
    "<UNK>": (OUT, [text.replace("dogs", "<UNK>") for text in REF], "references has .*<UNK>"),
    "end of turn": (marked(OUT, "{text}<end_of_turn>"), REF, "special tokens.*<end_of_turn>"),
    "[INST]": (marked(OUT, "[INST] {text}"), REF, "special tokens"),
    "language of mBART": (marked(OUT, "en_XX {text}"), REF, "special tokens.*en_XX"),
    "language of NLLB": (OUT, marked(REF, "eng_Latn {text}"), "special tokens.*eng_Latn"),
    "fairseq": (marked(OUT, "H-{number}\t-0.34\t{text}"), REF, "output of fairseq"),
    "detokenized by fairseq": (marked(OUT, "D-{number} -0.34 {text}"), REF, "output of fairseq"),
    "UTF-8 read as Latin-1": (marked(OUT, "{text} cafÃ©"), REF, "another encoding, such as Ã©"),
    "UTF-8 read as cp1252": (OUT, marked(REF, "it isnâ€™t {text}"), "references has UTF-8"),
    "&eacute;": (OUT, marked(REF, "{text} caf&eacute;"), "entities such as &eacute;"),
    "special tokens": ([[*text.split(), "<pad>"] for text in OUT],
        [text.split() for text in REF], "special tokens.*<pad>"),
    "&apos;": (marked(OUT, "{text} isn&apos;t"), REF, "entities.*html.unescape"),
    "&amp;quot;": (OUT, marked(REF, "&amp;quot;{text}&amp;quot;"), "references has entities"),
    "&#39;": (marked(OUT, "{text} isn&#39;t"), REF, "entities such as &#39;"),
    "tabs": (OUT, marked(REF, "{text}\t{text}"), "references has tabs.*-nr 2"),
    "numbered by tabs": (marked(OUT, "{number}\t{text}"), REF, "hypotheses has tabs"),
    "words of a segment": (["the", "cat", "sat", "on", "mats"], ["a", "cat", "sat", "on", "it"],
        r"one word in each segment.*join"),
    "tokens as references": (OUT, [text.split() for text in REF], r"references has one word.*join"),
    "tokens as two references": ([text.split() for text in OUT], [[a, b] for a, b in
        zip(REF, OUT, strict=True)], r"tokens of references have spaces.*split\(\)"),
    "the same twice": (OUT, OUT, "hypotheses equals references"),
    "equal texts": (OUT, OUT[:], "hypotheses equals references"),
    "NFD": ([unicodedata.normalize("NFD", text) for text in FRENCH], FRENCH,
        r"hypotheses has another Unicode normal form.*normalize=.NFC"),
    "NFD of Korean": (KOREAN, [unicodedata.normalize("NFD", text) for text in KOREAN],
        "references has another Unicode"),
    "cedilla": (["ei vor să știe"], ["ei vor să ştie"], r"U\+015F, which look"),
    "Persian": (["کتاب من این است"], ["كتاب من این است"], r"U\+0643, which look alike"),
    "Latin in Cyrillic": (["Этo хороший дeнь"], ["Это хороший день"], "hypotheses .*Cyrillic"),
    "Latin instead of es": (["Это день"], ["Это cон и cтол"], "references .*Cyrillic"),
    "UTF-16": ([text.encode("utf-16-le").decode() for text in OUT], REF, "zero byte.*utf-16"),
    "UTF-16, big-endian": (OUT, [text.encode("utf-16-be").decode() for text in REF], "zero byte"),
    "tokenized": (["a cat sat ."] * 150, ["a cat sat."] * 150, "looks tokenized.*detokenize"),
    "every second": (["do@@ gs", "a cat"] * 50, REF[:1] * 100, "hypotheses has pieces"),
    "the first of two": (REF[:1] * 100, [["do@@ gs", "a cat"]] * 100, "references has pieces"),
    "the second of two": (REF[:1] * 100, [["a cat", "do@@ gs"]] * 100, "references has pieces"),
    "the third of three": (REF[:1] * 99, [["a", "b", "do@@ gs"]] * 99, "references has pieces"),
    "&ndash;": (marked(OUT, "{text} &ndash; it"), REF, "entities such as &ndash;"),
}  # fmt: skip


def said(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert {warning.category for warning in caught} <= {vecbleu.InputWarning}
    assert {warning.filename for warning in caught} <= {__file__}
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("name", DOUBTS)
def test_doubts_are_said_once(name):
    hypotheses, references, named = DOUBTS[name]
    for function in (vecbleu.corpus_bleu, vecbleu.sentence_bleu):
        with pytest.warns(vecbleu.InputWarning, match=f"(?s){named}"):
            function(hypotheses, references)
    messages = said(lambda: vecbleu.statistics(hypotheses, references))
    assert 1 <= len(messages) <= 2
    assert len(set(messages)) == len(messages)


# Sides of so many segments, or references, and the fewest that are doubted.
FEWEST = {
    "equals references": (lambda size: (OUT[:size], OUT[:size]), 20),
    "looks tokenized": (lambda size: (["a cat sat ."] * size, ["a cat sat."] * size), 100),
    "has tabs": (lambda size: (OUT[:size], marked(REF[:size], "{text}\t{text}")), 3),
    "rows of CSV": (lambda size: (marked(OUT[:size], '"{text}",{number}'), REF[:size]), 5),
    "looks like markup": (lambda size: (marked(OUT[:size], "<b>{text}</b>"), REF[:size]), 2),
    "one word in each segment": (lambda size: (WORDS[:size], WORDS[1 : size + 1]), 5),
    "one word in each reference": (lambda size: (OUT[:1], [WORDS[:size]]), 3),
}


@pytest.mark.parametrize("name", FEWEST)
def test_fewer_segments_are_not_doubted(name):
    make, fewest = FEWEST[name]
    for size, count in ((fewest - 1, 0), (fewest, 1)):
        messages = said(lambda size=size: vecbleu.statistics(*make(size)))
        assert [name in message for message in messages].count(True) == count


@pytest.mark.parametrize("names", ["rs", "sr"])
def test_letters_of_any_reference_file_are_compared(tmp_path, names):
    write_lines(tmp_path, {"h": ["ei vor să știe"], "r": ["ei vor să ştie"], "s": ["ei vor"]})
    with pytest.warns(vecbleu.InputWarning, match=r"U\+015F, which look alike"):
        vecbleu.file_statistics(tmp_path / "h", [tmp_path / name for name in names])


def test_long_segments_with_marks_are_looked_at_once():
    """Looking for what is not there takes no time that grows with the square of a length."""
    for text in ("lorem ipsum " * 50_000, "<" + "a" * 500_000, "0" * 500_000, "&#" * 300_000):
        sides = [[f"{text}\t{end}" for end in "xy"] for _ in range(2)]
        vecbleu.chrf.corpus_chrf(*sides, word_order=0, char_order=1)


def scored_files(folder, hypotheses, references):
    write_lines(folder, {"h": hypotheses, "r": references})
    return vecbleu.file_statistics(folder / "h", folder / "r")


def scored_batches(hypotheses, references):
    batches = vecbleu.Accumulator()
    for _ in range(3):
        batches.update(hypotheses, references)
    return batches.compute()


DOORS = {
    "files": scored_files,
    "batches": scored_batches,
    "shared references": lambda h, r: vecbleu.corpus_bleu(h, vecbleu.SharedReferences(r)),
    "sacrebleu": lambda h, r: vecbleu.sacrebleu.corpus_bleu(h, [r]),
    "sentence of sacrebleu": lambda h, r: vecbleu.sacrebleu.sentence_bleu(h[0], [r[0]]),
    "bleu of Hugging Face": lambda h, r: huggingface.bleu(predictions=h, references=r),
    "google_bleu": lambda h, r: huggingface.google_bleu(predictions=h, references=r),
    "sacrebleu of Hugging Face": lambda h, r: huggingface.sacrebleu(predictions=h, references=r),
}
# What a call names its side, if it is not `hypotheses`.
NAMES = {"files": "h", "sentence of sacrebleu": "hypothesis"}
NAMES |= dict.fromkeys(("bleu of Hugging Face", "google_bleu"), "predictions")
ENTITIES = ["it isn&#39;t the cat"], ["it isn't the cat"]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("sides", "named"), [(ENTITIES, "html"), ((CHINESE, CHINESE), "'zh'")])
def test_every_door_has_them(tmp_path, door, sides, named):
    folder = [tmp_path] if door == "files" else []
    messages = said(lambda: DOORS[door](*folder, *sides))
    assert len(messages) == 1 or door == "shared references"  # which are checked before
    assert all(named in message for message in messages)
    if sides is ENTITIES:
        assert re.match(rf"(.*/)?({NAMES.get(door, 'hypotheses|predictions')}) has", messages[0])


def test_other_metrics_have_those_that_are_not_about_words(tmp_path):
    for score in (chrf.corpus_chrf, ter.corpus_ter):
        assert len(said(lambda score=score: score(*ENTITIES))) == 1
        assert said(lambda score=score: score(["a"] * 9, ["b"] * 9)) == []
        assert said(lambda score=score: score(["a cat ."] * 150, ["a cat."] * 150)) == []
    assert said(lambda: chrf.corpus_chrf(CHINESE, CHINESE)) == []


TER_DOORS = {
    "corpus": ter.corpus_ter,
    "sentences": ter.sentence_ter,
    "statistics": ter.statistics,
    "files": lambda h, r, **options: ter.file_statistics(*map(str, (h, r)), **options),
    "batches": lambda h, r, **options: ter.TerAccumulator(**options).update(h, r),
    "sacrebleu": lambda h, r, **options: vecbleu.sacrebleu.corpus_ter(h, [r], **options),
    "Hugging Face": lambda h, r, normalized=False, asian_support=False: huggingface.ter(
        predictions=h, references=r, normalized=normalized, support_zh_ja_chars=asian_support
    ),
}


@pytest.mark.parametrize(("letters", "shortest"), [("猫坐在垫子上", 4), ("กขคงจฉชซญฎ", 8)])
@pytest.mark.filterwarnings("error::vecbleu.InputWarning")
def test_short_words_of_scripts_without_spaces_are_not_doubted(letters, shortest):
    """Such as names in a text that separates them by commas."""
    short, long = ([",".join([letters[:length]] * 3)] * 12 for length in (shortest - 1, shortest))
    vecbleu.corpus_bleu(short, [f"{text}." for text in short])
    with pytest.raises(vecbleu.InputWarning, match="whole phrases for words"):
        vecbleu.corpus_bleu(long, [f"{text}." for text in long])


@pytest.mark.parametrize("door", TER_DOORS)
@pytest.mark.parametrize(
    ("text", "cure"),
    [(CHINESE, "normalized=True"), (JAPANESE, "chrF does not"), (THAI, "chrF does not")],
)
def test_ter_has_those_of_scripts_unless_it_cuts_characters(tmp_path, door, text, cure):
    write_lines(tmp_path, {"h": text})
    side = tmp_path / "h" if door == "files" else text
    score = partial(TER_DOORS[door], side, side)
    for options in ({}, {"normalized": True}, {"asian_support": True}):
        (message,) = said(partial(score, **options))
        assert re.search(f"so TER takes whole phrases.*{cure}", message)
    if text is CHINESE:
        assert said(partial(score, normalized=True, asian_support=True)) == []


@pytest.mark.parametrize("metrics", [["ter"], ["bleu", "ter"], ["ter", "bleu"]])
def test_reports_have_those_of_any_metric(metrics):
    texts = CHINESE * 10
    write = partial(report.write, os.devnull, {"a": texts, "b": texts}, texts, metrics=metrics)
    how = {"tokenize": "zh"} if "bleu" in metrics else {}
    both = {"normalized": True, "asian_support": True}
    assert any("TER takes" in message for message in said(partial(write, **how)))
    assert not any("TER takes" in message for message in said(partial(write, ter=both, **how)))


def test_reports_in_a_normal_form_doubt_no_other():
    texts = [unicodedata.normalize("NFD", text) for text in FRENCH]
    write = partial(report.write, os.devnull, {"a": texts, "b": texts}, FRENCH)
    assert any("normal form" in message for message in said(write))
    assert not any("normal form" in message for message in said(partial(write, normalize="NFC")))


@pytest.mark.filterwarnings("always::vecbleu.InputWarning")
def test_the_command_line_prints_them(tmp_path):
    write_lines(tmp_path, {"h": THAI, "r": THAI, "e": ENTITIES[0] * 2, "c": CHINESE, "f": FRENCH})
    write_lines(tmp_path, {"n": [unicodedata.normalize("NFD", text) for text in FRENCH]})
    for command, named in {
        "r -i h": [b"looks Thai"],
        "r -i h e": [b"looks Thai", b"e has entities"],
        "r -i h --force": [],
        "r -i h -q": [],
        "f -i n": [b"n has another Unicode normal form"],
        "f -i n --normalize NFC": [],
        "f -i n -m chrf --normalize NFD": [],
        "r -i h -tok char": [],
        "r -i h -m chrf": [],
        "r -i h -m chrf ter": [b"TER takes"],
        "r -i h -m ter bleu -tok char": [b"TER takes"],
        "c -i c -m bleu ter": [b"13a takes"],
        "c -i c -m bleu ter -tok zh": [b"--ter-asian-support"],
        "c -i c -m bleu ter -tok zh --ter-normalized --ter-asian-support": [],
    }.items():
        printed = run(tmp_path, *command.split()).stderr.splitlines()
        assert len(printed) == len(named), command
        assert all(any(name in line for line in printed) for name in named)


def test_nltks_functions_have_those_of_tokens():
    tokens = ["the", "cat", "sat", "</s>"]
    assert "special tokens" in said(lambda: vecbleu.nltk.sentence_bleu([tokens], tokens))[0]
    rows = strings(padded(IDS, 0))
    (message,) = said(lambda: vecbleu.nltk.corpus_bleu([[row] for row in rows], rows))
    assert "vecbleu.corpus_bleu, pass ignore_ids='PAD'" in message  # NLTK has no such option


def test_sacrebleus_logger_has_them_if_something_listens(caplog):
    with caplog.at_level("WARNING", logger="sacrebleu"), pytest.warns(vecbleu.InputWarning):
        vecbleu.sacrebleu.corpus_bleu(*ENTITIES[:1], ENTITIES[1:])
    assert [record.getMessage().partition(" has ")[0] for record in caplog.records] == [
        "hypotheses"
    ]


def test_no_more_than_two_are_said():
    both = ["<s> it isn&apos;t @@ the ca@@ t\tat </s>"] * 5
    assert len(said(lambda: vecbleu.corpus_bleu(both, REF[:5]))) == 2
    assert len(said(lambda: vecbleu.corpus_bleu(ENTITIES[0], [f"a {ENTITIES[0][0]}"]))) == 1


@pytest.mark.parametrize(
    "weights", [(0.5,), (0.25,) * 3, (25,) * 4, (1, 1), (0.5, 0.479), (0.5, 0.521)]
)
def test_weights_that_do_not_sum_to_1(weights):
    tokens = ["the", "cat", "sat", "on", "a", "mat"]
    for score in (
        lambda: vecbleu.corpus_bleu(OUT, REF, weights=weights),
        lambda: vecbleu.statistics(OUT, REF).score(weights=weights),
        lambda: vecbleu.nltk.sentence_bleu([tokens], tokens, weights),
    ):
        (message,) = said(score)
        assert f"weights sums to {sum(weights):g}" in message
    for usual in ((0.33, 0.33, 0.33), (1,), (1 / 3,) * 3, (0.4, 0.3, 0.2, 0.1), (0.5, 0.519)):
        assert said(lambda usual=usual: vecbleu.corpus_bleu(OUT, REF, weights=usual)) == []


ALPHABETS = {
    "Latin": "abcdefghilmnoprstuvz", "German": "abdeghilnorstuäöüß", "Polish": "aąbcćdeęłnóśwżź",
    "Vietnamese": "aàáạăâbđeêioôơuưy", "Cyrillic": "абвгдежзийклмнопрст", "Greek": "αβγδεζηικλμνο",
    "Hebrew": "אבגדהוזחטיכלמנ", "Arabic": "ابتثجحدرسشصعفقكلمنوي", "Hindi": "कखगचजटतदनपबमरलवसह",
    "Georgian": "აბგდევზთიკლმნოპ", "Korean": "가나다라마바사아자차",
    "Amharic": "ሀለሐመሠረሰሸቀበተቸ",
}  # fmt: skip
PROSE = [
    "{}.",
    "{}!",
    "{}, {}.",
    "“{}”, {}",
    "{} ({}).",
    "- {}",
    "{}: {} …",
    "12 {}, 3.5% {}",
    "«{}»",
]


def ordinary(seed):
    """A corpus of made-up words, in which two sides share most words."""
    rng = random.Random(seed)
    letters = ALPHABETS[rng.choice(sorted(ALPHABETS))]
    words = ["".join(rng.choices(letters, k=rng.randint(1, 8))) for _ in range(60)]
    sides = [], []
    for _ in range(rng.choice([1, 2, 5, 30, 250])):
        parts = [" ".join(rng.choices(words, k=rng.randint(2, 9))) for _ in range(2)]
        form = rng.choice(PROSE)
        for side in sides:
            parts[rng.randrange(2)] += f" {rng.choice(words)}"
            side.append(form.format(*parts))
    return sides


CODE = [
    "for (int i = 0; i < n; i++) { a[i] = b[i] & mask; }",
    "x = [1, 2, 3]  ## a list",
    "if a < b and c > d: return {'x': 1}",
    "@property",
    "def f(x): return x @ y",
    "#include <map>",
    "SELECT a, b FROM t WHERE a <> 'x';",
    "  - [ ] a, b",
    "arr[i] = map[j] || {};",
    "a,b = b,a",
]
CHAT = [
    "ok",
    "lol :)",
    "<3 you",
    "see https://a.b/?x=1&y=2",
    "@bob hi",
    "#tired",
    "yes!!!",
    "R&D",
    'no, 12,5 is "it", he said',
    "😀",
    "😂😂😂",
    "brb",
    "A|B",
    "[sic] ok",
    "{}",
    "c'est ça",
]
POEM = ["so", "much", "", "depends", "upon", "", "a", "red", ""]
SEGMENTED = ["我 喜欢 这 只 猫 。"] * 3, ["ฉัน ชอบ แมว ตัว นี้"] * 3, ["この 会社 の 売り上げ は"] * 3
SILENT = [
    (CODE[::-1], CODE),
    *(([line], [CODE[0]]) for line in CODE),
    (CHAT[::-1], CHAT),
    *(([line], [CHAT[1]]) for line in CHAT),
    (POEM[1:] + POEM[:1], POEM),
    (["yes", "no"], ["yes", "yes"]),
    *((texts, texts) for texts in SEGMENTED),
    (IDS, IDS[::-1]),
    (["1,200 people came", "1,5 million of us", "3,400 stayed", "2,000 of them", "9,1 of ten"],
        ["1,300 came"] * 5),
    (["H-1 B visa"], ["H-1B visa"]),
    (["<b>a</b>"], ["<b>c</b>"]),  # one segment may have tags; and two, tabs
    (["a\tb", "c\td"], ["a\tc", "c\te"]),
    (["1,a"] * 4, ["1,b"] * 4),
    ([f"it {'isn&#39;t ' * 9}" if n == 7 else text for n, text in enumerate(OUT[:20])], REF[:20]),
    ([f"['{text}']" if n == 7 else text for n, text in enumerate(OUT[:20])], REF[:20]),
    (["a &lt;b&gt; c"] * 3, ["a <b> d"] * 3),  # 13a unescapes it
    ([[*"well...."], [*"hmmm...."], [*"okay...."]], [[*"wall...."]] * 3),
    (np.concatenate([IDS, np.full((20, 1), 2)], 1), IDS),  # an end of sentence
    ([["ha", "ha", "!", "!"], ["no", "no", "no", "!"]], [["ha"], ["no"]]),
    (["TCP-порт 80", "iPhone у меня"], ["порт 80", "у меня iPhone"]),
    (FRENCH, FRENCH[::-1]),
    (["NÃO É", "É a MÃE dele"] * 5, ["ele NÃO é"] * 10),
    (["is_a b_C", "en_US.UTF-8"], ["H-bomb", "T-1000"]),
    (["AT&T; R&D;"], ["a <b> c </b>"]),
    (["она и SMSки, VIPы"], ["она и смски, випы"]),
    (["a\u2001b"], ["a\u2003b"]),  # NFC changes the first space to the second
    (["a\u2001b \u20ac"], ["a\u2003b"]),
    (["\uf900"], ["a"]),
    ([[9, 1, 2, 9, 9, 9], [1, 9, 2, 9, 9, 9]], [[1], [2]]),  # 9 is a token, too
    (["it isn&#39;t", *OUT[1:]], REF),
    (["это cтол"], ["cтол это"]),  # the same on both sides
    (["el \u015ftie 5 €"], ["el \u0219tie, el \u015ftie"]),  # one side has both letters
    (["el \u0219tie, el \u015ftie"], ["el \u0219tie 5 €"]),
    (["He said 我喜欢这只猫 in a long sentence about a cat and dogs."], ["He said so."]),
]  # fmt: skip


@pytest.mark.filterwarnings("error::vecbleu.InputWarning")
@pytest.mark.parametrize("sides", SILENT, ids=lambda sides: str(sides)[:30])
def test_nothing_is_said_of_what_may_be_meant(sides):
    vecbleu.statistics(*sides)


@pytest.mark.filterwarnings("error::vecbleu.InputWarning")
def test_nothing_is_said_of_ordinary_text():
    for seed in range(100):
        hypotheses, references = ordinary(seed)
        vecbleu.corpus_bleu(hypotheses, references)
        vecbleu.corpus_bleu(*([text.split() for text in side] for side in (hypotheses, references)))
