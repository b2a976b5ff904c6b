package tokenizer

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
)

// fixture is the format written by training/tokenizer_fixture.py.
type fixture struct {
	Charsmap   string
	Texts      []string
	Tokenizers []*struct {
		Name string
		File json.RawMessage
		IDs  [][]int32

		*Tokenizer `json:"-"`
	}
}

var readFixture = sync.OnceValues(func() (*fixture, error) {
	file, err := os.Open("testdata/fixture.json.gz")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	var f fixture
	if err := json.NewDecoder(z).Decode(&f); err != nil {
		return nil, err
	}
	for _, t := range f.Tokenizers {
		// The table is in the fixture only once, for all tokenizers that use it.
		t.File = bytes.Replace(t.File, []byte("@charsmap"), []byte(f.Charsmap), 1)
		if t.Tokenizer, err = Read(t.File); err != nil {
			return nil, err
		}
	}
	return &f, nil
})

func openFixture(tb testing.TB) *fixture {
	f, err := readFixture()
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

// Every text gets the reference's ids.
func TestFixture(t *testing.T) {
	f := openFixture(t)
	if len(f.Texts) < 600 || len(f.Tokenizers) < 13 {
		t.Fatalf("got %d texts for %d tokenizers", len(f.Texts), len(f.Tokenizers))
	}
	for _, c := range f.Tokenizers {
		t.Run(c.Name, func(t *testing.T) {
			for i, text := range f.Texts {
				if got, cut := c.Encode(text, 0); cut || !slices.Equal(got, c.IDs[i]) {
					t.Errorf("%+q:\ngot  %v\nwant %v", text, got, c.IDs[i])
				}
			}
		})
	}
}
