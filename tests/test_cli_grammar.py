"""One grammar: references first, systems behind -i, and equal options with equal words."""

from __future__ import annotations

import argparse
import importlib

import pytest
from command import (
    REFERENCES,
    SYSTEMS,
    error,
    lines,
    run,
    run_json,
    sacrebleu_main,
    write_lines,
)
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu import significance
from vecbleu.cli.arguments import Parser, short_names
from vecbleu.cli.program import COMMANDS, is_for_sacrebleu

KINDS = ["scores", "pairs", "precisions", "groups"]
CALLS = [
    *([name] if name else [] for name in ["", *COMMANDS] if name != "plot"),
    *(["plot", kind] for kind in KINDS),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grammar")
    write_lines(folder, SYSTEMS | {"r": REFERENCES, "short": ["one line"]})
    return folder


class ParsedError(Exception):
    """A parser that has all its options."""


def parser_of(call, monkeypatch):
    """The parser of a command, complete."""

    def stop(parser, *arguments):
        raise ParsedError(parser)

    with monkeypatch.context() as patched:
        patched.setattr(Parser, "parse", stop)
        command, *kind = call or ["score"]
        with pytest.raises(ParsedError) as found:
            [*importlib.import_module(f"vecbleu.cli.{command}").run(kind)]
    return found.value.args[0]


def parser_of_sacrebleu(monkeypatch):
    def stop(parser, *arguments):
        raise ParsedError(parser)

    with monkeypatch.context() as patched:
        patched.setattr(argparse.ArgumentParser, "parse_args", stop)
        with pytest.raises(ParsedError) as found:
            sacrebleu_main()
    return found.value.args[0]


def test_equal_options_have_equal_words(monkeypatch):
    """But for what stands in parentheses: a default, formats, how many."""
    known = {}
    for call in CALLS:
        for action in parser_of(call, monkeypatch)._actions:
            if call == ["mbr"] and action.dest in ("input", "references"):
                continue  # candidates, and what they are scored against
            names = tuple(action.option_strings) or action.dest
            help_text = action.help.partition(" (")[0].partition(";")[0]
            if action.dest in ("json", "no_color"):
                help_text = ""  # scores have no colors, and their JSON two forms
            words = names, help_text, action.metavar, action.nargs != 0
            for name in action.option_strings or [action.dest]:
                assert known.setdefault(name, words) == words, call


def test_every_option_of_sacrebleu_is_taken_or_handed_over(monkeypatch):
    """With a value or none, and with all its choices."""
    theirs, ours = parser_of_sacrebleu(monkeypatch), parser_of([], monkeypatch)
    for name, action in theirs._option_string_actions.items():
        own = ours._option_string_actions.get(name)
        assert (own is None) == is_for_sacrebleu([name]), name
        if own is None or action.dest in ("help", "version"):
            continue
        assert (own.nargs == 0) == (action.nargs == 0), name
        for word in {*map(str, action.choices or [])} - {"chrf", "ter"}:
            if action.dest != "bleu_tokenize":
                assert word in own.choices, name


def test_the_help_of_scoring_is_no_longer_than_sacrebleus(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    theirs = parser_of_sacrebleu(monkeypatch).format_help()
    ours = run(folder, "--help").stdout.decode()
    assert len(ours.split("\n")) <= len(theirs.split("\n"))
    assert len(ours) <= len(theirs)


def test_the_overview_and_pages_of_help(folder):
    alone = run(folder)
    assert (alone.returncode, alone.stderr) == (2, b"")
    for name, what in COMMANDS.items():
        assert f"vecbleu {name} " in alone.stdout.decode()
        assert what in alone.stdout.decode()
        page = lines(run(folder, name, "--help"))
        assert page[0].startswith(f"usage: vecbleu {name} ")
        assert lines(run(folder, "help", name)) == page
        assert all(len(line) <= 100 for line in page)
    scoring = lines(run(folder, "--help"))
    assert scoring[0].startswith("usage: vecbleu REF [REF ...] -i SYS")
    assert lines(run(folder, "help")) == lines(run(folder, "-h")) == scoring
    for kind in KINDS:
        assert lines(run(folder, "plot", kind, "-h"))[0].startswith(f"usage: vecbleu plot {kind} ")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("r -i h --seed 3", "--seed is for tests"),
        ("r -i h --resamples 30", "--resamples is for tests"),
        ("r -i h -ci --sides 2", "--sides is for paired tests"),
        ("r -i h s -par --confidence-level 0.9", "--confidence-level is for the bootstrap alone"),
        ("rank r -i h s --test randomization --sides 2", "--sides is for the bootstrap alone"),
        (
            "rank r -i h s --test randomization --confidence-level 0.9",
            "--confidence-level is for the bootstrap alone",
        ),
        ("rank r -i h s --confidence-level 2", "--confidence-level is 2.0, expected"),
        ("rank r -i h s --resamples 0", "--resamples: 0, expected at least 1"),
        ("rank r -i h s --seed -1", "--seed: -1, expected at least 0"),
        ("rank r -i h s --json --latex", "--json and --latex are two formats"),
        ("rank r -i h", "1 system behind -i, expected 2 at least"),
        ("rank r -i h s -pbs", "unrecognized arguments: -pbs"),
        ("plot precisions r -i h -o x.svg --test bootstrap", "unrecognized arguments: --test"),
        ("plot groups r -i h -o x.svg --seed 3", "unrecognized arguments: --seed"),
        ("plot pairs r -i h s -o x.svg --confidence-level 0.9", "unrecognized arguments: --conf"),
        ("plot scores r -i h s -o x.svg --labels r", "unrecognized arguments: --labels"),
        ("plot bars r -i h -o x.svg", "expected one of scores, pairs, precisions, groups"),
        ("compare r -i h s --labels r --edges 3", "--edges: not allowed with argument --labels"),
        ("report r -i h s -o x.html --test bootstrap", "unrecognized arguments: --test"),
        ("stats r -i h -o x.npz -s floor", "unrecognized arguments: -s floor"),
        ("compare r -i h s -m bleu chrf", "unrecognized arguments: -m"),
        ("compare h s", "the following arguments are required: -i/--input"),
        ("stats r -i h s -o x.npz", "statistics are of one system, not 2"),
        ("compare r -i h s --names x", "--names has 1 but there are 2 systems"),
        ("r -i h s --names x x", "'x' is given twice as a name"),
        ("rank r -i h short", "line 2 of r has no partner in short"),
        ("mbr -i r -n 3", "no multiple of 3"),
        ("explain r -i h --line 9", "--line is 9 but r has 4 lines"),
    ],
)
def test_wrong_calls_name_the_command_and_what_is_wrong(folder, command, message):
    told = error(run(folder, *command.split()))
    name = command.split()[0]
    program = f"vecbleu {name}" if name in COMMANDS else "vecbleu"
    assert told.startswith(f"{program}: error: ")
    assert message in told


