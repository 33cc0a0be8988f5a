"""Every command x every option that it has: the option changes what is shown, as in Python.

A new option fails until it has a row in `ROWS`, or a reason in `WITHOUT_EFFECT`.
"""

from __future__ import annotations

import io
import json
import re
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pytest
from command import run, write_lines

import vecbleu
from vecbleu import chrf, plots, report, ter
from vecbleu.analysis import score_buckets
from vecbleu.cli.options import OPTIONS
from vecbleu.core.metric import METRICS
from vecbleu.significance import bootstrap, paired_bootstrap, paired_randomization, rank

matplotlib = pytest.importorskip("matplotlib")
pyplot = pytest.importorskip("matplotlib.pyplot")

COUNTED = (
    "tokenize",
    "lowercase",
    "normalize",
    "max_order",
    "char_order",
    "word_order",
    "beta",
    "whitespace",
)
COUNTED += "eps_smoothing", "normalized", "no_punct", "asian_support", "case_sensitive"
SMOOTHING = "smoothing", "smoothing_value", "effective_order"
LABELS = {"labels": ["x", "y"] * 12}
DOCUMENTS = {"documents": [f"d{number // 2}" for number in range(24)]}


class Row(NamedTuple):
    """An option: its words, its keywords in Python, and what it takes to have an effect."""

    words: str
    keywords: dict | None = None  # None: about output, which Python has not
    beside: str = ""  # also in the command without the option
    folder: str = "plain"


ROWS = {
    # Reading and counting
    "-nr": Row("-nr 2", {"references": 2}, folder="tabbed"),
    "-e": Row("-e latin-1", {"encoding": "latin-1"}),
    "-tok": Row("-tok char", {"tokenize": "char"}),
    "-l": Row("-l en-zh", {"tokenize": "zh"}),
    "-lc": Row("-lc", {"lowercase": True}),
    "--normalize": Row("--normalize NFD", {"normalize": "NFD"}),
    "--max-order": Row("--max-order 2", {"max_order": 2}),
    # Scoring
    "-s": Row("-s floor", {"smoothing": "floor"}),
    "-sv": Row("-sv 0.5", {"smoothing": "add-k", "smoothing_value": 0.5}, "-s add-k"),
    "--effective-order": Row("--effective-order", {"effective_order": True}, folder="short"),
    "-cc": Row("-cc 2", {"char_order": 2}, "-m chrf"),
    "-cw": Row("-cw 2", {"word_order": 2}, "-m chrf"),
    "--chrf-beta": Row("--chrf-beta 3", {"beta": 3}, "-m chrf"),
    "--chrf-lowercase": Row("--chrf-lowercase", {"lowercase": True}, "-m chrf"),
    "--chrf-whitespace": Row("--chrf-whitespace", {"whitespace": True}, "-m chrf"),
    "--chrf-eps-smoothing": Row("--chrf-eps-smoothing", {"eps_smoothing": True}, "-m chrf"),
    "--ter-normalized": Row("--ter-normalized", {"normalized": True}, "-m ter"),
    "--ter-no-punct": Row("--ter-no-punct", {"no_punct": True}, "-m ter"),
    "--ter-asian-support": Row(
        "--ter-asian-support",
        {"normalized": True, "asian_support": True},
        "-m ter --ter-normalized",
    ),
    "--ter-case-sensitive": Row("--ter-case-sensitive", {"case_sensitive": True}, "-m ter"),
    "-m": Row("-m chrf", {}),
    # Tests
    "--test": Row("--test randomization", {"test": "randomization"}),
    "--sides": Row("--sides 1", {"sides": 1}),
    "--resamples": Row("--resamples 50", {"n_resamples": 50}),
    "--seed": Row("--seed 0", {"rng": 0}),
    "--confidence-level": Row("--confidence-level 0.5", {"confidence_level": 0.5}),
    "--level": Row("--level 0.3", {"level": 0.3}),
    "--adjust": Row("--adjust holm", {"adjust": "holm"}),
    "-ci": Row("-ci", {"interval": bootstrap}),
    "-cin": Row("-cin 50", {"interval": bootstrap, "n_resamples": 50}, "-ci"),
    "-pbs": Row("-pbs", {"paired": paired_bootstrap, "sides": 1, "n_resamples": 1000}),
    "-pbsn": Row("-pbsn 50", {"paired": paired_bootstrap, "sides": 1, "n_resamples": 50}, "-pbs"),
    "-par": Row("-par", {"paired": paired_randomization, "count_equal": False}),
    "-parn": Row(
        "-parn 50",
        {"paired": paired_randomization, "count_equal": False, "n_resamples": 50},
        "-par",
    ),
    # What is shown
    "--labels": Row("--labels labels", LABELS),
    "--documents": Row("--documents documents", DOCUMENTS),
    "--human-agreement": Row("--human-agreement"),
    "--edges": Row("--edges 6 8", {"edges": [6, 8]}),
    "--source": Row("--source source", {"source": "source"}),
    "--title": Row("--title X", {"title": "X"}),
    "--baseline": Row("--baseline two", {"baseline": "two"}),
    "--line": Row("--line 5", {"line": 5}),
    "-n": Row("-n 6", {"n": 6}),
    "--log-probs": Row("--log-probs logs", {"log_probs": "logs"}),
    "--leave-one-out": Row("--leave-one-out", {"leave_one_out": True}),
    "--ranked": Row("--ranked"),
    "-p": Row("-p 4 -- r", {"p": 4}),
    "--names": Row("--names A B C"),
    "--ref": Row("--ref x", None, "--hyp x --ref y"),
    "--segments": Row("--segments 1"),
    "--min-length": Row("--min-length 8"),
    "--ngrams": Row("--ngrams 1"),
    "--full": Row("--full", None, "-nr 2", "tabbed"),
    "-sl": Row("-sl"),
    "-f": Row("-f json"),
    "-w": Row("-w 3"),
    "-b": Row("-b"),
    "-sh": Row("-sh"),
    "--scores": Row("--scores"),
    "--json": Row("--json"),
    "--latex": Row("--latex"),
}

