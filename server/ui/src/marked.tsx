// A text with the words of the formula marked, or those that were found for them.
import { markOf, wordsIn as words, type Mark, type Marks } from "./words";

// stem is the part of a word that its forms share, roughly: dog, dogs; run, running.
function stem(word: string): string {
  const w = word.toLowerCase();
  for (const ending of ["ing", "ies", "es", "ed", "s", "y", "e"]) {
    if (w.endsWith(ending) && w.length - ending.length >= 3) return w.slice(0, -ending.length);
  }
  return w;
}

const common = new Set("a an and are as at by for from in is it of on or that the to was with".split(" "));

export interface Wanted {
  stems: string[];
  unwanted: string[];
}

// stemsOf are the stems of the atoms, those wanted and those not.
export function stemsOf(atoms: string[], negated: Set<string>): Wanted {
  const of = (list: string[]) =>
    [...new Set(list.flatMap((a) => a.match(words) ?? []).filter((w) => !common.has(w.toLowerCase())).map(stem))];
  return { stems: of(atoms.filter((a) => !negated.has(a))), unwanted: of(atoms.filter((a) => negated.has(a))) };
}

export function Marked({ text, wanted }: { text: string; wanted: Wanted }) {
  return mark(text, (word) => {
    const s = stem(word);
    return wanted.stems.includes(s) ? "" : wanted.unwanted.includes(s) ? "unwanted" : undefined;
  });
}

const titles: Partial<Record<Mark, (word: string) => string>> = {
  soft: (word) => `similar to ${word}`, denied: () => "ruled out by the text", unwanted: () => "excluded",
};

// MarkedFound marks the words that were found, by kind of match.
export function MarkedFound({ text, found }: { text: string; found: Marks }) {
  const title = (word: string) => {
    const m = markOf(word, found);
    return m && titles[m.mark]?.(m.word);
  };
  return mark(text, (word) => markOf(word, found)?.mark, title);
}

// mark marks the words that have a class, an empty one too.
function mark(text: string, classOf: (word: string) => string | undefined, title?: (word: string) => string | undefined) {
  const pieces: preact.ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(words)) {
    const kind = classOf(found[0]);
    if (kind === undefined) continue;
    pieces.push(text.slice(at, found.index), <mark key={found.index} class={kind} title={title?.(found[0])}>{found[0]}</mark>);
    at = found.index + found[0].length;
  }
  pieces.push(text.slice(at));
  return <>{pieces}</>;
}
