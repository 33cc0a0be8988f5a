"""Tables know their references, and are compared only with tables of the same."""

from __future__ import annotations

import copy
import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import numpy as np
import pytest
from command import error, run, write_lines
from corpora import random_lines, transposed
from corpora import write_lines as write_file
from hypothesis import given
from hypothesis import strategies as st
from strategies import string_tokens, ugly_text

import vecbleu
from vecbleu import Signature, chrf, report, ter
from vecbleu.analysis import score_buckets, segment_differences
from vecbleu.significance import paired_bootstrap, paired_randomization, rank

MODULES = {"BLEU": vecbleu, "chrF": chrf, "TER": ter}
COUNTERS = {metric: module.statistics for metric, module in MODULES.items()}
OUTPUTS = ["a b", "c", "", "d e f"] * 3

# Longer than one and than two windows of the hash, and than one block.
LINES = ["the cat", "x " * 150, "y " * 300, "", *random_lines(4, 56, longest=60)]


def refused(*tables):
    """The error of each function that compares tables; all of the same row."""
    errors = set()
    for compare in (
        lambda: paired_bootstrap(tables, n_resamples=1),
        lambda: paired_randomization(tables, n_resamples=1),
        lambda: rank(tables, n_resamples=1),
        lambda: segment_differences(tables),
        lambda: score_buckets(tables, ["x"] * len(tables[0])),
    ):
        with pytest.raises(ValueError, match="references") as caught:
            compare()
        errors.add(str(caught.value))
    (error,) = errors
    return error


def hashes(hypotheses, references, **options):
    return vecbleu.statistics(hypotheses, references, **options).reference_hashes.tolist()


