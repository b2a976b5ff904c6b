// The document itself, read when it is wanted.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { Chips } from "./metadata";
import { Where } from "./place";
import type { Hit, StoredDocument } from "./types";

interface Props {
  hit: Hit;
  marked: (text: string) => ComponentChildren;
  collection: string;
  writable: boolean;
  deleted: () => void;
}

export function Whole({ hit, marked, collection, writable, deleted }: Props) {
  const [doc, setDoc] = useState<StoredDocument>();
  const [problem, setProblem] = useState("");
  const [sure, setSure] = useState(false);
  useEffect(() => setSure(false), [hit.id]);
  const told = (e: unknown) => setProblem(e instanceof Problem ? e.message : String(e));
  const load = () => api.document(collection, hit.id).then(setDoc, told);
  const remove = () => api.deleteDocument(collection, hit.id).then(deleted, told);
  const passages = doc?.passages?.length ? doc.passages : doc?.text ? [doc.text] : [];
  return (
    <section class="whole">
      <h3>Document</h3>
      {passages.map((p, i) => <p key={i}>{marked(p)}<Where place={doc?.places?.[i]} /></p>)}
      <p class="chips"><Chips metadata={doc?.metadata ?? hit.metadata} /></p>
      <p class="actions">
        {!doc && <button onClick={load}>Whole document</button>}
        {writable && !sure && <button class="danger" onClick={() => setSure(true)}>Delete …</button>}
        {sure && <><span>Delete it for good?</span><button class="danger" onClick={remove}>Delete</button><button onClick={() => setSure(false)}>Keep</button></>}
      </p>
      {problem && <p class="bad" role="alert">{problem}</p>}
    </section>
  );
}
