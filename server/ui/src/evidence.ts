// Evidence for each atom in a document: a mention, something similar, a denial, or only
// similarity of meaning.
import { negatedAtoms } from "./structure";
import type { AtomWords, Found, Hit, Snippet } from "./types";
import { counted, excerpt, firstFound, foundIn, isAbsent, kindOf, placeOf } from "./words";

export type Kind = "about" | "mentioned" | "partial" | "near" | "meaning" | "denied" | "absent";

export interface Evidence {
  atom: string;
  negated: boolean;
  kind: Kind;
  says: string; // follows the atom's name
  whole?: string; // replaces name and says: "mentions merge in 2 of 31 passages"
  effect: "for" | "against" | "open"; // open: the words decide nothing
  share?: number; // of the atom's words
  similarity?: number; // of meaning
  passage?: Snippet;
  where: string; // title or passage, where known and no passage is shown
}

// evidenceOf returns the evidence for every atom, in the order of the formula.
export function evidenceOf(hit: Hit): Evidence[] {
  if (hit.words) return hit.words.map((a) => ofWords(hit, a));
  const negated = negatedAtoms(hit);
  return Object.keys(hit.scores).map((atom) => {
    const passage = passageOf(hit, atom), similarity = passage?.similarity ?? hit.scores[atom];
    return { atom, negated: negated.has(atom), kind: "meaning", says: texts.meaning, effect: "open", similarity, passage, where: "" };
  });
}

const texts: Record<Kind, string> = {
  about: "is what it is about", mentioned: "mentioned", partial: "partly mentioned: ", near: "similar: ",
  meaning: "by meaning", denied: "ruled out by the text", absent: "not mentioned",
};

function ofWords(hit: Hit, a: AtomWords): Evidence {
  const found = counted(a), matched = found.filter((f) => f.matched);
  const negated = !!a.negated;
  const passage = passageOf(hit, a.atom), similarity = passage?.similarity ?? hit.scores[a.atom];
  const kind = kindOfAtom(a);
  const where = matched.length && !passage?.share ? [...new Set(matched.map((f) => placeOf(hit, f)))].join(", ") : "";
  const words = kind === "partial" || kind === "near" ? matched.map((f) => (f.similarity === 1 || found.length === 1 ? f.matched! : `${f.matched} for ${f.word}`)).join(", ") : "";
  const whole = kind === "denied" ? undefined : wholeOf(a.atom, matched);
  const good = kind === "absent" || kind === "denied" ? negated : !negated;
  // A page that only mentions an excluded term is still a good result.
  const open = kind === "meaning" || (negated && !!whole && kind !== "about");
  return { atom: a.atom, negated, kind, says: texts[kind] + words, whole, effect: open ? "open" : good ? "for" : "against", share: a.share, similarity, passage, where };
}

// wholeOf says how much of the document is about an atom, if the server reports it.
function wholeOf(atom: string, matched: Found[]): string | undefined {
  if (matched.some((f) => f.about)) return `about ${atom}`;
  const most = matched.filter((f) => f.mentions && f.passages).sort((a, b) => b.mentions! - a.mentions!)[0];
  return most && `mentions ${most.matched} in ${most.mentions} of ${most.passages} passages`;
}

function kindOfAtom(a: AtomWords): Kind {
  const found = counted(a), kinds = found.map(kindOf);
  if (!found.length) return "meaning"; // a document or an example, not words
  if (isAbsent(a)) return "denied";
  if (found.some((f) => f.about)) return "about";
  if (kinds.every((k) => k === "exact")) return "mentioned";
  if (kinds.includes("soft")) return "near";
  if (kinds.includes("exact")) return "partial";
  return a.negated ? "absent" : "meaning";
}

// passageOf returns the passage with most of an atom.
function passageOf(hit: Hit, atom: string): Snippet | undefined {
  const all = [...(hit.passages ?? []), ...(hit.unwanted ?? []), hit.snippet];
  return all.find((p) => p?.atom === atom);
}

const most = 3; // fragments of a snippet
const length = 200; // characters of a snippet

// snippetOf joins the places where the atoms were found, those with a mention first, and
// returns the passage of the first.
export function snippetOf(hit: Hit, all: Evidence[]): { text: string; from?: Snippet } {
  const shown = all.filter((e) => e.passage);
  const anchors: { text: string; at: number; from: Snippet }[] = [];
  for (const e of [...shown.filter((e) => e.kind !== "meaning"), ...shown.filter((e) => e.kind === "meaning")]) {
    const text = e.passage!.text.replace(/\s+/g, " ").trim();
    const at = text.length <= length ? 0 : Math.max(0, firstFound(text, foundIn(hit.words ?? [], [e.atom])));
    const seen = anchors.some((a) => a.text === text && Math.abs(a.at - at) < length / most);
    if (!seen) anchors.push({ text, at, from: e.passage! });
  }
  if (!anchors.length && hit.snippet?.text) anchors.push({ text: hit.snippet.text, at: 0, from: hit.snippet });
  const used = anchors.slice(0, most);
  return { text: used.map((a) => excerpt(a.text, a.at, length / used.length)).join(" ").replaceAll("… …", "…"), from: used[0]?.from };
}
