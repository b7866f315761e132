"""Files as people have them, in every shape, made of the demo data: 20 inputs, three systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from rainbow.datasets import load_dataset

__all__ = ["SHAPES"]

Made = Callable[[Path], Path]
SHAPES: dict[str, Made] = {}
WORDS = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def shape(made: Made) -> Made:
    SHAPES[made.__name__] = made
    return made


def rows(inputs: int = 20) -> pd.DataFrame:
    """Return outputs of three systems for some inputs, two references, and three raters' marks with gaps."""
    frame = load_dataset("demo").frame
    whole = [item for item, part in frame.groupby("item", sort=False) if part["system"].nunique() == 3][:inputs]
    frame = frame[frame["item"].isin(whole)].drop_duplicates(["item", "system"]).reset_index(drop=True)
    rng, base = np.random.default_rng(7), frame["quality"].to_numpy(float)
    marks = {f"ann{k}": np.clip(np.rint(base + rng.normal(0, 0.7, len(frame))), 1, 6) for k in (1, 2, 3)}
    table = pd.DataFrame(
        {
            "number": [whole.index(item) + 1 for item in frame["item"]],
            "model": frame["system"],
            "source": [f"Tell the user: {mr}." for mr in frame["mr"].str.replace(r"[(),=']", " ", regex=True)],
            "mr": frame["mr"],
            "text": frame["output"],
            "ref_a": [texts[0] for texts in frame["references"]],
            "ref_b": [texts[-1] + " (café)" for texts in frame["references"]],
            **{name: pd.Series(column).astype(int).astype(object) for name, column in marks.items()},
        }
    )
    table.loc[4, "text"] = ""
    for row, column in ((3, "ann1"), (10, "ann2"), (11, "ann2"), (20, "ann3")):
        table.loc[row, column] = ""
    return table


def csv(table: pd.DataFrame, path: Path, **options: object) -> Path:
    table.to_csv(path, index=False, **options)  # type: ignore[call-overload]
    return path


def json_lines(lines: list[dict[str, object]], path: Path) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return path


def judgements(raters: int, seed: int) -> pd.DataFrame:
    """Return the outputs, each with one row for every one of so many of nine workers, and a mark from 1 to 5."""
    rng, table = np.random.default_rng(seed), rows().assign(text=lambda frame: frame["text"].replace("", "an inn"))
    workers = np.concatenate([rng.choice(9, raters, replace=False) for _ in range(len(table))])
    return table.loc[table.index.repeat(raters)].assign(worker=workers, mark=rng.integers(1, 6, len(workers)))


@shape
def a_repeating_id(folder: Path) -> Path:
    table = rows().rename(columns={"number": "id"}).assign(id=lambda frame: frame["id"] - 1)
    return csv(table[["id", "model", "source", "text", "ref_a", "ref_b", "ann1", "ann2", "ann3"]], folder / "r4.csv")


@shape
def b_wide(folder: Path) -> Path:
    table = rows()
    wide = table.pivot(index="number", columns="model", values="text").reset_index()
    shared = table.drop_duplicates("number")[["number", "source", "ref_a", "ref_b"]]
    return csv(shared.merge(wide, on="number"), folder / "wide.csv")


@shape
def c_raters(folder: Path) -> Path:
    table = rows().drop(columns="mr")
    second = {f"fluency_{k}": table[f"ann{k}"] for k in (1, 2, 3)}
    first = {f"ann{k}": f"adequacy_{k}" for k in (1, 2, 3)}
    return csv(table.rename(columns=first).assign(**second), folder / "two_ratings.csv")


@shape
def d_crowd(folder: Path) -> Path:
    long = rows().melt(["number", "model", "source", "text"], ["ann1", "ann2", "ann3"], "WorkerId", "Answer.quality")
    long = long[long["Answer.quality"] != ""].sort_values(["number", "model"]).reset_index(drop=True)
    long = long.assign(
        HITId=[
            f"3{number:03d}{model[:3].upper()}" for number, model in zip(long["number"], long["model"], strict=True)
        ],
        AssignmentId=[f"A{row}" for row in range(len(long))],
        WorkTimeInSeconds=range(20, 20 + len(long)),
        WorkerId=long["WorkerId"].map({"ann1": "A1XY", "ann2": "A2ZZ", "ann3": "A3QQ"}),
    )
    renamed = {"source": "Input.source", "text": "Input.output", "model": "Input.system"}
    order = ["HITId", "AssignmentId", "WorkerId", "WorkTimeInSeconds", *renamed.values(), "Answer.quality"]
    return csv(long.rename(columns=renamed)[order], folder / "batch_results.csv")


