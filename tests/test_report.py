"""The report as a file: what it is made from, what it refuses, and that data never are markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, write_lines
from corpora import noisy_systems
from hypothesis import given, settings
from hypothesis import strategies as st

import vecbleu
from vecbleu import significance
from vecbleu.analysis.marks import matched_orders
from vecbleu.core.text.tokenizers import resolve_tokenizer

pytest.importorskip("jinja2")

from vecbleu import report
from vecbleu.report import inputs
from vecbleu.report.segments import encoded_marks, json_text

UGLY_TEXT = st.text(
    st.one_of(
        st.sampled_from(["<", ">", "&", '"', "'", "\0", "\u2028", "\ud800", "😀", " ", "é", "İ"]),
        st.characters(),
    ),
    max_size=20,
)


class Elements(HTMLParser):
    """Start tags with their attributes, and the text of each script, in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.text = [], {}, ""
        self._script = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name for name, _ in attrs}))
        if tag == "script":
            self._script = dict(attrs).get("id", "")
            self.scripts[self._script] = ""

    def handle_endtag(self, tag):
        if tag == "script":
            self._script = None

    def handle_data(self, data):
        if self._script is None:
            self.text += data
        else:
            self.scripts[self._script] += data


def written(folder, *arguments, **options):
    """The elements of a report."""
    path = folder / "report.html"
    report.write(path, *arguments, **{"n_resamples": 20, **options})
    return Elements(path.read_text(encoding="utf-8"))


def words(text):
    """Text on one line."""
    return " ".join(text.split())


@given(
    st.recursive(UGLY_TEXT, lambda values: st.lists(values) | st.dictionaries(UGLY_TEXT, values))
)
def test_json_is_no_markup_and_reads_as_the_same(value):
    text = json_text(value)
    assert not re.search("[<>&\u2028\u2029\0]", text)
    assert json.loads(text.encode()) == value


@given(UGLY_TEXT, UGLY_TEXT, st.sampled_from(["13a", "char", "none", "intl"]))
def test_marks_are_those_of_the_tokens(hypothesis, reference, tokenize):
    split = resolve_tokenizer(tokenize).split
    tokens, others = split([hypothesis])[0], split([reference])[0]
    orders = matched_orders(tokens, [others], 4)
    code = encoded_marks(hypothesis, tokens, orders, False)
    runs = [(ord(letter) - 97, int(size)) for letter, size in re.findall(r"([a-z])(\d+)", code)]
    units = hypothesis.encode("utf-16-le", "surrogatepass")
    assert 2 * sum(size for _, size in runs) <= len(units)
    if "".join(tokens) != "".join(hypothesis.split()):
        return  # not all of the text is in tokens
    found, start = [], 0
    for order, size in runs:
        piece = units[2 * start : 2 * (start + size)].decode("utf-16-le", "surrogatepass")
        found += [order] * len("".join(piece.split()))
        start += size
    letters = [order for token, order in zip(tokens, orders, strict=True) for _ in token]
    assert found == letters[: len(found)]
    assert not any(letters[len(found) :])


@settings(max_examples=8)  # two reports each
@given(UGLY_TEXT, UGLY_TEXT, st.lists(UGLY_TEXT, min_size=2, max_size=2))
def test_data_are_never_markup(tmp_path_factory, name, title, texts):
    folder = tmp_path_factory.mktemp("ugly")
    rows = [*texts, "a b c d e"]
    systems = {f"1{name}": rows, f"2{name}": rows[::-1]}
    found = written(folder, systems, rows, source=rows, labels=rows, title=title)
    plain = {"1": rows, "2": rows[::-1]}
    tame = written(folder, plain, rows, source=rows, labels=rows)
    assert found.tags == tame.tags
    assert json.loads(found.scripts["source"]) == rows
    assert json.loads(found.scripts["references"]) == rows
    assert json.loads(found.scripts["outputs-1"]) == rows[::-1]


