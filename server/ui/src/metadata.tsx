// The metadata of a document.
import type { Metadata } from "./types";

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
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? text.slice(0, 59) + "…" : text;
}
