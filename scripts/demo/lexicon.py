"""What the grammar can say: a data file of phrases and sentence frames.

`PHRASES` gives, for a slot (``area``) or a slot with a certain value (``dogs_allowed=yes``), the phrases that
express it, by their place in a sentence: `adj` before the noun, `post` after it, `verb` as a predicate in the
singular, `clause` as a sentence of its own, `any` for "does not matter", `mind` after "you do not mind". ``{}``
stands for the value. The first verb phrase is the plainest.

`FRAMES` gives the sentences of each act. A word in braces is a place to fill, ``a(n)`` is settled by the word
that follows. Places after the bar must be filled (of ``adj/rel`` at least one), others may stay empty.
"""

from __future__ import annotations

Phrases = dict[str, tuple[str, ...]]

PHRASES: dict[str, Phrases] = {
    "area": {
        "post": ("in {}", "in the {} area", "in the {} district"),
        "verb": ("is in {}", "is located in {}", "is situated in the {} area", "can be found in {}"),
    },
    "near": {
        "post": ("near {}", "close to {}", "not far from {}"),
        "verb": ("is near {}", "is close to {}", "lies near {}", "is not far from {}"),
    },
    "address": {
        "post": ("at {}",),
        "verb": ("is at {}", "has the address {}"),
        "clause": ("its address is {}", "the address is {}", "you will find it at {}"),
    },
    "phone": {
        "verb": ("has the phone number {}", "can be reached on {}"),
        "clause": ("its phone number is {}", "the phone number is {}", "the number to call is {}"),
    },
    "postcode": {"verb": ("has the postcode {}",), "clause": ("its postcode is {}", "the postcode is {}")},
    "price": {
        "verb": ("has meals for {}", "charges {} for a meal"),
        "clause": ("a meal costs {}", "you pay {} for a meal", "meals are {}"),
    },
    "price_range=inexpensive": {
        "adj": ("inexpensive", "low-priced", "low-cost"),
        "post": ("in the inexpensive price range",),
        "verb": ("is in the inexpensive price range", "is inexpensive", "has low prices"),
    },
    "price_range=cheap": {
        "adj": ("cheap", "inexpensive", "low-priced"),
        "post": ("in the cheap price range",),
        "verb": ("is in the cheap price range", "is cheap", "has low prices"),
    },
    "price_range=moderate": {
        "adj": ("moderately priced", "mid-priced"),
        "post": ("in the moderate price range",),
        "verb": ("is in the moderate price range", "is moderately priced", "has moderate prices"),
    },
    "price_range=expensive": {
        "adj": ("expensive", "pricey", "high-priced"),
        "post": ("in the expensive price range",),
        "verb": ("is in the expensive price range", "is expensive", "has high prices"),
    },
    "has_internet=yes": {
        "post": ("with internet access", "with Wi-Fi"),
        "verb": ("has internet access", "offers Wi-Fi", "provides internet access"),
    },
    "has_internet=no": {
        "post": ("without internet access", "without Wi-Fi"),
        "verb": ("does not have internet access", "does not offer Wi-Fi"),
    },
    "dogs_allowed=yes": {"adj": ("dog-friendly",), "verb": ("allows dogs", "welcomes dogs", "accepts dogs")},
    "dogs_allowed=no": {"verb": ("does not allow dogs", "does not accept dogs", "does not admit dogs")},
    "accepts_credit_cards=yes": {"verb": ("accepts credit cards", "takes credit cards")},
    "accepts_credit_cards=no": {"verb": ("does not accept credit cards", "does not take credit cards")},
    "kids_allowed=yes": {
        "adj": ("child-friendly", "kid-friendly"),
        "verb": ("allows children", "welcomes children", "allows kids"),
    },
    "kids_allowed=no": {
        "adj": ("adults-only",),
        "verb": ("does not allow children", "does not admit children", "does not allow kids"),
    },
    "food": {"adj": ("{}",), "verb": ("serves {} food", "offers {} dishes", "has {} food on the menu")},
    "good_for_meal": {"verb": ("is good for {}", "is a good choice for {}", "is well suited to {}")},
    "area=dont_care": {
        "any": ("if the area does not matter", "regardless of the area"),
        "mind": ("which area the {noun} is in", "what part of town the {noun} is in"),
    },
    "near=dont_care": {
        "any": ("if it does not matter what is nearby", "regardless of what is nearby"),
        "mind": ("what the {noun} is near", "which landmark the {noun} is close to"),
    },
    "price_range=dont_care": {
        "any": ("if the price range does not matter", "regardless of the price range"),
        "mind": ("which price range the {noun} is in", "what the price range is"),
    },
    "has_internet=dont_care": {
        "any": ("if internet access does not matter", "whether or not you need internet access"),
        "mind": ("whether the {noun} has internet access", "if there is internet access or not"),
    },
    "dogs_allowed=dont_care": {
        "any": ("if it does not matter whether dogs are allowed", "whether or not dogs are allowed"),
        "mind": ("whether the {noun} allows dogs", "if dogs are allowed or not"),
    },
    "accepts_credit_cards=dont_care": {
        "any": ("if credit cards do not matter", "whether or not you pay by credit card"),
        "mind": ("whether the {noun} accepts credit cards", "if credit cards are accepted or not"),
    },
    "food=dont_care": {
        "any": ("if the type of food does not matter", "regardless of the type of food"),
        "mind": ("what type of food the {noun} serves", "which kind of food you eat"),
    },
    "kids_allowed=dont_care": {
        "any": ("if it does not matter whether children are allowed", "whether or not children are allowed"),
        "mind": ("whether the {noun} allows children", "if kids are allowed or not"),
    },
    "good_for_meal=dont_care": {
        "any": ("if the meal does not matter", "regardless of the meal"),
        "mind": ("which meal the {noun} is good for", "what meal it is"),
    },
}

