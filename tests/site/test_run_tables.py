"""Regenerated results on the page: every metric, the reported value beside it, run, interval, command and image."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from pagesupport import build
from sotakit.images import find_images
from sotakit.publish.site_check import check_site

RUN = """id: run-1
type: run
title: A run
run: {command: "toolkit evaluate sorting-on-numbers --seeds 3"}
results:
  - id: again-bubble
    benchmark: sorting-on-numbers
    method: bubble
    settings: {learning rate: 0.1}
    scores:
      accuracy: {text: "71.0", n_runs: 3, n_items: 50, uncertainty: {kind: ci, low: 70.0, high: 72.0, level: 0.95}}
      steps: "12"
    evidence: run_log_attached
  - id: again-merge
    benchmark: sorting-on-numbers
    method: merge
    config: {Confidence: 0.95}
    scores: {accuracy: "92.0"}
    evidence: run_log_attached
"""
STEPS = "    - {key: steps, label: Steps, direction: lower, unit: count, added: true}\n"


def png(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(width) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def registry(minimal: dict[str, str]) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = dict(minimal)
    files["benchmarks.yaml"] = minimal["benchmarks.yaml"] + STEPS
    files["sources/run-1.yaml"] = RUN
    files["sources/run-1.files/bubble.png"] = png(30, 20)
    files["sources/run-1.files/evil.svg"] = "<svg onload='x'/>"
    files["sources/run-1.files/fake.png"] = b"<script>"
    return files


def test_a_regenerated_row_names_its_run_interval_command_and_the_reported_value(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    site = build(write(registry(minimal)), tmp_path / "public")
    assert list(check_site(site)) == []
    markdown = (site / "sota/sorting-on-numbers.md").read_text(encoding="utf-8")
    recorded, regenerated = markdown.split("## Regenerated results")
    table = [line for line in regenerated.splitlines() if line.startswith("| ")]
    assert table[0] == "| Method | Confidence | Accuracy | Steps | Reported Accuracy | Ratio to it | Run | Result |"
    assert table[2].startswith("| Merge | 0.95 | 92.0 | Not recorded | – | – | [run](<../paper/run-1.md>)")
    assert table[3].startswith(
        "| Bubble | Not recorded | 71.0 (70 to 72) | 12 | 70.10 | 1.01 | [run](<../paper/run-1.md>)"
    )
    assert "Confidence" not in recorded.split("## Recorded results")[1]
    assert "- Accuracy: consistent; one method only, so no order; 1.01 times the reported value;" in regenerated
    assert regenerated.count('`"toolkit evaluate sorting-on-numbers --seeds 3"`') == 3  # once for the run, once a row
    assert '`"71.0"` (95% ci 70 to 72; 3 runs; 50 items)' in regenerated
    assert 'Settings: `{"learning rate":0.1}`' in regenerated
    assert "Added here for regenerated results" in recorded
    html = (site / "sota/sorting-on-numbers/index.html").read_text(encoding="utf-8")
    assert '<img src="../../paper/run-1/bubble.png" alt="Bubble: factual image' in html
    assert 'width="30" height="20"' in html


def test_only_real_pngs_are_published_as_they_are(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    data = write(registry(minimal))
    assert [(image.name, image.width, image.height) for image in find_images(data, ["run-1", "paper-a"])] == [
        ("bubble.png", 30, 20)
    ]
    site = build(data, tmp_path / "public")
    assert sorted(path.name for path in (site / "paper/run-1").iterdir()) == ["bubble.png", "index.html"]
    assert (site / "paper/run-1/bubble.png").read_bytes() == png(30, 20)


def test_images_of_hidden_sources_stay_hidden(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    files = registry(minimal)
    files["sources/run-1.yaml"] = RUN.replace("type: run\n", "type: run\nvisibility: private\n")
    site = build(write(files), tmp_path / "public")
    assert not list(site.rglob("*.png"))
    assert not list(site.parent.rglob("image-*.png"))


def test_the_reported_value_beside_a_run_is_the_one_it_was_compared_with(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    files = registry(minimal)
    files["sources/paper-b.yaml"] = (
        "id: paper-b\ntype: paper\nresults:\n"
        "  - {id: a-first, benchmark: sorting-on-numbers, method: bubble, scores: {steps: '9'}}\n"
    )
    site = build(write(files), tmp_path / "public")
    markdown = (site / "sota/sorting-on-numbers.md").read_text(encoding="utf-8")
    assert "| Bubble | Not recorded | 71.0 (70 to 72) | 12 | 70.10 | 1.01 |" in markdown


def test_pages_of_methods_keep_runs_out_of_the_recorded_table(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    site = build(write(registry(minimal)), tmp_path / "public")
    recorded, regenerated = (site / "method/bubble.md").read_text(encoding="utf-8").split("## Regenerated results")
    assert "| 70.10 | 2 |" in recorded
    assert "71.0" not in recorded
    assert "| 71.0 | 2 among runs |" in regenerated
    rows = (site / "sota/sorting-on-numbers.csv").read_text(encoding="utf-8").splitlines()
    assert [row.split(",")[:4] for row in rows if ",regenerated," in row] == [
        ["again-merge", "regenerated", "", ""],
        ["again-bubble", "regenerated", "", ""],
    ]