def test_numbers_are_those_of_the_library(tmp_path):
    references, (one, two, three) = noisy_systems(60, [0.4, 0.1, 0.3])
    systems = {"one": one, "two": two, "three": three}
    page = written(tmp_path, systems, references, n_resamples=200)
    tables = {name: vecbleu.statistics(own, references) for name, own in systems.items()}
    numbers = json.loads(page.scripts["numbers"])
    pairs = significance.rank(tables, n_resamples=200, sides=2)
    assert numbers["ranking"] == np.argsort(-pairs.scores).tolist() == [1, 2, 0]
    for place, hypotheses in enumerate(systems.values()):
        options = {"smoothing": "exp", "effective_order": True}
        sentences = vecbleu.sentence_bleu(hypotheses, references, **options)
        assert numbers["scores"][place] == np.round(100 * sentences, 2).tolist()
    assert numbers["lengths"] == tables["one"].ref_len.tolist()
    shown = words(page.text)
    best, second = (vecbleu.corpus_bleu(systems[name], references) for name in ("two", "three"))
    interval = significance.bootstrap(tables["two"], n_resamples=200)
    assert f"two scores highest: {best.percent:.1f} BLEU" in shown
    ends = f"{100 * interval.lower:.1f} to {100 * interval.upper:.1f}"
    assert f"(95% interval {ends})" in shown
    assert f"It is {best.percent - second.percent:.1f} points ahead of three" in shown
    p_value = pairs.p_values[1, 2]
    assert f"{'significant' if p_value < 0.05 else 'not significant'}: p = {p_value:.3f}" in shown
    assert (
        "nrefs:1|bs:200|sides:2|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:" in shown
    )


def test_several_references_and_equal_systems(tmp_path):
    references = [["a b c d", "a b"], "e f g h", ("i", "j", "k")]
    outputs = ["a b c d", "e f g x", "i"]
    page = written(tmp_path, {"one": outputs, "two": outputs}, references)
    assert json.loads(page.scripts["references"]) == [
        ["a b c d", "a b"],
        ["e f g h"],
        ["i", "j", "k"],
    ]
    assert "one and two have the same score" in words(page.text)


def summary(folder, *arguments, **options):
    """The words of the report's first section."""
    shown = words(written(folder, *arguments, **options).text)
    return shown[: shown.index("A cluster ends where")]


def test_a_small_difference_is_not_said_to_be_none(tmp_path):
    references, (one, _) = noisy_systems(400, [0.2, 0.1])
    other = [one[0].rsplit(" ", 1)[0] + " other", *one[1:]]
    tables = [vecbleu.corpus_bleu(own, references).percent for own in (one, other)]
    gain = abs(tables[0] - tables[1])
    assert 0.0095 < gain < 0.05
    shown = summary(tmp_path, {"one": one, "other": other}, references)
    assert f"It is {gain:.2f} points ahead" in shown


def test_groups_of_which_none_is_ahead(tmp_path):
    references = ["a b c d e f"] * 40 + ["g h i j k l"] * 10
    outputs = {
        "one": ["a b c d e x"] * 20 + ["a b c d e f"] * 20 + ["g h i j k l"] * 10,
        "two": ["a b c d e f"] * 40 + ["x"] * 10,
    }
    labels = ["p"] * 20 + ["q"] * 20 + ["few"] * 10
    shown = summary(tmp_path, outputs, references, labels=labels)
    assert "one is behind two most on p (−24.0 points, 20 segments) and level on q (0.0" in shown
    equal = summary(tmp_path, dict.fromkeys(outputs, outputs["one"]), references, labels=labels)
    assert "By label" not in equal


def test_what_is_refused(tmp_path):
    path, rows = tmp_path / "x.html", ["a b c d"] * 3
    pair = {"one": rows, "two": rows}
    table = vecbleu.statistics(rows, rows)
    cases = [
        (({"one": rows}, rows), {}, "systems has 1, expected 2 to 100"),
        (({str(k): rows for k in range(101)}, rows), {}, "systems has 101, expected 2 to 100"),
        (([rows, rows], rows), {}, "systems is list, expected a dict of names to outputs"),
        ((pair, rows[:2]), {}, r"systems\['one'\] has 3 segments but references has 2"),
        ((pair, None), {}, r"systems\['one'\] is text and there are no references"),
        ((pair, rows), {"source": rows[:1]}, "source has 1 but systems have 3 segments"),
        ((pair, rows), {"title": 1}, "title is int, expected a string"),
        ((pair, rows), {"labels": "abc"}, "labels is str, expected a list"),
        (({"one": [["a"]] * 3, "two": rows}, rows), {}, r"systems\['one'\]\[0\] is list"),
        ((pair, [*rows[:2], []]), {}, r"references\[2\] is empty: segment 2 has 0 references"),
        ((pair, [*rows[:2], 3]), {}, r"references\[2\] is int, expected a string"),
        (({"one": table, "two": table[:2]}, None), {}, "system two has 2 segments"),
        (({1: rows, "1": rows}, rows), {}, "names that are equal as text"),
        (({"one": rows, " ": rows}, rows), {}, "systems has a blank name"),
        ((pair, [*rows[:2], [None]]), {}, r"references\[2\]\[0\] is NoneType, .* text$"),
        (({"one": [["a"], *rows[1:]], "two": rows}, rows), {}, r"systems\['one'\]\[0\].*join tok"),
        (({"one": [], "two": []}, []), {}, "0 segments"),
    ]
    for arguments, options, message in cases:
        with pytest.raises((TypeError, ValueError), match=message):
            report.write(path, *arguments, **options)
    with pytest.raises(FileNotFoundError):
        report.write(tmp_path / "no" / "x.html", pair, rows)
    assert not path.exists()


