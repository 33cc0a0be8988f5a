"""`vecbleu compare`: what Python finds, with the text beside, and words marked on terminals."""

from __future__ import annotations

import io
import json
import os
import re
import sys

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, write_lines

import vecbleu
from vecbleu.analysis import ngram_differences, score_buckets, segment_differences, word_changes
from vecbleu.cli import colors, compare_ngrams

SOURCE = ["Die Katze saß.", "ein Hund bellte 3,5 Katzen an!", "die", "ganz andere Wörter"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    tabbed = [f"{one}\t{one.lower()}" for one in REFERENCES]
    texts = {"r": REFERENCES, "two": tabbed, "source": SOURCE, "short": ["a", "b"]}
    write_lines(folder, SYSTEMS | texts)
    for name in SYSTEMS:
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    return folder


@pytest.mark.parametrize(
    "systems", ["r -i h s", "r -i h.npz s", "-i h.npz s.npz", "r -i h.npz s.npz", "r -i h s t"]
)
@pytest.mark.parametrize("labels", [None, ["news", "talk", "news", "news"]])
def test_compare_shows_what_python_finds(folder, systems, labels):
    groups = ["--labels", "labels"] if labels else ["--edges", "2", "5"]
    write_lines(folder, {"labels": labels or []})
    asked = ["-s", "add-k", "--segments", "2", "--min-length", "2"]
    found = run_json(folder, "compare", *systems.split(), *asked, *groups)
    paths = systems.partition("-i ")[2].split()
    names = [path.removesuffix(".npz") for path in paths]
    tables = [vecbleu.statistics(SYSTEMS[one], REFERENCES) for one in names]
    buckets = score_buckets(tables, labels, edges=None if labels else [2, 5], smoothing="add-k")
    whole = [one["score"] for one in run_json(folder, "r", "-i", *names, "-s", "add-k")]
    columns = buckets.labels, (100 * buckets.scores).T.tolist(), buckets.sizes.tolist()
    expected = [("all", whole, 4), *zip(*columns, strict=True)]
    assert [tuple(group.values()) for group in found["groups"]] == expected
    assert found["by"] == ("label" if labels else "ref_len")
    texts = [SYSTEMS.get(path) for path in paths]
    assert len(found["pairs"]) == len(paths) - 1
    for place, pair in enumerate(found["pairs"], 1):
        assert found["systems"].index(pair["baseline"]) == 0
        assert found["systems"].index(pair["system"]) == place
        python = segment_differences([tables[0], tables[place]], smoothing="add-k")
        check_segments(pair, python, [texts[0], texts[place]], systems.startswith("r "))


def check_segments(pair, python, texts, has_references):
    """What is shown of two systems is what Python finds, with their texts."""
    is_long = [len(one.split()) >= 2 for one in REFERENCES]
    for part, segments in (("gains", python.gains(1)), ("losses", python.losses(1))):
        expected = [segment for segment in segments.tolist() if is_long[segment]][:2]
        assert [one["line"] - 1 for one in pair[part]] == expected
        for one, segment in zip(pair[part], expected, strict=True):
            assert one["scores"] == (100 * python.scores[:, segment]).tolist()
            assert one.get("references", []) == ([REFERENCES[segment]] if has_references else [])
            own = [text and text[segment] for text in texts]
            shown = one.get("outputs", [None, None])
            assert [pieces and "".join(text for text, _ in pieces) for pieces in shown] == [
                text or None for text in own
            ]
            if None not in own:
                assert shown == json.loads(json.dumps(word_changes(own)))


def test_text_stands_beside_scores(folder):
    asked = ["two", "-i", "h", "s", "-nr", "2", "--segments", "1", "--source", "source"]
    asked += ["--ngrams", "0"]
    shown = lines(run(folder, "compare", *asked))
    assert shown[:2] == ["A: h", "B: s"]
    assert shown[2].startswith("BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert shown[4].split() == ["ref_len", "A", "B", "B", "-", "A", "segments"]
    assert [line.split()[0] for line in shown[5:7]] == ["all", "<"]
    place = shown.index("B loses most to A")
    line = int(re.match(r"line (\d): .* \(-", shown[place + 1])[1])
    assert shown[place + 2 :] == [
        f"  src: {SOURCE[line - 1]}",
        f"  ref: {REFERENCES[line - 1]}",
        f"  ref: {REFERENCES[line - 1].lower()}",
        f"    A: {SYSTEMS['h'][line - 1]}",
        f"    B: {SYSTEMS['s'][line - 1]}",
    ]


def test_several_systems_are_compared_with_one(folder):
    shown = lines(run(folder, "compare", "r", "-i", "h", "s", "t", "--baseline", "s"))
    assert shown[:3] == ["A: h", "B: s (baseline)", "C: t"]
    assert shown[5].split() == ["ref_len", "A", "B", "C", "segments"]
    titles = [line for line in shown if " gains most over " in line or " loses most to " in line]
    expected = [
        f"{name} {change} B (s)"
        for name in ("A (h)", "C (t)")
        for change in ("gains most over", "loses most to")
    ]
    assert {*titles} <= {*expected}
    assert {expected[0], expected[2]} <= {*titles}
    names = ["--names", "x", "y", "z"]
    for baseline in ("y", "s"):  # its name, or its file
        asked = ["r", "-i", "h", "s", "t", *names, "--baseline", baseline]
        found = run_json(folder, "compare", *asked)
        assert found["baseline"] == "y"
        assert [pair["system"] for pair in found["pairs"]] == ["x", "z"]
    two = lines(run(folder, "compare", "r", "-i", "h", "s", "--baseline", "s"))
    assert two[4].split() == ["ref_len", "A", "B", "A", "-", "B", "segments"]
    back = lines(run(folder, "compare", "r", "-i", "s", "h"))
    assert [line.split()[-2] for line in two[5:7]] == [line.split()[-2] for line in back[5:7]]


@pytest.mark.parametrize(
    "systems", ["r -i h s t", "r -i h.npz s t --baseline s", "two -nr 2 -i h t"]
)
def test_ngrams_are_those_that_python_finds(folder, systems):
    counting = ["-lc", "--max-order", "2", "-tok", "none"] if ".npz" not in systems else []
    options = {"lowercase": True, "max_order": 2, "tokenize": "none"} if counting else {}
    asked = [*systems.split(), *counting, "--ngrams", "3"]
    found = run_json(folder, "compare", *asked)
    texts = {name: SYSTEMS[name] for name in found["systems"] if name in SYSTEMS}
    references = [[one, one.lower()] if "two" in systems else one for one in REFERENCES]
    python = ngram_differences(texts, references, baseline=found["baseline"], top=3, **options)
    shown = 0
    for pair in found["pairs"]:
        names = pair["system"], pair["baseline"]
        for part, (more, less) in (("gains", names), ("losses", names[::-1])):
            rows = [row for row in python.rows if (row.more, row.less) == (more, less)]
            rows = rows if names[0] in texts else []
            assert [(*one["ngram"],) for one in pair.get(f"ngram_{part}", [])] == [
                row.ngram for row in rows
            ]
            for one, row in zip(pair.get(f"ngram_{part}", []), rows, strict=True):
                assert (one["counts"], one["score"]) == ([*row.counts], row.score)
                assert one["lines"] == [segment + 1 for segment in row.examples]
            shown += len(rows)
    assert shown
    printed = lines(run(folder, "compare", *asked))
    tables = [place for place, line in enumerate(printed) if line.startswith("n-gram ")]
    assert sum(line.startswith("n-grams of the references that ") for line in printed) == len(
        tables
    )
    for place in tables:
        assert printed[place].split()[-1] == "lines"


def test_as_many_long_ngrams_are_shown_as_are_asked_for(tmp_path):
    phrase = "one two three four five six seven eight nine ten"
    references = [*[phrase] * 5, *["red cat"] * 3, "blue dog"]
    write_lines(tmp_path, {"r": references, "h": ["-"] * 9, "s": references})
    asked = ["r", "-i", "h", "s", "--ngrams", "3"]
    (pair,) = run_json(tmp_path, "compare", *asked)["pairs"]
    shown = [" ".join(one["ngram"]) for one in pair["ngram_gains"]]
    assert shown == [phrase, "red cat", "blue dog"]


def test_scores_alone_are_read_once(folder):
    asked = ["--segments", "0", "--ngrams", "0"]
    text = "".join(f"{line}\n" for line in SYSTEMS["s"]).encode()
    found = run_json(folder, "compare", "r", "-i", "h", "-", *asked, stdin=text)
    known = run_json(folder, "compare", "r", "-i", "h", "s", *asked)
    assert found["groups"] == known["groups"]


def test_ngrams_need_texts_and_time(folder, monkeypatch):
    assert "n-gram" not in "".join(lines(run(folder, "compare", "-i", "h.npz", "s.npz")))
    assert "n-gram" not in "".join(lines(run(folder, "compare", "r", "-i", "h.npz", "s")))
    monkeypatch.setattr(compare_ngrams, "_MOST_OUTPUTS", 7)
    note = "n-grams of 8 outputs are not compared; --ngrams 5 compares them"
    assert lines(run(folder, "compare", "r", "-i", "h", "s"))[-2:] == ["", note]
    assert run_json(folder, "compare", "r", "-i", "h", "s")["note"] == note
    assert "note" not in run_json(folder, "compare", "r", "-i", "h", "s", "--ngrams", "1")
    assert "note" not in run_json(folder, "compare", "r", "-i", "h", "s", "--ngrams", "0")


def test_a_warning_about_the_tokenizer_comes_once(folder):
    done = run(folder, "compare", "r", "-i", "h", "s", "-l", "en-zh", "-tok", "13a")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)


def test_many_systems_have_letters(folder):
    many = {f"m{number}": SYSTEMS["h"] for number in range(30)}
    write_lines(folder, many)
    shown = lines(run(folder, "compare", "r", "-i", *many))
    assert shown[25:30] == ["Z: m25", "AA: m26", "AB: m27", "AC: m28", "AD: m29"]


def test_lines_are_read_from_any_block(folder):
    size = 60_000
    rng = np.random.default_rng(0)
    words = rng.choice(["a", "b", "c", "d"], (size, 6))
    write_lines(folder, {"long.r": map(" ".join, words)})
    for name, place in (("long.a", 20_000), ("long.b", 55_555)):
        rows = words.copy()
        rows[place] = "x"
        write_lines(folder, {name: map(" ".join, rows)})
    found = run_json(folder, "compare", "long.r", "-i", "long.a", "long.b")
    (pair,) = found["pairs"]
    for part, place in (("gains", 20_000), ("losses", 55_555)):
        (one,) = pair[part]
        text = " ".join(words[place])
        outputs = [[["x x x x x x", True]], [[text, True]]]
        assert (one["line"], one["references"]) == (place + 1, [text])
        assert one["outputs"] == (outputs if part == "gains" else outputs[::-1])


class Terminal(io.TextIOWrapper):
    """What is printed, on a terminal."""

    def isatty(self):
        return True


HOSTILE = ["\x1b[31mred\x1b[0m \x9b2J word", "\x1b]0;title\x07 \u202e", "a\x1b[1;32mb", "\x1b[0m"]


def on_terminal(monkeypatch, *arguments):
    """What a command prints on a terminal."""
    screen = Terminal(io.BytesIO(), "utf-8", newline="\n")
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("TERM", "xterm")
    assert vecbleu.cli.main([*arguments]) == 0
    screen.flush()
    return screen.buffer.getvalue().decode()


@pytest.fixture
def hostile(folder, monkeypatch):
    hostile = [f"{line} {bad}" for line, bad in zip(SYSTEMS["t"], HOSTILE, strict=True)]
    write_lines(folder, {"bad": hostile})
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return ["compare", "r", "-i", "h", "bad", "--source", "bad"]


def test_only_marks_become_codes_on_a_terminal(hostile, monkeypatch):
    printed = on_terminal(monkeypatch, *hostile)
    codes = {f"\x1b[{code}m" for code in (*colors._CODES.values(), 0)}
    assert {*re.findall(r"\x1b\[[0-9;]*m", printed)} == codes
    plain = re.sub(r"\x1b\[(?:1;31|1;32)m(.*?)\x1b\[0m", r"\1", printed)
    assert not {*"\x1b\x9b\x07\u202e"} & {*plain}
    monkeypatch.undo()


@pytest.mark.parametrize("off", ["NO_COLOR", "TERM", "--no-color", "pipe", "windows"])
def test_nothing_is_marked_elsewhere(folder, hostile, monkeypatch, off):
    expected = run(folder, *hostile).stdout.decode()
    assert "\x1b" not in expected
    colored = on_terminal(monkeypatch, *hostile)
    assert re.sub(r"\x1b\[(?:1;31|1;32|0)m", "", colored) == expected
    if off == "--no-color":
        assert on_terminal(monkeypatch, *hostile, off) == expected
        return
    screen = Terminal(io.BytesIO(), "utf-8")
    monkeypatch.setenv("TERM", "xterm")
    assert colors.has_colors(screen)
    if off == "windows":
        monkeypatch.setattr(sys, "platform", "win32")
        monkeypatch.delenv("WT_SESSION", raising=False)
    elif off != "pipe":
        monkeypatch.setenv(off, "dumb")
    assert not colors.has_colors(io.StringIO() if off == "pipe" else screen)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("r -i h", "1 system behind -i, expected 2 at least"),
        ("r -i h s --baseline t", "baseline is 't', expected one of h, s"),
        ("r -i h s --min-length -1", "min-length is -1, expected at least 0"),
        ("r -i h s --ngrams -1", "ngrams is -1, expected at least 0"),
        ("r -i h s --edges 2 --labels r", "--edges is for groups without labels"),
        ("r -i h s --edges 3 2", "edges is [3, 2]"),
        ("r -i h s --edges x", "argument --edges: invalid int value: 'x'"),
        ("r -i h s --source h.npz", "h.npz is a file of statistics, which can't be source text"),
        ("r -i h s --source -", "- can't be read twice"),
        ("r -i h s --source none", "none: No such file or directory"),
        ("r -i h s --source short", "different numbers of lines: short has 2, r has 4"),
        (f"r -i h {os.devnull}", f"{os.devnull} can't be read twice"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(folder, arguments, message):
    line = error(run(folder, "compare", *arguments.split()))
    assert line.partition("error: ")[2].startswith(message)
