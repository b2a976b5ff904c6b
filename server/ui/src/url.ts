// The state of the page as its address. Defaults are left out.
import { knobs } from "./knobs";
import type { Logic } from "./types";

export const views = ["results", "compare", "map", "deltas"] as const;
export type View = (typeof views)[number];

export const fusions = [knobs.fusion.default, ...knobs.fusion.words]; // the profile chooses by default
export const profiles = ["collection", "paper"];
export const counts = [5, 10, 20, 50, 100];
export const poolSizes = [100, 300, 1000, 3000];

export interface State {
  collection: string; // "": the first there is
  query: string;
  nl: string; // how a sentence is read: auto, or off if taken back
  view: View;
  doc: string; // the one that is explained
  screen: string; // the screening that is open
  study: boolean; // the controls for study are unfolded
  mode: string;
  fusion: string;
  pool: string;
  candidates: number;
  k: number;
  profile: string;
  least: number; // probability of a result; 0: any
  all: boolean; // also show results without support
  copies: boolean; // are results of their own
  logic: Logic;
  words: number | null; // how much they count; null: the profile chooses
  x: string; // formulas on the axes of the map; "": chosen by the page
  y: string;
}

export const plainLogic: Logic = { c_and: knobs.c_and.default, c_not: knobs.c_not.default, gate: "pool", floors: { and: true, not: true, or: true } };

// chosen returns the options that differ from the paper. Without any, the profile decides.
export function chosen(l: Logic): { c_and?: number; c_not?: number; gate?: Logic["gate"]; no_floors?: string } {
  const off = without(l.floors);
  return {
    ...(l.c_and !== plainLogic.c_and && { c_and: l.c_and }),
    ...(l.c_not !== plainLogic.c_not && { c_not: l.c_not }),
    ...(l.gate !== plainLogic.gate && { gate: l.gate }),
    ...(off && { no_floors: off }),
  };
}

// without names the floors that are off, as in and,or.
const without = (floors: Logic["floors"]) => (["and", "not", "or"] as const).filter((f) => !floors[f]).join(",");

export const start: State = {
  collection: "", query: "", nl: "auto", view: "results", doc: "", screen: "", study: false, mode: knobs.mode.default, fusion: knobs.fusion.default, pool: knobs.pool.default,
  candidates: knobs.candidates.default, k: knobs.k.default, profile: "collection", least: knobs.min_probability.default, all: knobs.all.default, copies: knobs.all_copies.default, logic: plainLogic, words: knobs.words.default, x: "", y: "",
};

export function read(search: string): State {
  const p = new URLSearchParams(search);
  const text = (name: string) => p.get(name) ?? "";
  const one = <T extends string>(name: string, all: readonly T[], or: T): T => {
    const v = text(name) as T;
    return all.includes(v) ? v : or;
  };
  const number = (name: string, low: number, high: number, or: number) => {
    const v = p.has(name) ? Number(p.get(name)) : NaN;
    return v >= low && v <= high ? v : or;
  };
  const words = number("words", knobs.words.low, maxC, -1);
  const whole = (name: string, high: number, or: number) => Math.round(number(name, 1, high, or));
  const off = text("nofloor").split(",");
  const gate = text("gate");
  return {
    collection: text("c"), query: text("q"), doc: text("doc"), screen: text("screen"), x: text("x"), y: text("y"),
    nl: one("nl", knobs.nl.words, start.nl),
    view: one("view", views, start.view),
    study: text("study") === "open" || start.study,
    mode: one("mode", knobs.mode.words, start.mode),
    fusion: one("fusion", fusions, start.fusion),
    pool: one("pool", knobs.pool.words, start.pool),
    candidates: whole("n", knobs.candidates.high, start.candidates),
    k: whole("k", maxK, start.k),
    profile: one("profile", profiles, start.profile),
    least: number("least", knobs.min_probability.low, knobs.min_probability.high, start.least),
    all: text("all") === "on" || start.all,
    copies: text("copies") === "all" || start.copies,
    words: words < 0 ? start.words : words,
    logic: {
      c_and: number("and", knobs.c_and.low, maxC, plainLogic.c_and),
      c_not: number("not", knobs.c_not.low, maxC, plainLogic.c_not),
      gate: gate === "off" ? "off" : number("gate", 0.01, 1, 0) || "pool",
      floors: { and: !off.includes("and"), not: !off.includes("not"), or: !off.includes("or") },
    },
  };
}

// maxC is the maximum of the sliders.
export const maxC = 3;
// maxK is the default limit of a server.
const maxK = 1000;

export function write(s: State): string {
  const p = new URLSearchParams();
  const put = (name: string, value: string | number, or: string | number) => value !== or && p.set(name, String(value));
  put("c", s.collection, "");
  put("q", s.query, "");
  put("nl", s.nl, start.nl);
  put("view", s.view, start.view);
  put("study", s.study ? "open" : "", "");
  put("mode", s.mode, start.mode);
  put("fusion", s.fusion, start.fusion);
  put("pool", s.pool, start.pool);
  put("n", s.candidates, start.candidates);
  put("k", s.k, start.k);
  put("profile", s.profile, start.profile);
  put("least", s.least, start.least);
  put("all", s.all ? "on" : "", "");
  put("copies", s.copies ? "all" : "", "");
  put("and", s.logic.c_and, plainLogic.c_and);
  put("not", s.logic.c_not, plainLogic.c_not);
  put("gate", s.logic.gate, plainLogic.gate);
  put("nofloor", without(s.logic.floors), "");
  if (s.words !== start.words) p.set("words", String(s.words));
  put("x", s.x, "");
  put("y", s.y, "");
  put("doc", s.doc, "");
  put("screen", s.screen, "");
  const text = p.toString();
  return text ? "?" + text : location.pathname;
}
