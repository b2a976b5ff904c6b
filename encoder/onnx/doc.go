// Package onnx is an encoder from a folder as hubs have it: a model exported to
// ONNX, tokenizer.json, config.json and, where there are any, the files of
// sentence-transformers that say how the model is used. It runs in this process,
// with ONNX Runtime.
//
// Open reads
//
//	model*.onnx, text_model*.onnx     in the folder or in its folder onnx; full
//	                                  precision before half before 8 bits before 4
//	tokenizer.json                    needed; also in onnx
//	config.json                       needed: the kind of model, its positions
//	modules.json, 1_Pooling           how the tokens' vectors become one
//	sentence_bert_config.json         how many tokens are read
//	config_sentence_transformers.json prefixes
//	vision_model*.onnx, preprocessor_config.json
//	                                  where pictures can be encoded too
//
// and Options overrule what it finds. The vector of a text is the first of these
// that the model gives: sentence_embedding; text_embeds; for SigLIP
// pooler_output; last_hidden_state or token_embeddings, pooled here; for a model
// without all of these pooler_output. Vectors leave with length 1.
//
// # One text at a time
//
// A text's vector must not depend on what else is encoded with it. Padding a
// batch changes last digits; a model quantized as it runs takes its scales from
// the whole batch; and kernels may add in another order where there are more
// rows. So a text is never padded (unless its model was trained so, as SigLIP is)
// and never shares a run: each goes through the model alone, on one thread, and
// as many at once as Options.Threads says. What that gains or costs against
// batches of one length is printed by
//
//	go test -run xxx -bench Batch ./encoder/onnx
//
// # Identity
//
// Identity.Weights is the sha256 of a list of all that decides vectors: the model
// files with those in which they keep their weights, tokenizer.json and, with
// pictures, preprocessor_config.json; a line of each file's sha256 and name. It is
// computed at every Open, while the model loads, and not kept: a kept sum could be
// that of other files.
//
// The package knows folders, models, texts and pictures, nothing of formulas,
// documents, scores, or how a folder came to be there.
package onnx
