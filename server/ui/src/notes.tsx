// What a reader should know of how results came about.
import { sentence } from "./format";
import type { Answer } from "./types";

// ofProfile: the note is about vectors, and the same for every search.
const ofProfile = (note: string, answer: Answer) => !!answer.profile && note.endsWith(`(profile ${answer.profile})`);

export function Notes({ answer, study }: { answer?: Answer; study: boolean }) {
  const notes = (answer?.notes ?? []).filter((n) => study || !ofProfile(n, answer!));
  return (
    <>
      {answer?.degraded?.map((d) => <p class="note" key={d}>{d}</p>)}
      {notes.map((n) => <p class="note neutral" key={n}>{sentence(n)}</p>)}
    </>
  );
}
