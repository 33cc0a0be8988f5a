"""`vecbleu compare`: what Python finds, with the text beside, and words marked on terminals."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, lines, run, run_json, write_lines
from peers import TOKENIZE

import vecbleu
from vecbleu.analysis import ngram_differences, score_buckets, segment_differences, word_changes
from vecbleu.significance import paired_bootstrap, paired_randomization

SOURCE = ["Die Katze saß.", "ein Hund bellte 3,5 Katzen an!", "die", "ganz andere Wörter"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    tabbed = [f"{one}\t{one.lower()}" for one in REFERENCES]
    texts = {"r": REFERENCES, "two": tabbed, "source": SOURCE}
    write_lines(folder, SYSTEMS | texts)
    for name in SYSTEMS:
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    return folder


@pytest.mark.parametrize(
    "systems", ["r -i h.npz s", "-i h.npz s.npz", "r -i h.npz s.npz", "r -i h s t"]
)
@pytest.mark.parametrize("labels", [None, ["news", "talk", "news", "news"]])
def test_compare_shows_what_python_finds(folder, systems, labels):
    groups = ["--labels", "labels"] if labels else ["--edges", "2", "5"]
    write_lines(folder, {"labels": [f"{label}\r" for label in labels or ()]})
    paths = systems.partition("-i ")[2].split()
    names = [path.removesuffix(".npz") for path in paths]
    asked = ["-s", "add-k", "--min-length", "4", "--names", *names]
    found = run_json(folder, "compare", *systems.split(), *asked, *groups)
    tables = {one: vecbleu.statistics(SYSTEMS[one], REFERENCES) for one in names}
    buckets = score_buckets(tables, labels, edges=None if labels else [2, 5], smoothing="add-k")
    assert [row["system"] for row in found] == names
    assert {row["baseline"] for row in found} == {names[0]}
    for row, scores in zip(found, 100 * buckets.scores, strict=True):
        columns = buckets.labels, scores.tolist(), buckets.sizes.tolist()
        assert [(*group.values(),) for group in row["groups"]] == [*zip(*columns, strict=True)]
        assert [*row["groups"][0]] == ["label" if labels else "ref_len", "BLEU", "segments"]
    texts = [SYSTEMS.get(path) for path in paths]
    assert (found[0]["wins"], found[0]["ngram_losses"]) == ([], [])
    for place, pair in enumerate(found[1:], 1):
        two = [tables[names[0]], tables[names[place]]]
        python = segment_differences(two, smoothing="add-k")
        check_segments(pair, python, [texts[0], texts[place]], systems.startswith("r "))


def others(found):
    """The records of systems other than the baseline."""
    return [row for row in found if row["system"] != row["baseline"]]


def check_segments(pair, python, texts, has_references):
    """What is shown of two systems is what Python finds, with their texts."""
    is_long = [len(TOKENIZE["13a"](one)) >= 4 for one in REFERENCES]  # 4, 7, 1 and 3 tokens
    for part, segments in (("wins", python.gains(1)), ("losses", python.losses(1))):
        expected = [segment for segment in segments.tolist() if is_long[segment]][:2]
        assert [one["line"] - 1 for one in pair[part]] == expected
        for one, segment in zip(pair[part], expected, strict=True):
            assert one["scores"] == (100 * python.scores[:, segment]).tolist()
            assert one.get("references", []) == ([REFERENCES[segment]] if has_references else [])
            own = [text and text[segment] for text in texts]
            shown = one.get("outputs", [None, None])
            joined = [pieces and "".join(text for text, _ in pieces) for pieces in shown]
            assert joined == [text or None for text in own]
            if None not in own:
                assert shown == json.loads(json.dumps(word_changes(own)))


@pytest.mark.parametrize(
    ("asked", "test", "options"),
    [
        (
            "--sides 1 --confidence-level 0.9 --baseline s",
            paired_bootstrap,
            {"sides": 1, "confidence_level": 0.9},
        ),
        ("--test randomization --names x y z --baseline y", paired_randomization, {}),
    ],
)
def test_systems_are_tested_as_python_tests_them(folder, asked, test, options):
    files = ["r", "-i", *SYSTEMS, "--seed", "7", "--resamples", "50"]
    found = run_json(folder, "compare", *files, *asked.split())
    tables = [vecbleu.statistics(text, REFERENCES) for text in SYSTEMS.values()]
    python = test(tables, baseline=1, rng=7, n_resamples=50, smoothing="exp", **options)
    names = ["x", "y", "z"] if "x" in asked.split() else [*SYSTEMS]
    pairs = [(row["baseline"], row["system"]) for row in found]
    assert pairs == [(names[1], name) for name in names]
    own = python.to_dict()
    rows = zip(python.table().records(), own["holm"], names, strict=True)
    expected = [row | {"system": name, "holm": holm} for row, holm, name in rows]
    assert found == [row | fields for row, fields in zip(found, expected, strict=True)]
    assert [*found[0]][: len(expected[0])] == [*expected[0]]
    assert [row["p"] for row in found] == own["p_values"]
    assert f"|{'ar' if 'randomization' in asked else 'bs'}:50|" in found[0]["signature"]


@pytest.mark.parametrize(
    "systems", ["r -i h s t", "r -i h.npz s t --baseline s", "two -nr 2 -i h t"]
)
def test_ngrams_are_those_that_python_finds(folder, systems):
    counting = ["-lc", "--max-order", "2", "-tok", "none"] if ".npz" not in systems else []
    options = {"lowercase": True, "max_order": 2, "tokenize": "none"} if counting else {}
    found = run_json(folder, "compare", *systems.split(), *counting, "--ngrams", "3")
    texts = {name: text for name, text in SYSTEMS.items() if name in systems.split()}
    references = [[one, one.lower()] if "two" in systems else one for one in REFERENCES]
    python = ngram_differences(texts, references, baseline=found[0]["baseline"], top=3, **options)
    shown = 0
    for pair in others(found):
        names = pair["system"], pair["baseline"]
        for part, own in (("wins", names), ("losses", names[::-1])):
            rows = [row for row in python.rows if (row.more, row.less) == own]
            expected = [
                ([*row.ngram], [*row.counts], row.score, [one + 1 for one in row.examples])
                for row in rows
            ]
            assert [(*one.values(),) for one in pair[f"ngram_{part}"]] == expected
            shown += len(expected)
    assert shown
    none = run_json(folder, "compare", *systems.split(), *counting, "--ngrams", "0")
    assert not any(pair[f"ngram_{part}"] for pair in others(none) for part in ("wins", "losses"))


def test_lines_are_read_from_any_block(folder):
    size = 60_000
    words = np.random.default_rng(0).choice(["a", "b", "c", "d"], (size, 6))
    write_lines(folder, {"long.r": map(" ".join, words)})
    for name, place in (("long.a", 20_000), ("long.b", 55_555)):
        rows = words.copy()
        rows[place] = "x"
        write_lines(folder, {name: map(" ".join, rows)})
    asked = ["long.r", "-i", "long.a", "long.b", "--resamples", "10"]
    (_, pair) = run_json(folder, "compare", *asked)
    (_, other) = run_json(folder, "compare", *asked, "--ngrams", "1")
    assert (pair["ngram_wins"], len(other["ngram_wins"])) == ([], 1)  # of 120,000 outputs
    for part, place in (("wins", 20_000), ("losses", 55_555)):
        (one,) = pair[part]
        text = " ".join(words[place])
        outputs = [[["x x x x x x", True]], [[text, True]]]
        assert (one["line"], one["references"]) == (place + 1, [text])
        assert one["outputs"] == (outputs if part == "wins" else outputs[::-1])


@pytest.mark.parametrize("width", [40, 80, 200])
def test_long_texts_are_cut_around_the_difference(tmp_path, monkeypatch, width):
    words = [f"w{number}" for number in range(300)]
    one, other = (" ".join([*words[:150], middle, *words[151:]]) for middle in ("HERE", "THERE"))
    sides = {"h": [one] * 3 + [other] * 3, "s": [other] * 3 + [one] * 3}
    write_lines(tmp_path, {"r": [one] * 6, "src": [other] * 6} | sides)
    monkeypatch.setenv("COLUMNS", str(width))
    asked = ["compare", "r", "-i", "h", "s", "--source", "src"]
    shown = lines(run(tmp_path, *asked))
    rows = [re.fullmatch(r" *[hs]: …(.*)…", line) for line in shown]
    cut = [row[1] for row in rows if row]
    assert len(cut) == 8
    assert all("HERE" in text and (text in one or text in other) for text in cut)
    assert max(len(row[0]) for row in rows if row) <= width
    full = "\n".join(lines(run(tmp_path, *asked, "--full")))
    assert "…" not in full
    assert all(full.count(f": {text}\n") >= 4 for text in (one, other))
