"""The developmental level of a sentence: how complex its syntax is, from 0 to 7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rainbow.text.trees.parse_trees import Tree

HIGHEST = 7
_CONJOINING = 2

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBARQ"})
_CONJOINED = frozenset({"S", "SINV", "SQ", "SBARQ", "VP", "ADJP", "ADVP", "UCP"})
_RAISING = frozenset(f"{verb}{ending}" for verb in ("seem", "appear") for ending in ("", "s", "ed", "ing"))
# "A pub called Zizzi": the name stands beside the noun, which no clause says more of.
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
    """Return the level of a sentence on the revised scale of Rosenberg and Abbeduto (Covington et al. 2006).

    Source: Covington, M. A., He, C., Brown, C., Naçi, L. and Brown, J. (2006). How complex is that sentence? A proposed
    revision of the Rosenberg and Abbeduto D-Level scale. CASPR Research Report 2006-01.
    """
    levels = list(_structures(tree, (), subject=False))
    several = len(levels) > 1 and any(level != _CONJOINING for level in levels)
    return HIGHEST if several else max(levels, default=0)


def _structures(node: Tree, above: tuple[Tree, ...], *, subject: bool) -> Iterator[int]:
    """Return the level of every structure at a node and below."""
    if above and (level := _level(node, above, subject=subject)) is not None:
        yield level
    if _is_conjoined(node, subject=subject):
        yield _CONJOINING
    first_verb = next((place for place, child in enumerate(node.children) if child.label == "VP"), None)
    for place, child in enumerate(node.children):
        is_subject = node.label in _CLAUSES and first_verb is not None and place < first_verb and child.label == "NP"
        yield from _structures(child, (*above, node), subject=subject or (is_subject and not _in_clause(above)))


def _in_clause(above: Sequence[Tree]) -> bool:
    """Whether a clause at this place is in another: its subject is not the sentence's."""
    return any(node.label not in {"ROOT", "TOP", "S", "SINV", "SQ", "FRAG", "PRN"} for node in above)


def _is_conjoined(node: Tree, *, subject: bool) -> bool:
    """Whether like things stand beside each other with a conjunction, other than noun phrases outside the subject."""
    if not any(child.label in ("CC", "CONJP") for child in node.children):
        return False
    return node.label in _CONJOINED or (subject and node.label in ("NP", "NX"))


