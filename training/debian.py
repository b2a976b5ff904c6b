"""Collects passages of documentation and package descriptions from Debian packages.

    python debian.py --packages DIR --descriptions translation.txt --out debian.jsonl.gz

DIR holds .deb files, as `apt-get download` fetches them; packages.txt lists their names.
translation.txt is the Translation-en file of a Debian archive. Each line of the output is a
passage with its package, the title of its page, its headings and its text, or a package
with its short and long description. Packages that evaluation sets are made of are refused.
"""

import argparse
import gzip
import hashlib
import io
import json
import multiprocessing
import random
import re
import subprocess
import tarfile
from html.parser import HTMLParser
from pathlib import Path

# Evaluation sets are made of these.
EXCLUDED = re.compile(
    r"^(git|python3(\.\d+)?|gnuplot|manpages|debian-(handbook|policy)|postgresql|gimp-help|apache2|"
    r"sqlite3|lilypond|gnucash|perl)(-|\d|$)"
)
MOST_PASSAGES = 1500  # of a package, drawn at random
MOST_FILES = 300  # of a package
MOST_BYTES = 300_000  # of a file
WORDS = (50, 220)  # of a passage
SKIPPED = {"script", "style", "nav", "header", "footer", "svg", "math", "select", "form"}
BLOCKS = {"p", "li", "dd", "dt", "div", "section", "td", "blockquote", "note", "item", "article", "title", "info"}
COMMON = set("the of and to in a is that for it as with on be this are by or an you can if from not when".split())


class Page(HTMLParser):
    """Blocks of text with the headings above them."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.title, self.headings, self.blocks, self.text = "", [], [], []
        self.skipped, self.level, self.in_title = 0, 0, False

    def flush(self):
        text = " ".join("".join(self.text).split())
        self.text = []
        if self.in_title:
            self.title = self.title or text
        elif self.level:
            if text:
                self.headings = [h for h in self.headings if h[0] < self.level] + [(self.level, text.strip("¶# "))]
        elif len(text) > 20:
            self.blocks.append((tuple(h[1] for h in self.headings), text))

    def handle_starttag(self, tag, attributes):
        if tag in SKIPPED:
            self.skipped += 1
        heading = re.fullmatch(r"h([1-6])", tag)
        if heading or tag in BLOCKS or tag == "br":
            self.flush()
        if heading:
            self.level = int(heading[1])
        if tag == "title":
            self.in_title = not self.title

    def handle_endtag(self, tag):
        if tag in SKIPPED:
            self.skipped = max(0, self.skipped - 1)
        if re.fullmatch(r"h[1-6]", tag) or tag in BLOCKS:
            self.flush()
            self.level = 0
        if tag == "title":
            self.in_title = False

    def handle_data(self, data):
        if not self.skipped:
            self.text.append(data)


def is_prose(text: str) -> bool:
    """Whether a text is English prose rather than code, an index or another language."""
    words = re.findall(r"[A-Za-z']+", text)
    if len(words) < 25 or sum(map(len, words)) < 0.6 * len(text):
        return False
    return sum(w.lower() in COMMON for w in words) >= 0.15 * len(words)


def passages(page: Page):
    """Joins consecutive blocks below the same headings to passages of WORDS words."""
    low, high = WORDS
    held, under = [], ()
    for headings, text in [*page.blocks, ((None,), "")]:
        count = sum(len(h.split()) for h in held)
        if held and (headings != under or count + len(text.split()) > high):
            joined = " ".join(held)
            if count >= low * 0.6 and is_prose(joined):
                yield under, " ".join(joined.split()[: high * 2])
            held = []
        held.append(text)
        under = headings


def read_html(data: bytes):
    page = Page()
    try:
        page.feed(data.decode("utf-8", "replace"))
        page.close()
        page.flush()
    except (AssertionError, ValueError):
        return
    title = page.title or (page.blocks[0][0][0] if page.blocks and page.blocks[0][0] else "")
    for headings, text in passages(page):
        yield title[:150], [h[:150] for h in headings[-3:]], text


def read_package(path: Path):
    name = path.name.split("_")[0]
    if EXCLUDED.match(name):
        return []
    rng, found, seen, files = random.Random(name), [], set(), 0
    archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = [m for m in tar if m.isfile() and re.search(r"\.(x?html?|page|docbook)(\.gz)?$", m.name)]
        rng.shuffle(members)
        for m in members:
            if files >= MOST_FILES or m.size > MOST_BYTES:
                continue
            data = tar.extractfile(m).read()
            if m.name.endswith(".gz"):
                try:
                    data = gzip.decompress(data)
                except OSError:
                    continue
            files += 1
            for title, headings, text in read_html(data):
                key = hashlib.md5(re.sub(r"\W+", "", text.lower())[:300].encode()).digest()
                if key not in seen:
                    seen.add(key)
                    found.append({"package": name, "title": title, "headings": headings, "text": text})
    rng.shuffle(found)
    return found[:MOST_PASSAGES]


def descriptions(path: str):
    """Short and long descriptions of packages, one of those that begin alike."""
    seen = set()
    for entry in open(path, encoding="utf-8").read().split("\n\n"):
        found = re.match(r"Package: (\S+)\n.*?Description-en: (.*?)\n(.*)", entry, re.DOTALL)
        if not found or EXCLUDED.match(found[1]):
            continue
        text = " ".join(found[3].replace("\n .", "\n").split())
        if len(text) > 120 and text[:120] not in seen:
            seen.add(text[:120])
            yield {"package": found[1], "title": found[2], "headings": [], "text": text[:1500]}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--packages", required=True)
    p.add_argument("--descriptions")
    p.add_argument("--out", required=True)
    args = p.parse_args()
    debs = sorted(Path(args.packages).glob("*.deb"), key=lambda d: d.stat().st_size)
    count = 0
    with gzip.open(args.out, "wt", encoding="utf-8") as out, multiprocessing.Pool(2) as pool:
        for found in pool.imap(read_package, debs):
            count += len(found)
            if found:
                print(found[0]["package"], len(found), flush=True)
            out.writelines(json.dumps(f, ensure_ascii=False) + "\n" for f in found)
        if args.descriptions:
            for d in descriptions(args.descriptions):
                out.write(json.dumps(d, ensure_ascii=False) + "\n")
                count += 1
    print(count, "passages")


if __name__ == "__main__":
    main()