QUESTIONS: dict[str, tuple[str, ...]] = {
    "area": (
        "what area are you looking for",
        "which part of town do you prefer",
        "do you have a certain area in mind",
        "which area should the {noun} be in",
    ),
    "near": (
        "what would you like to be near",
        "is there a landmark the {noun} should be close to",
        "what should the {noun} be near",
    ),
    "price_range": (
        "what price range would you like",
        "which price range are you looking for",
        "how much would you like to spend",
    ),
    "has_internet": (
        "do you need internet access",
        "should the {noun} have internet access",
        "is internet access important to you",
    ),
    "dogs_allowed": (
        "should the {noun} allow dogs",
        "are you travelling with a dog",
        "do you need a(n) {noun} that allows dogs",
    ),
    "accepts_credit_cards": (
        "would you like to pay by credit card",
        "should the {noun} accept credit cards",
        "do you need a(n) {noun} that takes credit cards",
    ),
    "food": (
        "what type of food would you like",
        "which kind of food are you looking for",
        "what sort of food would you like to eat",
        "do you have a certain type of food in mind",
    ),
    "kids_allowed": (
        "should the {noun} allow children",
        "are you bringing any children",
        "do you need a(n) {noun} that allows kids",
    ),
    "good_for_meal": (
        "which meal are you planning",
        "what meal should the {noun} be good for",
        "is it for breakfast , brunch , lunch or dinner",
    ),
}

