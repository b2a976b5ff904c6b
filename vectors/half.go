package vectors

import "math"

// fromHalf reads an IEEE 754 binary16.
func fromHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, fraction := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0: // zero, or fraction·2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// toHalf rounds to the nearest binary16, ties to even; what is too large becomes
// infinite.
func toHalf(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, bits := uint16(bits>>16&0x8000), bits&0x7fffffff
	switch {
	case bits > 0x7f800000:
		return sign | 0x7e00
	case bits < 0x38800000: // below 2⁻¹⁴: a multiple of 2⁻²⁴, which the sum rounds to
		return sign | uint16(math.Float32bits(math.Float32frombits(bits)+0.5)-0x3f000000)
	}
	// A half keeps 10 of 23 bits. A carry goes on into the exponent, as it should.
	rounded := bits + 0xfff + bits>>13&1 - 112<<23
	return sign | uint16(min(rounded>>13, 0x7c00))
}
