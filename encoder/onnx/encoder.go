package onnx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Encoder encodes texts and, if its folder has a model for them, pictures. It is safe for
// concurrent use.
type Encoder struct {
	identity  encoder.Identity
	tokenizer *tokenizer.Tokenizer
	kernels   *bert.Model   // runs the text model, if it can
	text      *tower        // otherwise
	slots     workers.Slots // limits concurrent runs

	noPictures error // why pictures are not supported
	openVision func() (*vision, error)

	mu     sync.Mutex
	vision *vision // nil until the first picture
	closed bool
}

var _ encoder.Encoder = (*Encoder)(nil)

// Open opens the encoder in a folder.
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
		return nil, errors.New("it is a file; give the folder that contains it")
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
	tokens, err := e.openTokenizer(f, s)
	if err != nil {
		return nil, err
	}
	if err := e.identify(f, s, o, limit); err != nil {
		return nil, err
	}
	refused := errors.New("full precision is wanted")
	if !o.FullPrecision {
		refused = e.openKernels(f, s, o, tokens)
	}
	if refused == nil {
		return e, nil
	}
	if err := e.openRuntime(f, s, o, tokens); err != nil {
		return nil, errors.Join(fmt.Errorf("%w (nsfl cannot run the model without ONNX Runtime: %w)", err, refused), e.Close())
	}
	return e, nil
}

// identify sets the parts of the identity that do not depend on the model.
func (e *Encoder) identify(f folder, s *settings, o Options, limit int) error {
	path, err := filepath.Abs(string(f))
	if err != nil {
		return err
	}
	e.identity = encoder.Identity{Name: cmp.Or(o.Name, filepath.Base(path)), MaxTokens: limit, Prefixes: s.prefixes}
	if o.Prefixes != nil {
		e.identity.Prefixes = *o.Prefixes
	}
	return nil
}

// int8Revision is the revision of encoders that package bert runs. Their vectors differ slightly
// from those of ONNX Runtime.
const int8Revision = "int8"

// openKernels opens the model with package bert, or returns why it cannot.
func (e *Encoder) openKernels(f folder, s *settings, o Options, tokens string) error {
	pooling := cmp.Or(o.Pooling, s.pooling)
	switch {
	case !slices.Contains(bertFamily, s.kind):
		return fmt.Errorf("its model_type %s is not one of %s", s.kind, strings.Join(bertFamily, ", "))
	case s.unapplied != "":
		return fmt.Errorf("it has a module %s after the pooling", s.unapplied)
	case pooling != "mean" && pooling != "cls":
		return fmt.Errorf("its pooling %q is not mean or cls", pooling)
	}
	file := cmp.Or(o.Model, f.model(alone, ".onnx", ".safetensors"))
	if file == "" {
		return errors.New("its folder has no model.onnx or model.safetensors")
	}
	sum := f.startWeights(file, tokens)
	m, err := bert.Read(filepath.Join(string(f), file), s.architecture, e.identity.MaxTokens, s.skipped)
	weights, failed := sum()
	if err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	m.First = pooling == "cls"
	id := &e.identity
	id.Revision, id.Dimension, id.Pooling, id.Weights = int8Revision, m.Dim, pooling, weights
	e.kernels, e.noPictures = m, errors.New("its model encodes texts only")
	return nil
}

