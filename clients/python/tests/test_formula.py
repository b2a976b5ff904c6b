"""The server parses a printed formula as the same formula."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nsfl
from nsfl import A, all_of, any_of, at_least, example, field, like, says
from nsfl.formula import And, AtLeast, Atom, Formula, Not, Or, Predicate


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (A("dog") & ~A("leash") | A("cat"), "dog AND NOT leash OR cat"),
        (A("dog") & ~(A("leash") | "cat"), "dog AND NOT (leash OR cat)"),
        (A("dog") & (A("leash") | "cat"), "dog AND (leash OR cat)"),
        ("a" | A("b") & "c", "a OR b AND c"),
        (A("a") & (A("b") & "c"), "a AND b AND c"),
        (A("golden retriever", 2) & "ball", "golden retriever^2 AND ball"),
        (A("a", 0.5) | A("b", 1e-05), "a^0.5 OR b^1e-05"),
        (at_least(2, "wind", A("a, b"), A("x") & "y"), '2 OF (wind, "a, b", x AND y)'),
        (~at_least(1, "a", "b"), "NOT 1 OF (a, b)"),
        (like("doc-17") & ~example("a pasted text"), 'like:doc-17 AND NOT example:"a pasted text"'),
        (A("dog") & (field("year") >= 2015), "dog AND year:>=2015"),
        (
            (field("lang") == "en") & (field("genre") != "film noir"),
            'lang:en AND NOT genre:"film noir"',
        ),
        (field("day") < datetime.date(2020, 2, 3), "day:<2020-02-03"),
        (field("draft") == False, "draft:false"),  # noqa: E712
        (field("kind").isin(["photo", "film"]), "kind:photo OR kind:film"),
        (says("packet filter"), 'text:"packet filter"'),
        (all_of("a", any_of("b", "c")), "a AND (b OR c)"),
        (any_of("a"), "a"),
        (A("rock AND roll"), '"rock AND roll"'),
        (A("rock and roll"), "rock and roll"),
        (A("C++"), "C++"),
        (A("-x"), '"-x"'),
        (A("Star Wars: hope"), "Star Wars: hope"),
        (A("a:b"), '"a:b"'),
        (A("http://x"), "http://x"),
        (A('say "no" \\'), '"say \\"no\\" \\\\"'),
        (A("a  b"), '"a  b"'),
    ],
)
def test_print(server: nsfl.Local, made: Formula, printed: str) -> None:
    assert str(made) == printed
    assert server.parse(made).ok


def test_mistakes() -> None:
    with pytest.raises(TypeError, match=r"&, \| and ~"):
        bool(A("dog"))
    with pytest.raises(TypeError, match="in parentheses"):
        assert A("dog") & field("year") >= 2015  # type: ignore[operator]
    with pytest.raises(TypeError, match="neither true nor false"):
        A("dog") and A("cat")
    with pytest.raises(ValueError, match="needs a text"):
        A(" ")
    for weight in (0, 101):
        with pytest.raises(ValueError, match="above 0 and at most 100"):
            A("dog", weight)
    with pytest.raises(ValueError, match="at least 3 of 2"):
        at_least(3, "a", "b")
    with pytest.raises(ValueError, match="no parts"):
        any_of()
    for name in ("like", "2x", "a b", ""):
        with pytest.raises(ValueError, match="not a valid field name"):
            assert field(name) == "x"
    with pytest.raises(ValueError, match="empty"):
        assert field("x") == ""


# Texts of words, symbols and operators, as in the query language and elsewhere.
PIECES = st.sampled_from(
    [
        *("dog", "AND", "OR", "NOT", "OF", "2", "-", "+", "^", "^2", "(", ")", ",", '"', "\\"),
        *("“", "”", ":", "x:y", "//", "&&", "||", "!", "like:", "é", "犬", "<", "=", "/"),
        *("\xa0", "\x1f", "\u3000"),
    ]
)
TEXTS = st.one_of(
    st.lists(st.one_of(PIECES, st.just(" ")), min_size=1, max_size=5).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
).filter(lambda text: bool(text.strip() and text.strip("\xa0\u3000\x85 ")))
WEIGHTS = st.sampled_from([1, 1, 2, 0.5, 100, 0.00001, 3.25])
ATOMS = st.builds(Atom, TEXTS, WEIGHTS, st.sampled_from(["", "", "like", "example"]))
NAMES = st.sampled_from(["year", "a.b", "x-1", "_", "é", "text"])
PREDICATES = st.builds(Predicate, NAMES, st.sampled_from(["=", "<", ">="]), TEXTS)


def joined(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=2, max_size=3)
    return st.one_of(
        parts.map(Not),
        several.map(lambda p: And(tuple(p))),
        several.map(lambda p: Or(tuple(p))),
        several.flatmap(lambda p: st.integers(1, len(p)).map(lambda k: AtLeast(k, tuple(p)))),
    )


FORMULAS = st.recursive(ATOMS, joined, max_leaves=6)


def spelled(part: Formula) -> str:
    """Spell out a formula: everything quoted, every part in parentheses."""
    match part:
        case Atom(text, weight, kind):
            return f"{kind + ':' if kind else ''}{quoted(text)}^{float(weight)!r}"
        case Predicate(name, comparison, value):
            return f"{name}:{comparison}{quoted(value)}"
        case Not(inner):
            return f"NOT ({spelled(inner)})"
        case And(parts):
            return " AND ".join(f"({spelled(p)})" for p in parts)
        case Or(parts):
            return " OR ".join(f"({spelled(p)})" for p in parts)
        case AtLeast(count, parts):
            return f"{count} OF ({', '.join(f'({spelled(p)})' for p in parts)})"
    raise AssertionError(part)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


same = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@same
@given(FORMULAS, st.one_of(st.none(), PREDICATES))
def test_is_read_as_it_was_made(
    server: nsfl.Local, made: Formula, condition: Formula | None
) -> None:
    if condition is not None:
        made = made & condition
    read, plain = server.parse(made), server.parse(spelled(made))
    assert read.error == plain.error is None
    assert (read.formula, read.filter, read.strings) == (plain.formula, plain.filter, plain.strings)


@same
@given(ATOMS)
def test_is_quoted_as_the_server_does(server: nsfl.Local, atom: Atom) -> None:
    assert server.parse(atom).formula == str(atom)
