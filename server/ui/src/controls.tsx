// The options of logic and retrieval.
import type { ComponentChildren } from "preact";
import { number, percent } from "./format";
import { knobs } from "./knobs";
import { counts, fusions, maxC, plainLogic, poolSizes, profiles, type State } from "./url";
import type { Logic } from "./types";

interface Props {
  state: State;
  profile?: string; // the name of the collection's
  calibrated: boolean; // results have probabilities
  weight: number; // of words, where the profile chooses it
  change: (part: Partial<State>) => void; // searches
  tune: (logic: Logic) => void; // ranks again
}

const gateWords = { pool: "Pool", off: "Off", bound: "Bound" };
const firstBound = 0.6;

export function Controls({ state, profile, calibrated, weight, change, tune }: Props) {
  const { logic } = state;
  const kind = typeof logic.gate === "number" ? "bound" : logic.gate;
  const plain = JSON.stringify(logic) === JSON.stringify(plainLogic) && state.words === null;
  const floor = (name: keyof Logic["floors"], label: string, title: string) => (
    <label class="switch" title={title}>
      <input type="checkbox" role="switch" checked={logic.floors[name]} onChange={(e) => tune({ ...logic, floors: { ...logic.floors, [name]: e.currentTarget.checked } })} />
      {label}
    </label>
  );
  return (
    <div class="controls">
      <section aria-label="Shown">
        <header><h2>Shown</h2></header>
        <Choice label="Results" value={String(state.k)} all={withOwn(counts, state.k)} title={knobs.k.help} set={(k) => change({ k: Number(k) })} />
        <Slider label={calibrated ? "Least probability" : "Least probability: the profile is not calibrated for such formulas"} short="likely" title="hide results below this match probability" value={state.least} low={0} high={1} step={0.05}
          disabled={!calibrated && state.least === 0} show={(v) => (v ? percent(v) : "any")} set={(least) => change({ least })} />
        <label class="switch" title={knobs.all_copies.help}>
          <input type="checkbox" role="switch" checked={state.copies} onChange={(e) => change({ copies: e.currentTarget.checked })} />
          Show all copies
        </label>
      </section>
      <section aria-label="Logic">
        <header><h2>Logic</h2><button class="quiet" disabled={plain} onClick={() => change({ logic: plainLogic, words: null })}>Reset</button></header>
        <Slider label="AND: weight of the delta" short="AND" title="how much a match of all parts together counts; 1 as in the paper" value={logic.c_and} low={0} high={maxC} step={0.05} set={(c_and) => tune({ ...logic, c_and })} />
        <Slider label="NOT: weight of the penalty" short="NOT" title="how much an excluded part lowers the score; 1 as in the paper" value={logic.c_not} low={0} high={maxC} step={0.05} set={(c_not) => tune({ ...logic, c_not })} />
        <Slider label="Words: weight beside vectors" short="words" title="how much mentioned words count, relative to meaning" value={state.words ?? weight} low={0} high={maxC} step={0.05} set={(words) => change({ words })} />
        <fieldset>
          <legend title="A penalty is scaled by how present the unwanted thing is, against the largest presence in the pool or a bound">Gate of NOT</legend>
          <div class="segments">
            {(["pool", "off", "bound"] as const).map((g) => (
              <label key={g}><input type="radio" name="gate" checked={kind === g} onChange={() => tune({ ...logic, gate: g === "bound" ? firstBound : g })} /><span>{gateWords[g]}</span></label>
            ))}
          </div>
          {typeof logic.gate === "number" && <Slider label="Bound of the gate" short="bound" title="the similarity at which a penalty is whole" value={logic.gate} low={0.05} high={1} step={0.01} set={(gate) => tune({ ...logic, gate })} />}
        </fieldset>
        <fieldset>
          <legend>Noise floors</legend>
          {floor("and", "AND, reinforcement", "a fusion above the sum of its parts stands as it is")}
          {floor("not", "NOT, departure", "a fusion below both parts counts itself")}
          {floor("or", "OR, departure", "a fusion below every alternative counts itself")}
        </fieldset>
      </section>
      <section aria-label="Retrieval">
        <header><h2>Retrieval</h2></header>
        <Choice label="Mode" value={state.mode} all={knobs.mode.words} title={knobs.mode.help} set={(mode) => change({ mode })} />
        <Choice label="Fusion" value={state.fusion} all={fusions} names={["the profile’s", ...knobs.fusion.words]} title={knobs.fusion.help} set={(fusion) => change({ fusion })} />
        <Choice label="Pool" value={state.pool} all={knobs.pool.words} title={knobs.pool.help} set={(pool) => change({ pool })} />
        <Choice label="Pool size" value={String(state.candidates)} all={withOwn(poolSizes, state.candidates)} title={knobs.candidates.help} set={(n) => change({ candidates: Number(n) })} />
        <Choice label="Profile" value={state.profile} all={profiles} names={[profile ?? "the collection’s", "as in the paper"]}
          title="How vectors are refined and, until the logic is changed, which operators rank: the collection’s own, or none of it" set={(profile) => change({ profile })} />
      </section>
    </div>
  );
}

// withOwn adds the value of the address to the choices.
const withOwn = (all: number[], own: number) => [...new Set([...all, own])].sort((a, b) => a - b).map(String);

interface SliderProps {
  label: string;
  short: string;
  title?: string;
  value: number;
  low: number;
  high: number;
  step: number;
  disabled?: boolean;
  show?: (v: number) => string;
  set: (v: number) => void;
}

function Slider({ label, short, title = label, value, low, high, step, disabled, show = (v) => number(v, 2), set }: SliderProps) {
  return (
    <label class="slider" title={title}>
      <span>{short}</span>
      <input type="range" aria-label={label} min={low} max={high} step={step} value={value} disabled={disabled} onInput={(e) => set(Number(e.currentTarget.value))} />
      <output class="number">{show(value)}</output>
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  all: string[];
  names?: string[]; // of all, where they are not their own
  title?: string;
  set: (v: string) => void;
}

function Choice({ label, value, all, names = all, title, set }: ChoiceProps): ComponentChildren {
  return (
    <label class="choice" title={title}>
      <span>{label}</span>
      <select value={value} onChange={(e) => set(e.currentTarget.value)}>{all.map((v, i) => <option key={v} value={v}>{names[i]}</option>)}</select>
    </label>
  );
}
