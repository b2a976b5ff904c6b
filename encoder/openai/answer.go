package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nsfl-go/nsfl/internal/vec"
)

// maxDimension is far above the dimension of any model.
const maxDimension = 1 << 16

// sizeLimit returns an upper bound for the size of a response with n vectors: 32 bytes per
// number, including comma, line break and indentation, and some more for the rest.
func sizeLimit(n, dim int) int64 {
	if dim == 0 {
		dim = maxDimension
	}
	return int64(n)*(int64(dim)*32+1024) + 1<<20
}

// answer has the relevant fields of a response.
type answer struct {
	Data []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
}

// decode returns the unit vectors of n texts in the order of the texts. A dimension of 0
// accepts any. Errors do not quote the response.
func decode(content []byte, n, dim int) ([][]float32, error) {
	var a answer
	if err := json.Unmarshal(content, &a); err != nil {
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			return nil, fmt.Errorf("it is not JSON: %w at byte %d", err, syntax.Offset)
		}
		return nil, fmt.Errorf("it is not a list of embeddings: %w", err)
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("it has %d vectors for %d texts", len(a.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range a.Data {
		switch {
		case d.Index == nil:
			return nil, fmt.Errorf("element %d has no index", i)
		case *d.Index < 0 || *d.Index >= n:
			return nil, fmt.Errorf("element %d has the index %d, but only %d texts were sent", i, *d.Index, n)
		case vectors[*d.Index] != nil:
			return nil, fmt.Errorf("the index %d occurs twice", *d.Index)
		}
		v, err := decodeVector(d.Embedding)
		if err == nil {
			err = accept(v, dim)
		}
		if err != nil {
			return nil, fmt.Errorf("the vector with index %d %w", *d.Index, err)
		}
		vectors[*d.Index] = v
	}
	return vectors, nil
}

// accept normalizes v and checks its dimension.
func accept(v []float32, dim int) error {
	switch {
	case len(v) == 0:
		return errors.New("is empty")
	case dim > 0 && len(v) != dim:
		return fmt.Errorf("has %d dimensions, not %d: the server changed its model, or the model does not support the requested dimension", len(v), dim)
	case len(v) > maxDimension:
		return fmt.Errorf("has %d dimensions, more than the supported %d", len(v), maxDimension)
	}
	switch err := vec.Normalize(v); {
	case errors.Is(err, vec.ErrZero):
		return errors.New("is zero, which has no direction")
	case err != nil:
		return errors.New("has a number that is NaN or infinite")
	}
	return nil
}

// decodeVector parses a list of numbers; raw is valid JSON, or empty. encoding/json would
// read null, which servers write for NaN, as 0.
func decodeVector(raw []byte) ([]float32, error) {
	if len(raw) == 0 || raw[0] != '[' {
		return nil, errors.New("is missing, or not a list of numbers")
	}
	list := bytes.TrimSpace(raw[1 : len(raw)-1])
	if len(list) == 0 {
		return nil, nil
	}
	if list[0] == '[' {
		return nil, errors.New("is a list of lists, perhaps one for each token: start the server with a pooling")
	}
	v := make([]float32, 0, 1+bytes.Count(list, []byte(",")))
	for number := range bytes.SplitSeq(list, []byte(",")) {
		number = bytes.TrimSpace(number)
		if string(number) == "null" {
			return nil, fmt.Errorf("has null (NaN) at position %d", len(v))
		}
		x, err := strconv.ParseFloat(string(number), 32)
		if errors.Is(err, strconv.ErrRange) {
			return nil, fmt.Errorf("has a number at position %d that overflows float32", len(v))
		} else if err != nil {
			return nil, fmt.Errorf("has something other than a number at position %d", len(v))
		}
		v = append(v, float32(x))
	}
	return v, nil
}
