"""The methods paragraph of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow._version import __version__
from rainbow.base.formatting import format_count, format_interval, format_number
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.study.questions import Question
from rainbow.study.sample import AT_END, EARLY

if TYPE_CHECKING:
    from rainbow.study.results import Results


def describe_methods(results: Results) -> str:
    """Return the paragraph that describes the study and its results."""
    study, settings = results.study, results.study.settings
    tasks, raters = study.tasks, results.counting["rater"].nunique()
    systems = sorted(name for name in tasks["system"].unique() if name)
    usual = tasks[tasks["control"] == ""]
    seconds = results.counting.drop_duplicates(["rater", "task"])["seconds"].median()
    flagged = results.raters[results.raters["flagged"] != ""]
    left_out = ", ".join(settings.left_out) or "nobody"
    sentences = [
        (
            f"We sampled {format_count(settings.items, 'input')} at random from those that all {len(systems)} "
            f"systems ({', '.join(systems)}) had answered, and asked about all of their {usual['id'].nunique()} "
            "outputs."
        ),
        describe_size(results),
        *(describe_question(question) for question in settings.questions),
        (
            f"Each output was assigned to {format_count(settings.raters, 'rater')}; inputs were distributed over "
            f"{format_count(settings.people, 'list')} in balanced incomplete blocks. Raters did not see which "
            "system had written a text; each had an individual order"
        )
        + ("." if settings.neighbours else ", without consecutive outputs for one input."),
        f"{settings.repeated:.0%} of the tasks were repeated, and controls (worthless texts"
        + (", references" if (tasks["control"] == "reference").any() else "")
        + f") were added at a rate of {settings.controls:.0%}.",
        (
            f"{format_count(raters, 'rater')} gave "
            f"{format_count(int((results.counting['control'] == '').sum()), 'rating')} (without controls), with a "
            f"median of {seconds:.0f} seconds per task; {results.missing} of {len(tasks)} planned tasks are missing."
        ),
        (
            f"By rule, {format_count(len(flagged), 'rater')} failed controls or clicked through; {left_out} was "
            "excluded."
        ),
        *(_agreement_sentence(question, results) for question in settings.questions),
        (
            "Intervals of differences between systems hold jointly for all pairs and interim looks of a rating "
            f"in 95 % of studies ({EARLY:.1%} spent on interim looks, always-valid, Waudby-Smith et al. 2024; "
            f"{AT_END:.1%} at the end, Student's t; Bonferroni over pairs)."
        ),
        f"Design, answers and tables: RAINBOW {__version__}, study {study.name}, seed {settings.seed}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def describe_size(results: Results) -> str:
    """Return the reason for the number of inputs; empty if the organiser chose it."""
    target = results.study.settings.target
    if target is None:
        return ""
    if target.margin is not None:
        goal = f"intervals of differences of {target.rating} with a half-width of at most {target.margin:g}"
    else:
        goal = (
            f"detecting differences of {target.difference:g} points of {target.rating} with a power of {target.power:g}"
        )
    return f"The number of inputs was planned for {goal}, for every two systems, from the ratings of a pilot."


def describe_question(question: Question) -> str:
    """Return how a rating was elicited."""
    how = {
        "scale": f"from {question.low} ({question.low_end}) to {question.high} ({question.high_end})",
        "magnitude": "any positive number, relative to a reference worth 100",
        "pairs": "two outputs side by side, ties allowed",
        "errors": f"spans of the text, each {', '.join(question.error_kinds)}, and minor (1 point) or major (5)",
    }[question.kind]
    return f"{question.name.capitalize()} was asked as “{question.text}” ({how})."


def describe_agreement(agreement: Agreement) -> str:
    """Return an agreement coefficient with its interval, or why there is none."""
    if agreement.estimate != agreement.estimate:
        return f"not defined: {agreement.reason}"
    return (
        f"{format_number(agreement.estimate)} (95 % interval "
        f"{format_interval(agreement.low, agreement.high, format_number)}, {agreement.n_items} texts)"
    )


def _agreement_sentence(question: Question, results: Results) -> str:
    others, same = results.agreement[question.name], results.self_agreement[question.name]
    return (
        f"Krippendorff's alpha (interval level) for {question.name} is {describe_agreement(others)}; of raters "
        f"with themselves "
        f"{describe_agreement(same)}."
    )
