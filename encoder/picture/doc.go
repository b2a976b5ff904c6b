// Package picture converts picture files to the input of vision models. It follows the
// model's preprocessor_config.json and returns the same numbers as the model's own
// processor in transformers.
//
// It reads PNG and JPEG. Colours are converted to RGB like PIL's convert("RGB"):
// transparency is dropped, not composed onto a background; palettes and greys are
// expanded. The orientation that a camera wrote into a JPEG is ignored, as processors
// ignore it. Resizing matches PIL's to the bit: antialiased, first the rows, then the
// columns, in 8 bits.
//
// The results for a PNG equal the processor's to the last digits of a float32, except
// for 16-bit greys, which PIL makes white: here they keep their upper eight bits. The
// results for a JPEG are within 2 of 255 steps, since decoders round differently.
//
// The package knows about files and pixels, but not about models or vectors.
package picture
