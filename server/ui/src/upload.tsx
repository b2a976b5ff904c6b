// Uploads as a person sees them, file by file.
import { useRef } from "preact/hooks";
import { bytes, count, plural, sentence } from "./format";
import { isOver, type Run, type Sent, type Uploads } from "./uploads";
import type { Collection, Rights } from "./types";

// refusal says why files cannot be added to a collection, or nothing.
export function refusal(c: Collection | undefined, rights: Rights | undefined): string {
  if (!c) return "Choose or make a collection first.";
  if (rights?.role === "read") return "Adding files needs a key of the role write; yours has the role read.";
  if (c.read_only) return `${c.name} can only be read here. Make a collection of your own to index files.`;
  if (c.quota?.documents && c.documents >= c.quota.documents) return `${c.name} is full: its quota is ${plural(c.quota.documents, "document")}.`;
  if (c.quota?.bytes && c.space >= c.quota.bytes) return `${c.name} is full: its quota is ${bytes(c.quota.bytes)}.`;
  return "";
}

export function Choose({ add }: { add: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="drop">
      <p><b>Drop files or folders</b> anywhere on the page, or <button type="button" onClick={() => input.current!.click()}>choose</button></p>
      <p class="muted small">PDF, DOCX, ODT, EPUB, text, Markdown, HTML, Org, reStructuredText, LaTeX, mail, references (RIS, PubMed, BibTeX), notebooks, source code, CSV, TSV, JSON, JSONL; also as .gz</p>
      <input ref={input} type="file" multiple hidden aria-label="Files to index" onChange={(e) => { add([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} />
    </div>
  );
}

export function UploadList({ uploads }: { uploads: Uploads }) {
  return <>{[...uploads.runs].reverse().map((r) => <Progress key={r.id} run={r} end={() => uploads.end(r)} />)}</>;
}

const listed = 100; // files that are shown

function Progress({ run, end }: { run: Run; end: () => void }) {
  const over = isOver(run);
  const stored = run.files.reduce((n, f) => n + f.documents, 0);
  return (
    <section class="run" aria-label={`Files into ${run.collection}`}>
      <p role="status"><b>{plural(run.files.length, "file")} into {run.collection}</b> <span class={run.done?.ok ? "good" : "muted"}>{plural(stored, "document")} stored</span>
        <button type="button" class="quiet" onClick={end}>{over ? "Close" : "Stop"}</button></p>
      {run.done?.cut ? <p class="muted">{plural(run.done.cut, "document")} longer than the encoder reads.</p> : null}
      {run.problem && <p class="bad" role="alert">{sentence(run.problem)}</p>}
      {run.done && !run.done.ok && <p class="bad" role="alert">{sentence(run.done.error?.detail ?? "it could not be read to its end")}</p>}
      <ul>
        {run.files.slice(0, listed).map((f) => (
          <li key={f.name}>
            <span class="name">{f.name}</span> <span class="muted">{state(f, over)}</span>
            {!over && !f.read && <progress max={f.file.size || 1} value={f.sent < f.file.size ? f.sent : undefined} aria-label={`${f.name}, sent`} />}
            {f.reasons.map((r) => <span class="bad" key={r}>{sentence(r)}</span>)}
            {f.skipped > f.reasons.length && <span class="muted">and {count(f.skipped - f.reasons.length)} more</span>}
          </li>
        ))}
      </ul>
      {run.files.length > listed && <p class="muted">and {count(run.files.length - listed)} more</p>}
    </section>
  );
}

function state(f: Sent, over: boolean): string {
  if (f.documents) return `${plural(f.documents, "document")} stored`;
  if (f.read || over) return f.skipped ? "nothing stored" : f.read ? "nothing in it" : "not sent";
  if (!f.sent) return "waits";
  return f.sent < f.file.size ? `${bytes(f.sent)} of ${bytes(f.file.size)} sent` : "is read …";
}
