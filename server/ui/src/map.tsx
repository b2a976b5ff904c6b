// The candidates in a plane: similarity to one term against that to another.
import { useMemo, useState } from "preact/hooks";
import { Legend, Tip, XAxis, YAxis } from "./chart";
import { number, signed } from "./format";
import { median, region, type Point } from "./plane";
import { linear } from "./scale";
import { axes, fires, floors, reach, similarities } from "./structure";
import type { Answer, Columns, Logic } from "./types";
import { useWidth } from "./width";

interface Props {
  answer: Answer;
  logic: Logic;
  open: string;
  x: string;
  y: string;
  setAxes: (x: string, y: string) => void;
  choose: (id: string) => void;
}

const margin = { top: 12, right: 14, bottom: 44, left: 52 };
export const steps = 7; // classes of colour, as in style/chart.css

export function Plane(p: Props) {
  const columns = p.answer.columns;
  if (!columns) return <p class="empty" aria-busy="true">Reading the similarities …</p>;
  if (columns.formulas.length < 2 || !columns.ids.length) return <p class="empty">A plane needs a formula of two terms or more.</p>;
  return <Chart {...p} columns={columns} />;
}

function Chart({ answer, logic, open, x, y, setAxes, choose, columns }: Props & { columns: Columns }) {
  const [holder, width] = useWidth();
  const [pointed, setOver] = useState(-1);
  const over = pointed < columns.ids.length ? pointed : -1; // another search may have fewer
  const height = Math.round(Math.max(300, Math.min(560, width * 0.72)));
  const known = columns.formulas;
  const [fx, fy] = axes(known, x, y);
  const values = useMemo(() => similarities(columns), [columns]);
  const chart = useMemo(() => {
    const xs = values.get(fx)!, ys = values.get(fy)!;
    const sx = linear(...span(xs), [margin.left, width - margin.right]);
    const sy = linear(...span(ys), [height - margin.bottom, margin.top]);
    const points = xs.map((v, i): Point => [sx(v), sy(ys[i])]);
    return { xs, ys, sx, sy, points };
  }, [values, fx, fy, width, height]);
  const { xs, ys, sx, sy, points } = chart;
  const colour = useMemo(() => {
    const low = Math.min(...columns.scores), high = Math.max(...columns.scores);
    return (v: number) => (high > low ? Math.min(steps - 1, Math.floor((steps * (v - low)) / (high - low))) : steps - 1);
  }, [columns.scores]);
  const all = useMemo(() => floors(answer.hits[0]?.explanation, known).filter((f) => logic.floors[f.kind]), [answer, logic.floors]);
  const value = (i: number) => (term: string) => values.get(term)![i];
  const fired = useMemo(() => columns.ids.map((_, i) => all.some((f) => fires(f, value(i)))), [all, columns]);

  const middle = useMemo(() => new Map(known.map((f) => [f, median(values.get(f)!)])), [columns]);
  const chosen = over >= 0 ? over : columns.ids.indexOf(open);
  const other = chosen >= 0 ? value(chosen) : (term: string) => middle.get(term)!;
  const [x0, x1] = sx.domain, [y0, y1] = sy.domain;
  const regions = all.flatMap((f) => {
    const shape = region(f, fx, fy, other, [x0, y0], [x1, y1]);
    return shape ? [{ f, corners: shape.map(([a, b]): Point => [sx(a), sy(b)]) }] : [];
  });
  const diagonal: Point = [Math.max(x0, y0), Math.min(x1, y1)];
  const nearest = (e: MouseEvent) => {
    const box = (e.currentTarget as Element).getBoundingClientRect();
    const at: Point = [e.clientX - box.left, e.clientY - box.top];
    const far = points.map((p) => Math.hypot(p[0] - at[0], p[1] - at[1])), least = Math.min(...far);
    return least < 24 ? far.indexOf(least) : -1;
  };
  const key = (e: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (by) (e.preventDefault(), setOver(Math.max(0, Math.min(columns.ids.length - 1, (chosen < 0 ? -by : chosen) + by))));
    else if (e.key === "Enter" && chosen >= 0) (e.preventDefault(), choose(columns.ids[chosen]));
  };
  const shown = reach(answer);
  const count = fired.filter(Boolean).length;
  const select = (name: string, now: string, set: (f: string) => void) => (
    <label>{name} <select value={now} onChange={(e) => set(e.currentTarget.value)}>{known.map((f) => <option key={f}>{f}</option>)}</select></label>
  );
  return (
    <figure class="chart map">
      <div class="axes">{select("Across", fx, (f) => setAxes(f, f === fy ? fx : fy))}{select("Up", fy, (f) => setAxes(f === fx ? fy : fx, f))}</div>
      <div class="holder" ref={holder}>
        <svg width={width} height={height} tabindex={0} role="img" onKeyDown={key}
          aria-label={`${columns.ids.length} candidates by similarity to ${fx} and to ${fy}. Arrow keys go through them by rank, Enter explains one.`}
          onMouseMove={(e) => setOver(nearest(e))} onMouseLeave={() => setOver(-1)}
          onClick={(e) => { const i = nearest(e); if (i >= 0) choose(columns.ids[i]); }}>
          {regions.map(({ f, corners }) => <Region key={f.kind + f.condition} kind={f.kind} name={f.name} corners={corners} />)}
          {diagonal[1] > diagonal[0] && (
            <line class="diagonal" x1={sx(diagonal[0])} y1={sy(diagonal[0])} x2={sx(diagonal[1])} y2={sy(diagonal[1])} />
          )}
          <XAxis scale={sx} y={height - margin.bottom} label={`S(${fx})`} />
          <YAxis scale={sy} x={margin.left} label={`S(${fy})`} />
          <Dots points={points} scores={columns.scores} colour={colour} fired={fired} shown={shown} />
          {points.slice(0, Math.min(shown, 10)).map(([a, b], i) => <text key={i} class="label" x={a + 7} y={b - 6}>{i + 1}</text>)}
          {chosen >= 0 && <circle class="chosen" cx={points[chosen][0]} cy={points[chosen][1]} r={9} />}
        </svg>
        {over >= 0 && (
          <Tip at={points[over]} width={width}>
            <b>{columns.titles[over] || columns.ids[over]}</b>
            <span>rank {over + 1} · score {number(columns.scores[over])}</span>
            {columns.words && <span>{number(columns.scores[over] - columns.words[over])} vectors {signed(columns.words[over])} words</span>}
            <span>{fx} {number(xs[over])} · {fy} {number(ys[over])}</span>
            {fired[over] && <span class="fired">a noise floor fired</span>}
          </Tip>
        )}
      </div>
      <figcaption>
        <Legend items={[
          { mark: <i class="ramp">{[...Array(steps).keys()].map((s) => <i key={s} class={"s" + s} />)}</i>, text: columns.words ? "score of vectors and words, low to high" : "score, low to high" },
          { mark: <i class="dot big" />, text: `the ${shown} shown` },
          { mark: <i class="dot ring" />, text: `a noise floor fired (${count})` },
          { mark: <i class="dash" />, text: relation(answer, fx, fy) },
          ...regions.map(({ f }) => ({ mark: <i class={"patch " + f.kind} />, text: `${f.name}: ${f.condition}` })),
        ]} />
        {regions.length > 0 && <p class="muted small">Regions are drawn {chosen >= 0 ? "for the document under the pointer or chosen" : "for the median document"}: the terms that are not on the axes have its similarities.</p>}
      </figcaption>
    </figure>
  );
}

