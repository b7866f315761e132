"""The meaning representations: which slots and values there are, and how items are drawn from them."""

from __future__ import annotations

from dataclasses import dataclass

from .chance import Chance

DOMAINS = ("hotel", "restaurant")
DONT_CARE = "dont_care"
BOTH = "yes or no"

AREAS = (
    "Lanternhill", "Oxmoor Park", "Pellow Bay", "Quillgate", "Hollis Green", "Merrow Heights",
    "Tinder Hill", "Wexcombe", "Dunmarsh", "Corvale", "Fennick Square", "Ashpenny",
)  # fmt: skip
LANDMARKS = (
    "Silverline Station", "Ostler Bridge", "Alder Cathedral", "Longstone Pier", "Tamsin Gardens", "Brindle Market",
    "Fairlight Museum", "Gossamer Theatre", "Redkite Stadium", "Dray Lighthouse",
)  # fmt: skip
STREETS = (
    "Cobbler Street", "Marl Road", "Thimble Lane", "Harrowby Avenue", "Old Ropery Road", "Candlewick Row",
    "Juniper Drive", "Bellows Street", "Sorrel Place", "Ferryman Street",
)  # fmt: skip
FIRST_WORDS = (
    "Copper", "Velvet", "Amber", "Quiet", "Silver", "Crooked", "Painted", "Indigo", "Hollow", "Wandering",
    "Rusty", "Marble", "Little", "Misty", "Paper", "Scarlet", "Jolly", "Winter",
)  # fmt: skip
NAMES = {
    "hotel": (
        ("The {} Heron", "{} Compass Hotel", "The {} Lantern", "{} Orchard Inn", "{} Sparrow Lodge"),
        ("Hotel Varenka", "Hotel Osmund", "Tarrow House", "Pellow Grand", "Hotel Mirabeck", "Linnet Court"),
    ),
    "restaurant": (
        ("The {} Ladle", "{} Fig Bistro", "The {} Colander", "{} Skillet", "{} Pepper Kitchen"),
        ("Cafe Brunello", "Casa Tolvera", "Zumarra", "Nonna Petrica", "Kestrel", "Maison Daubry"),
    ),
}
BOOLEANS = ("has_internet", "dogs_allowed", "accepts_credit_cards", "kids_allowed")
CLOSED_VALUES = {
    "hotel": {
        "price_range": ("inexpensive", "moderate", "expensive"),
        "has_internet": ("yes", "no"),
        "dogs_allowed": ("yes", "no"),
        "accepts_credit_cards": ("yes", "no"),
    },
    "restaurant": {
        "price_range": ("cheap", "moderate", "expensive"),
        "food": (
            "Italian", "Thai", "Korean", "Lebanese", "Mexican", "vegetarian", "Middle Eastern", "Portuguese",
            "Ethiopian", "Indian", "French", "Greek", "Japanese", "vegan", "North African",
        ),
        "kids_allowed": ("yes", "no"),
        "good_for_meal": ("breakfast", "brunch", "lunch", "dinner"),
    },
}  # fmt: skip
CONSTRAINTS = {domain: ("area", "near", *slots) for domain, slots in CLOSED_VALUES.items()}
CONTACTS = {"hotel": ("address", "phone", "postcode"), "restaurant": ("address", "phone", "postcode", "price")}
QUOTED = ("name", "area", "near", "address", "phone", "postcode", "count", "price")

# Act type -> number of items per domain, roughly as in recorded dialogues.
ITEMS_PER_DOMAIN = {
    "inform": 96,
    "inform_no_match": 25,
    "inform_only_match": 18,
    "confirm": 15,
    "select": 10,
    "request": 8,
}
# Acts without slots have one meaning representation each, so they are given to one domain each.
SLOTLESS = {"hotel": "reqmore", "restaurant": "goodbye"}


@dataclass(frozen=True)
class Meaning:
    """A dialogue act with its slots, printed as ``inform(name='Kestrel',food=Thai)``.

    Examples
    --------
    >>> str(Meaning("request", "hotel", (("area", ""), ("price_range", ""))))
    'request(area,price_range)'
    """

    act: str
    domain: str
    slots: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.act}({','.join(_written(slot, value) for slot, value in self.slots)})"

    def get(self, slot: str) -> str | None:
        """Return the value of `slot`, or None where the act does not have it."""
        return dict(self.slots).get(slot)


