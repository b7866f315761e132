"""Change one thing in a room of the package, run the room's tests, and say which changes they notice.

A mutant is the package with one node of one function changed, written into a copy in a temporary folder.
What only the tests of `--against` notice is lost.

    python -m scripts.mutants --room learned/learner --count 20 --seed 1 --tests tests --against ../base/tests
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SWAPS = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot, ast.And: ast.Or}
SWAPS |= {ast.Add: ast.Sub, ast.Mult: ast.Div}
SWAPS |= {new: old for old, new in SWAPS.items()}


class Mutant(NamedTuple):
    """A node of a file, and what stands there instead."""

    file: Path
    node: ast.expr
    text: str

    def mutated(self, source: str) -> str:
        lines, first, last = source.encode().splitlines(keepends=True), self.node.lineno - 1, self.node.end_lineno - 1
        head, tail = lines[first][: self.node.col_offset], lines[last][self.node.end_col_offset :]
        return b"".join([*lines[:first], head, f"({self.text})".encode(), tail, *lines[last + 1 :]]).decode()

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.node.lineno}: {ast.unparse(self.node)} -> {self.text}"[:150]


def nodes_within(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes below a node, or in the body of a function, without those that are skipped."""
    for below in node.body if isinstance(node, ast.FunctionDef) else ast.iter_child_nodes(node):
        if not isinstance(below, (ast.JoinedStr, ast.Raise, ast.AnnAssign, ast.arguments)):
            yield below
            yield from nodes_within(below)


def changes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Return the expression of a node that may be changed, with its change, if there is one."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPS:
            yield node, ast.unparse(ast.Compare(node.left, [SWAPS[type(op)]()], node.comparators))
        case ast.BinOp(op=op) if type(op) in SWAPS:
            yield node, ast.unparse(ast.BinOp(node.left, SWAPS[type(op)](), node.right))
        case ast.BoolOp(op=op):
            yield node, ast.unparse(ast.BoolOp(SWAPS[type(op)](), node.values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, ast.unparse(operand)
        case ast.Constant(value=bool() | int() | float() as value):
            yield node, repr(not value if isinstance(value, bool) else value + 1)
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield value, "None"
        case ast.Slice(lower=lower, upper=upper) if lower or upper:
            yield (lower, f"{ast.unparse(lower)} + 1") if lower else (upper, f"{ast.unparse(upper)} - 1")


def draw_mutants(room: str, count: int, seed: int) -> list[Mutant]:
    """Return that many mutants of a room, each of another function."""
    found = []
    for file in sorted((ROOT / "rainbow" / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found.append([Mutant(file, *change) for below in nodes_within(node) for change in changes(below)])
    draw, found = random.Random(seed), [mutants for mutants in found if mutants]
    return [draw.choice(mutants) for mutants in draw.sample(found, min(count, len(found)))]


def run_tests(copy: Path, room: str) -> str:
    """Return what the tests of a room say of the copy."""
    command = ["timeout", "900", sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", f"tests/{room}"]
    done = subprocess.run(command, cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True)
    return {0: "survived", 124: "timed out"}.get(done.returncode, "killed")


def outcomes(tests: Path, room: str, mutants: list[Mutant]) -> list[str]:
    """Return what the tests in a folder say of each mutant."""
    with tempfile.TemporaryDirectory() as folder:
        copy, found = Path(folder), []
        for path in tests.resolve().parent.iterdir():
            if path.name not in {"rainbow", "tests", ".git"}:
                (copy / path.name).symlink_to(path)
        for source, name in ((ROOT / "rainbow", "rainbow"), (tests, "tests")):
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        if run_tests(copy, room) != "survived":
            raise SystemExit(f"{tests}: the tests of {room} fail on the package as it is")
        for mutant in mutants:
            file = copy / mutant.file.relative_to(ROOT)
            whole = file.read_text(encoding="utf-8")
            file.write_text(mutant.mutated(whole), encoding="utf-8")
            found.append(run_tests(copy, room))
            print(f"{tests}: {found[-1]}: {mutant}", flush=True)
            file.write_text(whole, encoding="utf-8")
        return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, kind in (("room", str), ("count", int), ("seed", int), ("tests", Path), ("against", Path)):
        parser.add_argument(f"--{option}", type=kind, required=option != "against")
    given = parser.parse_args()
    drawn = draw_mutants(given.room, given.count, given.seed) or sys.exit(f"nothing to change in rainbow/{given.room}")
    said = {tests: outcomes(tests, given.room, drawn) for tests in (given.tests, given.against) if tests}
    for tests, words in said.items():
        print(f"{tests}: {len(drawn) - words.count('survived')} of {len(drawn)} mutants of {given.room} noticed")
    for mutant, new, old in zip(drawn, said[given.tests], [*said.values()][-1], strict=True):
        if new == "survived" != old:
            print(f"lost: {mutant}")
