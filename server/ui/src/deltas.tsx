// The contribution of each part to the score of a hit.
import { SignedBar, Value } from "./bars";
import { number, signed } from "./format";
import { effects } from "./structure";
import type { Hit } from "./types";

export function Deltas({ hit, scale }: { hit: Hit; scale: number }) {
  const list = effects(hit.explanation).slice(0, 4);
  const words = hit.explanation?.words;
  if (!list.length && !words) return null;
  return (
    <span class="deltas">
      {list.map((d, i) => (
        <span class="delta" key={i} title={`Δ of ${d.of}: S(${d.fused}) − S(${d.given}) = ${signed(d.value)}; the score ${d.effect >= 0 ? "gains" : "loses"} ${number(Math.abs(d.effect))}`}>
          <span class="of">Δ {d.of}</span>
          <SignedBar value={d.value} scale={scale} effect={d.effect} />
          <Value value={d.value} sign />
        </span>
      ))}
      {words && (
        <span class="delta" title={`what words added to the score of vectors: ${number(words.vectors)} ${signed(words.weight * words.lexical)} = ${number(hit.score)}`}>
          <span class="of">words</span>
          <SignedBar value={words.lexical} scale={1} effect={words.lexical} />
          <Value value={words.weight * words.lexical} sign />
        </span>
      )}
    </span>
  );
}
