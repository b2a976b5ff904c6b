package server

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/nsfl-go/nsfl"
	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/ingest"
)

// FileLine is a line of the answer to an upload.
type FileLine struct {
	Type      string   `json:"type" enum:"progress,skipped,done"`
	File      string   `json:"file,omitempty"`
	Documents int      `json:"documents" doc:"on the disk so far"`
	Bytes     int64    `json:"bytes" doc:"read so far"`
	Line      int      `json:"line,omitempty" doc:"skipped: where in the file; left out where all of it is meant"`
	Kind      string   `json:"kind,omitempty" doc:"skipped: the class of the reason"`
	Reason    string   `json:"reason,omitempty"`
	Files     int      `json:"files" doc:"read so far"`
	Cut       int      `json:"cut" doc:"documents so far with a passage longer than the encoder reads"`
	Skipped   int      `json:"skipped" doc:"how much was skipped so far"`
	OK        *bool    `json:"ok,omitempty" doc:"done: the request was read to its end"`
	Error     *Problem `json:"error,omitempty"`
}

// Upload is the form of an upload.
type Upload struct {
	File []string `json:"file" contentEncoding:"binary" doc:"files, each with a name; the extension tells the format"`
}

// shownSkips is how many skips have lines of their own.
const shownSkips = 1000

// upload is one request with files.
type upload struct {
	server     *Server
	collection *nsfl.Collection
	out        *lines
	run        *ingest.Run
	file       string
	before     int64 // bytes of the files before this one
	batch      []engine.Document
	size       int
	done       FileLine
}

func (s *Server) uploadFiles(x *exchange) error {
	if err := x.wantType("multipart/form-data"); err != nil {
		return err
	}
	_, parameters, err := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if err != nil || parameters["boundary"] == "" {
		return newProblem("media_type", "files come as multipart/form-data with a boundary")
	}
	o, release, err := s.collections.Use(x.Context(), x.PathValue("name"), true)
	if err != nil {
		return err
	}
	defer release()
	u := &upload{server: s, collection: o.Collection, out: newLines(x), done: FileLine{Type: "done"}}
	if u.run, err = ingest.New(ingest.Options{Skip: u.skip, Progress: u.progress}); err != nil {
		return err
	}
	err = u.read(x.Context(), multipart.NewReader(x.body, parameters["boundary"]))
	ok := err == nil
	u.done.OK = &ok
	if err != nil {
		x.record.err = err
		u.done.Error = problemOf(err)
	}
	u.out.write(&u.done)
	return nil
}

func (u *upload) read(ctx context.Context, form *multipart.Reader) error {
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			if u.done.Files == 0 {
				return invalid("the form has no file in it: a part needs a file name")
			}
			return nil
		}
		if err != nil {
			return bodyProblem(err)
		}
		// FileName is the last part of a path, so that an id is never one of the
		// client's folders.
		if u.file = part.FileName(); u.file == "" {
			continue
		}
		content := &watched{r: part}
		if err := u.one(ctx, content); err != nil {
			return err
		}
		if content.err != nil {
			return bodyProblem(content.err)
		}
	}
}

// one stores the documents of a file.
func (u *upload) one(ctx context.Context, content io.Reader) error {
	for d, err := range u.run.From(ctx, u.file, content) {
		if err != nil {
			return err
		}
		u.batch = append(u.batch, d)
		u.size += len(d.Text)
		if len(u.batch) == batchDocuments || u.size > batchBytes {
			if err := u.flush(ctx); err != nil {
				return err
			}
		}
	}
	u.done.Files++
	err := u.flush(ctx)
	u.before = u.done.Bytes
	return err
}

func (u *upload) flush(ctx context.Context) error {
	if len(u.batch) > 0 {
		stored, err := u.server.storeBatch(ctx, u.collection, u.batch)
		if err != nil {
			return err
		}
		u.done.Documents += stored.Documents
		u.done.Cut += len(stored.Cut)
		u.batch, u.size = u.batch[:0], 0
	}
	now := u.done
	now.Type, now.File = "progress", u.file
	u.out.write(&now)
	return u.out.err
}

func (u *upload) skip(s ingest.Skip) {
	if u.done.Skipped++; u.done.Skipped <= shownSkips {
		now := u.done
		now.Type, now.File, now.Line, now.Kind, now.Reason = "skipped", s.Path, s.Line, string(s.Kind), s.Reason
		u.out.write(&now)
	}
}

func (u *upload) progress(bytes int64) { u.done.Bytes = u.before + bytes }

// watched remembers why reading ended early. A run of ingest takes that for a
// fault of the file and goes on to the next one.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
