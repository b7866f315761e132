"""`python -m scripts.three_ways`: one study asked by pages, Potato and Label Studio, and whether all tables agree.

Starts both programs as a user does (potato-annotation and label-studio, installed in environments of their own, their
programs on the path), lets simulated raters answer in Chromium, reads all back, and compares the answers.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pandas as pd

from rainbow import load_dataset
from rainbow.study import Study
from rainbow.study.annotation.interfaces import write_interface
from rainbow.study.annotation.start_label_studio import EVERY, USER
from rainbow.study.collection import COLUMNS, collect_answers
from rainbow.study.questions import Question
from rainbow.study.settings import Settings
from rainbow.study.simulated import simulate_answers
from tests.reports.browser.driver import chromium

ENTER = "\ue007"
PATIENCE = 400  # seconds
PORTS = {"page": 0, "potato": 8000, "label-studio": 8080}
Answers = dict[str, dict[str, Any]]  # of a rater: by task, then by rating


def until(found: Callable[[], Any], what: str) -> Any:
    """Wait until something is there, and return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(Exception):  # of a page that is being made, whatever it is
            if value := found():
                return value
        time.sleep(0.05)
    raise TimeoutError(what)


@contextmanager
def started(command: str, port: int) -> Iterator[None]:
    """Start a program that serves a port, and end it as Ctrl-C does."""
    with TemporaryDirectory() as folder, (Path(folder) / "log").open("w") as log:
        running = subprocess.Popen(["bash", "-c", command], stdout=log, stderr=log, start_new_session=True)
        try:
            until(lambda: running.poll() is None and serves(port), command)
            yield
        finally:
            os.killpg(running.pid, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                running.wait(60)
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def serves(port: int) -> bool:
    """Return whether a page is served there."""
    try:
        with urlopen(f"http://localhost:{port}/", timeout=5):
            return True
    except (URLError, OSError):
        return False


def press(browser: Any, selector: str) -> None:
    """Click it as soon as it is there."""
    script = "const node = document.querySelector(arguments[0]); node?.click(); return node"
    until(lambda: browser.execute_script(script, selector), selector)


def one(browser: Any, selector: str) -> Any:
    """Return it as soon as it is there."""
    return until(lambda: browser.find_element("css selector", selector), selector)


def ask_page(browser: Any, study: Study, rater: str, answers: Answers) -> None:
    """Answer the page of a rater by keyboard, and save the file."""
    browser.get((study.folder / "pages" / f"{rater}.html").as_uri())
    folder = {"behavior": "allow", "downloadPath": str(study.folder / "returned")}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    for rating, value in (pair for given in answers.values() for pair in given.items()):
        question = study.settings.question(rating)
        typed = {1.0: "1", 0.0: "2", 0.5: "3"}[value] if question.is_pairs else str(value)
        browser.switch_to.active_element.send_keys(typed + ENTER * (question.high > 9))
    press(browser, "#save")
    until(lambda: [path for path in study.returned if path.name.endswith(f"{rater}.json")], "a file")


def ask_potato(browser: Any, study: Study, rater: str, answers: Answers) -> None:
    """Answer as a rater in Potato."""
    browser.get("http://localhost:8000/")
    one(browser, "#login-email").send_keys(rater + ENTER)
    last = ""
    for task, given in answers.items():
        until(lambda last=last, task=task: shows_in_potato(browser, task, last), task)
        for rating, value in given.items():
            question = study.settings.question(rating)
            if question.is_pairs:
                side = {1.0: "A", 0.0: "B", 0.5: "tie"}[value]
                press(browser, f"[data-schema={rating}][data-value={side}]")
            elif question.high > 9:
                one(browser, f"input[schema={rating}]").send_keys(str(value))
            else:
                press(browser, f"input[name={rating}][value='{value}']")
        last = task
    until(lambda: shows_in_potato(browser, last, last), "the end")
    time.sleep(3)


def shows_in_potato(browser: Any, task: str, last: str) -> bool:
    """Return whether a task is shown; where the last still is, go on, as who sees that nothing moved."""
    time.sleep(0.4)  # what was answered is sent some time after
    if browser.execute_script("return document.getElementById('instance_id')?.value ?? ''").endswith(f"-{last}"):
        press(browser, "#next-btn")
        time.sleep(0.4)
        return last == task
    return bool(browser.execute_script("return document.getElementById('instance_id')?.value").endswith(f"-{task}"))


def ask_label_studio(browser: Any, study: Study, rater: str, answers: Answers) -> None:
    """Answer the projects of a rater in Label Studio."""
    browser.get("http://localhost:8080/user/login/")
    one(browser, "[name=email]").send_keys(USER)
    one(browser, "[name=password]").send_keys((study.folder / "label-studio" / "password").read_text() + ENTER)
    until(lambda: "login" not in browser.current_url, "login")
    asks = dict(zip(study.tasks["task"], study.tasks["asks"], strict=True))
    listed = "return fetch('/api/projects?page_size=1000').then((r) => r.json()).then((r) => r.results)"
    numbers = {entry["title"]: entry["id"] for entry in browser.execute_script(listed)}
    here = ""
    for task, given in answers.items():
        if asks[task] != here:
            here = asks[task]
            browser.get(f"http://localhost:8080/projects/{numbers[f'{rater}-{here}']}/data?labeling=1")
        until(lambda task=task: shows(browser, study, task), task)
        for rating, value in given.items():
            question = study.settings.question(rating)
            if question.high > 9:
                one(browser, f"input[name='{rating}']").send_keys(str(value))
            else:
                choice = {1.0: "first", 0.0: "second", 0.5: "both"}[value] if question.is_pairs else str(value)
                press(browser, f"input[type=radio][name='{choice}']")
        press(browser, "button[name=submit]")
        until(lambda: not browser.find_elements("css selector", "input:checked"), "the next task")


def shows(browser: Any, study: Study, task: str) -> bool:
    """Return whether Label Studio shows a task, with nothing answered."""
    script = (
        "return [...document.querySelectorAll('.lsf-richtext__container')].map((node) => node.textContent).join(' ')"
    )
    text = " ".join(study.tasks.loc[study.tasks["task"] == task, "output"].iloc[0].split())
    return text in " ".join(browser.execute_script(script).split())


ASK = {"page": ask_page, "potato": ask_potato, "label-studio": ask_label_studio}


def asked(way: str, folder: Path, items: int, ratings: list[str]) -> pd.DataFrame:
    """Ask a study in one way, and return its table of answers without what differs by the way."""
    questions = tuple(map(Question.parse, ratings))
    study = Study.make(load_dataset("demo"), Settings("demo", questions, items), folder)
    told = write_interface(study, way)
    marks = load_dataset("demo").frame.set_index("id")["quality"]
    answers: dict[str, Answers] = {}
    for rater, own in simulate_answers(study, lambda identity: float(marks[identity]), rng=1).items():
        for answer in own:
            answers.setdefault(rater, {}).setdefault(answer["task"], {})[answer["rating"]] = answer["value"]
    asks = dict(zip(study.tasks["task"], study.tasks["asks"], strict=True))
    for command in re.findall(r"by (cd [^;]*config.yaml -p \d+|python -m \S+ \S+)", told) or [""]:
        chosen = re.findall(r"potato/(single|pairs) ", command) or ["single", "pairs"]
        with started(command, PORTS[way]) if command else nullcontext():
            for rater, given in answers.items():
                own = {task: values for task, values in given.items() if asks[task] in chosen}
                with TemporaryDirectory(ignore_cleanup_errors=True) as profile, chromium(Path(profile)) as browser:
                    browser.set_window_size(1300, 1400)
                    ASK[way](
                        browser, study, rater, {task: given for task, given in own.items() if asks[task] in chosen}
                    )
            time.sleep(EVERY + 5 if way == "label-studio" else 0)  # until answers were brought
    found = collect_answers(study, study.returned)
    sys.stdout.write(f"{way}: {len(found.answers)} answers of {found.answers['rater'].nunique()} raters{found.notes}\n")
    sys.stdout.flush()
    return found.answers[[name for name in COLUMNS if name not in ("seconds", "spans")]]


def main() -> None:
    """Ask three times, and compare."""
    parser = argparse.ArgumentParser(prog="python -m scripts.three_ways", description=__doc__)
    parser.add_argument("--items", type=int, default=20, help="inputs, of three systems each")
    parser.add_argument("--rating", action="append", help="scales and pairs, as for rainbow study; by default quality")
    parser.add_argument("--way", action="append", choices=list(ASK), help="only these")
    options = parser.parse_args()
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        tables = [
            asked(way, Path(folder) / way, options.items, options.rating or ["quality"]) for way in options.way or ASK
        ]
    same = all(table.equals(tables[0]) for table in tables)
    sys.stdout.write("all tables are equal\n" if same else "tables differ\n")
    sys.exit(not same)


if __name__ == "__main__":
    main()
