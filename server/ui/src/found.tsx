// The evidence for each atom, as one row of words and signs.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { number } from "./format";
import type { Evidence } from "./evidence";

// Titles holds the titles of the documents that the query names with like:.
export const Titles = createContext(new Map<string, string>());

export function FoundRow({ evidence }: { evidence: Evidence[] }) {
  return (
    <div class="evidence" role="list" aria-label="What was found">
      {evidence.map((e) => <span key={e.atom} role="listitem" class={`${e.effect} ${e.kind}`} title={inFull(e)}><FoundWords of={e} /></span>)}
    </div>
  );
}

// FoundWords shows an atom and its evidence. The sign repeats the words.
export function FoundWords({ of }: { of: Evidence }) {
  const name = shownAs(of.atom, useContext(Titles));
  return (
    <>
      <i aria-hidden="true">{sign(of)}</i>{" "}
      {of.whole ?? <><b>{of.negated && <span class="without">NOT </span>}{name}</b>{" "}{of.says}</>}
      {of.where === "title" ? " in the title" : of.where && of.where !== "passage 1" && `, ${of.where}`}
    </>
  );
}

function sign(e: Evidence): string {
  if (e.kind === "near" || e.kind === "partial") return "≈";
  return { for: "✓", against: "✕", open: "○" }[e.effect];
}

// inFull describes evidence at length, with its numbers.
export function inFull(e: Evidence): string {
  const share = e.share !== undefined && e.share > 0 ? `; ${Math.round(100 * e.share)} % of its words` : "";
  const excluded = e.negated ? ", and the query excludes it" : "";
  const meant = e.similarity === undefined ? "" : `; similarity of meaning ${number(e.similarity, 2)}, where 1 is the same`;
  switch (e.kind) {
    case "about": return `the document is about it${excluded}${meant}`;
    case "mentioned": return `the document mentions it${excluded}${share}${meant}`;
    case "partial": return `the document mentions some of its words${excluded}${share}${meant}`;
    case "near": return `the document mentions something similar${excluded}${share}${meant}`;
    case "denied": return `the text says that there is none${e.negated ? ", as the query asks" : ", which counts against it"}`;
    case "absent": return `the document does not mention it, as the query asks${meant}`;
    default: return `the document mentions none of its words; only the meaning was compared${meant}`;
  }
}

// shownAs names an atom: of a document the title, of an example its beginning.
export function shownAs(atom: string, titles: Map<string, string>): string {
  const [, kind, value] = atom.match(/^(like|example):"?(.*?)"?$/s) ?? [];
  if (!kind) return short(atom);
  return kind === "like" ? "like " + short(titles.get(value) || value) : `like “${short(value)}”`;
}

const longest = 40;

export const short = (text: string) => (text.length > longest ? text.slice(0, longest - 1).trimEnd() + "…" : text);

// documentsIn returns the ids of the documents that atoms name.
export const documentsIn = (atoms: string[]) => atoms.flatMap((a) => a.match(/^like:"?(.*?)"?$/s)?.[1] ?? []);
