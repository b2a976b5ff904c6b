package picture

import "math"

// filter is a resampling filter: the weight of a pixel by its distance, zero beyond reach.
type filter struct {
	reach  float64
	weight func(float64) float64
}

// filters maps PIL's numbers to the filters that models use. Each product is rounded
// before it is added, so that all processors agree.
var filters = map[float64]filter{
	2: {1, func(x float64) float64 { return max(0, 1-math.Abs(x)) }},
	3: {2, func(x float64) float64 {
		const a = -0.5
		x = math.Abs(x)
		switch {
		case x < 1:
			return float64(float64((float64((a+2)*x)-(a+3))*x)*x) + 1
		case x < 2:
			return float64((float64((float64((x-5)*x)+8)*x) - 4) * a)
		}
		return 0
	}},
}

// precision is the number of fractional bits in PIL's weights.
const precision = 32 - 8 - 2

// window is the input range of an output pixel, with weights.
type window struct {
	from    int
	weights []int32
}

// windows returns the windows of all pixels when a side of length in is resized to out.
// Shrinking widens the filter, which is what PIL calls antialiasing.
func windows(in, out int, f filter) []window {
	scale := float64(in) / float64(out)
	wide := max(scale, 1)
	reach := float64(f.reach * wide)
	all := make([]window, out)
	exact := make([]float64, 0, int(math.Ceil(reach))*2+1)
	for i := range all {
		centre := float64((float64(i) + 0.5) * scale)
		from := max(0, int(centre-reach+0.5))
		to := min(in, int(centre+reach+0.5))
		exact = exact[:0]
		total := 0.0
		for x := from; x < to; x++ {
			w := f.weight(float64((float64(x) - centre + 0.5) * (1 / wide)))
			exact = append(exact, w)
			total += w
		}
		all[i] = window{from, make([]int32, len(exact))}
		for j, w := range exact {
			if total != 0 {
				w /= total
			}
			all[i].weights[j] = int32(float64(w*(1<<precision)) + math.Copysign(0.5, w))
		}
	}
	return all
}

// resized resizes a picture like PIL.
func (p rgb) resized(width, height int, f filter) (rgb, error) {
	if err := checkSize("resized, it has", width, height); err != nil {
		return rgb{}, err
	}
	if width != p.width {
		if err := checkSize("half resized, it has", width, p.height); err != nil {
			return rgb{}, err
		}
		p = p.horizontally(width, f)
	}
	if height != p.height {
		p = p.vertically(height, f)
	}
	return p, nil
}

func (p rgb) horizontally(width int, f filter) rgb {
	out := newRGB(width, p.height)
	all := windows(p.width, width, f)
	at := 0
	for y := range p.height {
		row := p.pix[y*p.width*3 : (y+1)*p.width*3]
		for _, w := range all {
			var sum [3]int32
			for j, weight := range w.weights {
				px := row[(w.from+j)*3:]
				sum[0] += int32(px[0]) * weight
				sum[1] += int32(px[1]) * weight
				sum[2] += int32(px[2]) * weight
			}
			for _, s := range sum {
				out.pix[at] = clip(s)
				at++
			}
		}
	}
	return out
}

func (p rgb) vertically(height int, f filter) rgb {
	out := newRGB(p.width, height)
	stride := p.width * 3
	sums := make([]int32, stride)
	for y, w := range windows(p.height, height, f) {
		clear(sums)
		for j, weight := range w.weights {
			row := p.pix[(w.from+j)*stride:][:stride]
			for x, v := range row {
				sums[x] += int32(v) * weight
			}
		}
		for x, s := range sums {
			out.pix[y*stride+x] = clip(s)
		}
	}
	return out
}

// clip rounds a weighted sum of bytes to a byte.
func clip(sum int32) byte {
	return byte(min(max((sum+1<<(precision-1))>>precision, 0), 255))
}
