// The metadata of a document.
import type { Hit, Metadata } from "./types";

// fileFields are fields that repeat the name of a document's file.
export const fileFields = ["source", "path", "folder"];

export function Chips({ metadata, most, without = [] }: { metadata?: Metadata; most?: number; without?: string[] }) {
  return (
    <>
      {Object.entries(metadata ?? {}).filter(([field]) => !without.includes(field)).slice(0, most).map(([field, value]) => (
        <span class="chip" key={field}><i>{field}</i> {show(value)}</span>
      ))}
    </>
  );
}

// sameFields returns the fields that have one value in all of several hits, which tell no hit
// from another.
export function sameFields(hits: Hit[]): string[] {
  const [first, ...rest] = hits.map((h) => h.metadata ?? {});
  return rest.length ? Object.keys(first).filter((f) => rest.every((m) => JSON.stringify(m[f]) === JSON.stringify(first[f]))) : [];
}

function show(value: unknown): string {
  const text = Array.isArray(value) ? value.map(show).join(", ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}