spaces = st.sampled_from(["", " ", "\r\n", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\u1680 "])
lines_of_files = st.builds("{}{}{}".format, spaces, ugly_text, spaces)
references_of_a_segment = st.lists(ugly_text | lines_of_files, min_size=1, max_size=5)


@pytest.mark.parametrize("metric", COUNTERS)
@given(data=st.data())
def test_other_references_are_refused(metric, data):
    """In one row, in the order of rows, of words, or of several references; the row is named."""
    size = len(OUTPUTS)
    drawn = st.lists(references_of_a_segment, min_size=size, max_size=size)
    references = data.draw(drawn)
    others = [[*row] for row in references]
    row = data.draw(st.integers(0, size - 1))
    change = data.draw(st.sampled_from(["text", "one more", "one less", "order", "rows", "words"]))
    if change == "text":
        others[row][data.draw(st.integers(0, len(others[row]) - 1))] = data.draw(ugly_text)
    elif change == "one more":
        others[row].append(data.draw(ugly_text))
    elif change == "one less":
        others[row] = others[row][1:] or ["x"]
    elif change == "order":
        others[row].reverse()
    elif change == "rows":
        others = others[1:] + others[:1]
    else:
        others[row][0] = " ".join(reversed(others[row][0].split()))
    before, after = COUNTERS[metric](OUTPUTS, references), COUNTERS[metric](OUTPUTS, others)
    before_and_after = (
        [[text.strip() for text in row] for row in rows] for rows in (references, others)
    )
    is_other = [one != other for one, other in zip(*before_and_after, strict=True)]
    found = before.reference_hashes != after.reference_hashes
    assert found.tolist() == is_other
    if any(is_other):
        error = refused(before, COUNTERS[metric](OUTPUTS[::-1], references), after)
        assert f"systems[2][{is_other.index(True)}]" in error
        assert "systems[0]" in error
        assert f"({sum(is_other)} of {size} rows" in error
    else:
        paired_bootstrap([before, after], n_resamples=1)


def counted_in_every_way(tmp_path, metric, hypotheses, references):
    """Tables of the same segments, by every door that takes text, and as joined and cut parts."""
    count, size = COUNTERS[metric], len(hypotheses)
    whole = count(hypotheses, references, workers=1)
    parts = [count(hypotheses[cut:stop], references[cut:stop]) for cut, stop in ((0, 1), (1, size))]
    (tmp_path / "counts.npz").unlink(missing_ok=True)
    whole.save(tmp_path / "counts.npz")
    yield whole
    yield type(whole).concatenate(parts)
    yield type(whole).concatenate([whole[5:], whole[:5]])[np.roll(np.arange(size), 5)]
    yield type(whole).load(tmp_path / "counts.npz")
    yield pickle.loads(pickle.dumps(whole))
    yield copy.deepcopy(whole)
    yield type(whole)(whole)
    yield count(hypotheses, [[f" {text}\r\n" for text in row] for row in references], workers=2)
    with ThreadPoolExecutor(1) as executor:
        yield count(hypotheses[::-1], references[::-1], workers=executor)[::-1]
    if metric == "BLEU":
        yield count(hypotheses, references, tokenize=str.split)
        yield count(hypotheses, references, lowercase=True)
    if len({*map(len, references)}) == 1:
        streams = transposed(references)
        paths = [
            write_file(tmp_path / f"{place}.gz", lines, compress=True)
            for place, lines in enumerate(streams)
        ]
        file = write_file(tmp_path / "h", [f"{line}\r" for line in hypotheses])
        yield MODULES[metric].file_statistics(file, paths)
    if len({*map(tuple, references)}) == 1 and metric == "BLEU":
        yield count(hypotheses, vecbleu.SharedReferences(references[0]))


@pytest.mark.parametrize("metric", COUNTERS)
@pytest.mark.parametrize("number", ["one", "two", "shared", "any"])
def test_the_same_references_are_known_by_every_door(tmp_path, metric, number):
    references = {
        "one": [[line] for line in LINES],
        "two": [[line, line[::-1]] for line in LINES],
        "shared": [LINES[:7]] * len(LINES),
        "any": [LINES[: place % 5 + 1] for place in range(len(LINES))],
    }[number]
    times = 120 // max(map(len, references))  # several blocks
    own = ["a"] * len(LINES) if metric == "TER" else LINES[::-1]  # TER of long lines takes minutes
    hypotheses, references = own * times, references * times
    first, *others = counted_in_every_way(tmp_path, metric, hypotheses, references)
    assert first.reference_hashes.all()
    assert len(others) >= 8
    for table in others:
        assert np.array_equal(table.reference_hashes, first.reference_hashes)
    assert len({*first.reference_hashes.tolist()}) == len({*map(tuple, references)})
    with pytest.raises(ValueError, match="read-only"):
        first.reference_hashes[0] = 1


@given(st.lists(st.lists(string_tokens, max_size=9), min_size=1, max_size=4), st.integers(0, 3))
def test_tokens_and_ids_are_known_too(rows, place):
    """As lists of any size, and as arrays; one other token is another reference."""
    alone = [["a"]]
    numbers = {token: 7 * n for n, token in enumerate(chain.from_iterable(rows))}
    ids = [[numbers[token] for token in row] for row in rows]
    (known,) = hashes(alone, [rows])
    assert known == hashes(alone * 3000, [rows] * 3000)[2999]
    assert bool(known) == any(map(len, rows))  # tokens of no kind are not known
    assert [known] == hashes(alone, vecbleu.SharedReferences(rows))
    (known,) = hashes([[1]], [ids])
    assert [known] == hashes(np.array([[1]]), [[np.array(row, np.int64) for row in ids]])
    assert [known] == hashes([[1]], vecbleu.SharedReferences(ids))
    ids[place % len(ids)] += [-1]
    assert [known] != hashes([[1]], [ids])


def test_what_is_not_known_is_not_compared(tmp_path):
    """Arrays, files of version 0.4, tokens that are numbered anew, text against its tokens."""
    lines = ["a b c", "d e"]
    stats = vecbleu.statistics(lines, lines)
    unknown = vecbleu.Statistics(stats.array)
    stats[::-1].save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as archive:
        members = {name: archive[name] for name in archive if name != "reference_hashes"}
    np.savez(tmp_path / "old.npz", **members)
    old = vecbleu.Statistics.load(tmp_path / "old.npz")
    tuples = [[(1, 2), (3,)], [(4,), (5, 6)]]
    other = vecbleu.statistics(tuples, tuples)
    tokens = vecbleu.statistics([*map(str.split, lines[::-1])], [*map(str.split, lines[::-1])])
    for table in (unknown, old, other, stats[:1] + unknown[:1]):
        assert not table.reference_hashes.any()
    for table in (unknown, old, tokens):
        paired_bootstrap([stats, table], n_resamples=1)
    rank([unknown, stats, unknown], n_resamples=99)
    refused(old, stats, stats[::-1])
    half = vecbleu.Statistics.concatenate([old[:1], stats[:1]])
    assert "systems[1][1]" in refused(stats, half)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 255, 256, 257, 512, 600, 1000])
def test_every_byte_of_a_reference_counts(length):
    text = "".join(map(chr, np.random.default_rng(1).integers(97, 123, length)))
    pieces = [f"{text[:256]:x<256}", f"{text[::-1][:256]:y<256}"]
    others = [f"{text[:at]}.{text[at + 1 :]}" for at in range(length)]
    others += [text, text + "\0", "".join([*pieces, text]), "".join([*pieces[::-1], text])]
    found = hashes(["a"] * len(others), others)
    assert len({*found}) == len(found)


def test_every_bit_of_the_first_byte_counts():
    hashes = [
        vecbleu.statistics([""], [f"{chr(code)} cat"]).reference_hashes for code in range(33, 127)
    ]
    assert len({int(value[0]) for value in hashes}) == 127 - 33


@pytest.mark.parametrize("space", [" ", "\x85", "\xa0", "\u2028", "\u3000"])
def test_white_space_at_the_end_of_the_last_reference_is_left_out(space):
    assert hashes(["x"], [f"0{space}"]) == hashes(["x"], ["0"])


