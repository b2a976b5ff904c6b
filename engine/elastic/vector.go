package elastic

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/nsfl-go/nsfl/engine/pooling"
)

// pack is how vectors are kept: the components in little-endian order.
func pack(rows ...[]float32) []byte {
	var b []byte
	for _, row := range rows {
		for _, x := range row {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

// unpack reads what pack has written: one vector at least.
func unpack(b []byte, dim int) ([][]float32, error) {
	if len(b) == 0 || len(b)%(4*dim) != 0 {
		return nil, fmt.Errorf("its vectors have %d bytes, which are none of dimension %d", len(b), dim)
	}
	rows := make([][]float32, len(b)/(4*dim))
	for i := range rows {
		rows[i] = make([]float32, dim)
		for j := range rows[i] {
			rows[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*(i*dim+j):]))
		}
		if err := pooling.CheckUnit(rows[i], dim); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
