"""`python -m scripts.three_ways`: one study asked by pages, by Potato and by Label Studio, and whether all tables agree.

Starts both programs as a user does (give their paths: pip install potato-annotation label-studio, in environments of
their own), lets simulated raters answer in Chromium, reads everything back, and compares the three tables of answers.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pandas as pd

from rainbow import load_dataset
from rainbow.study import Study
from rainbow.study.ask.start_label_studio import USER
from rainbow.study.ask.ways import write_way
from rainbow.study.questions import Question
from rainbow.study.returned.collect import COLUMNS, collect
from rainbow.study.settings import Settings
from rainbow.study.simulated import simulated_answers
from tests.reports.browser.driver import chromium

ENTER = "\ue007"
PATIENCE = 600  # seconds
Answers = dict[str, dict[str, Any]]  # of a rater: by task, then by rating
Ask = Callable[[Any, Study, str, Answers], None]


def until(found: Callable[[], Any], what: str) -> Any:
    """Wait until something is there, and return it."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if value := found():
                return value
        except Exception as error:  # of a page that is being made, whatever it is
            if time.monotonic() > end:
                raise TimeoutError(what) from error
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)


@contextmanager
def program(command: list[str], port: int) -> Iterator[None]:
    """Start a program that serves a port, and end it as Ctrl-C does."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as running:
        try:
            until(lambda: _answers(port), f"port {port}")
            yield
        finally:
            os.killpg(running.pid, signal.SIGINT)
            try:
                running.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://localhost:{port}/", timeout=5):
            return True
    except (URLError, OSError):
        return False


def one(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def press(browser: Any, selector: str) -> None:
    until(
        lambda: browser.execute_script(
            "const n = document.querySelector(arguments[0]); n?.click(); return n", selector
        ),
        selector,
    )


def ask_pages(browser: Any, study: Study, rater: str, answers: Answers) -> None:
    folder = str(study.folder / "returned")
    browser.get((study.folder / "pages" / f"{rater}.html").as_uri())
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
    for given in answers.values():
        for rating, value in given.items():
            if study.settings.question(rating).is_pairs:
                browser.switch_to.active_element.send_keys({1.0: "1", 0.0: "2", 0.5: "3"}[value])
            else:
                browser.switch_to.active_element.send_keys(
                    str(value) + ENTER * (study.settings.question(rating).high > 9)
                )
    press(browser, "#save")
    until(lambda: [path for path in study.returned if path.stem.endswith(rater) and path.suffix == ".json"], "a file")


def ask_potato(port: int) -> Ask:
    def ask(browser: Any, study: Study, rater: str, answers: Answers) -> None:
        browser.get(f"http://localhost:{port}/")
        until(lambda: one(browser, "#login-email"), "login").send_keys(rater + ENTER)
        for task, given in answers.items():
            name = f"{study.name}-{task}"
            until(
                lambda name=name: (
                    browser.execute_script("return document.getElementById('instance_id')?.value") == name
                ),
                task,
            )
            for rating, value in given.items():
                question = study.settings.question(rating)
                if question.is_pairs:
                    press(browser, f"[data-schema={rating}][data-value={ {1.0: 'A', 0.0: 'B', 0.5: 'tie'}[value] }]")
                elif question.high > 9:
                    one(browser, f"input[schema={rating}]").send_keys(str(value))
                else:
                    press(browser, f"input[name={rating}][value='{value}']")
            time.sleep(0.3)
            press(browser, "#next-btn")
        time.sleep(3)

    return ask


def ask_label_studio(browser: Any, study: Study, rater: str, answers: Answers) -> None:
    browser.get("http://localhost:8080/user/login/")
    password = (study.folder / "label-studio" / "password").read_text()
    if browser.find_elements("name", "email"):
        browser.find_element("name", "email").send_keys(USER)
        browser.find_element("name", "password").send_keys(password + ENTER)
        until(lambda: "login" not in browser.current_url, "login")
    for asks in ("pairs", "single"):
        own = {*study.tasks.loc[(study.tasks["rater"] == rater) & (study.tasks["asks"] == asks), "task"]}
        if own:
            browser.get("http://localhost:8080/api/projects?page_size=1000")
            script = "return fetch('/api/projects?page_size=1000').then((r) => r.json()).then((r) => r.results)"
            (number,) = (entry["id"] for entry in browser.execute_script(script) if entry["title"] == f"{rater}-{asks}")
            browser.get(f"http://localhost:8080/projects/{number}/data?labeling=1")
            for task, given in answers.items():
                if task in own:
                    _label(browser, study, task, given)


def _label(browser: Any, study: Study, task: str, given: dict[str, Any]) -> None:
    text = study.tasks.loc[study.tasks["task"] == task, "output"].iloc[0]
    shown = "return [...document.querySelectorAll('.lsf-object, [class*=lsf-htx-richtext], [class*=richtext]')].map((n) => n.textContent).join(' ')"
    until(lambda: " ".join(text.split()) in " ".join(browser.execute_script(shown).split()), task)
    for rating, value in given.items():
        question = study.settings.question(rating)
        if question.high > 9 and not question.is_pairs:
            one(browser, f"input[name='{rating}'], input[type=number]").send_keys(str(value))
        else:
            choice = {1.0: "first", 0.0: "second", 0.5: "both"}[value] if question.is_pairs else str(value)
            press(browser, f"input[type=radio][name='{choice}']")
    press(browser, "button[name=submit], button[aria-label*=ubmit]")
    until(lambda: not browser.find_elements("css selector", "input[type=radio]:checked"), "the next task")


def table(study: Study) -> pd.DataFrame:
    found = collect(study, study.returned)
    sys.stdout.write("".join(f"{note}\n" for note in found.notes))
    return found.answers[[name for name in COLUMNS if name not in ("seconds", "spans")]]


def study_of(folder: Path, items: int, ratings: list[str]) -> Study:
    questions = tuple(map(Question.of, ratings))
    return Study.make(load_dataset("demo"), Settings("demo", questions, items), folder)


def main() -> None:
    """Ask three times, and compare."""
    parser = argparse.ArgumentParser(prog="python -m scripts.three_ways", description=__doc__)
    parser.add_argument("--potato", default="potato", help="the program")
    parser.add_argument("--label-studio", default="label-studio", help="the program")
    parser.add_argument("--items", type=int, default=20, help="inputs, of three systems each")
    parser.add_argument("--rating", action="append", help="as for rainbow study; by default quality")
    parser.add_argument("--way", action="append", choices=["page", "potato", "label-studio"], help="only these")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        tables = dict(asked(Path(folder), options))
    first, *others = tables.values()
    sys.stdout.write("".join(f"{way}: {len(found)} answers\n" for way, found in tables.items()))
    same = all(found.equals(first) for found in others)
    sys.stdout.write("all tables are equal\n" if same else "tables differ\n")
    sys.exit(not same)


def asked(folder: Path, options: argparse.Namespace) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the table of answers of each way."""
    marks = load_dataset("demo").frame.set_index("id")["quality"]
    for way in options.way or ["page", "potato", "label-studio"]:
        study = study_of(folder / way, options.items, options.rating or ["quality"])
        told = write_way(study, way)
        answers: dict[str, Answers] = {}
        for rater, own in simulated_answers(study, lambda identity: float(marks[identity]), rng=1).items():
            for answer in own:
                answers.setdefault(rater, {}).setdefault(answer["task"], {})[answer["rating"]] = answer["value"]
        for command, port, ask, chosen in runs(way, told, study, options):
            with program(command, port) if command else TemporaryDirectory():
                for rater, own in answers.items():
                    asks = dict(zip(study.tasks["task"], study.tasks["asks"], strict=True))
                    with TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
                        browser.set_window_size(1300, 1400)
                        ask(browser, study, rater, {task: given for task, given in own.items() if asks[task] in chosen})
                    sys.stdout.write(f"{way}: {rater} has answered\n")
                    sys.stdout.flush()
                if way == "label-studio":
                    time.sleep(40)  # until answers were brought
        yield way, table(study)


def runs(
    way: str, told: str, study: Study, options: argparse.Namespace
) -> Iterator[tuple[list[str], int, Ask, set[str]]]:
    """Yield the programs to start for a way, where they serve, how they are answered, and which tasks."""
    if way == "page":
        yield [], 0, ask_pages, {"single", "pairs"}
    elif way == "label-studio":
        start = ["-m", "rainbow.study.ask.start_label_studio", str(study.folder), "--program", options.label_studio]
        yield [sys.executable, *start], 8080, ask_label_studio, {"single", "pairs"}
    else:
        for asks in ("single", "pairs"):
            config = study.folder / "potato" / asks / "config.yaml"
            if config.is_file():
                port = 8000 + (asks == "pairs")
                command = shlex.split(f"{shlex.quote(options.potato)} start {shlex.quote(str(config))} -p {port}")
                yield command, port, ask_potato(port), {asks}


if __name__ == "__main__":
    main()
