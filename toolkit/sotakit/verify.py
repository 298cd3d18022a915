"""`toolkit verify`: whether a build folder or a published site is what was written, and keeps what it promises."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from sotakit.compiled import MANIFEST, file_sha256
from sotakit.errors import InputError
from sotakit.publish.output import MANIFEST as SITE_MANIFEST
from sotakit.publish.site_check import check_site


def verify(folder: Path) -> list[str]:
    """Everything that is wrong with a build folder or a site; raises `InputError` if it is neither."""
    if (folder / SITE_MANIFEST).is_file():
        hashes = _listed(folder / SITE_MANIFEST)
        return [*_changed(folder, hashes), *_added(folder, hashes), *(str(fault) for fault in check_site(folder))]
    for tables in (folder / "parquet", folder):
        if (tables / MANIFEST).is_file():
            hashes = _listed(tables / MANIFEST)
            return [*_renamed(tables), *_changed(tables, hashes), *_unlisted(tables, hashes)]
    raise InputError(f"{folder}: neither a build folder (parquet/{MANIFEST}) nor a site ({SITE_MANIFEST})")


def _listed(manifest: Path) -> Mapping[str, str]:
    """File names and SHA-256 of a manifest of either kind."""
    try:
        document = json.loads(manifest.read_text(encoding="utf-8"))
        files = document["files"]
        images = {entry["file"]: entry["sha256"] for entry in document.get("images", ())}
        return images | {name: entry if isinstance(entry, str) else entry["sha256"] for name, entry in files.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{manifest}: is damaged ({type(error).__name__}); build again") from error


def _renamed(tables: Path) -> Iterator[str]:
    """A generation is named by the hash of its manifest."""
    home = tables.resolve()
    digest = file_sha256(home / MANIFEST)
    if home.parent.name == ".gen" and not digest.startswith(home.name):
        yield f"{MANIFEST}: differs from what was written"


def _changed(folder: Path, hashes: Mapping[str, str]) -> Iterator[str]:
    for name, expected in hashes.items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: is missing"
        elif file_sha256(path) != expected:
            yield f"{name}: differs from what was written"


def _added(site: Path, hashes: Mapping[str, str]) -> Iterator[str]:
    """Files of a site that the build did not write: nobody checked what they say. What git keeps is not published."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if not path.is_dir())
    for name in names:
        if name not in hashes and name != SITE_MANIFEST and name.partition("/")[0] != ".git":
            yield f"{name}: was not written by the build"


def _unlisted(tables: Path, hashes: Mapping[str, str]) -> Iterator[str]:
    """Files that nobody wrote there: a site would publish them."""
    for path in sorted(tables.iterdir()):
        if path.name not in hashes and path.name != MANIFEST:
            yield f"{path.name}: is not in the manifest"
