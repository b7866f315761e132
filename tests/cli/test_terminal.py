"""What a terminal is offered: completion by Tab, and quiet."""

import os
import pty
import subprocess
import sys

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'rainbow'; from rainbow.cli import main; main()"]
UNFAMILIAR = ["score", "hello", "--mr", "inform(x=y)"]


def run(*arguments: str, **environment: str) -> tuple[int, list[str], str]:
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
    )
    return done.returncode, done.stdout.split(), done.stderr


def test_tab_completes_commands_and_options() -> None:
    bash = {"_RAINBOW_COMPLETE": "complete_bash", "COMP_WORDS": "rainbow me", "COMP_CWORD": "1"}
    assert run(**bash)[1] == ["metrics"]
    assert run(**(bash | {"COMP_WORDS": "rainbow score --ex", "COMP_CWORD": "2"}))[1] == ["--explain"]


def test_a_shell_is_told_how_to_complete() -> None:
    status, words, _ = run("--show-completion", "bash")
    assert (status, words[-2:]) == (0, ["_rainbow_completion", "rainbow"])


def test_quiet_prints_results_alone() -> None:
    loud, quiet = run(*UNFAMILIAR), run("--quiet", *UNFAMILIAR)
    assert quiet == (0, loud[1], "")
    assert "of the words of these outputs and inputs: scores are rough outside the domain" in loud[2]


def test_quiet_keeps_nothing_back_from_whoever_fails() -> None:
    for wrong in (["score", "hello", "--rating", "beauty"], ["score", "hello", "--nope"], ["no-command"]):
        status, _, told = run("--quiet", *wrong)
        assert status in (1, 2) and told == run(*wrong)[2] != ""


def test_a_terminal_shows_the_scale_of_scores_once() -> None:
    _, terminal = pty.openpty()
    command = [*COMMAND, "score", "--model", "fast", "--interval", "the inn is cheap.", "the inn"]
    told = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, text=True, check=True).stderr
    assert told.count("score, low, high: predicted quality, from 1 to 6\n") == 1
