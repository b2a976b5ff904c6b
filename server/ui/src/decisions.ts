// The part of the API about screenings, and who screens.
import { at, call, request } from "./api";
import type { StoredDocument } from "./types";

export type Label = "include" | "exclude" | "unsure" | "undone";

export interface Screening {
  name: string;
  formula?: string;
  created: string;
  person?: string;
}

export interface Progress {
  records: number;
  duplicates_doi: number;
  duplicates_text: number;
  included: number;
  excluded: number;
  unsure: number;
  unread: number;
  people?: Record<string, number>;
  stop: { included: number; unread: number; p: number; reached: boolean; more: number };
  elusion?: { sample: number; included: number; rate: number; low: number; high: number };
}

export interface Next {
  record?: StoredDocument;
  why?: string;
  terms: string[];
  progress: Progress;
}

export const formats = { ris: "Included records (RIS)", csv: "All records (CSV)", svg: "PRISMA flow (SVG)", md: "Search appendix (Markdown)" };

export const screenings = {
  list: (collection: string) => call<{ screenings: Screening[] | null }>("GET", at(collection, "screenings")).then((a) => a.screenings ?? []),
  make: (collection: string, name: string, formula: string, person: string) => call<Screening>("POST", at(collection, "screenings"), { name, formula, person }),
  state: (collection: string, name: string) => call<Screening & { progress: Progress }>("GET", at(collection, "screenings", name)),
  next: (collection: string, name: string, person: string, sample: boolean) => call<Next>("POST", at(collection, "screenings", name, "next"), { person, sample }),
  decide: (collection: string, name: string, decision: { record?: string; label: Label; person: string; reason?: string; sample?: boolean }) =>
    call<{ decision: { record: string } }>("POST", at(collection, "screenings", name, "decisions"), decision),
  export: (collection: string, name: string, format: string) => request("GET", at(collection, "screenings", name, `export`) + `?format=${format}`).then((r) => r.blob()),
};

const personName = "nsfl-person";

// person is the name of whoever screens in this browser. "" is for the note of the key.
export const person = {
  get: () => localStorage.getItem(personName) ?? "",
  set: (name: string) => localStorage.setItem(personName, name),
};

const number = (n: number) => n.toLocaleString("en");

// statement says in plain words whether one may stop.
export function statement({ stop, included }: Progress): string {
  if (stop.unread === 0) return "Every record has been read.";
  const unread = stop.unread === 1 ? "1 record is unread" : `${number(stop.unread)} records are unread`;
  if (stop.reached) return `You can stop: at least 95 % of the records to include have been found (p = ${stop.p.toFixed(3)}). ${unread[0].toUpperCase() + unread.slice(1)}.`;
  if (!included) return `Go on: nothing can be said about what is missing before a record is included. ${unread[0].toUpperCase() + unread.slice(1)}.`;
  const most = `all ${number(stop.unread)} unread records`;
  return `Go on: it is too early to say that 95 % have been found. That takes ${stop.more < stop.unread ? `${number(stop.more)} more if none of them is included, and at most ${most}` : most}.`;
}

// missed says what a random sample tells about the unread records.
export function missed({ elusion }: Progress): string {
  if (!elusion) return "";
  const percent = (x: number) => (100 * x).toFixed(1);
  return `Of ${number(elusion.sample)} random unread records ${number(elusion.included)} were included: ${percent(elusion.rate)} % (95 % interval ${percent(elusion.low)} to ${percent(elusion.high)} %).`;
}
