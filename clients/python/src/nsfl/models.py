"""The types of requests and responses. Made by tools/make_models.py; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pydantic import Field

from nsfl._model import Model

if TYPE_CHECKING:
    from typing_extensions import Required


class Agreement(Model):
    mean: float
    """Mean cosine; about 1 if the encoder made the vectors."""
    texts: int
    """Number of compared texts."""
    from_: str | None = Field(default=None, alias="from")
    """The best match: text, title, or title and text."""


class Answer(Model):
    documents: int
    encoder: str
    formula: str
    fusion: str
    hits: list[Hit]
    mode: str
    query: str
    """The query as it was given, or the formula made from its parts."""
    ranked: int
    strings: list[str] = []
    timings_ms: dict[str, float]
    candidate: bool | None = None
    """For explain: whether the document is in the pool of the mode."""
    columns: Columns | None = None
    compared: int | None = None
    cut: list[str] = []
    degraded: list[str] = []
    did_you_mean: str | None = None
    """The query with suggestions in place of words that no document has."""
    explained: int | None = None
    """Number of hits that are explained, if the others did not fit into the size limit of an
    answer."""
    facets: list[Facet] = []
    """Counts of field values, in the documents that pass the filter and in the first 100
    results."""
    filter: str | None = None
    left_out: int | None = None
    more: bool | None = None
    """Further results did not fit into the size limit of an answer."""
    next: int | None = None
    """Offset of the next page, if there is one."""
    notes: list[str] = []
    offset: int | None = None
    """Number of results skipped before the hits."""
    plain: list[PlainHit] = []
    profile: str | None = None
    proof: Proof | None = None
    """How many hits are proven to be the best of all documents, if not all were ranked."""
    reason: str | None = None
    refined: str | None = None
    """How the profile moved the vectors of the query, in words."""
    texts_left_out: int | None = None
    """Number of hits whose text was cut or left out because of the size limit of an answer."""
    understood: list[str] = []
    """For plain language: the formula it was read as, followed by notes."""


class AtomWords(Model):
    atom: str
    share: float
    """Lexical score of the atom, up to 1; negative if the document denies it."""
    found: list[Found] = []
    negated: bool | None = None


class Backup(Model):
    bytes: int
    """Size of the restored collection."""
    collection: str
    documents: int
    id: str
    """For POST /v1/restore."""
    time: datetime
    problem: str | None = None
    """Why it cannot be restored."""
    stored: int | None = None
    """Bytes added to the repository by this backup; only in the response that made it."""


class BackupList(Model):
    backups: list[Backup]


class Bucket(Model):
    count: int
    """Documents that the conditions of the query keep; a list counts by each of its elements."""
    found: int
    """Of the first 100 results."""
    from_: str | None = Field(default=None, alias="from")
    """Of a range, what it begins with."""
    query: str | None = None
    """The condition that keeps these, where the language can write it."""
    to: str | None = None
    """Of a range, what it ends before."""
    value: str | None = None
    """As conditions have it."""


class BulkLine(Model):
    cut: int
    """Documents so far with a passage longer than the encoder's limit."""
    documents: int
    """Documents on disk so far."""
    failed: int
    """Lines that failed so far."""
    line: int
    """Of the request, from 1; stored: all up to it are on the disk, but for those that failed."""
    type: str
    error: Problem | None = None
    ok: bool | None = None
    """Done: the request was read completely."""


class Calculus(TypedDict, total=False):
    c_and: float
    """The coefficient of AND."""
    c_not: float
    """The coefficient of NOT."""
    gate: Literal["pool", "off"] | float
    """The gate of NOT: pool, off or an upper bound of similarities in the corpus, such as 0.6."""
    gate_cap: float
    """The largest part of a penalty that NOT may subtract, such as 0.5; 0: no limit."""
    no_floors: str
    """Noise floors to switch off, such as and,not,or."""
    similarity: Literal["clamp", "affine", "raw"]
    """How a cosine becomes a similarity."""