WITHOUT_EFFECT = {
    "--workers": ("--workers 2", "no result depends on the number of processes"),
    "-q": ("-q", "is about warnings, on standard error"),
    "--force": ("--force", "is about a warning, on standard error"),
    "-nc": ("-nc", "no colors but on a terminal"),
    "-j": ("-j 2", "is accepted for scripts that call sacreBLEU, and ignored as the help says"),
}

# Each command fails without these, see test_cli_errors.py; the next two hand on to others. The last
# two set the exit status, see test_cli_commands.py, and name what is read, see test_tables.py.
NOT_DRAWN = {"references", "-i", "-o", "--hyp", "--score", "-V", "-t"}
NOT_DRAWN |= {"--fail-if-worse", "--table-format"}

ALL = "-i one two three"
COMMANDS = {
    "scoring": "r -i one",
    "rank": f"rank r {ALL}",
    "compare": f"compare r {ALL}",
    "explain": "explain r -i one --line 13",
    "report": f"report r {ALL} -o out.html",
    "stats": "stats r -i one -o out.npz",
    "mbr": "mbr -i one -n 4",
    "settings": "settings r -i one --score 1",
    **{
        f"plot-{kind}": f"plot {kind} r {ALL} -o out.svg"
        for kind in ("scores", "pairs", "precisions", "groups")
    },
}
# For an option of scoring that takes several systems; for one that takes no files.
OTHERS = dict.fromkeys(["-pbs", "-pbsn", "-par", "-parn", "--names"], f"r {ALL}")
OTHERS |= {"--ref": "explain"}
JSON = {"scoring", "rank", "compare", "explain", "mbr"}
SYSTEMS = "one", "two", "three"
MODULES = {"bleu": vecbleu, "chrf": chrf, "ter": ter}
EXPECTED = {"bleu": vecbleu.expected_bleu, "chrf": chrf.expected_chrf}
TEXT = "The the cat Cat sat on a (new) mat, 3.5 km long: 中文字 naïve"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Systems of which every fourth word is wrong, so that no 4-gram matches; and two variants."""
    rng = np.random.default_rng(5)
    rows = [[*map(str, rng.choice(TEXT.split(), length))] for length in rng.integers(4, 14, 24)]
    files = {"r": [*map(" ".join, rows)], "source": [f"Satz {row[0]}" for row in rows]}
    files["logs"] = [*map(str, rng.uniform(-3, 3, 24))]
    for name, every in zip(SYSTEMS, (9, 8, 5), strict=True):
        files[name] = []
        for number, row in enumerate(rows):
            is_wrong = [at % 4 == 3 or (at + number) % every == 0 for at in range(len(row))]
            words = [f"x{at}" if is_wrong[at] else word for at, word in enumerate(row)]
            text = " ".join(words[: len(row) - number % 3])
            text = text.replace("naïve", "nai\u0308ve", number % 2)
            files[name].append(text.replace("the cat", "The cat").replace("sat ", "sat\u00a0"))
    variants = {
        "plain": files,
        "short": {
            name: [" ".join(line.split()[:3]) for line in own] for name, own in files.items()
        },
        "tabbed": files | {"r": [f"{line}\t{line[::-1]} {line[:9]}" for line in files["r"]]},
    }
    folder = tmp_path_factory.mktemp("options")
    for variant, own in variants.items():
        (folder / variant).mkdir()
        write_lines(folder / variant, own | LABELS | DOCUMENTS)
    return folder


@cache
def outcome(folder, command):
    """What a command prints, and what it writes."""
    done = run(folder, *command.split())
    assert done.returncode == 0, done.stderr.decode()
    written = b"".join(path.read_bytes() for path in folder.glob("out.*"))
    for path in folder.glob("out.*"):
        path.unlink()
    return done.stdout, written


def python(command, folder, keywords, metric):
    """Parts of the records that a command prints, or of the file that it writes, by functions."""
    given = {"encoding": "utf-8", "references": 1, "line": 13, "n": 4, "p": None} | keywords
    encoding, fields, line = (given.pop(name) for name in ("encoding", "references", "line"))
    size, others = given.pop("n"), given.pop("p")
    counting = {name: given.pop(name) for name in COUNTED if name in given}
    grouping = {name: given.pop(name) for name in ("labels", "edges") if name in given}
    lines = {
        path.name: path.read_bytes().decode(encoding).split("\n")[:-1] for path in folder.iterdir()
    }
    texts = {name: lines[name] for name in SYSTEMS}
    references = [row.rstrip().split("\t") if fields == 2 else [row] for row in lines["r"]]
    module = MODULES[metric]
    if command == "explain":
        found = vecbleu.explain(texts["one"][line - 1], references[line - 1], **counting, **given)
        return [{"line": line, "BLEU": found.score.percent}]
    if command == "settings":
        settings = vecbleu.find_settings(texts["one"], references, "1")
        return [f"{100 * each.score:.4f}" for each in settings if not each.distance]
    if command == "mbr":
        sources, sets = (
            number and [lines[name][at : at + number] for at in range(0, 24, number)]
            for name, number in (("one", size), ("r", others))
        )
        if "log_probs" in given:
            values = [*map(float, lines[given["log_probs"]])]
            given["log_probs"] = [values[at : at + size] for at in range(0, 24, size)]
        name = module.statistics(["a"], ["a"], **counting).score().name
        scores = EXPECTED[metric](sources, sets, **counting, **given)
        return [{"candidate": row.argmax() + 1, name: 100 * float(row.max())} for row in scores]
    if command == "report":
        given |= {"source": lines["source"]} if "source" in given else {}
        given |= {"language_pair": "en-zh"} if counting.get("tokenize") == "zh" else {}
        if metric != "bleu":
            given |= {"metrics": [metric], metric: counting}
            counting = {}
        everything = {"title": "r"} | given | grouping | counting
        path = folder / "page.html"
        report.write(path, texts, references, **everything)
        page = path.read_bytes()
        path.unlink()  # or it would be among what the next command writes
        return page
    if "documents" in given:
        given["groups"] = given.pop("documents")
    if "groups" in given and command == "scoring":
        join = partial(vecbleu.join_documents, documents=given.pop("groups"))
        texts = {name: join(own) for name, own in texts.items()}
        references = [*zip(*map(join, zip(*references, strict=True)), strict=True)]
    tables = {name: module.statistics(own, references, **counting) for name, own in texts.items()}
    if command == "stats":
        return tables["one"]
    if command == "scoring":
        if grouping:
            return [{"groups": score_buckets({"one": tables["one"]}, **grouping).records()}]
        if "interval" in given:
            return given.pop("interval")(tables["one"], **given).table().records()
        if "paired" in given:
            rows = given.pop("paired")(tables, **given).table().records()
            return [{"system": row["system"], "p": row["p"]} for row in rows]
        score = tables["one"].score(**given)
        return [{getattr(score, "name", "BLEU"): score.percent}]
    smoothing = {name: given[name] for name in SMOOTHING if name in given}
    if command == "rank":
        ranking = rank(tables, **given)
        rows = ranking.table().records()
        if grouping:
            best = ranking.order[0].item()
            groups = score_buckets(tables, **grouping, baseline=best).records()
            rows = [row | {"groups": of_system(groups, row["system"])} for row in rows]
        return rows
    buckets = partial(score_buckets, tables, **grouping, **smoothing)
    if command == "compare":
        given.pop("source", None)  # stands beside segments
        test = {"randomization": paired_randomization}.get(given.pop("test", ""), paired_bootstrap)
        rows = test(tables, **given).table().records()
        has_groups = "labels" in grouping or next(iter(tables.values())).ref_len is not None
        own = {"baseline": given.pop("baseline", "one"), "documents": given.pop("groups", None)}
        options = {name: given[name] for name in given if name not in SMOOTHING}
        own["compare"] = partial(test, **options)
        groups = buckets(**own).records() if has_groups else []
        return [row | {"groups": of_system(groups, row["system"])} for row in rows]
    if command == "plot-precisions":
        return picture(plots.plot_bars({name: one.score(**given) for name, one in tables.items()}))
    if command == "plot-groups":
        return picture(plots.plot_bars(buckets()))
    draw = plots.plot_scores if command == "plot-scores" else plots.plot_pairs
    return picture(draw(rank(tables, **given)))


def of_system(records, name):
    return [record for record in records if record["system"] == name]


def picture(ax):
    """The bytes of a picture, as `vecbleu plot` writes them."""
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "vecbleu"}):
        ax.figure.savefig(file, format="svg", dpi=200, metadata={"Date": None})
    pyplot.close(ax.figure)
    return file.getvalue()


def check_same(command, printed, written, expected):
    """Hold what a command shows to what the functions return."""
    if command == "stats":
        loaded = type(expected).load(io.BytesIO(written))
        assert loaded == expected
        assert np.array_equal(loaded.reference_hashes, expected.reference_hashes)
    elif command == "settings":
        assert re.findall(r" = (.*)$", printed.decode(), flags=re.M) == expected
    elif command not in JSON:
        assert written == expected
    else:
        rows = [*map(json.loads, printed.splitlines())] if command == "mbr" else json.loads(printed)
        for row, parts in zip(rows, expected, strict=True):
            assert {name: row[name] for name in parts} == parts


outcome_once = cache(outcome)  # what many options are compared with

PAIRS = [
    pytest.param(command, name, marks=[pytest.mark.slow] if command.startswith("plot") else [])
    for group in OPTIONS.values()
    for option in group
    for command in option.commands.split()
    if (name := option.names.split()[0]) not in NOT_DRAWN
]


@pytest.mark.parametrize(("command", "name"), PAIRS)
def test_every_option_has_the_effect_that_it_has_in_python(folders, command, name):
    assert name in WITHOUT_EFFECT or name in ROWS, "give it a row, or a reason"
    if name in WITHOUT_EFFECT:
        words, _ = WITHOUT_EFFECT[name]
        before, after = (f"{COMMANDS[command]} {option}" for option in ("", words))
        assert outcome(folders / "plain", before) == outcome(folders / "plain", after)
        return
    row, folder = ROWS[name], folders / ROWS[name].folder
    before = f"{OTHERS.get(name, COMMANDS[command])} {row.beside}"
    keywords = row.keywords
    if command == "plot-groups" and "-m" in (name, *row.beside.split()):
        before += " --labels labels"
        keywords = keywords | LABELS
    if command in JSON and row.keywords is not None:
        before += " --json"
    after = f"{before} {row.words}"
    found = outcome(folder, after)
    assert found != outcome_once(folder, before)
    if row.keywords is not None:
        metric = next((name for name in MODULES if f"-m {name}" in after), "bleu")
        check_same(command, *found, python(command, folder, keywords, metric))


WITH_METRIC = [
    pytest.param(*pair.values, metric.lower(), marks=pair.marks)
    for pair in PAIRS
    if "-m" in pair.values
    for metric in METRICS
    if pair.values[0] != "mbr" or metric.lower() in EXPECTED
]


@pytest.mark.parametrize(("command", "option", "metric"), WITH_METRIC)
def test_every_metric_is_pythons_in_every_command(folders, command, option, metric):
    asked = f"{COMMANDS[command]} {option} {metric}"
    given = {}
    if command in {"plot-groups", "compare"}:
        asked += " --labels labels"
        given = LABELS
    if command in JSON:
        asked += " --json"
    folder = folders / "plain"
    check_same(command, *outcome(folder, asked), python(command, folder, given, metric))


SEEDS = "", " --seed 0"


@pytest.mark.parametrize("command", ["rank", "compare", "report"])
def test_a_seed_that_is_given_counts_more_than_the_environment(folders, monkeypatch, command):
    drawn, seeded = (outcome(folders / "plain", f"{COMMANDS[command]}{seed}") for seed in SEEDS)
    monkeypatch.setenv("SACREBLEU_SEED", "3")
    again = [outcome.__wrapped__(folders / "plain", f"{COMMANDS[command]}{seed}") for seed in SEEDS]
    assert again[1] == seeded
    assert again[0] not in (drawn, seeded)
