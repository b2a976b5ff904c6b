package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/encoder/picture"
)

// preprocessor is the name of the file that describes how to preprocess pictures.
const preprocessor = "preprocessor_config.json"

// visionTower is a picture model.
type visionTower struct {
	tower
	processor *picture.Processor
}

// noPictures returns why the folder's encoder cannot encode pictures, or nil if it can.
func (f folder) noPictures(vision string) error {
	switch {
	case vision == "":
		return errors.New("its folder has no vision_model*.onnx next to a text_model*.onnx")
	case f.find(preprocessor) == "":
		return fmt.Errorf("its folder has no %s; get it from the model's repository", preprocessor)
	}
	return nil
}

func openVision(r *ort.Runtime, f folder, model string, s *settings) (*visionTower, error) {
	name := f.find(preprocessor)
	data, err := os.ReadFile(filepath.Join(string(f), name))
	if err != nil {
		return nil, err
	}
	v := &visionTower{}
	if v.processor, err = picture.Read(data); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if v.session, err = r.Open(filepath.Join(string(f), model)); err != nil {
		return nil, err
	}
	if err := errors.Join(v.choose(s, "image_embeds"), v.fit()); err != nil {
		return nil, errors.Join(fmt.Errorf("the model %s: %w", model, err), v.session.Close())
	}
	return v, nil
}

// fit checks the model's inputs.
func (v *visionTower) fit() error {
	inputs := v.session.Inputs()
	if len(inputs) != 1 || inputs[0].Name != "pixel_values" || len(inputs[0].Shape) != 4 {
		return fmt.Errorf("its inputs are %s, want pixel_values only", names(inputs))
	}
	width, height := v.processor.Size()
	for i, n := range []int{1, 3, height, width} {
		if given := inputs[0].Shape[i]; given > 0 && given != int64(n) {
			return fmt.Errorf("its input is %s, but %s specifies pictures of 1×3×%d×%d", inputs[0], preprocessor, height, width)
		}
	}
	return nil
}

// HasPictures reports whether the encoder can encode pictures.
func (e *Encoder) HasPictures() bool { return e.noPictures == nil }

// EncodePictures encodes pictures, given as the bytes of PNG or JPEG files. Pictures and
// texts share a vector space.
func (e *Encoder) EncodePictures(ctx context.Context, files [][]byte) ([][]float32, error) {
	v, err := e.openedVision()
	if err != nil {
		return nil, fmt.Errorf("encoding pictures with %s: %w", e.identity, err)
	}
	out := make([][]float32, len(files))
	width, height := v.processor.Size()
	err = e.forEach(ctx, len(files), "picture", func(ctx context.Context, i int) error {
		pixels, err := v.processor.Pixels(files[i])
		if err != nil {
			return err
		}
		in := ort.Tensor{Name: "pixel_values", Shape: []int64{1, 3, int64(height), int64(width)}, Floats: pixels}
		vector, err := v.run(ctx, []ort.Tensor{in})
		if err == nil && len(vector) != e.identity.Dimension {
			err = fmt.Errorf("pictures have %d dimensions and texts %d; the two models do not belong together", len(vector), e.identity.Dimension)
		}
		out[i] = vector
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// openedVision opens the picture model on first use: searching pictures by text never
// needs it.
func (e *Encoder) openedVision() (*visionTower, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.noPictures != nil:
		return nil, e.noPictures
	case e.closed:
		return nil, errors.New("the encoder is closed")
	case e.vision != nil:
		return e.vision, nil
	}
	v, err := e.openVision()
	if err == nil {
		e.vision = v
	}
	return v, err
}
