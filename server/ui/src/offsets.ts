// The API counts offsets in bytes of UTF-8, JavaScript in UTF-16 units.
import type { Token } from "./types";

// fromBytes gives, for each byte offset of text, the index in the string. An
// offset inside a character maps to its beginning.
export function fromBytes(text: string): number[] {
  const at: number[] = [];
  let index = 0;
  for (const c of text) {
    const code = c.codePointAt(0)!;
    const bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let b = 0; b < bytes; b++) at.push(index);
    index += c.length;
  }
  at.push(index);
  return at;
}

// inString are tokens with their offsets in the string.
export function inString(text: string, tokens: Token[]): Token[] {
  const at = fromBytes(text);
  const place = (byte: number) => at[Math.min(byte, at.length - 1)];
  return tokens.map((t) => ({ kind: t.kind, start: place(t.start), end: place(t.end) }));
}

// shifted moves the tokens of an older text to their places in the new one, to keep the
// colours until the server answers.
export function shifted(older: string, newer: string, tokens: Token[]): Token[] {
  let same = 0;
  while (same < older.length && same < newer.length && older[same] === newer[same]) same++;
  let tail = 0;
  while (tail < older.length - same && tail < newer.length - same && older.at(-1 - tail) === newer.at(-1 - tail)) tail++;
  const edge = older.length - tail; // from here on all has moved by
  const by = newer.length - older.length;
  const moved = tokens.map((t) => ({
    kind: t.kind,
    start: t.start >= edge ? t.start + by : Math.min(t.start, same),
    end: t.end >= edge ? t.end + by : Math.min(t.end, same),
  }));
  return moved.filter((t) => t.end > t.start);
}
