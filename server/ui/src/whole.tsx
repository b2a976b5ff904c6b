// The metadata of the explained document, and a button to delete it.
import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "./api";
import { Chips } from "./metadata";
import type { Hit } from "./types";

interface Props {
  hit: Hit;
  collection: string;
  writable: boolean;
  deleted: () => void;
}

export function Whole({ hit, collection, writable, deleted }: Props) {
  const [problem, setProblem] = useState("");
  const [sure, setSure] = useState(false);
  useEffect(() => setSure(false), [hit.id]);
  const remove = () => api.deleteDocument(collection, hit.id).then(deleted, (e) => setProblem(e instanceof Problem ? e.message : String(e)));
  if (!hit.metadata && !writable) return null;
  return (
    <section class="whole">
      <p class="chips"><Chips metadata={hit.metadata} /></p>
      <p class="actions">
        {writable && !sure && <button class="danger" onClick={() => setSure(true)}>Delete …</button>}
        {sure && <><span>Delete it for good?</span><button class="danger" onClick={remove}>Delete</button><button onClick={() => setSure(false)}>Keep</button></>}
      </p>
      {problem && <p class="bad" role="alert">{problem}</p>}
    </section>
  );
}
