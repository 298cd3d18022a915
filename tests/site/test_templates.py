"""Templates: strict about names, replaceable one by one, and given nothing that nobody uses."""

import dataclasses
import re
from pathlib import Path

import pytest

from pagesupport import TINY, build, snapshot
from sotakit.assets import site_folder
from sotakit.errors import UsageError
from sotakit.publish import contexts

PUBLISH = Path(contexts.__file__).parent


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("html/home.html", "a\n\n{{ page.titel }}", r"templates/html/home\.html:3: .*titel.*page index\.html"),
        ("html/home.html", "{{ pgae }}", r"templates/html/home\.html:1: .*pgae"),
        ("html/home.html", "a\n{% if %}", r"templates/html/home\.html:2: "),
        ("html/home.html", "{{ page.title | nofilter }}", r"home\.html:1: .*nofilter"),
        ("html/home.html", "{% include 'gone.html' %}", r"home\.html:1: 'gone\.html' not found"),
        ("markdown/benchmark.md", "# {{ page.title }}\n{{ page.metric.labl }}", r"benchmark\.md:2: .*labl"),
        ("html/parts.html", "{% macro notices(x) %}{% endmacro %}", r"html.*: .*(facts|value)"),
    ],
)
def test_a_fault_in_a_template_fails_with_its_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / "mine/templates" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        build(TINY / "data", tmp_path / "public", site=tmp_path / "mine")
    assert not (tmp_path / "public").exists()


def test_a_folder_of_ones_own_replaces_single_files(tmp_path: Path, tiny_site: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "templates/html").mkdir(parents=True)
    (mine / "static").mkdir()
    (mine / "templates/html/error.html").write_text(
        '{% extends "base.html" %}{% block content %}<p>Lost in {{ site.title }}?</p>{% endblock %}'
    )
    (mine / "static/extra.css").write_text("p { color: red }")
    found = snapshot(build(TINY / "data", tmp_path / "public", site=mine))
    ours = snapshot(tiny_site)
    assert b"<p>Lost in Tiny registry?</p>" in found["404.html"]
    assert found["static/extra.css"] == b"p { color: red }"
    changed = {name for name in found | ours if found.get(name) != ours.get(name)}
    assert changed == {"404.html", "static/extra.css", ".toolkit-manifest.json"}


def test_a_replaced_style_sheet_takes_the_place_of_ours(tmp_path: Path) -> None:
    (tmp_path / "mine/static").mkdir(parents=True)
    (tmp_path / "mine/static/style.css").write_text("/* mine */")
    site = build(TINY / "data", tmp_path / "public", site=tmp_path / "mine")
    assert (site / "static/style.css").read_text() == "/* mine */"


# The names by which templates, filters and the JSON forms speak of each kind of context.
NAMES = {
    "Link": "link|row.method|row.source|row.result|row.origin_paper|page.task|page.dataset|page.main|part|task",
    "External": "link|part",
    "Site": "site",
    "Notice": "notice",
    "MetricLine": "metric|page.metric|metrics[value.key]",
    "Best": "best",
    "RunnerUp": "best.runner_up|next",
    "Group": "group",
    "Download": "page.table",
    "Value": "value|score|cell|row.value",
    "ResultRow": "row",
    "BenchmarkPage": "page",
    "Appearance": "row",
    "EntityPage": "page",
    "ListingPage": "page",
    "HomePage": "page",
    "ErrorPage": "page",
    "Part": "page.part",
    "Picture": "picture",
    "RunRow": "run",
    "RunTable": "page.runs|runs",
}
CLASSES = [value for value in vars(contexts).values() if dataclasses.is_dataclass(value)]
FIELDS = [(kind.__name__, field.name) for kind in CLASSES for field in dataclasses.fields(kind)]


@pytest.fixture(scope="module")
def users() -> str:
    files = [path for path in (site_folder() / "templates").rglob("*") if path.is_file()]
    files += [PUBLISH / name for name in ("render.py", "structured.py", "stated.py", "build.py", "llms.py")]
    files += [
        PUBLISH / f"{name}.py" for name in ("board_html", "board_frame", "board_chart", "details_html", "runs_html")
    ]
    files += [PUBLISH / f"{name}.py" for name in ("board_markdown", "site_groups")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_every_field_of_a_context_is_used(users: str, kind: str, field: str) -> None:
    names = re.escape(NAMES[kind]).replace(r"\|", "|")
    assert re.search(rf"(?<![\w.])(?:{names})\.{field}\b", users), f"{kind}.{field} is used nowhere"
