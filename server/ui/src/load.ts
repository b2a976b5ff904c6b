// What the page reads from the server beside the search.
import { useCallback, useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { request, type Search } from "./search";
import type { Collection, Hit } from "./types";
import type { State } from "./url";

export function useCollections() {
  const [collections, setCollections] = useState<Collection[]>();
  const [problem, setProblem] = useState<Problem>();
  const reload = useCallback(() => {
    api.collections().then(
      (all) => (setCollections(all), setProblem(undefined)),
      (e) => setProblem(e instanceof Problem ? e : new Problem(0, "page", String(e))),
    );
  }, []);
  useEffect(reload, []);
  return { collections, problem, reload };
}

export interface Explained {
  hit?: Hit;
  ranked: number;
  candidate: boolean;
  problem: string;
}

// useExplained finds the document that is open: among the hits, or by asking.
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
