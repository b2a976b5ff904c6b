// A document in the list: its title, what was found of every atom, and where.
import { evidenceOf, passagesOf, type Passage } from "./evidence";
import { follow } from "./follow";
import { FoundRow } from "./found";
import { Marked, MarkedFound, type Wanted } from "./marked";
import { Chips } from "./metadata";
import { More } from "./more";
import { Where, whereabouts } from "./place";
import type { Hit } from "./types";
import { foundIn } from "./words";

interface Props {
  hit: Hit;
  wanted: Wanted;
  open: boolean; // it is explained
  link: string;
  choose: () => void;
  like: (negated: boolean) => void;
}

export function Body({ hit, wanted, open, link, choose, like }: Props) {
  const evidence = evidenceOf(hit);
  const passages = passagesOf(hit, evidence);
  const lead = hit.title ? undefined : passages.shift();
  const marked = (text: string) => (hit.words ? <MarkedFound text={text} found={foundIn(hit.words)} /> : <Marked text={text} wanted={wanted} />);
  const shown = passages.filter((p) => p.text !== hit.title);
  const placed = [lead, ...shown].some((p) => p && whereabouts(placeOf(p, hit)));
  const source = hit.id === hit.metadata?.source;
  return (
    <div class="body">
      <h2 class={lead ? "lead" : "title"}>
        <a class="hit" href={link} aria-current={open ? "true" : undefined} onClick={(e) => follow(e, choose)}>{marked(hit.title ?? lead?.text ?? hit.id)}</a>
      </h2>
      {lead && <Caption of={lead} hit={hit} named={shown.length > 0} />}
      <FoundRow evidence={evidence} />
      {shown.map((p) => (
        <div class="passage" key={p.text}>
          <p class="snippet">{marked(p.text)}</p>
          <Caption of={p} hit={hit} named={shown.length > 1 || !!lead} />
        </div>
      ))}
      <div class="foot">
        <p class="chips">
          <Chips metadata={hit.metadata} without={placed || source ? ["source"] : []} />
          {!(placed && source) && <span class="id" title="id">{hit.id}</span>}
        </p>
        <More name={hit.title || hit.id} like={like} />
      </div>
    </div>
  );
}

const placeOf = (p: Passage, hit: Hit) => (p.of.length ? p.of[0].passage?.place : hit.snippet?.place);

// Caption says which atoms a passage has, where there are others, and where it stands.
function Caption({ of, hit, named }: { of: Passage; hit: Hit; named: boolean }) {
  const atoms = named ? of.of.map((e) => e.atom).join(", ") : "";
  const place = placeOf(of, hit);
  return <p class="caption">{atoms && <b>{atoms}</b>}{atoms && whereabouts(place) && " · "}<Where place={place} metadata={hit.metadata} /></p>;
}
