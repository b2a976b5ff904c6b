import { plural } from "./format";
import type { Collection, Example, Rights } from "./types";

const captions: Record<string, string> = {
  not: "the first, without what the second brings",
  and: "both, and not just one of them strongly",
  or: "either of two, and the third",
  sentence: "a sentence is read too",
  condition: "a thing, and a condition on metadata",
  word: "by meaning, and by its words",
};

interface Props {
  collection?: Collection;
  rights?: Rights;
  examples: Example[];
  go: (query: string) => void;
  library: () => void;
}

// Examples is shown before the first search: queries with words of the collection, or how to
// fill it.
export function Examples({ collection, rights, examples, go, library }: Props) {
  const some = collection && collection.documents > 0;
  return (
    <section class="examples" aria-label="Examples">
      <p class="muted">
        {some ? `${plural(collection.documents, "document")} in ${collection.name}. ${examples.length ? "Try one of these, or write" : "Write"} your own. Open a result to see why it matched.`
          : collection ? `${collection.name} has no documents yet.` : "There is no collection yet."}
      </p>
      {some ? <ExampleList examples={examples} go={go} /> : <Fill collection={collection} rights={rights} library={library} />}
    </section>
  );
}

export function ExampleList({ examples, go }: Pick<Props, "examples" | "go">) {
  return <ul>{examples.map((e) => <li key={e.query}><button onClick={() => go(e.query)}><code>{e.query}</code><span>{captions[e.shows]}</span></button></li>)}</ul>;
}

function Fill({ collection, rights, library }: Pick<Props, "collection" | "rights" | "library">) {
  if (!rights) return null;
  if (collection ? rights.role === "read" || collection.read_only : rights.cannot_make) {
    return <p class="fill">{collection ? "It cannot be filled from here: that needs a key of the role write, and a collection that is not read only." : `None can be made from here: ${rights.cannot_make}.`}</p>;
  }
  return (
    <div class="fill">
      <p>{collection ? "Drop files anywhere on this page, or choose them." : "Make one, then drop files anywhere on this page."} In a shell the same is</p>
      <pre><code>{(rights.keys ? "export NSFL_KEY=…\n" : "") + `nsfl index FILES --server ${location.origin} -c ${collection?.name ?? "notes"}`}</code></pre>
      <button class="go" onClick={library}>{collection ? "Add files" : "Make a collection"}</button>
    </div>
  );
}