class Clause(TypedDict, total=False):
    example: str
    """A text to compare with, encoded like a document."""
    id: str
    """A document of the collection."""
    minimum_should_match: int
    """How many of should must match; 1 by default."""
    must: Sequence[str | Clause]
    """All must match."""
    must_not: Sequence[str | Clause]
    """None may match."""
    should: Sequence[str | Clause]
    """At least one must match, even if must is set."""
    text: str
    """One atom, never parsed."""
    weight: float
    """Of the text, the id or the example; 1 by default."""


class CollectionHealth(Model):
    backed_up: datetime | None = None
    """Time of the newest backup."""
    backup: str | None = None
    """The newest backup."""
    backup_problem: str | None = None
    """Set if the last attempt failed; see the server's log."""
    compacted: datetime | None = None
    """Time of the last automatic compaction since the server started."""
    damage: list[str] = []
    """Problems found then: file, position and description."""
    scrubbed: datetime | None = None
    """Time of the last verification against its checksums."""


class CollectionInfo(Model):
    bytes: int
    """Size of the vectors and their codes; 0 if another engine stores them."""
    deleted: int
    """Deleted documents that still occupy space."""
    dimension: int
    documents: int
    encoder: str
    """Spec of the encoder."""
    engine: str
    """That stores it: embedded, or the engine of a remote store."""
    identity: str
    """Full name of the encoder."""
    name: str
    passage_tokens: int
    """Maximum number of tokens in a passage when the server splits a text."""
    profile: str
    """Default search profile."""
    read_only: bool
    """Documents cannot be changed here."""
    space: int
    """Size of all its files on disk, which counts for the quota; 0 if another engine stores it."""
    vectors: int
    """Of documents and passages, including deleted documents."""
    agreement: Agreement | None = None
    """Similarity of the vectors to new encodings of the same documents, if another program made
    them."""
    doubt: str | None = None
    """Why the encoder may not be the one that made the vectors."""
    health: CollectionHealth | None = None
    """Results of the server's maintenance."""
    problem: str | None = None
    """Why it cannot be opened."""
    quota: CollectionQuota | None = None
    """Limits; omitted if unlimited."""


class CollectionList(Model):
    collections: list[CollectionInfo]


class CollectionOptions(TypedDict, total=False):
    encoder: str
    """One of /v1/encoders; the first is the default."""
    quota: Quota
    """Limits; the server's defaults if omitted."""


class CollectionQuota(Model):
    bytes: int
    documents: int


class Columns(Model):
    formulas: list[str]
    """The terms."""
    ids: list[str]
    scores: list[float]
    strings: list[str]
    """The string encoded for each term; empty if the term is a sum of vectors."""
    titles: list[str]
    values: list[list[float]]
    """For each term, the similarities of the documents."""
    words: list[float] = []
    """What words added to each score; omitted if they do not count."""


class Copy(Model):
    id: str
    title: str | None = None


class DecisionAnswer(Model):
    decision: ScreeningDecision
    progress: ScreeningProgress


class Deleted(Model):
    documents: int


class DeltaOf(Model):
    fused: str
    given: str
    of: str
    used: bool
    value: float


class Document(Model):
    id: str | None = None
    """At most 1,024 bytes; derived from title and text if omitted."""
    metadata: dict[str, Any] = {}
    """Fields that predicates such as year:>=2015 read."""
    passages: list[str] = []
    """Parts of the text with vectors of their own; if omitted, the server splits the text."""
    places: list[Place] = []
    """Where the passages begin, one for each; optional."""
    text: str | None = None
    title: str | None = None


class DocumentPage(Model):
    documents: list[Document]
    next: str | None = None
    """The parameter after for the next page; for lookup, the first id that is still to be looked
    up; omitted at the end."""


class Embedding(Model):
    embedding: list[float] | str
    index: int
    object: str


class EmbeddingList(Model):
    data: list[Embedding]
    model: str
    object: str
    usage: Usage


class EncoderList(Model):
    encoders: list[EncoderWord]


class EncoderWord(Model):
    default: bool
    word: str


