// Linear scales of charts.

export interface Scale {
  (value: number): number;
  domain: [number, number];
  range: [number, number];
  ticks: (count: number) => number[]; // round values, about count of them
}

// linear maps values to a range, the domain rounded outwards to round values.
export function linear(low: number, high: number, range: [number, number]): Scale {
  const round = stepOf(low, high, 10);
  const from = Math.floor(low / round) * round, to = Math.ceil(high / round) * round;
  const scale = (v: number) => range[0] + ((v - from) / (to - from)) * (range[1] - range[0]);
  const ticks = (count: number) => {
    const step = stepOf(from, to, count), first = Math.ceil(from / step - 1e-9), last = Math.floor(to / step + 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  };
  return Object.assign(scale, { domain: [from, to] as [number, number], range, ticks });
}

// stepOf returns the distance of about count round values: 1, 2 or 5 times a power of ten.
function stepOf(low: number, high: number, count: number): number {
  const raw = (high - low || 1) / count, power = 10 ** Math.floor(Math.log10(raw)), rest = raw / power;
  return power * (rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1);
}
