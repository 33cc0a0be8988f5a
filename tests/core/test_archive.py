"""Files and arrays that claim what no text has, or more than they hold."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vecbleu
from vecbleu import Statistics
from vecbleu.core.statistics import archive, columns, stream
from vecbleu.core.statistics.stream import save_blocks

ROWS = np.array([[2, 2, 2, 1, 2, 1]])
SIGNATURE = np.array('{"max_order": 2}')


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([3, 2, 0, 0, 2, 1], r"totals\[1, 0\] is 2, which does not fit hyp_len"),
        ([1, 2, 0, 0, 2, 1], r"totals\[1, 0\] is 2"),
        ([2, 2, 0, 0, 2, 2], r"totals\[1, 1\] is 2"),
        ([2, 2, 0, 0, 2, 3], r"totals\[1, 1\] is 3"),
        ([9, 2, 0, 0, 0, 9, 8, 0], r"totals\[1, 2\] is 0"),
        ([0, 2, 0, 0, 0, 1], r"totals\[1, 1\] is 1"),
        ([2, 2, 0, 1, 2, 1], r"matches\[1, 1\] is 1, where the order below has none"),
        ([2.0, 2.5, 0, 0, 2, 2], r"totals\[1, 1\] is 2"),
    ],
)
def test_counts_that_no_text_has_are_refused(tmp_path, monkeypatch, row, message):
    monkeypatch.setattr(columns, "_ROWS_AT_ONCE", 1)  # rows are numbered across blocks
    array = np.array([np.zeros_like(row), row])
    with pytest.raises(ValueError, match=message):
        Statistics.from_array(array)
    np.savez(tmp_path / "bad.npz", format=1, statistics=array)
    monkeypatch.setattr(archive, "_BLOCK_BYTES", 1)
    with pytest.raises(ValueError, match=rf"bad\.npz: damaged statistics: {message}"):
        Statistics.load(tmp_path / "bad.npz")
    with pytest.raises(ValueError, match=message.replace("[1, ", "[", 1)):
        Statistics.from_array(array[1])


words = st.lists(st.sampled_from("ab"), max_size=9)


@given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=4)), min_size=1))
def test_counts_of_texts_and_their_sums_are_never_refused(corpus):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    for max_order in (1, 4):
        rows = vecbleu.statistics(hypotheses, references, max_order=max_order)
        for table in (rows, rows.sum(), rows + rows):
            assert Statistics.from_array(table.to_array()) == table
            file = io.BytesIO()
            number = {len(some) for some in references}
            known = replace(rows.signature, references=max(number))
            replace(table, signature=known).save(file)
            assert Statistics.load(file) == table


def test_tables_with_rows_of_unknown_numbers_of_references_join_to_such():
    many = vecbleu.statistics([["a", "a", "b", "b", "a"]], [[[*"ab"], [*"ba"], [*"aa"], [*"bb"]]])
    assert (many.ref_len[0], many.matches[0, :2].tolist()) == (2, [4, 4])
    growing = Statistics.from_array([[5, 5, 2, 3, 2, 1, 5, 4, 3, 2]])
    one = replace(many[:0], signature=replace(many.signature, references=1))
    joined = Statistics.concatenate([one, many, growing])
    assert joined.signature.references is None
    # Former versions took the number that one of them knew, and files have it.
    known = replace(joined, signature=one.signature)
    for table in (joined, joined.sum(), known):
        file = io.BytesIO()
        table.save(file)
        assert Statistics.load(file) == table


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    counts = np.array([[3, 2]] * 9000), np.array([[3, 2]] * 9000)
    counts[1][8999, 1] = 3
    table = Statistics(counts[0][:, 0], counts[0][:, 0], *counts)
    with pytest.raises(ValueError, match=r"totals\[8999, 1\] is 3, which does not fit hyp_len"):
        table.save(tmp_path / "new.npz")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["hyp_len", "ref_len"])
def test_sums_are_exact_or_an_error(name):
    most = np.iinfo(np.int64).max
    row = {"hyp_len": [most, 0, 0, most], "ref_len": [0, most, 0, 0]}[name]
    one = Statistics.from_array([row, [0, 0, 0, 0]])
    assert np.array_equal(one.sum().to_array(), row)
    with pytest.raises(OverflowError, match=f"add up to {2 * most}, more than {most}"):
        Statistics.concatenate([one, one]).sum()
    with pytest.raises(OverflowError, match=f"{name} adds up to more than {most}"):
        one + one
    below = Statistics.from_array([[2**62, 2**62, 0, 2**62], [2**62 - 1, 0, 0, 2**62 - 1]])
    assert below.sum().to_array().tolist() == [most, 2**62, 0, most]
    with pytest.raises(ValueError, match=f"{name}.* is 9.22.*e\\+18, expected a count"):
        Statistics.from_array(np.array(row, np.float64))


def save_members(path, compression=zipfile.ZIP_DEFLATED, **members):
    """Write an archive; members are arrays, or the bytes of their files."""
    with zipfile.ZipFile(path, "w", compression) as file:
        for name, value in members.items():
            content = io.BytesIO()
            if not isinstance(value, bytes):
                np.save(content, value)
            file.writestr(f"{name}.npy", value if isinstance(value, bytes) else content.getvalue())


def header_of(shape, descr="<i8"):
    """The beginning of a .npy file that claims a shape."""
    file = io.BytesIO()
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue()


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"statistics": header_of((10**12, 6))}, r"shape \(1000000000000, 6\) of int64, but 0 byt"),
        ({"statistics": header_of((-1, -6)) + bytes(48)}, r"shape \(-1, -6\) of int64, but 48"),
        ({"statistics": header_of((1, 6)) + bytes(47)}, r"shape \(1, 6\) of int64, but 47 bytes"),
        ({"statistics": header_of((1, 6)) + bytes(49)}, r"shape \(1, 6\) of int64, but 49 bytes"),
        ({"statistics": header_of((1, 6), "|O") + bytes(48)}, "of object, but 48 bytes"),
        ({"statistics": b"\x93NUMPY\x02\x00" + bytes(60)}, "another version of .npy"),
        ({"statistics": header_of((1, 6), "<c16") + bytes(96)}, "hold complex128, expected numb"),
        ({"statistics": ROWS[:, :0]}, "columns, not 0"),
        ({"signature": header_of((), "<U99999999")}, "but 0 bytes"),
        ({"signature": np.array("x" * (1 << 20))}, r"signature has the shape \(\) of <U1048576"),
        ({"signature": np.array('{"color": 1}')}, r"has the field 'color', expected one of \['tok"),
        ({"signature": np.array("[]")}, "the signature is list, expected fields by name"),
        ({"extra": ROWS}, "the member 'extra.npy' is none of statistics"),
        ({"format": header_of((10**12,))}, "format has the shape"),
    ],
)
def test_files_that_claim_what_they_do_not_hold(tmp_path, members, message):
    path = tmp_path / "bad.npz"
    save_members(path, **{"format": 2, "statistics": ROWS, "signature": SIGNATURE} | members)
    with pytest.raises(
        ValueError, match=rf"bad\.npz: (damaged|not a file of) statistics: .*{message}"
    ):
        Statistics.load(path)


def test_members_that_are_there_twice_or_compressed_otherwise(tmp_path):
    path = tmp_path / "bad.npz"
    save_members(path, format=2, statistics=ROWS, signature=SIGNATURE)
    with zipfile.ZipFile(path, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("statistics.npy", header_of((1, 6)) + bytes(48))
    with pytest.raises(ValueError, match=r"bad\.npz: .*'statistics.npy' is there twice"):
        Statistics.load(path)
    save_members(path, zipfile.ZIP_LZMA, format=2, statistics=ROWS, signature=SIGNATURE)
    with pytest.raises(ValueError, match=r"bad\.npz: .* more than the file can hold"):
        Statistics.load(path)


def test_archives_that_claim_more_than_zlib_can_pack(tmp_path):
    """A directory with wrong sizes: 80 GB would be taken before a byte is read."""
    path, rows = tmp_path / "bad.npz", 10**9
    content = header_of((rows, 10)) + bytes(1000)
    save_members(path, format=2, statistics=content, signature=SIGNATURE)
    data = path.read_bytes()
    claimed = len(content) - 1000 + rows * 80
    # As in the directory's entry with 8 bytes a size: name, extra field 1.
    place = data.rindex(b"statistics.npy")
    entry = bytearray(data[place - 46 : place + 14])
    entry[24:28] = b"\xff" * 4
    entry[30:32] = (12).to_bytes(2, "little")
    extra = b"\x01\x00\x08\x00" + claimed.to_bytes(8, "little")
    data = data[: place - 46] + bytes(entry) + extra + data[place + 14 :]
    end = bytearray(data[-22:])
    end[12:16] = (int.from_bytes(end[12:16], "little") + 12).to_bytes(4, "little")
    path.write_bytes(data[:-22] + bytes(end))
    with pytest.raises(ValueError, match=f"claims {claimed} bytes, more than the file can hold"):
        Statistics.load(path)


def test_too_little_memory_is_called_that(tmp_path, monkeypatch):
    path = tmp_path / "large.npz"
    vecbleu.statistics(["a"], ["a"]).save(path)

    def fail(*_):
        raise MemoryError("Unable to allocate 74.5 GiB")

    monkeypatch.setattr(columns.np, "empty", fail)
    with pytest.raises(MemoryError, match=r"large\.npz: too little memory .*74\.5 GiB"):
        Statistics.load(path)


def test_errors_of_the_disk_have_the_path(tmp_path):
    path = tmp_path / "kept.npz"
    vecbleu.statistics(["a"], ["a"]).save(path)

    class Broken(io.BytesIO):
        def read(self, *_):
            raise OSError(5, "Input/output error")

        def __str__(self):
            return "broken.npz"

    with pytest.raises(OSError, match=r"Input/output error: .*") as caught:
        Statistics.load(Broken(path.read_bytes()))
    assert str(caught.value.filename) == "broken.npz"
    with pytest.raises(IsADirectoryError) as caught:
        Statistics.load(tmp_path)
    assert str(caught.value.filename) == str(tmp_path)


@given(st.data())
def test_damage_is_a_value_error_or_changes_nothing(data):
    file = io.BytesIO()
    table = vecbleu.statistics(["a b c", "d"], ["a b", "d e"])
    table.save(file)
    content = bytearray(file.getvalue())
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    for _ in range(data.draw(st.integers(1, 3))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        loaded = Statistics.load(io.BytesIO(content))
    except ValueError:
        return
    assert loaded.to_array().shape == table.to_array().shape  # of a header that says something else


def test_fortran_order_other_types_and_single_rows(tmp_path):
    rows = np.array([[2, 2, 2, 1, 2, 1], [0, 3, 0, 0, 0, 0]])
    for array in (np.asfortranarray(rows), rows.astype(">i2"), rows.astype(np.float32), rows[0]):
        save_members(tmp_path / "kept.npz", zipfile.ZIP_STORED, format=1, statistics=array)
        assert Statistics.load(tmp_path / "kept.npz").to_array().tolist() == array.tolist()


def test_blocks_are_saved_as_the_whole_table(tmp_path):
    table = vecbleu.statistics([*"abcdefg"], ["a b", *"bcdefg"])
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    table.save(whole)
    blocks = (table[start : start + 3] for start in range(0, 7, 3))
    assert save_blocks(blocks, str(parts), table.signature) == (7, table.sum())
    assert parts.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts.npz", "whole.npz"]
    with np.load(whole) as members:  # what every version writes
        assert sorted(members) == ["format", "signature", "statistics"]
        assert np.array_equal(members["statistics"], table.to_array())
        assert json.loads(members["signature"].item()) == table.signature.to_dict()


def test_an_error_while_saving_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "kept.npz"
    table = vecbleu.statistics(["a"], ["a"])
    table.save(path)
    before = path.read_bytes()

    def fail_later():
        yield table
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_blocks(fail_later(), str(path), table.signature)

    def fail(file, *_):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stream, "write_archive", fail)
    monkeypatch.setattr(archive, "write_archive", fail)
    for save in (table.save, lambda path: save_blocks([table], str(path), table.signature)):
        with pytest.raises(OSError, match="No space left") as caught:
            save(path)
        assert caught.value.filename == str(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["kept.npz"]


FULL = """
import resource, sys, numpy as np, vecbleu
lengths = np.random.default_rng(0).integers(4, 1000, 10_000)
totals = lengths[:, None] - np.arange(4)
table = vecbleu.Statistics(lengths, lengths, totals, totals)
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
try:
    table.save("kept.npz")
