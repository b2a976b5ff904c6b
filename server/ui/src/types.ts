// The JSON of the HTTP API, as server/API.md describes it.

export interface Collection {
  name: string;
  documents: number;
  vectors: number;
  dimension: number;
  bytes: number;
  space: number;
  quota?: { documents: number; bytes: number }; // 0: any number
  engine?: string;
  encoder?: string;
  identity?: string;
  profile?: string;
  read_only?: boolean;
  problem?: string;
}

// Rights lists the permissions of the key of this tab.
export interface Rights {
  role: "read" | "write" | "admin";
  keys: boolean; // requests need one
  collections?: string[]; // that the key is for; none: all
  cannot_make?: string; // why there can be no new collection
  files: boolean; // the original files of documents can be read
  upload_bytes: number;
}

export interface Example {
  query: string;
  shows: string;
}

export interface EncoderWord {
  word: string;
  default?: boolean;
}

export interface Token {
  start: number; // in bytes of UTF-8, as all offsets of the API
  end: number;
  kind: string;
}

export interface SyntaxProblem {
  offset: number;
  length: number;
  message: string;
}

// Part is an atom, a predicate or a group of a simple formula.
export interface Part {
  kind: string;
  text?: string; // as the formula has it, without its weight
  name?: string;
  negated?: boolean;
  weight?: number;
  least?: number; // of a group: the least number of matching parts, 1 if left out
  parts?: Part[];
}

export interface Parsed {
  query: string;
  ok: boolean;
  tokens?: Token[];
  error?: SyntaxProblem;
  formula?: string;
  filter?: string;
  strings?: string[];
  items?: string[];
  monolithic?: string;
  parts?: Part[]; // none: the formula is not so simple
  reading?: { formula: string; notes?: string[]; changed: boolean };
}

export interface Named {
  formula: string;
  value: number;
  scored?: boolean;
}

export interface Delta {
  of: string;
  given: string;
  fused: string;
  value: number;
  used: boolean;
}

export interface Gate {
  of: string;
  similarity: number;
  maximum: number;
  value: number;
  capped?: boolean;
  penalty: number;
  regime: string;
  floor?: string;
}

// Words is the lexical part of a score: weight · lexical.
export interface Words {
  vectors: number; // the score without them
  weight: number;
  lexical: number;
  atoms: Named[];
}

export interface Explanation {
  formula: string;
  rule: "similarity" | "and" | "not" | "or" | "against";
  score: number;
  similarities?: Named[];
  deltas?: Delta[];
  gates?: Gate[];
  regime?: string;
  floor?: string;
  tilt?: number;
  words?: Words;
  sentence: string;
  parts?: Explanation[];
}

export type Metadata = Record<string, unknown>;

// Found is the match of one word of an atom.
export interface Found {
  word: string;
  matched?: string; // the document's word, if there is a match
  similarity: number; // 1 for the word itself
  passage: number; // from 0; a title is passage 0
  denied?: boolean; // the document denies it
  weight: number;
  mentions?: number; // number of passages that mention it
  passages?: number; // number of passages in the document
  about?: boolean; // the document is about it
}

export interface AtomWords {
  atom: string;
  negated?: boolean;
  share: number; // up to 1; below 0 if the document denies it
  found?: Found[];
}

// Place is where a passage begins, as far as that is known.
export interface Place {
  heading?: string; // those above it, outermost first
  page?: number;
  line?: number;
}

export interface Snippet {
  text: string;
  place?: Place;
  atom?: string;
  similarity?: number;
  share?: number;
}

export interface Hit {
  rank: number;
  id: string;
  score: number;
  probability?: number;
  strength?: "strong" | "partial" | "weak"; // instead of a probability
  title?: string;
  snippet: Snippet;
  passages?: Snippet[]; // one for each of several wanted atoms
  unwanted?: Snippet[]; // one for each excluded atom that is mentioned or denied
  words?: AtomWords[];
  metadata?: Metadata;
  plain_rank?: number;
  similarities: Named[];
  scores: Record<string, number>;
  explanation?: Explanation;
  copies?: Copy[]; // documents with the same text, the first of copy_count
  copy_count?: number;
}

export interface Copy {
  id: string;
  title?: string;
}

export interface PlainHit {
  rank: number;
  id: string;
  title?: string;
  text?: string;
  score: number;
  now?: number; // the rank of the document, or of a copy, among the hits
  copy_count?: number;
}

export interface Columns {
  formulas: string[];
  strings: string[];
  ids: string[];
  titles: string[];
  scores: number[];
  words?: number[]; // the lexical part of each score
  values: number[][]; // by formula, then by document
}

export interface Answer {
  query: string;
  understood?: string[]; // of plain language: the formula, then notes
  formula: string;
  filter?: string;
  mode: string;
  reason?: string;
  fusion: string;
  profile?: string;
  refined?: string; // how the profile changed the vectors
  encoder: string;
  strings: string[];
  cut?: string[];
  documents: number;
  ranked: number;
  proof?: { exact: number; read: number; approximate?: boolean; says: string };
  left_out?: number;
  did_you_mean?: string; // the query with a misspelled word corrected
  next?: number; // the offset of the results after these
  compared?: number;
  notes?: string[];
  degraded?: string[];
  candidate?: boolean;
  hits: Hit[];
  plain?: PlainHit[];
  columns?: Columns;
  timings_ms: Record<string, number>;
}

// Field is one of the metadata of a collection's documents.
export interface Field {
  name: string;
  kind: string;
  documents: number; // that have it
}

// Facet counts the values of a field in the documents that match the filter.
export interface Facet {
  field: string;
  buckets: Bucket[];
  others?: number; // further values
}

// Bucket is a value, or a range from one up to another.
export interface Bucket {
  value?: string;
  from?: string;
  to?: string;
  count: number;
  found: number; // of the first results
  query?: string; // the condition that keeps these
}

export interface Logic {
  c_and: number;
  c_not: number;
  gate: "pool" | "off" | number;
  floors: { and: boolean; not: boolean; or: boolean };
}

export interface StoredDocument {
  id: string;
  title?: string;
  text?: string;
  passages?: string[];
  places?: Place[]; // one for each passage
  metadata?: Metadata;
}

export interface UploadLine {
  type: "progress" | "skipped" | "done";
  file?: string;
  line?: number;
  kind?: string;
  reason?: string;
  files?: number;
  documents?: number;
  bytes?: number;
  cut?: number;
  skipped?: number;
  ok?: boolean;
  error?: { detail?: string; title?: string };
}
