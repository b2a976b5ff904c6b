package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"strings"
	"testing"
)

// crc recomputes the checksum of a PNG's first chunk.
func crc(file []byte) []byte {
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func TestConfigs(t *testing.T) {
	for name, c := range map[string]struct {
		config        string
		width, height int
	}{
		"old CLIP":      {`{"size": 224, "crop_size": 224, "do_center_crop": true, "do_resize": true, "resample": 3}`, 224, 224},
		"new CLIP":      {`{"size": {"shortest_edge": 224}, "crop_size": {"height": 224, "width": 200}}`, 200, 224},
		"SigLIP":        {`{"size": {"height": 384, "width": 320}, "do_center_crop": null}`, 320, 384},
		"one number":    {`{"size": 384}`, 384, 384},
		"crop only":     {`{"do_resize": false, "crop_size": 30}`, 30, 30},
		"crop by edge":  {`{"do_resize": false, "crop_size": {"shortest_edge": 30}}`, 30, 30},
		"flags matter":  {`{"size": 384, "crop_size": 30, "do_center_crop": false}`, 384, 384},
		"unknown words": {`{"size": 384, "size_divisor": 32, "image_processor_type": "BlipImageProcessor"}`, 384, 384},
	} {
		p, err := Read([]byte(c.config))
		if err != nil {
			t.Errorf("%s: got error %v", name, err)
			continue
		}
		if w, h := p.Size(); w != c.width || h != c.height {
			t.Errorf("%s: got %d×%d, want %d×%d", name, w, h, c.width, c.height)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for config, want := range map[string]string{
		`[`:                                "unexpected end of JSON",
		`{}`:                               "different sizes",
		`{"size": {"height": 3}}`:          `is {"height": 3}, want shortest_edge`,
		`{"size": 0}`:                      "size is 0, want at least 1",
		`{"size": "large"}`:                `size is "large"`,
		`{"size": 100000}`:                 "a side of 100000",
		`{"size": {"longest_edge":1}}`:     "longest_edge",
		`{"size": {"shortest_edge": 224}}`: "different sizes",
		`{"size": 8, "resample": 0}`:       "resample is 0",
		`{"size": 8, "do_pad": true}`:      "do_pad",
		`{"size": 8, "image_mean": [0.5]}`: "1 and 0 numbers, want 3 and 3",
		`{"size": 8, "image_mean": [0,0,0], "image_std": [0,0,0]}`:                    "image_std must not be 0",
		`{"size": 8, "do_center_crop": true}`:                                         "crop_size is missing",
		`{"size": 8, "do_center_crop": true, "crop_size": {"shortest_edge": -1}}`:     "crop_size has a side of -1",
		`{"size": 8, "do_resize": true, "crop_size": {"height": 8, "width": 100000}}`: "a side of",
	} {
		if _, err := Read([]byte(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", config, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"clip", "siglip"} {
		f.Add(read(f, name+"/preprocessor_config.json"))
	}
	f.Add([]byte(`{"size": 224, "crop_size": 224, "do_center_crop": true}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := Read(file)
		if err != nil {
			return
		}
		if w, h := p.Size(); w < 1 || h < 1 || w > maxSide || h > maxSide {
			t.Errorf("got %d×%d pixels", w, h)
		}
	})
}

func FuzzPixels(f *testing.F) {
	for _, name := range readJSON[[]string](f, "pictures.json") {
		f.Add(read(f, name), true)
	}
	square, err := Read([]byte(`{"size": 8}`))
	if err != nil {
		f.Fatal(err)
	}
	cropped, err := Read([]byte(`{"size": 9, "crop_size": 8}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, file []byte, crop bool) {
		if c, _, err := image.DecodeConfig(bytes.NewReader(file)); err == nil && (c.Width > 256 || c.Height > 256) {
			return // large pictures are slow and no more interesting
		}
		p := square
		if crop {
			p = cropped
		}
		pixels, err := p.Pixels(file)
		if err == nil && len(pixels) != 3*8*8 {
			t.Errorf("got %d numbers", len(pixels))
		}
	})
}
