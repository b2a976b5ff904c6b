import { plural } from "./format";
import type { Collection } from "./types";

const forAnyone: [string, string][] = [
  ["dog AND NOT leash", "what the leash brings is taken away"],
  ["(beach OR lake) AND sunset", "either place, but the sun must set"],
  ["coffee AND NOT people", "cups nobody is holding"],
  ["comedy AND crime", "both, and not just one of them strongly"],
  ["vegan AND spicy AND NOT rice", "two things wanted, one not"],
  ["dog^2 AND ball year:>=2015", "weights, and conditions on metadata"],
];

// Examples are what the page shows before the first search.
export function Examples({ collection, go, library }: { collection?: Collection; go: (query: string) => void; library: () => void }) {
  const some = collection && collection.documents > 0;
  return (
    <section class="examples" aria-label="Examples">
      <p class="muted">
        {some ? `${plural(collection.documents, "document")} in ${collection.name}. Try one of these, or write your own; every score can be opened and read.`
          : collection ? `${collection.name} has no documents yet.` : "There is no collection yet."}
      </p>
      {some ? <ul>{forAnyone.map(([q, why]) => <li key={q}><button onClick={() => go(q)}><code>{q}</code><span>{why}</span></button></li>)}</ul>
        : <button class="go" onClick={library}>{collection ? "Add files" : "Make a collection"}</button>}
    </section>
  );
}
