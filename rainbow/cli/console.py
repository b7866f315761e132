"""Console output shared by all commands: tables, JSON and progress bars."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import typer

from rainbow.base.formatting import RowFormatter, format_number, format_p, format_share, plain
from rainbow.base.progress import RowProgress

Guard = Annotated[bool, typer.Option("--guard", help="Escape CSV cells that start with = + - or @.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Entry = TypeVar("Entry")

# The column of a 95 % interval in a table of records.
RANGE = ("95 % interval", "{range:number}")

# Blanks that stand round a column of a table, how wide one is that holds sentences, and how narrow those may be made.
BETWEEN, SENTENCE, NARROWEST = 2, 32, 24


def print_json(value: Any) -> None:
    """Print a value as JSON; NaN and infinities become null."""
    typer.echo(json.dumps(plain(value), ensure_ascii=False, indent=1))


def command_line(context: typer.Context) -> str:
    """Return the running command with its arguments and non-default options."""
    words = ["rainbow", context.command.name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if value is None or value == parameter.get_default(context):
            continue
        name = [] if parameter.param_type_name == "argument" else [parameter.opts[0]]
        values = value if isinstance(value, (list, tuple)) else [value]
        words += name if value is True else [word for entry in values for word in (*name, str(entry))]
    return shlex.join(words)


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: one line per row in a pipe, wrapped in blocks on a terminal."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, columns = Console(), list(zip(header, *rows, strict=True))
    longest = [max(map(cell_len, column)) + BETWEEN for column in columns]
    if not console.is_terminal:
        console = Console(width=sum(longest))
    wraps = [console.is_terminal and width > SENTENCE for width in longest]
    least = [NARROWEST if wrapped else width for wrapped, width in zip(wraps, longest, strict=True)]
    for block in _column_blocks(least, console.width, _count_label_columns(columns, least, console.width)):
        table = Table(box=None, header_style="bold")
        for place in block:
            table.add_column(header[place], no_wrap=not wraps[place], overflow="fold")
        for row in zip(*(columns[place][1:] for place in block), strict=True):
            table.add_row(*map(Text, row))
        console.print(table)


def print_records(
    rows: Iterable[Any], *columns: Sequence[str], merged: str | None = None, **forms: Callable[[Any], str]
) -> None:
    """Print a table of rows; a column is a field or head and template; rows that differ in `merged` only are one."""
    named = ((column, f"{{{column}}}") if isinstance(column, str) else column for column in columns)
    heads, templates = zip(*named, strict=True)
    fill = RowFormatter({"number": format_number, "p": format_p, "share": format_share, **forms}).fill
    lines = [[fill(template, row) for template in templates] for row in rows]
    if merged is not None:
        place, alike = heads.index(merged), dict[tuple[str, ...], list[str]]()
        for line in lines:
            alike.setdefault((*line[:place], *line[place + 1 :]), []).append(line[place])
        lines = [[*rest[:place], ", ".join(names), *rest[place:]] for rest, names in alike.items()]
    print_table(heads, lines)


def print_verdicts(verdicts: Sequence[Mapping[str, Any]]) -> None:
    """Print the verdict and its reason for every rating, in colour on a terminal."""
    for line in verdicts:
        colour = {"green": "green", "red": "red"}.get(line["verdict"], "yellow")
        left_out = f" {line['left_out']}" if line["left_out"] else ""
        typer.echo(f"{typer.style(line['headline'], fg=colour, bold=True)}. {line['because']}{left_out}")


def _count_label_columns(columns: Sequence[tuple[str, ...]], widths: Sequence[int], available: int) -> int:
    """Return how many leading columns identify rows: at least one, at most half of the line."""
    for count in range(1, len(columns)):
        known = {*zip(*(column[1:] for column in columns[:count]), strict=True)}
        if len(known) == len(columns[0]) - 1 or sum(widths[: count + 1]) > available / 2:
            return count
    return 1


def _column_blocks(widths: Sequence[int], available: int, names: int) -> Iterator[list[int]]:
    """Return the positions of columns in each block, after the label columns."""
    block = [*range(names)]
    for place, width in enumerate(widths[names:], start=names):
        if len(block) > names and sum(widths[kept] for kept in block) + width > available:
            yield block
            block = [*range(names)]
        block.append(place)
    yield block[: len(widths)]


class Status:
    """Description of the current step next to its progress bar."""

    def __init__(self) -> None:
        self.show: Callable[[str], object] = str

    def __call__(self, progress: str) -> None:
        self.show(progress)


def track(
    entries: Sequence[Entry], describe: Callable[[Entry], str] = str, status: Status | None = None
) -> Iterator[Entry]:
    """Yield the entries, with a progress bar if standard error is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<16}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=len(entries))
        for entry in entries:
            described = describe(entry)
            bar.update(task, description=described)
            if status is not None:
                status.show = lambda text, start=described: bar.update(task, description=f"{start}: {text}")  # type: ignore[misc]
            yield entry
            bar.advance(task)


@contextmanager
def rows_bar() -> Iterator[RowProgress]:
    """Show stage, rows, rows per second and time left if standard error is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Rows per second."""

        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:,.0f} rows/s" if task.speed else "")

    console = Console(stderr=True)
    rows = TextColumn("{task.completed:,.0f}{task.fields[of]} rows")
    columns = (TextColumn("{task.description:<8}"), BarColumn(), rows, Rate(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                for earlier in tasks.values():
                    bar.update(earlier, visible=False)
                tasks[stage] = bar.add_task(stage, total=total, of="")
            bar.update(tasks[stage], completed=done, total=total, of=f" of {total:,}" if total else "")

        yield show