def _written(slot: str, value: str) -> str:
    if not value:
        return slot
    quoted = value != DONT_CARE and (slot in QUOTED or " " in value)
    return f"{slot}='{value}'" if quoted else f"{slot}={value}"


def values(domain: str, slot: str, chance: Chance) -> tuple[str, ...]:
    """Return possible values of `slot`; for numbers and names a fresh draw."""
    number = int(chance.pick(range(2, 90)))
    open_values = {
        "area": AREAS,
        "near": LANDMARKS,
        "address": (f"{number} {chance.pick(STREETS)}",),
        "phone": (f"555 01{number:02d}",),
        "postcode": (f"00{100 + 4 * number}",),
        "count": (str(number),),
        "price": (f"{5 + number // 5} to {10 + number // 3} dollars",),
        "name": (_name(domain, chance),),
    }
    return open_values.get(slot) or CLOSED_VALUES[domain][slot]


def _name(domain: str, chance: Chance) -> str:
    patterns, whole_names = NAMES[domain]
    return chance.pick(whole_names) if chance.happens(0.25) else chance.pick(patterns).format(chance.pick(FIRST_WORDS))


def _filled(domain: str, slots: list[str], chance: Chance) -> tuple[tuple[str, str], ...]:
    return tuple((slot, chance.pick(values(domain, slot, chance))) for slot in slots)


def draw_meaning(act: str, domain: str, chance: Chance) -> Meaning:
    """Draw a random meaning representation of one act type."""
    constraints = CONSTRAINTS[domain]
    if act == "inform" and chance.happens(0.15):
        slots = _counted(domain, chance)
    elif act == "inform":
        contacts = chance.sample(CONTACTS[domain], chance.pick((0, 0, 1, 1, 2)))
        sensible = [slot for slot in constraints if slot != "price_range" or "price" not in contacts]
        kept = chance.sample(sensible, chance.pick((1, 1, 2, 2, 3)))
        named = _filled(domain, ["name", *chance.shuffled(kept + contacts)], chance)
        slots = (named[0], ("type", domain), *named[1:]) if chance.happens(0.15) else named
    elif act == "inform_only_match":
        slots = _filled(domain, ["name", *chance.sample(constraints, chance.pick((1, 2, 2, 3)))], chance)
    elif act == "select":
        slots = (_alternatives(domain, chance.pick(constraints), chance),)
    elif act == "request":
        slots = tuple((slot, "") for slot in chance.sample(constraints, chance.pick((1, 1, 2))))
    elif act == "confirm" and chance.happens(0.3):
        slots = ((chance.pick(constraints), DONT_CARE),)
    else:
        most = {"confirm": (1, 2), "inform_no_match": (1, 2, 2, 3)}[act]
        slots = _filled(domain, chance.sample(constraints, chance.pick(most)), chance)
    return Meaning(act, domain, slots)


def _counted(domain: str, chance: Chance) -> tuple[tuple[str, str], ...]:
    chosen = chance.sample(CONSTRAINTS[domain], chance.pick((1, 2, 2)))
    filled = _filled(domain, ["count", *chosen], chance)
    if len(chosen) > 1 and chance.happens(0.4):
        filled = (*filled[:-1], (chosen[-1], DONT_CARE))
    return (("type", domain), *filled)


def _alternatives(domain: str, slot: str, chance: Chance) -> tuple[str, str]:
    if slot in BOOLEANS:
        return slot, BOTH
    return slot, " or ".join(chance.sample(values(domain, slot, chance), 2))


def draw_items(seed: int) -> dict[str, Meaning]:
    """Draw the items: id -> meaning representation, all different."""
    items: dict[str, Meaning] = {}
    seen: set[str] = set()
    for domain in DOMAINS:
        chance = Chance(seed, "items", domain)
        acts = [act for act, number in ITEMS_PER_DOMAIN.items() for _ in range(number)]
        meanings = [Meaning(SLOTLESS[domain], domain)]
        for act in acts:
            meaning = draw_meaning(act, domain, chance)
            while str(meaning) in seen:
                meaning = draw_meaning(act, domain, chance)
            seen.add(str(meaning))
            meanings.append(meaning)
        for number, meaning in enumerate(chance.shuffled(meanings), start=1):
            items[f"{domain}-{number:03d}"] = meaning
    return items
