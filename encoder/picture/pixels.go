package picture

import "fmt"

// Pixels returns the model's input for a picture file: all reds, all greens, all blues,
// each row by row.
func (p *Processor) Pixels(file []byte) ([]float32, error) {
	img, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("reading a picture: %w", err)
	}
	if p.resize {
		width, height := p.target(img)
		if img, err = img.resized(width, height, p.filter); err != nil {
			return nil, fmt.Errorf("preparing a picture: %w", err)
		}
	}
	return p.cut(img), nil
}

// target returns the size of a picture after resizing and before cropping.
func (p *Processor) target(img rgb) (width, height int) {
	switch {
	case p.shortest == 0:
		return p.width, p.height
	case img.width <= img.height:
		return p.shortest, p.shortest * img.height / img.width
	}
	return p.shortest * img.width / img.height, p.shortest
}

// cut crops the middle of a picture, padding with black if the picture is smaller.
func (p *Processor) cut(img rgb) []float32 {
	width, height := p.Size()
	// Shifting rounds down, also for negative numbers.
	left, top := (img.width-width)>>1, (img.height-height)>>1
	out := make([]float32, 3*width*height)
	for y := range height {
		for x := range width {
			var px [3]byte
			if sx, sy := x+left, y+top; sx >= 0 && sx < img.width && sy >= 0 && sy < img.height {
				px = [3]byte(img.pix[(sy*img.width+sx)*3:])
			}
			for colour, v := range px {
				out[(colour*height+y)*width+x] = p.values[colour][v]
			}
		}
	}
	return out
}