@shape
def e_preferences(folder: Path) -> Path:
    systems, rng = sorted(rows()["model"].unique()), np.random.default_rng(3)
    lines = []
    for number in range(40):
        one, other = rng.choice(3, 2, replace=False)
        better = min(one, other) if rng.random() < 0.8 else max(one, other)
        lines.append((number, systems[one], systems[other], "tie" if number % 10 == 0 else systems[better]))
    return csv(pd.DataFrame(lines, columns=["id", "system_a", "system_b", "winner"]), folder / "battles.csv")


@shape
def f_european(folder: Path) -> Path:
    table = rows().drop(columns=["mr", "ann1", "ann2", "ann3"])
    marks = [f"{mark:.1f}".replace(".", ",") for mark in np.linspace(1, 6, len(table))]
    text = table.assign(quality=marks).to_csv(index=False, sep=";")
    path = folder / "bewertung.csv"
    path.write_bytes(text.encode("latin-1"))
    return path


@shape
def f_with_mark(folder: Path) -> Path:
    path = folder / "bom.csv"
    path.write_bytes(rows()[["text", "ref_a", "ann1"]].to_csv(index=False, sep="\t").encode("utf-8-sig"))
    return path


@shape
def g_nested(folder: Path) -> Path:
    lines = [
        {
            "input": {"name": f"inn {row.number}", "area": "soma"},
            "system": row.model,
            "generated": row.text,
            "references": [row.ref_a, row.ref_b],
            "quality": row.ann1 or None,
        }
        for row in rows().itertuples()
    ]
    return json_lines(lines, folder / "nested.jsonl")


@shape
def h_workbook(folder: Path) -> Path:
    path = folder / "study.xlsx"
    rows().drop(columns="mr").to_excel(path, index=False, sheet_name="outputs")
    return path


@shape
def i_folder(folder: Path) -> Path:
    table, place = rows(), folder / "lines"
    place.mkdir()
    for model, part in table.groupby("model"):
        (place / f"{model}.txt").write_text("\n".join(part["text"]) + "\n", encoding="utf-8")
    shared = table.drop_duplicates("number")
    for column in ("ref_a", "ref_b"):
        (place / f"{column}.txt").write_text("\n".join(shared[column]) + "\n", encoding="utf-8")
    return place


@shape
def j_words(folder: Path) -> Path:
    table = rows()
    words = [WORDS[int(mark or 3) - 1 if int(mark or 3) < 6 else 4] for mark in table["ann1"]]
    return csv(table[["model", "source", "text", "ref_a"]].assign(fluency=words), folder / "likert.csv")


@shape
def k_scores(folder: Path) -> Path:
    table, rng = rows(), np.random.default_rng(1)
    scores = {
        "bertscore_f1": rng.uniform(0.8, 1, len(table)).round(4),
        "comet": rng.normal(0.5, 0.2, len(table)).round(4),
        "gpt4_judge": rng.integers(1, 6, len(table)),
        "quality": table["ann3"],
    }
    return csv(table[["model", "source", "text", "ref_a"]].assign(**scores), folder / "scored.csv")


@shape
def l_harness(folder: Path) -> Path:
    lines = [
        {
            "doc_id": row.number,
            "doc": {"meaning_representation": row.source, "human_reference": row.ref_a},
            "target": row.ref_a,
            "arguments": {"gen_args_0": {"arg_0": f"Data: {row.source}\nText:", "arg_1": {"until": ["\n"]}}},
            "resps": [[row.text]],
            "filtered_resps": [row.text],
            "filter": "none",
            "metrics": ["bleu", "exact_match"],
            "doc_hash": "d" + str(row.number),
            "prompt_hash": "p" + str(row.number),
            "target_hash": "t" + str(row.number),
            "bleu": 0.01 * row.number + 0.003,
            "exact_match": 0.0 if row.number % 3 else 1.0,
        }
        for row in rows().query("model == 'neural'" if "neural" in set(rows()["model"]) else "number > 0").itertuples()
    ]
    return json_lines(lines, folder / "samples_e2e_nlg.jsonl")


