"""Where the templates and the style sheet are: in the wheel beside the code, in a checkout in `site/`."""

from pathlib import Path

from sotakit.errors import UsageError


def site_folder() -> Path:
    """The folder of templates and static files that comes with this installation."""
    here = Path(__file__).resolve().parent
    candidates = (here / "_site", here.parents[1] / "site")
    for folder in candidates:
        if (folder / "templates").is_dir():
            return folder
    raise UsageError(f"no templates in {candidates[0]} or {candidates[1]}; install the package again or give --site")
