// A screening: one record at a time, and a key for each decision.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem } from "./api";
import { count, plural } from "./format";
import { Marked, stemsOf } from "./marked";
import { Chips, fileFields } from "./metadata";
import { Notice } from "./notice";
import { formats, missed, person, screenings, statement, type Label, type Next, type Progress } from "./decisions";

interface Props {
  collection: string;
  name: string;
  keys: boolean; // the server knows people by their keys
  leave: () => void;
  enterKey: () => void;
}

export function ScreeningView({ collection, name, keys, leave, enterKey }: Props) {
  const [who, setWho] = useState(person.get());
  const [next, setNext] = useState<Next>();
  const [sample, setSample] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [done, setDone] = useState(""); // the last decision
  const reason = useRef<HTMLInputElement>(null);
  const working = useRef(false); // keys may come faster than the page is drawn
  const known = !!who || keys;

  // run does one thing after the other: a second key waits for the answer to the first.
  const run = useCallback(async (work: () => Promise<void>) => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    try {
      await work();
      setProblem(undefined);
    } catch (e) {
      setProblem(e instanceof Problem ? e : new Problem(0, "page", String(e)));
    }
    working.current = false;
    setBusy(false);
  }, []);
  const show = useCallback(async () => setNext(await screenings.next(collection, name, who, sample)), [collection, name, who, sample]);
  useEffect(() => {
    if (known) void run(show);
  }, [show, known]);
  useEffect(() => scrollTo(0, 0), [next?.record?.id]);

  const decide = (label: Label) => run(async () => {
    const record = label === "undone" ? undefined : next?.record?.id;
    if (label !== "undone" && !record) return;
    const why = label === "exclude" ? reason.current?.value.trim() : "";
    await screenings.decide(collection, name, { record, label, person: who, reason: why, sample: sample && label !== "undone" });
    if (reason.current) reason.current.value = "";
    setDone(label === "undone" ? "The last decision was taken back" : `Saved: ${label}${why ? `, ${why}` : ""}`);
    await show();
  });
  useLayoutEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.metaKey || e.altKey || e.repeat || /^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName) && (e.target as HTMLInputElement).type !== "checkbox") return;
      const act = ({ i: () => decide("include"), e: () => decide("exclude"), u: () => decide("unsure"), z: () => decide("undone"), r: () => reason.current?.focus() } as Record<string, () => unknown>)[e.key];
      if (!act || document.querySelector("dialog")) return;
      e.preventDefault();
      void act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const wanted = useMemo(() => stemsOf(next?.terms ?? [], new Set()), [next]);
  if (!known) return <main data-view="screen" class="screening"><Who done={(name) => (person.set(name), setWho(name))} /></main>;
  const record = next?.record;
  return (
    <main data-view="screen" class="screening">
      <header>
        <h1>Screening {name}</h1>
        <span class="muted">{who && <>by {who} <button class="quiet" onClick={() => setWho("")} hidden={keys}>Not you?</button></>}</span>
        <Exports collection={collection} name={name} fail={setProblem} />
        <button class="quiet" onClick={leave}>Close</button>
      </header>
      {problem && <Notice problem={problem} retryIn={0} again={() => run(show)} enterKey={enterKey} />}
      {next && <Standing progress={next.progress} />}
      {record ? (
        <article aria-busy={busy} aria-label="Record">
          <h2><Marked text={record.title || record.id} wanted={wanted} /></h2>
          <p class="chips"><Chips metadata={record.metadata} without={fileFields} most={8} /></p>
          {(record.text || (record.passages ?? []).join("\n\n")).split(/\n{2,}/).map((part, i) => <p key={i}><Marked text={part} wanted={wanted} /></p>)}
          <p class="why muted">Shown because: {next.why}</p>
        </article>
      ) : next && (
        <p class="empty">{next.progress.unread ? "Other people are looking at the last records. " : "All records have been read. "}
          {next.progress.unread > 0 && <button onClick={() => run(show)}>Look again</button>}</p>
      )}
      {!next && !problem && <p class="empty">Reading the records …</p>}
      <footer>
        <div class="decide">
          <button class="go" disabled={!record || busy} onClick={() => decide("include")}><kbd>i</kbd> Include</button>
          <button disabled={!record || busy} onClick={() => decide("exclude")}><kbd>e</kbd> Exclude</button>
          <button disabled={!record || busy} onClick={() => decide("unsure")}><kbd>u</kbd> Unsure</button>
          <button disabled={busy} onClick={() => decide("undone")}><kbd>z</kbd> Undo</button>
        </div>
        <input ref={reason} aria-label="Reason for the exclusion" placeholder="Reason for an exclusion (r), then Enter" maxLength={300} disabled={!record}
          onKeyDown={(e) => { if (e.key === "Enter") (e.currentTarget.blur(), decide("exclude")); else if (e.key === "Escape") e.currentTarget.blur(); }} />
        <label><input type="checkbox" checked={sample} onChange={(e) => setSample(e.currentTarget.checked)} /> Random unread records, to see how many were missed</label>
        <span class="muted small" role="status">{done}</span>
      </footer>
    </main>
  );
}

function Who({ done }: { done: (name: string) => void }) {
  const [name, setName] = useState(person.get());
  return (
    <form class="stack" onSubmit={(e) => (e.preventDefault(), name.trim() && done(name.trim()))}>
      <h1>Who screens?</h1>
      <label>Your name is saved with each decision <input value={name} onInput={(e) => setName(e.currentTarget.value)} /></label>
      <p class="actions"><button class="go" disabled={!name.trim()}>Go on</button></p>
    </form>
  );
}

// Standing is how far the screening is, and whether one may stop.
function Standing({ progress: p }: { progress: Progress }) {
  const read = p.included + p.excluded + p.unsure, all = read + p.unread;
  const people = Object.entries(p.people ?? {});
  const folded = p.duplicates_doi + p.duplicates_text;
  return (
    <section class="standing" aria-label="Progress">
      <progress max={all} value={read} aria-label={`${count(read)} of ${count(all)} records read`} />
      <p class="number"><b>{count(p.included)}</b> included · <b>{count(p.excluded)}</b> excluded · <b>{count(p.unsure)}</b> unsure · <b>{count(p.unread)}</b> unread
        {folded > 0 && <> · {plural(folded, "duplicate")} folded</>}
        {people.length > 1 && <span class="muted"> · {people.map(([name, n]) => `${name} ${count(n)}`).join(", ")}</span>}</p>
      <p class={p.stop.reached ? "good" : ""}>{statement(p)}</p>
      {p.elusion && <p>{missed(p)}</p>}
    </section>
  );
}

function Exports({ collection, name, fail }: { collection: string; name: string; fail: (p: Problem) => void }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const save = (format: string) => screenings.export(collection, name, format).then((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${name}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    menu.current!.open = false;
  }, (e) => fail(e instanceof Problem ? e : new Problem(0, "page", String(e))));
  return (
    <div class="share">
      <details ref={menu} onKeyDown={(e) => e.key === "Escape" && (menu.current!.open = false)}>
        <summary>Export</summary>
        <ul>{Object.entries(formats).map(([format, text]) => <li key={format}><button type="button" onClick={() => save(format)}>{text}</button></li>)}</ul>
      </details>
    </div>
  );
}
