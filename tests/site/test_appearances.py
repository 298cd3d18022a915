"""Results on the pages of methods and sources: their order, and every form of a row whatever its texts are."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from pagesupport import markdown_tables, parse_html
from sotakit.publish import entity_html, entity_markdown, urls
from sotakit.publish.entity_contexts import Appearance, EntityPage
from sotakit.publish.rows import Link
from sotakit.publish.structured import entity_json

TEXTS = [
    "96.26", "0.5%", "12.", "12)", "-3", "1e5", "٣", "4 ", '","', '"', "\\", "\\u0041", "</td>", "&amp;", "a|b", "%s%",
    "{x}", "[y](z)", "`", "\U0001d4e2 \u2028", "\x7f",
]  # fmt: skip
HEAD = f"{9 * '| Head '}|\n{9 * '| --- '}|\n"
SITE = SimpleNamespace(format=1, title="T", base_url=None)


class Context(dict[str, Any]):
    """As much of a template's context as the rows need."""

    def resolve(self, name: str) -> Any:
        assert name == "_places"
        return {f"r_{at}": f"sota/b-{at % 2}.md" for at in range(99)}.__getitem__


def row(at: int, **fields: Any) -> Appearance:
    board = Link(f"Board {at % 2}", urls.benchmark(f"b-{at % 2}"))
    method, source = Link("M", urls.entity("methods", "m")), Link("S", urls.entity("sources", "s"), "Of S")
    plain = Appearance(
        board, method, source, "M", {}, "", "2024-05-01", f"r_{at}", False, "reported", (), "Acc (percent)", "acc", "7",
        "", "1",
    )  # fmt: skip
    return plain._replace(**fields)


def page(*rows: Appearance) -> EntityPage:
    return EntityPage(urls.entity("methods", "m"), "M", "", (), "method", "m", (), (), (), rows, (), {"id": "m"})


def html(*rows: Appearance, with_method: bool = False) -> str:
    return str(entity_html.result_rows(page(*rows), rows, with_method=with_method))


def markdown(*rows: Appearance) -> list[list[str]]:
    made = entity_markdown.result_rows(Context(site=SITE), page(*rows), rows)  # type: ignore[arg-type]
    ((_, *lines),) = markdown_tables(HEAD + made)
    return lines


def as_json(*rows: Appearance) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(entity_json(page(*rows), SITE))["results"]  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("site", ["tiny_site", "seed_site"])
@pytest.mark.parametrize(("column", "folder"), [("method", "method"), ("source", "paper")])
def test_recorded_results_come_first_by_benchmark_and_id_with_the_primary_metric_leading(
    site: str, column: str, folder: str, request: pytest.FixtureRequest
) -> None:
    public: Path = request.getfixturevalue(site)
    tables = public / "data"
    rows = duckdb.sql(
        f"SELECT r.{column}, r.id, s.metric_key, s.text FROM '{tables}/results.parquet' r "
        f"JOIN '{tables}/scores.parquet' s ON s.result = r.id "
        f"JOIN read_parquet('{tables}/benchmark_metrics.parquet', file_row_number = true) m "
        "ON m.benchmark = r.benchmark AND m.key = s.metric_key "
        "ORDER BY r.origin = 'regenerated', r.benchmark, r.id, NOT m.primary, m.file_row_number"
    ).fetchall()
    assert len(rows) > 5
    for name in {name for name, *_ in rows}:
        shown = json.loads((public / folder / f"{name}.json").read_text(encoding="utf-8"))["results"]
        expected = [tuple(rest) for found, *rest in rows if found == name]
        assert [(item["id"], item["key"], item["text"]) for item in shown] == expected, name


def test_every_text_is_read_back_from_json_html_and_markdown() -> None:
    rows = [row(at, text=text, label=text, metric=text, config={text: text}) for at, text in enumerate(TEXTS)]
    assert [tuple(item.values()) for item in as_json(*rows)] == [
        (f"r_{at}", f"sota/b-{at % 2}.json", text, text, "acc", text, None, False, [], {text: text})
        for at, text in enumerate(TEXTS)
    ]
    for with_method in (False, True):
        read = parse_html(html(*rows, with_method=with_method))
        assert [node.raw for node in read.all("bdi", class_="text")] == TEXTS
        assert len(read.all("tr")) == 2 * len(TEXTS)  # each row below the head of its benchmark
    for text, line in zip(TEXTS, markdown(*rows), strict=True):
        for cell in line[1:4]:
            assert cell == text or json.loads(cell) == text


def test_a_value_that_is_missing_is_explained_behind_what_is_printed() -> None:
    rows = row(0, text="", missing="Not run"), row(0, text="<2>", missing="Not one number"), row(0, text="<2>")
    shown = [node.text for node in parse_html(html(*rows)).all("td", class_="value")]
    assert shown == ["Not run", "<2> (not one number)", "<2>"]
    assert [line[3] for line in markdown(*rows)] == shown
    assert [item["missing"] for item in as_json(*rows)] == ["Not run", "Not one number", None]


def test_marks_of_a_row_stand_with_its_id() -> None:
    marks = (), ("under review",), ("disputed", "contested")
    rows = [row(0, duplicate=bool(at % 2), marks=marks[at // 2]) for at in (0, 1, 2, 5)]
    shown = [node.text for node in parse_html(html(*rows)).all("td", class_="id")]
    assert shown == ["r_0", "r_0 ≈ duplicate", "r_0 under review", "r_0 ≈ duplicate disputed contested"]
    lines = ["r_0", "r_0 (probable duplicate)", "r_0 (under review)", "r_0 (probable duplicate, disputed, contested)"]
    assert [line[8] for line in markdown(*rows)] == lines
    assert [item["marks"] for item in as_json(*rows)] == [[], [], ["under review"], ["disputed", "contested"]]
    assert [item["duplicate"] for item in as_json(*rows)] == [False, True, False, True]
    repeats = [node.attrs.get("class") for node in parse_html(html(*rows)).all("tr")[1:]]
    assert repeats == [None, "repeat", None, "repeat"]


def test_each_benchmark_has_one_body_with_its_head() -> None:
    bodies = parse_html(html(row(0), row(2), row(1), row(3), row(5))).all("tbody")
    assert [[line.all("bdi")[0].text for line in body.all("tr")] for body in bodies] == [
        ["Board 0", *["Acc (percent)"] * 2],
        ["Board 1", *["Acc (percent)"] * 3],
    ]
    assert html() == ""


def test_a_page_without_results_lists_none() -> None:
    assert as_json() == []
