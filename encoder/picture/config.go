package picture

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Processor converts pictures to the input of a vision model. It is immutable and safe for
// concurrent use.
type Processor struct {
	resize        bool
	shortest      int // the shorter side after resizing; 0 if width and height are set
	width, height int // after resizing
	filter        filter
	crop          bool
	cropW, cropH  int
	values        [3][256]float32 // the model's input for each byte of each colour
}

// maxSide exceeds the input size of any vision model.
const maxSide = 4096

// configFile is a preprocessor_config.json. Pointers are nil if a field is missing.
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

// Read parses a preprocessor_config.json.
func Read(file []byte) (*Processor, error) {
	var c configFile
	if err := json.Unmarshal(file, &c); err != nil {
		return nil, fmt.Errorf("reading the picture preprocessing settings: %w", err)
	}
	p, err := c.processor()
	if err != nil {
		return nil, fmt.Errorf("reading the picture preprocessing settings: %w", err)
	}
	return p, nil
}

func (c *configFile) processor() (*Processor, error) {
	if orDefault(c.Pad, false) {
		return nil, errors.New("do_pad is set, but padding is not supported")
	}
	p := &Processor{
		resize: orDefault(c.Resize, given(c.Size)),
		crop:   orDefault(c.CenterCrop, given(c.CropSize)),
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
		return nil, errors.New("pictures would have different sizes, but a model requires one size: set size to height and width, or do_center_crop")
	}
	return p, c.readValues(p)
}

// Size returns the width and height of the pictures given to the model.
func (p *Processor) Size() (width, height int) {
	if p.crop {
		return p.cropW, p.cropH
	}
	return p.width, p.height // 0 if the settings do not fix a size
}

func (c *configFile) readSize(p *Processor) error {
	s, err := readSides(c.Size)
	if err != nil {
		return fmt.Errorf("size %w", err)
	}
	p.shortest, p.width, p.height = s.Shortest, s.Width, s.Height
	if s.one > 0 {
		// Old files have one number: the shorter side for processors that crop afterwards, both
		// sides for the others.
		if p.crop {
			p.shortest = s.one
		} else {
			p.width, p.height = s.one, s.one
		}
	}
	code := orDefault(c.Resample, 3)
	var ok bool
	if p.filter, ok = filters[code]; !ok {
		return fmt.Errorf("resample is %v, want 2 (bilinear) or 3 (bicubic)", code)
	}
	return nil
}

// readValues computes the model's input for each byte, in the same order and precision as
// the reference processors.
func (c *configFile) readValues(p *Processor) error {
	factor := 1.0
	if orDefault(c.Rescale, true) {
		factor = orDefault(c.Factor, 1.0/255)
	}
	normalize := orDefault(c.Normalize, c.Mean != nil)
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

// sides is a size in one of its notations.
type sides struct {
	Shortest int `json:"shortest_edge"`
	Longest  int `json:"longest_edge"`
	Height   int `json:"height"`
	Width    int `json:"width"`
	one      int // a single number
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

// given reports whether a member is present and not null.
func given(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// orDefault returns the value of a member, or a default if it is missing.
func orDefault[T any](member *T, otherwise T) T {
	if member == nil {
		return otherwise
	}
	return *member
}
