// Package openai is the encoder at an address: any server that answers
// POST /v1/embeddings as OpenAI's does. Ollama, Text Embeddings Inference, vLLM
// and llama.cpp are such servers, and Preset knows where they listen.
//
// Texts are sent in batches, several at once. A request that failed for a reason
// that passes (429, 5xx, a broken connection) is repeated after a growing pause
// or the one the server asks for, never beyond the context's deadline; a batch
// that is too large for the server is halved. An answer is used only if it is
// whole: one finite vector of the right dimension for every text, in whatever
// order.
//
// The package changes no vector because of what else is in a batch. Whether the
// server does is the server's business: one that pads batches or computes in half
// precision may give the same text vectors that differ in the last digits.
// MaxBatch 1 settles that, for the price of a request for every text.
//
// A server does not say where it has cut a long text, so that Cut is never set;
// one that refuses long texts makes Encode fail and say which text it was.
//
// The package knows texts, vectors and HTTP, nothing of formulas, documents or
// scores. It reads the key from the environment when an encoder is made, and
// shows it to the server only: redirects are not followed, nothing is logged,
// and messages that repeat the key come out without it.
package openai
