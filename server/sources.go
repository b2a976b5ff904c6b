package server

import (
	"encoding/hex"
	"maps"
	"slices"
	"strconv"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/ingest"
	"github.com/nsfl-go/nsfl/internal/workspace"
)

// Source is the fingerprint of an indexed file. Clients use it to find changed files.
type Source struct {
	Name     string `json:"name" doc:"name in the metadata field source of the documents"`
	Size     int64  `json:"size" minimum:"0" doc:"in bytes"`
	Modified int64  `json:"modified" doc:"nanoseconds since 1970; 0: unknown"`
	SHA256   string `json:"sha256" doc:"of the content, hexadecimal; empty if the documents may not match the file"`
	Place    string `json:"place,omitempty" doc:"path of the file on the client's machine"`
}

// SourceList is a page of sources.
type SourceList struct {
	Sources []Source `json:"sources" nullable:"false"`
	Next    string   `json:"next,omitempty" doc:"parameter after for the next page; omitted on the last page"`
}

// SourceNote is the fingerprint of a file to save.
type SourceNote struct {
	Name     string `json:"name" minLength:"1" maxLength:"1024" doc:"name in the metadata field source of the documents"`
	Size     int64  `json:"size,omitempty" minimum:"0" doc:"in bytes"`
	Modified int64  `json:"modified,omitempty" doc:"nanoseconds since 1970; 0: unknown"`
	SHA256   string `json:"sha256,omitempty" pattern:"^([0-9A-Fa-f]{64})?$" doc:"of the content; empty if the documents may not match the file"`
	Place    string `json:"place,omitempty" maxLength:"65536" doc:"path of the file on the client's machine"`
	Forget   bool   `json:"forget,omitempty" doc:"remove the fingerprint"`
}

// SourceNotes are the fingerprints to save.
type SourceNotes struct {
	Sources []SourceNote `json:"sources" nullable:"false" minItems:"1" maxItems:"1000"`
}

// SourceCount is the number of saved sources.
type SourceCount struct {
	Sources int `json:"sources"`
}

// maxPlace limits the path of a file; operating systems allow 4 KiB or 32,767 characters.
const maxPlace = 64 << 10

// fingerprint returns the fingerprint to save, or nil to forget the file.
func (s *SourceNote) fingerprint() (*ingest.Fingerprint, error) {
	sum, err := hex.DecodeString(s.SHA256)
	switch {
	case s.Name == "" || len(s.Name) > engine.MaxIDBytes:
		return nil, invalid("the name of a source must have 1 to %d bytes; this one has %d", engine.MaxIDBytes, len(s.Name))
	case err != nil || len(sum) != 0 && len(sum) != 32:
		return nil, invalid("the sha256 of source %q does not have 64 hexadecimal digits", s.Name)
	case s.Size < 0:
		return nil, invalid("source %q has a size below 0", s.Name)
	case len(s.Place) > maxPlace:
		return nil, invalid("the place of source %q has %d bytes; the maximum is %d", s.Name, len(s.Place), maxPlace)
	}
	if s.Forget {
		return nil, nil
	}
	return &ingest.Fingerprint{Size: s.Size, Modified: s.Modified, SHA256: s.SHA256, Place: s.Place}, nil
}

func (s *Server) listSources(x *exchange, _ *nothing) (*SourceList, error) {
	limit, err := x.limit(maxAtOnce)
	if err != nil {
		return nil, err
	}
	files, err := workspace.Files(x.Context(), x.collection.Store())
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(files))
	from, found := slices.BinarySearch(names, x.URL.Query().Get("after"))
	if found {
		from++
	}
	list := &SourceList{Sources: []Source{}}
	for _, name := range names[from:min(from+limit, len(names))] {
		f := files[name]
		list.Sources = append(list.Sources, Source{Name: name, Size: f.Size, Modified: f.Modified, SHA256: f.SHA256, Place: f.Place})
	}
	if from+limit < len(names) {
		list.Next = names[from+limit-1]
	}
	return list, nil
}

func (s *Server) noteSources(x *exchange, in *SourceNotes) (*SourceCount, error) {
	if n := len(in.Sources); n == 0 || n > maxAtOnce {
		return nil, invalid("the list has %d sources; it must have 1 to %d", n, maxAtOnce)
	}
	files := map[string]*ingest.Fingerprint{}
	for i := range in.Sources {
		var err error
		if files[in.Sources[i].Name], err = in.Sources[i].fingerprint(); err != nil {
			return nil, err
		}
	}
	return &SourceCount{len(files)}, x.collection.NoteFiles(x.Context(), files)
}

// IDs is a list of document ids.
type IDs struct {
	IDs []string `json:"ids" nullable:"false" minItems:"1" maxItems:"1000" minLength:"1"`
}

func (in *IDs) check() error {
	if n := len(in.IDs); n == 0 || n > maxAtOnce {
		return invalid("the list has %d ids; it must have 1 to %d", n, maxAtOnce)
	}
	if i := slices.Index(in.IDs, ""); i >= 0 {
		return invalid("id %d of the list is empty", i)
	}
	return nil
}

// Deleted is the number of deleted documents.
type Deleted struct {
	Documents int `json:"documents"`
}

func (s *Server) lookupDocuments(x *exchange, in *IDs) (*DocumentPage, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	if err := x.share.Draw(s.limits.listCost(len(in.IDs))); err != nil {
		return nil, err
	}
	page, room, seen := &DocumentPage{}, true, map[string]bool{}
	for _, id := range in.IDs {
		if seen[id] {
			continue
		}
		seen[id] = true
		if !room {
			page.Next = id
			break
		}
		d, err := x.collection.Store().Get(x.Context(), id, shownParts)
		switch {
		case err == nil:
			room = page.add(*NewDocument(&d), d.Bytes(), &s.limits)
		case !isNotFound(err):
			return nil, err
		}
	}
	return page, nil
}

func (s *Server) deleteDocuments(x *exchange, in *IDs) (*Deleted, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	n, err := x.collection.Delete(x.Context(), in.IDs...)
	return &Deleted{n}, err
}

// limit returns the parameter limit, from 1 to most; the default is 100.
func (x *exchange) limit(most int) (int, error) {
	asked := x.URL.Query()
	if !asked.Has("limit") {
		return 100, nil
	}
	text := asked.Get("limit")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, invalid("limit=%q is not a number from 1 to %d", text, most)
	}
	return n, nil
}
