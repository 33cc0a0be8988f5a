"""`python -m tests.fuzz [PART ...]`, in this checkout."""

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path[:1] = [str(TESTS.parent), str(TESTS)]  # vecbleu, and the modules that tests share

from fuzz.runner import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
