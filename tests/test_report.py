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
from vecbleu import report, significance
from vecbleu.core.options import CountOptions
from vecbleu.report import inputs
from vecbleu.report.segments import cut_texts, json_text

UGLY_TEXT = st.text(
    st.one_of(
        st.sampled_from(
            ["<", ">", "&", '"', "'", "\0", "\u2028", "\ud800", "😀", " ", "é", "İ", "$"]
        ),
        st.characters(),
    ),
    max_size=20,
)


def _joined(row):
    """The pieces of a text, or of the texts of a segment, joined."""
    return row if isinstance(row, str) else "".join(map(_joined, row))


class Elements(HTMLParser):
    """Start tags with their attributes, and the text of each script, in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.text = [], {}, ""
        self._script = None
        self.feed(text)
        self.close()

    @property
    def numbers(self):
        return json.loads(self.scripts["numbers"])

    def texts(self, name):
        """The texts of a block, their pieces joined."""
        rows = [json.loads(row) for row in self.scripts[name].strip().split("\n")]
        return [_joined(row) for row in rows]

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


def words(page):
    """Text on one line."""
    return " ".join(page.text.split())


@given(
    st.recursive(UGLY_TEXT, lambda values: st.lists(values) | st.dictionaries(UGLY_TEXT, values))
)
def test_json_is_one_line_without_markup_and_reads_as_the_same(value):
    text = json_text(value)
    assert not re.search("[<>&\u2028\u2029\0\n]", text)
    assert json.loads(text.encode()) == value


@given(st.lists(UGLY_TEXT), st.sampled_from(["13a", "char", "none", "intl"]), st.booleans())
def test_texts_are_cut_between_tokens(texts, tokenize, lowercase):
    counting = CountOptions.checked(tokenize, lowercase)
    searched = [text.lower() if lowercase else text for text in texts]
    tokens = counting.tokenize.split(searched)
    for text, own, pieces in zip(texts, tokens, cut_texts(texts, counting), strict=True):
        assert "".join(pieces) == text
        if isinstance(pieces, list) and len(text) == len(text.lower()):
            cut = [word for piece in pieces for word in piece.split()]
            assert [one.lower() if lowercase else one for one in cut] == [
                *own
            ] or not text.isascii()
        elif "&" not in text and text.isascii():
            assert "".join(own) != "".join(text.split())


@settings(max_examples=8)  # two reports each
@given(UGLY_TEXT, UGLY_TEXT, st.lists(UGLY_TEXT, min_size=2, max_size=2))
def test_data_are_never_markup(tmp_path_factory, name, title, texts):
    folder = tmp_path_factory.mktemp("ugly")
    rows = [*texts, "a b c d e"]
    other = ["x", "y", "a b c d e"]
    systems = {f"1{name}": rows, f"2{name}": other}
    found = written(folder, systems, rows, source=rows, labels=rows, title=title)
    tame = written(folder, {"1": rows, "2": other}, rows, source=rows, labels=rows)
    assert found.tags == tame.tags
    assert [json.loads(row) for row in found.scripts["source"].strip().split("\n")] == rows
    assert {*map(str, found.texts("outputs-0"))} <= {*rows, *other}


@pytest.mark.parametrize("sides", [1, 2])
def test_numbers_are_those_of_the_library(tmp_path, sides):
    references, texts = noisy_systems(60, [0.4, 0.1, 0.3, 0.12])
    systems = dict(zip(["one", "two", "three", "four"], texts, strict=True))
    options = {"n_resamples": 200, "sides": sides, "confidence_level": 0.9}
    page = written(tmp_path, systems, references, **options)
    tables = {name: vecbleu.statistics(own, references) for name, own in systems.items()}
    found = significance.rank(tables, **options)
    table = found.table().to_html(css_class="numbers").partition("<p>")[0]
    assert table in (tmp_path / "report.html").read_text(encoding="utf-8")
    order = found.order
    numbers = page.numbers
    assert numbers["names"] == [found.names[place] for place in order]
    assert numbers["bleu"] == (100 * found.scores[order]).tolist()
    for place, name in enumerate(numbers["names"]):
        sentences = vecbleu.sentence_bleu(systems[name], references)
        assert numbers["scores"][place] == np.round(100 * sentences, 3).tolist()
    assert numbers["lengths"] == tables["one"].ref_len.tolist()
    best, second = order[:2]
    shown = words(page)
    assert f"{found.names[best]} scores highest: {100 * found.scores[best]:.1f} BLEU" in shown
    ends = f"{100 * found.lower[best]:.1f} to {100 * found.upper[best]:.1f}"
    assert f"(90% interval {ends})" in shown
    gain, p = 100 * found.differences[best, second], found.p_values[best, second]
    digits = 1 if gain >= 0.095 else 2
    assert f"It is {gain:.{digits}f} points ahead of {found.names[second]}" in shown
    verdict = "significant" if p < 0.05 else "not significant"
    assert f"which is {verdict}: p {'= ' if p >= 0.001 else ''}" in shown
    assert f"nrefs:1|bs:200|sides:{sides}|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp" in shown


def test_the_chart_marks_clusters_and_systems_that_are_worse(tmp_path):
    references, texts = noisy_systems(200, [0.1, 0.1, 0.4, 0.6])
    systems = dict(zip("abcd", texts, strict=True))
    page = written(tmp_path, systems, references, n_resamples=200)
    tables = {name: vecbleu.statistics(own, references) for name, own in systems.items()}
    found = significance.rank(tables, n_resamples=200)
    chart = re.search("<svg.*?</svg>", (tmp_path / "report.html").read_text(encoding="utf-8"))[0]
    worse = (found.p_values[found.order[0]] < 0.05).sum()
    assert (chart.count('"worse"'), chart.count('"dot"')) == (worse, 4 - worse)
    assert chart.count('"border"') == found.clusters().max() - 1
    assert all(f"<title>{name}</title>" in chart for name in systems)
    assert page.tags.count(("svg", {"class", "viewbox", "role", "aria-label"})) == 1


def test_several_references_and_equal_systems(tmp_path):
    references = [["a b c d", "a b"], "e f g h", ("i", "j", "k")]
    outputs = ["a b c d", "e f g x", "i"]
    page = written(tmp_path, {"one": outputs, "two": outputs}, references)
    rows = [json.loads(row) for row in page.scripts["references"].strip().split("\n")]
    assert rows == [[["a b c d"], ["a b"]], [["e f g h"]], [["i"], ["j"], ["k"]]]
    assert "one and two have the same score" in words(page)


def test_a_small_difference_is_not_said_to_be_none(tmp_path):
    references, (one, _) = noisy_systems(400, [0.2, 0.1])
    other = [one[0].rsplit(" ", 1)[0] + " other", *one[1:]]
    scores = [vecbleu.corpus_bleu(own, references).percent for own in (one, other)]
    gain = abs(scores[0] - scores[1])
    assert 0.0095 < gain < 0.05
    page = written(tmp_path, {"one": one, "other": other}, references)
    assert f"It is {gain:.2f} points ahead" in words(page)


def test_options_change_how_text_is_counted(tmp_path):
    rows = ["The cat sat", "A dog barked"]
    systems = {"one": ["the CAT sat", "a dog"], "two": ["x y z", "a dog"]}
    options = {"tokenize": "char", "lowercase": True, "max_order": 2, "smoothing": "none"}
    page = written(tmp_path, systems, rows, **options)
    score = vecbleu.corpus_bleu(systems["one"], rows, **options)
    assert page.numbers["bleu"][0] == 100 * score
    assert (page.numbers["maxOrder"], page.numbers["lowercase"]) == (2, True)
    assert "case:lc|eff:no|tok:char|smooth:none|max_order:2" in words(page)


def test_what_is_refused(tmp_path):
    path, rows = tmp_path / "x.html", ["a b c d"] * 3
    pair = {"one": rows, "two": rows}
    table = vecbleu.statistics(rows, rows)
    cases = [
        (({"one": rows}, rows), {}, "systems has 1, expected 2 to 100"),
        (({str(k): rows for k in range(101)}, rows), {}, "systems has 101, expected 2 to 100"),
        (([rows, rows], rows), {}, "systems is list, expected a dict of names to outputs"),
        ((pair, rows[:2]), {}, "references has 2 but systems have 3 segments"),
        (({"one": rows, "two": rows[:2]}, rows), {}, r"systems\['two'\] has 2 but .* 3 segments"),
        ((pair,), {}, r"systems\['one'\] is text and there are no references"),
        ((pair, rows), {"source": rows[:1]}, "source has 1 but systems have 3 segments"),
        ((pair, rows), {"title": 1}, "title is int, expected a string"),
        ((pair, rows), {"labels": "abc"}, "labels is str, expected a list"),
        ((pair, rows), {"sides": 3}, "sides is 3"),
        ((pair, rows), {"confidence_level": 95}, "confidence_level is 95"),
        ((pair, rows), {"workers": 0}, "workers is 0"),
        (({"one": [["a"]] * 3, "two": rows}, rows), {}, r"systems\['one'\]\[0\] is list"),
        ((pair, [*rows[:2], []]), {}, r"references\[2\] is empty: segment 2 has 0 references"),
        ((pair, [*rows[:2], 3]), {}, r"references\[2\] is int, expected a string"),
        (({"one": table, "two": table[:2]},), {}, "system two has 2 segments"),
        (({1: rows, "1": rows}, rows), {}, "names that are blank, or equal as text"),
        (({"one": rows, " ": rows}, rows), {}, "names that are blank, or equal as text"),
        ((pair, [*rows[:2], [None]]), {}, r"references\[2\]\[0\] is NoneType, .* text$"),
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
    for workers in (1, 2):
        named = dict(zip("ab", systems, strict=True))
        report.write(tmp_path / "x", named, references, workers=workers)
        files.append((tmp_path / "x").read_bytes())
    assert files[0] == files[1]


@pytest.fixture
def folder(tmp_path):
    others = {"r": REFERENCES, "src": ["1", "2", "3", "4"], "l": "xxyy", "l2": "x"}
    write_lines(tmp_path, SYSTEMS | others)
    return tmp_path


def test_the_command_writes_what_the_function_writes(folder):
    arguments = "report r -i h s t -o x.html --source src --labels l --title Trial --resamples 99"
    printed = lines(run(folder, *arguments.split()))
    assert printed == ["x.html: report of 3 systems"]
    options = {"source": ["1", "2", "3", "4"], "labels": ["x", "x", "y", "y"], "title": "Trial"}
    report.write(folder / "y.html", SYSTEMS, REFERENCES, **options, n_resamples=99)
    assert (folder / "x.html").read_bytes() == (folder / "y.html").read_bytes()


def test_the_command_reads_statistics_and_several_references(folder):
    for name in "hs":
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    lines(run(folder, "report", "-i", "h.npz", "s.npz", "-o", "x.html", "--names", "A", "B"))
    page = Elements((folder / "x.html").read_text(encoding="utf-8"))
    numbers = page.numbers
    assert sorted(numbers["names"]) == ["A", "B"]
    assert "outputs-0" not in page.scripts
    lines(run(folder, "report", "r", "src", "-i", "h", "t", "-o", "x.html"))
    page = Elements((folder / "x.html").read_text(encoding="utf-8"))
    assert page.texts("references")[0] == REFERENCES[0] + "1"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("report r -i h -o x.html", "1 system behind -i, expected 2 at least"),
        ("report r -i h s -o x.pdf", "the output 'x.pdf' does not end in .html"),
        ("report r -i h s", "the following arguments are required: -o/--output"),
        ("report h s -o x.html", "required: -i/--input"),
        (
            "report r -i h s -o x.html --source l2",
            "different numbers of lines: h has 4, s has 4, l2 has 1",
        ),
        ("report r -i h s -o x.html --resamples 0", "--resamples: 0, expected at least 1"),
    ],
)
def test_wrong_commands(folder, arguments, message):
    assert message in error(run(folder, *arguments.split()))


@pytest.mark.parametrize("name", ["", " ", "\u2003\t"])
def test_names_that_nobody_sees_are_refused(folder, name):
    arguments = ["report", "r", "-i", "h", "s", "-o", "x.html", "--names", "one", name]
    assert "--names has a blank name" in error(run(folder, *arguments))
