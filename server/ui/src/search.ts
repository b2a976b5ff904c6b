// Runs the search of a state: sends it, and retries it.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem, type SearchRequest } from "./api";
import { chosen, type State } from "./url";
import type { Answer } from "./types";

export interface Search {
  answer?: Answer;
  // live: the same question, ranked in another way.
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

// useSearch searches whenever the state changes. While a slider moves, it waits for a pause and
// shows the results so far.
export function useSearch(s: State): Search {
  const [shown, setShown] = useState<{ answer?: Answer; live: boolean; problem?: Problem; busy: boolean }>({ live: false, busy: false });
  const [attempt, setAttempt] = useState(0);
  const [retryIn, setRetryIn] = useState(0);
  const last = useRef({ key: "", failures: 0 });
  const running = useRef<AbortController | null>(null);
  const stopped = useRef(false);

  const r = request(s);
  const key = JSON.stringify([s.collection, r.query, r.nl, r.mode, r.fusion, r.pool, r.candidates, r.profile, r.all_copies]);
  const rest = JSON.stringify([r.logic, r.words, r.k, r.min_probability, r.all]);

  useEffect(() => {
    if (!s.collection || !s.query) {
      last.current.key = "";
      return setShown({ live: false, busy: false });
    }
    const stop = new AbortController();
    const same = last.current.key === key;
    let retry: ReturnType<typeof setInterval> | undefined;
    running.current = stop;
    stopped.current = false;
    const ask = async () => {
      setShown((before) => ({ ...before, busy: true, problem: undefined }));
      try {
        const answer = await api.search(s.collection, r, stop.signal);
        running.current = null;
        last.current = { key, failures: 0 };
        setShown({ answer, live: same, busy: false });
      } catch (e) {
        if (stop.signal.aborted) return;
        const problem = e instanceof Problem ? e : new Problem(0, "page", String(e));
        setShown((before) => ({ ...before, answer: same || problem.code === "syntax" ? before.answer : undefined, busy: false, problem }));
        if ((problem.status === 429 || problem.status === 503) && last.current.failures++ < tries) {
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

  const again = () => ((last.current.failures = 0), setAttempt((n) => n + 1));
  const more = async () => {
    const { answer } = shown;
    if (!answer?.next) return;
    setShown((before) => ({ ...before, busy: true }));
    try {
      const page = await api.search(s.collection, { ...r, offset: answer.next });
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
