"""Draw mutants of the package at random, and see whether tests find them.

``python -m tests.mutants --seed 43 --number 400 [core/inputs cli ...]`` draws in proportion to
lines, and runs those whose paths begin so: the tests of the family first; on survivors, all.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import accumulate
from random import Random

from tests.faults import ROOT, Change, missed

SWAPS = "Lt LtE, Gt GtE, Eq NotEq, Is IsNot, In NotIn, And Or, Add Sub, Mult Div, Mod FloorDiv"
SWAPS += ", BitAnd BitOr, LShift RShift, BitXor BitAnd, Pow Mult, MatMult Mult"
PAIRS = [[getattr(ast, name) for name in pair.split()] for pair in SWAPS.split(", ")]
OTHER = {second: first for first, second in PAIRS} | dict(PAIRS)
REMOVED = ast.AugAssign | ast.Raise | ast.Delete | ast.If | ast.For


def changed(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy with other fields."""
    return type(node)(**{**vars(node), **fields})


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Return what may stand in the place of a node."""
    match node:
        case ast.Compare(ops=[op, *rest]):
            yield changed(node, ops=[OTHER[type(op)](), *rest])
        case ast.BoolOp(op=op, values=[first, *_]) | ast.BinOp(op=op, left=first):
            yield from (changed(node, op=OTHER[type(op)]()), first)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=int(value)):  # a bool, too
            values = [not value] if isinstance(value, bool) else [value - 1, value + 1]
            yield from map(ast.Constant, values)
        case ast.Call(args=[first, *rest]):
            yield first
            if rest and type(first) is type(rest[0]):
                yield changed(node, args=[rest[0], first, *rest[1:]])
        case ast.Slice(lower=lower):
            yield changed(node, **{"upper" if lower is None else "lower": None})
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case ast.If(test=test) | ast.While(test=test):
            yield changed(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.ListComp(generators=[of]) | ast.GeneratorExp(generators=[of]) if of.ifs:
            yield changed(node, generators=[changed(of, ifs=[])])
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            yield changed(node, keywords=[k for k in node.keywords if k is not keyword])
    if isinstance(node, REMOVED):
        yield ast.Pass()


def nodes_below(node: ast.AST) -> Iterator[ast.AST]:
    """Return all but annotations, messages, and f-strings (Python 3.11 doesn't know where)."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in ("annotation", "returns"):
                yield child
                if not isinstance(child, ast.Raise | ast.JoinedStr):
                    yield from nodes_below(child)


def mutate(code: bytes, node: ast.AST, other: ast.AST) -> tuple[str, bytes]:
    """Put another node in a node's place; return what is changed, and the module."""
    starts = [0, *accumulate(map(len, code.splitlines(keepends=True)))]
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    after = ast.unparse(other)
    is_bare = isinstance(other, ast.stmt | ast.Slice)
    text = after.replace("\n", "\n" + " " * node.col_offset) if is_bare else f"({after})"
    before = ast.unparse(node).splitlines()[0]
    return f"{before}  ->  {after.splitlines()[0]}", code[:start] + text.encode() + code[end:]


def draw(seed: int, number: int) -> list[Change]:
    """Draw lines, and a mutant of each; a line that stays is drawn again when others change."""
    drawn = []
    for path in sorted((ROOT / "vecbleu").rglob("*.py")):
        code, name = path.read_bytes(), path.relative_to(ROOT / "vecbleu").as_posix()
        lines, seen = defaultdict(list), Counter()
        for node in nodes_below(ast.parse(code)):
            for other in changes(node):
                lines[node.lineno].append((node, other))
        for line, choices in sorted(lines.items()):
            text = code.splitlines()[line - 1]
            seen[text] += 1
            random = Random(f"{seed} {name} {text} {seen[text]}")
            place = random.random(), name, line
            what, mutant = mutate(code, *random.choice(choices))
            drawn.append((place, Change(name, f"{name}:{line}  {what}", mutant)))
    return [mutant for _, mutant in sorted(drawn)[:number]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=43)
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("paths", nargs="*", default=[""])
    options = parser.parse_args()
    drawn = draw(options.seed, options.number)
    missed([mutant for mutant in drawn if mutant.path.startswith((*options.paths,))])