def test_more_than_a_browser_opens_is_refused(tmp_path, monkeypatch):
    rows = ["a b c d"] * 3
    monkeypatch.setattr(inputs, "MOST_SEGMENTS", 2)
    with pytest.raises(ValueError, match=r"3 segments, expected at most 2; pass a part of them"):
        report.write(tmp_path / "x", {"one": rows, "two": rows}, rows)
    monkeypatch.undo()
    monkeypatch.setattr(inputs, "MOST_CHARACTERS", 62)
    with pytest.raises(ValueError, match=r"63 characters, expected at most 62: pass fewer systems"):
        report.write(tmp_path / "x", {"one": rows, "two": rows}, rows)


def test_the_same_report_is_the_same_file(tmp_path):
    references, systems = noisy_systems(30, [0.4, 0.1])
    files = []
    for _ in range(2):
        report.write(tmp_path / "x", dict(zip("ab", systems, strict=True)), references)
        files.append((tmp_path / "x").read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize("tokenize", ["13a", str.split])
def test_workers_change_nothing(tmp_path, tokenize):
    references, systems = noisy_systems(600, [0.4, 0.1])
    files = []
    for workers in (1, 2):
        named = dict(zip("ab", systems, strict=True))
        options = {"n_resamples": 9, "tokenize": tokenize, "workers": workers}
        report.write(tmp_path / "x", named, references, **options)
        files.append((tmp_path / "x").read_text(encoding="utf-8"))
    assert files[0] == files[1]
    marks = json.loads(Elements(files[0]).scripts["marks-1"])
    split = resolve_tokenizer(tokenize).split
    for own, reference, code in zip(systems[1], references, marks, strict=True):
        tokens, others = split([own])[0], split([reference])[0]
        assert code == encoded_marks(own, tokens, matched_orders(tokens, [others]), False)


@pytest.fixture
def folder(tmp_path):
    others = {"r": REFERENCES, "src": ["1", "2", "3", "4"], "l": "xxyy", "l2": "x"}
    write_lines(tmp_path, SYSTEMS | others)
    return tmp_path


def test_the_command_writes_what_the_function_writes(folder):
    arguments = "report r -i h s t -o x.html --source src --labels l --title Trial --resamples 99"
    printed = lines(run(folder, *arguments.split()))
    assert printed[0].startswith(
        "x.html: report of 3 systems, BLEU|nrefs:1|bs:99|sides:2|seed:12345|"
    )
    options = {"source": ["1", "2", "3", "4"], "labels": ["x", "x", "y", "y"], "title": "Trial"}
    path = folder / "y.html"
    report.write(path, SYSTEMS, REFERENCES, **options, smoothing="exp", n_resamples=99)
    assert (folder / "x.html").read_bytes() == (folder / "y.html").read_bytes()


def test_the_command_reads_statistics_and_several_references(folder):
    for name in "hs":
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    lines(run(folder, "report", "-i", "h.npz", "s.npz", "-o", "x.html", "--names", "A", "B"))
    page = Elements((folder / "x.html").read_text(encoding="utf-8"))
    numbers = json.loads(page.scripts["numbers"])
    assert (numbers["names"], numbers["shown"]) == (["A", "B"], [False, False])
    lines(run(folder, "report", "r", "src", "-i", "h", "t", "-o", "x.html"))
    page = Elements((folder / "x.html").read_text(encoding="utf-8"))
    assert json.loads(page.scripts["references"])[0] == [REFERENCES[0], "1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("report r -i h -o x.html", "1 system behind -i, expected 2 or more"),
        ("report r -i h s -o x.pdf", "the output 'x.pdf' does not end in .html"),
        ("report r -i h s", "the following arguments are required: -o/--output"),
        ("report h s --ref r -o x.html", "vecbleu report REF [REF ...] -i SYS"),
        ("report r -i h s -o x.html --source l2", "l2 has 1 lines but h has 4 segments"),
        ("report r -i h - -o x.html", "can't be read twice"),
        ("report r -i h s -o x.html --resamples 0", "resamples is 0, expected at least 1"),
    ],
)
def test_wrong_commands(folder, arguments, message):
    assert message in error(run(folder, *arguments.split()))


@pytest.mark.parametrize("name", ["", " ", "\u2003\t"])
def test_names_that_nobody_sees_are_refused(folder, name):
    arguments = ["report", "r", "-i", "h", "s", "-o", "x.html", "--names", "one", name]
    assert "name 2 is blank" in error(run(folder, *arguments))
