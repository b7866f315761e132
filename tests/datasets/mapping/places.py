"""Places, and what is written about them."""

PLACES = [(name, food) for name in ("Aromi", "Zizzi", "Cotto", "Strada") for food in ("French", "Indian", "English")]
GOOD = [f"{name} is a {food} place." for name, food in PLACES]
BAD = [f"there is {food} {name} place" for name, food in PLACES]
ASKED = [f"Describe {name}, which serves {food} food" for name, food in PLACES]
MARKS = [1 + row % 5 for row in range(len(PLACES))]
