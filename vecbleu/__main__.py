"""Run the command line: ``python -m vecbleu``."""

from __future__ import annotations

import sys

from vecbleu.cli import main

if __name__ == "__main__":
    sys.exit(main())
