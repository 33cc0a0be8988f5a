"""Commands but for scoring: what they print is what Python's functions return, with texts."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, write_lines
from conftest import blocks_of
from corpora import noisy_systems
from peers import TOKENIZE
from verdicts import points, verdict_of

import vecbleu
from vecbleu import chrf, significance, ter
from vecbleu.analysis import ngram_differences, score_buckets, segment_differences, word_changes
from vecbleu.core.metric import METRICS

NEAR = "near", "clean"
SENTENCE = {"smoothing": "exp", "effective_order": True}

SOURCE = ["Die Katze saß.", "ein Hund bellte 3,5 Katzen an!", "die", "ganz andere Wörter"]

# Candidates, with characters that end lines elsewhere, a short line, and copies.
ODD = [
    "the cat sat on the mat\r",
    "",
    "the cat sat on the mat",
    "a\x00b \x1b[2J the cat\x85sat \ufeff on the\u2028mat",
    "tab\tand\x0bthe cat sat",
    "  yes ",
    "the cat sat on the mat",
    "猫 が 座った the cat",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("commands")
    clean, (near,) = noisy_systems(12, (0.2,))
    texts = {
        "r": REFERENCES,
        "source": SOURCE,
        "r2": [f"{one}\tother {one}" for one in REFERENCES],
        "clean": clean,
        "near": near,
        "odd": ODD,
        "empty": [],
    }
    write_lines(folder, SYSTEMS | texts)
    whole = (folder / "odd").read_bytes()
    (folder / "open").write_bytes(whole[:-1])
    (folder / "odd.gz").write_bytes(gzip.compress(whole))
    (folder / "latin").write_bytes("a\ncafé au\n".encode("latin-1"))
    for name in SYSTEMS:
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{name}.npz"))
    return folder


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ("", {}),
        ("--sides 1 --resamples 200 --seed 7", {"sides": 1, "n_resamples": 200, "rng": 7}),
        ("--test randomization --adjust holm", {"test": "randomization", "adjust": "holm"}),
        ("--test randomization --resamples 77", {"test": "randomization", "n_resamples": 77}),
        ("--effective-order --max-order 9", {"effective_order": True}),
    ],
)
def test_rank_is_pythons(folder, options, asked):
    command = ["rank", "r", "-i", *SYSTEMS, *options.split()]
    count = partial(vecbleu.statistics, max_order=9 if "9" in command else 4)
    rows = {name: count(outputs, REFERENCES) for name, outputs in SYSTEMS.items()}
    expected = significance.rank(rows, **{"smoothing": "exp"} | asked)
    table = expected.table()
    found = run_json(folder, *command)
    signature, empty, *text = lines(run(folder, *command))
    said = verdict_of([expected], expected.names, *expected.order[:2]).removesuffix(".")
    assert (empty, text) == ("", [*table.to_text().split("\n"), said])
    assert "|nrefs:1|" in signature  # not the short one
    field, draws = ("ar", 10_000) if "test" in asked else ("bs", 1000)
    assert f"|{field}:{asked.get('n_resamples', draws)}|" in signature
    latex = lines(run(folder, *command, "--latex"))
    assert latex == [f"% {signature}", *table.to_latex().split("\n"), f"% {said}"]
    assert latex[-len(table.notes) - 1 : -1] == [f"% {note}" for note in table.notes]
    assert [pair for row in found for pair in row.pop("pairs")] == expected.pairs().records()
    same = {"level": expected.level, "adjust": expected.adjust, "signature": signature}
    same["groups"] = []
    assert found == [row | same for row in table.records()]


OTHER_METRICS = {
    "chrf": (
        chrf.statistics,
        "-cc 3 -cw 1 --chrf-beta 0.5 --chrf-lowercase --chrf-whitespace --chrf-eps-smoothing",
        {"char_order": 3, "word_order": 1, "beta": 0.5, "lowercase": True, "whitespace": True}
        | {"eps_smoothing": True},
        "chrF0.5+|nrefs:1|bs:1000|sides:2|seed:12345|case:lc|eff:no|",
    ),
    "ter": (
        ter.statistics,
        "--ter-normalized --ter-no-punct --ter-asian-support --ter-case-sensitive",
        {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
        "TER|nrefs:1|bs:1000|sides:2|seed:12345|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|",
    ),
}


@pytest.mark.parametrize("metric", OTHER_METRICS)
def test_other_metrics_are_pythons_of_text_and_of_statistics(folder, metric):
    statistics, flags, asked, signed = OTHER_METRICS[metric]
    options, rows = ["-m", metric, *flags.split()], {}
    for name, outputs in SYSTEMS.items():
        rows[name] = statistics(outputs, REFERENCES, **asked)
        lines(run(folder, "stats", "r", "-i", name, "-o", f"{metric}.{name}.npz", *options))
        assert type(rows[name]).load(folder / f"{metric}.{name}.npz") == rows[name]
    files = [f"{metric}.{name}.npz" for name in SYSTEMS]
    for given in (
        ["r", "-i", *SYSTEMS, *options],
        ["-i", *files, *options],
        ["-i", *files, *options[:2]],
    ):
        command = [*given, "--names", *SYSTEMS]
        signature, _, *text = lines(run(folder, "rank", *command))
        assert text[:-1] == significance.rank(rows).table().to_text().split("\n")
        assert signature.startswith(signed)
        scores = [table.score() for table in rows.values()]
        records = run_json(folder, *command)
        assert [record[scores[0].name] for record in records] == [one.percent for one in scores]
        for record, score in zip(records, scores, strict=True):
            assert record.items() >= score.named_parts().items()


def test_metrics_say_the_same_together_and_alone(folder):
    """Also if they rank systems in another order: chrF likes words in a wrong order."""
    right, (bad, good) = noisy_systems(120, (0.5, 0.4))
    turned = [" ".join(line.split()[::-1]) for line in right]
    write_lines(folder, {"right": right, "bad": bad, "good": good, "turned": turned})
    systems = "right -i bad good turned"
    commands = (
        f"{systems} -pbs -pbsn 50 -m",
        f"rank {systems} --resamples 99 -m",
        f"rank {systems} --resamples 99 --test randomization -m",
        f"compare {systems} --resamples 99 --segments 1 --ngrams 1 -m",
    )
    shown = {}
    for command in commands:
        for metrics in ("bleu", "chrf", "bleu chrf", "chrf bleu"):
            asked = *command.split(), *metrics.split()
            records = run_json(folder, *asked)
            found = sorted((record["signature"], record["system"], record) for record in records)
            shown[metrics] = found, lines(run(folder, *asked))
        (bleu, bleu_text), (chrf_only, chrf_text), (both, text), (turned_round, _) = shown.values()
        assert both == turned_round == bleu + chrf_only
        cells = [line.split() for line in text]
        for line in (*bleu_text, *chrf_text):
            assert line.split() in cells or " is ahead of " in line
    # The rows of both tables stand in the order of the first metric.
    *_, title, first, second, third = lines(run(folder, *commands[1].split(), "bleu", "chrf"))[:12]
    ranks = [line.split()[:2] for line in (title, first, second, third)]
    assert ranks == [["rank", "system"], ["2", "good"], ["1", "turned"], ["3", "bad"]]


@pytest.mark.parametrize("metrics", ["bleu chrf ter", "ter bleu"])
def test_a_verdict_names_all_metrics(folder, metrics):
    right, (bad, good) = noisy_systems(240, (0.5, 0.4))
    turned = [" ".join(line.split()[::-1]) for line in right]
    texts = {"bad": bad, "good": good, "turned": turned}
    write_lines(folder, {"right": right, **texts})
    count = {"bleu": vecbleu.statistics, "chrf": chrf.statistics, "ter": ter.statistics}
    counted = [
        {name: count[metric](text, right) for name, text in texts.items()}
        for metric in metrics.split()
    ]
    rankings = [significance.rank(tables, n_resamples=99) for tables in counted]
    best, second, _ = rankings[0].order
    pairs = {"rank": [(best, second)], "compare": [(1, 0), (2, 0)]}
    for command, expected in pairs.items():
        asked = f"{command} right -i {' '.join(texts)} --resamples 99 -m {metrics}".split()
        said = [verdict_of(rankings, [*texts], *pair).removesuffix(".") for pair in expected]
        text = lines(run(folder, *asked))
        assert [line for line in text if " is " in line and "p " in line] == said
        latex = lines(run(folder, *asked, "--latex"))
        assert [line for line in latex if line in {f"% {one}" for one in said}]
    assert any("contradict each other" in line for line in said)
    plain = lines(run(folder, "right", "-i", *texts, "-m", *metrics.split()))
    assert plain[-1] == "TER: lower is better"


def test_texts_are_explained_as_by_python(folder):
    """Scores are on 0 to 100."""
    segment = "The cat sat.", ["A cat\tsat", "the cat"]
    texts = "--hyp", segment[0], "--ref", "A cat\tsat", "--ref", "the cat"
    (found,) = run_json(folder, "explain", *texts, "-lc", "--max-order", "9", "-s", "floor")
    signature = found.pop("signature")
    options = {"lowercase": True, "max_order": 9, "smoothing": "floor"}
    explanation = vecbleu.explain(*segment, **SENTENCE | options)
    fields = explanation.to_dict()
    expected = {name: value for name, value in fields.items() if name in found} | {
        "BLEU": fields["percent"],
        "corpus_BLEU": explanation.corpus_score.percent,
        "precisions": fields["percent_precisions"],
        "ngrams": [order["ngrams"] for order in fields["orders"]],
        "system": None,
        "line": None,
    }
    assert found == json.loads(json.dumps(expected))
    assert found["BLEU"] > found["corpus_BLEU"] == 0
    assert signature.startswith(
        "BLEU|nrefs:2|case:lc|eff:yes|tok:13a|smooth:floor[0.10]|max_order:9|"
    )
    *shown, _, _ = lines(run(folder, "explain", *texts))
    assert shown == str(vecbleu.explain(*segment, **SENTENCE)).split("\n")


@pytest.mark.parametrize("metric", [*map(str.lower, METRICS)])
def test_records_of_lines_have_their_scores_and_counts(folder, metric):
    printed = lines(run(folder, "r", "-i", "h", "-sl", "--json", "-m", metric))
    for number, line in enumerate(printed):
        sides = [SYSTEMS["h"][number]], [REFERENCES[number]]
        record = json.loads(line)
        if metric == "bleu":
            (score,) = vecbleu.sentence_bleu(*sides)
            counts = [*vecbleu.statistics(*sides).array[0]]
            found = [record["hyp_len"], record["ref_len"], *record["matches"], *record["totals"]]
        elif metric == "chrf":
            (score,) = chrf.sentence_chrf(*sides)
            names = "hypotheses", "references", "matches"
            counts = [*chrf.statistics(*sides).array[0].reshape(-1, 3).T.reshape(-1)]
            found = [count for name in names for count in record[name]]
        else:
            (score,) = ter.sentence_ter(*sides)
            names = "edits", "ref_len"
            counts = [*ter.statistics(*sides).array[0][:2]]
            found = [record[name] for name in names]
        assert found == counts
        name = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}[metric]
        assert record[name] == pytest.approx(100 * score, rel=1e-14)
        assert record["system"] == "h"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("files", ["r t", "r2 -nr 2"])
def test_a_line_of_files_has_the_score_of_its_segment(folder, number, files):
    other = SYSTEMS["t"][number - 1] if "t" in files.split() else f"other {REFERENCES[number - 1]}"
    found = run_json(folder, "explain", *files.split(), "-i", "h", "s", "--line", str(number))
    for name, row in zip("hs", found, strict=True):
        texts = "--hyp", SYSTEMS[name][number - 1], "--ref", REFERENCES[number - 1], "--ref", other
        (expected,) = run_json(folder, "explain", *texts)
        assert row == expected | {"system": name, "line": number}
        shown = lines(run(folder, "explain", *files.split(), "-i", name, "--line", str(number)))
        assert shown[0] == f"{name}, line {number}"
        assert shown[-1] == row["signature"]
        scores = lines(run(folder, *files.split(), "-i", name, "-sl", "--json"))
        assert json.loads(scores[number - 1])["BLEU"] == row["BLEU"]


def test_explain_reads_up_to_its_line(folder):
    """What stands behind is not looked at: here it is damaged, and not UTF-8."""
    text = b"".join(b"line %d\n" % number for number in range(2000))
    (folder / "long").write_bytes(text + b"\xff\n")
    (folder / "long.gz").write_bytes(gzip.compress(text)[:-200])
    for name in ("long", "long.gz"):
        with blocks_of(100):
            (found,) = run_json(folder, "explain", name, "-i", "long", "--line", "1001")
        assert (found["hypothesis"], found["references"]) == ("line 1000", ["line 1000"])
    (found,) = run_json(folder, "explain", "r", "-i", "-", "--line", "2", stdin=b"a\nb c\nd\ne\n")
    assert found["hypothesis"] == "b c"


@pytest.mark.parametrize(
    ("options", "systems"),
    [
        ("-sl -w 4", "h"),
        ("-s floor -sv 0.2 -b", "t"),
        ("-ci -f json", "h"),
        ("-par --names h s t", "h s t"),
        ("-sl --json --names h", "h"),
    ],
)
def test_statistics_take_the_place_of_text(folder, options, systems):
    names = systems.split()
    asked = options.split()
    expected = lines(run(folder, "r", "-i", *names, *asked))
    statistics = [f"{name}.npz" for name in names]
    given = [["-i", *statistics], ["r", "-i", *statistics], ["r", "-i", names[0], *statistics[1:]]]
    for arguments in given:  # references may stay where text was
        assert lines(run(folder, *arguments, *asked)) == expected


def test_stats_writes_what_python_counts_and_joins_files(folder):
    options = ["-tok", "char", "-lc", "--max-order", "2"]
    (line,) = lines(run(folder, *["stats", "r2", "-i", "h", "-nr", "2", "-o", "out.npz"], *options))
    references = [[text, f"other {text}"] for text in REFERENCES]
    asked = {"tokenize": "char", "lowercase": True, "max_order": 2}
    expected = vecbleu.statistics(SYSTEMS["h"], references, **asked)
    written = vecbleu.Statistics.load(folder / "out.npz")
    assert written == expected
    assert written.signature.to_dict() == expected.signature.to_dict() | {"references": 2}
    assert line == f"out.npz: {expected!r}, {written.signature!r}"
    lines(run(folder, "stats", "-i", "h.npz", "s.npz", "-o", "joined.npz"))
    joined, first = (vecbleu.Statistics.load(folder / f"{name}.npz") for name in ("joined", "h"))
    assert joined == vecbleu.statistics(SYSTEMS["h"] + SYSTEMS["s"], REFERENCES * 2)
    assert joined.signature == first.signature


def test_files_may_say_less_or_more_of_how_they_were_counted(folder):
    options = {"max_order": 2, "ref_length": "longest", "tokenize": "char", "lowercase": True}
    table = vecbleu.file_statistics(folder / "h", folder / "r", **options)
    table.save(folder / "longest.npz")
    vecbleu.Statistics(table.array).save(folder / "unknown.npz")
    (line,) = lines(run(folder, "-i", "longest.npz"))
    assert "|case:lc|eff:no|tok:char|smooth:exp|max_order:2|ref_length:longest|version:" in line
    (line,) = lines(run(folder, "-i", "unknown.npz"))
    assert line.startswith("BLEU|eff:no|smooth:exp|max_order:2|version:")
    vecbleu.Statistics.load(folder / "h.npz").sum().save(folder / "sum.npz")
    assert lines(run(folder, "-i", "sum.npz", "-b")) == lines(run(folder, "-i", "h.npz", "-b"))


@pytest.mark.parametrize(
    "command",
    [
        *(f"{{}} -i {{}} {options}" for options in ("", "-f json", "-sl", "--json", "--latex")),
        *("{} -i {} -ci", "{} -i {} -m chrf", "{} < {}", "-i empty.npz", "-i empty.npz -ci"),
        *(
            f"{command} {{}} -i {{}} other {options}"
            for command, options in {
                "": "-pbs",
                "rank": "",
                "compare": "",
                "report": "-o x.html",
                "plot scores": "-o x.svg",
                "plot pairs": "-o x.svg",
                "plot groups": "-o x.svg",
                "plot precisions": "-o x.svg",
            }.items()
        ),
        "stats {} -i {} -o x.npz",
        "explain {} -i {} --line 1",
        "mbr -i {} -n 3",
        "mbr {} -i {} -n 3 -p 2",
    ],
)
@pytest.mark.parametrize("name", ["empty", "empty.gz"])
def test_files_without_a_line_are_refused_by_every_command(folder, command, name):
    if command.startswith("plot"):
        pytest.importorskip("matplotlib")
    (folder / "other").write_text("")
    (folder / "empty.gz").write_bytes(gzip.compress(b""))
    vecbleu.statistics([], []).save(folder / "empty.npz")
    words = command.format(name, name).partition(" < ")[0].split()
    found = error(run(folder, *words))
    assert re.search(r"has 0 (lines|segments)", found)
    assert not [*folder.glob("x.*")]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("-s none", {"smoothing": "none"}),
        ("-l en-zh -lc --workers 2", {"tokenize": "zh", "lowercase": True}),
        ("-s add-k -sv 3", {"smoothing": "add-k", "smoothing_value": 3}),
    ],
)
def test_the_choice_of_each_source_is_the_first_of_the_best(folder, arguments, options):
    near = (folder / "near").read_text(encoding="utf-8").split("\n")[:-1]
    options, sources = SENTENCE | options, [ODD[:4], ODD[4:]]
    for references, further in ((sources, []), ([near[:6], near[6:]], ["near", "-p", "6"])):
        expected = []
        for source, (own, others) in enumerate(zip(sources, references, strict=True), 1):
            pairs = [vecbleu.sentence_bleu([one] * len(others), others, **options) for one in own]
            means = [round(100 * float(scores.mean()), 9) for scores in pairs]
            best = means.index(max(means))
            expected.append((source, best + 1, means[best], own[best]))
        asked = ["mbr", "-i", "odd", "-n", "4", *further, *arguments.split()]
        found = [json.loads(line) for line in lines(run(folder, *asked, "--json"))]
        signature = f"BLEU|{vecbleu.corpus_bleu(['a'], ['a'], **options).signature}"
        assert {(row.pop("system"), row.pop("signature")) for row in found} == {("odd", signature)}
        shown = [row | {"BLEU": round(row["BLEU"], 9)} for row in found]
        assert [(*row.values(),) for row in shown] == expected
        texts = "".join(f"{text}\n" for *_, text in expected)
        assert run(folder, *asked).stdout.decode() == texts
        scored = "".join(f"{score:.2f}\t{text}\n" for *_, score, text in expected)
        assert run(folder, *asked, "--scores").stdout.decode() == scored


@pytest.mark.usefixtures("small_blocks")
def test_chosen_lines_are_the_bytes_of_the_file(folder):
    """Of one candidate a source, all are chosen."""
    whole = (folder / "odd").read_bytes()
    for name in ("odd", "open", "odd.gz", "-"):
        chosen = run(folder, "mbr", "-i", name, "-n", "1", stdin=whole, encoding="ascii")
        assert (chosen.stdout, chosen.stderr) == (whole, b"")
    latin = run(folder, "mbr", "-i", "latin", "-n", "1", "-e", "latin-1").stdout
    assert latin.decode() == "a\ncafé au\n"


# Commands with `--json`, by their rows in the documented table of fields.
RECORDS = {
    "vecbleu REF... -i SYS...": ["r -i h", "r -i h s", "r -i h -sl", "-i h.npz"],
    "vecbleu REF... -i SYS... -m chrf": ["r -i h s -m chrf", "r -i h -m chrf -sl"],
    "vecbleu REF... -i SYS... -m ter": ["r -i h s -m ter", "r -i h -m ter -sl"],
    "-ci": ["clean -i near -ci"],
    "-par": ["clean -i near clean -par -parn 9"],
    "-pbs": ["clean -i near clean -pbs -pbsn 9"],
    "vecbleu rank": ["rank clean -i near clean --resamples 99"],
    "vecbleu compare": ["compare clean -i near clean --baseline clean --resamples 9"],
    "vecbleu explain": ["explain r -i h s --line 2", "explain --hyp a --ref b"],
    "vecbleu mbr": ["mbr -i near -n 6"],
}


@pytest.mark.parametrize("row", RECORDS)
def test_json_is_as_documented(folder, row):
    page = (Path(__file__).parent.parent / "docs/command-line.md").read_text(encoding="utf-8")
    section = page.partition("## JSON")[2].partition("\n## ")[0]
    table = re.findall(r"^\| (?:with )?`(.*)` \| (.*) \|$", section, flags=re.MULTILINE)
    assert [name for name, _ in table] == [*RECORDS]
    documented = {name: {*re.findall("`(.*?)`", fields)} for name, fields in table}
    expected = documented[row] | (documented[next(iter(RECORDS))] if row[0] == "-" else set())
    for command in RECORDS[row]:
        words = [*command.split(), "--json"]
        printed = lines(run(folder, *words))
        is_by_line = "-sl" in words or words[0] == "mbr"
        records = [*map(json.loads, printed)] if is_by_line else json.loads("".join(printed))
        assert {*chain.from_iterable(records)} == expected
        for record in records:
            assert record["system"] in [*words, None]
            titles = {"chrf": "chrF2", "ter": "TER"}
            metric = next((titles[name] for name in titles if name in words), "BLEU")
            assert record["signature"].startswith(f"{metric}|nrefs:1|")
        assert any(record[metric] > 1 for record in records) or "--hyp" in words


# Tables of two systems, with the titles of their columns but for those of the systems.
TABLES = """
clean -i near --latex: BLEU
clean -i near -ci --latex: BLEU & lower & upper & mean
clean -i near -ci --latex BLEU: BLEU
clean -i near -ci --latex BLEU interval: BLEU & lower & upper & mean
clean -i near clean -pbs --latex p BLEU: BLEU & p
rank clean -i near clean --latex p difference: difference & p (best) & p (above)
rank clean -i near clean --latex difference interval: difference & lower & upper
rank clean -i near clean -m bleu chrf --latex chrF p: chrF2 & p (best) & p (above)
rank clean -i near clean -m bleu ter --latex cluster: cluster & cluster
compare clean -i near clean -m ter bleu --edges 3 --latex TER BLEU interval: \
TER & lower & upper & BLEU & lower & upper
compare clean -i near clean --edges 3 --latex BLEU interval: BLEU & lower & upper
"""


@pytest.mark.parametrize("table", TABLES.strip().split("\n"))
def test_latex_has_the_columns_asked_for(folder, monkeypatch, table):
    monkeypatch.setenv("SACREBLEU_FORMAT", "json")  # as -f json: only without --latex
    command, titles = table.split(": ")
    printed = lines(run(folder, *command.split()))
    rows = [line.removesuffix(r" \\") for line in printed if line.endswith(r" \\")]
    is_ranking, is_comparison = command.startswith("rank"), command.startswith("compare")
    assert rows[0] == f"{'rank & ' * is_ranking}system & {titles}"
    tested = r"difference & lower & upper & p & segments"
    assert any(row.startswith(r"ref\_len & system & ") for row in rows) == is_comparison
    assert any(row.endswith(tested) for row in rows) == is_comparison
    assert any(row.startswith(r"\ensuremath{\geq} 3 & ") for row in rows) == is_comparison
    if not is_comparison:  # whose groups have differences
        assert any(" & $-$" in row for row in rows) == ("difference" in titles)
    others = [line for line in printed if line.removesuffix(r" \\") not in rows]
    assert {line[:1] for line in others} <= {"%", "\\", ""}
    notes = {"lower": "lower, upper: 95% interval", "cluster": "cluster: systems in different"}
    notes |= {"TER": "TER: lower is better"}
    if is_ranking:
        notes["difference"] = "difference: from the best"
    for title, note in notes.items():  # of the columns that are shown, and of no other
        shown = [line for line in others if line.startswith(f"% {note}")]
        assert bool(shown) == (title in titles.split(" & "))


# vecbleu compare


@pytest.mark.parametrize("systems", ["r -i h.npz s", "-i h.npz s.npz", "r -i h s t"])
@pytest.mark.parametrize("labels", [None, ["news", "talk", "news", "news"]])
def test_compare_shows_what_python_finds(folder, systems, labels):
    groups = ["--labels", "labels"] if labels else ["--edges", "2", "5"]
    write_lines(folder, {"labels": [f"{label}\r" for label in labels or ()]})
    paths = systems.partition("-i ")[2].split()
    names = [path.removesuffix(".npz") for path in paths]
    asked = ["-s", "add-k", "--min-length", "4", "--source", "source", "--names", *names]
    found = run_json(folder, "compare", *systems.split(), *asked, *groups)
    tables = {one: vecbleu.statistics(SYSTEMS[one], REFERENCES) for one in names}
    edges = None if labels else [2, 5]
    buckets = score_buckets(tables, labels, edges=edges, baseline=0, smoothing="add-k")
    assert [row["system"] for row in found] == names
    assert {row["baseline"] for row in found} == {names[0]}
    for row in found:
        own = [group for group in buckets.records() if group["system"] == row["system"]]
        assert row["groups"] == own
        assert [*own[0]][:3] == ["label" if labels else "ref_len", "system", "BLEU"]
    texts = [SYSTEMS.get(path) for path in paths]
    assert (found[0]["wins"], found[0]["ngram_losses"]) == ([], [])
    for place, pair in enumerate(found[1:], 1):
        two = [tables[names[0]], tables[names[place]]]
        python = segment_differences(two, smoothing="add-k")
        check_segments(pair, python, [texts[0], texts[place]], systems.startswith("r "))


@pytest.mark.parametrize("metric", [*map(str.lower, METRICS)])
def test_compare_takes_any_metric(folder, metric):
    module = {"bleu": vecbleu}.get(metric) or getattr(vecbleu, metric)
    tables = {name: module.statistics(SYSTEMS[name], REFERENCES) for name in ("s", "h")}
    lengths = tables["s"].ref_len
    groups = []
    least = 0
    if lengths is not None:
        found = score_buckets(tables, edges=[2, 5])
        groups = [*zip(found.labels, 100 * found.scores[1], found.sizes.tolist(), strict=True)]
        least = 4
    asked = f"compare r -i s h -m {metric}".split()
    limits = ["--edges", "2", "5", "--min-length", str(least)] if least else []
    _, pair = run_json(folder, *asked, *limits)
    name = module.statistics(["a"], ["a"]).score().name
    parts = [(group["ref_len"], group[name], group["segments"]) for group in pair["groups"]]
    assert parts == groups
    python = segment_differences(tables)
    for part, segments in (("wins", python.gains(1)), ("losses", python.losses(1))):
        expected = [at for at in segments.tolist() if not least or lengths[at] >= least][:2]
        assert [one["line"] - 1 for one in pair[part]] == expected
        for one, segment in zip(pair[part], expected, strict=True):
            assert one["scores"] == (100 * python.scores[:, segment]).tolist()
    tested = significance.paired_bootstrap(tables)
    signature, _, *text = lines(run(folder, *asked, *limits))
    assert signature.startswith(f"{tested.metric}|")
    assert text[: 1 + len(tables)] == tested.table().to_text().split("\n")[: 1 + len(tables)]
    heading = f"lines where h wins against s, sentence {python.metric}:"
    assert (heading in text) == bool(pair["wins"])
    # N-grams are of words, whatever the metric.
    _, usual = run_json(folder, "compare", "r", "-i", "s", "h")
    assert pair["ngram_wins"] == usual["ngram_wins"]
    assert pair["ngram_losses"] == usual["ngram_losses"]
    latex = lines(run(folder, *asked, "--latex"))
    tabular = [line for line in latex if line.startswith(r"\begin{tabular}")]
    assert len(tabular) == (1 if lengths is None else 2)


def test_latex_has_the_column_of_an_option_of_its_own(tmp_path):
    clean, (near, far) = noisy_systems(12, (0.1, 0.3))
    write_lines(tmp_path, {"r": clean, "near": near, "far": far})
    asked = ["rank", "r", "-i", "near", "far", "--latex", "BLEU", "p", "-q"]
    for more, titles in (([], 5), (["--human-agreement"], 6)):
        (header,) = (row for row in lines(run(tmp_path, *asked, *more)) if row.startswith("rank &"))
        assert len(header.split("&")) == titles


def test_compare_fails_if_a_system_is_significantly_worse(tmp_path):
    references, (best, close, poor) = noisy_systems(150, [0.2, 0.21, 0.3])
    files = {"r": references, "best": best, "close": close, "poor": poor}
    write_lines(tmp_path, files)
    run(tmp_path, "stats", "r", "-i", "best", "-o", "best.npz")
    for command, count in {
        "r -i best close": 0,
        "r -i poor best": 0,
        "r -i best close poor": 1,
        "r -i best poor --json": 1,
        "r -i best poor --latex": 1,
        "r -i best poor -m ter": 1,
        "r -i best poor close -m bleu chrf ter": 3,
        "r -i best poor --documents r": 1,
        "-i best.npz best.npz --names old new": 0,
        "r -i best.npz poor": 1,
    }.items():
        words = ["compare", *command.split(), "--segments", "0", "--ngrams", "0"]
        if "latex" in command or ("npz" in command and "poor" not in command):
            words = words[:-4]
        shown = run(tmp_path, *words)
        found = run(tmp_path, *words, "--fail-if-worse")
        assert (found.returncode, found.stdout) == (int(count > 0), shown.stdout), command
        said = found.stderr.decode()
        assert said.count("poor is significantly worse than") == count
        assert len(said.splitlines()) == min(count, 1)
        if count:
            assert re.match(
                r"vecbleu compare: poor is significantly worse than best\S* by \d", said
            )
    words = ["compare", "r", "-i", "best", "poor", "close", "-m", "bleu", "chrf", "ter"]
    told = []
    for module in (vecbleu, chrf, ter):
        scores = [module.statistics(own, references).score() for own in (best, poor)]
        name = getattr(scores[0], "name", "BLEU")
        size = points(abs(scores[1].percent - scores[0].percent))
        told.append(f"poor is significantly worse than best by {size} {name}")
    limits = "--segments", "0", "--ngrams", "0", "--fail-if-worse"
    said = run(tmp_path, *words, *limits).stderr.decode()
    assert said == f"vecbleu compare: {'; '.join(told)}\n"
    missing = run(tmp_path, "compare", "r", "-i", "best", "missing", "--fail-if-worse")
    assert missing.returncode == 2
    names = "--names", "best", "po\x1bor"
    named = run(tmp_path, "compare", "r", "-i", "best", "poor", *names, "--fail-if-worse")
    assert named.stderr.startswith(b"vecbleu compare: po\\u001bor is significantly worse")


def test_compare_has_p_values_adjusted_for_all_systems(tmp_path):
    references, outputs = noisy_systems(60, (0.3, 0.31, 0.33, 0.36, 0.4))
    texts = dict(zip("abcde", outputs, strict=True))
    write_lines(tmp_path, texts | {"r": references})
    found = run_json(tmp_path, "compare", "r", "-i", *texts, "--segments", "0")
    tested = significance.paired_bootstrap([vecbleu.statistics(own, references) for own in outputs])
    holm, hochberg = (values[1:].tolist() for values in (tested.holm, tested.benjamini_hochberg))
    assert holm != hochberg
    assert [row["holm"] for row in found] == [None, *holm]
    for name in ("significant", "borderline", "n_resamples", "human_agreement"):
        values = getattr(tested, name).tolist()
        assert [row[name] for row in found] == [None if own != own else own for own in values]


@pytest.mark.parametrize(
    ("references", "title"), [("r", "r"), ("packed.gz", "packed"), ("-", "Report")]
)
def test_a_report_has_the_name_of_its_references_as_title(folder, references, title):
    data = (folder / "r").read_bytes()
    (folder / "packed.gz").write_bytes(gzip.compress(data))
    words = f"report {references} -i h s -o page.html --resamples 9 -q".split()
    assert lines(run(folder, *words, stdin=data)) == ["page.html: report of 2 systems"]
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert re.search("<title>(.*?)</title>", page)[1] == title


def test_the_baseline_is_a_name_or_a_file(folder):
    for asked in (
        "--names A B --baseline s",
        "--names A B --baseline B",
        "--names s h --baseline h",
    ):
        words = f"compare r -i h s {asked}".split()
        baseline = {row["baseline"] for row in run_json(folder, *words)}
        assert baseline == {words[words.index("--names") + 2]}


@pytest.mark.parametrize("option", [[], ["--full"]])
def test_the_text_of_a_comparison_has_what_its_records_have(folder, option):
    """Of each segment the source, a reference or all of them, and both outputs."""
    asked = ["compare", "r2", "-nr", "2", "-i", "h", "s", "t", "--source", "source"]
    expected = []
    for row in run_json(folder, *asked):
        names = row["baseline"], row["system"]
        for part, kind in (("wins", "wins against"), ("losses", "loses to")):
            if row[part]:
                expected += ["", f"lines where {names[1]} {kind} {names[0]}, sentence BLEU:"]
            for one in row[part]:
                old, new = one["scores"]
                expected.append(f"line {one['line']}: {old:.1f} -> {new:.1f} ({new - old:+.1f})")
                shown = one["references"] if option else one["references"][:1]
                label = "ref" if option else "ref 1 of 2"
                texts = [("src", one["source"]), *((label, text) for text in shown)]
                outputs = ["".join(text for text, _ in pieces) for pieces in one["outputs"]]
                texts += zip(names, outputs, strict=True)
                width = max(len(name) for name, _ in texts)
                expected += [f"  {name:>{width}}: {text}" for name, text in texts]
        phrases = []
        for part, (less, more) in (("ngram_wins", names), ("ngram_losses", names[::-1])):
            counts = (one["counts"] for one in row[part])
            ngrams = [f'"{" ".join(one["ngram"])}"' for one in row[part]]
            listed = [
                f"{own} ({a} against {b})" for own, (a, b) in zip(ngrams, counts, strict=True)
            ]
            if listed:
                begin = f"n-grams that {more} matches more often than {less}: "
                phrases.append(begin + ", ".join(listed))
        expected += ["", *phrases] if phrases else []
    kinds = "wins against", "loses to", "matches more often"
    assert all(any(kind in line for line in expected) for kind in kinds)
    found = lines(run(folder, *asked, *option))
    assert found[-len(expected) :] == expected


def check_segments(pair, python, texts, has_references):
    """What is shown of two systems is what Python finds, with their texts."""
    is_long = [len(TOKENIZE["13a"](one)) >= 4 for one in REFERENCES]  # 4, 7, 1 and 3 tokens
    for part, segments in (("wins", python.gains(1)), ("losses", python.losses(1))):
        expected = [segment for segment in segments.tolist() if is_long[segment]][:2]
        assert [one["line"] - 1 for one in pair[part]] == expected
        for one, segment in zip(pair[part], expected, strict=True):
            assert one["scores"] == (100 * python.scores[:, segment]).tolist()
            assert one.get("references", []) == ([REFERENCES[segment]] if has_references else [])
            assert one["source"] == SOURCE[segment]
            own = [text and text[segment] for text in texts]
            shown = one.get("outputs", [None, None])
            joined = [pieces and "".join(text for text, _ in pieces) for pieces in shown]
            assert joined == [text or None for text in own]
            if None not in own:
                assert shown == json.loads(json.dumps(word_changes(own)))


@pytest.mark.parametrize("given", ["r -i h s t", "r -i h.npz s t --baseline s", "r2 -nr 2 -i h t"])
def test_ngrams_are_those_that_python_finds(folder, given):
    counting = ["-lc", "--max-order", "2", "-tok", "none"] if ".npz" not in given else []
    options = {"lowercase": True, "max_order": 2, "tokenize": "none"} if counting else {}
    found = run_json(folder, "compare", *given.split(), *counting, "--ngrams", "3")
    texts = {name: text for name, text in SYSTEMS.items() if name in given.split()}
    references = [[text, f"other {text}"] if "r2" in given else text for text in REFERENCES]
    python = ngram_differences(texts, references, baseline=found[0]["baseline"], top=3, **options)
    assert python.rows
    for pair in found:
        names = pair["system"], pair["baseline"]
        for part, sides in (("ngram_wins", names), ("ngram_losses", names[::-1])):
            rows = [row for row in python.rows if (row.more, row.less) == sides]
            for entry, row in zip(pair[part], rows, strict=True):
                texts = [*row.ngram], [*row.counts], row.score
                assert (entry["ngram"], entry["counts"], entry["score"]) == texts
                assert entry["lines"] == [segment + 1 for segment in row.examples]
    none = run_json(folder, "compare", *given.split(), *counting, "--ngrams", "0")
    assert not any(pair["ngram_wins"] + pair["ngram_losses"] for pair in none)
    # They stand apart even if a system only wins.
    *_, empty, line = lines(run(folder, "compare", "r", "-i", "s", "r", "--segments", "0"))
    assert (empty, line.partition("more")[0]) == ("", "n-grams that r matches ")


@pytest.mark.parametrize("full", [False, True])
def test_all_references_are_shown_if_asked_for(folder, full):
    words = ["compare", "r2", "-nr", "2", "-i", "h", "t", "--segments", "4"]
    printed = lines(run(folder, *words, *["--full"] * full))
    pairs = [line.strip().partition(": ") for line in printed if line.startswith("  ")]
    found = [(label, text) for label, _, text in pairs if label.startswith("ref")]
    shown = [row for row in REFERENCES if row in {text for _, text in found}]
    assert len(shown) > 1
    expected = {("ref 1 of 2", row) for row in shown}
    if full:
        expected = {("ref", text) for row in shown for text in (row, f"other {row}")}
    assert {*found} == expected


def test_a_metric_that_is_named_twice_is_shown_once(folder):
    for command in ("r -i h -m", "rank clean -i near clean --resamples 9 -m"):
        once, twice = (
            lines(run(folder, *command.split(), *metrics.split()))
            for metrics in ("bleu chrf", "bleu chrf bleu")
        )
        assert twice == once


def test_ngrams_of_many_outputs_are_compared_if_asked_for(folder, monkeypatch):
    asked = "compare", "clean", "-i", "near", "clean", "--segments", "0"
    for most, is_shown in ((24, True), (23, False)):
        monkeypatch.setattr("vecbleu.cli.compare.MOST_OUTPUTS", most)
        text = "\n".join(lines(run(folder, *asked)))
        assert ("n-grams that clean matches more often than near: " in text) == is_shown
        note = "n-grams of 24 outputs are only compared with --ngrams N"
        assert (note in text) == (not is_shown)
        assert note not in "\n".join(lines(run(folder, *asked, "--ngrams", "1")))


def test_lines_are_read_from_any_block(folder):
    words = np.random.default_rng(0).choice([*"abcd"], (60_000, 6))
    references = [*map(" ".join, words)]
    texts = {name: references.copy() for name in ("long.r", "long.a", "long.b")}
    texts["long.a"][20_000] = texts["long.b"][55_555] = "x x x x x x"
    write_lines(folder, texts)
    asked = ["long.r", "-i", "long.a", "long.b", "--resamples", "10"]
    (_, pair) = run_json(folder, "compare", *asked)
    (_, other) = run_json(folder, "compare", *asked, "--ngrams", "1")
    assert (pair["ngram_wins"], len(other["ngram_wins"])) == ([], 1)  # of 120,000 outputs
    for part, place in (("wins", 20_000), ("losses", 55_555)):
        (one,) = pair[part]
        outputs = [[["x x x x x x", True]], [[references[place], True]]]
        assert (one["line"], one["references"]) == (place + 1, [references[place]])
        assert one["outputs"] == (outputs if part == "wins" else outputs[::-1])


@pytest.mark.parametrize("width", [40, 200])
@pytest.mark.parametrize("place", [150, 299])
def test_long_texts_are_cut_around_the_difference(tmp_path, monkeypatch, width, place):
    words = " ".join(f"w{number}" for number in range(300))
    one, other = (words.replace(f"w{place}", word) for word in ("HERE", "THERE"))
    sides = {"h": [one] * 3 + [other] * 3, "s": [other] * 3 + [one] * 3}
    write_lines(tmp_path, {"r": [one] * 6, "src": [other] * 6} | sides)
    monkeypatch.setenv("COLUMNS", str(width))
    asked = ["compare", "r", "-i", "h", "s", "--source", "src"]
    shown = lines(run(tmp_path, *asked))
    rows = [row for row in (re.fullmatch(r" *[hs]: …(.*?)…?", line) for line in shown) if row]
    cut = [row[1] for row in rows]
    assert len(cut) == 8
    assert all("HERE" in text and (text in one or text in other) for text in cut)
    assert {len(row[0]) for row in rows} == {width - (place == 299)}  # without a second ellipsis
    full = "\n".join(lines(run(tmp_path, *asked, "--full")))
    assert "…" not in full
    assert all(full.count(f": {text}\n") >= 4 for text in (one, other))


def test_long_texts_with_another_beginning_are_shown_from_it(tmp_path, monkeypatch):
    """Also if many words of one output are not in the other."""
    words = " ".join(f"w{number}" for number in range(99))
    write_lines(tmp_path, {"r": [words] * 3, "h": ["NOT " * 30 + words] * 3, "s": [words] * 3})
    monkeypatch.setenv("COLUMNS", "60")
    shown = [line.strip() for line in lines(run(tmp_path, "compare", "r", "-i", "h", "s"))]
    beginnings = {line[:12] for line in shown if line.endswith("…")}
    assert beginnings == {"ref: w0 w1 w", "h: NOT NOT N", "s: w0 w1 w2 "}


def test_the_ending_of_a_picture_may_be_in_capitals(folder):
    pytest.importorskip("matplotlib")
    for name in ("small.svg", "LARGE.SVG"):
        lines(run(folder, *f"plot precisions r -i h s -o {name}".split()))
    assert (folder / "small.svg").read_bytes() == (folder / "LARGE.SVG").read_bytes()


GROUPED = {"one": ["x", "y"] * 6, "two": ["a\tb", "c \t d\r"] * 6}
COMMANDS_OF_GROUPS = ["{} -i near", "rank {} -i near clean", "compare {} -i near clean"]


@pytest.mark.parametrize("command", COMMANDS_OF_GROUPS)
def test_each_column_of_labels_is_a_table_of_its_own(folder, command):
    write_lines(folder, GROUPED)
    command = f"{command.format('clean')} --labels"
    printed = lines(run(folder, *command.split(), "two"))
    tables = [line for line in printed if line.startswith("BLEU by ")]
    assert tables == ["BLEU by label 1", "BLEU by label 2"]
    latex = lines(run(folder, *command.split(), "two", "--latex"))
    assert [f"% {title}" for title in tables] == [line for line in latex if " by label" in line]
    for row in run_json(folder, *command.split(), "two"):
        first, second = (
            [group[name] for group in row["groups"] if name in group]
            for name in ("label 1", "label 2")
        )
        assert (first, second) == (["a", "c"], ["b", "d"])
        scores = [group["BLEU"] for group in row["groups"]]
        assert scores[:2] == scores[2:]
    for row in run_json(folder, *command.split(), "one"):
        assert [group["label"] for group in row["groups"]] == ["x", "y"]


@pytest.mark.parametrize("width", [0, 1, 4])
def test_scores_of_groups_have_the_digits_of_others(folder, width):
    write_lines(folder, GROUPED)
    printed = lines(run(folder, *f"clean -i near --labels one -w {width}".split()))
    clean, near = ((folder / name).read_text().split("\n")[:-1] for name in ("clean", "near"))
    for start, label in enumerate("xy"):
        score = vecbleu.corpus_bleu(near[start::2], clean[start::2])
        assert [label, f"{score.percent:.{width}f}", "6"] in [line.split() for line in printed]


@pytest.mark.parametrize("command", COMMANDS_OF_GROUPS)
def test_rows_of_labels_with_a_column_too_few_are_refused(folder, command):
    write_lines(folder, {"uneven": ["a\tb"] * 11 + ["c"], "few": ["a"] * 11})
    command = f"{command.format('clean')} --labels"
    told = "uneven: line 12 has 1 tab-separated labels, expected 2"
    assert told in error(run(folder, *command.split(), "uneven"))
    assert "few has 11 segments" in error(run(folder, *command.split(), "few"))


def test_documents_are_one_column(folder):
    write_lines(folder, GROUPED)
    for command in ("rank", "compare"):
        words = f"{command} clean -i near clean --documents two".split()
        assert "two has 2 tab-separated columns" in error(run(folder, *words))


@pytest.mark.parametrize("option", ["-b", "-sl", "-f json"])
def test_labels_have_an_effect_or_are_refused(folder, option):
    write_lines(folder, GROUPED)
    words = f"clean -i near --labels one {option}".split()
    assert "--labels is one, but " in error(run(folder, *words))


def test_groups_of_a_ranking_are_tested_against_the_best_at_its_level(folder):
    texts = {name: (folder / name).read_text(encoding="utf-8") * 2 for name in ("clean", "near")}
    files = {name: text.split("\n")[:-1] for name, text in texts.items()}
    files["near"][1:] = files["clean"][1:]  # so that p depends on the level
    own_files = {f"{name}2": own for name, own in files.items()}
    write_lines(folder, own_files | {"half": ["x", "y"] * 12})
    options = ["--labels", "half", "--level", "0.9", "--seed", "3"]
    words = ["rank", "clean2", "-i", "near2", "clean2", *options]
    tables = {name: vecbleu.statistics(own, files["clean"]) for name, own in files.items()}
    test = partial(significance.paired_bootstrap, confidence_level=1 - 0.9, rng=3)
    buckets = score_buckets(tables, ["x", "y"] * 12, baseline="clean", compare=test)
    expected = replace(buckets, level=0.9).records()
    assert expected != buckets.records()
    for row in run_json(folder, *words):
        own = [group | {"system": f"{group['system']}2"} for group in expected]
        assert row["groups"] == [group for group in own if group["system"] == row["system"]]
    assert "lower, upper: 10% interval" in lines(run(folder, *words))[-4:]
    exact = partial(significance.paired_randomization, rng=3)
    expected = score_buckets(tables, ["x", "y"] * 12, baseline="clean", compare=exact).records()
    (row,) = [
        row
        for row in run_json(folder, *words, "--test", "randomization")
        if row["system"] == "near2"
    ]
    assert row["groups"] == [
        group | {"system": "near2"} for group in expected if group["system"] == "near"
    ]
    test = partial(significance.paired_bootstrap, confidence_level=0.5, rng=3)
    buckets = score_buckets(tables, ["x", "y"] * 12, baseline="clean", compare=test)
    bounds = buckets.difference_lower[1], buckets.difference_upper[1]
    found = run_json(folder, *words, "--confidence-level", "0.5")[-1]["groups"]
    for part, values in zip(("difference_lower", "difference_upper"), bounds, strict=True):
        assert [group[part] for group in found] == (100 * values).tolist()


@pytest.mark.filterwarnings("ignore:.*UTF-8 that was read in another:vecbleu.InputWarning")
def test_labels_are_read_in_the_encoding_of_the_files(folder):
    (folder / "labels").write_bytes("é\n".encode("latin-1") * 12)
    command = "compare clean -i near clean --labels labels -e latin-1 --resamples 9"
    groups = {
        group["label"] for row in run_json(folder, *command.split()) for group in row["groups"]
    }
    assert groups == {"é"}


def test_names_stand_for_files_in_every_format(folder):
    for options in ("-f json", "--json"):
        command = f"clean -i near clean --names A B {options}"
        records = json.loads("".join(lines(run(folder, *command.split()))))
        assert [record["system"] for record in records] == ["A", "B"]
