// The metadata of a document.
import type { Metadata } from "./types";

// fileFields are fields that repeat where the file of a document is.
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

function show(value: unknown): string {
  const text = Array.isArray(value) ? value.map(show).join(", ") : typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}
