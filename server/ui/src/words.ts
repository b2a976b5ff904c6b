// The words of a formula that a document has.
import type { AtomWords, Found, Hit } from "./types";

// Kind is how a word was found: itself, a similar word, or one that the document denies.
export type Kind = "exact" | "soft" | "denied" | "none";

// Mark is how a word is marked in a text: as it was found, or as excluded.
export type Mark = Kind | "unwanted";

export function kindOf(f: Found): Kind {
  if (!f.matched) return "none";
  return f.denied ? "denied" : f.similarity === 1 ? "exact" : "soft";
}

// counted returns the words of an atom that carry weight; stop words do not. If a document has
// hardly any words of a long question, similar ones are noise, and do not count as found.
export function counted({ found = [], share, negated }: AtomWords): Found[] {
  const all = found.filter((f) => 4 * f.weight * found.length >= 1);
  if (negated || share > fewWords || all.length <= longAtom) return all;
  return all.map((f) => (f.denied || f.similarity === 1 ? f : { ...f, matched: undefined }));
}

const fewWords = 0.1; // the share of an atom up to which the server says that no document mentions it
const longAtom = 4; // the number of words above which an atom is a question

// isAbsent reports whether the document denies the atom.
export const isAbsent = (a: AtomWords) => a.share < 0 && !!a.found?.some((f) => f.denied && f.similarity >= 0.5);

// placeOf names where a word occurs. The title is no passage to a reader.
export function placeOf(hit: Pick<Hit, "title">, f: Found): string {
  if (!hit.title) return `passage ${f.passage + 1}`;
  return f.passage === 0 ? "title" : `passage ${f.passage}`;
}

const lead = 40; // characters before the word that was found

// excerpt cuts a text to a length, from a little before a place in it.
export function excerpt(text: string, at: number, length: number): string {
  const from = at + lead < length ? 0 : text.indexOf(" ", at - lead) + 1;
  const rest = text.slice(from);
  const cut = rest.length > length ? rest.slice(0, rest.lastIndexOf(" ", length)) + " …" : rest;
  return (from ? "… " : "") + cut;
}

// firstFound returns where the first word that was found begins, or -1.
export function firstFound(text: string, found: Marks): number {
  for (const word of text.matchAll(wordsIn)) if (markOf(word[0], found)) return word.index;
  return -1;
}

// wordsIn finds the words of a text.
export const wordsIn = /[\p{L}\p{N}\p{M}]+/gu;

// markOf returns how a word is marked; a plural is marked as its word.
export function markOf(word: string, found: Marks): ReturnType<Marks["get"]> {
  const w = plain(word);
  return found.get(w) ?? found.get(w.replace(/s$/, ""));
}

// Marks maps words in lower case without accents to how they are marked, and for which
// word of the formula.
export type Marks = Map<string, { mark: Mark; word: string }>;

// foundIn returns the words that were found of some atoms, or of all.
export function foundIn(words: AtomWords[], atoms?: string[]): Marks {
  const marks: Marks = new Map();
  for (const a of words) {
    if (atoms && !atoms.includes(a.atom)) continue;
    for (const f of counted(a)) {
      if (!f.matched) continue;
      const one = { mark: a.negated && !f.denied ? "unwanted" as const : kindOf(f), word: f.word };
      marks.set(f.matched, one);
      if (kindOf(f) === "exact") marks.set(f.word, one);
    }
  }
  return marks;
}

// plain spells a word as the server does.
export const plain = (word: string) => word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
