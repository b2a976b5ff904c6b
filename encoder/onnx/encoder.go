package onnx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Encoder encodes texts, and pictures where its folder has a model for them. It
// is safe for concurrent use.
type Encoder struct {
	identity  encoder.Identity
	tokenizer *tokenizer.Tokenizer
	text      *tower
	slots     workers.Slots // for texts and pictures under way

	noPictures error // why there is no model for them
	openVision func() (*vision, error)

	mu     sync.Mutex
	vision *vision // nil until there was a picture
	closed bool
}

var _ encoder.Encoder = (*Encoder)(nil)

// Open opens the encoder in a folder. It encodes one word, to know that the model
// runs and how many dimensions its vectors have.
func Open(dir string, o Options) (*Encoder, error) {
	e, err := open(folder(dir), o)
	if err != nil {
		return nil, fmt.Errorf("opening the encoder in %s: %w", dir, err)
	}
	return e, nil
}

func open(f folder, o Options) (*Encoder, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(string(f)); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, errors.New("it is a file; name the folder that it is in")
	}
	m, err := f.models(o.Model)
	if err != nil {
		return nil, err
	}
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	limit, err := s.limit(o.MaxTokens)
	if err != nil {
		return nil, err
	}
	e := &Encoder{slots: make(workers.Slots, o.Threads)}
	tokens, err := e.openTokenizer(f)
	if err != nil {
		return nil, err
	}
	runtime, err := ort.Load(o.Runtime)
	if err != nil {
		return nil, err
	}
	files := []string{m.text, tokens}
	if e.noPictures = f.noPictures(m); e.noPictures == nil {
		files = append(files, m.vision, f.find(preprocessor))
		e.openVision = func() (*vision, error) { return openVision(runtime, f, m.vision, s) }
	}
	sum := make(chan error, 1)
	go func() {
		var err error
		e.identity.Weights, err = f.weights(files)
		sum <- err
	}()
	e.text, err = openText(runtime, f, m, s, o.Pooling, limit, e.tokenizer)
	if failed := <-sum; failed != nil {
		err = failed // a missing file is said more plainly there
	}
	if err == nil {
		err = e.identify(f, s, o, limit)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// identify fills in the identity.
func (e *Encoder) identify(f folder, s *settings, o Options, limit int) error {
	id := &e.identity
	path, err := filepath.Abs(string(f))
	if err != nil {
		return err
	}
	id.Name = cmp.Or(o.Name, filepath.Base(path))
	id.Pooling = cmp.Or(e.text.pooling, e.text.output)
	id.Prefixes = s.prefixes
	if o.Prefixes != nil {
		id.Prefixes = *o.Prefixes
	}
	id.MaxTokens = limit
	if e.text.padTo > 0 {
		id.MaxTokens = min(limit, e.text.padTo)
	}
	ids, _ := e.tokenizer.Encode("dimension", id.MaxTokens)
	probe, err := e.text.text(context.Background(), ids)
	if err != nil {
		return fmt.Errorf("trying the model: %w", err)
	}
	id.Dimension = len(probe)
	return nil
}

// openTokenizer reads tokenizer.json and returns its name.
func (e *Encoder) openTokenizer(f folder) (string, error) {
	name := f.find("tokenizer.json")
	if name == "" {
		return "", errors.New("tokenizer.json is missing; get it from where the model came from, " +
			"or make it of older files with transformers: AutoTokenizer.from_pretrained(NAME).save_pretrained(FOLDER)")
	}
	data, err := os.ReadFile(filepath.Join(string(f), name))
	if err == nil {
		e.tokenizer, err = tokenizer.Read(data)
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return name, nil
}

// openText opens the model of texts.
func openText(r *ort.Runtime, f folder, m models, s *settings, pooling string, limit int, tokens *tokenizer.Tokenizer) (*tower, error) {
	session, err := r.Open(filepath.Join(string(f), m.text), 1)
	if err != nil {
		return nil, err
	}
	t := &tower{session: session, inputs: session.Inputs()}
	t.output, t.pooling, err = chooseOutput(session.Outputs(), s, pooling)
	if err == nil {
		err = t.fit(s, limit, tokens)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the model %s: %w", m.text, err), session.Close())
	}
	return t, nil
}

// fit looks at what the model wants to be given.
func (t *tower) fit(s *settings, limit int, tokens *tokenizer.Tokenizer) (err error) {
	if t.padTo, err = checkInputs(t.inputs); err != nil {
		return err
	}
	if slices.Contains(numberedAfterPad, s.kind) && t.wants("position_ids") {
		return fmt.Errorf("it wants position_ids, which %s numbers in a way of its own; use an export without them", s.kind)
	}
	switch {
	case s.kind == "siglip": // was trained on texts of one length, and looked at the padding
		t.padTo, t.seesPadding = max(t.padTo, s.positions, limit), true
	case t.padTo > 0 && s.kind != "clip" && !t.wants("attention_mask"):
		return fmt.Errorf("it takes %d tokens and no attention_mask, so it would take padding for text; use an export with free length", t.padTo)
	}
	if t.padTo > 0 {
		t.pad, err = s.padding(tokens)
	}
	return err
}

func (t *tower) wants(name string) bool {
	return slices.ContainsFunc(t.inputs, func(p ort.Port) bool { return p.Name == name })
}

// padding is the token that fills up what is always of one length.
func (s *settings) padding(tokens *tokenizer.Tokenizer) (int32, error) {
	if id, ok := tokens.ID(s.padToken); ok && s.padToken != "" {
		return id, nil
	}
	if s.padID != nil {
		return *s.padID, nil
	}
	return 0, errors.New("it wants padding, and neither tokenizer_config.json nor config.json names the token for it")
}

// Identity has the hash of what decides the vectors; the package comment says of
// which files.
func (e *Encoder) Identity() encoder.Identity { return e.identity }

// Close gives back the models' memory, once all that encode are done.
func (e *Encoder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	var errs []error
	if e.text != nil {
		errs = append(errs, e.text.session.Close())
	}
	if e.vision != nil {
		errs = append(errs, e.vision.session.Close())
	}
	return errors.Join(errs...)
}
