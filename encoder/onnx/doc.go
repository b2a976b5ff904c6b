// Package onnx is an encoder for models in the layout used by hubs: a model in safetensors or
// exported to ONNX, tokenizer.json, config.json and, optionally, the sentence-transformers files
// that describe how to use the model. Package bert runs text models, which must be of the BERT
// family, with weights of 8 bits. ONNX Runtime runs models for texts and pictures (CLIP,
// SigLIP), in this process.
//
// Open reads
//
//	model*.onnx, model*.safetensors   a text model, in the folder or its subfolder onnx; full
//	                                  precision is preferred to half, 8 bits and 4
//	text_model*.onnx, vision_model*.onnx, preprocessor_config.json
//	                                  a model for texts and pictures
//	tokenizer.json                    required unless there is a vocab.txt; also in onnx
//	config.json                       required: the model type and its positions
//	modules.json, 1_Pooling           how token vectors are pooled
//	sentence_bert_config.json         the token limit
//	config_sentence_transformers.json prefixes
//
// Options take precedence over the files. Vectors are normalized.
//
// # One text at a time
//
// In ONNX Runtime, a text's vector must not depend on the other texts encoded with it. Padding a
// batch changes the last digits, and kernels may add in a different order when there are more
// rows. So texts are not padded (unless the model was trained that way, like SigLIP) and never
// batched: each goes through the model alone, on one thread, as many at once as there are
// processors.
//
// # Identity
//
// Identity.Weights is the SHA-256 of a list of all files that determine vectors: the
// model files with their external data, tokenizer.json and, with pictures,
// preprocessor_config.json. The list has a line with the SHA-256 and name of each
// file. It is computed at every Open, while the model loads, and not cached: a cached
// hash could describe different files.
//
// The package knows about folders, models, texts and pictures, but not about formulas,
// documents, scores, or how a folder was installed.
package onnx
