"""The settings of a score: those of other programs are found, and each command prints its score."""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
import unicodedata
import warnings
from functools import lru_cache
from pathlib import Path
from unittest import mock

import pytest
import sacrebleu
from command import error, lines, run, write_lines
from nltk.translate import bleu_score

import vecbleu
from vecbleu import chrf
from vecbleu.analysis import settings
from vecbleu.analysis.settings.files import File
from vecbleu.arguments.errors import ArgumentError
from vecbleu.cli.options import OPTIONS
from vecbleu.text.tokenizers import NAMES

ROOT = Path(__file__).parent.parent

# Sides in which every change of the lines changes the score.
TEXT = "The cat's Cat café sat, (on) the mat! 3.5 km — naïve ﬁne it@@ 's down , now"
WORDS = TEXT.split()


def sides(count):
    rows = [
        [WORDS[(3 * line + place * (line % 5 + 1)) % len(WORDS)] for place in range(4 + line % 9)]
        for line in range(count)
    ]
    hypotheses = [
        " ".join("x" if (line + place) % 7 == 0 else word for place, word in enumerate(row))
        for line, row in enumerate(rows)
    ]
    return hypotheses, [*map(" ".join, rows)], [f"THE {text[4:]}" for text in hypotheses]


HYPOTHESES, REFERENCES, OTHERS = sides(130)
SHORT, SHORT_REFERENCES = HYPOTHESES[:20], REFERENCES[:20]


@pytest.fixture(scope="module")
def count_once():
    """Text is counted once, however many scores are looked for."""
    count = settings.count_files
    counted = {}

    def cached(files, ways, run):
        key = str((files, [way.words for way in ways]))
        if key not in counted:
            counted[key] = count(files, ways, run)
        return counted[key]

    with mock.patch.object(settings, "count_files", cached):
        yield


@lru_cache
def of_one_reference():
    return vecbleu.find_settings(HYPOTHESES, REFERENCES, 0)


@lru_cache
def of_two_references():
    return vecbleu.find_settings(HYPOTHESES, [*zip(REFERENCES, OTHERS, strict=True)], 0)


def joined(texts):
    texts = [re.sub("@@( |$)", "", text) for text in texts]
    return [re.sub(r"\( ", "(", re.sub(r" ([].,:;!?%)])", r"\1", text)) for text in texts]


def normalized(form, texts):
    return [unicodedata.normalize(form, text) for text in texts]


CHANGED = {
    "vecbleu SYS -i REF1": (REFERENCES, HYPOTHESES),
    "REF1 | sed -E '1d') -i <(gzip -cdf SYS | sed -E '$d')": (HYPOTHESES[:-1], REFERENCES[1:]),
    "REF1 | sed -E '$d') -i <(gzip -cdf SYS | sed -E '1d')": (HYPOTHESES[1:], REFERENCES[:-1]),
    "REF1 | sed -E '1d') -i <(gzip -cdf SYS | sed -E '1d')": (HYPOTHESES[1:], REFERENCES[1:]),
    "REF1 | sed -E '$d') -i <(gzip -cdf SYS | sed -E '$d')": (HYPOTHESES[:-1], REFERENCES[:-1]),
    "REF1 | sed -E '100q')": (HYPOTHESES[:100], REFERENCES[:100]),
    "REF1 | sed -E 's/": (joined(HYPOTHESES), joined(REFERENCES)),
    "--normalize NFD": (normalized("NFD", HYPOTHESES), normalized("NFD", REFERENCES)),
    "--normalize NFKC": (normalized("NFKC", HYPOTHESES), normalized("NFKC", REFERENCES)),
}


def check_found(found, words, score):
    """A command with these words has this score."""
    scores = [each.score for each in found if words in each.command]
    assert min(abs(each - score) for each in scores) < 1e-12


