// The shape of a formula, read from the explanation of any document: which terms
// its rules compare, and so where its noise floors are.
import type { Answer, Columns, Delta, Explanation } from "./types";

export function walk(x: Explanation | undefined, see: (x: Explanation) => void) {
  if (!x) return;
  see(x);
  for (const part of x.parts ?? []) walk(part, see);
}

// negated returns the excluded formulas.
export function negated(x: Explanation | undefined): Set<string> {
  const names = new Set<string>();
  walk(x, (e) => e.gates?.forEach((g) => names.add(g.of)));
  return names;
}

// negatedAtoms returns the excluded atoms of a hit.
export function negatedAtoms(hit: { scores: Record<string, number>; explanation?: Explanation }): Set<string> {
  const refused = [...negated(hit.explanation)];
  return new Set(Object.keys(hit.scores).filter((a) => refused.some((n) => n === a || n.split(/ AND | OR |[()]/).includes(a))));
}

// Effect is a delta and its effect on the score.
export interface Effect extends Delta {
  effect: number;
}

// effects returns the deltas that entered the score; of an OR, only from its best
// alternative. If none did, as in an OR of atoms, it returns all.
export function effects(x: Explanation | undefined): Effect[] {
  const all: Effect[] = [];
  const see = (e: Explanation) => {
    e.deltas?.forEach((d, i) => all.push({ ...d, effect: effectOf(e, i) }));
    const parts = e.parts ?? [];
    const best = Math.max(...parts.map((p) => p.score));
    (e.rule === "or" ? parts.filter((p) => p.score === best).slice(0, 1) : parts).forEach(see);
  };
  if (x) see(x);
  const used = all.filter((d) => d.used);
  return used.length ? used : all;
}

// effectOf returns the effect of a delta on the score of its rule.
export function effectOf(x: Explanation, i: number): number {
  if (x.rule === "not") return -(x.gates?.[i]?.penalty ?? 0);
  return x.rule === "and" && x.deltas![i].used ? x.deltas![i].value : 0;
}

// Floor is a noise floor as inequalities: it fires for a document where every
// sum of factor × similarity is above 0.
export interface Floor {
  kind: "and" | "not" | "or";
  name: string;
  condition: string;
  sums: Map<string, number>[];
}

export function floors(x: Explanation | undefined, known: string[]): Floor[] {
  const found = new Map<string, Floor>();
  walk(x, (e) => {
    const parts = [...new Set(e.deltas?.map((d) => d.given))];
    const fused = e.deltas?.[0]?.fused;
    if (fused === undefined) return;
    if (e.rule === "and") {
      const sum = new Map([[fused, 1]]);
      for (const p of parts) sum.set(p, (sum.get(p) ?? 0) - 1);
      add({ kind: "and", name: "reinforcement", condition: `${fused} > ${parts.join(" + ")}`, sums: [sum] });
    } else if (e.rule === "or") {
      const sums = parts.map((p) => new Map([[p, 1], [fused, -1]]));
      add({ kind: "or", name: "departure", condition: `${fused} < each of ${parts.join(", ")}`, sums });
    } else if (e.rule === "not" && (e.similarities?.[1]?.formula !== e.deltas![0].given)) {
      // With several wanted parts NOT has no floor; their fusion then stands second.
      for (const d of e.deltas!) {
        const sums = [new Map([[d.given, 1], [d.fused, -1]]), new Map([[d.of, 1], [d.fused, -1]])];
        add({ kind: "not", name: "departure", condition: `${d.fused} < ${d.given} and ${d.of}`, sums });
      }
    }
  });
  function add(f: Floor) {
    if (f.sums.every((s) => [...s.keys()].every((term) => known.includes(term)))) found.set(f.kind + f.condition, f);
  }
  return [...found.values()];
}

export function fires(f: Floor, value: (term: string) => number): boolean {
  return f.sums.every((sum) => {
    let total = 0;
    for (const [term, factor] of sum) total += factor * value(term);
    return total > 0;
  });
}

// axes returns the axes of the address if the formula has them, or its first terms.
export function axes(known: string[], x: string, y: string): [string, string] {
  const first = known.includes(x) ? x : known[0] ?? "";
  const other = known.find((f) => f !== first) ?? first;
  return [first, known.includes(y) ? y : other];
}

// similarities are the columns by formula: S is the cosine floored at 0.
export function similarities(c: Columns): Map<string, number[]> {
  return new Map(c.formulas.map((f, i) => [f, c.values[i].map((v) => Math.max(0, v))]));
}

// reach is how many of the best candidates the results come from; copies are among them.
export function reach({ hits, columns }: Answer): number {
  return (hits.length && columns ? columns.ids.indexOf(hits[hits.length - 1].id) + 1 : 0) || hits.length;
}
