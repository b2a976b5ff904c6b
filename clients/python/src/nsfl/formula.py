"""Formulas in Python: A("dog") & ~A("leash"), printed in the query language.

The classes are data. They print like the server's own printer, so the output parses as the same
formula.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from nsfl._quoting import SPACE, is_bare, is_name, is_plain, number, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_WEIGHT = 100
KINDS = ("like", "example", "image")
COMPARISONS = ("=", "<", "<=", ">", ">=")

Value: TypeAlias = str | int | float | bool | datetime.date


class Formula:
    """A part of a query. Combine parts with & (AND), | (OR) and ~ (NOT). Use parentheses around
    comparisons, which bind weakest in Python."""

    def __and__(self, other: Formula | str) -> Formula:
        return And(_flat(And, self) + _flat(And, formula(other)))

    def __rand__(self, other: str) -> Formula:
        return formula(other) & self

    def __or__(self, other: Formula | str) -> Formula:
        return Or(_flat(Or, self) + _flat(Or, formula(other)))

    def __ror__(self, other: str) -> Formula:
        return formula(other) | self

    def __invert__(self) -> Formula:
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a formula is neither true nor false; write &, | and ~ instead of and, or and not, "
            'and comparisons in parentheses: A("dog") & (field("year") >= 2015)'
        )

    def __str__(self) -> str:
        return self._printed(listed=False)

    def _printed(self, listed: bool) -> str:
        """Return the text; inside the parentheses of OF (`listed`), a comma needs quotes."""
        raise NotImplementedError


@dataclass(frozen=True)
class Atom(Formula):
    """An atom: words or, with a kind, similarity to a document, a text or a picture."""

    text: str
    weight: float = 1
    kind: str = ""

    def __post_init__(self) -> None:
        if not self.text.strip(SPACE):
            raise ValueError("an atom needs a text")
        if not 0 < self.weight <= MAX_WEIGHT:
            raise ValueError(f"a weight must be above 0 and at most {MAX_WEIGHT}: {self.weight}")
        if self.kind and self.kind not in KINDS:
            raise ValueError(f"the kind of an atom must be {', '.join(KINDS)} or none")

    def _printed(self, listed: bool) -> str:
        if self.kind:
            bare = is_plain(self.text, listed) and not self.text.startswith("//")
            text = f"{self.kind}:{self.text if bare else quoted(self.text)}"
        else:
            text = self.text if is_bare(self.text, listed) else quoted(self.text)
        return text if self.weight == 1 else f"{text}^{number(self.weight)}"


@dataclass(frozen=True)
class Predicate(Formula):
    """A hard condition on a metadata field."""

    field: str
    comparison: str
    value: str

    def __post_init__(self) -> None:
        if not is_name(self.field) or self.field in KINDS:
            raise ValueError(
                f"{self.field!r} is not a valid field name: use letters, digits, _, . "
                f"and -, start with a letter or _, and do not use {', '.join(KINDS)}"
            )
        if self.comparison not in COMPARISONS:
            raise ValueError(f"a comparison must be one of {' '.join(COMPARISONS)}")
        if not self.value.strip(SPACE):
            raise ValueError(f"the value of {self.field} is empty, which is not supported")

    def _printed(self, listed: bool) -> str:
        # A * without quotes stands for any characters.
        bare = (
            is_plain(self.value, listed) and self.value[0] not in "<>=!/" and "*" not in self.value
        )
        value = self.value if bare else quoted(self.value)
        return f"{self.field}:{'' if self.comparison == '=' else self.comparison}{value}"


@dataclass(frozen=True)
class Not(Formula):
    part: Formula

    def _printed(self, listed: bool) -> str:
        return f"NOT {_bracketed(self.part, (And, Or), listed)}"


@dataclass(frozen=True)
class And(Formula):
    parts: tuple[Formula, ...]

    def _printed(self, listed: bool) -> str:
        return " AND ".join(_bracketed(part, (And, Or), listed) for part in self.parts)


@dataclass(frozen=True)
class Or(Formula):
    parts: tuple[Formula, ...]

    def _printed(self, listed: bool) -> str:
        return " OR ".join(_bracketed(part, (Or,), listed) for part in self.parts)


@dataclass(frozen=True)
class AtLeast(Formula):
    """At least `count` of the parts."""

    count: int
    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.count <= len(self.parts):
            raise ValueError(
                f"at least {self.count} of {len(self.parts)} parts were requested; "
                "use a number from 1 to the number of parts"
            )

    def _printed(self, listed: bool) -> str:
        return f"{self.count} OF ({', '.join(part._printed(True) for part in self.parts)})"


class Field:
    """A metadata field to compare: field("year") >= 2015."""

    __hash__ = None  # type: ignore[assignment]  # objects whose == returns a formula cannot be keys

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, value: Value) -> Formula:  # type: ignore[override]
        return Predicate(self.name, "=", _value(value))

    def __ne__(self, value: Value) -> Formula:  # type: ignore[override]
        return ~Predicate(self.name, "=", _value(value))

    def __lt__(self, value: Value) -> Formula:
        return Predicate(self.name, "<", _value(value))

    def __le__(self, value: Value) -> Formula:
        return Predicate(self.name, "<=", _value(value))

    def __gt__(self, value: Value) -> Formula:
        return Predicate(self.name, ">", _value(value))

    def __ge__(self, value: Value) -> Formula:
        return Predicate(self.name, ">=", _value(value))

    def isin(self, values: Iterable[Value]) -> Formula:
        """Match any of the values."""
        return any_of(*(self == value for value in values))


def A(text: str, weight: float = 1) -> Formula:  # noqa: N802  # as the paper writes an atom
    """Return an atom: words that are matched together, semantically and lexically."""
    return Atom(text, weight)


def like(id: str, weight: float = 1) -> Formula:
    """Match documents similar to a stored document."""
    return Atom(id, weight, "like")


def example(text: str, weight: float = 1) -> Formula:
    """Match documents similar to a text that is not stored."""
    return Atom(text, weight, "example")


def field(name: str) -> Field:
    """Return a metadata field."""
    return Field(name)


def says(words: str) -> Formula:
    """Require that the text contains the words as a phrase."""
    return Predicate("text", "=", words)


def all_of(*parts: Formula | str) -> Formula:
    """Match all of the parts."""
    return _joined(And, parts)


def any_of(*parts: Formula | str) -> Formula:
    """Match any of the parts."""
    return _joined(Or, parts)


def at_least(count: int, *parts: Formula | str) -> Formula:
    """Match at least `count` of the parts."""
    return AtLeast(count, tuple(map(formula, parts)))


def formula(part: Formula | str) -> Formula:
    """Convert to a formula; a text becomes an atom and is not parsed."""
    if isinstance(part, Formula):
        return part
    if isinstance(part, Field):
        raise TypeError(
            f'compare the field {part.name!r}, in parentheses: (field("{part.name}") == …) & …'
        )
    return Atom(part)


def _joined(join: type[And] | type[Or], parts: tuple[Formula | str, ...]) -> Formula:
    if not parts:
        raise ValueError("no parts to combine")
    flat = tuple(p for part in parts for p in _flat(join, formula(part)))
    return flat[0] if len(flat) == 1 else join(flat)


def _flat(join: type[And] | type[Or], part: Formula) -> tuple[Formula, ...]:
    return part.parts if isinstance(part, (And, Or)) and isinstance(part, join) else (part,)


def _bracketed(part: Formula, kinds: tuple[type[Formula], ...], listed: bool) -> str:
    text = part._printed(listed)
    return f"({text})" if isinstance(part, kinds) else text


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.date):
        return value.isoformat()
    return str(value)
