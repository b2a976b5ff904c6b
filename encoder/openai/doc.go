// Package openai is an encoder that calls a server with OpenAI's POST /v1/embeddings
// API. Ollama, Text Embeddings Inference, vLLM and llama.cpp are such servers; Preset
// knows their default addresses.
//
// Texts are sent in batches, several batches at once. Requests that failed for a
// temporary reason (429, 5xx, a broken connection) are retried with exponential
// backoff, or after the pause that the server asks for, never beyond the context's
// deadline. A batch that is too large for the server is halved. A response is used
// only if it is complete: one finite vector of the right dimension for every text, in
// any order.
//
// The package does not make a vector depend on the rest of a batch, but a server
// might: one that pads batches or computes in half precision may return vectors of
// the same text that differ in the last digits. MaxBatch 1 avoids that at the price
// of one request per text.
//
// Servers do not report truncated texts, so Cut is never set. If a server refuses
// long texts, Encode fails with an error that identifies the text.
//
// The package knows about texts, vectors and HTTP, but not about formulas, documents
// or scores. It reads the API key from the environment when an encoder is created and
// sends it to the server only: redirects are not followed, nothing is logged, and the
// key is removed from error messages.
package openai
