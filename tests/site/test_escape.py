"""Text from strangers comes out of Markdown as the same text, in every place where pages put it."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pagesupport import inline_text, markdown_tables, parse_markdown
from sotakit.exchange.blocks import Inline
from sotakit.publish.escape import llms_link, llms_text, md_id, md_json, md_link, md_text, md_verbatim, one_line

# Characters that mean something to Markdown are drawn often, all others now and then.
MARKS = "\\`*_[](){}<>|~&#@$^!+-=.:;'\"/ \t\n\r"
TEXT = st.text(
    st.one_of(st.sampled_from(MARKS), st.sampled_from("aZ09wht"), st.characters(exclude_categories=["Cs"])), max_size=40
)
NASTY = [
    "<script>alert(1)</script>", "[a](javascript:alert(1))", "![x](http://e.org/x.png)", "a|b", "`code`", "``", "*a*",
    "__b__", "~~c~~", "# h", "1. one", "1) one", "- item", "+ item", "---", "===", "> quote", "&lt;i&gt;", "&#60;",
    "https://example.org/a_b_c", "www.example.org", "a@example.org", "<https://e.org>", "\\", "\\|", "a\\", "$x$",
    ":---", "| --- |", "[x]: y",
    "[^1]: note", "    indented", "\u202eright\u202c", "\ufeffmark", "a\u00a0b", "::: note", "a  b",
    "trailing\\", "!", "![", "](", "*", "**", "_a_b_", "{{ x }}", "{% raw %}", "^a^", "-", "=", "1.", "a\nb", "\u2028x",
]  # fmt: skip
PLACES = {
    "paragraph": "{}",
    "heading": "### {}",
    "item": "- {}",
    "item after a label": "- **name:** {}",
    "quote": "> **name.** {}",
    "cell": "| a | b |\n| --- | --- |\n| {} | end |",
}


def collapsed(text: str) -> str:
    """What is promised for plain text: white space, control and direction characters become single spaces."""
    gone = "[\\s\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]+"
    return re.sub(gone, " ", text).strip()


def read(place: str, written: str) -> tuple[Inline, int]:
    """The inline content of a place, and how many blocks came out."""
    page = PLACES[place].format(written)
    assert "\n" not in written
    inlines = [token for token in parse_markdown(page) if token.type == "inline"]
    if place == "cell":
        assert [len(row) for row in markdown_tables(page)[0]] == [2, 2]
        assert len(re.findall(r"(?<!\\)\|", page.split("\n")[2])) == 3
        return Inline(inlines[2].content, inlines[2].children or []), len(inlines) - 3
    return Inline(inlines[0].content if inlines else "", inlines[0].children or [] if inlines else []), len(inlines)


def visible(place: str, inline: Inline) -> str:
    prefix = {"item after a label": "name: ", "quote": "name. "}.get(place, "")
    assert inline.text.startswith(prefix.strip())
    return inline.text[len(prefix) :]


def assert_only_text(place: str, inline: Inline) -> None:
    labelled = place in ("item after a label", "quote")
    kinds = {token.type for token in inline.tokens} - ({"strong_open", "strong_close"} if labelled else set())
    assert kinds <= {"text", "text_special"}


@pytest.mark.parametrize("place", PLACES)
@given(text=TEXT)
def test_any_text_stays_text_in_any_place(place: str, text: str) -> None:
    inline, count = read(place, md_text(text))
    assert visible(place, inline) == collapsed(text)
    assert_only_text(place, inline)
    assert count == 1 or not collapsed(text)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", NASTY)
def test_nasty_text_stays_text_in_any_place(place: str, text: str) -> None:
    inline, count = read(place, md_text(text))
    assert visible(place, inline) == collapsed(text)
    assert_only_text(place, inline)
    assert count == 1


@pytest.mark.parametrize("place", ["paragraph", "heading", "item", "cell"])
@given(text=TEXT)
def test_verbatim_text_is_read_back_exactly(place: str, text: str) -> None:
    inline, _ = read(place, md_verbatim(text))
    assert inline.verbatim == text


@pytest.mark.parametrize("text", ["a  b", " a", "a ", "", "\n", "a\tb", '"quoted"', "`", '`"x"`', '"', "\u202ex"])
def test_text_that_markdown_would_change_is_read_back_exactly(text: str) -> None:
    for place in ("heading", "cell"):
        assert read(place, md_verbatim(text))[0].verbatim == text


@given(first=TEXT, second=TEXT)
def test_two_cells_stay_two_cells(first: str, second: str) -> None:
    row = f"| {md_verbatim(first)} | {md_text(second)} |"
    assert markdown_tables(f"| a | b |\n| --- | --- |\n{row}")[0][1][1] == collapsed(second)
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)


@pytest.mark.parametrize("place", ["paragraph", "cell"])
@given(value=JSON_VALUES)
def test_json_in_a_code_span_is_read_back_exactly(place: str, value: object) -> None:
    inline, _ = read(place, md_json(value))
    assert [token.type for token in inline.tokens] == ["code_inline"]
    assert json.loads(inline.codes[0]) == value


@given(text=TEXT, url=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_a_link_is_one_link_with_its_text_whatever_its_target_holds(text: str, url: str) -> None:
    target = f"https://example.org/{url}"
    inline, _ = read("cell", md_link(text, target))
    assert [token.type for token in inline.tokens if "link" in token.type] == ["link_open", "link_close"]
    assert inline.tokens[0].type == "link_open"
    assert inline.tokens[-1].type == "link_close"
    assert {token.type for token in inline.tokens[1:-1]} <= {"text", "text_special"}
    assert inline.text == collapsed(text)


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("https://e.org/a b", "https://e.org/a%20b"),
        ("https://e.org/a)b(c", "https://e.org/a)b(c"),
        ("https://e.org/<x>", "https://e.org/%3Cx%3E"),
        ("https://e.org/a|b", "https://e.org/a%7Cb"),
        ("https://e.org/a\\b", "https://e.org/a%5Cb"),
        ("https://e.org/a\nb", "https://e.org/a%0Ab"),
        ('https://e.org/"x"', "https://e.org/%22x%22"),
        ("https://e.org/`x`", "https://e.org/%60x%60"),
        ("https://e.org/?a=1&b=2", "https://e.org/?a=1&b=2"),
        ("https://e.org/?a=1&copy;=2", "https://e.org/?a=1&copy;=2"),
        ("https://e.org/?a=1&#60;", "https://e.org/?a=1&#60;"),
        ("https://e.org/?m=IM1%20Score", "https://e.org/?m=IM1%20Score"),
        ("https://e.org/*a*_b_", "https://e.org/*a*_b_"),
        ("https://e.org/[x]", "https://e.org/%5Bx%5D"),
        ("../a.md#r-x", "../a.md#r-x"),
    ],
)
def test_a_link_leads_where_it_should(url: str, href: str) -> None:
    inline, _ = read("cell", md_link("x", url))
    assert inline.tokens[0].attrs["href"] == href


LLMS_ITEM = re.compile(r"-\s*\[(?P<title>[^\]]+)\]\((?P<url>[^\)]+)\)(?::\s*(?P<desc>.*))?")  # the reference parser's


@pytest.mark.parametrize(
    ("title", "url", "name", "target"),
    [
        ("MRCR [v2]", "sota/a.md", "MRCR (v2)", "sota/a.md"),
        ("a (b)", "https://e.org/f(1).md", "a (b)", "https://e.org/f%281%29.md"),
        ("two\nlines", "a b.md", "two lines", "a%20b.md"),
        ("x", "a<b>.md", "x", "a%3Cb%3E.md"),
    ],
)
def test_an_item_of_llms_txt_is_read_by_the_reference_pattern(title: str, url: str, name: str, target: str) -> None:
    found = LLMS_ITEM.fullmatch(llms_link(title, url, "some [note]\non two lines"))
    assert found is not None
    assert found.groupdict() == {"title": name, "url": target, "desc": "some (note) on two lines"}


@given(title=TEXT.filter(collapsed), description=TEXT)
def test_an_item_of_llms_txt_is_one_line_with_one_link_and_no_html(title: str, description: str) -> None:
    line = llms_link(title, "sota/a.md", description)
    assert "\n" not in line
    tokens = [token for token in parse_markdown(line) if token.type == "inline"]
    kinds = [child.type for token in tokens for child in token.children or []]
    assert kinds.count("link_open") == 1
    assert "html_inline" not in kinds
    assert "image" not in kinds
    found = LLMS_ITEM.fullmatch(line)
    assert found is not None
    assert found["url"] == "sota/a.md"


def test_llms_text_is_plain_for_plain_text() -> None:
    assert llms_text("Doe & Fan_2026, IM1 *score*") == "Doe & Fan_2026, IM1 *score*"


def test_one_line_collapses_breaks_and_directions() -> None:
    assert one_line(" a\r\n b\u202ec\td ") == "a b c d"


def test_rendered_markdown_has_the_text_of_an_inline_token() -> None:
    token = next(token for token in parse_markdown(md_text("a*b*")) if token.type == "inline")
    assert inline_text(token) == "a*b*"


@given(name=st.from_regex(r"[a-z0-9][a-z0-9._-]{0,63}", fullmatch=True).filter(lambda name: not name.endswith(".")))
@example(name="www.a_b")
def test_an_identifier_is_escaped_like_any_text(name: str) -> None:
    assert md_id(name) == md_text(name)
