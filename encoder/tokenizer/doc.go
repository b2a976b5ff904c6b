// Package tokenizer turns texts into token ids as a Hugging Face tokenizer.json
// says, exactly as the library that the file was written for does (tokenizers
// 0.23): WordPiece as BERT has it, byte-level BPE as CLIP, GPT-2 and RoBERTa have
// it, BPE with bytes to fall back on as Gemma has it, Unigram as XLM-RoBERTa and
// SigLIP have it.
//
// A text goes through five steps. Added tokens that it spells out are taken as
// such; the rest is normalized; added tokens of the normalized text are taken;
// the rest is split into words, and each word into the model's tokens. At last
// the model's opening and closing tokens are put around all.
//
// What a file asks for and this package does not do is an error of Read that
// names it, never a silent difference. Categories of characters are those of
// Go's Unicode tables. The reference has several, older and newer: of some 400
// marks that Unicode has added since its version 8, nearly all of rare scripts,
// BERT keeps what is dropped here.
//
// The package knows texts and ids, nothing of vectors or of where a file comes
// from.
package tokenizer
