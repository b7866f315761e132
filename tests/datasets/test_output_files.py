"""Files with one system's outputs: the two columns of the E2E challenge, plain text, and what is wrong with them."""

from pathlib import Path

import pytest

from rainbow.datasets.text_files import OutputFile, OutputLine, read_outputs


def read(tmp_path: Path, text: str, **options: bool) -> OutputFile:
    path = tmp_path / "mine.tsv"
    path.write_bytes(text.encode())
    return read_outputs(path, **options)


def outputs(file: OutputFile) -> list[str]:
    return [line.output for line in file.lines]


def test_two_columns_are_read_with_their_lines(tmp_path: Path) -> None:
    file = read(tmp_path, "MR\toutput\nname[A]\tA is a pub.\nname[B]\tB is one too.\n")
    assert file.lines == (OutputLine(2, "name[A]", "A is a pub."), OutputLine(3, "name[B]", "B is one too."))
    assert file.notes == ()


def test_double_quotes_round_a_field_are_part_of_the_format(tmp_path: Path) -> None:
    file = read(tmp_path, 'MR\toutput\n"name[A]"\t"A is a ""pub""."\nname[B]\t"B" is a pub.\n')
    assert outputs(file) == ['A is a "pub".', '"B" is a pub.']
    assert file.notes == ()


def test_a_text_with_other_unicode_line_ends_is_one_line(tmp_path: Path) -> None:
    assert outputs(read(tmp_path, "MR\toutput\nname[A]\tA\u2028is\x0ba pub.\n")) == ["A\u2028is\x0ba pub."]


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path: Path) -> None:
    assert outputs(read(tmp_path, "\ufeffMR\toutput\nname[A]\tA.\n")) == ["A."]


def test_plain_text_has_an_output_per_line_empty_ones_too(tmp_path: Path) -> None:
    file = read(tmp_path, "A is a pub.\n\nC is one.\n")
    assert [(line.number, line.mr, line.output) for line in file.lines] == [
        (1, None, "A is a pub."), (2, None, ""), (3, None, "C is one.")
    ]  # fmt: skip


def test_quotes_round_every_field_are_taken_off_and_named_with_the_line(tmp_path: Path) -> None:
    text = "MR\toutput\n'name[A]'\t'A's pub.'\n'name[B]'\t'B.'\n"
    file = read(tmp_path, text)
    assert [(line.mr, line.output) for line in file.lines] == [("name[A]", "A's pub."), ("name[B]", "B.")]
    (note,) = file.notes
    assert note.place.endswith("mine.tsv, line 2") and "every output is enclosed in ' and '" in note.problem
    assert not note.harmless
    literal = read(tmp_path, text, as_published=True)
    assert [(line.mr, line.output) for line in literal.lines] == [("name[A]", "'A's pub.'"), ("name[B]", "'B.'")]


def test_quotes_round_some_outputs_stay(tmp_path: Path) -> None:
    file = read(tmp_path, "MR\toutput\nname[A]\t'A pub.'\nname[B]\tB.\n")
    assert (outputs(file), file.notes) == (["'A pub.'", "B."], ())


def test_carriage_returns_and_blanks_at_ends_are_read_over_and_told(tmp_path: Path) -> None:
    text = "MR\toutput\r\nname[A]\tA pub. \r\nname[B]\tB.\r\r\n"
    file = read(tmp_path, text)
    assert outputs(file) == ["A pub.", "B."] and all(note.harmless for note in file.notes)
    found = [note.problem for note in file.notes]
    assert found == ["3 lines end with a carriage return", "1 outputs begin or end with a space"]
    assert outputs(read(tmp_path, text, as_published=True)) == ["A pub. ", "B."]


def test_a_line_without_a_tab_is_named_and_left_out(tmp_path: Path) -> None:
    file = read(tmp_path, "MR\toutput\nname[A]\tA.\nB is a pub.\n")
    assert outputs(file) == ["A."]
    (note,) = file.notes
    assert note.place.endswith("mine.tsv, line 3")


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "the file is empty"), (b"\xff\xfe", "byte 0xff is not valid UTF-8")]
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.tsv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"mine\.tsv: .*{message}"):
        read_outputs(path)