class Example(Model):
    query: str
    shows: str


class ExampleList(Model):
    examples: list[Example]


class ExplainOptions(TypedDict, total=False):
    all: bool
    """Also show results that mention no wanted word and are unlikely to match."""
    all_copies: bool
    """List copies of a document as separate results."""
    candidates: int
    """The number of candidates; in mode hybrid, the most documents to read for each vector of the
    proof."""
    columns: bool
    """The similarities of the best candidates, up to 2,000, to all terms."""
    compare: bool
    """Show the rank of each result in plain retrieval."""
    explain: bool
    """Explain how each score was computed."""
    facets: Sequence[str | Mapping[str, str | int]]
    """Count the values of these fields in the documents that pass the filter and in the first 100
    results, such as kind,year:20 for at most 20 values or ranges; default: 10."""
    fields: Sequence[str]
    """The metadata fields to return, such as year,kind; default: all."""
    filter: Mapping[str, str | float | bool | Sequence[str | float | bool] | Mapping[str, str | float | bool]]
    """Field to value, list of values (any of them) or {gte, gt, lte, lt}; all fields must hold."""
    fusion: Literal["simple", "contextual", "centroid"]
    """How atoms are joined into strings to encode; default: as the profile says."""
    k: int
    """The number of results."""
    logic: Calculus
    min_probability: float
    """Hide results below this match probability; needs a calibrated profile."""
    minimum_should_match: int
    """How many of should must match; 1 by default."""
    mode: Literal["auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"]
    """How documents are found and ranked."""
    must: Sequence[str | Clause]
    """All must match."""
    must_not: Sequence[str | Clause]
    """None may match."""
    negative: Sequence[str | Clause]
    """Strings, {id} and {example}; none is wanted."""
    nl: Literal["auto", "off", "rules", "llm"]
    """How plain language is read; auto reads a query without operators if its meaning is clear."""
    offset: int
    """Skip this many of the best results, to get the next page."""
    pool: Literal["monolithic", "union"]
    """What candidates are searched by, the whole query or each wanted part."""
    positive: Sequence[str | Clause]
    """Strings, {id} and {example}; all are wanted."""
    profile: Literal["collection", "paper"]
    """How vectors are refined and which operators rank: the collection's own, or none of it as in
    the paper."""
    should: Sequence[str | Clause]
    """At least one must match, even if must is set."""
    solver: Literal["exact", "rsgd"]
    """How the query vector of modes sqo and hybrid is computed."""
    text: Literal["snippet", "passage", "all"]
    """How much text to return, the beginning of the best passage, the whole passage or the whole
    document."""
    words: float
    """The weight of words relative to vectors; 0: none; default: as the profile says."""


class Explanation(Model):
    formula: str
    rule: str
    score: float
    sentence: str
    deltas: list[DeltaOf] = []
    floor: str | None = None
    gates: list[GateOf] = []
    parts: list[Explanation] = []
    regime: str | None = None
    similarities: list[Named] = []
    tilt: float | None = None
    words: WordsOf | None = None


class Facet(Model):
    buckets: list[Bucket]
    """Values, the most frequent first, or ranges in order."""
    field: str
    kind: str
    approximate: bool | None = None
    """There are so many values that counts may be too low."""
    others: int | None = None
    """Further values, and those that are longer than 256 bytes."""
    sampled: int | None = None
    """Counted in so many documents that pass, of more; left out: in all."""


class Fields(Model):
    all: bool
    """They are all there are; otherwise a sample, which may miss a field that few documents
    have."""
    documents: int
    """That were looked at."""
    fields: list[MetadataField]
    """By name."""
    more: bool | None = None
    """There are further fields, more than are told."""


class FileLine(Model):
    bytes: int
    """Read so far."""
    cut: int
    """Documents so far with a passage longer than the encoder's limit."""
    documents: int
    """Documents on disk so far."""
    files: int
    """Read so far."""
    skipped: int
    """How much was skipped so far."""
    type: str
    error: Problem | None = None
    file: str | None = None
    kind: str | None = None
    """Skipped: the class of the reason."""
    line: int | None = None
    """Skipped: the line in the file; omitted for the whole file."""
    ok: bool | None = None
    """Done: the request was read completely."""
    reason: str | None = None


