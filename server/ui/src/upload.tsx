// Files on their way into a collection.
import { useEffect, useRef, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { bytes, plural } from "./format";
import type { UploadLine } from "./types";

interface Run {
  files: File[];
  sent: number; // share, 0 to 1
  now?: UploadLine; // the last that told progress
  skipped: UploadLine[];
  done?: UploadLine;
  problem?: string;
}

const listed = 20; // skips that are shown

export function Upload({ collection, dropped, done }: { collection: string; dropped: File[]; done: () => void }) {
  const [run, setRun] = useState<Run>();
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController | undefined>(undefined);

  const begin = async (files: File[]) => {
    if (!files.length) return;
    stop.current?.abort();
    const control = (stop.current = new AbortController());
    const update = (change: (r: Run) => Run) => !control.signal.aborted && setRun((r) => r && change(r));
    setRun({ files, sent: 0, skipped: [] });
    try {
      await api.upload(collection, files, (sent) => update((r) => ({ ...r, sent })), (line) => update((r) => take(r, line)), control.signal);
      // Without its last line an answer was interrupted.
      update((r) => (r.done ? r : { ...r, problem: "The answer ended early. What was counted is stored." }));
    } catch (e) {
      update((r) => ({ ...r, problem: e instanceof Problem ? e.message : String(e) }));
    }
    done();
  };
  useEffect(() => void begin(dropped), [dropped]);
  useEffect(() => () => stop.current?.abort(), []);

  const running = run && !run.done && !run.problem;
  return (
    <div class="upload">
      <div class={"drop" + (over ? " over" : "")}
        onDragOver={(e) => (e.preventDefault(), setOver(true))} onDragLeave={() => setOver(false)}
        onDrop={(e) => (e.preventDefault(), e.stopPropagation(), setOver(false), begin([...(e.dataTransfer?.files ?? [])]))}>
        <p><b>Drop files here</b> or <button type="button" onClick={() => input.current!.click()}>choose</button></p>
        <p class="muted small">PDF, DOCX, ODT, EPUB, text, Markdown, HTML, Org, reStructuredText, LaTeX, mail, notebooks, source code, CSV, TSV, JSON, JSONL; also as .gz</p>
        <input ref={input} type="file" multiple hidden aria-label="Files to index" onChange={(e) => { void begin([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} />
      </div>
      {run && (
        <div class="run" role="status">
          <p><b>{run.files.length === 1 ? run.files[0].name : plural(run.files.length, "file")}</b> <span class="muted">{bytes(run.files.reduce((n, f) => n + f.size, 0))}</span>
            {running && <button type="button" class="quiet" onClick={() => (stop.current?.abort(), setRun({ ...run, problem: "Stopped. What was counted is stored." }), done())}>Stop</button>}</p>
          {running && <progress max={1} value={run.sent < 1 ? run.sent : undefined} aria-label="sent" />}
          {running && <p class="muted">{run.sent < 1 ? `${Math.round(100 * run.sent)} % sent` : "Indexing"}{run.now ? `, ${plural(run.now.documents ?? 0, "document")} stored` : " …"}</p>}
          {run.done && <p class={run.done.ok ? "good" : "bad"}>
            {plural(run.done.documents ?? 0, "document")} stored from {plural(run.done.files ?? 0, "file")}
            {run.done.skipped ? `, ${plural(run.done.skipped, "entry", "entries")} skipped` : ""}
            {run.done.cut ? `; ${run.done.cut} longer than the encoder reads` : ""}.
            {!run.done.ok && " " + (run.done.error?.detail ?? "It could not be read to its end.")}
          </p>}
          {run.problem && <p class="bad" role="alert">{run.problem}</p>}
          {run.skipped.length > 0 && (
            <details open={run.skipped.length <= 5}>
              <summary>Skipped</summary>
              <ul>{run.skipped.slice(0, listed).map((s, i) => <li key={i}><code>{s.file}{s.line ? ":" + s.line : ""}</code> {s.reason || s.kind}</li>)}</ul>
              {run.skipped.length > listed && <p class="muted">and {run.skipped.length - listed} more</p>}
            </details>
          )}
        </div>
      )}
    </div>
  );
}

function take(r: Run, line: UploadLine): Run {
  if (line.type === "skipped") return { ...r, skipped: [...r.skipped, line] };
  if (line.type === "done") return { ...r, sent: 1, done: line };
  return { ...r, now: line };
}
