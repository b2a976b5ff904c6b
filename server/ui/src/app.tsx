// The page: its state, the search and the views.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { apiKey } from "./api";
import { Compare } from "./compare";
import { Controls } from "./controls";
import { Editor } from "./editor";
import { Explain } from "./explain";
import { Examples } from "./examples";
import { Header } from "./header";
import { Help } from "./help";
import { KeyEntry } from "./key";
import { useKeys } from "./keys";
import { documentsIn, Titles } from "./found";
import { Library, preferred } from "./library";
import { Plane } from "./map";
import { extended, likeDocument } from "./more";
import { Narrow, useFields } from "./narrow";
import { Notes } from "./notes";
import { Notice } from "./notice";
import { Orders } from "./orders";
import { Nothing, Results, wantedBy } from "./results";
import { useSearch } from "./search";
import { ScreeningView } from "./screening";
import { ScreenResults, Screenings } from "./screenings";
import { Share } from "./share";
import { Status } from "./status";
import { useCollections, useExamples, useExplained, useTitles } from "./load";
import { forStudy, here } from "./study";
import { Fold, Tabs } from "./tabs";
import { start, views, write, type State } from "./url";
import { useMedia } from "./width";
import { useDrop } from "./drop";
import { refusal, UploadList } from "./upload";
import { useUploads } from "./uploads";

type Panel = "" | "help" | "key" | "library";

