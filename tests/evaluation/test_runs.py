"""Runs as a whole: records that validate, resuming, shards, clusters, and everything that can go wrong in a task."""

import json
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import pytest
import yaml
from typer.testing import CliRunner

from sotaeval.command import EvaluateOptions, command_line, evaluate, parse_shard
from sotaeval.errors import DataError, OptionError, WriteError
from sotaeval.profiles import TEST
from sotaeval.records import Existing, comparable
from sotakit.check.load import load
from sotakit.cli import app
from sotaschema.results import Source

BOARD = "counterfactual-explanations-on-mnist-test"
TINY = replace(TEST, images=6, seeds=1, overrides={**TEST.overrides, "schut": {"iterations": 10}})


@pytest.fixture
def options(tmp_path, cnn, bnn, scorer, vae):
    """Two methods of different kinds on both models, one seed; the models are trained already."""
    return EvaluateOptions(
        BOARD,
        methods=("wachter", "bayescf"),
        profile=TINY,
        device="cpu",
        runs=tmp_path / "runs",
        into=tmp_path / "data",
        folder=tmp_path,
        quiet=True,
    )


def records(report):
    return comparable(Source.model_validate(yaml.safe_load(report.source.read_text())))


def module(folder, body, name="mine"):
    text = f"import os, signal, torch\n\n\nclass Mine:\n    def generate(self, model, images, target, context):\n{body}"
    (folder / f"{name}.py").write_text(textwrap.dedent(text))
    return f"{name}:Mine"


def test_the_test_profile_into_an_empty_folder_validates(options):
    methods = ("wachter", "roar", "schut", "psce", "unchanged-input", "random-training-image")
    report = evaluate(replace(options, methods=methods, profile=TEST, jobs=2))
    assert report.failures == ()
    assert report.exit_code == 0
    assert report.results == 12
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    assert source.type == "run"
    rows = {(result.method, result.config["Inference Method"]): result for result in source.results}
    assert set(rows) == {(method, model) for method in methods for model in ("MC Dropout", "BNN")}
    score = rows["psce", "BNN"].scores["im1-score"]
    assert (score.n_runs, score.n_items, score.aggregation) == (2, 16, "mean")
    assert float(score.uncertainty.low) <= float(score.text) <= float(score.uncertainty.high)
    assert rows["wachter", "MC Dropout"].settings["weight"] == 0.01
    assert float(rows["random-training-image", "BNN"].scores["im1-score"].text) < 1
    assert float(rows["unchanged-input", "BNN"].scores["im1-score"].text) > 1
    assert float(rows["unchanged-input", "BNN"].scores["validity"].text) < 10
    pictures = {path.stem for path in (report.source.parent / f"{source.id}.files").iterdir()}
    assert pictures == {method for method, _ in rows}
    result = CliRunner().invoke(app, ["validate", str(options.into), "--strict", "--check-only"])
    assert result.exit_code == 0, result.output


def test_the_second_benchmark_goes_through_the_same_frame(options):
    report = evaluate(replace(options, benchmark="image-classification-on-mnist-test", methods=(), profile=TEST))
    assert report.failures == ()
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    assert {result.method for result in source.results} == {"mc-dropout-cnn", "mean-field-bnn"}
    for result in source.results:
        scores = {key: float(score.text) for key, score in result.scores.items()}
        assert 80 < scores["accuracy"] <= 100
        assert 0 < scores["brier-score"] < 0.5
        assert 0 < scores["expected-calibration-error"] < 50
        assert result.scores["expected-calibration-error"].uncertainty.low


def test_the_same_run_twice_gives_the_same_records_and_the_second_does_nothing(options, tmp_path):
    first = evaluate(options)
    second = evaluate(options)
    assert (second.skipped, second.tasks) == (4, 4)
    again = evaluate(replace(options, runs=tmp_path / "other", into=tmp_path / "other-data"))
    assert again.skipped == 0
    assert records(first) == records(second) == records(again)
    pictures = [sorted((report.source.parent).rglob("*.png")) for report in (first, again)]
    assert [path.read_bytes() for path in pictures[0]] == [path.read_bytes() for path in pictures[1]]


def test_two_shards_give_the_same_as_one_run(options, tmp_path):
    whole = evaluate(options)
    apart = replace(options, runs=tmp_path / "shards", into=tmp_path / "sharded")
    first = evaluate(replace(apart, shard="1/2"))
    assert first.source is None
    assert first.tasks == 2
    assert "2 of 4 tasks" in " ".join(first.notes)
    second = evaluate(replace(apart, shard="2/2"))
    assert records(second) == records(whole)


def test_a_broken_run_file_is_done_again(options):
    first = evaluate(options)
    cut, changed, foreign, _ = sorted(options.runs.glob("*.json"))
    cut.write_bytes(cut.read_bytes()[:100])
    content = json.loads(changed.read_text())
    content["values"]["validity"][0] = 0.0 if content["values"]["validity"][0] else 100.0
    changed.write_text(json.dumps(content))
    foreign.write_text("[]")
    second = evaluate(options)
    assert second.skipped == 1
    assert sum("was not valid" in note for note in second.notes) == 3
    assert records(first) == records(second)


