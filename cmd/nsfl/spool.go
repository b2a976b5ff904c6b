package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/nsfl-go/nsfl/engine"
)

// spool keeps documents without vectors in a file: there may be more than fit into memory.
type spool struct {
	file *os.File
	to   *bufio.Writer
}

// spooled is a document in the file.
type spooled struct {
	ID       string           `json:"id"`
	Title    string           `json:"title,omitempty"`
	Text     string           `json:"text,omitempty"`
	Passages []engine.Passage `json:"passages,omitempty"`
	Metadata json.RawMessage  `json:"metadata,omitempty"`
}

// newSpool creates the file next to path.
func newSpool(path string) (*spool, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".texts-*")
	if err != nil {
		return nil, err
	}
	return &spool{f, bufio.NewWriter(f)}, nil
}

func (s *spool) remove() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

func (s *spool) add(d engine.Document) error {
	return json.NewEncoder(s.to).Encode(spooled{d.ID, d.Title, d.Text, d.Passages, d.Metadata})
}

// each calls f with batches of documents.
func (s *spool) each(f func([]engine.Document) error) error {
	const most = 64
	if err := s.to.Flush(); err != nil {
		return err
	}
	in := json.NewDecoder(bufio.NewReader(io.NewSectionReader(s.file, 0, 1<<62)))
	for {
		var docs []engine.Document
		for len(docs) < most {
			var d spooled
			err := in.Decode(&d)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
			docs = append(docs, engine.Document{ID: d.ID, Title: d.Title, Text: d.Text, Passages: d.Passages, Metadata: d.Metadata})
		}
		if len(docs) == 0 {
			return nil
		}
		if err := f(docs); err != nil {
			return err
		}
	}
}

// write writes the documents after the first done to a file that nsfl index reads.
func (s *spool) write(path string, done int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	to := json.NewEncoder(w)
	err = s.each(func(docs []engine.Document) error {
		for _, d := range docs {
			if done--; done >= 0 {
				continue
			}
			line := map[string]any{"id": d.ID, "title": d.Title, "text": d.Text}
			var passages []string
			for _, p := range d.Passages {
				passages = append(passages, p.Text)
			}
			if passages != nil {
				line["passages"] = passages
			}
			if d.Metadata != nil {
				line["metadata"] = d.Metadata
			}
			if err := to.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, w.Flush(), f.Sync(), f.Close())
}