export function App() {
  const [address, setAddress] = useState(here);
  const [panel, setPanel] = useState<Panel>("");
  const box = useRef<HTMLTextAreaElement>(null);
  const { collections, rights, problem: listProblem, reload } = useCollections();
  const state = useMemo(() => ({ ...address, collection: address.collection || preferred(collections ?? []) }), [address, collections]);
  const search = useSearch(state);
  const { answer } = search;
  const collection = collections?.find((c) => c.name === state.collection);
  const examples = useExamples(collection);
  const fields = useFields(state.collection, collection?.documents);
  const titles = useTitles(state.collection, documentsIn(Object.keys(answer?.hits[0]?.scores ?? {})));
  const room = useMedia("(min-width: 1240px)");
  const wide = useMedia("(min-width: 1400px)"); // also beside an explanation
  const uploads = useUploads(rights?.upload_bytes ?? Infinity, () => (reload(), search.again()));
  const refused = refusal(collection, rights);
  const over = useDrop((files) => (refused ? setPanel("library") : uploads.add(state.collection, files)));

  const now = useRef(address);
  const live = useRef(false); // the last search came of typing; the next one replaces its address
  const go = useCallback((part: Partial<State>, how: "push" | "replace" = "push") => {
    const next = { ...now.current, ...part };
    if (write(next) !== write(now.current)) history[how === "push" ? "pushState" : "replaceState"](null, "", write(next));
    setAddress((now.current = next));
    live.current = false;
  }, []);
  useEffect(() => {
    const back = () => setAddress((now.current = here()));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useEffect(() => {
    document.title = state.screen ? `Screening ${state.screen} – nsfl` : state.query ? `${state.query} – nsfl` : "nsfl";
  }, [state.query, state.screen]);

  const problem = search.problem ?? listProblem;
  useEffect(() => {
    if (problem?.status === 401) setPanel("key");
  }, [problem]);

  const submit = (query: string, nl: string, typed = false) => {
    const same = query === state.query && nl === state.nl;
    if (same && (typed ? search.cancelled() : !live.current)) search.again();
    else if (!same) go({ query, nl, all: false, doc: "", x: "", y: "" }, typed && live.current ? "replace" : "push");
    live.current = typed;
  };

  const explained = useExplained(state, search);
  const choose = (doc: string) => go({ doc });
  const close = () => {
    document.querySelector<HTMLElement>(`.view [data-id="${CSS.escape(state.doc)}"] a`)?.focus();
    go({ doc: "" });
  };
  const link = (doc: string) => write({ ...state, doc });
  useKeys({
    box, view: (i) => go({ view: views[i], study: state.study || forStudy(views[i]) }), help: () => setPanel("help"),
    close: () => (state.doc ? close() : answer?.understood ? go({ nl: "off" }) : box.current?.focus()), blocked: panel !== "" || !!state.screen,
  });

  const like = (id: string, negated: boolean) => void extended(state.query, state.nl, likeDocument(id), negated).then((query) => go({ query, nl: start.nl, doc: "" }), () => {});

  const beside = room && !!state.query && fields.length > 0 && state.view === "results" && !state.study && (wide || !state.doc);
  const shared = answer && { answer, open: state.doc, moved: search.live, link, choose, like };
  return (
    <Titles.Provider value={titles}>
      <Header collection={collection} name={state.collection} hasKey={!!apiKey.get()} home={() => go({ query: "", screen: "", nl: start.nl, doc: "", x: "", y: "" })}
        library={() => setPanel("library")} keyEntry={() => setPanel("key")} help={() => setPanel("help")} />
      {state.screen && <ScreeningView key={`${state.collection} ${state.screen}`} collection={state.collection} name={state.screen} keys={!!rights?.keys} leave={() => go({ screen: "" })} enterKey={() => setPanel("key")} />}
      {!state.screen && <main data-view={state.query ? state.view : "home"} class={[beside && "with-rail", state.study && "with-study", state.doc && answer && "with-doc"].filter(Boolean).join(" ")}>
        <h1 class={state.query ? "unseen" : ""}>{state.query ? `Results for ${state.query}` : "Search by meaning, with AND, OR and NOT that work"}</h1>
        <div class="ask">
          <Editor box={box} hint={examples[0]?.query} query={state.query} nl={state.nl} answer={answer} fusion={state.fusion} collection={state.collection} study={state.study}
            submit={submit} typing={search.cancel} />
        </div>
        {problem && problem.code !== "syntax" && <Notice problem={problem} retryIn={search.retryIn} again={() => (reload(), search.again())} enterKey={() => setPanel("key")} />}
        {!state.query && collections && <Examples collection={collection} rights={rights} examples={examples} go={(query) => go({ query, nl: start.nl })} library={() => setPanel("library")} />}
        {!state.query && collection && <Screenings collection={collection} open={(screen) => go({ screen })} />}
        {state.query && (
          <div class="desk">
            <div class="bar-top">
              <Tabs state={state} go={go} />
              <Fold state={state} go={go} />
              {answer && <Status answer={answer} busy={search.busy} study={state.study} />}
              {answer && collection && <ScreenResults collection={collection} rights={rights} formula={answer.understood?.[0] ?? answer.query} open={(screen) => go({ screen, query: "", nl: start.nl, doc: "" })} />}
              <Share state={state} keys={!!rights?.keys} />
            </div>
            {answer && fields.length > 0 && <Narrow state={state} answer={answer} fields={fields} beside={beside} change={(query) => go({ query, nl: start.nl, doc: "" })} />}
            {state.study && (
              <aside id="study" class="tune" aria-label="For study">
                <Controls state={state} profile={collection?.profile} calibrated={!answer?.hits.length || answer.hits.some((h) => h.probability)} weight={answer?.hits[0]?.explanation?.words?.weight ?? 0} change={(part) => go(part, "replace")} tune={(logic) => go({ logic }, "replace")} />
              </aside>
            )}
            <section class="view" aria-label="Results" aria-busy={search.busy}>
              <Notes answer={answer} all={() => go({ all: true })} ask={(query) => go({ query, nl: start.nl, doc: "" })} />
              {shared && (!shared.answer.hits.length ? <Nothing answer={shared.answer} least={state.least} />
                : state.view === "results" ? <Results {...shared} study={state.study} />
                : state.view === "compare" ? <Compare {...shared} study={state.study} />
                : state.view === "map" ? <Plane {...shared} logic={state.logic} x={state.x} y={state.y} setAxes={(x, y) => go({ x, y }, "replace")} />
                : <Orders {...shared} />)}
              {state.view === "results" && answer?.next !== undefined && <button class="further" onClick={search.more}>More results</button>}
              {answer && !state.study && <Fold state={state} go={go} />}
              {!answer && search.busy && <p class="empty">Searching …</p>}
            </section>
            {state.doc && answer && (
              <aside class="inspector" aria-label="Why">
                {explained.hit ? (
                  <Explain hit={explained.hit} ranked={explained.ranked} candidate={explained.candidate} logic={state.logic} wanted={wantedBy(answer)} study={state.study}
                    collection={state.collection} writable={!!collection && !collection.read_only} files={!!rights?.files} like={(negated) => like(state.doc, negated)} close={close}
                    deleted={() => (close(), reload(), search.again())} />
                ) : (
                  <p class="empty">{explained.problem || "Reading …"} <button class="quiet" onClick={close}>Close</button></p>
                )}
              </aside>
            )}
          </div>
        )}
      </main>}
      {panel === "help" && <Help examples={examples} go={(query) => (setPanel(""), go({ query, nl: start.nl, doc: "" }))} close={() => setPanel("")} />}
      {panel === "key" && <KeyEntry refused={problem?.status === 401 ? problem.message : ""} close={() => setPanel("")} done={() => (setPanel(""), reload(), search.again())} />}
      {panel === "library" && (
        <Library collections={collections ?? []} rights={rights} current={state.collection} uploads={uploads} close={() => setPanel("")}
          choose={(name) => go({ collection: name, doc: "", screen: "" })} changed={() => (reload(), search.again())} />
      )}
      {panel !== "library" && uploads.runs.length > 0 && <aside class="tray" aria-label="Uploads"><UploadList uploads={uploads} /></aside>}
      {over && <div class="over" aria-hidden="true"><p>{refused || `Drop to add to ${state.collection}`}</p></div>}
    </Titles.Provider>
  );
}