def test_a_run_that_was_killed_is_taken_up_again(options, tmp_path):
    whole = evaluate(options)
    script = tmp_path / "run.py"
    script.write_text(
        "from sotaeval.command import *\nfrom dataclasses import replace\nfrom pathlib import Path\n"
        "from sotaeval.profiles import TEST\n"
        "tiny = replace(TEST, images=6, seeds=1, overrides={**TEST.overrides, 'schut': {'iterations': 10}})\n"
        f"evaluate(EvaluateOptions({BOARD!r}, ('wachter', 'bayescf'), profile=tiny, device='cpu', "
        f"runs=Path({str(tmp_path / 'killed')!r}), into=Path({str(tmp_path / 'killed-data')!r}), quiet=True))\n"
    )
    process = subprocess.Popen([sys.executable, str(script)])
    deadline = time.monotonic() + 60
    while not list((tmp_path / "killed").glob("*.json")) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    again = evaluate(replace(options, runs=tmp_path / "killed", into=tmp_path / "killed-data"))
    assert again.skipped >= 1
    assert records(again) == records(whole)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("        return images[:, 0]\n", r"shape \(6, 28, 28\), expected \(6, 1, 28, 28\)"),
        ("        return images * float('nan')\n", "4704 values that are NaN"),
        ("        return images + 0.5\n", "values from 0.5 to 1.5, expected 0 to 1"),
        ("        return None\n", "returned NoneType"),
        ("        raise KeyError('lost')\n", r"KeyError: 'lost' \(mine.py, line 6\)"),
    ],
)
def test_a_method_that_gives_nonsense_is_named_and_the_others_go_on(options, tmp_path, body, expected, monkeypatch):
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    own = module(tmp_path, body)
    report = evaluate(replace(options, methods=("wachter", own), models=("mc-dropout",)))
    assert report.exit_code == 1
    (failure,) = report.failures
    assert failure.name == f"{own} / mc-dropout / seed 0"
    assert re.search(expected, failure.message)
    assert report.results == 1


def test_a_worker_that_dies_is_named_and_the_others_go_on(options, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "deadly", raising=False)
    own = module(
        tmp_path,
        "        if model.name == 'bnn':\n            os.kill(os.getpid(), signal.SIGKILL)\n        return images\n",
        "deadly",
    )
    report = evaluate(replace(options, methods=("wachter", own), jobs=2))
    (failure,) = report.failures
    assert failure.name == f"{own} / bnn / seed 0"
    assert "worker process died" in failure.message
    assert report.results == 3


def test_a_worker_that_dies_once_costs_nothing(options, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "unlucky", raising=False)
    flag = tmp_path / "flag"
    own = module(
        tmp_path,
        f"        if not os.path.exists({str(flag)!r}):\n            open({str(flag)!r}, 'w').close()\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n        return images\n",
        "unlucky",
    )
    report = evaluate(replace(options, methods=("wachter", own), jobs=2))
    assert flag.exists()
    assert report.failures == ()
    assert report.results == 4


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_of_two_workers_gives_the_same(options, tmp_path):
    distributed = pytest.importorskip("dask.distributed", reason="Dask is not installed")
    local = evaluate(options)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        remote = evaluate(
            replace(
                options,
                backend="dask",
                scheduler=cluster.scheduler_address,
                runs=tmp_path / "dask",
                into=tmp_path / "dask-data",
            )
        )
    assert remote.failures == ()
    assert records(remote) == records(local)


def test_the_example_of_the_documentation_runs(options, root, monkeypatch):
    monkeypatch.delitem(sys.modules, "own_method", raising=False)
    report = evaluate(replace(options, methods=("own_method:Blend",), folder=root / "examples"))
    assert report.failures == ()
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    for result in source.results:
        assert result.method == "blend"
        assert result.settings["steps"] == 20
        assert float(result.scores["validity"].text) > 60


def test_a_folder_that_has_the_entities_keeps_them_and_gets_only_scores_it_lists(options):
    existing = Existing(
        ids={"tasks": frozenset({"counterfactual-explanations"}), "benchmarks": frozenset({BOARD}),
             "methods": frozenset({"wachter", "bayescf"}), "metrics": frozenset({"im1", "validity"}),
             "datasets": frozenset({"mnist"})},
        keys={BOARD: frozenset({"im1-score", "validity"})},
    )  # fmt: skip
    report = evaluate(replace(options, existing=existing))
    assert sorted(path.name for path in options.into.iterdir()) == ["sources"]
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    assert all(set(result.scores) == {"im1-score", "validity"} for result in source.results)
    assert any("l1" in note and "left out" in note for note in report.notes)


