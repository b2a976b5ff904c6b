package picture

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Processor turns pictures into what one vision model reads. It never changes
// and is safe for concurrent use.
type Processor struct {
	resize        bool
	shortest      int // the length of the shorter side after resizing; 0: width and height are set
	width, height int // after resizing
	filter        filter
	crop          bool
	cropW, cropH  int
	values        [3][256]float32 // what a byte of each colour becomes
}

// maxSide is more than any vision model looks at.
const maxSide = 4096

// configFile is a preprocessor_config.json. Pointers tell what is not said.
type configFile struct {
	Resize     *bool           `json:"do_resize"`
	Size       json.RawMessage `json:"size"`
	Resample   *float64        `json:"resample"`
	CenterCrop *bool           `json:"do_center_crop"`
	CropSize   json.RawMessage `json:"crop_size"`
	Rescale    *bool           `json:"do_rescale"`
	Factor     *float64        `json:"rescale_factor"`
	Normalize  *bool           `json:"do_normalize"`
	Mean       []float64       `json:"image_mean"`
	Std        []float64       `json:"image_std"`
	Pad        *bool           `json:"do_pad"`
}

// Read reads a preprocessor_config.json.
func Read(file []byte) (*Processor, error) {
	var c configFile
	if err := json.Unmarshal(file, &c); err != nil {
		return nil, fmt.Errorf("reading how pictures are prepared: %w", err)
	}
	p, err := c.processor()
	if err != nil {
		return nil, fmt.Errorf("reading how pictures are prepared: %w", err)
	}
	return p, nil
}

func (c *configFile) processor() (*Processor, error) {
	if said(c.Pad, false) {
		return nil, errors.New("do_pad is set, and pictures are not padded here")
	}
	p := &Processor{
		resize: said(c.Resize, given(c.Size)),
		crop:   said(c.CenterCrop, given(c.CropSize)),
	}
	if p.resize {
		if err := c.readSize(p); err != nil {
			return nil, err
		}
	}
	if p.crop {
		s, err := readSides(c.CropSize)
		if err != nil {
			return nil, fmt.Errorf("crop_size %w", err)
		}
		p.cropW, p.cropH = cmp.Or(s.Width, s.one, s.Shortest), cmp.Or(s.Height, s.one, s.Shortest)
	}
	if w, _ := p.Size(); w == 0 {
		return nil, errors.New("pictures would keep different sizes; a model wants one: set size to height and width, or do_center_crop")
	}
	return p, c.readValues(p)
}

// Size is the width and height of every picture that a model is given.
func (p *Processor) Size() (width, height int) {
	if p.crop {
		return p.cropW, p.cropH
	}
	return p.width, p.height // 0 where nothing makes pictures one size
}

func (c *configFile) readSize(p *Processor) error {
	s, err := readSides(c.Size)
	if err != nil {
		return fmt.Errorf("size %w", err)
	}
	p.shortest, p.width, p.height = s.Shortest, s.Width, s.Height
	if s.one > 0 {
		// Old files have one number: the shorter side for the processors that
		// crop afterwards, both sides for the others.
		if p.crop {
			p.shortest = s.one
		} else {
			p.width, p.height = s.one, s.one
		}
	}
	code := said(c.Resample, 3)
	var ok bool
	if p.filter, ok = filters[code]; !ok {
		return fmt.Errorf("resample is %v, and only 1 (Lanczos), 2 (bilinear) and 3 (bicubic) are done here", code)
	}
	return nil
}

// readValues computes what each byte becomes, in the order and the precision in
// which processors compute it.
func (c *configFile) readValues(p *Processor) error {
	factor := 1.0
	if said(c.Rescale, true) {
		factor = said(c.Factor, 1.0/255)
	}
	normalize := said(c.Normalize, c.Mean != nil)
	if normalize && (len(c.Mean) != 3 || len(c.Std) != 3) {
		return fmt.Errorf("image_mean and image_std have %d and %d numbers, want 3 and 3", len(c.Mean), len(c.Std))
	}
	for colour := range p.values {
		for b := range p.values[colour] {
			v := float32(float64(b) * factor)
			if normalize {
				v = (v - float32(c.Mean[colour])) / float32(c.Std[colour])
			}
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return errors.New("rescale_factor, image_mean and image_std give numbers that are not finite; image_std must not be 0")
			}
			p.values[colour][b] = v
		}
	}
	return nil
}

// sides are a size as these files say it.
type sides struct {
	Shortest int `json:"shortest_edge"`
	Longest  int `json:"longest_edge"`
	Height   int `json:"height"`
	Width    int `json:"width"`
	one      int // all there is
}

func readSides(raw json.RawMessage) (sides, error) {
	var s sides
	if !given(raw) {
		return s, errors.New("is missing")
	}
	if err := json.Unmarshal(raw, &s.one); err != nil {
		if err := json.Unmarshal(raw, &s); err != nil {
			return s, fmt.Errorf("is %.80s: %w", raw, err)
		}
	} else if s.one < 1 {
		return s, fmt.Errorf("is %d, want at least 1", s.one)
	}
	for _, n := range []int{s.Shortest, s.Height, s.Width, s.one} {
		if n < 0 || n > maxSide {
			return s, fmt.Errorf("has a side of %d, want 1 to %d", n, maxSide)
		}
	}
	switch {
	case s.Longest != 0:
		return s, errors.New("has a longest_edge, which is not supported")
	case s.one > 0, s.Shortest > 0 && s.Height == 0 && s.Width == 0, s.Shortest == 0 && s.Height > 0 && s.Width > 0:
		return s, nil
	}
	return s, fmt.Errorf("is %.80s, want shortest_edge, or height and width", raw)
}

// given tells whether a member is there and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// said is what a member says, or otherwise what is meant without it.
func said[T any](member *T, otherwise T) T {
	if member == nil {
		return otherwise
	}
	return *member
}
