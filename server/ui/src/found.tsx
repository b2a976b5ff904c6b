// What was found of each atom, as one row of words and signs.
import { number } from "./format";
import type { Evidence } from "./evidence";

export function FoundRow({ evidence }: { evidence: Evidence[] }) {
  return (
    <div class="evidence" role="list" aria-label="What was found">
      {evidence.map((e) => <span key={e.atom} role="listitem" class={`${e.effect} ${e.kind}`} title={tells(e)}><FoundWords of={e} /></span>)}
    </div>
  );
}

// FoundWords is an atom and what the document has of it. The sign says the same as the words.
export function FoundWords({ of }: { of: Evidence }) {
  return (
    <>
      <i aria-hidden="true">{sign(of)}</i> <b>{of.negated && <span class="without">NOT </span>}{short(of.atom)}</b> {of.says}
      {of.where === "title" ? " in the title" : of.where && of.where !== "passage 1" && `, ${of.where}`}
    </>
  );
}

function sign(e: Evidence): string {
  if (e.kind === "near" || e.kind === "part") return "≈";
  return { for: "✓", against: "✕", open: "○" }[e.effect];
}

// tells says a verdict at length, with its numbers.
export function tells(e: Evidence): string {
  const share = e.share !== undefined && e.share > 0 ? `; ${Math.round(100 * e.share)} % of its words` : "";
  const wanted = e.negated ? " and is not wanted" : "";
  const meant = e.similarity === undefined ? "" : `; similar by ${number(e.similarity, 2)}, where 1 is the same`;
  switch (e.kind) {
    case "said": return `the document says it${wanted}${share}${meant}`;
    case "part": return `the document says some of its words${wanted}${share}${meant}`;
    case "near": return `the document says something near to it${wanted}${share}${meant}`;
    case "denied": return `the document says that there is none${e.negated ? ", as it should be" : ", which counts against it"}`;
    case "absent": return `the document does not say it, as it should be${meant}`;
    default: return `none of its words is in the document, which is compared by meaning alone${meant}`;
  }
}

const longest = 40;

// short is the name of an atom, an example's cut.
const short = (atom: string) => (atom.length > longest ? atom.slice(0, longest - 1) + "…" : atom);
