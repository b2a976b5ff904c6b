// Axes, tips and legends of charts.
import type { ComponentChildren } from "preact";
import type { Point } from "./plane";
import type { Scale } from "./scale";

export function XAxis({ scale, y, label }: { scale: Scale; y: number; label?: string }) {
  const [from, to] = scale.range;
  return (
    <g class="axis" aria-hidden="true">
      <line x1={from} x2={to} y1={y} y2={y} />
      {scale.ticks(Math.max(2, (to - from) / 80)).map((t) => (
        <g key={t}><line x1={scale(t)} x2={scale(t)} y1={y} y2={y + 4} /><text x={scale(t)} y={y + 16} text-anchor="middle">{tick(t)}</text></g>
      ))}
      {label && <text class="name" x={to} y={y + 34} text-anchor="end">{label} →</text>}
    </g>
  );
}

export function YAxis({ scale, x, label, grid }: { scale: Scale; x: number; label?: string; grid?: number }) {
  const [from, to] = scale.range;
  return (
    <g class="axis" aria-hidden="true">
      <line x1={x} x2={x} y1={from} y2={to} />
      {scale.ticks(Math.max(2, (from - to) / 60)).map((t) => (
        <g key={t}>
          {grid !== undefined && <line class="grid" x1={x} x2={grid} y1={scale(t)} y2={scale(t)} />}
          <line x1={x - 4} x2={x} y1={scale(t)} y2={scale(t)} /><text x={x - 8} y={scale(t)} dy=".32em" text-anchor="end">{tick(t)}</text>
        </g>
      ))}
      {label && <text class="name" transform={`translate(${x - 40},${to}) rotate(-90)`} text-anchor="end">{label} →</text>}
    </g>
  );
}

const tick = (t: number) => String(+t.toFixed(3)).replace("-", "−");

// Tip is a box next to a point, on the side with more room.
export function Tip({ at, width, children }: { at: Point; width: number; children: ComponentChildren }) {
  const left = at[0] < width / 2;
  const style = { top: at[1] + "px", left: left ? at[0] + 14 + "px" : "auto", right: left ? "auto" : width - at[0] + 14 + "px" };
  return <div class="tip" role="status" style={style}>{children}</div>;
}

export function Legend({ items }: { items: { mark: ComponentChildren; text: string }[] }) {
  return <ul class="legend">{items.map((i) => <li key={i.text}>{i.mark}<span>{i.text}</span></li>)}</ul>;
}
