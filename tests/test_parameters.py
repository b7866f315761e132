"""Every parameter of a public function does something."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "rainbow"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield public functions, and public methods and constructors of public classes, with their names."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, Function) and (not method.name.startswith("_") or method.name.endswith("__")):
                    yield f"{node.name}.{method.name}", method


def is_abstract(function: Function) -> bool:
    """Return whether a body is a docstring, `...`, `pass` or an error: a protocol, an overload, a hook."""
    return all(isinstance(part, ast.Raise | ast.Pass) or _is_constant(part) for part in function.body)


def _is_constant(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def unread(function: Function) -> list[str]:
    """Return the parameters that the body never reads; those with a leading underscore are unused on purpose."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    body = [node for part in function.body for node in ast.walk(part)]
    read = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return [one.arg for one in named if one.arg not in {*read, "self", "cls"} and not one.arg.startswith("_")]


def test_an_unread_parameter_is_found() -> None:
    source = (
        "def f(a, b, *, c, _d):\n    b = 1\n    return [a, c]\nclass P:\n    def g(self, x):\n        '''Hook.'''\n"
    )
    found = {name: unread(function) for name, function in functions(ast.parse(source)) if not is_abstract(function)}
    assert found == {"f": ["b"]}


# One of several functions that are called alike, or a method that another package calls: others of its kind read these.
CALLED_ALIKE = {
    # checks of scores and ratings: check(frame, metrics, ratings)
    "analysis/checks/column_checks.py: check_off_scale": {"metrics"},
    "analysis/checks/copies.py: check_copied_inputs": {"metrics", "ratings"},
    "analysis/checks/copies.py: check_copied_ratings": {"metrics"},
    "analysis/checks/column_checks.py: check_coverage": {"metrics"},
    "analysis/checks/column_checks.py: check_rater_counts": {"metrics"},
    "analysis/checks/language_check.py: check_language": {"ratings"},
    "analysis/checks/language_check.py: check_word_spacing": {"ratings"},
    "analysis/checks/copies.py: check_repeated_scores": {"ratings"},
    "analysis/checks/copies.py: check_repeated_ratings": {"metrics"},
    "analysis/checks/copies.py: check_batch_effects": {"metrics"},
    # every table about judges with labels is made with the same arguments
    "analysis/judges/judge_errors.py: changed_labels": {"draw"},
    "analysis/judges/judge_errors.py: judge_error_rates": {"draw"},
    "analysis/judges/judge_errors.py: judge_errors": {"draw"},
    # perturbations of a text: perturb(row, rng)
    "audit/text_errors.py: copy_mr": {"rng"},
    "audit/text_errors.py: previous_turn": {"rng"},
    "audit/text_errors.py: empty_text": {"row", "rng"},
    # datasets: load(name), judgements(name)
    "datasets/demo.py: load": {"name"},
    "datasets/e2e.py: judgements": {"name"},
    "datasets/rankme.py: judgements": {"name"},
    # learners and their columns
    "learned/learner/combination.py: Combination.predict": {"texts"},
    "learned/learner/combination.py: Combination.familiarity": {"texts"},
    "learned/learner/combination.py: Combination.check": {"texts"},
    "learned/learner/quantised_forest.py: QuantisedForest.predict": {"texts"},
    "learned/learner/quantised_forest.py: QuantisedForest.familiarity": {"texts"},
    "learned/learner/quantised_forest.py: QuantisedForest.check": {"texts"},
    "learned/training/features.py: StoredColumns.fit": {"corpus"},
    "learned/training/features.py: StoredColumns.table": {"known"},
    # classifiers of a replication: classify(fold, setting)
    "learned/replications/liu2021/methods.py: classify_majority": {"setting"},
    "learned/replications/liu2021/methods.py: classify_lookup": {"setting"},
    "learned/replications/liu2021/methods.py: classify_svm": {"setting"},
    "learned/replications/liu2021/methods.py: classify_logistic": {"setting"},
    # a metric without corpus statistics is fitted like the others
    "metrics/contract/base.py: Metric.fit": {"batch"},
    # pathlib, click and TRL
    "base/storage.py: Remote.mkdir": {"parents", "exist_ok"},
    "cli/command_groups.py: TaskGroup.list_commands": {"ctx"},
    "cli/command_groups.py: TaskGroup.format_commands": {"ctx"},
    "cli/command_groups.py: TaskGroup.format_epilog": {"ctx"},
    "serving/reward.py: Reward.__call__": {"completion_ids"},
}


@pytest.mark.once
def test_every_parameter_of_a_public_function_is_read() -> None:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, function in functions(ast.parse(path.read_text(encoding="utf-8"))):
            parameters = {} if is_abstract(function) else {*unread(function)}
            if parameters:
                found[f"{path.relative_to(PACKAGE).as_posix()}: {name}"] = parameters
    assert found == CALLED_ALIKE
