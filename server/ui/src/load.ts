// Requests other than the search itself.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { request, type Search } from "./search";
import type { Collection, Example, Hit, Rights } from "./types";
import type { State } from "./url";

export function useCollections() {
  const [collections, setCollections] = useState<Collection[]>();
  const [rights, setRights] = useState<Rights>();
  const [problem, setProblem] = useState<Problem>();
  const reload = useCallback(() => {
    Promise.all([api.collections(), api.rights()]).then(
      ([all, may]) => (setCollections(all), setRights(may), setProblem(undefined)),
      (e) => setProblem(e instanceof Problem ? e : new Problem(0, "page", String(e))),
    );
  }, []);
  useEffect(reload, []);
  return { collections, rights, problem, reload };
}

// useExamples returns queries to begin with in a collection.
export function useExamples(c: Collection | undefined): Example[] {
  const [examples, setExamples] = useState<Example[]>([]);
  useEffect(() => {
    setExamples([]);
    if (!c?.documents || c.problem) return;
    let gone = false;
    api.examples(c.name).then((all) => !gone && setExamples(all), () => {}); // a person can do without
    return () => void (gone = true);
  }, [c?.name, c?.documents]);
  return examples;
}

export interface Explained {
  hit?: Hit;
  ranked: number;
  candidate: boolean;
  problem: string;
}

// useExplained returns the open document, from the hits or from the server.
export function useExplained(state: State, search: Search): Explained {
  const { answer } = search;
  const [asked, setAsked] = useState<Explained & { id: string }>();
  const inHits = answer?.hits.find((h) => h.id === state.doc);
  useEffect(() => {
    if (!state.doc || !answer || inHits) return;
    const stop = new AbortController();
    api.explain(state.collection, state.doc, request(state), stop.signal).then(
      (a) => setAsked({ id: state.doc, hit: a.hits[0], ranked: a.ranked, candidate: a.candidate !== false, problem: "" }),
      (e) => !stop.signal.aborted && setAsked({ id: state.doc, ranked: 0, candidate: true, problem: e instanceof Problem ? e.message : String(e) }),
    );
    return () => stop.abort();
  }, [state.doc, answer, inHits]);
  if (inHits) return { hit: inHits, ranked: answer!.ranked, candidate: true, problem: "" };
  if (asked?.id === state.doc) return asked;
  return { ranked: 0, candidate: true, problem: "" };
}

const titles = new Map<string, Map<string, string>>(); // of documents, by collection

// useTitles returns the titles of documents, as far as they are loaded.
export function useTitles(collection: string, ids: string[]): Map<string, string> {
  const [, seen] = useState(0);
  const known = titles.get(collection) ?? new Map<string, string>();
  titles.set(collection, known);
  const missing = ids.filter((id) => !known.has(id));
  useEffect(() => {
    if (!collection || !missing.length) return;
    api.lookup(collection, missing).then((docs) => {
      for (const d of docs) known.set(d.id, d.title || (d.text ?? d.passages?.[0] ?? "").slice(0, 80));
      seen((n) => n + 1);
    }, () => {}); // the id will do
  }, [collection, missing.join("\n")]);
  return known;
}
