// The place of a passage in its file.
import type { Metadata, Place } from "./types";

// whereabouts describes a place, after the file of the document if known. It is empty if
// neither is known.
export function whereabouts(place?: Place, metadata?: Metadata): string {
  const parts: string[] = [];
  if (place?.heading) parts.push(place.heading);
  if (place?.page) parts.push(`page ${place.page}`);
  if (place?.line) parts.push(`line ${place.line}`);
  if (typeof metadata?.source === "string") parts.unshift(metadata.source);
  return parts.join(", ");
}

export function Where({ place, metadata }: { place?: Place; metadata?: Metadata }) {
  const text = whereabouts(place, metadata);
  return text ? <span class="where" title={text}>{text}</span> : null;
}
