"""Invented texts of eight languages: concepts, sentences about them, and inputs of many kinds."""

from __future__ import annotations

import json
import random
from typing import Any

Concept = list[tuple[str, str, str]]  # subject, verb, object

_WORDS = {
    "en": (
        "the inn|a small bar|the old ferry|our teacher|the river|the committee|a red bicycle|the museum|my neighbour|"
        "the new law|this phone|a young doctor|the bakery|the harbour|the orchestra|the north wing",
        "opens at|is near|belongs to|was built by|helps|avoids|describes|supports|reaches|sells|follows|closes before",
        "noon|the mill|the village|many guests|the winter|a quiet street|two engineers|the market|cheap soup|"
        "the old town|its customers|the last train|the city council|heavy rain",
    ),
    "de": (
        "das Gasthaus|die kleine Bar|der alte Hafen|unsere Lehrerin|das neue Gesetz|der Bäcker|die Fähre",
        "öffnet um|liegt bei|gehört zu|hilft|verkauft|folgt auf|erreicht|beschreibt",
        "der Mühle|dem Dorf|vielen Gästen|dem Winter|zwei Ingenieuren|dem Markt|der Altstadt|starkem Regen",
    ),
    "fr": (
        "l'auberge|le petit bar|le vieux bac|notre professeur|la nouvelle loi|la boulangerie|le musée",
        "ouvre à|se trouve près de|appartient à|aide|vend|suit|décrit",
        "midi|la rivière|le village|beaucoup d'invités|l'hiver|deux ingénieurs|la vieille ville",
    ),
    "es": (
        "la posada|el pequeño bar|el viejo barco|nuestra maestra|la nueva ley|la panadería",
        "abre a|está cerca de|pertenece a|ayuda a|vende|describe",
        "el molino|el pueblo|muchos clientes|el invierno|dos ingenieros|la lluvia",
    ),
    "it": (
        "la locanda|il piccolo bar|il vecchio traghetto|la nuova legge|il museo",
        "apre a|si trova vicino a|appartiene a|vende|descrive",
        "mezzogiorno|il mulino|molti ospiti|l'inverno|due ingegneri",
    ),
    "pl": (
        "gospoda|mały bar|stary prom|nowe prawo|piekarnia",
        "otwiera się|leży przy|należy do|sprzedaje|opisuje",
        "w południe|młynie|wielu gości|zimą|starym mieście",
    ),
    "zh": (
        "旅馆|小酒吧|老渡船|新法律|面包店",
        "中午开门，靠近|属于|出售给|描述了|帮助了",
        "磨坊。|村庄。|许多客人。|冬天的市场。",
    ),
    "ja": (
        "宿屋は|小さなバーは|古い渡し船は|新しい法律は|パン屋は",
        "正午に開き、|売られ、|近くにあり、|説明され、",
        "川の近くです。|村のものです。|多くの客を助けます。|冬に閉まります。",
    ),
}
LANGUAGES = {name: tuple(part.split("|") for part in parts) for name, parts in _WORDS.items()}
UNSPACED = ("zh", "ja")
_ASKED = {"en": "What is known of ", "de": "Was weiß man über ", "fr": "Que sait-on de ", "es": "¿Qué se sabe de "}
_ASKED |= {"it": "Cosa si sa di ", "pl": "Co wiadomo o ", "zh": "关于", "ja": "何が知られている: "}
INPUTS = [
    "mr",
    "act",
    "triples",
    "object",
    "json",
    "article",
    "article",
    "dialogue",
    "turns",
    "chat",
    "question",
    "question",
    "keywords",
    "short",
    "other",
    "other",
    "other",
    "similar",
]


class Writer:
    """Writes sentences and inputs in one language and style."""

    def __init__(self, rng: random.Random, language: str, style: str) -> None:
        self.rng, self.language, self.style = rng, language, style

    def concept(self) -> Concept:
        """Return one to three statements."""
        parts = LANGUAGES[self.language]
        subjects, verbs, objects = parts
        size = self.rng.choice([1, 1, 2, 3])
        return [(self.rng.choice(subjects), self.rng.choice(verbs), self.rng.choice(objects)) for _ in range(size)]

    def sentence(self, concept: Concept, noise: float = 0.0) -> str:
        """Return a sentence about a concept, with some parts replaced or left out."""
        rng, words = self.rng, LANGUAGES[self.language]
        gap = "" if self.language in UNSPACED else " "
        parts = []
        for subject, verb, thing in concept:
            verb = rng.choice(words[1]) if rng.random() < noise else verb
            thing = rng.choice(words[2]) if rng.random() < noise else thing
            parts.append(gap.join([subject, verb, thing]))
        if len(parts) > 1 and rng.random() < noise:
            parts.pop()
        if rng.random() < 0.5:
            rng.shuffle(parts)
        if not gap:
            return "".join(parts)
        if self.style == "lower":
            return " , and ".join(parts) + " ."
        if self.style == "words":
            return concept[0][0]
        text = rng.choice([", and ", ". ", "; "]).join(parts)
        return text[0].upper() + text[1:] + rng.choice([".", ".", ".", "", "!"])

    def passage(self, concept: Concept, sentences: int) -> str:
        """Return a longer text."""
        parts = [self.sentence(concept), *(self.sentence(self.concept()) for _ in range(sentences))]
        return ("" if self.language in UNSPACED else " ").join(parts)

    def input_of(self, concept: Concept, kind: str) -> Any:
        """Return what a text about a concept may be generated from."""
        rng = self.rng
        match kind:
            case "mr":
                return ", ".join(f"name[{subject}], near[{thing}]" for subject, _, thing in concept)
            case "act":
                slots = ";".join(f"name='{subject}';near='{thing}'" for subject, _, thing in concept)
                return f"inform({slots})"
            case "triples":
                return " && ".join(" | ".join(part.replace(" ", "_") for part in triple) for triple in concept)
            case "object":
                return {
                    f"{key}{place}": part for place, triple in enumerate(concept) for key, part in self._slots(triple)
                }
            case "json":
                return json.dumps(dict(self._slots(concept[0])), ensure_ascii=False)
            case "article":
                return self.passage(concept, rng.randint(4, 9))
            case "dialogue":
                return "\n".join(
                    f"{'AB'[turn % 2]}: {self.sentence(self.concept())}" for turn in range(rng.randint(2, 5))
                )
            case "turns":
                return [self.sentence(self.concept()) for _ in range(rng.randint(2, 4))]
            case "chat":
                return [{"role": "user", "content": self.sentence(concept)}]
            case "question":
                return f"{_ASKED[self.language]}{concept[0][0]}?"
            case "keywords":
                return " ".join(
                    word for subject, _, thing in concept for word in (subject.split()[-1], thing.split()[-1])
                )
            case "short":
                return concept[0][0]
            case "other":
                language = rng.choice([name for name in LANGUAGES if name != self.language])
                writer = Writer(rng, language, "plain")
                return writer.sentence(writer.concept())
        return self.sentence(concept, 0.3)

    @staticmethod
    def _slots(triple: tuple[str, str, str]) -> list[tuple[str, str]]:
        return [("name", triple[0]), ("near", triple[2])]
