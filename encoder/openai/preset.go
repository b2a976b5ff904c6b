package openai

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// presets have the addresses at which servers listen by default. Where
// APIKeyEnv is set a key is needed; a local server that was started with one
// needs the variable named.
var presets = map[string]Config{
	// Up to 2,048 texts and 300,000 tokens are accepted; with 256 texts of
	// ordinary length neither limit is met.
	"openai": {BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY", MaxBatch: 256},
	// Local servers have no limit worth reaching: a batch should be done well
	// within the time-out on a slow machine.
	"ollama": {BaseURL: "http://localhost:11434/v1", MaxBatch: 32, Parallel: 2},
	// 32 is the default of its --max-client-batch-size.
	"tei":  {BaseURL: "http://localhost:8080/v1", MaxBatch: 32},
	"vllm": {BaseURL: "http://localhost:8000/v1", MaxBatch: 128},
	// The slots it computes in are few.
	"llama.cpp": {BaseURL: "http://localhost:8080/v1", MaxBatch: 16, Parallel: 2},
}

// Preset is the configuration of a well-known server: openai, ollama, tei, vllm
// or llama.cpp. The model is still to be set.
func Preset(name string) (Config, error) {
	c, ok := presets[strings.ToLower(name)]
	if !ok {
		return c, fmt.Errorf("looking for a server by name: %q is none of %s", name, strings.Join(PresetNames(), ", "))
	}
	return c, nil
}

// PresetNames are those that Preset knows, sorted.
func PresetNames() []string { return slices.Sorted(maps.Keys(presets)) }
