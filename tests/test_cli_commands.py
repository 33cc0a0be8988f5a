"""Rank, explain, stats and mbr: what they print is what Python's functions return."""

from __future__ import annotations

import gzip
import json
import re
from functools import partial
from itertools import chain
from pathlib import Path

import pytest
from command import REFERENCES, SYSTEMS, error, lines, run, run_json, write_lines
from conftest import blocks_of
from corpora import noisy_systems

import vecbleu
from vecbleu import chrf, significance

SENTENCE = {"smoothing": "exp", "effective_order": True}

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
        ("--confidence-level 0.8 -s none", {"confidence_level": 0.8, "smoothing": "none"}),
        ("--test randomization --resamples 99", {"test": "randomization", "n_resamples": 99}),
        ("--test randomization", {"test": "randomization"}),
        ("--effective-order --max-order 9", {"effective_order": True}),
        ("--level 0.3 --adjust holm", {"level": 0.3, "adjust": "holm"}),
        ("--adjust benjamini_hochberg", {"adjust": "benjamini_hochberg"}),
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
    assert (empty, text) == ("", table.to_text().split("\n"))
    latex = lines(run(folder, *command, "--latex"))
    assert latex == [f"% {signature}", *table.to_latex().split("\n")]
    pairs = [pair for row in found for pair in row.pop("pairs")]
    same = {"level": expected.level, "adjust": expected.adjust, "signature": signature}
    assert found == [row | same for row in table.records()]
    assert [row["BLEU"] for row in found] == [
        100 * expected.scores[index] for index in expected.order
    ]
    assert len(pairs) == 3
    indices = {name: index for index, name in enumerate(expected.names)}
    for pair in pairs:
        better, worse = indices[pair["better"]], indices[pair["worse"]]
        assert pair["p"] == expected.p_values[better, worse]
        assert pair["holm"] == expected.holm[better, worse]
        assert pair["difference"] == 100 * expected.differences[better, worse] >= 0


def test_chrf_is_pythons_of_text_and_of_statistics(folder):
    flags = "-cc 3 -cw 1 --chrf-beta 0.5 --chrf-lowercase --chrf-whitespace --chrf-eps-smoothing"
    asked = {"char_order": 3, "word_order": 1, "beta": 0.5, "lowercase": True, "whitespace": True}
    options, rows = ["-m", "chrf", *flags.split()], {}
    for name, outputs in SYSTEMS.items():
        rows[name] = chrf.statistics(outputs, REFERENCES, **asked, eps_smoothing=True)
        lines(run(folder, "stats", "r", "-i", name, "-o", f"chrf.{name}.npz", *options))
        assert chrf.ChrfStatistics.load(folder / f"chrf.{name}.npz") == rows[name]
    files = [f"chrf.{name}.npz" for name in SYSTEMS]
    for given in (["r", "-i", *SYSTEMS, *options], ["-i", *files, "-m", "chrf"]):
        command = [*given, "--names", *SYSTEMS]
        signature, _, *text = lines(run(folder, "rank", *command))
        assert text == significance.rank(rows).table().to_text().split("\n")
        assert signature.startswith("chrF0.5+|nrefs:1|bs:1000|sides:2|seed:12345|case:lc|eff:no|")
        percents = [record["chrF0.5+"] for record in run_json(folder, *command)]
        assert percents == [table.score().percent for table in rows.values()]


def test_rank_shows_more_metrics_beside_the_first(folder):
    command = ["rank", "clean", "-i", "near", "clean", "--resamples", "99", "-m"]
    names = ["chrf", "bleu"], ["chrf"], ["bleu"]
    both, first, second = (run_json(folder, *command, *metrics) for metrics in names)
    assert both == first + second
    *signatures, _, title, best, worst = lines(run(folder, *command, *names[0]))[:6]
    assert signatures == [records[0]["signature"] for records in (first, second)]
    alone = [line.split() for line in lines(run(folder, *command, "chrf"))[2:5]]
    beside = [[f"{row['BLEU']:.2f}", f"{row['cluster']}"] for row in second]
    expected = zip(alone, [["BLEU", "cluster"], *beside], strict=True)
    assert [line.split() for line in (title, best, worst)] == [row + more for row, more in expected]


@pytest.mark.filterwarnings("default")
def test_warnings_name_options(tmp_path):
    write_lines(tmp_path, {"r": ["a b c d e"] * 20, "poor": ["a b c d x"] * 20})
    done = run(tmp_path, "rank", "r", "-i", "r", "poor", "--names", "a", "b", "--resamples", "10")
    assert done.stderr.startswith(b"vecbleu: --resamples is 10, too few for p < 0.05")