class Found(Model):
    passage: int
    similarity: float
    weight: float
    word: str
    about: bool | None = None
    absent: bool | None = None
    denied: bool | None = None
    matched: str | None = None
    mentions: int | None = None
    passages: int | None = None


class GateOf(Model):
    maximum: float
    of: str
    penalty: float
    regime: str
    similarity: float
    value: float
    capped: bool | None = None
    floor: str | None = None


class Health(Model):
    status: str
    collections: int | None = None
    """Ready: number of open collections."""
    stores_down: int | None = None
    """Ready: number of remote stores that do not answer; GET /v1/collections lists them."""


class Hit(Model):
    id: str
    rank: int
    score: float
    scores: dict[str, float]
    """Similarities to the atoms, by atom as the language prints it."""
    similarities: list[Named] = []
    snippet: Snippet
    copies: list[Copy] = []
    """Lower-ranked copies of the document, up to 20 of copy_count."""
    copy_count: int | None = None
    explanation: Explanation | None = None
    metadata: dict[str, Any] = {}
    passages: list[Snippet] = []
    patterns: list[PatternMatch] = []
    """The patterns of the filter that the document matches, and where."""
    plain_rank: int | None = None
    probability: float | None = None
    strength: str | None = None
    """Strong, partial or weak if there is no probability: all wanted atoms are mentioned, some or
    none."""
    text: str | None = None
    """The whole text, if it was requested and fits."""
    title: str | None = None
    unwanted: list[Snippet] = []
    """For each negated atom, the passage that mentions it or, if there is none, denies it."""
    words: list[AtomWords] = []


class Match(Model):
    passage: int
    """0 is the title."""
    text: str
    """The matching words, in lower case and without punctuation."""


class MetadataField(Model):
    documents: int
    """That have it, of those that were looked at."""
    kind: str
    """Mixed where documents differ, unknown where none that was looked at has a value."""
    name: str
    least: str | None = None
    """Of numbers and times."""
    list_: bool | None = Field(default=None, alias="list")
    """Some document has several values."""
    most: str | None = None
    """Of numbers and times."""
    values: list[str] = []
    """Some of them, where they are short."""


class ModelInfo(Model):
    created: int
    """0: unknown."""
    id: str
    object: str
    owned_by: str


class ModelList(Model):
    data: list[ModelInfo]
    object: str


class Named(Model):
    formula: str
    value: float
    scored: bool | None = None


class OpenAIError(Model):
    code: str
    message: str
    param: str | None = None
    """The invalid field of the body, or null."""
    type: str


class ParseError(Model):
    caret: str
    length: int
    """In bytes; 0 at the end of the query."""
    message: str
    offset: int
    """In bytes."""


class ParseOptions(TypedDict, total=False):
    fusion: Literal["simple", "contextual", "centroid"]
    """How atoms are joined into strings to encode; default: as the profile says."""
    nl: Literal["auto", "off", "rules", "llm"]
    """How plain language is read; auto reads a query without operators if its meaning is clear."""


class Parsed(Model):
    ok: bool
    """The query is valid."""
    query: str
    strings: list[str]
    """To be encoded."""
    tokens: list[Token]
    """Empty for plain language."""
    error: ParseError | None = None
    filter: str | None = None
    """The hard predicates."""
    formula: str | None = None
    """The normal form."""
    items: list[str] = []
    """Atoms without words, to be looked up."""
    monolithic: str | None = None
    """The string of plain retrieval."""
    parts: list[Part] = []
    """The parts of a formula that is one conjunction."""
    reading: Reading | None = None