// openRuntime opens the model with ONNX Runtime. It encodes one word to check that the model
// runs and to learn the dimension of its vectors.
func (e *Encoder) openRuntime(f folder, s *settings, o Options, tokens string) error {
	m, err := f.models(o.Model)
	if err != nil {
		return err
	}
	runtime, err := ort.Load(o.Runtime)
	if err != nil {
		return err
	}
	files := []string{m.text, tokens}
	if e.noPictures = f.noPictures(m); e.noPictures == nil {
		files = append(files, m.vision, f.find(preprocessor))
		e.openVision = func() (*vision, error) { return openVision(runtime, f, m.vision, s) }
	}
	sum := f.startWeights(files...)
	id := &e.identity
	e.text, err = openText(runtime, f, m, s, o.Pooling, id.MaxTokens, e.tokenizer)
	weights, failed := sum()
	if failed != nil {
		err = failed // it reports a missing file more clearly
	}
	if err != nil {
		return err
	}
	id.Weights, id.Pooling = weights, cmp.Or(e.text.pooling, e.text.output)
	if e.text.padTo > 0 {
		id.MaxTokens = min(id.MaxTokens, e.text.padTo)
	}
	ids, _ := e.tokenizer.Encode("dimension", id.MaxTokens)
	probe, err := e.text.text(context.Background(), ids)
	if err != nil {
		return fmt.Errorf("trying the model: %w", err)
	}
	id.Dimension = len(probe)
	return nil
}

// openTokenizer reads tokenizer.json or, for a model without one, vocab.txt, and returns its
// name.
func (e *Encoder) openTokenizer(f folder, s *settings) (name string, err error) {
	var data []byte
	if name = f.find("tokenizer.json"); name != "" {
		if data, err = os.ReadFile(filepath.Join(string(f), name)); err == nil {
			e.tokenizer, err = tokenizer.Read(data)
		}
	} else if name = f.find("vocab.txt"); name != "" && !s.cased {
		if data, err = os.ReadFile(filepath.Join(string(f), name)); err == nil {
			e.tokenizer, err = tokenizer.Uncased(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"))
		}
	} else {
		return "", errors.New("tokenizer.json is missing; get it from the model's repository, " +
			"or convert older files with transformers: AutoTokenizer.from_pretrained(NAME).save_pretrained(FOLDER)")
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return name, nil
}

// openText opens the text model.
func openText(r *ort.Runtime, f folder, m models, s *settings, pooling string, limit int, tokens *tokenizer.Tokenizer) (*tower, error) {
	session, err := r.Open(filepath.Join(string(f), m.text), 1)
	if err != nil {
		return nil, fmt.Errorf("%w; %s may not be an ONNX model, may be truncated, or may lack its file of weights", err, m.text)
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

// fit adapts to the model's inputs.
func (t *tower) fit(s *settings, limit int, tokens *tokenizer.Tokenizer) (err error) {
	if t.padTo, err = checkInputs(t.inputs); err != nil {
		return err
	}
	if slices.Contains(numberedAfterPad, s.kind) && t.wants("position_ids") {
		return fmt.Errorf("it requires position_ids, which %s numbers differently; use an export without them", s.kind)
	}
	switch {
	case s.kind == "siglip": // trained with padding to a fixed length and no attention mask
		t.padTo, t.seesPadding = max(t.padTo, s.positions, limit), true
	case t.padTo > 0 && s.kind != "clip" && !t.wants("attention_mask"):
		return fmt.Errorf("it requires exactly %d tokens and has no attention_mask, so padding would count as text; use an export with variable length", t.padTo)
	}
	if t.padTo > 0 {
		t.pad, err = s.padding(tokens)
	}
	return err
}

func (t *tower) wants(name string) bool {
	return slices.ContainsFunc(t.inputs, func(p ort.Port) bool { return p.Name == name })
}

// padding returns the token used to pad texts to a fixed length.
func (s *settings) padding(tokens *tokenizer.Tokenizer) (int32, error) {
	if id, ok := tokens.ID(s.padToken); ok && s.padToken != "" {
		return id, nil
	}
	if s.padID != nil {
		return *s.padID, nil
	}
	return 0, errors.New("it requires padding, but neither tokenizer_config.json nor config.json names the padding token")
}

// Identity returns the identity. Its hash covers the files listed in the package comment.
func (e *Encoder) Identity() encoder.Identity { return e.identity }

// Close waits for encoding to finish and frees the models.
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
