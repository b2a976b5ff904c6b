// Files on their way into collections. They go on while other things are looked at.
import { useRef, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { bytes } from "./format";
import type { UploadLine } from "./types";

// Sent is a file of an upload.
export interface Sent {
  name: string; // unique among the files
  file: File;
  sent: number; // bytes
  documents: number;
  read: boolean; // to its end
  reasons: string[]; // why it, or some of it, was skipped
  skipped: number;
}

export interface Run {
  id: number;
  collection: string;
  files: Sent[];
  done?: UploadLine;
  problem?: string;
}

export interface Uploads {
  runs: Run[];
  add: (collection: string, files: File[]) => void;
  end: (run: Run) => void; // stops one that goes on, forgets one that is done
}

export const isOver = (r: Run) => !!r.done || r.problem !== undefined;

const shownReasons = 5; // of a file

// useUploads sends the files of a drop as one form, in which the server distinguishes files
// of the same name.
export function useUploads(most: number, changed: () => void): Uploads {
  const [runs, setRuns] = useState<Run[]>([]);
  const stops = useRef(new Map<number, AbortController>());
  const last = useRef(0);
  const update = (id: number, change: (r: Run) => Run) => setRuns((all) => all.map((r) => (r.id === id && !isOver(r) ? change(r) : r)));

  const add = async (collection: string, chosen: File[]) => {
    const id = ++last.current;
    const stop = new AbortController();
    stops.current.set(id, stop);
    const files = named(chosen).map((f) => (f.file.size > most ? { ...f, reasons: [`it has ${bytes(f.file.size)}, and the server takes ${bytes(most)} at most`], skipped: 1, read: true } : f));
    setRuns((all) => [...all, { id, collection, files }]);
    const fit = files.filter((f) => !f.read);
    try {
      if (fit.length) {
        await api.upload(collection, fit, (n) => update(id, (r) => ({ ...r, files: spread(r.files, n) })), (line) => update(id, (r) => take(r, line)), stop.signal);
      }
      // Without its last line an answer was interrupted.
      update(id, (r) => ({ ...r, problem: fit.length ? "The answer ended early. What was counted is stored." : "" }));
    } catch (e) {
      update(id, (r) => ({ ...r, problem: stop.signal.aborted ? "Stopped. What was counted is stored." : e instanceof Problem ? e.message : String(e) }));
    }
    changed();
  };
  const end = (run: Run) => (isOver(run) ? setRuns((all) => all.filter((r) => r.id !== run.id)) : stops.current.get(run.id)?.abort());
  return { runs, add, end };
}

// named gives each file a name of its own: of two that are called the same, the second has
// its folder before it, or a number.
export function named(files: File[]): Sent[] {
  const taken = new Set<string>();
  return files.map((file) => {
    let name = file.name;
    if (taken.has(name) && file.webkitRelativePath) name = file.webkitRelativePath.replaceAll("/", "-");
    for (let i = 2; taken.has(name); i++) name = `${i}-${file.name}`;
    taken.add(name);
    return { name, file, sent: 0, documents: 0, read: false, reasons: [], skipped: 0 };
  });
}

// spread divides the bytes sent among the files.
function spread(files: Sent[], bytes: number): Sent[] {
  return files.map((f) => {
    if (f.read) return f;
    const sent = Math.max(0, Math.min(f.file.size, bytes));
    bytes -= f.file.size;
    return { ...f, sent };
  });
}

// take records a line of the answer, which counts all files so far.
export function take(r: Run, line: UploadLine): Run {
  if (line.type === "done") return { ...r, done: line, files: r.files.map((f) => (line.ok ? { ...f, sent: f.file.size, read: true } : f)) };
  const at = r.files.findIndex((f) => f.name === line.file);
  if (at < 0) return r;
  const before = r.files.reduce((n, f, i) => (i === at ? n : n + f.documents), 0);
  return { ...r, files: r.files.map((f, i) => {
    if (i !== at) return i < at ? { ...f, read: true } : f;
    if (line.type === "progress") return { ...f, sent: f.file.size, documents: (line.documents ?? 0) - before };
    const reason = (line.line ? `line ${line.line}: ` : "") + (line.reason || line.kind || "skipped");
    return { ...f, skipped: f.skipped + 1, reasons: f.reasons.length < shownReasons ? [...f.reasons, reason] : f.reasons };
  }) };
}
