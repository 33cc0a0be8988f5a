"""Print a file of text, or a column of a table, in UTF-8.

``python -m vecbleu.files FILE ENCODING`` or ``FILE#COLUMN ENCODING``
"""

from __future__ import annotations

import sys

from vecbleu.files.lines import read_lines
from vecbleu.files.sources import Source

if __name__ == "__main__":
    path, encoding = sys.argv[1:]
    for block in read_lines([Source(path, encoding=encoding)]):
        sys.stdout.buffer.write(block.columns[0].lines)
