"""Sites that many tests look at: of the repository's records, and of the tiny catalogue."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, close_quietly, start_browser
from pagesupport import TINY, build


@pytest.fixture(scope="session")
def seed_site(seed_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the repository's records."""
    return build(seed_data, tmp_path_factory.mktemp("seed") / "public")


@pytest.fixture(scope="session")
def tiny_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the tiny catalogue."""
    return build(TINY / "data", tmp_path_factory.mktemp("tiny") / "public")


@pytest.fixture(scope="session", params=["seed", "tiny"])
def each_site(request: pytest.FixtureRequest) -> Path:
    """Both sites in turn."""
    site: Path = request.getfixturevalue(f"{request.param}_site")
    return site


@pytest.fixture(scope="session")
def browser_of_session() -> Iterator[Browser]:
    """One browser for all tests of this process."""
    window = start_browser()
    yield window
    close_quietly(window)


@pytest.fixture
def browser(browser_of_session: Browser) -> Browser:
    """The browser, as wide as a desk, in light colours, with an empty console."""
    browser_of_session.size(1280, 900)
    browser_of_session.media()
    browser_of_session.errors()
    return browser_of_session
