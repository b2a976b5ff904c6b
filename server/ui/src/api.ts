// The server as functions. Whatever goes wrong is a Problem.
import type { chosen } from "./url";
import type { Answer, Collection, EncoderWord, Example, Facet, Field, Parsed, Rights, StoredDocument, UploadLine } from "./types";

const keyName = "nsfl-key";

export const apiKey = {
  get: () => sessionStorage.getItem(keyName) ?? "",
  set: (key: string) => (key ? sessionStorage.setItem(keyName, key) : sessionStorage.removeItem(keyName)),
};

export class Problem extends Error {
  constructor(
    readonly status: number, // 0: the server was not reached
    readonly code: string,
    detail: string,
    readonly retryAfter = 0, // seconds
  ) {
    super(detail);
  }
}

export interface SearchRequest {
  query: string;
  nl: string;
  k: number;
  offset?: number;
  mode: string;
  fusion?: string; // the profile decides if left out
  pool: string;
  candidates: number;
  profile: string;
  min_probability: number;
  all: boolean;
  all_copies: boolean;
  logic: ReturnType<typeof chosen>;
  words?: number; // the profile decides if left out
  columns: boolean;
}

const facetSize = 6; // values or ranges of a field

const always = { explain: true, compare: true };

export const api = {
  collections: () => call<{ collections: Collection[] | null }>("GET", "/v1/collections").then((a) => a.collections ?? []),
  version: () => call<{ version: string }>("GET", "/version"),
  encoders: () => call<{ encoders: EncoderWord[] | null }>("GET", "/v1/encoders").then((a) => a.encoders ?? []),
  rights: () => call<Rights>("GET", "/v1/rights"),
  examples: (collection: string) => call<{ examples: Example[] | null }>("GET", at(collection, "examples")).then((a) => a.examples ?? []),
  remove: (collection: string) => call<void>("DELETE", at(collection)),
  create: (name: string, encoder: string) => call<Collection>("POST", "/v1/collections", { name, encoder }),
  parse: (query: string, nl: string, fusion: string, signal?: AbortSignal) =>
    call<Parsed>("POST", "/v1/parse", { query, nl, fusion: fusion || undefined }, signal),
  search: (collection: string, r: SearchRequest, signal?: AbortSignal) =>
    call<Answer>("POST", at(collection, "search"), { ...r, ...always }, signal),
  explain: (collection: string, id: string, r: SearchRequest, signal?: AbortSignal) => {
    const { k: _, columns: __, ...rest } = r;
    return call<Answer>("POST", at(collection, "explain"), { ...rest, id }, signal);
  },
  fields: (collection: string) => call<{ fields: Field[] | null }>("GET", at(collection, "fields")).then((a) => a.fields ?? []),
  facets: (collection: string, query: string, nl: string, facets: string[], signal?: AbortSignal) =>
    call<{ facets?: Facet[] }>("POST", at(collection, "search"), { query, nl, k: 1, facets: facets.map((field) => ({ field, size: facetSize })) }, signal).then((a) => a.facets ?? []),
  lookup: (collection: string, ids: string[]) =>
    call<{ documents: StoredDocument[] | null }>("POST", at(collection, "documents", "lookup"), { ids }).then((a) => a.documents ?? []),
  document: (collection: string, id: string) => call<StoredDocument>("GET", at(collection, "documents", id)),
  filePath: (collection: string, id: string) => at(collection, "documents", id, "file"),
  file: (path: string) => request("GET", path).then((r) => r.blob()),
  deleteDocument: (collection: string, id: string) => call<void>("DELETE", at(collection, "documents", id)),
  upload,
};

export function at(collection: string, ...rest: string[]) {
  return "/v1/collections/" + [collection, ...rest].map(encodeURIComponent).join("/");
}

function headers(): Record<string, string> {
  const key = apiKey.get();
  return key ? { Authorization: "Bearer " + key } : {};
}

export async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const text = await (await request(method, path, body, signal)).text();
  return (text ? JSON.parse(text) : undefined) as T;
}

export async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, headers: headers(), signal };
  if (body !== undefined) {
    init.headers = { ...init.headers, "Content-Type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Problem(0, "offline", "The server does not answer. Is it still running?");
  }
  if (!response.ok) throw problem(response.status, await response.text(), response.headers.get("Retry-After"));
  return response;
}

function problem(status: number, text: string, retry: string | null): Problem {
  let code = "";
  let detail = "";
  try {
    const p = JSON.parse(text) as { code?: string; detail?: string; title?: string };
    code = p.code ?? "";
    detail = p.detail ?? p.title ?? "";
  } catch {
    // Not from the API: a proxy in between, perhaps. The status must do.
  }
  return new Problem(status, code, detail || `The server answered with status ${status}.`, Number(retry) || 0);
}

// upload reports the bytes sent, then every line of the answer as it arrives. It uses
// XMLHttpRequest because fetch does not report progress while sending.
function upload(
  collection: string,
  files: { name: string; file: File }[],
  sent: (bytes: number) => void,
  line: (l: UploadLine) => void,
  signal: AbortSignal,
): Promise<void> {
  const form = new FormData();
  for (const f of files) form.append("file", f.file, f.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let read = 0;
    const take = (all: boolean) => {
      const text = request.responseText;
      const end = all ? text.length : text.lastIndexOf("\n") + 1;
      for (const one of text.slice(read, end).split("\n")) if (one.trim()) line(JSON.parse(one) as UploadLine);
      read = Math.max(read, end);
    };
    request.open("POST", at(collection, "files"));
    for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value);
    request.upload.onprogress = (e) => sent(e.loaded);
    request.onprogress = () => request.status === 200 && take(false);
    request.onload = () => {
      if (request.status !== 200) {
        return reject(problem(request.status, request.responseText, request.getResponseHeader("Retry-After")));
      }
      take(true);
      resolve();
    };
    request.onerror = () => reject(new Problem(0, "offline", "The server does not answer, or it closed the connection."));
    request.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
