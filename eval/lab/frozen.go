package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/nsfl-go/nsfl/encoder"
	"github.com/nsfl-go/nsfl/eval/sets"
	"github.com/nsfl-go/nsfl/internal/vec"
	"github.com/nsfl-go/nsfl/internal/vectors"
)

// Frozen reads the vectors of a set from a folder:
//
//	SET.docs.npy   a row for each document of the corpus, in corpus order
//	SET.pass.npy   a row for each passage, document by document; may be absent
//	strings.npy    a row for each string that the queries need
//	strings.txt    those strings, one per line
//
// Rows need not be unit vectors.
func Frozen(dir string, set *sets.Set) (*Corpus, error) {
	c := &Corpus{Encoder: "vectors in " + filepath.Base(dir)}
	var counts []int
	titled := false
	for d, err := range set.Documents {
		if err != nil {
			return nil, err
		}
		c.IDs = append(c.IDs, d.ID)
		c.pieces = append(c.pieces, piecesOf(&d))
		counts = append(counts, len(d.Passages))
		titled = titled || d.Title != ""
	}
	rows, err := readMatrix(filepath.Join(dir, set.Name+".docs.npy"), len(c.IDs))
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the corpus of %s is empty", set.Name)
	}
	c.dim = len(rows[0])
	c.whole = newBlock(c.dim)
	for _, row := range rows {
		c.whole.add(row)
	}
	if !titled { // without titles there are no title vectors to read
		c.titles = newBlock(c.dim)
		for range c.IDs {
			c.titles.add()
		}
	}
	if err := c.readPassages(filepath.Join(dir, set.Name+".pass.npy"), counts); err != nil {
		return nil, err
	}
	return c, c.readStrings(dir)
}

func (c *Corpus) readPassages(path string, counts []int) error {
	total := 0
	for _, n := range counts {
		total += n
	}
	rows, err := readMatrix(path, total)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.passages = newBlock(c.dim)
	for _, n := range counts {
		c.passages.add(rows[:n]...)
		rows = rows[n:]
	}
	return nil
}

func (c *Corpus) readStrings(dir string) error {
	path := filepath.Join(dir, "strings.txt")
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the strings of frozen vectors: %w", err)
	}
	names := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' || r == '\r' })
	rows, err := readMatrix(filepath.Join(dir, "strings.npy"), len(names))
	if err != nil {
		return err
	}
	e := &frozen{identity: encoder.Identity{Name: c.Encoder, Dimension: c.dim}, path: path, known: map[string][]float32{}}
	for i, name := range names {
		e.known[name] = rows[i]
	}
	c.queries = e
	return nil
}

// frozen is an encoder that knows the vectors of some strings.
type frozen struct {
	identity encoder.Identity
	path     string // of the strings
	known    map[string][]float32
}

func (f *frozen) Identity() encoder.Identity { return f.identity }

func (f *frozen) Encode(_ context.Context, _ encoder.Role, strings []string) (encoder.Encoded, error) {
	out := encoder.Encoded{Cut: make([]bool, len(strings))}
	for _, s := range strings {
		if f.known[s] == nil {
			return out, fmt.Errorf("no frozen vector for %q in %s; it needs one for each string of the fusion", s, f.path)
		}
		out.Vectors = append(out.Vectors, f.known[s])
	}
	return out, nil
}

// readMatrix reads a file of n vectors and normalizes them.
func readMatrix(path string, n int) ([][]float32, error) {
	r, err := vectors.Open(path, "")
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // only read
	var rows [][]float32
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := vec.Normalize(row.Vector); err != nil {
			return nil, fmt.Errorf("%s: row %d: %w", path, len(rows), err)
		}
		rows = append(rows, row.Vector)
	}
	if len(rows) != n {
		return nil, fmt.Errorf("%s has %d rows, want %d", path, len(rows), n)
	}
	return rows, nil
}
