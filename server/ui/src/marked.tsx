// A text with the words of the formula marked.

// stem is the part of a word that its forms share, roughly: dog, dogs; run, running.
function stem(word: string): string {
  const w = word.toLowerCase();
  for (const ending of ["ing", "ies", "es", "ed", "s", "y", "e"]) {
    if (w.endsWith(ending) && w.length - ending.length >= 3) return w.slice(0, -ending.length);
  }
  return w;
}

const common = new Set("a an and are as at by for from in is it of on or that the to was with".split(" "));

const words = /[\p{L}\p{N}]+/gu;

export interface Wanted {
  stems: string[];
  unwanted: string[];
}

// stemsOf are the stems of the atoms, those wanted and those not.
export function stemsOf(atoms: string[], negated: Set<string>): Wanted {
  const of = (list: string[]) =>
    [...new Set(list.flatMap((a) => a.match(words) ?? []).filter((w) => !common.has(w.toLowerCase())).map(stem))];
  const refused = [...negated];
  const isRefused = (a: string) => refused.some((n) => n === a || n.split(/ AND | OR |[()]/).includes(a));
  return { stems: of(atoms.filter((a) => !isRefused(a))), unwanted: of(atoms.filter(isRefused)) };
}

export function Marked({ text, wanted }: { text: string; wanted: Wanted }) {
  const pieces: preact.ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(words)) {
    const s = stem(found[0]);
    const kind = wanted.stems.includes(s) ? "" : wanted.unwanted.includes(s) ? "unwanted" : undefined;
    if (kind === undefined) continue;
    pieces.push(text.slice(at, found.index), <mark key={found.index} class={kind}>{found[0]}</mark>);
    at = found.index + found[0].length;
  }
  pieces.push(text.slice(at));
  return <>{pieces}</>;
}
