"""The command line: parse, call, print. Commands import what they need, so that `--help` stays fast."""

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from sotakit import __version__, options
from sotakit.errors import ToolkitError
from sotakit.signals import Terminated, unwinding


class _Commands(TyperGroup):
    """Turns errors into one line and their exit code; `SOTAKIT_DEBUG=1` shows the traceback of an internal one."""

    def invoke(self, ctx: Any) -> Any:
        _show_what_a_terminal_lacks()
        try:
            with unwinding():
                return super().invoke(ctx)
        except ToolkitError as error:
            _fail(str(error), error.exit_code)
        except Terminated:
            _fail("terminated", 143)
        except KeyboardInterrupt:
            _fail("interrupted", 130)
        except BrokenPipeError:
            sys.stderr.close()
            raise typer.Exit(141) from None
        except Exception as error:
            if type(error).__module__.startswith(("typer", "click")) or os.environ.get("SOTAKIT_DEBUG"):
                raise
            if type(error).__module__.startswith("sotaeval"):
                _fail(str(error), getattr(error, "exit_code", 70))
            _fail(f"internal error: {type(error).__name__}: {error}; set SOTAKIT_DEBUG=1 and report what it shows", 70)


app = typer.Typer(
    cls=_Commands,
    name="toolkit",
    help="Keep machine-learning results in git: validate records, compile Parquet, publish pages.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Data = Annotated[Path, typer.Argument(help="Folder of records.", show_default=True)]
Build = Annotated[Path, typer.Option("--build", help="Folder of compiled tables, used as a cache.")]
AllowErrors = Annotated[bool, typer.Option("--allow-errors", help="Go on with the records that have no errors.")]
AsOf = Annotated[str, typer.Option("--as-of", metavar="DATE", help="The date that counts as today (UTC).")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print more about what is done.")]


@app.callback(invoke_without_command=True)
def main(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Keep machine-learning results in git: validate records, compile Parquet, publish pages."""
    if version:
        typer.echo(f"sotakit {__version__}")
        raise typer.Exit


@app.command()
def validate(
    data: Data = Path("data"),
    out: Annotated[Path, typer.Option("--out", help="Where the tables go: OUT/parquet.")] = Path("build"),
    check_only: Annotated[bool, typer.Option("--check-only", help="Check, but write nothing.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too.")] = False,
    allow_errors: AllowErrors = False,
    form: Annotated[str, typer.Option("--format", help="text, json, jsonl, sarif or github.")] = "text",
    changed_since: Annotated[str, typer.Option(metavar="REV", help="Show what is new since a git revision.")] = "",
    as_of: AsOf = "",
    limit: Annotated[int, typer.Option("--limit", min=0, help="Findings shown per file, in text.")] = 1000,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show each finding in text, also those that are alike.")
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check every record and compile them to Parquet.

    Example: toolkit validate data/ --format github
    """
    from sotakit import report
    from sotakit.changes import only_new
    from sotakit.compiled import counts_line
    from sotakit.validate import examine
    from sotakit.validate import validate as run

    options.one_of(form, report.FORMATS, "--format")
    today = options.day(as_of)
    outcome = examine(data, today) if check_only else run(data, out, today, allow_errors=allow_errors)
    if changed_since:
        outcome, older = only_new(outcome, data, changed_since)
        _note(f"{older:,} findings that were there at {changed_since} are not shown")
    if not quiet:
        _print(report.report(outcome, form, data, None if show_all else limit))
        if form in ("jsonl", "sarif", "github"):
            _note(counts_line(outcome.accounting()))
    if verbose and outcome.tables:
        _note(f"tables in {outcome.tables}")
    raise typer.Exit(outcome.exit_code(strict=strict))


@app.command("build-site")
def build_site(
    data: Data = Path("data"),
    out: Annotated[Path, typer.Option("--out", help="Folder of the site.")] = Path("public"),
    site: Annotated[Path | None, typer.Option("--site", help="Templates and styles that replace our own.")] = None,
    build: Build = Path("build"),
    base_url: Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Where it is published.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Worker processes; 0 takes all cores.")] = 0,
    clean: Annotated[bool, typer.Option("--clean", help="Check every record and make every page again.")] = False,
    allow_errors: AllowErrors = False,
    as_of: AsOf = "",
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Check the records, compile them and write the site.

    Example: toolkit build-site data/ --out public/ --base-url https://example.org/research
    """
    from sotakit.compiled import counts_line, read_manifest
    from sotakit.publish.build import SiteOptions
    from sotakit.publish.build import build_site as run
    from sotakit.unchanged import unchanged_tables

    today = options.day(as_of)
    kept = None if clean else unchanged_tables(data, build, today, allow_errors=allow_errors)
    tables = kept or _compiled(data, build, today, allow_errors=allow_errors)
    generation = tables.resolve()  # another run may move the link meanwhile
    changes = run(generation, SiteOptions(out, site, options.address(base_url), build, jobs, clean))
    if verbose:
        how = "the records are as they were; tables" if kept else "tables"
        _note(f"{how} in {tables}; {changes.written} files written, {changes.removed} removed")
    if not quiet:
        _note(counts_line(read_manifest(generation)["accounting"]))
        typer.echo(f"{sum(changes[:2]):,} files in {out}; open {out / 'index.html'}")


@app.command()
def read(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Published Markdown pages.")],
    form: Annotated[str, typer.Option("--format", help="table, jsonl, yaml or parquet.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", help="File to write; standard output if absent.")] = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Read published Markdown pages back into records; a page that is not understood as a whole is an error.

    Example: toolkit read public/sota/my-benchmark.md --format jsonl
    """
    from sotakit.exchange.pages import read_pages
    from sotakit.exchange.records import FORMATS, write_records
    from sotakit.terminal import safe

    options.one_of(form, FORMATS, "--format")
    records = read_pages(sources, warn=lambda text: None if quiet else _note(f"warning: {safe(text)}"))
    write_records(records, form, out)
    if verbose and not quiet:
        _note(f"{len(records):,} records from {len(sources):,} pages")


@app.command("import")
def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="pwc")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, or folders of files.")],
    into: Annotated[Path, typer.Option("--into", help="Folder of records to add to.")] = Path("data"),
    revision: Annotated[str | None, typer.Option("--revision", help="Release or commit of the archive.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Let results of an earlier import go.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and count, but write nothing.")] = False,
    quiet: Quiet = False,
) -> None:
    """Import results of another format; every row becomes a record or is refused with a reason.

    What the folder holds under a name, an alias or an id is used. So import all files into one folder: imports made
    apart and copied together clash until one of them is made again there.

    Example: toolkit import pwc evaluation-tables.json --into data/
    """
    from sotakit.exchange.imports import FORMATS, import_files

    options.one_of(form, tuple(FORMATS), "FORMAT")
    report = import_files(form, paths, into, revision=revision, dry_run=dry_run, replace=replace)
    if not quiet:
        _print(report.lines)
    _note(report.total.line())
    raise typer.Exit(int(report.total.refused > 0))


@app.command()
def evaluate(
    benchmark: Annotated[str, typer.Argument(help="Id of the benchmark to regenerate.")],
    method: Annotated[list[str] | None, typer.Option("--method", help="NAME or pkg.mod:Class; all if absent.")] = None,
    model: Annotated[list[str] | None, typer.Option("--model", help="NAME of a model; all if absent.")] = None,
    profile: Annotated[str, typer.Option("--profile", help="quick, full or test.")] = "quick",
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="Number of seeds.")] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda or mps.")] = "auto",
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Worker processes.")] = 1,
    backend: Annotated[str, typer.Option("--backend", help="local or dask.")] = "local",
    scheduler: Annotated[str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Dask scheduler.")] = None,
    download: Annotated[bool, typer.Option("--download", help="Fetch missing data.")] = False,
    shard: Annotated[str | None, typer.Option("--shard", metavar="K/N", help="Do one part of the tasks.")] = None,
    runs: Annotated[Path, typer.Option("--runs", help="Folder of run files.")] = Path("runs"),
    into: Annotated[Path, typer.Option("--into", help="Folder of records to add to.")] = Path("data"),
    data_root: Annotated[Path | None, typer.Option("--data-root", help="Where the data sets lie.")] = None,
    quiet: Quiet = False,
) -> None:
    """Regenerate a benchmark's results from models and write them as records.

    Example: toolkit evaluate counterfactual-explanations-on-mnist-test --profile quick --jobs 2
    """
    given = dict(locals())
    from sotakit import holdings

    with holdings.needs_extra("evaluation"):
        from sotaeval.command import EvaluateOptions
        from sotaeval.command import evaluate as run
        from sotaeval.records import Existing

    chosen = {name: value for name, value in given.items() if name not in ("method", "model")}
    ids, keys = holdings.held(into)
    report = run(
        EvaluateOptions(**chosen, methods=tuple(method or ()), models=tuple(model or ()), existing=Existing(ids, keys))
    )
    _print(holdings.report_lines(report), to_stderr=True)
    raise typer.Exit(report.exit_code)


@app.command()
def compare(
    benchmark: Annotated[str, typer.Argument(help="Id of a benchmark.")],
    data: Data = Path("data"),
    build: Build = Path("build"),
    form: Annotated[str, typer.Option("--format", help="text, markdown or json.")] = "text",
    as_of: AsOf = "",
) -> None:
    """Compare regenerated with reported values: order, scale, tolerance.

    Example: toolkit compare counterfactual-explanations-on-mnist-test --format markdown
    """
    from sotakit.comparison import FORMATS, comparison

    options.one_of(form, FORMATS, "--format")
    typer.echo(comparison(benchmark, data, build, options.day(as_of), form))


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(metavar="BUILD", help="A build folder, or a published site.")],
    quiet: Quiet = False,
) -> None:
    """Check every hash of a build folder or a site and, of a site, its links, anchors, tables and forms.

    Example: toolkit verify public/
    """
    from sotakit.verify import verify as run

    faults = run(folder)
    _print(faults)
    if not quiet:
        _note(f"{folder}: {len(faults):,} faults")
    raise typer.Exit(int(bool(faults)))


