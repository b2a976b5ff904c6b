// Runs the search of a state: sends it, ranks it again, retries it.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem, type SearchRequest } from "./api";
import { chosen, type State } from "./url";
import type { Answer } from "./types";

export interface Search {
  answer?: Answer;
  // live: the answer is a ranking again of one before it.
  live: boolean;
  busy: boolean;
  problem?: Problem;
  retryIn: number; // seconds until the next try, or 0
  again: () => void;
  more: () => void; // fetches the next results
  cancel: () => void; // gives up a search that has no answer yet
  cancelled: () => boolean; // and it was not searched again since
}

export function request(s: State): SearchRequest {
  return {
    query: s.query, nl: s.nl, k: s.k, mode: s.mode, fusion: s.fusion || undefined, pool: s.pool, candidates: s.candidates,
    profile: s.profile, min_probability: s.least, all: s.all, all_copies: s.copies, logic: chosen(s.logic), words: s.words ?? undefined,
    columns: s.view === "map" || s.view === "deltas",
  };
}

const tries = 5;

// useSearch searches whenever the state changes. A change of the logic, the weight of words,
// k, the least probability or the view only ranks the kept search again, unless the server
// has dropped it or it was made without words.
export function useSearch(s: State): Search {
  const [shown, setShown] = useState<{ answer?: Answer; live: boolean; problem?: Problem; busy: boolean }>({ live: false, busy: false });
  const [attempt, setAttempt] = useState(0);
  const [retryIn, setRetryIn] = useState(0);
  const kept = useRef({ key: "", token: "", failures: 0 });
  const running = useRef<AbortController | null>(null);
  const stopped = useRef(false);

  const r = request(s);
  const key = JSON.stringify([s.collection, r.query, r.nl, r.mode, r.fusion, r.pool, r.candidates, r.profile, r.all_copies, r.words && "words"]);
  const rest = JSON.stringify([r.logic, r.words, r.k, r.min_probability, r.all]);

  useEffect(() => {
    if (!s.collection || !s.query) {
      kept.current.key = "";
      return setShown({ live: false, busy: false });
    }
    const stop = new AbortController();
    const same = kept.current.key === key && kept.current.token !== "";
    let retry: ReturnType<typeof setInterval> | undefined;
    running.current = stop;
    stopped.current = false;
    const ask = async () => {
      setShown((before) => ({ ...before, busy: true, problem: undefined }));
      try {
        const answer = await askFor(s.collection, r, same ? kept.current.token : "", stop.signal);
        running.current = null;
        kept.current = { key, token: answer.search ?? (same ? kept.current.token : ""), failures: 0 };
        setShown({ answer, live: same, busy: false });
      } catch (e) {
        if (stop.signal.aborted) return;
        const problem = e instanceof Problem ? e : new Problem(0, "page", String(e));
        setShown((before) => ({ ...before, answer: same || problem.code === "syntax" ? before.answer : undefined, busy: false, problem }));
        if ((problem.status === 429 || problem.status === 503) && kept.current.failures++ < tries) {
          let left = Math.max(1, Math.min(30, problem.retryAfter || 2));
          setRetryIn(left);
          retry = setInterval(() => (--left > 0 ? setRetryIn(left) : setAttempt((n) => n + 1)), 1000);
        }
      }
    };
    setRetryIn(0);
    const timer = setTimeout(ask, same ? 40 : 0);
    return () => (clearTimeout(timer), clearInterval(retry), stop.abort());
  }, [key, rest, r.columns, attempt]);

  useEffect(() => {
    const online = () => setAttempt((n) => n + 1);
    addEventListener("online", online);
    return () => removeEventListener("online", online);
  }, []);

  const again = () => ((kept.current.failures = 0), (kept.current.token = ""), setAttempt((n) => n + 1));
  const more = async () => {
    const { answer } = shown, { token } = kept.current;
    if (!answer?.next) return;
    setShown((before) => ({ ...before, busy: true }));
    try {
      const page = await api.rank(s.collection, token, r, undefined, answer.next);
      setShown((now) => (now.answer !== answer ? now : { ...now, busy: false, answer: { ...answer, hits: [...answer.hits, ...page.hits], plain: [...(answer.plain ?? []), ...(page.plain ?? [])], next: page.next } }));
    } catch (e) {
      setShown((now) => ({ ...now, busy: false, problem: e instanceof Problem ? e : new Problem(0, "page", String(e)) }));
    }
  };
  const cancel = () => {
    if (!running.current || !shown.busy) return;
    running.current.abort();
    running.current = null;
    stopped.current = true;
    setShown((now) => ({ ...now, busy: false }));
  };
  return { ...shown, retryIn, again, more, cancel, cancelled: () => stopped.current };
}

async function askFor(collection: string, r: SearchRequest, token: string, signal: AbortSignal): Promise<Answer> {
  if (token) {
    try {
      return await api.rank(collection, token, r, signal);
    } catch (e) {
      if (!(e instanceof Problem) || (e.status !== 404 && e.status !== 410)) throw e;
    }
  }
  return api.search(collection, r, signal);
}
