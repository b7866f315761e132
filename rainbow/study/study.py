"""A study in its folder: settings, outputs and tasks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rainbow.base.files import write_json
from rainbow.base.fingerprint import fingerprint
from rainbow.base.formatting import plain
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.scoring.result_tables import write_tables
from rainbow.study.design import WORSE, design_tasks
from rainbow.study.settings import FILE, Settings, read_settings, write_settings

DESIGN = "design"  # folder with files that raters must not see
OUTPUTS = ("id", "dataset", "system", "item", "mr", "output", "references")


@dataclass(frozen=True, eq=False)
class Study:
    """A human evaluation.

    Attributes
    ----------
    folder : Path
        Folder of the study.
    settings : Settings
        Contents of ``study.toml``.
    outputs : DataFrame
        All outputs of the source: `id`, `dataset`, `system`, `item`, `mr`, `output`, `references`.
    tasks : DataFrame
        Tasks of each rater (:func:`~rainbow.study.design.design_tasks`).
    examples : tuple of dict
        Examples in the instructions: `input`, `output`, `why`.
    name : str
        Hash of twelve digits, stored in every page to detect answers to another study.

    Examples
    --------
    >>> import rainbow
    >>> from tempfile import TemporaryDirectory
    >>> from rainbow.study.questions import Question
    >>> settings = Settings("demo", (Question.parse("quality"),), items=20)
    >>> with TemporaryDirectory() as folder:
    ...     made = Study.make(rainbow.load_dataset("demo"), settings, Path(folder))
    ...     again = Study.open(Path(folder))
    >>> again.name == made.name, again.tasks.groupby("rater").size().tolist()
    (True, [72, 72, 72])
    """

    folder: Path
    settings: Settings
    outputs: pd.DataFrame
    tasks: pd.DataFrame
    examples: tuple[dict[str, str], ...]
    name: str

    @classmethod
    def make(cls, corpus: Corpus, settings: Settings, folder: Path) -> Study:
        """Design a study and write it to a folder.

        Raises
        ------
        ValueError
            If there are too few outputs, or the folder has answers to another study.
        """
        if returned_files(folder):
            raise ValueError(f"{folder} already has answers: create a new study in another folder with --out FOLDER")
        tasks = design_tasks(corpus, settings)
        if settings.shows_reference and not tasks["references"].map(len).all():
            raise ValueError("magnitudes need a reference worth 100, but some inputs have none")
        examples = tuple(_draw_examples(corpus, tasks, settings))
        name = fingerprint(plain([_design_settings(settings), examples, tasks.to_dict("records")]))
        study = cls(folder, settings, corpus.frame[list(OUTPUTS)], tasks, examples, name)
        if not (folder / FILE).is_file() or read_settings(folder) != settings:  # keep manual edits
            write_settings(folder, settings)
        tables = {"outputs": study.outputs, "tasks": tasks}
        write_tables(folder / DESIGN, {file: encode_references(table) for file, table in tables.items()})
        about = {"study": name, "decided": fingerprint(_design_settings(settings)), "examples": examples}
        write_json(folder / DESIGN / "study.json", about)
        (folder / RETURNED).mkdir(exist_ok=True)
        return study

    @classmethod
    def open(cls, folder: str | Path) -> Study:
        """Load a study; it is redesigned if ``study.toml`` changed before the first answers.

        Raises
        ------
        FileNotFoundError
            If there is no study.
        ValueError
            If it changed after the first answers, or cannot be read.
        """
        folder = Path(folder)
        settings = read_settings(folder)
        try:
            about = json.loads((folder / DESIGN / "study.json").read_text(encoding="utf-8"))
            outputs, tasks = (_read_outputs(folder / DESIGN / f"{file}.csv") for file in ("outputs", "tasks"))
        except (ValueError, KeyError) as error:
            raise ValueError(f"{folder / DESIGN} is not readable ({error}): was it edited?") from None
        if about["decided"] != fingerprint(_design_settings(settings)):
            return cls.make(Corpus(outputs), settings, folder)
        return cls(folder, settings, outputs, tasks, tuple(about["examples"]), about["study"])

    @property
    def instructions(self) -> str:
        """Instructions for raters with examples, as plain text."""
        examples = [f"{example['why']}: {example['output']}" for example in self.examples]
        return "\n\n".join([self.settings.instructions, *examples])

    @property
    def returned(self) -> list[Path]:
        """Files in the folder ``returned``."""
        return returned_files(self.folder)


RETURNED = "returned"


def returned_files(folder: Path) -> list[Path]:
    """Return the files in ``returned``, and those of Potato and Label Studio."""
    returned = sorted(path for path in (folder / RETURNED).rglob("*") if path.is_file() and path.name[0] != ".")
    others = ("potato/*/annotation_output/*/user_state.json", "label-studio/returned/*.json")
    return [*returned, *(path for kept in others for path in sorted(folder.glob(kept)))]


def _design_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings that the design depends on."""
    data: dict[str, Any] = json.loads(json.dumps({**asdict(settings), "left_out": []}))
    return data


def _draw_examples(corpus: Corpus, tasks: pd.DataFrame, settings: Settings) -> Iterator[dict[str, str]]:
    """Return example texts, preferably for inputs outside the study."""
    asked = {*zip(tasks["dataset"], tasks["item"], strict=True)}
    frame = corpus.frame
    free = [place for place, key in enumerate(zip(frame["dataset"], frame["item"], strict=True)) if key not in asked]
    written = [place for place in free if frame["references"].iat[place]]
    if written:
        row = frame.iloc[written[0]]
        yield {"input": row["mr"], "output": row["references"][0], "why": "A good text, written by a person"}
    worse = tasks.loc[tasks["control"] == WORSE, "output"]
    if len(worse):
        yield {"input": "", "output": worse.iloc[0], "why": "A bad text: it is off topic and its words are shuffled"}


def encode_references(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the references of each row as a JSON list."""
    return table.assign(references=[json.dumps(list(own), ensure_ascii=False) for own in table["references"]])


def _read_outputs(path: Path) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    numbers: Sequence[str] = [name for name in ("order", "repeat") if name in table]
    references = pd.Series([tuple(json.loads(own)) for own in table["references"]], dtype=object)
    return table.assign(references=references, **{name: table[name].astype(int) for name in numbers})
