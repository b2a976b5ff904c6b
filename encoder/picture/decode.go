package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
)

// A picture of more than maxPixels pixels is rejected before it is unpacked, and so is one
// that resizing would make that large: a file of a few kilobytes can claim to be gigabytes.
const (
	maxPixels = 1 << 26
	maxEdge   = 1<<16 - 1 // the limit of JPEG
)

// rgb is a picture with 8 bits per colour, row by row.
type rgb struct {
	width, height int
	pix           []byte
}

func newRGB(width, height int) rgb {
	return rgb{width, height, make([]byte, 3*width*height)}
}

// decode decodes a PNG or a JPEG.
func decode(file []byte) (rgb, error) {
	config, read := png.DecodeConfig, png.Decode
	switch {
	case len(file) == 0:
		return rgb{}, errors.New("it is empty")
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
	case bytes.HasPrefix(file, []byte("\xff\xd8")):
		config, read = jpeg.DecodeConfig, jpeg.Decode
	default:
		return rgb{}, errors.New("it is neither PNG nor JPEG; convert it to one of them")
	}
	c, err := config(bytes.NewReader(file))
	if err != nil {
		return rgb{}, err
	}
	if err := checkSize("it has", c.Width, c.Height); err != nil {
		return rgb{}, err
	}
	img, err := read(bytes.NewReader(file))
	if err != nil {
		return rgb{}, err
	}
	// The header is decoded twice; check the actual result.
	if b := img.Bounds(); b.Dx() != c.Width || b.Dy() != c.Height {
		return rgb{}, fmt.Errorf("its header says %d×%d pixels, but it has %d×%d", c.Width, c.Height, b.Dx(), b.Dy())
	}
	return convert(img), nil
}

func checkSize(what string, width, height int) error {
	switch {
	case width < 1 || height < 1:
		return fmt.Errorf("%s no pixels: %d×%d", what, width, height)
	case width > maxEdge || height > maxEdge:
		return fmt.Errorf("%s %d×%d pixels, but a side may have at most %d; make it smaller", what, width, height, maxEdge)
	case width*height > maxPixels:
		return fmt.Errorf("%s %d×%d pixels, but at most %d million are allowed; make it smaller", what, width, height, maxPixels>>20)
	}
	return nil
}

// convert does what PIL's convert("RGB") does, for the types that Go's decoders return.
func convert(img image.Image) rgb {
	if img, ok := img.(*image.YCbCr); ok {
		switch img.SubsampleRatio {
		case image.YCbCrSubsampleRatio420:
			return ycbcr(img, true)
		case image.YCbCrSubsampleRatio422:
			return ycbcr(img, false)
		}
	}
	b := img.Bounds()
	out := newRGB(b.Dx(), b.Dy())
	at := 0
	set := func(red, green, blue byte) {
		out.pix[at], out.pix[at+1], out.pix[at+2] = red, green, blue
		at += 3
	}
	pixel := func(x, y int) {
		red, green, blue, _ := img.At(x, y).RGBA()
		set(byte(red>>8), byte(green>>8), byte(blue>>8))
	}
	switch img := img.(type) {
	case *image.RGBA: // from PNGs without transparency, so not premultiplied
		pixel = func(x, y int) { p := img.Pix[img.PixOffset(x, y):]; set(p[0], p[1], p[2]) }
	case *image.NRGBA:
		pixel = func(x, y int) { p := img.Pix[img.PixOffset(x, y):]; set(p[0], p[1], p[2]) }
	case *image.RGBA64: // keep the upper eight of sixteen bits
		pixel = func(x, y int) { p := img.Pix[img.PixOffset(x, y):]; set(p[0], p[2], p[4]) }
	case *image.NRGBA64:
		pixel = func(x, y int) { p := img.Pix[img.PixOffset(x, y):]; set(p[0], p[2], p[4]) }
	case *image.Paletted:
		table := plain(img)
		pixel = func(x, y int) { c := table[img.ColorIndexAt(x, y)]; set(c[0], c[1], c[2]) }
	case *image.CMYK:
		pixel = func(x, y int) {
			p := img.Pix[img.PixOffset(x, y):]
			set(ink(p[0], p[3]), ink(p[1], p[3]), ink(p[2], p[3]))
		}
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			pixel(x, y)
		}
	}
	return out
}
