// Package tokenizer converts texts to token ids as described by a Hugging Face
// tokenizer.json, exactly like the library that the file was written for (tokenizers
// 0.23): WordPiece as in BERT, byte-level BPE as in CLIP and RoBERTa, BPE with
// byte fallback as in Gemma, Unigram as in XLM-RoBERTa and SigLIP.
//
// A text goes through five steps. Added tokens in the text are recognized; the rest is
// normalized; added tokens in the normalized text are recognized; the rest is split
// into words, and each word into the model's tokens. Finally the model's special tokens
// are put around the result.
//
// If a file requires something that this package does not support, Read returns an
// error that names it; results never differ silently. Character categories are those
// of Go's Unicode tables. The reference uses several Unicode versions: of some 400
// marks added since version 8, nearly all in rare scripts, BERT keeps those that are
// dropped here.
//
// The package knows about texts and ids, but not about vectors or where a file comes
// from.
package tokenizer
