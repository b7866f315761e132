"""Tables as they lie about in the field: what their columns are is found by names and cells, without an option."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow.datasets import load_dataset
from rainbow.datasets.columns import Columns
from rainbow.datasets.folders.user_files import open_user_files
from rainbow.datasets.roles.rating_columns import unrated_codes
from rainbow.datasets.table_mapping import read_mapping as mapping_of
from rainbow.pipeline.preferences import rank_by_preference, read_comparisons
from tests.datasets.mapping.places import ASKED, BAD, FACTS, GOOD, MARKS, PEOPLE, PLACES, labelled_table

DECIMALS = [row * 7.31 for row in range(len(PLACES))]


def written(folder: Path, columns: dict[str, Sequence[Any]]) -> Path:
    path = folder / "mine.jsonl"
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_of_compared_outputs_the_preferred_has_one_and_a_chat_is_its_input_and_its_answer(tmp_path: Path) -> None:
    first = load_dataset(written(tmp_path, labelled_table("chats of an arena"))).frame.iloc[:6]
    assert first["output"].tolist() == [text for both in zip(GOOD[:3], BAD[:3], strict=True) for text in both]
    assert first["mr"].tolist() == [text for text in ASKED[:3] for _ in range(2)]
    assert first["preference"].tolist() == [1, 0, 0.5, 0.5, 0, 1]
    chosen = load_dataset(written(tmp_path, labelled_table("[chosen and rejected]"))).frame
    assert chosen["preference"].tolist() == [1, 0] * len(PLACES)
    assert chosen["system"].nunique() == 1  # which side is preferred is no system: it would say it all


def test_errors_that_raters_found_are_a_rating(tmp_path: Path) -> None:
    marked = [text.replace("is", "<v>is</v>") for text in GOOD for _ in range(4)]
    columns = {
        "system": ["A", "A", "B", "B"] * len(GOOD),
        "seg_id": [str(number) for number in range(len(GOOD)) for _ in range(4)],
        "rater": ["r1", "r1", "r1", "r2"] * len(GOOD), "source": [text for text in ASKED for _ in range(4)],
        "target": marked,
        "category": ["Accuracy/Addition", "Fluency/Punctuation", "Non-translation!", "No-error"] * len(GOOD),
        "severity": ["Major", "Minor", "Major", "No-error"] * len(GOOD),
    }  # fmt: skip
    pd.DataFrame(columns).to_csv(tmp_path / "mine.tsv", sep="\t", index=False)
    frame = load_dataset(tmp_path / "mine.tsv").frame
    assert frame["output"].tolist() == [text for text in GOOD for _ in range(2)]
    assert frame["mqm"].tolist() == [-5.1, -12.5] * len(GOOD)


@pytest.mark.parametrize("orient", ["columns", "index", "split", "records", "table"])
def test_tables_are_read_however_pandas_writes_json(orient: Any, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    pd.DataFrame({"hyp": GOOD, "ref": BAD, "human": MARKS}).to_json(path, orient=orient)
    frame = load_dataset(path).frame
    assert (frame["output"].tolist(), frame["human"].tolist()) == (GOOD, MARKS)


def test_ratings_and_scores_of_a_joined_table_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, {"id": [f"r{number}" for number in range(len(GOOD))], "text": GOOD})
    table = pd.DataFrame({"id": [f"r{number}" for number in range(len(GOOD))], "fluency": MARKS, "comet": DECIMALS})
    table.iloc[::-1].to_csv(tmp_path / "more.csv", index=False)
    opened = open_user_files([str(path)], Columns.create(join=str(tmp_path / "more.csv")))
    assert (opened.mapping.columns.ratings, opened.mapping.columns.scores) == (("fluency",), ("comet:higher",))
    assert load_dataset(path, **opened.mapping.columns.set_options()).frame["fluency"].tolist() == MARKS


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_a_line_that_tells_excel_what_stands_between_fields_is_no_header(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"sep={mark}\r\nhyp{mark}human\r\nan inn, cheap{mark}5\r\na cafe{mark}3\r\n", encoding="utf-8-sig")
    assert load_dataset(path).frame[["output", "human"]].values.tolist() == [["an inn, cheap", 5.0], ["a cafe", 3.0]]


@pytest.mark.parametrize(("encoding", "text"), [
    ("cp1251", "Хорошая и недорогая гостиница у реки"),
    ("gb18030", "这家酒店价格便宜，位于河边"),
    ("cp932", "川の近くにある安いホテルです"),
    ("cp949", "강가에 있는 저렴한 호텔입니다"),
])  # fmt: skip
def test_letters_of_another_alphabet_are_found_out(encoding: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("hyp;human\n" + f"{text};5\n" * 4, encoding=encoding)
    with pytest.warns(UserWarning, match=f"the encoding was detected as {encoding}: set --encoding if this is wrong"):
        assert mapping_of(tmp_path / "mine.csv").columns.encoding == encoding
    assert load_dataset(tmp_path / "mine.csv", encoding=encoding).frame["output"].tolist() == [text] * 4


def test_letters_of_another_alphabet_are_not_read_as_those_of_western_europe(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("hyp;human\nفندق رخيص قريب من النهر;5\n", encoding="cp1256")
    with pytest.raises(ValueError, match=r"it is neither UTF-8 nor cp1252 .* set the encoding with --encoding"):
        mapping_of(tmp_path / "mine.csv")


def test_quotes_in_texts_between_tabs_are_part_of_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("hyp\tquality\n" + "".join(f'"{text}\t{mark}\n' for text, mark in zip(GOOD, MARKS, strict=True)))
    assert load_dataset(path).frame["output"].tolist() == [f'"{text}' for text in GOOD]


def test_marks_of_names_that_nobody_knows_may_be_those_of_raters_and_the_option_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": GOOD, "Anna": MARKS, "Ben": MARKS[::-1]})
    assert load_dataset(path, output="text", rating="rating=Anna,Ben").ratings == ("rating",)


def test_columns_that_are_kept_and_gone_are_found_anew(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": GOOD, "quality": MARKS})
    (tmp_path / "rainbow.toml").write_text('["mine.jsonl"]\noutput = "translation"\nrating = "quality"\n')
    with pytest.warns(UserWarning, match=r"rainbow\.toml names a column 'translation', which mine\.jsonl"):
        opened = open_user_files([str(path)])
    assert str(opened.mapping.columns) == "--output text --rating quality"


def test_single_cells_that_are_no_marks_are_told_and_count_as_missing(tmp_path: Path) -> None:
    path = written(tmp_path, {"text": GOOD, "q_1": ["see notes", *map(str, MARKS[1:])], "q_2": MARKS})
    with pytest.warns(UserWarning, match="row 1, q_1: 'see notes' is not a number and counts as missing"):
        frame = load_dataset(path, output="text", rating="q=q_1,q_2").frame
    assert frame["q"].tolist() == MARKS and frame["q_1"].isna().sum() == 1
    message = r"unknown column 'q_9' for q:.*name those of its raters, --rating q=COLUMN,COLUMN"
    with pytest.raises(ValueError, match=message):
        load_dataset(path, output="text", rating="q=q_1,q_9")


def test_files_that_are_one_table_have_the_same_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("output,quality\nx,1\n")
    (tmp_path / "b.csv").write_text("output\ny\n")
    with pytest.raises(ValueError, match=r"b\.csv: unknown rating column 'quality'"):
        load_dataset(str(tmp_path / "*.csv"))


@pytest.mark.parametrize("said", [{}, {"winner": "better"}])
def test_the_id_of_a_row_names_the_input_of_its_outputs(said: dict[str, str], tmp_path: Path) -> None:
    keys = [f"k{number}" for number in range(len(GOOD))]
    path = written(tmp_path, {"key": keys, "answer_a": GOOD, "answer_b": BAD, "better": ["answer_a"] * len(GOOD)})
    frame = load_dataset(path, output=["answer_a", "answer_b"], id="key", **said).frame
    assert frame["item"].tolist() == [key for key in keys for _ in range(2)]


@pytest.mark.parametrize("between", ["\t", ";"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_text_file_whose_lines_have_as_many_fields_is_a_table(tmp_path: Path, encoding: str, between: str) -> None:
    cells = [["N°", "Sortie", "Clarté"], *zip("abcdefghijkl", GOOD, map(str, MARKS), strict=True)]
    (tmp_path / "Notes.TXT").write_text("\n".join([between.join(row) for row in cells]), encoding=encoding)
    frame = load_dataset(tmp_path / "Notes.TXT").frame
    assert (frame["output"].tolist(), frame["Clarté"].tolist()) == (GOOD, MARKS)


def test_a_rating_may_be_called_as_a_question_of_which_each_rater_has_a_column(tmp_path: Path) -> None:
    cells = {"text": GOOD, "Clarity (1-5) Rater 1": MARKS, "Clarity (1-5) Rater 2": MARKS[::-1]}
    corpus = load_dataset(written(tmp_path, cells))
    assert corpus.ratings == ("Clarity",) and corpus.frame["Clarity_2"].tolist() == MARKS[::-1]


@pytest.mark.parametrize(("name", "preferences"), [
    ("a_winner_may_be_a_system_that_a_column_of_outputs_is_called_after", [1, 0, 0.5, 0.5, 0, 1, 1, 0]),
    ("sides_are_told_by_the_letters_that_names_of_columns_differ_in", [1, 0, 0, 1, 0.5, 0.5]),
])  # fmt: skip
def test_sides_are_told_by_names_of_systems_and_by_letters(tmp_path: Path, name: str, preferences: list[float]) -> None:
    frame = load_dataset(written(tmp_path, labelled_table(name))).frame
    assert frame["preference"].tolist()[: len(preferences)] == preferences


def test_preferences_by_several_criteria_are_a_rating_for_each(tmp_path: Path) -> None:
    frame = load_dataset(written(tmp_path, labelled_table("preferences_by_several_criteria"))).frame
    assert (frame["style"].tolist(), frame["sense"].tolist()) == ([1, 0] * 8, [0, 1] * 4 + [0.5] * 8)
    assert "preference" not in frame


def test_ids_that_stand_twice_name_no_rows(tmp_path: Path) -> None:
    path = written(tmp_path, labelled_table("ids_that_stand_twice"))
    assert load_dataset(path).frame["id"].tolist() == [*map(str, range(1, 9))]


def test_marks_of_the_input_are_no_marks_of_its_outputs(tmp_path: Path) -> None:
    mapping = mapping_of(written(tmp_path, labelled_table("marks_of_the_input_are_no_marks")))
    assert ("Stars", "it is the same for all outputs of an input") in {(d.column, d.why) for d in mapping.doubts}


def test_a_winner_in_three_columns_is_the_one_that_is_true(tmp_path: Path) -> None:
    frame = load_dataset(written(tmp_path, labelled_table("a winner in three columns"))).frame
    assert frame["preference"].tolist()[:6] == [1.0, 0.0, 0.0, 1.0, 0.5, 0.5]
    assert frame["system"].tolist()[:4] == ["m1", "m2", "m2", "m3"]


def test_a_text_in_a_list_of_its_own_is_that_text(tmp_path: Path) -> None:
    pd.DataFrame({"prompt": FACTS, "response": [json.dumps([text]) for text in GOOD]}).to_csv(tmp_path / "mine.csv")
    assert load_dataset(tmp_path / "mine.csv").frame["output"].tolist() == GOOD


@pytest.mark.parametrize("header", ["", "text\n"])
def test_texts_without_a_name_are_all_read_and_a_name_is_none_of_them(tmp_path: Path, header: str) -> None:
    texts = [f"{text} It is near the river, too." for text in GOOD]
    (tmp_path / "mine.csv").write_text(header + "\n".join(f'"{text}"' for text in texts))
    assert load_dataset(tmp_path / "mine.csv").frame["output"].tolist() == texts


def test_two_columns_of_texts_without_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text(
        "".join(f"{one} It is cheap.\t{other} It is near.\n" for one, other in zip(GOOD, BAD, strict=True))
    )
    with pytest.raises(ValueError, match="is the header missing\\? Write the column names"):
        load_dataset(tmp_path / "mine.tsv")


@pytest.mark.parametrize("name", ["[False]", "[True]"])
def test_outputs_of_several_systems_within_a_row_have_a_row_each(tmp_path: Path, name: str) -> None:
    table = labelled_table(f"outputs_of_several_systems_within_a_row_have_a_row_each{name}")
    frame = load_dataset(written(tmp_path, table)).frame
    assert frame["output"].tolist() == [text for both in zip(GOOD, BAD, strict=True) for text in both]
    assert frame["system"].tolist() == ["A", "B"] * len(GOOD)
    assert (frame["Natural"].tolist(), frame["mr"].nunique()) == ([2, 1.5] * len(GOOD), len(GOOD))


def test_outputs_of_systems_within_a_list_are_rows_with_what_stands_deeper_in_them(tmp_path: Path) -> None:
    frame = load_dataset(written(tmp_path, labelled_table("outputs_of_systems_within_a_list"))).frame
    assert frame["system"].tolist()[:2] == ["a", "b"] and frame["output"].tolist()[:2] == [GOOD[0], BAD[0]]
    assert frame.filter(like="plynulost").iloc[:, 0].tolist()[::2] == MARKS


def test_lists_of_marks_by_system_are_those_of_raters(tmp_path: Path) -> None:
    frame = load_dataset(written(tmp_path, labelled_table("lists_of_marks_by_system"))).frame
    assert frame[["fluency_1", "fluency_2"]].to_numpy().tolist()[:2] == [[MARKS[0], 5], [1, 2]]


def test_a_choice_may_be_a_list_of_one(tmp_path: Path) -> None:
    found = load_dataset(written(tmp_path, labelled_table("a_choice_may_be_a_list"))).frame["label"].tolist()
    assert found[:2] == [3, 4] and found[3] == 2 and found[2] != found[2]


def test_judgements_within_a_row_are_rows_and_lists_beside_outputs_are_references(tmp_path: Path) -> None:
    name = "judgements_within_a_row_are_rows_and_lists_beside_outputs_are_references"
    frame = load_dataset(path := written(tmp_path, labelled_table(name))).frame
    assert frame["references"][0] == (PEOPLE[0], PEOPLE[0].lower())
    assert frame["fluency"].tolist() == [each for mark in MARKS for each in (mark, 6 - mark)]
    rows = [*map(json.loads, path.read_text().splitlines())]
    (tmp_path / "rated.json").write_text(json.dumps({"results": {"prompts": [{"a": 1}], "results": rows}}))
    assert load_dataset(tmp_path / "rated.json").frame["system"].tolist() == ["tgen", "slug"] * len(rows)
    path = written(tmp_path, labelled_table(f"{name}~2"))
    columns = mapping_of(path).columns
    assert (columns.rater, columns.ratings) == ("ratings.worker", ("fluency=ratings.fluency",))
    assert load_dataset(path).frame["fluency"].tolist() == MARKS


def test_of_two_outputs_in_a_list_the_one_is_preferred_whose_number_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, labelled_table("of_two_outputs_in_a_list"))
    columns = mapping_of(path).columns
    expected = (("summaries.0.text", "summaries.1.text"), ("summaries.0.policy", "summaries.1.policy"))
    assert (columns.output, columns.pair) == expected
    comparisons = read_comparisons(open_user_files([str(path)]).tables(), columns)
    assert rank_by_preference(comparisons)["preferred"].round(2).tolist() == [0.67, 0.33]


def test_a_mark_for_one_of_several_criteria_in_a_row(tmp_path: Path) -> None:
    name = "a_mark_for_one_of_several_criteria_in_a_row"
    path = written(tmp_path, labelled_table(name))
    assert mapping_of(path).columns.ratings == ("fluency=score@dimension", "adequacy=score@dimension")
    frame = load_dataset(path).frame
    assert frame["output"].tolist() == GOOD
    assert frame[["fluency_1", "fluency_2", "fluency", "adequacy"]].iloc[0].tolist() == [1, 3, 2, 3]
    frame = load_dataset(written(tmp_path, labelled_table(f"{name}~2"))).frame  # without the column of raters
    assert frame[["fluency", "fluency_2", "adequacy_2"]].iloc[0].tolist() == [2, 3, 4]


def test_rows_that_say_the_same_but_for_their_marks_are_judgements(tmp_path: Path) -> None:
    table = labelled_table("rows_that_say_the_same") | {"CoherenceRating": [1, 3, 2] * 24}
    path = written(tmp_path, table)
    assert mapping_of(path).columns.rater == "#"
    frame = load_dataset(path).frame
    assert len(frame) == 2 * len(GOOD)
    assert frame[[f"CoherenceRating_{place}" for place in (1, 2, 3)]].iloc[0].tolist() == [1, 3, 2]
    assert len(load_dataset(path, ignore="#").frame) == len(table["System"])


@pytest.mark.parametrize("form", ["named", "wrapped", "keyed", "lists"])
def test_rows_within_an_object_are_read(form: str, tmp_path: Path) -> None:
    rows = [{"hyp": text, "ref": ref, "human": mark} for text, ref, mark in zip(GOOD, BAD, MARKS, strict=True)]
    forms: dict[str, Any] = {
        "named": {"version": 1, "examples": rows}, "wrapped": {"data": rows},
        "lists": {"hyp": GOOD, "ref": BAD, "human": MARKS},
        "keyed": {f"row{number}": row for number, row in enumerate(rows)},
    }  # fmt: skip
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(forms[form]))
    assert load_dataset(path).frame["output"].tolist() == GOOD


@pytest.mark.parametrize(("marks", "codes"), [
    ([5, 3, 4, 2, -1, 99], (-1, 99)),
    ([1, 2, 3, 4, 999], (999,)),
    ([0, 1, 2, 3, 4, 5, -9], (-9,)),
    ([0, 40, 70, 99, 100], ()),
    ([-1, 0, 1, 1, 0], ()),
    ([-2, -1, 0, 1, 2], ()),
    ([99, 99, 99, 5], ()),
    ([], ()),
])  # fmt: skip
def test_codes_lie_off_the_scale_of_the_marks(marks: list[float], codes: tuple[float, ...]) -> None:
    assert unrated_codes(marks) == codes


def test_a_code_is_a_missing_mark_which_the_mapping_says_and_an_option_overrides(tmp_path: Path) -> None:
    path = written(tmp_path, {"hyp": GOOD[:6], "quality": ["5", "-1", "3", "99", "4", "2"]})
    mapping = mapping_of(path)
    assert mapping.columns.not_rated == ("-1", "99")
    (taken,) = [taken for taken in mapping.taken if taken.column == "quality"]
    assert taken.why.endswith("; -1 and 99: not rated") and "--not-rated none" in taken.otherwise
    found = load_dataset(path).frame["quality"].tolist()
    assert [math.isnan(mark) for mark in found] == [False, True, False, True, False, False]
    assert load_dataset(path, not_rated="none").frame["quality"].tolist() == [5, -1, 3, 99, 4, 2]
    assert load_dataset(path, not_rated="2").frame["quality"].isna().tolist() == [False] * 5 + [True]


def test_marks_of_a_dialogue_make_it_the_item_of_its_turns(tmp_path: Path) -> None:
    corpus = load_dataset(written(tmp_path, labelled_table("marks_of_a_dialogue_make_it_the_item")))
    assert "coherent" in corpus.ratings and corpus.frame.groupby("item").size().tolist() == [3] * 4
