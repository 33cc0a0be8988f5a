"""What a release's files hold: `python -m tests.distributions CHECKOUT SDIST WHEEL...`.

A wheel is the package, byte by byte, and its metadata. An sdist is the checkout without what only
serves where it is hosted. Wheels that are built from either are the same.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path, PurePosixPath

LICENSES = {"LICENSE", "NOTICE.md"}
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt"}
NOT_IN_SDIST = {".ci", ".gitattributes", ".gitignore"}
ONLY_IN_SDIST = {"PKG-INFO", "setup.cfg"}


def files_of(path):
    """Contents of an archive's files by their names; an sdist's without its folder."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(path) as sdist:
        members = [member for member in sdist if member.isfile()]
        return {
            PurePosixPath(member.name).relative_to(path.name.removesuffix(".tar.gz")).as_posix():
            sdist.extractfile(member).read()
            for member in members
        }  # fmt: skip


def checked_in(checkout):
    """Contents of the files that git knows of, by their names."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=checkout, capture_output=True, check=True, text=True)
    names = listed.stdout.split("\0")[:-1]
    return {name: (checkout / name).read_bytes() for name in names}


def differences(found, expected):
    """Names that one side has alone, and names of which the contents differ."""
    yield from (f"{name} is missing" for name in sorted(expected.keys() - found.keys()))
    yield from (f"{name} does not belong there" for name in sorted(found.keys() - expected.keys()))
    both = sorted(found.keys() & expected.keys())
    yield from (f"{name} has other contents" for name in both if found[name] != expected[name])


def wrong_in_wheel(wheel, checkout):
    """What a wheel has beside the package and its metadata, or lacks."""
    expected = {name: text for name, text in checkout.items() if name.startswith("vecbleu/")}
    own = {name: text for name, text in wheel.items() if ".dist-info/" not in name}
    yield from differences(own, expected)
    info = {name.split("/", 1)[1]: text for name, text in wheel.items() if name not in own}
    licenses = {f"licenses/{name}": checkout[name] for name in LICENSES}
    yield from differences(info, licenses | {name: info.get(name) for name in METADATA})
    if b"Root-Is-Purelib: true" not in info.get("WHEEL", b""):
        yield "it is not for every platform"
    metadata = message_from_bytes(info.get("METADATA", b""))
    if metadata.get_payload(decode=True).strip() != checkout["README.md"].strip():
        yield "the description is not the README"
    needed = [one for one in metadata.get_all("Requires-Dist", []) if "extra ==" not in one]
    if [one.split(">")[0] for one in needed] != ["numpy"]:
        yield f"it needs {needed}, not NumPy alone"


def wrong_in_sdist(sdist, checkout):
    """What an sdist has beside the checkout and its metadata, or lacks."""
    own = {
        name: text
        for name, text in sdist.items()
        if name not in ONLY_IN_SDIST and not name.startswith("vecbleu.egg-info/")
    }
    expected = {
        name: text for name, text in checkout.items() if name.split("/")[0] not in NOT_IN_SDIST
    }
    return differences(own, expected)


def wrong(checkout, sdist, wheels):
    """All that is wrong with files of a release, given the contents of each by name."""
    first = next(iter(wheels))
    yield from (f"sdist: {line}" for line in wrong_in_sdist(sdist, checkout))
    for name, wheel in wheels.items():
        yield from (f"{name}: {line}" for line in wrong_in_wheel(wheel, checkout))
        yield from (f"{name}, not as {first}: {line}" for line in differences(wheel, wheels[first]))


def main(checkout, sdist, *wheels):
    contents = {str(path): files_of(Path(path)) for path in wheels}
    sources = files_of(Path(sdist))
    found = [*wrong(checked_in(Path(checkout)), sources, contents)]
    counts = [f"{len(sources)} files in {sdist}"]
    counts += [f"{len(files)} in {path}" for path, files in contents.items()]
    print(", ".join(counts))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
