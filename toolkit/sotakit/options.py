"""What the values of options must look like; a wrong one is a `UsageError` that names the option."""

from datetime import UTC, datetime

from sotakit.errors import UsageError


def one_of(value: str, allowed: tuple[str, ...], option: str) -> None:
    """Refuse what is not one of some words."""
    if value not in allowed:
        raise UsageError(f"{option} {value!r}: choose one of {', '.join(allowed)}")


def day(text: str) -> str:
    """A day as YYYY-MM-DD; today in UTC if there is none."""
    if not text:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date().isoformat()
    except ValueError as error:
        raise UsageError(f"--as-of {text!r}: expected a date as YYYY-MM-DD") from error


def address(text: str | None) -> str | None:
    """A base address; none if the text is empty."""
    if not text:
        return None
    from sotaschema.base import check_url  # noqa: PLC0415 - the models take long to load

    try:
        return check_url(text)
    except ValueError as error:
        raise UsageError(f"--base-url {text!r}: {error}") from error
