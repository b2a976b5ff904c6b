// The choices of a search. Written by go test ./server/ui -update.
export const knobs = {
  k: { low: 1, high: 10000, default: 10, help: "how many results" },
  min_probability: { low: 0, high: 1, default: 0, help: "leave out results that are less probable to match: 0.5 keeps what is rather in than out; it needs a calibrated profile" },
  explain: { default: false, help: "say how each score came about" },
  compare: { default: false, help: "show where plain retrieval has each result" },
  nl: { default: false, help: "the query is plain language" },
  mode: { words: ["auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"], default: "auto", help: "how documents are found and ranked" },
  pool: { words: ["monolithic", "union"], default: "monolithic", help: "what the pool is near to, the whole query or every wanted part" },
  candidates: { low: 1, high: 1000000, default: 1000, help: "size of the pool" },
  fusion: { words: ["simple", "contextual", "centroid"], default: "", help: "how the strings of atoms are fused; the profile's choice by default" },
  solver: { words: ["exact", "rsgd"], default: "exact", help: "how the vector of sqo and hybrid is found" },
  c_and: { low: 0, high: 100, default: 1, help: "coefficient of AND" },
  c_not: { low: 0, high: 100, default: 1, help: "coefficient of NOT" },
  gate: { words: ["pool", "off"], default: "pool", help: "gate of NOT" },
  gate_cap: { low: 0, high: 1, default: 0, help: "largest share of a penalty that NOT takes, such as 0.5; 0 is no cap" },
  similarity: { words: ["clamp", "affine", "raw"], default: "clamp", help: "what a cosine counts as" },
  no_floors: { default: "", help: "noise floors that are switched off, such as and,not,or" },
};