def test_records_stand_beside_those_of_the_repository(options, seed_data, tmp_path):
    """As the command line does it: what the folder holds is read by the toolkit and handed over."""
    shutil.copytree(seed_data, tmp_path / "beside")
    collection = load(tmp_path / "beside")
    existing = Existing(
        {kind: frozenset(ids) for kind, ids in collection.ids.items()},
        {board.record.id: frozenset(metric.key for metric in board.record.metrics) for board in collection.benchmarks},
    )
    report = evaluate(replace(options, into=tmp_path / "beside", existing=existing))
    result = CliRunner().invoke(app, ["validate", str(tmp_path / "beside"), "--check-only"])
    assert result.exit_code == 0, result.output
    new = {path.relative_to(tmp_path / "beside") for path in (tmp_path / "beside").rglob("*.yaml")}
    new -= {path.relative_to(seed_data) for path in seed_data.rglob("*.yaml")}
    assert report.source.relative_to(tmp_path / "beside") in new
    assert all(path.parts[0] == "sources" for path in new)


def test_a_method_that_works_in_place_is_measured_against_the_true_factual(options, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "inplace", raising=False)
    own = module(tmp_path, "        return images.zero_()\n", "inplace")
    report = evaluate(replace(options, methods=(own,), models=("bnn",)))
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    assert float(source.results[0].scores["l1"].text) > 10


def test_more_seeds_take_over_the_files_of_fewer(options):
    evaluate(replace(options, methods=("wachter",), models=("mc-dropout",)))
    more = evaluate(replace(options, methods=("wachter",), models=("mc-dropout",), seeds=2))
    assert (more.tasks, more.skipped) == (2, 1)
    source = Source.model_validate(yaml.safe_load(more.source.read_text()))
    assert source.results[0].scores["im1-score"].n_runs == 2


def test_matched_confidence_is_a_row_of_its_own(options):
    profile = replace(TINY, confidences=(0.6,), more=True, retrained=1)
    report = evaluate(replace(options, methods=("wachter", "unchanged-input"), models=("bnn",), profile=profile))
    assert report.failures == ()
    source = Source.model_validate(yaml.safe_load(report.source.read_text()))
    configs = {(result.method, result.config.get("Matched Confidence")) for result in source.results}
    assert configs == {("wachter", None), ("wachter", 0.6), ("unchanged-input", None)}
    wachter = next(result for result in source.results if result.config.get("Matched Confidence"))
    assert 0 <= wachter.settings["converged percent"] <= 100
    assert {"im2", "l2", "sparsity", "predictive-entropy", "knn-distance"} <= set(wachter.scores)
    unchanged = next(result for result in source.results if result.method == "unchanged-input")
    assert "model-change-validity" not in unchanged.scores


@pytest.mark.parametrize(
    ("change", "kind", "expected"),
    [
        ({"benchmark": "nothing"}, OptionError, "no runner for 'nothing'"),
        ({"methods": ("wachtr",)}, OptionError, "no method 'wachtr'; there are wachter"),
        ({"methods": ("no_such_module:X",)}, OptionError, "no_such_module cannot be imported"),
        ({"methods": ("json:Missing",)}, OptionError, "module json has no class Missing"),
        ({"methods": ("json:JSONDecoder",)}, OptionError, "has no function generate"),
        ({"models": ("resnet",)}, OptionError, "no model 'resnet'; there are mc-dropout, bnn"),
        ({"profile": "huge"}, OptionError, "no profile 'huge'; there are quick, full, test"),
        ({"shard": "3/2"}, OptionError, "1 <= K <= N"),
        ({"shard": "half"}, OptionError, "--shard is K/N"),
        ({"seeds": 0}, OptionError, "--seeds is at least 1"),
        ({"jobs": 0}, OptionError, "--jobs is at least 1"),
        ({"device": "tpu"}, OptionError, "no device 'tpu'"),
        ({"backend": "dask"}, OptionError, "belong together"),
        ({"backend": "ray"}, OptionError, "no backend 'ray'"),
    ],
)
def test_options_that_cannot_be_right(options, change, kind, expected):
    with pytest.raises(kind, match=expected) as caught:
        evaluate(replace(options, **change))
    assert caught.value.exit_code == 2


def test_a_folder_that_cannot_be_written_is_named(options, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WriteError, match="file"):
        evaluate(replace(options, runs=tmp_path / "file" / "runs"))


def test_a_corrupt_data_root_is_an_error_before_any_task(options, tmp_path):
    raw = tmp_path / "root" / "MNIST" / "raw"
    raw.mkdir(parents=True)
    (raw / "train-images-idx3-ubyte.gz").write_bytes(b"no archive")
    with pytest.raises(DataError, match="train-images-idx3-ubyte"):
        evaluate(replace(options, data_root=tmp_path / "root"))
    assert not list(options.runs.glob("*.json"))


def test_the_command_says_what_decides_the_figures(options):
    assert command_line(replace(options, jobs=2, models=("bnn",))) == (
        f"toolkit evaluate {BOARD} --profile test --method wachter --method bayescf --model bnn --seeds 1"
    )
    assert parse_shard("3/16") == (3, 16)
