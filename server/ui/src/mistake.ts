// A mistake in a formula is told when it is one: after a pause or on Enter, not while a
// person still types.
import { useEffect, useState } from "preact/hooks";
import { sentence } from "./format";
import { fromBytes } from "./offsets";
import type { SyntaxProblem } from "./types";

const pause = 900; // milliseconds

// useMistake gives what is to be told of what was found in a text. What may still be
// finished is told on Enter only, and of a query that was asked at once.
export function useMistake(text: string, asked: string, found?: SyntaxProblem): { shown?: SyntaxProblem; insist: () => void } {
  const [told, setTold] = useState("");
  useEffect(() => {
    if (!found || isUnfinished(text, found)) return;
    const timer = setTimeout(() => setTold(text), pause);
    return () => clearTimeout(timer);
  }, [text, found]);
  return { shown: told === text || asked === text ? found : undefined, insist: () => setTold(text) };
}

// isUnfinished: something is missing at the end, or is open there.
export function isUnfinished(text: string, { offset }: SyntaxProblem): boolean {
  const at = fromBytes(text)[offset] ?? text.length;
  return at >= text.trimEnd().length || /^["“(]/.test(text.slice(at));
}

// inPlainWords is a message without the words of grammar.
export function inPlainWords(message: string): string {
  const [, after, found] = message.match(/^expected an atom, a predicate or \((?: after (.+))?, found (.+)$/) ?? [];
  if (!found) return sentence(message);
  const there = found === "the end of the query" ? "the query ends there" : `${found} stands there`;
  return sentence(`${after ? `after ${after}` : "here"} a word or a group is needed, and ${there}`);
}
