package openai

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// presets holds the default addresses of servers. If APIKeyEnv is set, a key is required.
// For a local server started with a key, set the variable as well.
var presets = map[string]Config{
	// The API accepts up to 2,048 texts and 300,000 tokens; 256 texts of ordinary length stay
	// within both limits.
	"openai": {BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY", MaxBatch: 256},
	// Local servers have no practical limit, but a slow machine should finish a batch well
	// within the timeout.
	"ollama": {BaseURL: "http://localhost:11434/v1", MaxBatch: 32, Parallel: 2},
	// 32 is the default of its --max-client-batch-size.
	"tei":  {BaseURL: "http://localhost:8080/v1", MaxBatch: 32},
	"vllm": {BaseURL: "http://localhost:8000/v1", MaxBatch: 128},
	// It has few processing slots.
	"llama.cpp": {BaseURL: "http://localhost:8080/v1", MaxBatch: 16, Parallel: 2},
}

// Preset returns the configuration of a well-known server: openai, ollama, tei, vllm or
// llama.cpp. The caller must set the model.
func Preset(name string) (Config, error) {
	c, ok := presets[strings.ToLower(name)]
	if !ok {
		return c, fmt.Errorf("unknown server %q, want one of %s", name, strings.Join(PresetNames(), ", "))
	}
	return c, nil
}

// PresetNames returns the names that Preset knows, sorted.
func PresetNames() []string { return slices.Sorted(maps.Keys(presets)) }
