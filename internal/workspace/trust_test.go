package workspace

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/stores"
)

// stranger is an encoder at an address that counts its requests.
func stranger(t *testing.T) (word string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var in struct {
			Input []string `json:"input"`
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		type vector struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var out struct {
			Data []vector `json:"data"`
		}
		for i := range in.Input {
			out.Data = append(out.Data, vector{i, []float32{1, 0, 0}})
		}
		_ = json.NewEncoder(w).Encode(out)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1#m", asked
}

// TestForeignEncoder: a collection that names an address as its encoder does not cause a
// request to it, until the user has named it.
func TestForeignEncoder(t *testing.T) {
	t.Setenv("NSFL_API_KEY", "secret")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	ctx, root := t.Context(), t.TempDir()
	word, asked := stranger(t)
	place := filepath.Join(root, "gift")
	o, err := Open(ctx, place, Options{Make: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(o.Create(ctx), o.Close()); err != nil {
		t.Fatal(err)
	}
	setWord(t, place, word)

	var foreign *ForeignError
	if _, err := Open(ctx, place, Options{ReadOnly: true}); !errors.As(err, &foreign) || foreign.Word != word {
		t.Errorf("opening it: %v", err)
	}
	for _, personal := range []bool{false, true} {
		c := open(t, Config{Root: root, Hold: true, Personal: personal})
		_, _, err := c.Use(ctx, "gift", false)
		refused(t, err, Unavailable, "see the server's log")
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("the address was asked %d times", n)
	}

	// Its dimension differs, so opening fails, but the encoder is contacted.
	c := open(t, Config{Root: root, Hold: true, Encoders: []string{"builtin", word}})
	if _, _, err := c.Use(ctx, "gift", false); err == nil || asked.Load() == 0 {
		t.Errorf("offered by the server: %v, asked %d times", err, asked.Load())
	}
	own := filepath.Join(root, "own")
	if o, err = Open(ctx, own, Options{Make: true, Encoder: word}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(o.Create(ctx), o.Close()); err != nil {
		t.Fatal(err)
	}
	if o, err = Open(ctx, own, Options{ReadOnly: true}); err != nil {
		t.Fatalf("an encoder named on a command line is not remembered: %v", err)
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(rememberedFile()); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file of words: %v, %v", info.Mode(), err)
	}
	personal := open(t, Config{Root: root, Personal: true})
	_, release, err := personal.Use(ctx, "own", false)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

// setWord changes the encoder spec stored in a collection.
func setWord(t *testing.T, place, word string) {
	t.Helper()
	store, err := stores.Open(t.Context(), place, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.SetNotes(t.Context(), map[string]string{EncoderNote: word}), store.Close()); err != nil {
		t.Fatal(err)
	}
}