@pytest.mark.parametrize("words", CHANGED)
def test_changed_lines_are_scored(words):
    changed = CHANGED[words]
    score = chrf.corpus_chrf(*changed, word_order=2)
    check_found(of_one_reference(), words, score)
    assert abs(score - chrf.corpus_chrf(HYPOTHESES, REFERENCES, word_order=2)) > 1e-6


@pytest.mark.parametrize(("words", "of"), [("REF1 -i", REFERENCES), ("REF2 -i", OTHERS)])
def test_each_of_two_references_is_scored(words, of):
    score = vecbleu.corpus_bleu(HYPOTHESES, of)
    check_found(of_two_references(), f"vecbleu {words} SYS", score)


def test_both_references_are_scored_together():
    score = vecbleu.corpus_bleu(HYPOTHESES, [*zip(REFERENCES, OTHERS, strict=True)])
    check_found(of_two_references(), "vecbleu REF1 REF2 -i SYS", score)


def test_processes_change_nothing():
    found = (vecbleu.find_settings(SHORT, SHORT_REFERENCES, 30, workers=n) for n in (1, 2))
    assert next(found) == next(found)


def test_every_tokenizer_is_tried():
    from vecbleu.bleu.options import CountOptions

    tried = CountOptions.declared["tokenize"].tried
    assert {"13a", "spm", *tried} == {*NAMES}  # spm is the old name of flores101


@pytest.mark.usefixtures("count_once")
@pytest.mark.parametrize(
    ("form", "matches"),
    [
        ("{:.0f}", True),
        ("{:.1f}", True),
        ("{:.9f}", True),
        ("{}", True),
        (float, True),
        (lambda percent: f"{percent / 100:.3f}", True),
        (lambda percent: percent / 100, True),
        (lambda percent: f"{percent + 0.051:.1f}", False),
        (lambda percent: f"{percent - 0.0051:.2f}", False),
        (lambda percent: f"{percent / 100 + 0.00051:.3f}", False),
    ],
)
def test_a_score_matches_within_its_digits(form, matches):
    percent = vecbleu.corpus_bleu(SHORT, SHORT_REFERENCES).percent
    given = form.format(percent) if isinstance(form, str) else form(percent)
    found = vecbleu.find_settings(SHORT, SHORT_REFERENCES, given)
    (distance,) = [each.distance for each in found if each.command == "vecbleu REF1 -i SYS"]
    assert (distance == 0) == matches
    assert found == sorted(found, key=lambda each: each.distance)
    assert {type(each.score) for each in found} == {float}
    assert len({round(each.score, 10) for each in found}) >= len(found) - 2


@pytest.mark.parametrize(
    ("given", "half"), [("30.6", 0.05), (30.6, 0.05), ("30.60", 0.005), (30, 0.5), ("0.306", 5e-4)]
)
def test_a_score_stands_for_half_its_last_digit(given, half):
    assert settings._number(given) == (float(given), pytest.approx(half, abs=1e-8))


def test_the_same_lines_are_counted_once():
    with mock.patch.object(settings, "count_files", wraps=settings.count_files) as counted:
        vecbleu.find_settings(["a b c", "d e"], ["a b d", "d f"], 30)
    lines = [[file.lines for file in call.args[0]] for call in counted.call_args_list]
    assert all(lines.count(each) == 1 for each in lines)


BAD = ["30,6", "", "30.6%", None, "nan", float("inf"), -1, "1e999", [30.6]]
BAD += ["49.1_8", "4918e-2", True, "10000.1", "\u0663"]


@pytest.mark.parametrize("score", BAD)
def test_what_is_no_score_is_an_error(score):
    with pytest.raises(ArgumentError) as raised:
        vecbleu.find_settings(["a"], ["a"], score)
    assert raised.value.argument == "score"


@pytest.mark.parametrize(
    ("hypotheses", "references", "argument"),
    [
        ([], [], "references"),
        (["a", "b"], [["a"], ["b", "c"]], "references"),
        ([["a"]], [["a"]], "find_settings takes text"),
        (["a"], ["a", "b"], "hypotheses"),
    ],
)
def test_bad_input_is_an_error(hypotheses, references, argument):
    with pytest.raises((ValueError, TypeError), match=argument):
        vecbleu.find_settings(hypotheses, references, 30.6)


