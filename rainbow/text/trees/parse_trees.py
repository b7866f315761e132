"""Parse trees read from bracketed text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKENS = re.compile(r"[()]|[^\s()]+")


class Tree(NamedTuple):
    """A node of a parse tree."""

    label: str  # its category or part of speech, without functions (``NP-SBJ`` is ``NP``)
    children: tuple[Tree, ...]  # its parts; none for the node above a word
    word: str = ""  # the word, or nothing

    def descendants(self) -> Iterator[Tree]:
        """Return this node and its descendants."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def words(self) -> list[str]:
        """Return the words below this node, in lower case."""
        return [node.word.lower() for node in self.descendants() if node.word]


def parse_tree(text: str) -> Tree:
    """Return the tree of a bracketed text."""
    tokens = _TOKENS.findall(text)
    # An open node: its label and word, and its children so far.
    stack: list[tuple[list[str], list[Tree]]] = [([], [])]
    for token in tokens:
        if token == "(":
            stack.append(([], []))
        elif token == ")":
            if len(stack) < 2:
                raise ValueError(f"unmatched closing bracket: {text!r}")
            names, children = stack.pop()
            label = names[0].split("-")[0] or names[0] if names else ""
            stack[-1][1].append(Tree(label, tuple(children), " ".join(names[1:])))
        else:
            stack[-1][0].append(token)
    if len(stack) != 1 or len(stack[0][1]) != 1 or stack[0][0]:
        raise ValueError(f"not a single bracketed tree: {text!r}")
    return stack[0][1][0]
