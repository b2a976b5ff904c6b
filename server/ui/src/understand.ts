// The server's parse of the text in the box.
import { useEffect, useState } from "preact/hooks";
import { api } from "./api";
import { inString, shifted } from "./offsets";
import type { Parsed, Token } from "./types";

export interface Understood {
  text: string; // that the tokens belong to
  tokens: Token[];
  parsed?: Parsed;
  meant?: string; // the formula that the text would be read as, were it not taken as it is
}

// useUnderstood parses the text shortly after a change, and moves the colours until then.
export function useUnderstood(text: string, nl: string, fusion: string): Understood {
  const [now, set] = useState<Understood>({ text: "", tokens: [] });
  useEffect(() => {
    if (!text.trim()) return set({ text, tokens: [] });
    const stop = new AbortController();
    const timer = setTimeout(() => understand(text, nl, fusion, stop.signal, set), 60);
    return () => (clearTimeout(timer), stop.abort());
  }, [text, nl, fusion]);
  if (now.text === text) return now;
  return { text, tokens: shifted(now.text, text, now.tokens), parsed: now.parsed };
}

async function understand(text: string, nl: string, fusion: string, signal: AbortSignal, set: (u: Understood) => void) {
  try {
    const parsed = await api.parse(text, nl, fusion, signal);
    const tokens = inString(text, parsed.tokens ?? []);
    if (nl === "auto") return set({ text, tokens, parsed });
    const read = await api.parse(text, "auto", fusion, signal);
    set({ text, tokens, parsed, meant: read.reading?.formula });
  } catch {
    // Colours are not worth a message: the search itself reports errors.
  }
}
