// Edits a simple formula by its parts. The text is the source of truth: the server parses
// it into parts, and they become text again here.
import type { Part } from "./types";

export function written(parts: Part[]): string {
  return parts.length === 1 && parts[0].parts && !parts[0].negated && !parts[0].least
    ? alternatives(parts[0]) : parts.map(one).join(" AND ");
}

function one(p: Part): string {
  const not = p.negated ? "NOT " : "";
  if (!p.parts) return not + p.text + (p.weight ? "^" + p.weight : "");
  return p.least ? `${not}${p.least} OF (${p.parts.map((x) => one(guarded(x))).join(", ")})` : `${not}(${alternatives(p)})`;
}

// guarded quotes a text with a comma.
function guarded(p: Part): Part {
  if (!p.text?.includes(",") || p.text.endsWith('"') || p.kind === "predicate") return p;
  return { ...p, text: (p.kind === "atom" ? "" : p.kind + ":") + quoted(p.name!) };
}

const alternatives = (p: Part) => p.parts!.map(one).join(" OR ");

// Path is the index of a part and, in a group, its index there.
export type Path = [number] | [number, number];

export const partAt = (parts: Part[], [i, j]: Path) => (j === undefined ? parts[i] : parts[i].parts![j]);

// changed replaces or removes the part at a path. A group of one becomes that part.
export function changed(parts: Part[], [i, j]: Path, part?: Part): Part[] {
  if (j === undefined) return parts.flatMap((p, at) => (at !== i ? p : part ?? []));
  const group = parts[i];
  const inside = group.parts!.flatMap((p, at) => (at !== j ? p : part ?? []));
  if (inside.length > 1) return changed(parts, [i], { ...group, parts: inside, least: group.least && Math.min(group.least, inside.length) });
  return changed(parts, [i], { ...inside[0], negated: !!inside[0].negated !== !!group.negated });
}

export type Join = "and" | "not" | "or";

// added appends a part, or joins it to the last wanted part as an alternative.
export function added(parts: Part[], part: Part, how: Join): Part[] {
  const to = how === "or" ? lastWanted(parts) : -1;
  if (to < 0) return [...parts, { ...part, negated: how === "not" }];
  const before = parts[to];
  return changed(parts, [to], before.parts ? { ...before, parts: [...before.parts, part] } : { kind: "group", parts: [before, part] });
}

// lastWanted returns the index of the part that takes an alternative, or −1.
export const lastWanted = (parts: Part[]) => parts.findLastIndex((p) => !p.negated && p.kind !== "predicate");

export const quoted = (text: string) => `"${text.replace(/[\\"]/g, "\\$&")}"`;

const words = /^[\p{L}\p{N}]+( [\p{L}\p{N}]+)*$/u;
const operators = /\b(AND|OR|NOT|OF)\b/;

// mentionOf returns the words that a part such as text:leash asks for, or nothing.
export function mentionOf(p: Part): string | undefined {
  const [, quotes, plain] = (p.kind === "predicate" && p.text?.match(/^text:(?:"((?:[^"\\]|\\.)*)"|(\S+))$/s)) || [];
  return plain ?? quotes?.replace(/\\(.)/g, "$1");
}

// otherForm turns an exclusion from soft to hard and back: NOT X, which ranks pages about X
// lower, and NOT text:X, which removes every page that mentions X.
export function otherForm(p: Part): Part | undefined {
  const mention = mentionOf(p);
  if (mention) return { kind: "atom", negated: true, name: mention, text: words.test(mention) && !operators.test(mention) ? mention : quoted(mention) };
  if (p.kind !== "atom" || !p.name) return undefined;
  return { kind: "predicate", negated: true, text: "text:" + (/^[\p{L}\p{N}]+$/u.test(p.name) ? p.name : quoted(p.name)) };
}
