// Small bars next to numbers.
import { number, signed } from "./format";

// SignedBar goes left or right from the middle; its colour says whether the score
// gained or lost by it.
export function SignedBar({ value, scale, effect }: { value: number; scale: number; effect: number }) {
  const share = 50 * Math.min(1, Math.abs(value) / (scale || 1));
  const kind = effect > 1e-9 ? "gain" : effect < -1e-9 ? "loss" : "none";
  return (
    <svg class={"signed " + kind} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x={0} y={0} width={100} height={10} />
      <rect x={value < 0 ? 50 - share : 50} y={0} width={Math.max(share, 1)} height={10} />
      <line x1={50} x2={50} y1={-2} y2={12} />
    </svg>
  );
}

export function Bar({ value, most = 1, kind = "" }: { value: number; most?: number; kind?: string }) {
  const share = 100 * Math.max(0, Math.min(1, value / (most || 1)));
  return (
    <svg class={"bar " + kind} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x={0} y={0} width={100} height={10} />
      <rect x={0} y={0} width={share} height={10} />
    </svg>
  );
}

export function Value({ value, sign = false }: { value: number; sign?: boolean }) {
  return <span class="number">{sign ? signed(value) : number(value)}</span>;
}
