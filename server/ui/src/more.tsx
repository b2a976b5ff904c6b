// Documents and texts as examples, wanted or excluded.
import { api } from "./api";
import { added, changed, quoted, written } from "./outline";
import type { Part } from "./types";

interface Props {
  name: string; // the document's title, or id
  like: (negated: boolean) => void;
}

export function More({ name, like }: Props) {
  return (
    <p class="more">
      <button type="button" class="quiet" aria-label={`More like this: ${name}`} onClick={() => like(false)}>More like this</button>
      <button type="button" class="quiet" aria-label={`Not like this: ${name}`} onClick={() => like(true)}>Not like this</button>
    </p>
  );
}

// isPlain reports whether a value needs no quotes.
const isPlain = (s: string) => /^[^\s()^"“”]+$/.test(s) && !s.startsWith("//");

export const likeDocument = (id: string): Part => ({ kind: "like", name: id, text: "like:" + (isPlain(id) ? id : quoted(id)) });

// mostExample is the maximal length of an example in a query, in characters.
const mostExample = 2000;

// likeText makes a text an example, cut at a word if it is too long.
export function likeText(text: string): Part {
  let short = text.replace(/\s+/g, " ").trim();
  if (short.length > mostExample) short = short.slice(0, short.lastIndexOf(" ", mostExample));
  return { kind: "example", name: short, text: "example:" + quoted(short) };
}

// extended adds an example to a query, or changes whether it is wanted.
export async function extended(query: string, nl: string, example: Part, negated: boolean): Promise<string> {
  const { parts, reading } = await api.parse(query, nl, "");
  if (!parts) return `(${reading?.formula ?? query}) AND ${written([{ ...example, negated }])}`;
  const there = parts.findIndex((p) => p.kind === example.kind && p.name === example.name);
  return written(there < 0 ? added(parts, example, negated ? "not" : "and") : changed(parts, [there], { ...parts[there], negated }));
}
