package bert

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

var safeKinds = map[string]kind{"F32": float32s, "F16": float16s, "BF16": bfloats}

// readSafetensors reads the tensors of a safetensors file by name.
func readSafetensors(data []byte) (map[string]*tensor, error) {
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, errors.New("not a safetensors file, or a truncated one")
	}
	size := binary.LittleEndian.Uint64(data)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+size], &header); err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	data = data[8+size:]
	out := map[string]*tensor{}
	for name, raw := range header {
		var entry struct {
			Type  string `json:"dtype"`
			Shape []int  `json:"shape"`
			At    [2]int `json:"data_offsets"`
		}
		if name == "__metadata__" {
			continue
		}
		if err := json.Unmarshal(raw, &entry); err != nil {
			return nil, fmt.Errorf("the tensor %s: %w", name, err)
		}
		if entry.At[0] < 0 || entry.At[0] > entry.At[1] || entry.At[1] > len(data) {
			return nil, fmt.Errorf("the tensor %s lies outside the file, which may be truncated", name)
		}
		out[name] = &tensor{kind: safeKinds[entry.Type], shape: entry.Shape, data: data[entry.At[0]:entry.At[1]]}
	}
	return out, nil
}
