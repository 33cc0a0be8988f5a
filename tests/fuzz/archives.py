"""Damaged files of statistics: loading gives statistics, or a ValueError or OSError with the path.

Nothing else, no warning, and not much more memory than the file takes.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

import vecbleu
from fuzz.runner import Found
from vecbleu import Statistics

CASES = 100_000
BATCH = 100

# Bytes of memory that loading a file may take, besides those of the file.
_MEMORY = 1 << 24

Members = dict[str, bytes]


def check(random: Random, size: int) -> Iterator[Found]:
    """Damage files of some statistics, in their bytes or in what their members hold."""
    tables = [_draw_statistics(random) for _ in range(4)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "damaged.npz")
        for case in range(size):
            statistics = random.choice(tables)
            buffer = io.BytesIO()
            statistics.save(buffer)
            of_bytes = random.random() < 0.5
            damage = random.choice(_OF_BYTES if of_bytes else _OF_MEMBERS)
            data = damage(random, buffer.getvalue())
            with open(path, "wb") as file:
                file.write(data)
            # Members have checksums, so a few bytes can't make other statistics of them.
            if wrong := _load(path, len(data), statistics if of_bytes else None):
                yield case, f"{damage.__name__.strip('_')} of {statistics!r}: {wrong}\n{data!r}"


def _load(path: str, size: int, expected: Statistics | None) -> str:
    """Load a file; what is wrong with the outcome."""
    tracemalloc.start()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = Statistics.load(path)
            wrong = _lies(found) if expected is None else _differs(found, expected)
        except (ValueError, OSError) as error:
            wrong = "" if path in str(error) else f"{error!r} does not name the path"
        except Exception as error:
            wrong = f"{error!r} is no ValueError or OSError"
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if most > _MEMORY + 20 * size:
        wrong = f"{most} bytes of memory for a file of {size}"
    return wrong or "".join(f"warns: {one.message}" for one in caught)


def _differs(found: Statistics, expected: Statistics) -> str:
    """Whether statistics are what was saved."""
    same = found == expected and found.signature == expected.signature
    return "" if same else f"is loaded as other statistics: {found!r}, {found.signature}"


def _lies(found: Statistics) -> str:
    """Whether no text has such counts."""
    for row in np.atleast_2d(found.array).tolist():
        orders = len(row) // 2 - 1
        hyp_len, _, *counts = row
        matches, totals = counts[:orders], counts[orders:]
        is_whole = all(count == int(count) for count in [hyp_len, *counts])
        if min(row) < 0 or not is_whole or max(row) >= 2**63:
            return f"is loaded with the row {row}"
        if any(match > total for match, total in zip(matches, totals, strict=True)):
            return f"is loaded with more matches than n-grams: {row}"
        if [hyp_len, *totals] != sorted([hyp_len, *totals], reverse=True):
            return f"is loaded with totals that grow: {row}"
    known = found.signature.max_order
    return "" if known in (None, found.max_order) else f"is loaded with {found.signature}"


def _draw_statistics(random: Random) -> Statistics:
    """Statistics of words, or of ids, which leave more of the signature open; or a sum."""
    count, words = random.choice([0, 1, 3, 40]), ["a", "b", "c"]
    texts = [[random.choices(words, k=random.randrange(9)) for _ in range(count)] for _ in range(3)]
    if random.random() < 0.5:
        texts = [[" ".join(tokens) for tokens in text] for text in texts]
    references = random.choice([1, 2])
    pairs = [[*pair] for pair in zip(*texts[1 : 1 + references], strict=True)]
    statistics = vecbleu.statistics(
        texts[0], pairs, max_order=random.choice([1, 4, 6]),
        ref_length=random.choice(["closest", "average"]), workers=1,
    )  # fmt: skip
    if random.random() < 0.5:  # as the command line does
        signature = replace(statistics.signature, references=references)
        statistics = replace(statistics, signature=signature)
    return statistics.sum() if random.random() < 0.2 else statistics


def _flipped(random: Random, data: bytes) -> bytes:
    """Some bits the other way round."""
    changed = bytearray(data)
    for _ in range(random.choice([1, 1, 1, 2, 8])):
        changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _overwritten(random: Random, data: bytes) -> bytes:
    """Some bytes as zeros, ones, or what stands elsewhere."""
    place, size = random.randrange(len(data)), random.choice([1, 2, 4, 8, 100])
    piece = random.choice([b"\0", b"\xff", random.randbytes(1)]) * size
    if random.random() < 0.3:
        other = random.randrange(len(data))
        piece = data[other : other + size]
    return (data[:place] + piece + data[place + len(piece) :])[: len(data)]


def _truncated(random: Random, data: bytes) -> bytes:
    return data[: random.randrange(len(data))]


def _cut(random: Random, data: bytes) -> bytes:
    """Without a piece, or with one twice."""
    one, other = (random.randrange(len(data)) for _ in range(2))
    return data[:one] + data[other:]


def _appended(random: Random, data: bytes) -> bytes:
    return data + random.choice([random.randbytes(random.randrange(200)), data[:100], b"\0" * 30])


def _no_archive(random: Random, data: bytes) -> bytes:
    """Something else altogether."""
    array = io.BytesIO()
    np.save(array, np.arange(random.randrange(99)))
    others = [b"", random.randbytes(40), b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"\x80\x04N."]
    return random.choice([*others, array.getvalue(), b"\x93NUMPY", data[::-1]])


def _changed_members(random: Random, data: bytes) -> bytes:
    """Bytes of a member changed before its checksum is made."""
    members = _read_members(data)
    name = random.choice([*members])
    change = random.choice([_flipped, _overwritten, _truncated, _cut, _appended])
    members[name] = change(random, members[name])
    return _write_members(random, members)


def _other_members(random: Random, data: bytes) -> bytes:
    """Members left out, renamed, exchanged, or not ours."""
    members = _read_members(data)
    name = random.choice([*members])
    member = members.pop(name)
    others = ["../x.npy", "statistics", "format.npy", "signature.npy", "statistics.npy", "x.npy"]
    what = random.random()
    if what < 0.3:
        members[random.choice([*others, "\udce9.npy".encode(errors="replace").decode()])] = member
    elif what < 0.6:
        members |= {name: random.choice([*members.values()]), random.choice(others): member}
    elif what < 0.8:
        members |= {name: member, "more.npy": _npy(random, _any_array(random))}
    return _write_members(random, members)


def _other_arrays(random: Random, data: bytes) -> bytes:
    """A member replaced with another array, of any type and shape."""
    members = _read_members(data)
    members[random.choice([*members])] = _npy(random, _any_array(random))
    return _write_members(random, members)


def _other_headers(random: Random, data: bytes) -> bytes:
    """An array whose header says something else about it."""
    members = _read_members(data)
    name = random.choice([*members])
    values = np.load(io.BytesIO(members[name])).tobytes()
    members[name] = _header(random, _draw_shape(random)) + values
    return _write_members(random, members)


def _other_counts(random: Random, data: bytes) -> bytes:
    """A few counts changed."""
    members = _read_members(data)
    array = np.load(io.BytesIO(members["statistics.npy"]))
    array = array.astype(random.choice([np.int64, np.float64, np.uint64, np.int32, np.float16]))
    flat = array.reshape(-1)
    for _ in range(random.choice([1, 1, 3]) if flat.size else 0):
        limits = [0, 1, 3, 2**31, 2**53, 2**62, 2**63 - 1, 2**64 - 1, -1, 0.5, np.nan, np.inf]
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                flat[random.randrange(flat.size)] = random.choice(limits)
            except (OverflowError, ValueError):
                continue
    return _write_members(random, members | {"statistics.npy": _npy(random, array)})


def _other_signatures(random: Random, data: bytes) -> bytes:
    """Another JSON text, or none."""
    members = _read_members(data)
    known = json.loads(np.load(io.BytesIO(members["signature.npy"])).item())
    known[random.choice([*known, "tokenize", "references", "new", ""])] = _any_json(random)
    texts = [json.dumps(known), json.dumps(_any_json(random)), "", "{", "[" * 100_000, "NaN"]
    text = random.choice([texts[0]] * 6 + texts)
    array = random.choice([np.array(text), np.array([text]), np.array(text.encode())])
    return _write_members(random, members | {"signature.npy": _npy(random, array)})


_Damage = Callable[[Random, bytes], bytes]
_OF_BYTES: list[_Damage] = [_flipped, _overwritten, _truncated, _cut, _appended]
_OF_MEMBERS: list[_Damage] = [
    *(_no_archive, _changed_members, _other_members, _other_arrays),
    *(_other_headers, _other_counts, _other_signatures),
]


def _read_members(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _write_members(random: Random, members: Members) -> bytes:
    """An archive with the right checksums; now and then it has a member twice."""
    buffer = io.BytesIO()
    kinds = [zipfile.ZIP_DEFLATED] * 9 + [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore")
        for name, member in [*members.items()] * random.choice([1] * 9 + [2]):
            archive.writestr(name, member, random.choice(kinds))
    return buffer.getvalue()


def _npy(random: Random, array: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), random.choice([None, (2, 0), (3, 0)]))
    return buffer.getvalue()


def _header(random: Random, shape: tuple[int, ...]) -> bytes:
    """The start of a .npy file; not always one that NumPy writes."""
    types = ["<i8", ">i8", "<f8", "|O", "|b1", "<U9", "|S8", "<M8[s]", "<c16", "|V8", "<i3", "x"]
    fields = {"descr": random.choice(types), "fortran_order": random.random() < 0.3, "shape": shape}
    if random.random() < 0.1:
        fields[random.choice([*fields])] = random.choice([None, -1, "x", [], {}, (2, "x")])
    text = random.choice([repr(fields)] * 9 + [repr(fields)[:-9], "{" * 300, "1 + " * 30 + "1"])
    body = text.encode().ljust(random.choice([118, 118, 9000, 20_000])) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body


def _draw_shape(random: Random) -> tuple[int, ...]:
    sizes = [0, 1, 2, 4, 10, 1000, 10**7, 2**31, 2**40, 2**63, 2**64, -1]
    return tuple(random.choices(sizes, k=random.choice([0, 1, 2, 2, 2, 3, 33])))


def _any_array(random: Random) -> Any:
    """An array of another type, or of a shape that statistics do not have."""
    kinds = ["int8", "uint64", "float16", "float64", "longdouble", "bool", "complex128", "U3", "S2"]
    kinds += [">i8", "datetime64[s]", "O", "V4", [("a", "i8")]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shape = tuple(random.choices([0, 1, 2, 4, 6, 10, 30], k=random.randrange(4)))
        return np.zeros(shape, random.choice(kinds))


def _any_json(random: Random, depth: int = 2) -> Any:
    """Any value that JSON has."""
    values = [
        None,
        True,
        0,
        4,
        -1,
        10**30,
        0.5,
        float("nan"),
        "13a",
        "",
        "\ud800",
        "\x1b[31m\n",
        "x" * 5000,
    ]
    if depth and random.random() < 0.3:
        inner = [_any_json(random, depth - 1) for _ in range(random.randrange(3))]
        return random.choice([inner, {str(place): value for place, value in enumerate(inner)}])
    return random.choice(values)