def test_counts_that_fill_more_than_64_bits_are_one_line(folder):
    most = 2**63 - 1
    row = [most, 4, 0, 0, 0, 0, most, most - 1, most - 2, most - 3]
    vecbleu.Statistics([row] * 3).save(folder / "huge.npz")
    assert "most of int64" in error(run(folder, "-i", "huge.npz"))


def test_references_may_stand_on_both_sides_of_an_option(folder):
    expected = lines(run(folder, "compare", "r", "s", "-i", "h", "t", "-lc"))
    assert lines(run(folder, "compare", "-lc", "r", "s", "-i", "h", "t")) == expected
    assert lines(run(folder, "compare", "r", "-lc", "s", "-i", "h", "t")) == expected


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ("", {}),
        ("--sides 1 --resamples 200 --seed 7", {"sides": 1, "n_resamples": 200, "rng": 7}),
        ("--confidence-level 0.8 -s none", {"confidence_level": 0.8, "smoothing": "none"}),
        ("--test randomization --resamples 99", {"test": "randomization", "n_resamples": 99}),
        ("--test randomization", {"test": "randomization"}),
    ],
)
def test_rank_is_pythons(folder, options, asked):
    command = ["rank", "r", "-i", *SYSTEMS, *options.split()]
    rows = {name: vecbleu.statistics(outputs, REFERENCES) for name, outputs in SYSTEMS.items()}
    expected = significance.rank(rows, **{"smoothing": "exp"} | asked)
    table = expected.table()
    found = run_json(folder, *command)
    signature, empty, *text = lines(run(folder, *command))
    assert (signature, empty, text) == (f"{found['signature']}", "", table.to_text().split("\n"))
    latex = lines(run(folder, *command, "--latex"))
    assert latex == [f"% {signature}", *table.to_latex().split("\n")]
    order = expected.order.tolist()
    assert [one["system"] for one in found["systems"]] == [expected.names[k] for k in order]
    assert [one["score"] for one in found["systems"]] == [100 * expected.scores[k] for k in order]
    assert [one["cluster"] for one in found["systems"]] == expected.clusters()[order].tolist()
    for name in ("lower", "upper"):
        ends = getattr(expected, name)
        ours = [one[name] for one in found["systems"]]
        assert ours == [None if ends is None else 100 * ends[k] for k in order]
    assert len(found["pairs"]) == 3
    places = {name: place for place, name in enumerate(expected.names)}
    for pair in found["pairs"]:
        one, other = places[pair["better"]], places[pair["worse"]]
        assert pair["p_value"] == expected.p_values[one, other]
        assert pair["holm"] == expected.holm[one, other]
        assert pair["difference"] == 100 * expected.differences[one, other] >= 0


