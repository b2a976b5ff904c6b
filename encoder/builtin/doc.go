// Package builtin is the encoder embedded in the binary: a small transformer,
// distilled from all-MiniLM-L6-v2 for this project, together with its weights.
// It needs no network, no files and no cgo. The folder training holds the recipe.
//
// Weights are int8 with one scale per row. A linear layer is an exact integer
// product of those rows with activations quantized to eight bits (internal/nn), so
// neither the batch size nor the order of work changes a single bit of a vector.
// Short texts go through the layers together, without padding.
//
// The package knows about texts and vectors, but not about formulas, documents or scores.
package builtin
