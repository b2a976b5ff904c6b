package elastic

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/nsfl-go/nsfl/engine/remote"
)

func unpack(b []byte, dim int) ([][]float32, error) {
	if len(b) == 0 || len(b)%(4*dim) != 0 {
		return nil, fmt.Errorf("its vectors have %d bytes, which are none of dimension %d", len(b), dim)
	}
	rows := make([][]float32, len(b)/(4*dim))
	for i := range rows {
		rows[i] = remote.UnpackVector(b[4*i*dim : 4*(i+1)*dim])
		if err := remote.CheckUnit(rows[i], dim); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// numbers reads a vector that is a list in JSON, without reflection: to read a pool is
// mostly this.
func numbers(raw []byte, dim int) ([]float32, error) {
	text := bytes.TrimSpace(raw)
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errors.New("it is not a list")
	}
	text = text[1 : len(text)-1]
	v := make([]float32, 0, dim)
	for more := true; more; {
		if len(v) == dim {
			return nil, fmt.Errorf("it has more than %d components", dim)
		}
		var component []byte
		component, text, more = bytes.Cut(text, []byte{','})
		x, err := strconv.ParseFloat(string(bytes.TrimSpace(component)), 32)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%.20q is not a component", component)
		}
		v = append(v, float32(x))
	}
	if len(v) < dim {
		return nil, fmt.Errorf("it has %d components, the mapping has %d", len(v), dim)
	}
	return v, nil
}

// The scores of vectors of length 1, by the similarity that a field has in its mapping.
var cosines = map[string]func(float64) float64{
	"cosine":      func(score float64) float64 { return 2*score - 1 },
	"dot_product": func(score float64) float64 { return 2*score - 1 },
	"l2_norm":     func(score float64) float64 { return 1 - (1/score-1)/2 }, // 1/(1+d²), and d² is 2-2cos
	"max_inner_product": func(score float64) float64 {
		if score < 1 { // 1/(1-cos)
			return 1 - 1/score
		}
		return score - 1
	},
}

// directional are the similarities that do not depend on the length of vectors, or let none
// in that has another length than 1.
func directional(similarity string) bool {
	return similarity == "cosine" || similarity == "dot_product"
}

// rough reports whether a kind of index keeps vectors in fewer bits.
func rough(kind string) bool {
	return kind != "hnsw" && kind != "flat" && !strings.HasPrefix(kind, "float")
}