except OSError as error:
    print(error.filename)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
def test_files_that_can_not_be_finished_leave_the_old_one(tmp_path):
    (tmp_path / "kept.npz").write_bytes(b"old")
    run = subprocess.run([sys.executable, "-c", FULL], cwd=tmp_path, capture_output=True)
    assert (run.stdout.split(), run.stderr) == ([b"kept.npz"], b"")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"old"]


def test_types_that_numpy_gives_up_are_damage_and_no_warning(tmp_path):
    """Warnings are errors in these tests: their text would be the message."""
    table = vecbleu.statistics(["a b"], ["a c"])
    table.save(tmp_path / "good.npz")
    with zipfile.ZipFile(tmp_path / "good.npz") as good:
        members = {name: good.read(name) for name in good.namelist()}
    header = b"{'descr': 'a8', 'fortran_order': False, 'shape': (10,), }\n"
    size = len(header).to_bytes(2, "little")
    members["statistics.npy"] = b"\x93NUMPY\x01\x00" + size + header + bytes(80)
    with zipfile.ZipFile(tmp_path / "bad.npz", "w") as bad:
        for name, data in members.items():
            bad.writestr(name, data)
    with pytest.raises(ValueError, match="damaged statistics: ") as caught:
        Statistics.load(tmp_path / "bad.npz")
    assert "deprecated" not in str(caught.value)