@pytest.mark.parametrize("text", ["", "a", "\0 a", "é \u2028 \u3000", "a a a a", "\ud800"])
def test_ugly_text_has_settings(text):
    found = vecbleu.find_settings([text, "b"], ["a a", "b"], 100)
    assert all(each.score >= 0 for each in found)


HAS_NORMALIZE = any("--normalize" in option.names for group in OPTIONS.values() for option in group)


def printed(folder, command):
    """What a command prints, of which a shell's part is done here."""
    words = shlex.split(command.partition(" | awk")[0])
    if "-b" not in words:
        words += ["-b", "-w", "9"]
    scores = [*map(float, lines(run(folder, *words[1:])))]
    return sum(scores) / len(scores)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("settings")
    texts = {"it's ref": [f"{text} \t" for text in REFERENCES], "REF2": OTHERS, "SYS": HYPOTHESES}
    write_lines(path, texts)
    return path


def settings_of(folder, names):
    files = [
        File(shlex.quote(name), (folder / name).read_bytes().decode().split("\n")[:-1])
        for name in names
    ]
    found = settings.settings_of_files(files, 0, None)
    return [each for each in found if HAS_NORMALIZE or "--normalize" not in each.command]


def test_commands_print_their_scores(folder):
    found = settings_of(folder, ["SYS", "it's ref"])
    tried = [each for each in found if each.command.startswith("vecbleu ")]
    tried = [each for each in tried if "<(" not in each.command]
    assert len(tried) > 80
    for each in tried:
        assert printed(folder, each.command) == pytest.approx(100 * each.score, abs=1e-7)


def test_programs_print_their_scores(folder, capsys):
    found = settings_of(folder, ["SYS", "it's ref", "REF2"])
    programs = [each for each in found if each.command.startswith("python ")]
    assert len(programs) > 10
    paths = [str(folder / name) for name in ("SYS", "it's ref", "REF2")]
    for each in programs:
        _, _, program, *_ = shlex.split(each.command.partition(" <(")[0])
        with mock.patch.object(sys, "argv", ["-c", *paths]), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program, {})
        assert float(capsys.readouterr().out) == pytest.approx(each.score, rel=1e-12)


@pytest.mark.slow
def test_lines_for_a_shell_print_their_scores(folder):
    for names in (["SYS", "it's ref"], ["SYS", "it's ref", "REF2"]):
        found = settings_of(folder, names)
        chosen = [each for each in found if each.command.startswith("python")][::8]
        chosen += [each for each in found if " | " in each.command][::12]
        assert len(chosen) > 10
        for each in chosen:
            command = each.command.replace("vecbleu ", f"{sys.executable} -m vecbleu ", 1)
            if each.command.startswith("python"):
                command = each.command.replace("python", sys.executable, 1)
            elif "awk" not in command:
                command += " -b -w 9"
            done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True)
            assert done.returncode == 0, done.stderr.decode()
            score = float(done.stdout) * (100 if each.command.startswith("python") else 1)
            assert score == pytest.approx(100 * each.score, rel=1e-5)


# Scores that other programs give, by the command that gives the same.
def nltk_mean(hypotheses, references):
    smooth = bleu_score.SmoothingFunction().method1
    scores = [
        bleu_score.sentence_bleu([reference.split()], hypothesis.split(), smoothing_function=smooth)
        for reference, hypothesis in zip(references, hypotheses, strict=True)
    ]
    return 100 * sum(scores) / len(scores)


def nltk_corpus(hypotheses, references):
    rows = [[reference.split()] for reference in references]
    return 100 * bleu_score.corpus_bleu(rows, [*map(str.split, hypotheses)])


def sacrebleu_score(metric, **options):
    return lambda hypotheses, references: (
        metric(**options).corpus_score(hypotheses, [references]).score
    )