FRAMES: dict[str, tuple[str, ...]] = {
    "inform": (
        "{name} is a(n) {adj} {noun} {post} {rel}",
        "{name} is a(n) {adj} {noun} {post} {rel}",
        "{name} {vp} | vp",
        "{name} , a(n) {adj} {noun} {post} , {vp} | post vp",
        "there is a(n) {adj} {noun} called {name} {post} {rel}",
        "you could try {name} , which {vp} | vp",
        "how about {name} ? it {vp} | vp",
        "I can suggest {name} , a(n) {adj} {noun} {post} {rel} | adj/post/rel",
        "{front} you will find {name} , a(n) {adj} {noun} {rel} | front adj/rel",
    ),
    "inform count": (
        "there are {count} {adj} {nouns} {post} {rels} {any}",
        "I found {count} {adj} {nouns} {post} {rels} {any}",
        "I know of {count} {adj} {nouns} {post} {rels} {any}",
        "you can choose from {count} {adj} {nouns} {post} {rels} {any}",
        "my list has {count} {adj} {nouns} {post} {rels} {any}",
    ),
    "inform_only_match": (
        "{name} is the only {adj} {noun} {post} {rel}",
        "the only {adj} {noun} {post} {rel} is {name}",
        "I found just one {adj} {noun} {post} {rel} : {name}",
        "there is only one {adj} {noun} {post} {rel} , and that is {name}",
        "apart from {name} , there are no {adj} {nouns} {post} {rels}",
    ),
    "inform_no_match": (
        "there are no {adj} {nouns} {post} {rels}",
        "I am sorry , but there is no {adj} {noun} {post} {rel}",
        "unfortunately , I could not find any {adj} {nouns} {post} {rels}",
        "I do not know of any {adj} {nouns} {post} {rels}",
        "sorry , I found no {adj} {nouns} {post} {rels}",
    ),
    "confirm": (
        "you are looking for a(n) {adj} {noun} {post} {rel} , is that right ?",
        "let me check : you would like a(n) {adj} {noun} {post} {rel} ?",
        "can I confirm that you want a(n) {adj} {noun} {post} {rel} ?",
        "so you need a(n) {adj} {noun} {post} {rel} , correct ?",
        "did you say you wanted a(n) {adj} {noun} {post} {rel} ?",
    ),
    "confirm dont_care": (
        "so you do not mind {mind} , is that right ?",
        "can I confirm that you do not mind {mind} ?",
        "just to check , you do not care {mind} ?",
        "you do not mind {mind} , correct ?",
    ),
    "select adj": (
        "would you like a(n) {adj} {noun} or a(n) {adj} one ?",
        "are you looking for a(n) {adj} or a(n) {adj} {noun} ?",
        "which do you prefer , a(n) {adj} {noun} or a(n) {adj} one ?",
    ),
    "select post": (
        "would you prefer a(n) {noun} {post} or {post} ?",
        "are you looking for a(n) {noun} {post} or one {post} ?",
        "should the {noun} be {post} or {post} ?",
    ),
    "select verb": (
        "do you want a(n) {noun} that {verb} or one that {verb} ?",
        "which do you prefer , a(n) {noun} that {verb} or one that {verb} ?",
    ),
    "select yes or no": (
        "do you want a(n) {noun} that {verb} or one that does not ?",
        "do you need a(n) {noun} that {verb} , yes or no ?",
        "are you looking for a(n) {noun} that {verb} or for one that does not ?",
        "would you prefer a(n) {noun} that {verb} or not ?",
    ),
    "reqmore": (
        "is there anything else I can help you with ?",
        "can I help you with anything else ?",
        "would you like to know anything else ?",
        "what else can I do for you ?",
        "do you need any more information ?",
    ),
    "goodbye": (
        "thank you and goodbye",
        "goodbye , and enjoy your meal",
        "thank you for calling , goodbye",
        "goodbye , I hope I could help",
        "thanks for your call and have a nice day",
    ),
}

NOUNS = {
    "hotel": (("hotel", "hotels"), ("hotel", "hotels"), ("place to stay", "places to stay")),
    "restaurant": (("restaurant", "restaurants"), ("restaurant", "restaurants"), ("place to eat", "places to eat")),
}

PLURALS = {
    "accepts": "accept",
    "allows": "allow",
    "can": "can",
    "charges": "charge",
    "does": "do",
    "has": "have",
    "is": "are",
    "lies": "lie",
    "offers": "offer",
    "provides": "provide",
    "serves": "serve",
    "takes": "take",
    "welcomes": "welcome",
}
