"""Statistics that are kept, and comparisons of systems, from the command line."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from command import error, lines, run

import vecbleu
from vecbleu.analysis import score_buckets, segment_differences

REFERENCES = ["The cat sat.", "a dog barked at 3.5 cats!", "the", "whole other words"]
SYSTEMS = {
    "h": ["The cat sat.", "A dog barked loudly at 3.5 cats", "", "Nothing alike"],
    "s": ["A cat sat down.", "the dog barked at cats", "", "again, no match"],
    "t": ["The cat sat.", "a dog barked at 3.5 cats", "the", "other words"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    for name, text in ({"r": REFERENCES, "short": ["a", "b"]} | SYSTEMS).items():
        (folder / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    (folder / "two").write_text("".join(f"{one}\t{one.lower()}\n" for one in REFERENCES))
    for name in SYSTEMS:
        lines(run(folder, "stats", name, "r", "-o", f"{name}.npz"))
        lines(run(folder, "stats", name, "r", "-lc", "-tok", "char", "-o", f"{name}.char.npz"))
    return folder


@pytest.mark.parametrize(
    ("options", "systems"),
    [
        ("", "h"),
        ("-f json", "h"),
        ("-sl -w 4", "h"),
        ("-s floor -sv 0.2 -b", "t"),
        ("-ci", "h"),
        ("-ci -f json", "t"),
        ("", "h s t"),
        ("-f latex", "h s"),
        ("-pbs -f json", "h s t"),
        ("-par -parn 100", "h s t"),
    ],
)
def test_kept_statistics_take_the_place_of_text(folder, options, systems):
    names = systems.split()
    expected = lines(run(folder, "r", "-i", *names, *options.split()))
    kept = [f"{name}.npz" for name in names]
    found = [lines(run(folder, "-i", *kept, *options.split()))]
    if len(names) > 1:
        mixed = [names[0], *kept[1:]]
        found.append(lines(run(folder, "r", "-i", *mixed, *options.split())))
    for printed in found:
        assert [*map(without_widths, printed)] == [*map(without_widths, expected)]


def without_widths(line):
    """A line of a table that is as wide as the names of files in it."""
    return re.sub("[ ═─]+", "", line.replace(".npz", ""))


def test_references_may_stay_where_text_was(folder):
    expected = lines(run(folder, "-i", "h.npz"))
    assert lines(run(folder, "r", "-i", "h.npz")) == expected
    shown = lines(run(folder, "compare", "h.npz", "s.npz", "--ref", "r", "-n", "1"))
    assert "  ref: The cat sat." in shown


def test_names_of_files_stay_on_one_line(folder):
    (folder / "a\n\rb.npz").write_text("x")
    line = error(run(folder, "stats", "a\n\rb.npz", "h", "-o", "x.npz"))
    assert "a\\n\\rb.npz is no text" in line


def test_json_of_tests_is_json(folder):
    done = run(folder, "-i", "h.npz", "s.npz", "-pbs", "--json")
    found = json.loads("\n".join(lines(done)), parse_constant=lambda name: 1 / 0)
    scores = json.loads("\n".join(lines(run(folder, "-i", "h.npz", "s.npz", "--json"))))
    assert [one["score"] for one in found["systems"]] == [one["score"] for one in scores]


def test_every_digit_is_kept(folder):
    text = json.loads("\n".join(lines(run(folder, "r", "-i", "h", "s", "--json"))))
    mixed = json.loads("\n".join(lines(run(folder, "r", "-i", "h", "s.npz", "--json"))))
    kept = json.loads("\n".join(lines(run(folder, "-i", "h.npz", "s.npz", "--json"))))
    for key in ("score", "signature", "matches", "totals", "hyp_len", "ref_len"):
        assert [one[key] for one in text] == [one[key] for one in mixed]
        assert [one[key] for one in text] == [one[key] for one in kept]


def test_files_say_how_they_were_counted(folder):
    (line,) = lines(run(folder, "-i", "h.char.npz"))
    assert line.startswith("BLEU|nrefs:1|case:lc|eff:no|tok:char|smooth:exp|version:")
    table = vecbleu.file_statistics(folder / "h", folder / "r", max_order=2, ref_length="average")
    table.save(folder / "average.npz")
    (line,) = lines(run(folder, "-i", "average.npz"))
    assert "|smooth:exp|max_order:2|ref_length:average|version:" in line
    vecbleu.Statistics.from_array(table.to_array()).save(folder / "unknown.npz")
    (line,) = lines(run(folder, "-i", "unknown.npz"))
    assert line.startswith("BLEU|eff:no|smooth:exp|max_order:2|version:")


def test_a_sum_is_a_single_row(folder):
    vecbleu.Statistics.load(folder / "t.npz").sum().save(folder / "sum.npz")
    assert lines(run(folder, "-i", "sum.npz", "-b")) == lines(run(folder, "-i", "t.npz", "-b"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("-i h.npz -tok char", "h.npz has tokenize '13a' but the command line has 'char': they"),
        ("-i h.npz -l en-zh", "h.npz has tokenize '13a' but the command line has 'zh'"),
        ("-i h.npz -lc", "h.npz has lowercase False but the command line has True"),
        ("-i h.npz --max-order 2", "h.npz has max_order 4 but the command line has 2"),
        ("r -i s h.char.npz", "h.char.npz has tokenize 'char' but the command line has '13a'"),
        ("r r -i s h.npz", "h.npz has references 1 but the command line has 2"),
        ("-i h.npz s.char.npz", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("-i h.npz s.char.npz -par", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("r r -i h.npz", "h.npz has references 1 but the command line has 2"),
        ("short -i h.npz", "h.npz has 4 segments but short has 2"),
        ("-i h.npz -nr 2", "num-refs is for a file of references, and there is none"),
        ("h.npz -i h", "h.npz is a file of statistics, which can't be references"),
        ("-i unknown.npz -tok nonsense", "tokenize is 'nonsense', expected one of"),
        ("-i sum.npz -ci", "sum.npz is the sum of all segments, expected a row for each"),
        ("-i sum.npz -sl", "sum.npz is the sum of all segments, expected a row for each"),
        ("-i sum.npz h.npz -par", "sum.npz is the sum of all segments, expected a row for each"),
        ("r -i sum.npz", "sum.npz is the sum of all segments, expected a row for each"),
        ("-i h.npz -ci -cin 99999999999", "resamples is 99999999999, expected 1 to 2147483648"),
        ("stats sum.npz h.npz -o x.npz", "sum.npz is the sum of all segments"),
        ("stats h.npz ./h.npz -o x.npz", "a part is given twice"),
        ("stats h.npz s.npz -o ./h.npz", "the output './h.npz' is one of the files that are"),
        ("stats h.npz s.npz -nr 5 -o x.npz", "parts have been counted; num-refs is for text"),
        ("stats h.npz s.npz --max-order 0 -o x.npz", "parts have been counted; max-order is for"),
        ("compare sum.npz h.npz", "sum.npz is the sum of all segments, expected a row for each"),
        ("compare h s --ref h.npz", "h.npz is a file of statistics, which can't be references"),
        ("compare h s --ref r --labels h.npz", "h.npz is a file of statistics, which can't be l"),
        ("compare h s --ref r --labels r --edges 3", "--edges is for groups without labels"),
        ("short -i short h.npz", "h.npz has 4 segments but short has 2"),
        ("short -i short h.npz -pbs", "h.npz has 4 segments but short has 2"),
        ("-i none.npz", "none.npz: No such file or directory"),
        ("-i not.npz", "not.npz: not a file of statistics ("),
        ("-i h.npz h.npz -ci", "'h.npz' is given twice as a system"),
        ("-i none.npz -ci", "none.npz: No such file or directory"),
        ("stats h r -o x", "the output 'x' does not end in .npz"),
        ("stats h -o x.npz", "no references; see --help"),
        ("stats h.npz r -o x.npz", "h.npz is no text; either all files are .npz or none"),
        ("stats h.npz h.npz -o x.npz", "a part is given twice"),
        ("stats h.npz s.char.npz -o x.npz", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("stats h.npz s.npz -lc -o x.npz", "parts have been counted; lowercase is for text"),
        ("stats h r -o no/x.npz", "no/x.npz: No such file or directory"),
        ("stats h short -o x.npz", "different numbers of lines: h has 4, short has 2; line 3 of h"),
        ("stats h r", "the following arguments are required: -o/--output"),
        ("compare h s", "no references; see --help"),
        ("compare h", "the following arguments are required: SYSTEM"),
        ("compare h - --ref r", "- can't be read twice, which is needed to show text beside"),
        ("compare h /dev/null --ref r", "/dev/null can't be read twice"),
        ("compare h h --ref r", "'h' is given twice as a system"),
        ("compare h s --ref r -n -1", "segments is -1, expected at least 0"),
        ("compare h s --ref r --labels short", "short has 2 lines but h has 4 segments"),
        ("compare h s --ref r --edges 3 2", "edges is [3, 2], expected lengths that increase"),
        ("compare h.npz s.char.npz", "s.char.npz has tokenize 'char' but h.npz has '13a'"),
        ("compare empty none --ref empty", "none: No such file or directory"),
        ("compare empty empty.too --ref empty", "there are no segments to compare"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(folder, arguments, message):
    (folder / "not.npz").write_text("text")
    table = vecbleu.Statistics.load(folder / "h.npz")
    table.sum().save(folder / "sum.npz")
    vecbleu.Statistics.from_array(table.to_array()).save(folder / "unknown.npz")
    for name in ("empty", "empty.too"):
        (folder / name).write_text("")
    line = error(run(folder, *arguments.split()))
    assert line.partition("error: ")[2].startswith(message)
    assert not (folder / "x.npz").exists()


@pytest.mark.parametrize("options", [{}, {"tokenize": "char", "lowercase": True, "max_order": 2}])
def test_stats_writes_what_python_counts(folder, options):
    arguments = ["-tok", "char", "-lc", "--max-order", "2"] if options else []
    (line,) = lines(run(folder, "stats", "h", "two", "-nr", "2", "-o", "out.npz", *arguments))
    expected = vecbleu.statistics(
        SYSTEMS["h"], [[one, one.lower()] for one in REFERENCES], **options
    )
    written = vecbleu.Statistics.load(folder / "out.npz")
    assert written == expected
    assert written.signature.to_dict() == expected.signature.to_dict() | {"references": 2}
    assert line == f"out.npz: {expected!r}, {written.signature!r}"


def test_parts_are_joined(folder):
    for number, rows in enumerate((slice(0, 1), slice(1, 4))):
        for name, text in {"h": SYSTEMS["h"], "r": REFERENCES}.items():
            (folder / f"{name}{number}").write_text("".join(f"{one}\n" for one in text[rows]))
        lines(run(folder, "stats", f"h{number}", f"r{number}", "-o", f"part{number}.npz"))
    lines(run(folder, "stats", "part0.npz", "part1.npz", "-o", "joined.npz"))
    joined, whole = (vecbleu.Statistics.load(folder / f"{one}.npz") for one in ("joined", "h"))
    assert joined == whole
    assert joined.signature == whole.signature


def test_empty_files_are_statistics_too(folder):
    (folder / "empty").write_text("")
    lines(run(folder, "stats", "empty", "empty", "-o", "empty.npz"))
    assert len(vecbleu.Statistics.load(folder / "empty.npz")) == 0
    assert lines(run(folder, "-i", "empty.npz", "-b")) == ["0.0"]
    assert error(run(folder, "-i", "empty.npz", "-ci")).endswith("there are no segments to test")


def compared(folder, *arguments):
    return json.loads("\n".join(lines(run(folder, "compare", *arguments, "--json"))))


@pytest.mark.parametrize("systems", [("h", "s"), ("h.npz", "s"), ("h.npz", "s.npz")])
@pytest.mark.parametrize("labels", [None, ["news", "talk", "news", "news"]])
def test_compare_shows_what_python_finds(folder, systems, labels):
    arguments = [*systems, "-s", "add-k", "-n", "2"]
    if systems[1] == "s":
        arguments += ["--ref", "r"]
    if labels:
        (folder / "labels").write_text("\n".join(labels))
        arguments += ["--labels", "labels"]
    else:
        arguments += ["--edges", "2", "5"]
    found = compared(folder, *arguments)
    tables = [vecbleu.statistics(SYSTEMS[one], REFERENCES) for one in ("h", "s")]
    buckets = score_buckets(tables, labels, edges=None if labels else [2, 5], smoothing="add-k")
    (whole,) = score_buckets(tables, ["all"] * 4, smoothing="add-k").percents.T.tolist()
    text = ["-i", "h", "s", "-s", "add-k", "--json"]
    scored = json.loads("\n".join(lines(run(folder, "r", *text))))
    assert whole == [one["score"] for one in scored]
    groups = [["all", *whole, 4]]
    groups += [
        [label, *scores, size]
        for label, size, scores in zip(
            buckets.labels, buckets.sizes.tolist(), buckets.percents.T.tolist(), strict=True
        )
    ]
    assert [[*group.values()] for group in found["groups"]] == groups
    differences = segment_differences(tables, smoothing="add-k")
    for gainer, sign in (("B", 1), ("A", -1)):
        gains = sign * differences.differences
        expected = sorted(np.flatnonzero(gains > 0).tolist(), key=lambda i: (-gains[i], i))[:2]
        shown = found[f"{gainer} gains most"]
        assert [one["line"] - 1 for one in shown] == expected
        for one, segment in zip(shown, expected, strict=True):
            assert [one["A"], one["B"]] == differences.percents[:, segment].tolist()
            texts = [["ref", REFERENCES[segment]]] if systems[1] == "s" else []
            texts += [
                [name, SYSTEMS[path][segment]]
                for name, path in zip("AB", systems, strict=True)
                if not path.endswith(".npz")
            ]
            assert one["texts"] == texts


def test_compare_prints_text_beside_scores(folder):
    shown = lines(run(folder, "compare", "h", "s", "--ref", "two", "-nr", "2", "-n", "1"))
    assert shown[:2] == ["A: h", "B: s"]
    assert shown[2].startswith("BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:")
    assert shown[4].split() == ["ref_len", "A", "B", "B", "-", "A", "segments"]
    assert [line.split()[0] for line in shown[5:7]] == ["all", "<"]
    place = shown.index("A gains most")
    assert shown[place + 1].startswith("line 1: 100.0 -> ")
    assert shown[place + 2 :] == [
        "  ref: The cat sat.",
        "  ref: the cat sat.",
        "    A: The cat sat.",
        "    B: A cat sat down.",
    ]


def test_compare_reads_lines_from_any_block(folder):
    size = 60_000
    rng = np.random.default_rng(0)
    words = rng.choice(["a", "b", "c", "d"], (size, 6))
    (folder / "long.r").write_text("".join(" ".join(row) + "\n" for row in words))
    for name, place in (("long.a", 20_000), ("long.b", 55_555)):
        rows = words.copy()
        rows[place] = "x"
        (folder / name).write_text("".join(" ".join(row) + "\n" for row in rows))
    found = compared(folder, "long.a", "long.b", "--ref", "long.r")
    for gainer, place in (("B", 20_000), ("A", 55_555)):
        (one,) = found[f"{gainer} gains most"]
        assert one["line"] == place + 1
        texts = {name: " ".join(words[place]) for name in ("ref", gainer)}
        texts["AB".replace(gainer, "")] = "x x x x x x"
        assert dict(one["texts"]) == texts


def test_a_file_may_have_the_name_of_a_command(folder):
    (folder / "stats").write_text("\n".join(REFERENCES) + "\n")
    assert lines(run(folder, "./stats", "-i", "h")) == lines(run(folder, "r", "-i", "h"))
    assert "vecbleu stats" in lines(run(folder, "stats", "--help"))[0]
    assert "vecbleu compare" in lines(run(folder, "compare", "--help"))[0]
