"""Quoting rules, as in the query language's own printer."""

import re

# Unicode white space; str.isspace and str.strip include four more separators.
SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_ENDS_WORD = re.compile(f'[{SPACE}()^"“”]')
_OPERATORS = {"AND", "OR", "NOT", "&&", "||", "!"}


def is_plain(text: str, listed: bool) -> bool:
    """Return whether a text is parsed as one value without quotes."""
    return bool(text) and not _ENDS_WORD.search(text) and not (listed and "," in text)


def is_bare(text: str, listed: bool) -> bool:
    """Return whether a text without quotes is parsed as this one atom."""
    return all(_is_word(word, listed) for word in text.split(" "))


def _is_word(word: str, listed: bool) -> bool:
    if not is_plain(word, listed) or word[0] in "-+" or word in _OPERATORS:
        return False
    name, colon, rest = word.partition(":")
    return not (colon and is_name(name) and rest and not rest.startswith("//"))


def is_name(text: str) -> bool:
    return bool(text) and all(
        c == "_" or c.isalpha() or (i > 0 and (c in ".-" or c.isdecimal()))
        for i, c in enumerate(text)
    )


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(weight: float) -> str:
    return repr(float(weight)).removesuffix(".0")