@app.command()
def serve(
    folder: Annotated[Path, typer.Argument(metavar="SITE", help="Folder of a built site.")] = Path("public"),
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="Port; 0 takes a free one.")] = 8000,
    prefix: Annotated[str, typer.Option("--prefix", help="Path below which the site lies.")] = "",
    show: Annotated[bool, typer.Option("--open", help="Open the first page in a browser.")] = False,
) -> None:
    """Preview a built site on this machine; pages reload when it is built again.

    Example: toolkit serve public/ --open
    """
    from sotakit.serve import serve as run

    run(folder, port, prefix, show=show, say=_note)


@app.command()
def explain(
    code: Annotated[str | None, typer.Argument(help="A code such as W511; all of them if absent.")] = None,
) -> None:
    """Say what a rule checks and what to do about it.

    Example: toolkit explain W511
    """
    from sotakit.check.codes import explain_all, explain_one

    typer.echo(explain_one(code) if code else explain_all())


@app.command()
def schema(
    folder: Annotated[Path, typer.Argument(help="Folder of the schema files.")] = Path("schema"),
    check: Annotated[bool, typer.Option("--check", help="Only compare; fail if they differ.")] = False,
) -> None:
    """Write the JSON Schemas of all records.

    Example: toolkit schema --check
    """
    from sotakit.schemas import check_schemas, write_schemas

    typer.echo(check_schemas(folder) if check else write_schemas(folder))


def _print(lines: Iterable[str], *, to_stderr: bool = False) -> None:
    waiting = iter(lines)
    while together := list(islice(waiting, 100)):  # there may be a million lines
        typer.echo("\n".join(together), err=to_stderr)


def _show_what_a_terminal_lacks() -> None:
    """Signs that the encoding of a terminal lacks are shown as question marks; they are no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _note(text: str) -> None:
    typer.echo(text, err=True)


def _fail(message: str, code: int) -> NoReturn:
    from sotakit.terminal import safe

    typer.echo(f"error: {safe(message)}", err=True)
    raise typer.Exit(code) from None


def _compiled(data: Path, build: Path, today: str, *, allow_errors: bool) -> Path:
    """The tables of some records; if there are errors, the command ends with them."""
    from sotakit import report
    from sotakit.validate import validate

    outcome = validate(data, build, today, allow_errors=allow_errors)
    if outcome.tables is None:
        _print(report.report(outcome, "text", data), to_stderr=True)
        raise typer.Exit(1)
    return outcome.tables