def _level(node: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
    """Return the level of the structure that a node is; None if it is none."""
    parent = above[-1]
    if node.label == "SBAR":
        return _of_subordinate(node, parent, above, subject=subject)
    if node.label in _CLAUSES:
        return _of_clause(node, parent, above, subject=subject)
    if node.label == "NP" and _is_nominalisation(node) and (place := _place_in_clause(above)):
        return 6 if place == "subject" else 3
    if node.label == "VP" and parent.label == "NP" and _head(node) in ("VBG", "TO"):
        return 6 if subject else 4
    if node.label == "VP" and parent.label == "NP" and _head(node) == "VBN" and _first_word(node) not in _NAMING:
        return 6 if subject else 3
    if (
        node.label == "PP"
        and _first_word(node) == "than"
        and any(child.label in ("NP", "S") for child in node.children)
    ):
        return 4 if not _is_quantity(parent) else None
    return None


def _is_nominalisation(phrase: Tree) -> bool:
    """Whether the head of a noun phrase without noun phrases in it is a noun made from a verb."""
    nouns = [child for child in phrase.children if child.label in ("NN", "NNS")]
    if not nouns or any(child.label == "NP" for child in phrase.children):
        return False
    word = nouns[-1].word.lower()
    if nouns[-1].label == "NNS":
        word = word.removesuffix("s")
    return word.endswith(_NOMINAL) and word not in _NO_NOMINALS


def _place_in_clause(above: Sequence[Tree]) -> str:
    """Return "subject" or "object" for what is, with the phrases it heads or is a conjunct of; else nothing."""
    for place in range(len(above) - 1, -1, -1):
        over = above[place]
        if over.label == "NP":
            if place + 1 < len(above) and not _heads(over, above[place + 1]):
                return ""
            continue
        if over.label in _CLAUSES:
            return "subject"
        return "object" if over.label == "VP" else ""
    return ""


def _heads(phrase: Tree, child: Tree) -> bool:
    """Whether a noun phrase in another is its first, or a conjunct."""
    conjoined = any(part.label in ("CC", "CONJP") for part in phrase.children)
    return conjoined or _place(phrase, child) == 0


def _of_subordinate(node: Tree, parent: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
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


def _of_clause(node: Tree, parent: Tree, above: tuple[Tree, ...], *, subject: bool) -> int | None:
    """Return the level of a clause without conjunction; None for the main clause, and where its SBAR was counted."""
    if parent.label in ("ROOT", "TOP", "SBAR", "SBARQ", "FRAG", "PRN", "X"):
        return None
    verb = next((child for child in node.children if child.label == "VP"), None)
    own_subject = any(child.label == "NP" for child in _before(node, verb))
    if parent.label in ("S", "SINV", "SQ"):
        return _beside(node, parent, above, finite=_is_finite(verb), subject=subject)
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
    return _complement(node, parent, above, own_subject=own_subject, finite=_is_finite(verb))


def _beside(node: Tree, parent: Tree, above: tuple[Tree, ...], *, finite: bool, subject: bool) -> int | None:
    """Return the level of a clause directly in another: conjunct, subject or nonfinite adjunct."""
    if _is_subject(node, parent):
        return 6
    if finite or not any(child.label == "VP" for child in parent.children):
        return None  # conjoined main clauses
    return 6 if subject else 5


def _complement(node: Tree, parent: Tree, above: tuple[Tree, ...], *, own_subject: bool, finite: bool) -> int | None:
    """Return the level of a clause in a verb phrase."""
    before = _before(parent, node)
    if finite:
        return 3
    if own_subject:
        return 4 if any(child.label == "VP" for child in node.children) else None  # a small clause: "makes it cheap"
    if any(child.word.lower() in _RAISING for child in before):
        return 3
    if _is_extraposed(before, above):
        return 3
    if any(child.label == "," for child in before):
        return 5
    return 5 if any(child.label == "NP" for child in before) else 1


def _is_extraposed(before: Sequence[Tree], above: tuple[Tree, ...]) -> bool:
    """Whether a clause after an adjective stands for "it" in the subject."""
    clause = next((node for node in reversed(above) if node.label in _CLAUSES), None)
    subject = next((child for child in clause.children if child.label == "NP"), None) if clause else None
    return subject is not None and subject.words() == ["it"] and any(child.label == "ADJP" for child in before)


def _is_subject(node: Tree, parent: Tree) -> bool:
    """Whether a clause stands where a subject does: before the verb phrase, with no noun phrase between."""
    if parent.label not in _CLAUSES:
        return False
    after = [child for child in parent.children[_place(parent, node) + 1 :] if child.label not in ("ADVP", "RB", "MD")]
    return bool(after) and after[0].label == "VP" and not any(child.label == "NP" for child in _before(parent, node))


def _is_finite(verb: Tree | None) -> bool:
    return verb is not None and _head(verb) in ("VBZ", "VBP", "VBD", "MD", "VB")


def _is_quantity(parent: Tree) -> bool:
    """Whether "than" is part of a number: "more than 30"."""
    return parent.label == "QP"


def _head(verb: Tree) -> str:
    """Return the part of speech of the first verb (or "to") of a verb phrase, through conjoined ones."""
    for child in verb.children:
        if child.label in ("VP", "UCP"):
            return _head(child)
        if child.label.startswith(("VB", "MD", "TO")):
            return child.label
    return ""


def _before(parent: Tree, child: Tree | None) -> tuple[Tree, ...]:
    """Return the children that stand before one of them; all if there is no such child."""
    return parent.children if child is None else parent.children[: _place(parent, child)]


def _place(parent: Tree, child: Tree) -> int:
    return next(place for place, node in enumerate(parent.children) if node is child)


def _first_word(node: Tree) -> str:
    return next(iter(node.words()), "")
