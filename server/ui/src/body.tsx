// A document in the list: its title, a snippet, and the evidence for every atom.
import { evidenceOf, snippetOf } from "./evidence";
import { follow } from "./follow";
import { FoundRow } from "./found";
import { Marked, MarkedFound, type Wanted } from "./marked";
import { Chips, fileFields } from "./metadata";
import { More } from "./more";
import { Where } from "./place";
import type { Hit } from "./types";
import { foundIn } from "./words";

interface Props {
  hit: Hit;
  wanted: Wanted;
  open: boolean; // it is explained
  study: boolean; // with its id
  same: string[]; // fields that have one value in all results
  link: string;
  aside: preact.ComponentChildren; // beside the title
  choose: () => void;
  like: (negated: boolean) => void;
}

export function Body({ hit, wanted, open, study, same, link, aside, choose, like }: Props) {
  const evidence = evidenceOf(hit);
  const snippet = snippetOf(hit, evidence);
  const marked = (text: string) => (hit.words ? <MarkedFound text={text} found={foundIn(hit.words)} /> : <Marked text={text} wanted={wanted} />);
  return (
    <div class="body">
      <div class="headline">
        <h2 class={hit.title ? "title" : "lead"}>
          <a class="hit" href={link} aria-current={open ? "true" : undefined} onClick={(e) => follow(e, choose)}>{marked(hit.title || snippet.text || hit.id)}</a>
        </h2>
        {aside}
      </div>
      {hit.title && snippet.text && snippet.text !== hit.title && <p class="snippet">{marked(snippet.text)}</p>}
      <div class="foot">
        <FoundRow evidence={evidence} />
        <p class="chips">
          <Where place={snippet.from?.place} metadata={hit.metadata} />
          <Chips metadata={hit.metadata} most={4} without={typeof hit.metadata?.source === "string" ? [...fileFields, ...same] : same} />
          {study && <span class="id" title="id">{hit.id}</span>}
        </p>
        <More name={hit.title || hit.id} like={like} />
      </div>
    </div>
  );
}