class Part(Model):
    kind: str
    least: int | None = None
    """Of a group: the minimum number of matching parts; omitted if it is 1."""
    name: str | None = None
    """The words of an atom, or the id, text or path that it refers to."""
    negated: bool | None = None
    parts: list[Part] = []
    """Of a group."""
    text: str | None = None
    """As written in a formula, without its weight."""
    weight: float | None = None
    """Of an atom; omitted if it is 1."""


class PatternMatch(Model):
    matches: list[Match]
    """The first three."""
    pattern: str
    """The condition, such as text:(heart NEAR/5 attack)."""


class Place(Model):
    heading: str | None = None
    """The headings that it stands below, outermost first."""
    line: int | None = None
    """Of the file, where it begins, from 1."""
    page: int | None = None
    """Where it begins, from 1."""


class PlainHit(Model):
    id: str
    rank: int
    score: float
    copy_count: int | None = None
    """Number of lower-ranked copies of the document."""
    now: int | None = None
    text: str | None = None
    title: str | None = None


class Plan(Model):
    fusion: str
    query: str
    strings: list[str]
    """To be encoded."""
    terms: list[Term]
    """Terms that documents are compared with."""
    filter: str | None = None
    """The hard predicates."""
    formula: str | None = None
    """The normal form."""
    items: list[str] = []
    """Atoms without words, to be looked up."""
    monolithic: str | None = None
    """The string of plain retrieval."""
    understood: list[str] = []
    """If parsed as plain language: the formula, then notes."""


class PlanOptions(TypedDict, total=False):
    filter: Mapping[str, str | float | bool | Sequence[str | float | bool] | Mapping[str, str | float | bool]]
    fusion: Literal["simple", "contextual", "centroid"]
    """How atoms are joined into strings to encode; default: as the profile says."""
    minimum_should_match: int
    """How many of should must match; 1 by default."""
    must: Sequence[str | Clause]
    """All must match."""
    must_not: Sequence[str | Clause]
    """None may match."""
    negative: Sequence[str | Clause]
    """Strings, {id} and {example}; none is wanted."""
    nl: Literal["auto", "off", "rules", "llm"]
    """How plain language is read; auto reads a query without operators if its meaning is clear."""
    positive: Sequence[str | Clause]
    """Strings, {id} and {example}; all are wanted."""
    should: Sequence[str | Clause]
    """At least one must match, even if must is set."""


class Problem(Model):
    code: str
    """What went wrong, as a code for programs."""
    detail: str
    """What went wrong, for people."""
    status: int
    title: str
    error: OpenAIError | None = None
    """The error in OpenAI's form, on routes that are OpenAI's."""
    request_id: str | None = None
    syntax: Syntax | None = None


class Proof(Model):
    exact: int
    """Number of hits, from the first, that are proven to be the best of all documents."""
    read: int
    """Number of documents that were read."""
    says: str
    """The proof in words."""
    approximate: bool | None = None
    """The proof does not cover documents that the engine's index missed."""


class Quota(TypedDict, total=False):
    bytes: int
    """Size of its files on disk, including deleted documents until it is compacted; 0 and omitted
    as above."""
    documents: int
    """0: unlimited; omitted: the server's default."""


class Reading(Model):
    changed: bool
    """A rule applied; otherwise the text is one atom."""
    formula: str
    notes: list[str]


class Rights(Model):
    files: bool
    """Documents' original files can be read."""
    keys: bool
    """Requests need a key."""
    role: str
    upload_bytes: int
    """Maximum size of an upload."""
    cannot_make: str | None = None
    """Why no collection can be created; omitted if it is possible."""
    collections: list[str] = []
    """Collections of the key; omitted if it is valid for all."""


class ScreeningDecision(Model):
    label: str
    person: str
    """Who decided."""
    record: str
    """The id of the document."""
    time: datetime
    reason: str | None = None
    sample: bool | None = None
    """The record was drawn at random."""


class ScreeningElusion(Model):
    high: float
    """Upper end of the exact 95 % interval by Clopper and Pearson."""
    included: int
    low: float
    """Lower end of the exact 95 % interval by Clopper and Pearson."""
    rate: float
    sample: int


