// What is known of a document beside its text.
import type { Metadata } from "./types";

const most = 6; // fields that are shown

export function Chips({ metadata, without = [] }: { metadata?: Metadata; without?: string[] }) {
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