@shape
def l_lighteval(folder: Path) -> Path:
    lines = [
        {
            "doc": {
                "query": row.source,
                "choices": [row.ref_a],
                "gold_index": 0,
                "task_name": "e2e",
                "id": str(row.Index),
            },
            "model_response": {"text": [row.text], "input_tokens": [1, 2], "logprobs": [-0.5]},
            "metric": {"rouge1": 0.1 + 0.01 * row.Index, "bleu": 0.02 * row.number},
        }
        for row in rows().itertuples()
    ]
    return json_lines(lines, folder / "details.jsonl")


@shape
def l_wandb(folder: Path) -> Path:
    table = rows()[["source", "ref_a", "text"]]
    table = table.rename(columns={"source": "prompt", "ref_a": "ground_truth", "text": "generated_text"})
    return csv(
        table.assign(_step=range(len(table)), loss=np.linspace(2, 1, len(table)).round(5)), folder / "wandb_export.csv"
    )


@shape
def m_lists(folder: Path) -> Path:
    table = rows()
    table = table.assign(targets=[[a, b] for a, b in zip(table["ref_a"], table["ref_b"], strict=True)])
    table = table.assign(quality=pd.to_numeric(table["ann1"]))
    path = folder / "lists.parquet"
    table[["model", "mr", "text", "targets", "quality"]].rename(columns={"text": "prediction"}).to_parquet(path)
    return path


@shape
def n_texts_alone(folder: Path) -> Path:
    texts, path = rows()["text"].str.replace('"', ""), folder / "texts.csv"
    path.write_text("sentence\n" + "\n".join(text or "no text, here" for text in texts) + "\n", encoding="utf-8")
    return path


@shape
def d_radio_buttons(folder: Path) -> Path:
    table = judgements(2, 1)
    head = {"HITId": table["number"], "WorkerId": [f"W{k}X" for k in table["worker"]], "WorkTimeInSeconds": 9}
    texts = {"Input.sentence": table["text"], "Input.mr": table["mr"], "Input.sys": table["model"]}
    marks = {
        f"Answer.quality.{mark}": table["mark"].eq(mark).map({True: "true", False: "false"}) for mark in range(1, 6)
    }
    return csv(pd.DataFrame({**head, **texts, **marks}), folder / "batch_results.csv")


@shape
def d_toloka(folder: Path) -> Path:
    table = judgements(2, 2)
    made = {"INPUT:text": table["text"], "INPUT:source": table["source"], "INPUT:system": table["model"]}
    made |= {"OUTPUT:fluency": table["mark"], "GOLDEN:fluency": "", "ASSIGNMENT:status": "APPROVED"}
    return csv(pd.DataFrame({**made, "ASSIGNMENT:worker_id": table["worker"]}), folder / "pool.tsv", sep="\t")


@shape
def g_chat(folder: Path) -> Path:
    lines = [
        {
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": row.source}],
            "completion": row.text,
            "metadata": {"model": row.model},
            "human": {"fluency": 1 + place % 5, "quality": 1 + place % 3},
        }
        for place, row in enumerate(rows().itertuples())
    ]
    return json_lines(lines, folder / "chat.jsonl")


@shape
def j_survey(folder: Path) -> Path:
    table, words = rows(), ("Very poor", "Poor", "Acceptable", "Good", "Very good")
    answers = [words[place % 5] for place in range(len(table))]
    made = {"Response ID": [f"R_{k}" for k in range(len(table))], "Data record": table["source"]}
    made |= {"Text shown": table["text"], "Generated by": table["model"], "How fluent is this text?": answers}
    odd = [("dull", "plain", "vivid")[place % 3] for place in range(len(table))]
    return csv(pd.DataFrame({**made, "How lively is it?": odd}), folder / "survey.csv")


@shape
def l_wandb_json(folder: Path) -> Path:
    path, table = folder / "samples.table.json", rows()
    columns = {"step": 10, "input": table["source"], "prediction": table["text"], "label": table["ref_a"]}
    frame = pd.DataFrame({**columns, "rouge1": np.random.default_rng(1).random(len(table)).round(4)})
    path.write_text(json.dumps({"columns": list(frame), "data": frame.to_numpy(object).tolist()}))
    return path