def shifted(hypotheses, references):
    return sacrebleu.corpus_bleu(hypotheses[:-1], [references[1:]]).score


THEIRS = {
    "vecbleu REF1 -i SYS": sacrebleu_score(sacrebleu.BLEU),
    "-tok intl -lc": sacrebleu_score(sacrebleu.BLEU, tokenize="intl", lowercase=True),
    "-tok char": sacrebleu_score(sacrebleu.BLEU, tokenize="char"),
    "-tok none": sacrebleu_score(sacrebleu.BLEU, tokenize="none", force=True),
    "-m chrf -cw 2": sacrebleu_score(sacrebleu.CHRF, word_order=2),
    "-m ter": sacrebleu_score(sacrebleu.TER),
    "numpy.mean(corpus_bleu": nltk_corpus,
    "numpy.mean(sentence_bleu_batch": nltk_mean,
    "sed -E '1d') -i <(gzip -cdf SYS | sed -E '$d')": shifted,
}
PAIRS = ["de-en", "en-de", "en-he", "en-ja", "en-zh", "zh-en"]
PARAGRAPHS = "de-en", "en-de"  # lines of these take ten times as long


@pytest.mark.usefixtures("count_once")
@pytest.mark.parametrize(
    "pair", [pytest.param(pair, marks=[pytest.mark.slow] * (pair != "en-he")) for pair in PAIRS]
)
def test_scores_of_other_programs_are_found_on_wmt23(wmt23, pair):
    target = pair[-2:]
    (path, *_) = sorted((wmt23 / "references").glob(f"*{pair}.ref.refA.{target}"))
    systems = sorted((wmt23 / "system-outputs").glob(f"*{pair}.hyp.*"))
    most = 10 if pair in PARAGRAPHS else 40
    references, ours, others = (
        file.read_text(encoding="utf-8-sig").split("\n")[:most] for file in (path, *systems[1:3])
    )
    for words, score_by in THEIRS.items():
        with warnings.catch_warnings(action="ignore"):
            score = score_by(ours, references)
            of_others = score_by(others, references)
        found = vecbleu.find_settings(ours, references, f"{score:.1f}")
        matching = [each for each in found if each.distance == 0]
        assert min(abs(100 * each.score - score) for each in matching) < 1e-9, words
        none = vecbleu.find_settings(ours, references, f"{of_others:.5f}")
        assert none[0].distance > 0 or of_others < 0.01, words


def test_a_score_of_another_smoothing_is_found():
    sides = ["a b x d", "k l"], ["a b c d", "k m"]
    score = vecbleu.corpus_bleu(*sides, smoothing="add-k")
    found = [each for each in vecbleu.find_settings(*sides, 0) if each.score == score]
    assert any("-s add-k" in each.command for each in found)


def test_means_of_nltk_have_the_lines_without_a_match():
    sides = [*HYPOTHESES, "no match"], [*REFERENCES, "in this"]
    (mean,) = {
        each.score
        for each in vecbleu.find_settings(*sides, 0)
        if each.signature.startswith("NLTK sentence_bleu_batch|smooth:method1|nrefs:1|case:mixed")
        and "line.split()" in each.command
    }
    assert abs(100 * mean - nltk_mean(*sides)) < 1e-9


def test_tokenized_text_is_joined():
    tokenized = ["I sa@@ w ( the ) cat , and a do@@ g .", "yes ; ( no ) !"] * 5
    joined = ["I saw (the) cat, and a dog.", "yes; (no)!"] * 5
    references = ["I saw (a) cat, or a dog.", "yes; (on)!"] * 5
    score = vecbleu.chrf.corpus_chrf(joined, references, whitespace=True).percent
    found = vecbleu.find_settings(tokenized, references, f"{score:.6f}")
    assert "whitespace" in found[0].command
    assert abs(100 * found[0].score - score) < 1e-9


