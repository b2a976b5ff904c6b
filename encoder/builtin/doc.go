// Package builtin is the encoder inside the binary: a small transformer,
// distilled from all-MiniLM-L6-v2 for this project, with its weights embedded.
// It needs no network, no file and no cgo. The folder training holds the recipe.
//
// Weights are int8 with a scale for each row. A linear layer is an exact integer
// product of such rows with activations rounded to eight bits (internal/nn), so that
// neither the number of texts nor the order of work changes a bit of a vector.
// Short texts go through the layers together; nothing is padded.
//
// The package knows texts and vectors, nothing of formulas, documents or scores.
package builtin
