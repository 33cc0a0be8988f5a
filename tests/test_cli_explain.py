"""``vecbleu explain``: the API's explanations, of texts and of lines of files."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from unittest import mock

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, write_lines

import vecbleu
import vecbleu.cli

DEFAULTS = {"smoothing": "exp", "effective_order": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    columns = [f"{one}\tother {one}" for one in REFERENCES]
    write_lines(folder, SYSTEMS | {"r": REFERENCES, "r2": columns})
    lines(run(folder, "stats", "r", "-i", "h", "-o", "h.npz"))
    return folder


def plain(found):
    """An explanation as JSON has it."""
    return json.loads(json.dumps(found.to_dict()))


def check(found, expected):
    """JSON is the explanation, its score on 0 to 100; returns the signature."""
    own = plain(expected)
    own["score"] = own.pop("percent")
    del own["signature"]
    signature = found.pop("signature")
    assert {name: found[name] for name in own} == own
    return signature


def test_texts_are_explained_as_by_the_api(folder):
    texts = "--hyp", "The cat sat.", "--ref", "A cat sat", "--ref", "the cat"
    found = run_json(folder, "explain", *texts, "-lc", "--max-order", "3", "-s", "none")
    options = {"lowercase": True, "max_order": 3, "smoothing": "none", "effective_order": True}
    expected = vecbleu.explain("The cat sat.", ["A cat sat", "the cat"], **options)
    signature = check(found, expected)
    assert {*found} | {"signature", "percent"} == {*expected.to_dict()}
    assert signature.startswith("BLEU|nrefs:2|case:lc|eff:yes|tok:13a|smooth:none|max_order:3|ver")


def test_the_printed_lines_are_those_of_the_api(folder):
    texts = "--hyp", "猫 sat", "--ref", "猫\tsat down"
    *shown, blank, signature = lines(run(folder, "explain", *texts))
    expected = vecbleu.explain("猫 sat", "猫\tsat down", **DEFAULTS)
    assert shown == str(expected).split("\n")
    assert (blank, signature[:8]) == ("", "BLEU|nre")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("columns", [False, True])
def test_a_line_of_files_has_the_score_of_its_segment(folder, number, columns):
    files = ["r2", "-nr", "2"] if columns else ["r", "t"]
    found = run_json(folder, "explain", *files, "-i", "h", "s", "--line", str(number))
    others = [f"other {REFERENCES[number - 1]}" if columns else SYSTEMS["t"][number - 1]]
    for name, one in zip("hs", found, strict=True):
        assert (one["system"], one["line"]) == (name, number)
        references = [REFERENCES[number - 1], *others]
        check(one, vecbleu.explain(SYSTEMS[name][number - 1], references, **DEFAULTS))
        scores = lines(run(folder, *files, "-i", name, "-sl", "-b", "-w", "9"))
        assert float(scores[number - 1]) == round(one["score"], 9)


def test_several_systems_are_printed_one_after_the_other(folder):
    shown = lines(run(folder, "explain", "r", "-i", "h", "s", "--line", "1", "--names", "x", "y"))
    assert {"x, line 1", "y, line 1"} < {*shown}
    single = run_json(folder, "explain", "r", "-i", "h", "--line", "1")
    assert single["system"] == "h"


def test_reading_ends_at_the_line(folder):
    """What stands behind is not looked at: here it is damaged, and not UTF-8."""
    from vecbleu.core.corpus import sizes

    text = b"".join(b"line %d\n" % number for number in range(2000))
    (folder / "long").write_bytes(text + b"\xff\n")
    (folder / "long.gz").write_bytes(gzip.compress(text)[:-200])
    with mock.patch.object(sizes, "FILE_BLOCK_BYTES", 100):
        for name in ("long", "long.gz"):
            found = run_json(folder, "explain", name, "-i", "long", "--line", "1001")
            assert found["hypothesis"] == "line 1000"
            assert found["references"] == ["line 1000"]


def test_standard_input_is_read(folder):
    found = run_json(folder, "explain", "r", "-i", "-", "--line", "2", stdin=b"a\nb c\nd\ne\n")
    assert found["hypothesis"] == "b c"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "expected --hyp and --ref, or files and --line; see vecbleu explain --help"),
        ("--hyp a", "--hyp and --ref belong together"),
        ("--ref a", "--hyp and --ref belong together"),
        ("-i h --ref r --line 1", "expected --hyp and --ref, or files and --line"),
        ("--hyp a --ref b r", "expected --hyp and --ref, or files and --line"),
        ("--hyp a --ref b --line 1", "--line is for files"),
        ("--hyp a --ref b --names x", "--names is for files"),
        ("--hyp a --ref b --workers 0", "--workers: 0, expected at least 1"),
        ("r -i h", "files need -i SYS and --line N"),
        ("r --line 1", "files need -i SYS and --line N"),
        ("-i h --line 1", "no references"),
        ("r -i h --line 0", "--line: 0, expected at least 1"),
        ("r -i h --line 5", "--line is 5 but r has 4 lines"),
        ("r -i h.npz --line 1", "h.npz is a file of statistics, which has no text to explain"),
        ("r -i h h --line 1", "'h' is given twice as a system"),
        ("r -i missing --line 1", "missing: No such file or directory"),
    ],
)
def test_errors_say_what_does_not_fit(folder, arguments, message):
    assert message in error(run(folder, "explain", *arguments.split()))


def test_no_character_of_the_text_reaches_the_terminal_unescaped(folder):
    (folder / "ugly").write_bytes("a\x1b[31m\u202e \x00 \u2028b\n".encode() * 4)
    for arguments in ("r -i ugly --line 2", "ugly -i h --line 1"):
        shown = "\n".join(lines(run(folder, "explain", *arguments.split())))
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2028]", shown)


@pytest.mark.skipif(sys.platform == "win32", reason="its command lines are Unicode")
def test_arguments_that_are_not_utf_8_are_shown_escaped(folder):
    shown = lines(run(folder, "explain", "--hyp", "a\udcff", "--ref", "a\udcff"))
    assert shown[0] == "hypothesis  a\\udcff"


class Terminal(io.TextIOWrapper):
    """What is printed, on a terminal."""

    def isatty(self):
        return True
