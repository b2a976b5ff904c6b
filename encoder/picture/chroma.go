package picture

import (
	"image"
	"image/color"
)

// Most JPEGs store one colour for two or four pixels. libjpeg, and therefore PIL,
// interpolates between neighbouring colours while Go repeats them; at hard edges a model
// sees the difference. The sums and roundings below are libjpeg's.

// plane is one of a JPEG's two chroma planes.
type plane struct {
	pix                   []byte
	stride, width, height int
}

// ycbcr converts a JPEG in which each colour covers two pixels of a row and, if tall is
// set, two rows.
func ycbcr(img *image.YCbCr, tall bool) rgb {
	out := newRGB(img.Rect.Dx(), img.Rect.Dy())
	width, height := (out.width+1)/2, out.height
	if tall {
		height = (height + 1) / 2
	}
	cb := plane{img.Cb, img.CStride, width, height}
	cr := plane{img.Cr, img.CStride, width, height}
	blue, red := make([]byte, 2*width), make([]byte, 2*width)
	sums := make([]int, width)
	for y := range out.height {
		if tall {
			cb.blendBoth(y, sums, blue)
			cr.blendBoth(y, sums, red)
		} else {
			cb.blend(y, blue)
			cr.blend(y, red)
		}
		for x := range out.width {
			r, g, b := color.YCbCrToRGB(img.Y[y*img.YStride+x], blue[x], red[x])
			copy(out.pix[(y*out.width+x)*3:], []byte{r, g, b})
		}
	}
	return out
}

// blend interpolates the colours of a row of pixels: three parts of a pixel's own colour,
// one part of the nearer neighbour's.
func (p plane) blend(y int, out []byte) {
	row := p.pix[y*p.stride:][:p.width]
	last := p.width - 1
	for x, v := range row {
		own := 3 * int(v)
		out[2*x] = byte((own + int(row[max(x-1, 0)]) + 1) >> 2)
		out[2*x+1] = byte((own + int(row[min(x+1, last)]) + 2) >> 2)
	}
}

// blendBoth interpolates in both directions: y is a row of pixels, and two such rows share
// a row of colours.
func (p plane) blendBoth(y int, sums []int, out []byte) {
	near := y / 2
	far := min(max(near-1+y%2*2, 0), p.height-1)
	for x := range sums {
		sums[x] = 3*int(p.pix[near*p.stride+x]) + int(p.pix[far*p.stride+x])
	}
	last := p.width - 1
	for x, s := range sums {
		out[2*x] = byte((3*s + sums[max(x-1, 0)] + 8) >> 4)
		out[2*x+1] = byte((3*s + sums[min(x+1, last)] + 7) >> 4)
	}
}
