"""The workflow of a public CI agrees with what the project promises; no such CI has run it yet."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent
PATH = ROOT / ".github/workflows/ci.yml"
if not PATH.exists():
    pytest.skip("an sdist has no workflow", allow_module_level=True)
TEXT = PATH.read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load(TEXT)
JOBS = WORKFLOW["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]


def project(key):
    """What a line of pyproject.toml says, which Python 3.10 can't read."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return re.search(rf'^{key} = "(.*)"$', text, flags=re.M)[1]


def test_it_has_the_form_of_a_workflow():
    pytest.importorskip("check_jsonschema")
    from check_jsonschema.builtin_schemas import get_builtin_schema
    from jsonschema import Draft7Validator

    validator = Draft7Validator(get_builtin_schema("vendor.github-workflows"))
    # `on` is a truth value in YAML 1.1.
    workflow = {"on" if key is True else key: value for key, value in WORKFLOW.items()}
    assert [error.message for error in validator.iter_errors(workflow)] == []
    assert [*validator.iter_errors(workflow | {"jobs": {"suite": {"steps": [{"run": 1}]}}})]


def test_the_suite_runs_on_every_python_and_system():
    matrix = JOBS["suite"]["strategy"]["matrix"]
    assert f">={matrix['python'][0]}" == project("requires-python")
    minors = [int(version.removeprefix("3.")) for version in matrix["python"]]
    assert minors == [*range(10, 15)]
    assert [system.split("-")[0] for system in matrix["system"]] == ["ubuntu", "macos", "windows"]
    assert [one["python"] for one in matrix["include"]] == ["3.13t", "3.14t"]


def test_classifiers_are_of_pythons_that_it_runs():
    classifiers = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"',
        (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
    )
    assert {*classifiers} <= {*JOBS["suite"]["strategy"]["matrix"]["python"]}


def test_scripts_that_it_runs_exist():
    scripts = {found for step in STEPS for found in re.findall(r"\.ci/[\w/]+", step.get("run", ""))}
    scripts.discard(".ci/jobs/")
    scripts |= {f".ci/jobs/{name}" for name in JOBS["pages"]["strategy"]["matrix"]["job"]}
    assert ".ci/distributions" in scripts
    assert [script for script in sorted(scripts) if not (ROOT / script).is_file()] == []


def test_only_the_release_may_do_more_than_read():
    assert WORKFLOW["permissions"] == {}
    for name, job in JOBS.items():
        expected = {"id-token": "write"} if name == "release" else {"contents": "read"}
        assert job["permissions"] == expected, name
    assert "secrets." not in TEXT
    assert not any("${{" in step.get("run", "") for step in STEPS)  # text that others may write


def test_a_release_waits_for_all_other_jobs():
    release = JOBS["release"]
    assert {*release["needs"]} == {*JOBS} - {"release"}
    assert release["if"] == "startsWith(github.ref, 'refs/tags/v')"


def test_actions_are_pinned_by_their_major_versions():
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.search(r"@(v\d+|release/v\d+)$", action) for action in used)
