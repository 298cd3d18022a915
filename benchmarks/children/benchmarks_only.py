"""The pages of benchmarks with lists, indexes and data files, without those of methods, papers, tasks and the like.

python -m benchmarks.children.benchmarks_only PARQUET OUT

Not a whole site, since links lead to pages that are not made: it shows what benchmarks alone cost.
"""

import os
import sys
from pathlib import Path

from sotakit.assets import site_folder
from sotakit.catalog import read_catalog
from sotakit.publish.fingerprints import site_key
from sotakit.publish.home_page import site_context
from sotakit.publish.output import opened
from sotakit.publish.pipeline import Pipeline
from sotakit.publish.site_groups import Inputs, SiteGroups


def main(parquet: Path, out: Path) -> None:
    """Build what `sotakit.publish.build` builds but for one step, and print how many files were written."""
    catalog = read_catalog(parquet)
    inputs = Inputs(catalog, site_context(catalog, None), parquet, [site_folder()])
    with opened(out) as output:
        pipeline = Pipeline(output, {}, len(os.sched_getaffinity(0)))
        groups = SiteGroups(inputs, site_key(inputs.site, catalog, inputs.folders))
        pipeline.take(groups.boards())
        pipeline.take(groups.collection())
        pipeline.take(groups.last(pipeline.groups, pipeline.read))
        sys.stdout.write(f"{pipeline.finish().written}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
