// Package picture makes of a picture file what a vision model reads: the same
// numbers that the model's own processor in transformers makes of it, by the
// model's preprocessor_config.json.
//
// PNG and JPEG are read. Colours become RGB as PIL's convert("RGB") makes them:
// transparency is dropped, not laid on a background; palettes and greys are
// spelled out. The orientation that a camera wrote into a JPEG is ignored, as
// processors ignore it. Resizing is PIL's to the bit: antialiased, first the rows,
// then the columns, in 8 bits.
//
// So a PNG gives the processor's numbers to the last digits of a float32; only
// greys of 16 bits, which PIL makes white, keep their upper eight. A JPEG gives
// them within 2 of 255 steps: decoders may round differently.
//
// The package knows files and pixels, nothing of models or vectors.
package picture
