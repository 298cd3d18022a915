"""`toolkit build-site`: read the compiled tables, make the pages that changed, put them in place."""

import os
from dataclasses import dataclass
from pathlib import Path

from sotakit.assets import site_folder
from sotakit.catalog import read_catalog
from sotakit.cycles import without_cycles
from sotakit.errors import UsageError
from sotakit.publish.fingerprints import site_key
from sotakit.publish.home_page import site_context
from sotakit.publish.output import Changes, opened
from sotakit.publish.pipeline import Pipeline
from sotakit.publish.site_cache import forget_cache, read_cache, write_cache
from sotakit.publish.site_groups import Inputs, SiteGroups


@dataclass(frozen=True)
class SiteOptions:
    """Where a site goes, what it looks like, and how it is made."""

    out: Path
    templates: Path | None = None
    """A folder whose files take the place of the toolkit's own of the same name."""
    base_url: str | None = None
    cache: Path | None = None
    """A folder where a build remembers what it made; everything is made again if there is none."""
    jobs: int = 0
    """Worker processes; 0 means as many as there are cores."""
    clean: bool = False
    """Forget what earlier builds made."""


def build_site(parquet: Path, options: SiteOptions) -> Changes:
    """Build the site of the compiled tables in a folder."""
    with without_cycles():
        return _build(parquet.resolve(), options)  # the same tables all the time, wherever a link leads meanwhile


def _build(parquet: Path, options: SiteOptions) -> Changes:
    if options.clean and options.cache:
        forget_cache(options.cache, options.out)
    catalog = read_catalog(parquet)
    inputs = Inputs(catalog, site_context(catalog, options.base_url), parquet, _folders(options.templates))
    before = read_cache(options.cache, options.out) if options.cache else {}
    known = {file.name: file for made in before.values() for file in made.files}
    with opened(options.out, known) as output:
        pipeline = Pipeline(output, before, options.jobs or _cores())
        groups = SiteGroups(inputs, site_key(inputs.site, catalog, inputs.folders))
        pipeline.take(groups.boards())
        pipeline.take(groups.collection(), groups.entities(pipeline.groups))
        pipeline.check()  # before any file is read back
        pipeline.take(groups.last(pipeline.groups, pipeline.read))
        changes = pipeline.finish()
        if options.cache and pipeline.changed:
            write_cache(options.cache, options.out, pipeline.groups)
    return changes


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _folders(templates: Path | None) -> list[Path]:
    own = site_folder()
    if templates is None:
        return [own]
    if not templates.is_dir():
        raise UsageError(f"{templates}: no such folder; --site takes a folder with templates/ or static/")
    return [templates, own] if templates.resolve() != own.resolve() else [own]
