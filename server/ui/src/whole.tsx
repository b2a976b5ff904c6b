// The document that is explained: what is known of it, reading it, deleting it.
import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { Chips } from "./metadata";
import type { Hit } from "./types";

interface Props {
  hit: Hit;
  collection: string;
  writable: boolean;
  read: () => void;
  deleted: () => void;
}

export function Whole({ hit, collection, writable, read, deleted }: Props) {
  const [problem, setProblem] = useState("");
  const [sure, setSure] = useState(false);
  useEffect(() => setSure(false), [hit.id]);
  const remove = () => api.deleteDocument(collection, hit.id).then(deleted, (e) => setProblem(e instanceof Problem ? e.message : String(e)));
  return (
    <section class="whole">
      <h3>Document</h3>
      <p class="chips"><Chips metadata={hit.metadata} /></p>
      <p class="actions">
        <button onClick={read}>Read the document</button>
        {writable && !sure && <button class="danger" onClick={() => setSure(true)}>Delete …</button>}
        {sure && <><span>Delete it for good?</span><button class="danger" onClick={remove}>Delete</button><button onClick={() => setSure(false)}>Keep</button></>}
      </p>
      {problem && <p class="bad" role="alert">{problem}</p>}
    </section>
  );
}