class ScreeningInfo(Model):
    created: datetime
    name: str
    seed: int
    """Of the random order."""
    formula: str | None = None
    """The inclusion criteria, a formula."""
    person: str | None = None
    """Who created it."""


class ScreeningList(Model):
    screenings: list[ScreeningInfo]


class ScreeningProgress(Model):
    duplicates_doi: int
    """Folded because of their DOI."""
    duplicates_text: int
    """Folded because of their text."""
    excluded: int
    included: int
    records: int
    """Documents in the collection."""
    statement: str
    """The stopping rule, in words."""
    stop: ScreeningStop
    unread: int
    unsure: int
    elusion: ScreeningElusion | None = None
    """Estimated from a random sample."""
    people: dict[str, int] = {}
    """Valid decisions by person."""
    reasons: dict[str, int] = {}
    """Excluded records by reason."""


class ScreeningRecord(Model):
    progress: ScreeningProgress
    terms: list[str]
    """Words and phrases of the formula and of the decisions, to highlight."""
    record: Document | None = None
    """Omitted if every record is read or reserved for somebody else."""
    why: str | None = None
    """Why it is shown, in words."""


class ScreeningState(Model):
    created: datetime
    name: str
    progress: ScreeningProgress
    seed: int
    """Of the random order."""
    formula: str | None = None
    """The inclusion criteria, a formula."""
    person: str | None = None
    """Who created it."""


class ScreeningStop(Model):
    included: int
    more: int
    """How many more records it takes if none of them is included, at most unread."""
    p: float
    """P value of the hypothesis that the target recall has not been reached."""
    reached: bool
    """At least 95 % of the records to include have been found, p < 0.05."""
    read: int
    unread: int


class SearchOptions(TypedDict, total=False):
    all: bool
    """Also show results that mention no wanted word and are unlikely to match."""
    all_copies: bool
    """List copies of a document as separate results."""
    candidates: int
    """The number of candidates; in mode hybrid, the most documents to read for each vector of the
    proof."""
    columns: bool
    """The similarities of the best candidates, up to 2,000, to all terms."""
    compare: bool
    """Show the rank of each result in plain retrieval."""
    explain: bool
    """Explain how each score was computed."""
    facets: Sequence[str | Mapping[str, str | int]]
    """Count the values of these fields in the documents that pass the filter and in the first 100
    results, such as kind,year:20 for at most 20 values or ranges; default: 10."""
    fields: Sequence[str]
    """The metadata fields to return, such as year,kind; default: all."""
    filter: Mapping[str, str | float | bool | Sequence[str | float | bool] | Mapping[str, str | float | bool]]
    """Field to value, list of values (any of them) or {gte, gt, lte, lt}; all fields must hold."""
    fusion: Literal["simple", "contextual", "centroid"]
    """How atoms are joined into strings to encode; default: as the profile says."""
    k: int
    """The number of results."""
    logic: Calculus
    min_probability: float
    """Hide results below this match probability; needs a calibrated profile."""
    minimum_should_match: int
    """How many of should must match; 1 by default."""
    mode: Literal["auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"]
    """How documents are found and ranked."""
    must: Sequence[str | Clause]
    """All must match."""
    must_not: Sequence[str | Clause]
    """None may match."""
    negative: Sequence[str | Clause]
    """Strings, {id} and {example}; none is wanted."""
    nl: Literal["auto", "off", "rules", "llm"]
    """How plain language is read; auto reads a query without operators if its meaning is clear."""
    offset: int
    """Skip this many of the best results, to get the next page."""
    pool: Literal["monolithic", "union"]
    """What candidates are searched by, the whole query or each wanted part."""
    positive: Sequence[str | Clause]
    """Strings, {id} and {example}; all are wanted."""
    profile: Literal["collection", "paper"]
    """How vectors are refined and which operators rank: the collection's own, or none of it as in
    the paper."""
    should: Sequence[str | Clause]
    """At least one must match, even if must is set."""
    solver: Literal["exact", "rsgd"]
    """How the query vector of modes sqo and hybrid is computed."""
    text: Literal["snippet", "passage", "all"]
    """How much text to return, the beginning of the best passage, the whole passage or the whole
    document."""
    words: float
    """The weight of words relative to vectors; 0: none; default: as the profile says."""


