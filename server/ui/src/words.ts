// What a document has of a formula's words.
import type { AtomWords, Found, Hit } from "./types";

// Kind is how a word was found: itself, one near to it, or one that the document says
// to be absent.
export type Kind = "exact" | "soft" | "denied" | "none";

// Mark is how a word is marked in a text: as it was found, or as one of an atom that is
// not wanted.
export type Mark = Kind | "unwanted";

export function kindOf(f: Found): Kind {
  if (!f.said) return "none";
  return f.denied ? "denied" : f.similarity === 1 ? "exact" : "soft";
}

// counted are the words of an atom that tell something. What nearly every document has, as
// the words between an atom's words, is no find.
export const counted = ({ found = [] }: AtomWords) => found.filter((f) => 4 * f.weight * found.length >= 1);

// isAbsent: the document says that it is without what the atom names, or something near to
// that: who has no milk may have cream.
export const isAbsent = (a: AtomWords) => a.share < 0 && !!a.found?.some((f) => f.denied && f.similarity >= 0.5);

// placeOf is where a word stands. A reader does not count the title among the passages.
export function placeOf(hit: Pick<Hit, "title">, f: Found): string {
  if (!hit.title) return `passage ${f.passage + 1}`;
  return f.passage === 0 ? "title" : `passage ${f.passage}`;
}

const seen = 160; // characters that a card shows for sure
const lead = 60; // of which so many before a word that was found

// excerpt is a text from its beginning, or from a little before the first word that was
// found, where that would not be seen.
export function excerpt(text: string, found: Marks): string {
  for (const word of text.matchAll(wordsIn)) {
    if (!markOf(word[0], found)) continue;
    if (word.index <= seen) return text;
    return "…" + text.slice(text.indexOf(" ", word.index - lead) + 1);
  }
  return text;
}

// wordsIn finds the words of a text.
export const wordsIn = /[\p{L}\p{N}\p{M}]+/gu;

// markOf is how a word is marked; a plural is with its word.
export function markOf(word: string, found: Marks): ReturnType<Marks["get"]> {
  const w = plain(word);
  return found.get(w) ?? found.get(w.replace(/s$/, ""));
}

// Marks are the words to mark in a text, in lower case and without accents: how, and for
// which word of the formula.
export type Marks = Map<string, { mark: Mark; word: string }>;

// foundIn are the words that were found of some atoms, or of all.
export function foundIn(words: AtomWords[], atoms?: string[]): Marks {
  const marks: Marks = new Map();
  for (const a of words) {
    if (atoms && !atoms.includes(a.atom)) continue;
    for (const f of counted(a)) {
      if (!f.said) continue;
      const one = { mark: a.negated && !f.denied ? "unwanted" as const : kindOf(f), word: f.word };
      marks.set(f.said, one);
      if (kindOf(f) === "exact") marks.set(f.word, one);
    }
  }
  return marks;
}

// plain is a word as the server's are written.
export const plain = (word: string) => word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
