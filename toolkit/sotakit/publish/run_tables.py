"""The table of regenerated results: every metric of a run at once, what was reported beside it, verdict and images."""

from collections.abc import Iterator, Sequence

from sotakit.catalog import Board, Catalog
from sotakit.publish import urls
from sotakit.publish.contexts import MetricLine, Picture, RunRow, RunTable
from sotakit.publish.rows import Link, ResultRow
from sotakit.publish.wording import source_link
from sotakit.settings import settings_words
from sotakit.verdicts import Pair, Verdict, compare

_IMAGE_ALT = "factual image, counterfactual and difference, for several digits"


def run_table(
    catalog: Catalog,
    board: Board,
    rows: Sequence[ResultRow],
    metrics: Sequence[MetricLine],
    columns: tuple[str, ...],
) -> RunTable:
    """The regenerated rows of a board, in their order on the page."""
    lines = tuple(line for line in metrics if any(value.key == line.key for row in rows for value in row.values))
    current = next((line.key for line in metrics if line.current), "")
    verdicts = tuple(compare(board)) if rows else ()
    pairs = {
        pair.result: (verdict, pair) for verdict in verdicts if verdict.metric == current for pair in verdict.pairs
    }
    return RunTable(
        columns=columns,
        metrics=lines,
        pictures=tuple(_pictures(catalog, rows)),
        rows=tuple(_row(row, lines, pairs.get(row.id)) for row in rows),
        commands=tuple(_commands(catalog, rows)),
        verdicts=tuple(_verdict_words(verdict) for verdict in verdicts),
    )


def _row(row: ResultRow, lines: Sequence[MetricLine], pair: tuple[Verdict, Pair] | None) -> RunRow:
    values = {value.key: value for value in row.values}
    reported, ratio = "", ""
    if pair is not None:
        ratio = "" if pair[1].ratio is None else f"{pair[1].ratio:.2f}"
        reported = pair[1].text
    return RunRow(row, tuple(values.get(line.key) for line in lines), reported, ratio)


def _pictures(catalog: Catalog, rows: Sequence[ResultRow]) -> Iterator[tuple[Picture, str]]:
    """The images of the rows' runs that are named for the rows' methods."""
    labels = {(row.source_id, row.method_id): row.label for row in rows}
    for (source, method), label in labels.items():
        for image in catalog.images.get(source, ()):
            if image["name"] == f"{method}.png":
                alt = f"{label}: {_IMAGE_ALT}"
                yield Picture(urls.image(source, image["name"]), alt, image["width"], image["height"]), label


def _commands(catalog: Catalog, rows: Sequence[ResultRow]) -> Iterator[tuple[Link, str]]:
    for source in dict.fromkeys(row.source_id for row in rows):
        command = catalog.row("sources", source)["run"].get("command", "")
        yield source_link(catalog, source), command


def _verdict_words(verdict: Verdict) -> tuple[str, str, str]:
    settings = settings_words(verdict.config)
    subject = f"{verdict.label}, {settings}" if settings else verdict.label
    tau = "" if verdict.tau is None else f" (Kendall's tau {verdict.tau:.2f} over {len(verdict.pairs)} methods)"
    return subject, verdict.word, f"{verdict.order}{tau}; {_ratio_words(verdict.pairs)}; {verdict.reason}"


def _ratio_words(pairs: Sequence[Pair]) -> str:
    ratios = sorted(pair.ratio for pair in pairs if pair.ratio is not None)
    if not ratios:
        return "no ratio, since zero was reported"
    span = f"{ratios[0]:.2f}" if len(ratios) == 1 else f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
    return f"{span} times the reported value"
