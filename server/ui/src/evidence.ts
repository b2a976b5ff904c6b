// What speaks for a document, and against it: for each atom whether it is said, something
// near it, said to be absent, or a matter of meaning alone.
import { number } from "./format";
import { negatedAtoms } from "./structure";
import type { AtomWords, Hit, Snippet } from "./types";
import { counted, excerpt, foundIn, isAbsent, kindOf, placeOf } from "./words";

export type Kind = "said" | "part" | "near" | "meaning" | "denied" | "absent";

export interface Evidence {
  atom: string;
  negated: boolean;
  kind: Kind;
  says: string; // in words, after the atom's name
  effect: "for" | "against" | "open"; // open: words do not tell
  share?: number; // of the atom's words
  similarity?: number; // of meaning
  passage?: Snippet;
  where: string; // title or passage, where it is known and no passage is shown
}

// evidenceOf is what a hit has of every atom, in the order of the formula.
export function evidenceOf(hit: Hit): Evidence[] {
  if (hit.words) return hit.words.map((a) => ofWords(hit, a));
  const negated = negatedAtoms(hit);
  return Object.keys(hit.scores).map((atom) => {
    const passage = passageOf(hit, atom), similarity = passage?.similarity ?? hit.scores[atom];
    return { atom, negated: negated.has(atom), kind: "meaning", says: byMeaning(similarity), effect: "open", similarity, passage, where: "" };
  });
}

const byMeaning = (similarity?: number) => "by meaning" + (similarity === undefined ? "" : " " + number(similarity, 2));

function ofWords(hit: Hit, a: AtomWords): Evidence {
  const found = counted(a), heard = found.filter((f) => f.said);
  const negated = !!a.negated;
  const passage = passageOf(hit, a.atom), similarity = passage?.similarity ?? hit.scores[a.atom];
  const kind = kindOfAtom(a);
  const where = heard.length && !passage?.share ? [...new Set(heard.map((f) => placeOf(hit, f)))].join(", ") : "";
  const told = heard.map((f) => (f.similarity === 1 || found.length === 1 ? f.said! : `${f.said} for ${f.word}`)).join(", ");
  const says = { said: "said", part: "in part, " + told, near: "near, " + told, meaning: byMeaning(similarity), denied: "said to be absent", absent: "not said" }[kind];
  const good = kind === "absent" || kind === "denied" ? negated : !negated;
  return { atom: a.atom, negated, kind, says, effect: kind === "meaning" ? "open" : good ? "for" : "against", share: a.share, similarity, passage, where };
}

function kindOfAtom(a: AtomWords): Kind {
  const found = counted(a), kinds = found.map(kindOf);
  if (!found.length) return "meaning"; // a document or an example, not words
  if (isAbsent(a)) return "denied";
  if (kinds.every((k) => k === "exact")) return "said";
  if (kinds.includes("soft")) return "near";
  if (kinds.includes("exact")) return "part";
  return a.negated ? "absent" : "meaning";
}

// passageOf is where the atom was found: of one that is wanted, what has most of it.
function passageOf(hit: Hit, atom: string): Snippet | undefined {
  const all = [...(hit.passages ?? []), ...(hit.unwanted ?? []), hit.snippet];
  return all.find((p) => p?.atom === atom);
}

// Passage is a text that is shown for some atoms, from where their words stand.
export interface Passage {
  text: string;
  of: Evidence[];
}

const most = 3; // passages of a card; the explanation has all

// passagesOf are the texts that show the evidence, each once: a short document is often the
// best of all atoms. Those that say something come before those that are near in meaning.
export function passagesOf(hit: Hit, all: Evidence[]): Passage[] {
  const texts = new Map<string, Passage>();
  const shown = all.filter((e) => e.passage);
  for (const e of [...shown.filter((e) => e.kind !== "meaning"), ...shown.filter((e) => e.kind === "meaning")]) {
    const text = excerpt(e.passage!.text, foundIn(hit.words ?? [], [e.atom]));
    const p = texts.get(text) ?? { text, of: [] };
    p.of.push(e);
    texts.set(text, p);
  }
  if (!texts.size && hit.snippet?.text) texts.set("", { text: hit.snippet.text, of: [] });
  return [...texts.values()].slice(0, most);
}
