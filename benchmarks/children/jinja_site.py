"""A site generator as one would write it in an afternoon: two jinja2 templates for each board, HTML and Markdown.

python -m benchmarks.children.jinja_site BOARDS.jsonl OUT JOBS
"""

import json
import re
import sys
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Final

from jinja2 import Environment, Template

_HTML: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title></head><body>
<h1>{{ title }}</h1>
<p>Compare like with like: the same dataset, split, metric and configuration. The best result here is the best one
recorded, not a claim about all that exist.</p>
<table><tr><th>Scope</th><th>Recorded value</th></tr>
<tr><td>Task</td><td>{{ task }}</td></tr>
<tr><td>Dataset (including any stated split)</td><td>{{ dataset }}</td></tr>
<tr><td>Metric</td><td>{{ metric }}</td></tr>
<tr><td>Unit</td><td>{{ unit }}</td></tr>
<tr><td>Direction</td><td>{{ direction }}</td></tr>
<tr><td>Results loaded</td><td>{{ rows | length }} of {{ rows | length }}</td></tr></table>
<h2>Metrics</h2><ul><li><a href="{{ id }}.md">{{ metric }}</a>: {{ direction }}; unit: {{ unit }}.</li></ul>
<h2>Recorded results</h2>
<table><tr><th>Method</th><th>{{ metric }}</th><th>Result date</th><th>Report paper</th></tr>
{% for row in rows -%}
<tr><td>{{ row.method }}</td><td>{{ row.value }}</td><td>{{ row.date }}</td><td>{{ row.title }}</td></tr>
{% endfor -%}
</table>
{% for row in rows -%}
<h3 id="{{ row.id }}">{{ row.method }}</h3>
<p>{{ metric }}: {{ row.value }}. Result ID: {{ row.id }}. Result date: {{ row.date }}.</p>
<p><a href="../paper/{{ row.paper }}.html">Reporting paper: {{ row.title }}</a></p>
<p>Recorded evaluation configuration: {{ row.config }}. This record does not assert independent reproduction.</p>
{% endfor -%}
</body></html>
"""
_MARKDOWN: Final = """# {{ title | md }}

Compare like with like: the same dataset, split, metric and configuration. The best result here is the best one
recorded, not a claim about all that exist.

| Scope | Recorded value |
| --- | --- |
| Task | {{ task | md }} |
| Dataset (including any stated split) | {{ dataset | md }} |
| Metric | {{ metric | md }} |
| Unit | {{ unit | md }} |
| Direction | {{ direction | md }} |
| Results loaded | {{ rows | length }} of {{ rows | length }} |

## Metrics

- [{{ metric | md }}](<{{ id }}.md>): {{ direction | md }}; unit: {{ unit | md }}.

## Recorded results

| Method | {{ metric | md }} | Result date | Report paper |
| --- | --- | --- | --- |
{% for row in rows -%}
| {{ row.method | md }} | {{ row.value | md }} | {{ row.date | md }} | {{ row.title | md }} |
{% endfor %}
{% for row in rows -%}
### {{ row.method | md }}

{{ metric | md }}: {{ row.value | md }}. Result ID: {{ row.id | md }}. Result date: {{ row.date | md }}.

[Reporting paper: {{ row.title | md }}](<../paper/{{ row.paper }}.md>)

Recorded evaluation configuration: {{ row.config | md }}. This record does not assert independent reproduction.

{% endfor %}"""
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|#])")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


@cache
def _templates() -> tuple[Template, Template]:
    html, plain = Environment(autoescape=True), Environment(autoescape=False)  # noqa: S701 - Markdown has its own filter
    plain.filters["md"] = _escaped
    return html.from_string(_HTML), plain.from_string(_MARKDOWN)


def _write(task: tuple[str, str]) -> None:
    line, out = task
    board = json.loads(line)
    for suffix, template in zip(("html", "md"), _templates(), strict=True):
        Path(out, f"{board['id']}.{suffix}").write_text(template.render(board), encoding="utf-8")


def main(source: str, out: str, jobs: int) -> None:
    """Write both pages of every board."""
    Path(out).mkdir(parents=True)
    with Path(source).open(encoding="utf-8") as lines:
        tasks = ((line, out) for line in lines)
        if jobs == 1:
            for task in tasks:
                _write(task)
            return
        with Pool(jobs) as pool:
            for _ in pool.imap_unordered(_write, tasks, chunksize=50):
                pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
