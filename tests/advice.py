"""Follow the advice of errors and warnings: make the call that they say."""

from __future__ import annotations

import re
import warnings

import numpy

import vecbleu


def _advised(message, sides):
    """The arguments as each piece of a message's advice has them."""
    if "list(zip(*references))" in message and "[hypotheses]" not in message:
        yield sides | {"references": list(zip(*sides["references"], strict=True))}
        return
    if "'utf-8-sig'" in message:
        (name,) = [name for name in sides if message.startswith(name)]
        yield sides | {name: [text.encode().decode("utf-8-sig") for text in sides[name]]}
        return
    names = sides | {"vecbleu": vecbleu, "numpy": numpy, "n": 2}
    for expression in re.findall(r"pass (?!one of)(.+?)(?=; |$|, or,)", message):
        if re.match(r"\w+=", expression):
            yield sides | eval(f"dict({expression})", names)
            continue
        values = eval(f"({expression},)", names)
        if len(values) == 2:
            yield sides | dict(zip(("hypotheses", "references"), values, strict=True))
        else:
            name = re.search("hypotheses|references", expression)[0]
            yield sides | {name: values[0]}


def followed(arguments, steps=3):
    """The counts that each piece of advice leads to, one after the other."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            counts = vecbleu.statistics(**arguments).array.tolist()
        except (TypeError, ValueError) as error:
            messages = [str(error)]
        else:
            messages = [str(warning.message) for warning in caught]
            if not messages:
                return [counts]
    assert steps, messages
    afterwards = [after for message in messages for after in _advised(message, arguments)]
    return [counts for after in afterwards for counts in followed(after, steps - 1)]