class Snippet(Model):
    text: str
    atom: str | None = None
    place: Place | None = None
    """Where the passage begins, if known."""
    share: float | None = None
    similarity: float | None = None


class Source(Model):
    modified: int
    """Nanoseconds since 1970; 0: unknown."""
    name: str
    """Name in the metadata field source of the documents."""
    sha256: str
    """Of the content, hexadecimal; empty if the documents may not match the file."""
    size: int
    """In bytes."""
    place: str | None = None
    """Path of the file on the client's machine."""


class SourceCount(Model):
    sources: int


class SourceList(Model):
    sources: list[Source]
    next: str | None = None
    """Parameter after for the next page; omitted on the last page."""


class SourceNote(TypedDict, total=False):
    forget: bool
    """Remove the fingerprint."""
    modified: int
    """Nanoseconds since 1970; 0: unknown."""
    name: Required[str]
    """Name in the metadata field source of the documents."""
    place: str
    """Path of the file on the client's machine."""
    sha256: str
    """Of the content; empty if the documents may not match the file."""
    size: int
    """In bytes."""


class Stored(Model):
    cut: list[str]
    """Ids of documents with a passage longer than the encoder reads."""
    documents: int
    ids: list[str]


class Syntax(Model):
    caret: str
    """The query, or the part around the error, with a caret under it."""
    length: int
    """In bytes; 0 at the end of the query."""
    offset: int
    """In bytes."""
    query: str | None = None
    """Omitted if it is longer than a query may be."""


class Term(Model):
    formula: str
    string: str
    """The encoded string; empty if the term is a sum of vectors."""


class Token(Model):
    end: int
    kind: str
    start: int
    """In bytes."""


class Usage(Model):
    prompt_tokens: int
    total_tokens: int


class Vector(Model):
    dimension: int
    encoder: str
    formula: str
    method: str
    objective: float
    """The formula's value at the vector."""
    steps: int
    strings: list[str]
    """The strings that were encoded."""
    timings_ms: VectorTimes
    filter: str | None = None
    """Not part of the vector: apply it in the search."""
    profile: str | None = None
    """The profile that moved the vectors."""
    vector: list[float] = []


class VectorOptions(TypedDict, total=False):
    fusion: Literal["simple", "contextual", "centroid"]
    """How atoms are joined into strings to encode; default: as the profile says."""
    logic: Calculus
    minimum_should_match: int
    """How many of should must match; 1 by default."""
    mode: Literal["auto", "baseline", "rerank", "sqo", "hybrid", "exact", "geo-rerank", "geo-opt", "geo-hybrid"]
    """How documents are found and ranked."""
    must: Sequence[str | Clause]
    """All must match."""
    must_not: Sequence[str | Clause]
    """None may match."""
    negative: Sequence[str | Clause]
    """Strings, {id} and {example}; none is wanted."""
    nl: Literal["auto", "off", "rules", "llm"]
    """How plain language is read; auto reads a query without operators if its meaning is clear."""
    positive: Sequence[str | Clause]
    """Strings, {id} and {example}; all are wanted."""
    profile: Literal["collection", "paper"]
    should: Sequence[str | Clause]
    """At least one must match, even if must is set."""
    solver: Literal["exact", "rsgd"]
    """How the query vector of modes sqo and hybrid is computed."""


class VectorTimes(Model):
    encode: float
    solve: float


class Version(Model):
    go: str
    platform: str
    """Such as linux/amd64."""
    version: str
    """Such as 0.1.0; of what is no release as the toolchain names it."""
    revision: str | None = None
    """The commit it was built from."""


class WordsOf(Model):
    atoms: list[Named] = []
    lexical: float
    vectors: float
    weight: float


for _model in Model.__subclasses__():
    _model.model_rebuild()