def check_explanation(found, *segment, **options):
    """JSON is Python's explanation, its scores on 0 to 100."""
    explanation = vecbleu.explain(*segment, **SENTENCE | options)
    own, orders = explanation.to_dict(), explanation.to_dict()["orders"]
    expected = {name: value for name, value in own.items() if name in found} | {
        "BLEU": own["percent"],
        "corpus_BLEU": explanation.corpus_score.percent,
        "precisions": own["percent_precisions"],
        "signature": found["signature"],
        "ngrams": [order["ngrams"] for order in orders],
    }
    assert found == json.loads(
        json.dumps({**expected, **{k: found[k] for k in ("system", "line")}})
    )


def test_texts_are_explained_as_by_python(folder):
    segment = "The cat sat.", ["A cat\tsat", "the cat"]
    texts = "--hyp", segment[0], "--ref", "A cat\tsat", "--ref", "the cat"
    (found,) = run_json(folder, "explain", *texts, "-lc", "--max-order", "9", "-s", "floor")
    check_explanation(found, *segment, lowercase=True, max_order=9, smoothing="floor")
    assert found["BLEU"] > found["corpus_BLEU"] == 0
    signature = "BLEU|nrefs:2|case:lc|eff:yes|tok:13a|smooth:floor[0.10]|max_order:9|"
    assert found["signature"].startswith(signature)
    *shown, _, _ = lines(run(folder, "explain", *texts))
    assert shown == str(vecbleu.explain(*segment, **SENTENCE)).split("\n")


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("files", ["r t", "r2 -nr 2"])
def test_a_line_of_files_has_the_score_of_its_segment(folder, number, files):
    other = SYSTEMS["t"][number - 1] if "t" in files.split() else f"other {REFERENCES[number - 1]}"
    found = run_json(folder, "explain", *files.split(), "-i", "h", "s", "--line", str(number))
    for name, one in zip("hs", found, strict=True):
        assert (one["system"], one["line"]) == (name, number)
        check_explanation(one, SYSTEMS[name][number - 1], [REFERENCES[number - 1], other])
        scores = lines(run(folder, *files.split(), "-i", name, "-sl", "-b", "-w", "9"))
        assert float(scores[number - 1]) == round(one["BLEU"], 9)


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
        ("", "h s t"),
        ("-f latex", "h s"),
        ("-par -parn 100", "h s t"),
    ],
)
def test_statistics_take_the_place_of_text(folder, options, systems):
    names = systems.split()
    expected = [*map(without_widths, lines(run(folder, "r", "-i", *names, *options.split())))]
    statistics = [f"{name}.npz" for name in names]
    given = [["-i", *statistics], ["r", "-i", *statistics], ["r", "-i", names[0], *statistics[1:]]]
    for arguments in given:  # references may stay where text was
        printed = lines(run(folder, *arguments, *options.split()))
        assert [*map(without_widths, printed)] == expected


def without_widths(line):
    """A line of a table that is as wide as the names of files in it."""
    return line.replace(".npz", "").replace(" ", "")


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ("", {}),
        ("-tok char -lc --max-order 2", {"tokenize": "char", "lowercase": True, "max_order": 2}),
    ],
)
def test_stats_writes_what_python_counts(folder, options, asked):
    command = ["stats", "r2", "-i", "h", "-nr", "2", "-o", "out.npz", *options.split()]
    (line,) = lines(run(folder, *command))
    references = [[one, f"other {one}"] for one in REFERENCES]
    expected = vecbleu.statistics(SYSTEMS["h"], references, **asked)
    written = vecbleu.Statistics.load(folder / "out.npz")
    assert written == expected
    assert written.signature.to_dict() == expected.signature.to_dict() | {"references": 2}
    assert line == f"out.npz: {expected!r}, {written.signature!r}"


def test_files_may_say_less_or_more_of_how_they_were_counted(folder):
    table = vecbleu.file_statistics(folder / "h", folder / "r", max_order=2, ref_length="longest")
    table.save(folder / "longest.npz")
    vecbleu.Statistics(table.array).save(folder / "unknown.npz")
    (line,) = lines(run(folder, "-i", "longest.npz"))
    assert "|smooth:exp|max_order:2|ref_length:longest|version:" in line
    (line,) = lines(run(folder, "-i", "unknown.npz"))
    assert line.startswith("BLEU|eff:no|smooth:exp|max_order:2|version:")
    vecbleu.Statistics.load(folder / "h.npz").sum().save(folder / "sum.npz")
    assert lines(run(folder, "-i", "sum.npz", "-b")) == lines(run(folder, "-i", "h.npz", "-b"))


