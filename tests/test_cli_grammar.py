"""One grammar: references first, systems behind -i, and equal options with equal words."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shlex
from unittest import mock

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
from vecbleu.cli.names import display_names

import vecbleu
from vecbleu import significance
from vecbleu.cli import program
from vecbleu.cli.arguments import Parser
from vecbleu.core.text.tokenizers import NAMES
from vecbleu.sacrebleu.options import choose_tokenizer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("grammar")
    write_lines(folder, SYSTEMS | {"r": REFERENCES, "r 2": REFERENCES})
    for name in "hs":
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    return folder


class ParsedError(Exception):
    """A parser that has all its options."""


def parser_of(command, monkeypatch):
    """The parser of a command, complete."""

    def stop(parser, *arguments, **checks):
        raise ParsedError(parser)

    monkeypatch.setattr(Parser, "parse_checked", stop)
    module = importlib.import_module(f"vecbleu.cli.{program._COMMANDS.get(command, 'scoring')}")
    with pytest.raises(ParsedError) as found:
        [*module.run([])]
    return found.value.args[0]


# What stands behind -i there is no system, and there are no references of segments.
LINES = {"self", "nearest", "mbr"}


def test_equal_options_have_equal_words(monkeypatch):
    """But for what stands in parentheses: a default, formats, how many."""
    known, groups = {}, {}
    for command in ["", *program._COMMANDS]:
        parser = parser_of(command, monkeypatch)
        for group in parser._action_groups:
            for action in group._group_actions:
                if action.help == argparse.SUPPRESS:
                    continue
                names = action.option_strings or [action.dest]
                words = action.help.partition(" (")[0], action.metavar, action.type, action.choices
                value = parser.get_default(action.dest)
                for name in names:
                    is_lines = command in LINES and name in ("-i", "--input", "references")
                    key = (name, is_lines and command)
                    assert known.setdefault(key, (*words, names)) == (*words, names), command
                    groups.setdefault(key, {})[command] = (group.title, repr(value))
    for key, found in groups.items():
        titles = {title for title, _ in found.values()}
        assert len(titles) == 1, f"{key}: {titles}"
        own = {value for command, (_, value) in found.items() if command != "plot"}
        assert len(own) <= 1, f"{key}: {own}"


def test_scoring_takes_every_option_of_sacrebleu(monkeypatch):
    """With its kind of values and its default, but for the format."""
    found = []

    def stop(parser, *arguments):
        found.append(parser)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
    with pytest.raises(ParsedError):
        sacrebleu_main()
    monkeypatch.undo()
    (theirs,), ours = found, parser_of("", monkeypatch)
    known = ours._option_string_actions
    for name, action in theirs._option_string_actions.items():
        own = known[name]
        takes = action.nargs if action.nargs != "*" or name in ("-i", "--input") else own.nargs
        assert (own.type or str, own.nargs) == (action.type or str, takes), name
        if action.choices and action.dest != "bleu_tokenize":
            assert {*action.choices} <= {*own.choices}, name
        expected = {"format": "text", "paired_jobs": None}.get(action.dest, action.default)
        assert ours.get_default(own.dest) == expected, name


def test_segment_commands_take_the_same(monkeypatch):
    """References, -i and --names, wherever there are several systems."""
    for command in {"", *program._COMMANDS} - LINES:
        options = parser_of(command, monkeypatch)._option_string_actions
        assert "-i" in options
        assert ("--names" in options) == (command != "stats")


@pytest.mark.parametrize(
    "arguments",
    [
        "stats h r -o x.npz",
        "compare h s --ref r",
        "compare --ref r --edges 3 -i h s",
        "compare h.npz s.npz",
        "compare",
        "plot scores h s --ref r -o x.svg",
        "plot scores r -o x.svg",
    ],
)
def test_other_orders_are_told_the_order(folder, arguments):
    assert "REF [REF ...] -i SYS [SYS ...]" in error(run(folder, *shlex.split(arguments)))


def test_counts_that_fill_more_than_64_bits_are_one_line(folder):
    most = 2**63 - 1
    row = [most, 4, 0, 0, 0, 0, most, most - 1, most - 2, most - 3]
    vecbleu.Statistics([row] * 3).save(folder / "huge.npz")
    done = run(folder, "-i", "huge.npz")
    assert done.returncode == 2
    assert "most of int64" in error(done)


@pytest.mark.parametrize(
    ("arguments", "program"),
    [
        ("r -i none", "vecbleu"),
        ("compare r -i h none", "vecbleu compare"),
        ("explain r -i none --line 1", "vecbleu explain"),
        ("explain r -i h --line 9", "vecbleu explain"),
        ("mbr -i none -n 1", "vecbleu mbr"),
        ("mbr -i r -n 3", "vecbleu mbr"),
        ("nearest r -i none", "vecbleu nearest"),
        ("self -i none", "vecbleu self"),
        ("stats r -i none -o x.npz", "vecbleu stats"),
        ("stats r -i h -o x.txt", "vecbleu stats"),
    ],
)
def test_errors_name_the_command(folder, arguments, program):
    assert error(run(folder, *arguments.split())).startswith(f"{program}: error: ")


def test_references_may_stand_on_both_sides_of_an_option(folder):
    expected = lines(run(folder, "compare", "r", "s", "-i", "h", "t", "-lc"))
    assert lines(run(folder, "compare", "-lc", "r", "s", "-i", "h", "t")) == expected
    assert lines(run(folder, "compare", "r", "-lc", "s", "-i", "h", "t")) == expected


def test_names_are_those_of_tables_and_json(folder):
    for form in ("text", "latex", "json"):
        plain = lines(run(folder, "r", "-i", "h", "s", "-f", form))
        named = lines(run(folder, "r", "-i", "h", "s", "-f", form, "--names", "x", "y"))
        assert len(named) == len(plain)
        assert [line.replace("x", "h").replace("y", "s") for line in named[3:5]] == [
            line.replace("y", "s") for line in plain[3:5]
        ]
    found = run_json(folder, "r", "-i", "h", "s", "-par", "-parn", "9", "--names", "x", "y")
    assert [one["system"] for one in found["systems"]] == ["Baseline: x", "y"]
    columns = b"a\tb\n" * 4
    found = run_json(folder, "r", "--names", "x", "y", stdin=columns)
    assert [one["hypothesis"] for one in found] == ["x", "y"]
    found = run_json(folder, "r", "--names", "x", "y", "-par", "-parn", "9", stdin=columns)
    assert [one["system"] for one in found["systems"]] == ["Baseline: x", "y"]
    told = error(run(folder, "r", "--names", "x", stdin=columns))
    assert told == "vecbleu: error: names has 1 but there are 2 systems"
    told = error(run(folder, "r", "-i", "h", "s", "--names", "x", "x"))
    assert told == "vecbleu: error: 'x' is given twice as a name"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ("runs/a/out.txt runs/b/out.txt", "a b"),
        ("runs/a/1/out.txt runs/b/2/out.txt", "a/1 b/2"),
        ("out/one.txt.gz out/two.txt.gz", "one two"),
        ("./one.txt two.txt", "one two"),
        ("a/one.txt b/two.txt", "a/one b/two"),
        ("test.en-de.hyp.one.de test.en-de.hyp.two-B.de", "one two-B"),
        ("d/sys.good.en d/sys.fair.en", "good fair"),
        ("model-1.2 model-1.3", "model-1.2 model-1.3"),
        ("m/v1.5.txt m/v2.5.txt", "v1.5 v2.5"),
        ("sys.1 sys.2", "sys.1 sys.2"),
        ("good.npz data/sys.fair.en", "good.npz data/sys.fair.en"),
        ("one.txt one.de", "txt de"),
        (".x .y", "x y"),
        ("a a/b", "a a/b"),
        ("/a/x /b/x", "/a/x /b/x"),
        ("/r/a/x /r/b/x", "a b"),
        ("- a/b.txt", "- a/b.txt"),
        ("runs/a/out.txt", "out.txt"),
        ("runs/", "runs/"),
    ],
)
def test_names_are_files_without_common_parts(paths, names):
    given = [path.replace("/", os.sep) for path in paths.split()]
    assert display_names(given) == [name.replace("/", os.sep) for name in names.split()]


PART = st.sampled_from(["a", "b", "out", "txt", "1", ".", "..", "/", "\\", "-", " ", "\udcff", "é"])


@given(st.lists(st.lists(PART, min_size=1).map("".join), unique=True, min_size=1, max_size=6))
def test_names_are_never_empty_nor_equal(paths):
    names = display_names(paths)
    assert len({*names}) == len(paths)
    assert all(names)
    assert all({*name} <= {*path, *os.sep} for name, path in zip(names, paths, strict=True))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("--list --clusters", "--clusters is not for what sacreBLEU's own command does"),
        ("r -i h s -pbs --clusters -m bleu chrf", "--clusters is for BLEU alone"),
        ("r -i h h -pbs --clusters", "'h' is given twice"),
        ("r -lc", "without -i, is empty: vecbleu REF [REF ...] -i SYS"),
        ("r -i h short s", "line 2 of r has no partner in short"),
        ("short -i h s", "line 2 of h has no partner in short"),
        ("plot scores r -i h s -m chrf -o x.svg", "this command is for BLEU alone"),
        ("report r -i h s -m ter -o x.html", "this command is for BLEU alone"),
        ("compare r -i h s -m bleu chrf", "this command is for BLEU alone"),
    ],
)
def test_errors_name_what_is_wrong(folder, command, message):
    (folder / "short").write_text("one line\n")
    assert message in error(run(folder, *command.split()))


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_clusters_are_those_of_a_ranking(folder, test):
    option = "-pbs" if test == "bootstrap" else "-par"
    command = ["r", "-i", "h", "s", "t", option, f"{option}n", "200", "--clusters"]
    rows = {name: vecbleu.statistics(outputs, REFERENCES) for name, outputs in SYSTEMS.items()}
    pairs = significance.rank(rows, test=test, n_resamples=200, smoothing="exp")
    percents = [table.score(smoothing="exp").percent for table in rows.values()]
    expected = sorted(
        zip(percents, pairs.names, pairs.clusters().tolist(), strict=True), reverse=True
    )
    for form in (["--json"], ["-f", "json"]):
        systems = run_json(folder, *command, *form)["systems"]
        assert [(one["score"], one["system"], one["cluster"]) for one in systems] == expected
    printed = lines(run(folder, *command, "-w", "2"))[-3:]
    assert [line.split() for line in printed] == [
        [str(cluster), f"{score:.2f}", name] for score, name, cluster in expected
    ]
    comment, *table = lines(run(folder, *command, "-f", "latex"))
    assert table == pairs.table().to_latex().split("\n")
    assert comment.startswith("% BLEU|nrefs:1|")
    assert "write --paired-bs or --paired-ar" in error(run(folder, *command[:5], "--clusters"))


def test_a_terminal_is_told_what_is_read(folder):
    with mock.patch("vecbleu.cli.systems._is_terminal", return_value=True):
        done = run(folder, "r", stdin=(folder / "h").read_bytes())
    assert done.returncode == 0
    assert b"systems are read from standard input; to score a file, write -i FILE" in done.stderr


@pytest.mark.parametrize("language", ["zh", "ja", "ko"])
def test_advice_of_tokenizers_is_no_old_name(folder, language):
    done = run(folder, "r", "-i", "h", "-l", f"en-{language}", "-tok", "13a")
    advised = re.search(r"or '([\w-]+)', here by", done.stderr.decode())[1]
    with mock.patch("vecbleu.sacrebleu.options.warn") as warn:
        assert choose_tokenizer(advised, "", warn) == advised
    assert advised in NAMES
    assert not warn.called


@pytest.mark.parametrize(
    ("typed", "meant"), [("expain", "explain"), ("Compare", "compare"), ("stat", "stats")]
)
def test_commands_that_are_typed_wrongly_are_told(folder, typed, meant):
    told = f"'{typed}' is neither a file nor a command; did you mean {meant}?"
    for arguments in (["r", "-i", "h", "--line", "1"], []):
        assert told in error(run(folder, typed, *arguments))


@pytest.mark.parametrize("path", ["compare.txt", "zz", "./stat", "-"])
def test_files_are_not_taken_for_commands(folder, path):
    assert "did you mean" not in error(run(folder, path, "-i", "h"))