function span(values: number[]): [number, number] {
  const low = Math.min(...values), high = Math.max(...values);
  return high > low ? [low, high] : [low - 0.1, low + 0.1];
}

// relation describes the two sides of the line of equal similarity.
function relation(answer: Answer, x: string, y: string): string {
  let words = `above the line ${y} matches better, below it ${x}`;
  for (const h of answer.hits.slice(0, 1)) {
    for (const d of h.explanation?.deltas ?? []) {
      if (d.fused === y && d.given === x) words = `above the line Δ of ${d.of} is positive, below it negative`;
      if (d.fused === x && d.given === y) words = `below the line Δ of ${d.of} is positive, above it negative`;
    }
  }
  return words;
}

function Region({ kind, name, corners }: { kind: string; name: string; corners: Point[] }) {
  const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
  const room = Math.max(...xs) - Math.min(...xs) > 90 && Math.max(...ys) - Math.min(...ys) > 30;
  // The corner that is farthest up and to the right is in every shape.
  const [x, y] = corners.reduce((a, b) => (b[0] - b[1] > a[0] - a[1] ? b : a));
  return (
    <g class={"region " + kind}>
      <path d={"M" + corners.join("L") + "Z"} />
      {room && kind !== "and" && <text x={x - 8} y={y + 17} text-anchor="end">{name}</text>}
      {room && kind === "and" && <text x={Math.min(...xs) + 8} y={Math.max(...ys) - 9}>{name}</text>}
    </g>
  );
}

interface DotsProps {
  points: Point[];
  scores: number[];
  colour: (score: number) => number;
  fired: boolean[];
  shown: number;
}

// Dots draws the best points last, on top.
function Dots({ points, scores, colour, fired, shown }: DotsProps) {
  return useMemo(() => (
    <g class="dots">
      {points.map((_, j) => points.length - 1 - j).map((i) => (
        <circle key={i} cx={points[i][0]} cy={points[i][1]} r={i < shown ? 5.5 : 3.2} class={"s" + colour(scores[i]) + (fired[i] ? " ring" : "") + (i < shown ? " top" : "")} />
      ))}
    </g>
  ), [points, scores, colour, fired, shown]);
}
