package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5/pgtype"
)

// vector is a value of pgvector's type. Nil is NULL.
type vector []float32

// codec sends and receives vectors in pgvector's binary form: the dimension and
// an unused field, both of 16 bits, then the components, all in network order.
type codec struct{}

func (codec) FormatSupported(format int16) bool { return format == pgtype.BinaryFormatCode }
func (codec) PreferredFormat() int16            { return pgtype.BinaryFormatCode }

func (codec) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(vector); !ok || format != pgtype.BinaryFormatCode {
		return nil
	}
	return plan{}
}

func (codec) PlanScan(_ *pgtype.Map, _ uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*vector); !ok || format != pgtype.BinaryFormatCode {
		return nil
	}
	return plan{}
}

func (codec) DecodeDatabaseSQLValue(_ *pgtype.Map, _ uint32, _ int16, src []byte) (driver.Value, error) {
	return src, nil
}

func (codec) DecodeValue(_ *pgtype.Map, _ uint32, _ int16, src []byte) (any, error) {
	return decodeVector(src)
}

type plan struct{}

func (plan) Encode(value any, buf []byte) ([]byte, error) {
	v := value.(vector)
	if v == nil {
		return nil, nil
	}
	buf = binary.BigEndian.AppendUint16(buf, uint16(len(v)))
	buf = append(buf, 0, 0)
	for _, x := range v {
		buf = binary.BigEndian.AppendUint32(buf, math.Float32bits(x))
	}
	return buf, nil
}

func (plan) Scan(src []byte, target any) error {
	v, err := decodeVector(src)
	*target.(*vector) = v
	return err
}

func decodeVector(src []byte) (vector, error) {
	if src == nil {
		return nil, nil
	}
	if len(src) < 4 {
		return nil, fmt.Errorf("a vector of %d bytes", len(src))
	}
	n := int(binary.BigEndian.Uint16(src))
	body := src[4:]
	if len(body) != 4*n {
		return nil, fmt.Errorf("a vector of %d dimensions in %d bytes", n, len(src))
	}
	v := make(vector, n)
	for i := range v {
		v[i] = math.Float32frombits(binary.BigEndian.Uint32(body[4*i:]))
		if x := float64(v[i]); math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("a vector whose component %d is %g", i, x)
		}
	}
	return v, nil
}