def test_names_are_those_of_tables_and_json(folder):
    command = ["r", "-i", "h", "s", "--names", "x", "y"]
    assert [one["hypothesis"] for one in run_json(folder, *command)] == ["x", "y"]
    found = run_json(folder, *command, "-par", "-parn", "9")
    assert [one["system"] for one in found["systems"]] == ["Baseline: x", "y"]
    found = run_json(folder, "rank", *command)
    assert {one["system"] for one in found["systems"]} == {"x", "y"}
    columns = b"a\tb\n" * 4
    found = run_json(folder, "r", "--names", "x", "y", stdin=columns)
    assert [one["hypothesis"] for one in found] == ["x", "y"]
    told = error(run(folder, "r", "--names", "x", stdin=columns))
    assert told == "vecbleu: error: --names has 1 but there are 2 systems"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ("runs/a.txt runs/b.txt", "a b"),
        ("a/out.txt b/out.txt", "a/out.txt b/out.txt"),
        ("a/one.txt b/two.txt", "one two"),
        ("out/one.txt.gz out/two.txt.gz", "one two"),
        ("test.en-de.hyp.one.de test.en-de.hyp.two-B.de", "one two-B"),
        ("model-1.2 model-1.3", "model-1.2 model-1.3"),
        ("sys.1 sys.2", "sys.1 sys.2"),
        ("one.txt one.de", "txt de"),
        ("- a/b.txt", "- b.txt"),
        ("runs/a/out.txt", "out.txt"),
        ("runs/", "runs/"),
    ],
)
def test_names_are_files_without_common_parts(paths, names):
    assert short_names(paths.split()) == names.split()


PART = st.sampled_from(["a", "b", "out", "txt", "1", ".", "..", "/", "-", " ", "\udcff", "é"])


@given(st.lists(st.lists(PART, min_size=1).map("".join), unique=True, min_size=1, max_size=6))
def test_names_are_never_equal(paths):
    names = short_names(paths)
    assert len({*names}) == len(paths)


@pytest.mark.parametrize("path", ["compare.txt", "expain", "./stat", "-"])
def test_files_are_not_taken_for_commands(folder, path):
    assert "did you mean" not in error(run(folder, path, "-i", "h"))
    write_lines(folder, {"rank": REFERENCES})
    assert lines(run(folder, "./rank", "-i", "h")) == lines(run(folder, "r", "-i", "h"))
