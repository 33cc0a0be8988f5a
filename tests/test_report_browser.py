"""The report in a browser: what is shown, searched, sorted and linked, and that text stays text."""

from __future__ import annotations

import random
import shutil

import pytest
from corpora import *  # noqa: F403