def test_parts_are_joined(folder):
    for number, rows in enumerate((slice(0, 1), slice(1, 4))):
        write_lines(folder, {f"h{number}": SYSTEMS["h"][rows], f"r{number}": REFERENCES[rows]})
        lines(run(folder, "stats", f"r{number}", "-i", f"h{number}", "-o", f"part{number}.npz"))
    lines(run(folder, "stats", "-i", "part0.npz", "part1.npz", "-o", "joined.npz"))
    joined, whole = (vecbleu.Statistics.load(folder / f"{one}.npz") for one in ("joined", "h"))
    assert joined == whole
    assert joined.signature == whole.signature


def test_empty_files_have_no_segments_in_any_command(folder):
    lines(run(folder, "stats", "empty", "-i", "empty", "-o", "empty.npz"))
    assert len(vecbleu.Statistics.load(folder / "empty.npz")) == 0
    assert lines(run(folder, "-i", "empty.npz", "-b")) == ["0.0"]
    assert "0 segments" in error(run(folder, "-i", "empty.npz", "-ci"))
    assert lines(run(folder, "mbr", "-i", "empty", "-n", "3")) == []
    assert lines(run(folder, "mbr", "empty", "-i", "empty", "-n", "3", "-p", "2")) == []


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("-s none", {"smoothing": "none"}),
        ("-l en-zh -lc --workers 2", {"tokenize": "zh", "lowercase": True}),
        (
            "--max-order 2 -s add-k -sv 3",
            {"max_order": 2, "smoothing": "add-k", "smoothing_value": 3},
        ),
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
        names = "source", "candidate", "BLEU", "text"
        shown = [tuple(one[name] for name in names) for one in found]
        assert [(*row[:2], round(row[2], 9), row[3]) for row in shown] == expected
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
    "vecbleu REF... -i SYS...": ["r -i h", "r -i h s -sh", "r -i h -sl -sh", "-i h.npz"],
    "vecbleu REF... -i SYS... -m chrf": ["r -i h s -m chrf", "r -i h -m chrf -sl"],
    "-ci": ["clean -i near -ci -sh"],
    "-par": ["clean -i near clean -par -parn 9 -sh"],
    "-pbs": ["clean -i near clean -pbs -pbsn 9 -sh"],
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
            metric = "chrF2" if "chrf" in words else "BLEU"
            assert record["signature"].startswith(f"{metric}|nrefs:1|")
            assert record.get("lower", 0) <= record[metric] <= record.get("upper", 100.01)
            difference = record.get("difference") or 0
            assert (record.get("difference_lower") or -100) <= difference
            assert difference <= (record.get("difference_upper") or 100)
        assert any(record[metric] > 1 for record in records) or "--hyp" in words


# Tables of two systems, with the titles of their columns but for those of the systems.
TABLES = """
clean -i near --latex: BLEU
clean -i near -ci --latex: BLEU & lower & upper & mean
clean -i near clean -pbs --latex p BLEU: BLEU & p
rank clean -i near clean --latex: BLEU & lower & upper & cluster & difference & lower & upper & p (best) & p (above)
rank clean -i near clean --latex p difference: difference & p (best) & p (above)
rank clean -i near clean --latex difference interval: difference & lower & upper
compare clean -i near clean --edges 3 --latex BLEU interval: BLEU & lower & upper
"""  # noqa: E501


@pytest.mark.parametrize("table", TABLES.strip().split("\n"))
def test_latex_has_the_columns_asked_for(folder, monkeypatch, table):
    monkeypatch.setenv("SACREBLEU_FORMAT", "json")  # as -f json: only without --latex
    command, titles = table.split(": ")
    printed = lines(run(folder, *command.split()))
    if command.endswith("--latex") and "clean -i near clean" in command:
        text = lines(run(folder, *command.split()[:-1]))  # of rank
        assert [f"% {note}" for note in (text[0], *text[-3:])] == [printed[0], *printed[-3:]]
    rows = [line.removesuffix(r" \\") for line in printed if line.endswith(r" \\")]
    is_ranking, is_comparison = command.startswith("rank"), command.startswith("compare")
    assert rows[0] == f"{'rank & ' * is_ranking}system & {titles}"
    assert (r"ref\_len & near & clean & segments" in rows) == is_comparison
    assert any(row.startswith(r"\ensuremath{\geq} 3 & ") for row in rows) == is_comparison
    assert any(" & $-$" in row for row in rows) == ("difference" in titles)
    assert {line[:1] for line in printed if line.removesuffix(r" \\") not in rows} <= {
        "%",
        "\\",
        "",
    }
