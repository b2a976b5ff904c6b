// Facets: the values of the documents' fields, to narrow the results by.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "./api";
import { count } from "./format";
import { written } from "./outline";
import type { Answer, Bucket, Facet, Field } from "./types";
import type { State } from "./url";

interface Props {
  state: State;
  answer: Answer;
  fields: string[]; // to count the values of
  beside: boolean; // in a column next to the results
  change: (query: string) => void;
}

// Narrow shows the facets next to the results, or in a menu.
export function Narrow(p: Props) {
  return p.beside ? <div class="narrow"><Facets {...p} /></div> : <Menu {...p} />;
}

function Menu(p: Props) {
  const [open, setOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (e: Event) => !menu.current!.contains(e.target as Node) && setOpen(false);
    addEventListener("pointerdown", outside);
    addEventListener("focusin", outside);
    return () => (removeEventListener("pointerdown", outside), removeEventListener("focusin", outside));
  }, [open]);
  return (
    <details class="narrow menu" ref={menu} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}
      onKeyDown={(e) => e.key === "Escape" && open && (e.preventDefault(), setOpen(false), menu.current!.querySelector("summary")!.focus())}>
      <summary>Narrow</summary>
      {open && <Facets {...p} />}
    </details>
  );
}

function Facets({ state, answer, fields, change }: Props) {
  const facets = useFacets(state, answer, fields);
  const held = new Set(answer.filter?.split(" AND "));
  const isUsed = (f: Facet) => [...held].some((c) => c.startsWith(f.field + ":"));
  const shown = facets?.filter((f) => isUsed(f) || divides(f, answer.ranked)).slice(0, mostShown);
  const click = (b: Bucket) => void toggled(state.query, state.nl, b.query!, isHeld(b, held)).then(change, () => {});
  if (!answer.ranked && !held.size) return null;
  return (
    <section class="facets" aria-labelledby="narrow">
      <h2 id="narrow">Narrow by</h2>
      {shown?.map((f) => (
        <div key={f.field}>
          <h3>{f.field}</h3>
          <ul>
            {apart(f, held).map((b) => <li key={b.query}><Value of={b} held click={() => click(b)} /></li>)}
            {f.buckets.map((b) => <li key={named(b)}><Value of={b} held={isHeld(b, held)} click={() => click(b)} /></li>)}
          </ul>
          {!!f.others && <p class="muted small">and {count(f.others)} more</p>}
        </div>
      ))}
      {shown?.length === 0 && answer.ranked > 0 && <p class="muted small">These documents share no values to narrow by.</p>}
    </section>
  );
}

function Value({ of, held, click }: { of: Bucket; held: boolean; click: () => void }) {
  const title = held ? `Click to remove ${of.query}` : `${of.query}: ${count(of.count)} documents, ${of.found} of the results shown`;
  return (
    <button type="button" class="value" aria-pressed={held} disabled={!of.query} title={title} onClick={click}>
      <span>{held && "✓ "}{named(of)}</span> <span class="number">{count(of.count)}</span>
    </button>
  );
}

const named = (b: Bucket) => (b.from === undefined ? b.value ?? "" : `${b.from} to ${b.to}`);

const isHeld = (b: Bucket, held: Set<string>) => !!b.query && b.query.split(" AND ").every((c) => held.has(c));

// apart returns a condition of the query that is none of the buckets, such as a range that is
// divided further.
function apart(f: Facet, held: Set<string>): Bucket[] {
  const own = [...held].filter((c) => c.startsWith(f.field + ":"));
  if (!own.length || f.buckets.some((b) => isHeld(b, held))) return [];
  const documents = f.buckets.reduce((n, b) => n + b.count, 0);
  return [{ value: own.map((c) => c.slice(f.field.length + 1)).join(" "), query: own.join(" AND "), count: documents, found: 0 }];
}

// toggled adds a condition to a query, or removes it.
export async function toggled(query: string, nl: string, condition: string, held: boolean): Promise<string> {
  const [now, more] = await Promise.all([api.parse(query, nl, ""), api.parse(condition, "off", "")]);
  if (!now.parts) {
    const formula = now.reading?.formula ?? query, end = ` AND ${condition}`;
    return held && formula.endsWith(end) ? formula.slice(0, -end.length).replace(/^\((.*)\)$/s, "$1") : held ? formula : `(${formula})${end}`;
  }
  const texts = new Set(more.parts?.map((p) => p.text));
  const without = now.parts.filter((p) => !texts.has(p.text) || p.negated);
  return written(held ? without : [...without, ...(more.parts ?? [])]);
}

const most = 8; // fields that are counted
const mostShown = 5; // fields that are shown at most

// worthCounting returns the fields whose values documents may share, without those of a few documents.
export const worthCounting = (fields: Field[]) =>
  fields.filter((f) => f.documents > 1 && f.documents * 50 >= Math.max(...fields.map((g) => g.documents)) && f.name !== "source").sort((a, b) => b.documents - a.documents).slice(0, most).map((f) => f.name);

// useFields returns the fields of a collection to narrow its results by.
export function useFields(collection: string, documents?: number): string[] {
  const [fields, setFields] = useState<{ of: string; names: string[] }>();
  useEffect(() => {
    if (!collection || !documents) return;
    let gone = false;
    api.fields(collection).then((all) => !gone && setFields({ of: collection, names: worthCounting(all) }), () => {}); // a person can do without
    return () => void (gone = true);
  }, [collection, documents]);
  return fields?.of === collection ? fields.names : [];
}

// isShared reports whether documents share values, unlike names. Of many values, such as folders,
// those shown have at least five documents each on average.
export const isShared = (f: Facet) =>
  f.buckets.some((b) => b.count > 1) && ((f.others ?? 0) <= 3 * f.buckets.length || f.buckets.reduce((n, b) => n + b.count, 0) >= 5 * f.buckets.length);

// divides reports whether a facet narrows the results: not all of them have its only value.
const divides = (f: Facet, ranked: number) => f.buckets.length > 1 || !!f.others || f.buckets[0].count < ranked;

function useFacets(s: State, answer: Answer, fields: string[]): Facet[] | undefined {
  const [facets, setFacets] = useState<Facet[]>();
  useEffect(() => {
    const stop = new AbortController();
    const show = (all: Facet[]) => setFacets(all.filter(isShared));
    api.facets(s.collection, s.query, s.nl, fields, stop.signal).then(show, () => {});
    return () => stop.abort();
  }, [s.collection, answer.formula, answer.filter, fields.join("\n")]);
  return facets;
}
