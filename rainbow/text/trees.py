"""Parse trees read from bracketed text, and the developmental level (D-level) of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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


# The level: syntactic complexity from 0 to 7.
HIGHEST = 7
_CONJOINING = 2

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ"})
_CONJOINED = frozenset({"S", "SINV", "SQ", "SBARQ", "VP", "ADJP", "ADVP", "UCP"})
_RAISING = frozenset(f"{verb}{ending}" for verb in ("seem", "appear") for ending in ("", "s", "ed", "ing"))
# "A pub called Zizzi" embeds no clause: these participles only attach a name to a noun.
_NAMING = frozenset({"called", "named"})
# Before a finite clause these make it a complement of the verb; other subordinating conjunctions make it an adjunct.
_COMPLEMENTISERS = frozenset({"that", "whether"})
# Endings of nouns that are made from verbs, and nouns that have them and are not.
_NOMINAL = ("ing", "tion", "sion", "ment", "ance", "ence")
_NO_NOMINALS = frozenset(
    [
        *("thing", "nothing", "something", "anything", "everything", "evening", "morning", "spring", "ring", "king"),
        *("string", "wing", "ceiling", "station", "section", "nation", "mention", "moment", "document", "apartment"),
        *("department", "element", "comment", "garment", "distance", "science", "sentence", "audience", "fragrance"),
    ]
)


def d_level(tree: Tree) -> int:
    """Return the D-level of a sentence on the revised scale (Covington et al. 2006).

    Source: Covington, M. A., He, C., Brown, C., Naçi, L. and Brown, J. (2006). How complex is that sentence? A proposed
    revision of the Rosenberg and Abbeduto D-Level scale. CASPR Research Report 2006-01.
    """
    levels = list(_structure_levels(tree, (), subject=False))
    several = len(levels) > 1 and any(level != _CONJOINING for level in levels)
    return HIGHEST if several else max(levels, default=0)


def _structure_levels(node: Tree, above: tuple[Tree, ...], *, subject: bool) -> Iterator[int]:
    """Yield the level of every structure at and below a node."""
    if above and (level := _node_level(node, above, subject=subject)) is not None:
        yield level
    if _is_conjoined(node, subject=subject):
        yield _CONJOINING
    first_verb = next((place for place, child in enumerate(node.children) if child.label == "VP"), None)
    for place, child in enumerate(node.children):
        is_subject = node.label in _CLAUSES and first_verb is not None and place < first_verb and child.label == "NP"
        is_outer = is_subject and {node.label for node in above} <= {"ROOT", "TOP", "S", "SINV", "SQ", "FRAG", "PRN"}
        yield from _structure_levels(child, (*above, node), subject=subject or is_outer)


def _is_conjoined(node: Tree, *, subject: bool) -> bool:
    """Return whether like constituents other than outer noun phrases are conjoined here."""
    if not any(child.label in ("CC", "CONJP") for child in node.children):
        return False
    return node.label in _CONJOINED or (subject and node.label in ("NP", "NX"))


def _node_level(node: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
    """Return the level of a node's structure; None if it has none."""
    parent = above[-1]
    if node.label == "SBAR":
        return _subordinate_level(node, parent, above, subject=subject)
    if node.label in _CLAUSES:
        return _clause_level(node, parent, above, subject=subject)
    if node.label == "NP" and _is_nominalisation(node) and (place := _grammatical_role(above)):
        return 6 if place == "subject" else 3
    if node.label == "VP" and parent.label == "NP" and _head_tag(node) in ("VBG", "TO"):
        return 6 if subject else 4
    if node.label == "VP" and parent.label == "NP" and _head_tag(node) == "VBN" and _first_word(node) not in _NAMING:
        return 6 if subject else 3
    compares = node.label == "PP" and _first_word(node) == "than" and parent.label != "QP"  # not "more than 30"
    return 4 if compares and any(child.label in ("NP", "S") for child in node.children) else None


def _is_nominalisation(phrase: Tree) -> bool:
    """Return whether the head of a base noun phrase is derived from a verb."""
    nouns = [child for child in phrase.children if child.label in ("NN", "NNS")]
    if not nouns or any(child.label == "NP" for child in phrase.children):
        return False
    word = nouns[-1].word.lower()
    if nouns[-1].label == "NNS":
        word = word.removesuffix("s")
    return word.endswith(_NOMINAL) and word not in _NO_NOMINALS


