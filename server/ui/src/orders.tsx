// The paper's picture: similarities, of zero order, beside deltas, of first order,
// over the best candidates.
import { useMemo, useState } from "preact/hooks";
import { Legend, Tip, YAxis } from "./chart";
import { number, signed } from "./format";
import { linear } from "./scale";
import { reach, similarities, walk } from "./structure";
import type { Answer, Columns } from "./types";
import { useWidth } from "./width";

interface Props {
  answer: Answer;
  open: string;
  choose: (id: string) => void;
}

interface Series {
  name: string;
  colour: number;
  values: number[];
}

const margin = { top: 12, right: 10, bottom: 34, left: 44 };
const most = 6; // series in one panel, one for each colour in style/chart.css
const height = 300;

export function Orders({ answer, open, choose }: Props) {
  const columns = answer.columns;
  if (!columns) return <p class="empty" aria-busy="true">Reading the similarities …</p>;
  if (!columns.ids.length) return <p class="empty">There are no candidates.</p>;
  return <Panels answer={answer} columns={columns} open={open} choose={choose} />;
}

function Panels({ answer, columns, open, choose }: Props & { columns: Columns }) {
  const [pointed, setOver] = useState(-1);
  const n = Math.min(columns.ids.length, Math.max(reach(answer), 30));
  const over = pointed < n ? pointed : -1; // another search may have fewer
  const { zero, first } = useMemo(() => series(answer, columns, n), [answer, n]);
  const at = over >= 0 ? over : columns.ids.slice(0, n).indexOf(open);
  const shared = { n, at, over, setOver, shown: reach(answer), columns, choose };
  return (
    <div class="orders">
      <Panel {...shared} title="Zero order: similarities" list={zero} form="lines" show={number} />
      <Panel {...shared} title="First order: deltas" list={first} form="bars" show={signed} />
      <p class="muted small">The best {n} candidates by rank. A similarity is how much of a term is in a document; a delta is what the term adds to the others: below 0 it is missing.</p>
    </div>
  );
}

// series are the atoms and their fusions, and the deltas between them.
function series(answer: Answer, columns: Columns, n: number): { zero: Series[]; first: Series[] } {
  const first = new Map<string, Series & { of: string }>();
  const names = new Set(Object.keys(answer.hits[0]?.scores ?? {}));
  const values = similarities(columns);
  walk(answer.hits[0]?.explanation, (x) => x.deltas?.forEach((d) => {
    const fused = values.get(d.fused), given = values.get(d.given);
    if (!fused || !given) return;
    names.add(d.fused);
    const name = `Δ ${d.of} | ${d.given}`;
    first.set(name, { name, of: d.of, colour: first.size, values: fused.slice(0, n).map((v, i) => v - given[i]) });
  }));
  const zero = columns.formulas.filter((f) => names.has(f)).slice(0, most)
    .map((name, colour) => ({ name, colour, values: values.get(name)!.slice(0, n) }));
  const deltas = [...first.values()].slice(0, most);
  // A delta has the colour of its atom, where each has another one.
  const own = deltas.map((d) => zero.findIndex((s) => s.name === d.of));
  if (new Set(own).size === own.length && !own.includes(-1)) deltas.forEach((d, i) => (d.colour = own[i]));
  return { zero, first: deltas };
}

interface PanelProps {
  title: string;
  list: Series[];
  form: "lines" | "bars";
  show: (v: number) => string;
  n: number;
  at: number;
  over: number;
  setOver: (i: number) => void;
  shown: number;
  columns: Columns;
  choose: (id: string) => void;
}

function Panel({ title, list, form, show, n, at, over, setOver, shown, columns, choose }: PanelProps) {
  const [holder, width] = useWidth();
  const all = list.flatMap((s) => s.values);
  const y = linear(Math.min(0, ...all), Math.max(0.05, ...all), [height - margin.bottom, margin.top]);
  const inner = width - margin.left - margin.right;
  const step = inner / n;
  const x = (i: number) => margin.left + (i + 0.5) * step;
  const path = (values: number[]) => "M" + values.map((v, i) => `${x(i)},${y(v)}`).join("L");
  const index = (e: MouseEvent) => {
    const i = Math.floor((e.clientX - (e.currentTarget as Element).getBoundingClientRect().left - margin.left) / step);
    return i >= 0 && i < n ? i : -1;
  };
  const key = (e: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (by) (e.preventDefault(), setOver(Math.max(0, Math.min(n - 1, (at < 0 ? -by : at) + by))));
    else if (e.key === "Enter" && at >= 0) (e.preventDefault(), choose(columns.ids[at]));
  };
  const thick = Math.max(1, (step * 0.8) / Math.max(1, list.length));
  const every = Math.max(1, Math.ceil(24 / step));
  return (
    <figure class="chart">
      <h3>{title}</h3>
      <div class="holder" ref={holder}>
        {list.length === 0 ? <p class="empty">This formula has none.</p> : (
          <svg width={width} height={height} role="img" tabindex={0} onKeyDown={key}
            aria-label={`${title} of the best ${n} candidates. Left and right go through them, Enter explains one.`}
            onMouseMove={(e) => setOver(index(e))} onMouseLeave={() => setOver(-1)}
            onClick={(e) => { const i = index(e); if (i >= 0) choose(columns.ids[i]); }}>
            <rect class="shown" x={margin.left} y={margin.top} width={Math.min(shown, n) * step} height={height - margin.top - margin.bottom} />
            {at >= 0 && <rect class="cursor" x={margin.left + at * step} y={margin.top} width={step} height={height - margin.top - margin.bottom} />}
            <YAxis scale={y} x={margin.left} grid={width - margin.right} />
            {form === "lines" && list.map((s) => (
              <g key={s.name} class={"series c" + s.colour}>
                <path d={path(s.values) ?? ""} />
                {s.values.map((v, i) => <circle key={i} cx={x(i)} cy={y(v)} r={2.4} />)}
              </g>
            ))}
            {form === "bars" && list.map((s, k) => (
              <g key={s.name} class={"series c" + s.colour}>
                {s.values.map((v, i) => (
                  <rect key={i} x={x(i) - (thick * list.length) / 2 + k * thick} width={thick} y={Math.min(y(0), y(v))} height={Math.max(0.5, Math.abs(y(v) - y(0)))} />
                ))}
              </g>
            ))}
            <line class="zero" x1={margin.left} x2={width - margin.right} y1={y(0)} y2={y(0)} />
            <g class="axis" aria-hidden="true">
              {[...Array(n).keys()].filter((i) => i === 0 || (i + 1) % every === 0).map((i) => <text key={i} x={x(i)} y={height - 16} text-anchor="middle">{i + 1}</text>)}
              <text class="name" x={width - margin.right} y={height - 2} text-anchor="end">rank →</text>
            </g>
          </svg>
        )}
        {over >= 0 && list.length > 0 && (
          <Tip at={[x(over), margin.top + 8]} width={width}>
            <b>{over + 1}. {columns.titles[over] || columns.ids[over]}</b>
            {list.map((s) => <span key={s.name}><i class={"key c" + s.colour} /> {s.name} <span class="number">{show(s.values[over])}</span></span>)}
          </Tip>
        )}
      </div>
      <Legend items={list.map((s) => ({ mark: <i class={"key c" + s.colour} />, text: s.name }))} />
    </figure>
  );
}
