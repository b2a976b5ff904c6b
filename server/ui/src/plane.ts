// Regions of a plane given by inequalities.
import type { Floor } from "./structure";

export type Point = [number, number];

// region is the part of a rectangle where a floor fires, the similarities that
// are not on the axes being those of one document. Undefined: the axes have no
// part in it, or there is none.
export function region(f: Floor, x: string, y: string, other: (term: string) => number, low: Point, high: Point): Point[] | undefined {
  let shape: Point[] = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
  let concerned = false;
  for (const sum of f.sums) {
    let a = 0, b = 0, c = 0;
    for (const [term, factor] of sum) {
      if (term === x) a += factor;
      else if (term === y) b += factor;
      else c += factor * other(term);
    }
    concerned ||= a !== 0 || b !== 0;
    shape = clip(shape, a, b, c);
  }
  return concerned && shape.length > 2 ? shape : undefined;
}

// clip is the part of a convex shape where a·x + b·y + c > 0.
export function clip(shape: Point[], a: number, b: number, c: number): Point[] {
  const side = ([x, y]: Point) => a * x + b * y + c;
  return shape.flatMap((p, i) => {
    const q = shape[(i + 1) % shape.length];
    const [s, t] = [side(p), side(q)];
    const kept: Point[] = s > 0 ? [p] : [];
    if (s > 0 !== t > 0) {
      const u = s / (s - t);
      kept.push([p[0] + u * (q[0] - p[0]), p[1] + u * (q[1] - p[1])]);
    }
    return kept;
  });
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2 || 0;
}