def _grammatical_role(above: Sequence[Tree]) -> str:
    """Return "subject", "object" or the empty string for a position."""
    for place in range(len(above) - 1, -1, -1):
        over = above[place]
        if over.label == "NP":
            conjoined = any(part.label in ("CC", "CONJP") for part in over.children)
            if place + 1 < len(above) and not conjoined and _child_index(over, above[place + 1]) > 0:
                return ""  # neither its head nor a conjunct
            continue
        if over.label in _CLAUSES:
            return "subject"
        return "object" if over.label == "VP" else ""
    return ""


def _subordinate_level(node: Tree, parent: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
    """Return the level of a clause with a conjunction or a relative pronoun."""
    if _is_conjoined(node, subject=False):
        return None  # its parts are counted
    first = _first_word(node)
    if first == "than":
        return 4
    if parent.label == "SBAR":  # a conjunct
        parent = next(over for over in reversed(above) if over.label != "SBAR")
    if parent.label in ("NP", "WHNP", "NX"):
        return 6 if subject else 3
    if _is_subject(node, parent):
        return 6
    relative = any(child.label in ("WHNP", "WHPP") for child in node.children)
    has_conjunction = any(child.label in ("IN", "WHADVP", "RB") for child in node.children)
    if relative or not has_conjunction or first in _COMPLEMENTISERS:
        return 3
    return 5


def _clause_level(node: Tree, parent: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
    """Return the level of a clause without a conjunction; None for the main clause."""
    if parent.label in ("ROOT", "TOP", "SBAR", "SBARQ", "FRAG", "PRN", "X"):
        return None
    verb = next((child for child in node.children if child.label == "VP"), None)
    own_subject = any(child.label == "NP" for child in _left_siblings(node, verb))
    if parent.label in ("S", "SINV", "SQ"):
        if _is_subject(node, parent):
            return 6
        if _is_finite(verb) or not any(child.label == "VP" for child in parent.children):
            return None  # conjoined main clauses
        return 6 if subject else 5
    if _is_conjoined(node, subject=False) and all(child.label in (*_CLAUSES, "CC", ",") for child in node.children):
        return None  # its parts are counted
    if parent.label == "PP":
        return 6 if subject else 5
    if parent.label in ("NP", "NX"):
        return 6 if subject else 4
    if parent.label == "ADJP":
        return 1
    if parent.label != "VP":
        return None
    return _complement_level(node, parent, above, own_subject=own_subject, finite=_is_finite(verb))


def _complement_level(
    node: Tree, parent: Tree, above: tuple[Tree, ...], *, own_subject: bool, finite: bool
) -> int | None:
    """Return the level of a clause in a verb phrase."""
    before = _left_siblings(parent, node)
    if finite:
        return 3
    if own_subject:
        return 4 if any(child.label == "VP" for child in node.children) else None  # a small clause: "makes it cheap"
    if any(child.word.lower() in _RAISING for child in before) or _is_extraposed(before, above):
        return 3
    if any(child.label == "," for child in before):
        return 5
    return 5 if any(child.label == "NP" for child in before) else 1


def _is_extraposed(before: Sequence[Tree], above: tuple[Tree, ...]) -> bool:
    """Return whether a clause after an adjective is the extraposed subject of "it"."""
    clause = next((node for node in reversed(above) if node.label in _CLAUSES), None)
    subject = next((child for child in clause.children if child.label == "NP"), None) if clause else None
    return subject is not None and subject.words() == ["it"] and any(child.label == "ADJP" for child in before)


def _is_subject(node: Tree, parent: Tree) -> bool:
    """Return whether a clause is in subject position."""
    if parent.label not in _CLAUSES:
        return False
    after = [child.label for child in parent.children[_child_index(parent, node) + 1 :]]
    verb = next((label for label in after if label not in ("ADVP", "RB", "MD")), "")
    return verb == "VP" and not any(child.label == "NP" for child in _left_siblings(parent, node))


def _is_finite(verb: Tree | None) -> bool:
    return verb is not None and _head_tag(verb) in ("VBZ", "VBP", "VBD", "MD", "VB")


def _head_tag(verb: Tree) -> str:
    """Return the part of speech of the first verb (or "to") of a verb phrase."""
    for child in verb.children:
        if child.label in ("VP", "UCP"):
            return _head_tag(child)
        if child.label.startswith(("VB", "MD", "TO")):
            return child.label
    return ""


def _left_siblings(parent: Tree, child: Tree | None) -> tuple[Tree, ...]:
    """Return the children to the left of a child, or all children if it is not one."""
    return parent.children if child is None else parent.children[: _child_index(parent, child)]


def _child_index(parent: Tree, child: Tree) -> int:
    return next(place for place, node in enumerate(parent.children) if node is child)


def _first_word(node: Tree) -> str:
    return next(iter(node.words()), "")
