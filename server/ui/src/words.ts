// What a document has of a formula's words.
import type { AtomWords, Found, Hit, Snippet } from "./types";

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

// isAbsent: the document says that it is without what the atom names.
export const isAbsent = (a: AtomWords) => a.share < 0;

// placeOf is where a word stands. A reader does not count the title among the passages.
export function placeOf(hit: Pick<Hit, "title">, f: Found): string {
  if (!hit.title) return `passage ${f.passage + 1}`;
  return f.passage === 0 ? "title" : `passage ${f.passage}`;
}

// Passage is what is shown for some atoms.
export interface Passage {
  text: string;
  atoms: Snippet[];
}

// passagesOf are those that have most of each wanted atom, each once: a short document
// is often the best of all atoms. A long one is shown from where the atom's words stand.
export function passagesOf(hit: Hit): Passage[] {
  const all = new Map<string, Passage>();
  for (const s of hit.passages ?? []) {
    const text = excerpt(s.text, foundIn(hit.words ?? [], [s.atom ?? ""]));
    const p = all.get(text) ?? { text, atoms: [] };
    p.atoms.push(s);
    all.set(text, p);
  }
  return [...all.values()];
}

const seen = 160; // characters that a card shows for sure
const lead = 60; // of which so many before a word that was found

// excerpt is a text from its beginning, or from a little before the first word that was
// found, where that would not be seen.
export function excerpt(text: string, found: Map<string, Mark>): string {
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
export function markOf(word: string, found: Map<string, Mark>): Mark | undefined {
  const w = plain(word);
  return found.get(w) ?? found.get(w.replace(/s$/, ""));
}

// foundIn are the words to mark in a text, in lower case and without accents, and how.
// They are those of some atoms, or of all. What nearly every document has, as the words
// between an atom's words, is no find.
export function foundIn(words: AtomWords[], atoms?: string[]): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const a of words) {
    if (atoms && !atoms.includes(a.atom)) continue;
    const found = a.found ?? [];
    for (const f of found) {
      if (!f.said || 4 * f.weight * found.length < 1) continue;
      const mark = a.negated && !f.denied ? "unwanted" : kindOf(f);
      marks.set(f.said, mark);
      if (kindOf(f) === "exact") marks.set(f.word, mark);
    }
  }
  return marks;
}

// plain is a word as the server's are written.
export const plain = (word: string) => word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
