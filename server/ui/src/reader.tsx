// The whole document, opened at the passage that matched.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, apiKey, Problem } from "./api";
import { Dialog } from "./dialog";
import { whereabouts } from "./place";
import type { Hit, Place, Snippet, StoredDocument } from "./types";

interface Props {
  hit: Hit;
  at?: Snippet; // the passage to begin with
  marked: (text: string) => ComponentChildren;
  collection: string;
  files: boolean; // original files can be read
  close: () => void;
}

export function Reader({ hit, at, marked, collection, files, close }: Props) {
  const [doc, setDoc] = useState<StoredDocument>();
  const [problem, setProblem] = useState("");
  const here = useRef<HTMLElement>(null);
  useEffect(() => void api.document(collection, hit.id).then(setDoc, (e) => setProblem(e instanceof Problem ? e.message : String(e))), []);
  useEffect(() => {
    here.current?.focus({ preventScroll: true });
    here.current?.scrollIntoView({ block: "center" });
  }, [doc]);
  const passages = doc?.passages?.length ? doc.passages : [doc?.text ?? ""];
  const begin = at?.text.slice(0, 200);
  const found = begin ? passages.findIndex((p) => p.startsWith(begin)) : -1;
  const source = Object.values(hit.metadata ?? {}).find((v): v is string => typeof v === "string" && /^https?:\/\//.test(v));
  return (
    <Dialog title={hit.title || hit.id} close={close} wide>
      <div class="reader">
        <p class="actions">
          {files && hit.metadata?.source && <Original id={hit.id} collection={collection} page={at?.place?.page} failed={setProblem} />}
          {source && <a href={source} target="_blank" rel="noopener noreferrer">Open the original</a>}
          {doc && <button class="quiet" onClick={() => save(hit.id, doc.text || passages.join("\n\n"))}>Download the text</button>}
          <span class="muted small">{hit.id}</span>
        </p>
        {problem && <p class="bad" role="alert">{problem}</p>}
        {!doc && !problem && <p class="empty" role="status">Loading …</p>}
        {doc && passages.map((p, i) => {
          const place = doc.places?.[i], before = doc.places?.[i - 1];
          if (p === doc.title) return null;
          return (
            <section key={i} ref={i === found ? here : undefined} tabIndex={i === found ? -1 : undefined} class={i === found ? "here" : ""} aria-label={i === found ? "Matching passage" : undefined}>
              {place?.page && place.page !== before?.page && <p class="page">{whereabouts({ page: place.page })}</p>}
              {blocks(p, place, before).map((b, j) => (b.heading ? <h3 key={j}>{b.text}</h3> : <p key={j} class={/\n[ \t]/.test(b.text) ? "code" : ""}>{marked(b.text)}</p>))}
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}

// Original opens the file of a document, a PDF file at the page. A link cannot send a key: with
// one, the file is downloaded.
function Original({ id, collection, page, failed }: { id: string; collection: string; page?: number; failed: (why: string) => void }) {
  const path = api.filePath(collection, id);
  if (!apiKey.get()) return <a href={path + (page ? `#page=${page}` : "")} target="_blank" rel="noopener noreferrer">Open the original file</a>;
  const download = () => api.file(path).then((content) => saveAs(id.split("/").pop()!, content), (e) => failed(e instanceof Problem ? e.message : String(e)));
  return <button class="quiet" onClick={download}>Download the original file</button>;
}

// blocks splits a passage into paragraphs and headings. A heading stands above the first
// passage under it, unless the passage has it already.
export function blocks(text: string, place?: Place, before?: Place): { text: string; heading: boolean }[] {
  const heading = place?.heading?.split(" › ").pop();
  const all = text.split(/\n{2,}/).filter((t) => t.trim()).map((t) => ({ text: t, heading: t === heading || /^[A-Z][A-Z ,/&-]{2,60}$/.test(t) }));
  const missing = heading && place!.heading !== before?.heading && !all.some((b) => b.text === heading);
  return missing ? [{ text: heading, heading: true }, ...all] : all;
}

// save downloads a text as a file.
const save = (name: string, text: string) => saveAs(name.replace(/(\.txt)?$/, ".txt"), new Blob([text], { type: "text/plain" }));

function saveAs(name: string, content: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "_");
  link.click();
  URL.revokeObjectURL(link.href);
}