def test_the_command_line(folder):
    percent = vecbleu.corpus_bleu(HYPOTHESES, OTHERS, tokenize="intl", lowercase=True).percent
    command = ["settings", "REF2", "-i", "SYS", "--score"]
    printed_lines = lines(run(folder, *command, f"{percent:.6f}"))
    assert "vecbleu REF2 -i SYS -tok intl -lc" in printed_lines
    count = sum(line.startswith(("vecbleu ", "python ")) for line in printed_lines)
    assert printed_lines[0] == f"settings that give {percent:.6f}: {count}"
    assert any(line.endswith(f"= {percent:.4f}") for line in printed_lines)
    done = run(folder, *command, "12.345678")
    assert (done.returncode, done.stderr) == (1, b"")
    assert len(re.findall(rb"\n(?:vecbleu|python) ", done.stdout)) == 5
    assert "--score is '30,6'" in error(run(folder, *command, "30,6"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "utf-16"])
def test_lines_for_a_shell_read_tables_and_other_encodings(tmp_path, kind):
    options = ["-i", "sys", "--score", "0", "-e", "utf-16"]
    texts = {"sys": HYPOTHESES[:9], "r ef": REFERENCES[:9]}
    if kind == "csv":
        options[1], options[-1] = "t.csv#sys", "utf-8"
        rows = zip(*([name, *own] for name, own in texts.items()), strict=True)
        with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    for name, own in texts.items():
        (tmp_path / name).write_bytes("".join(f"{line}\n" for line in own).encode("utf-16"))
    reference = "t.csv#r ef" if kind == "csv" else "r ef"
    with mock.patch("vecbleu.cli.settings._NEAREST", 10_000):
        found = run(tmp_path, "settings", reference, *options).stdout.decode().split("\n\n")[1:]
    found = [block.strip().split("\n") for block in found]
    shell = [(of.rpartition(" = ")[2], line) for of, line in found if "vecbleu.files" in line]
    assert len(shell) > 20
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)}
    for score, line in (shell[0], shell[-1], shell[len(shell) // 2]):
        command = line.replace("vecbleu ", "python -m vecbleu ", 1)
        if line.startswith("python"):
            command = line
        elif "awk" not in line:
            command += " -b -w 9"
        program = ["bash", "-c", command]
        done = subprocess.run(program, cwd=tmp_path, capture_output=True, env=environment)
        assert done.returncode == 0, done.stderr.decode()
        unit = 100 if line.startswith("python") else 1
        assert unit * float(done.stdout) == pytest.approx(float(score), abs=1e-4)


def test_one_system_and_one_reference_a_file(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"h": "a b", "r": ["a b", "c"]}\n', encoding="utf-8")
    command = ["settings", "t.jsonl#r", "-i", "t.jsonl#h", "--score", "1"]
    assert "there are 2 references in 1 files" in error(run(tmp_path, *command))
    assert "-i has 2 systems, expected one" in error(run(tmp_path, *command[:4], *command[3:]))


def test_files_in_another_encoding(tmp_path):
    (tmp_path / "sys").write_bytes("\n".join(HYPOTHESES[:5]).encode("utf-16"))
    (tmp_path / "a ref").write_bytes("\n".join(REFERENCES[:5]).encode("utf-16"))
    percent = vecbleu.corpus_bleu(HYPOTHESES[:5], REFERENCES[:5]).percent
    options = ["-e", "utf-16", "--score", f"{percent:.9f}"]
    found = lines(run(tmp_path, "settings", "a ref", "-i", "sys", *options))
    assert "vecbleu 'a ref' -i sys -e utf-16" in found


def test_means_of_lines_name_no_effective_order():
    """Lines always have it, so it is no setting of theirs."""
    found = vecbleu.find_settings(SHORT[:6], SHORT_REFERENCES[:6], "1")
    means = [one for one in found if one.signature.startswith("mean of lines|")]
    assert len(means) > 20
    assert [one for one in means if "|eff:" in one.signature] == []
    others = [one for one in found if one.signature.startswith(("BLEU|", "chrF"))]
    assert [one for one in others if "|eff:" not in one.signature] == []
