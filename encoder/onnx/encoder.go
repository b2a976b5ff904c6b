package onnx

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/encoder/bert"
	"github.com/nsfl-go/nsfl/encoder/onnx/ort"
	"github.com/nsfl-go/nsfl/encoder/tokenizer"
	"github.com/nsfl-go/nsfl/internal/workers"
)

// Encoder encodes texts and, if its model is one for both, pictures. It is safe for concurrent
// use.
type Encoder struct {
	identity  encoder.Identity
	tokenizer *tokenizer.Tokenizer
	kernels   *bert.Model   // of a text model
	text      *tower        // of a model for texts and pictures
	slots     workers.Slots // limits concurrent runs of ONNX Runtime

	noPictures error // why pictures are not supported
	openVision func() (*visionTower, error)

	mu     sync.Mutex
	vision *visionTower // nil until the first picture
	closed bool
}

var (
	_ encoder.Encoder = (*Encoder)(nil)
	_ encoder.Counter = (*Encoder)(nil)
)

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
	path, err := filepath.Abs(string(f))
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err != nil {
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
	e := &Encoder{slots: make(workers.Slots, runtime.GOMAXPROCS(0))}
	tokens, err := e.openTokenizer(f, s)
	if err != nil {
		return nil, err
	}
	e.identity = encoder.Identity{Name: cmp.Or(o.Name, filepath.Base(path)), MaxTokens: limit, Prefixes: s.prefixes}
	if o.Prefixes != nil {
		e.identity.Prefixes = *o.Prefixes
	}
	if !s.isTower() {
		return e, e.openKernels(f, s, o, tokens)
	}
	if err := e.openRuntime(f, s, o, tokens); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// int8Revision is the revision of encoders that package bert runs.
const int8Revision = "int8"

// openKernels opens a text model.
func (e *Encoder) openKernels(f folder, s *settings, o Options, tokens string) error {
	pooling := cmp.Or(o.Pooling, s.pooling)
	switch {
	case !slices.Contains(bertFamily, s.kind):
		return fmt.Errorf("its model_type %q is neither %s nor, for pictures, clip or siglip; "+
			"run the model in a server such as Ollama, and name its address", s.kind, strings.Join(bertFamily, ", "))
	case s.unapplied != "":
		return fmt.Errorf("modules.json has a module %s after the pooling, which is not supported", s.unapplied)
	case pooling == "":
		return errors.New("the pooling is unknown: 1_Pooling/config.json is missing; " +
			"get it, or set the pooling given on the model card: mean or cls")
	}
	file, err := f.model(o.Model, "model", ".onnx", ".safetensors")
	if err != nil {
		return err
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

// openRuntime opens a model for texts and pictures. It encodes one word to check that the model
// runs and to learn the dimension of its vectors.
func (e *Encoder) openRuntime(f folder, s *settings, o Options, tokens string) error {
	if o.Pooling != "" {
		return errors.New("its model pools itself; set no pooling")
	}
	text, err := f.model(o.Model, textModel, ".onnx")
	if err != nil {
		return err
	}
	vision := f.visionOf(text)
	r, err := ort.Load()
	if err != nil {
		return err
	}
	files := []string{text, tokens}
	if e.noPictures = f.noPictures(vision); e.noPictures == nil {
		files = append(files, vision, f.find(preprocessor))
		e.openVision = func() (*visionTower, error) { return openVision(r, f, vision, s) }
	}
	sum := f.startWeights(files...)
	id := &e.identity
	e.text, err = openText(r, f, text, s, id.MaxTokens, e.tokenizer)
	weights, failed := sum()
	if failed != nil {
		err = failed // it reports a missing file more clearly
	}
	if err != nil {
		return err
	}
	id.Weights, id.Pooling = weights, e.text.output
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

// Identity returns the identity. Its hash covers the files listed in the package comment.
func (e *Encoder) Identity() encoder.Identity { return e.identity }

// Tokens counts tokens according to tokenizer.json.
func (e *Encoder) Tokens(text string) int { return e.tokenizer.Count(text) }

// Room returns the token limit less the longer prefix and the special tokens.
func (e *Encoder) Room() int {
	room := e.identity.MaxTokens
	for _, role := range []encoder.Role{encoder.Document, encoder.Passage} {
		before, _ := e.tokenizer.Encode(e.identity.Prefixes.Of(role), 0)
		room = min(room, e.identity.MaxTokens-len(before))
	}
	return room
}

// Encode encodes texts. Each text's vector is independent of the others.
func (e *Encoder) Encode(ctx context.Context, role encoder.Role, texts []string) (encoder.Encoded, error) {
	if err := role.Check(); err != nil {
		return encoder.Encoded{}, err
	}
	prefix := e.identity.Prefixes.Of(role)
	tokens := func(i int) ([]int32, bool) { return e.tokenizer.Encode(prefix+texts[i], e.identity.MaxTokens) }
	if e.kernels != nil {
		out, err := e.kernels.Encode(ctx, len(texts), tokens)
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("encoding with %s: %w", e.identity, err)
		}
		return out, err
	}
	out := encoder.Encoded{Vectors: make([][]float32, len(texts)), Cut: make([]bool, len(texts))}
	err := e.forEach(ctx, len(texts), "text", func(ctx context.Context, i int) error {
		ids, cut := tokens(i)
		vector, err := e.text.text(ctx, ids)
		if err == nil && len(vector) != e.identity.Dimension {
			err = fmt.Errorf("the model returned %d dimensions, and %d before", len(vector), e.identity.Dimension)
		}
		out.Vectors[i], out.Cut[i] = vector, cut
		return err
	})
	if err != nil {
		return encoder.Encoded{}, err
	}
	return out, nil
}

// forEach calls f for 0 to n-1. The number of concurrent calls, over all users of the
// encoder, is limited by its slots.
func (e *Encoder) forEach(ctx context.Context, n int, what string, f func(context.Context, int) error) error {
	return workers.Each(ctx, n, cap(e.slots), func(ctx context.Context, i int) error {
		return e.slots.Do(ctx, func() error {
			if err := f(ctx, i); err != nil {
				return fmt.Errorf("encoding %s %d with %s: %w", what, i, e.identity, err)
			}
			return nil
		})
	})
}

// Close waits for ONNX Runtime to finish and frees the models.
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