def test_a_selection_is_compared_with_counts_of_the_same_segments():
    """Although the one still says that numbers of references vary."""
    lines, references = ["a", "b", "c"], [["a"], ["b"], ["c", "d"]]
    chosen = vecbleu.statistics(lines, references)[:2]
    again = vecbleu.statistics(lines[:2], references[:2])
    rank([chosen, again], n_resamples=99)
    with pytest.raises(ValueError, match="references"):
        rank([vecbleu.Statistics(again.array, Signature(references=n)) for n in (1, 2)])


def test_sums_know_what_was_added():
    lines = ["a b", "c", "d"]
    one, two = (vecbleu.statistics(rows, rows) for rows in (lines, lines[::-1]))
    total = one.sum().reference_hashes
    assert total.shape == ()
    assert total == two.sum().reference_hashes == sum(one).reference_hashes
    assert total == (one[:2].sum() + one[2]).reference_hashes != one[:2].sum().reference_hashes
    assert np.array_equal((one + two).reference_hashes, (two + one).reference_hashes)
    refused(one + two, one + one)


@pytest.mark.parametrize("wrong", [np.ones(3, np.int64), np.ones((2, 1), np.int64), np.ones(2)])
def test_damaged_hashes_are_refused(tmp_path, wrong):
    file = io.BytesIO()
    vecbleu.statistics(["a", "b"], ["a", "b"]).save(file)
    file.seek(0)
    with np.load(file) as archive:
        members = {**archive, "reference_hashes": wrong}
    np.savez(tmp_path / "bad.npz", **members)
    with pytest.raises(ValueError, match=r"bad\.npz.*reference_hashes"):
        vecbleu.Statistics.load(tmp_path / "bad.npz")


@pytest.mark.parametrize(
    "command",
    [
        "-i one.npz two.npz",
        "o -i one.npz",
        "o -i one.npz -sl",
        "r -i text two.npz",
        "o -i text one.npz",
        "rank o -i one.npz one.npz --names A B",
        "report o -i one.npz one.npz --names A B -o out.html",
        "stats o -i one.npz -o out.npz",
        "-i one.npz two.npz -pbs",
        "-i one.npz two.npz -par -m chrf",
        "r -i text two.npz -par",
        "rank -i one.npz two.npz",
        "rank r -i text two.npz -m chrf",
        "compare r -i text two.npz",
        "report -i one.npz two.npz -o out.html",
        *(
            f"plot {kind} -i one.npz two.npz -o out.svg"
            for kind in ("scores", "pairs", "groups", "precisions")
        ),
    ],
)
def test_every_command_refuses_other_references(tmp_path, command):
    if command.startswith("plot"):
        pytest.importorskip("matplotlib")
    lines = LINES[:20]
    module = chrf if "chrf" in command else vecbleu
    module.statistics(lines, lines).save(tmp_path / "one.npz")
    others = [*lines[:7], *lines[8:], lines[7]]
    module.statistics(lines, others).save(tmp_path / "two.npz")
    write_lines(tmp_path, {"r": lines, "text": lines, "o": others})
    found = error(run(tmp_path, *command.split()))
    assert f"{'two' if 'two' in command else 'one'}.npz: line 8" in found
    assert not [*tmp_path.glob("out*")]


def test_sums_of_other_references_are_refused_by_the_command(tmp_path):
    lines = LINES[:9]
    write_lines(tmp_path, {"r": lines, "o": [*lines[:8], "x"], "text": lines})
    vecbleu.statistics(lines, lines).sum().save(tmp_path / "sum.npz")
    assert run(tmp_path, *["r", "-i", "text", "sum.npz"]).returncode == 0
    assert "sum.npz" in error(run(tmp_path, *["o", "-i", "text", "sum.npz"]))


def test_a_report_refuses_other_references_than_those_of_its_statistics(tmp_path):
    table = vecbleu.statistics(LINES, LINES)
    with pytest.raises(ValueError, match=r"systems\['a'\]\[0\] .* of references"):
        report.write(tmp_path / "x.html", {"a": table, "b": table}, LINES[::-1])


@pytest.mark.parametrize("tokenize", [str.split, "13a"])
def test_text_is_compared_with_text_and_tokens_with_tokens(tokenize):
    """Whatever the tokenizer; hashes of text, of string tokens and of integers are no equals."""
    lines, others = [["1 2", "3 4"], ["1 2", "3 5"]]
    split = [[*map(str.split, rows)] for rows in (lines, others)]
    numbers = [[[*map(int, row)] for row in rows] for rows in split]
    arrays = [[[*np.array(row)] for row in rows] for rows in numbers]
    tables = [
        [
            vecbleu.statistics(rows, rows, tokenize=tokenize)
            if kind is None
            else vecbleu.statistics(rows, rows)
            for rows in kind or (lines, others)
        ]
        for kind in (None, split, numbers, arrays)
    ]
    rank([same for same, _ in tables], n_resamples=99)
    for _, other in tables:
        assert "systems[4][1]" in refused(*(same for same, _ in tables), other)
