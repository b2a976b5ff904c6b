// Syntax errors are shown after a pause or on Enter, not while a person is typing.
import { useEffect, useState } from "preact/hooks";
import { sentence } from "./format";
import { fromBytes } from "./offsets";
import type { SyntaxProblem } from "./types";

const pause = 900; // milliseconds

// useMistake returns the error to show. An unfinished formula is an error on Enter only;
// an error in the submitted query is shown at once.
export function useMistake(text: string, asked: string, found?: SyntaxProblem): { shown?: SyntaxProblem; insist: () => void } {
  const [insisted, setInsisted] = useState("");
  useEffect(() => {
    if (!found || isUnfinished(text, found)) return;
    const timer = setTimeout(() => setInsisted(text), pause);
    return () => clearTimeout(timer);
  }, [text, found]);
  return { shown: insisted === text || asked === text ? found : undefined, insist: () => setInsisted(text) };
}

// isUnfinished reports whether something is missing or open at the end.
export function isUnfinished(text: string, { offset }: SyntaxProblem): boolean {
  const at = fromBytes(text)[offset] ?? text.length;
  return at >= text.trimEnd().length || /^["“(]/.test(text.slice(at));
}

// inPlainWords rephrases a message without terms of grammar.
export function inPlainWords(message: string): string {
  const [, after, found] = message.match(/^expected an atom, a predicate or \((?: after (.+))?, found (.+)$/) ?? [];
  if (!found) return sentence(message);
  const there = found === "the end of the query" ? "the query ends there" : `${found} stands there`;
  return sentence(`${after ? `after ${after}` : "here"} a word or a group is needed, and ${there}`);
}
