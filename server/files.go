package server

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/nsfl-go/nsfl/internal/ingest"
)

// FileLine is a line of the response to an upload.
type FileLine struct {
	Type    string `json:"type" enum:"progress,skipped,done"`
	File    string `json:"file,omitempty"`
	Bytes   int64  `json:"bytes" doc:"read so far"`
	Line    int    `json:"line,omitempty" doc:"skipped: the line in the file; omitted for the whole file"`
	Kind    string `json:"kind,omitempty" doc:"skipped: the class of the reason"`
	Reason  string `json:"reason,omitempty"`
	Files   int    `json:"files" doc:"read so far"`
	Skipped int    `json:"skipped" doc:"how much was skipped so far"`
	StreamLine
}

// Upload is the form of an upload. Every part with a file name counts, whatever its field
// name.
type Upload struct {
	_    struct{} `additionalProperties:"true"`
	File []string `json:"file" nullable:"false" minItems:"1" format:"binary" doc:"files, each with a name; the extension tells the format"`
}

// shownSkips is how many skips get a line each.
const shownSkips = 1000

// upload is one upload request.
type upload struct {
	*stream
	run    *ingest.Run
	file   string
	ids    map[string]string // file by document id
	before int64             // bytes of earlier files
	done   FileLine
}

func (s *Server) uploadFiles(x *exchange) error {
	if err := x.wantType("multipart/form-data"); err != nil {
		return err
	}
	_, parameters, err := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if err != nil || parameters["boundary"] == "" {
		return newProblem("media_type", "files come as multipart/form-data with a boundary")
	}
	lengths, err := x.collection.Lengths(0)
	if err != nil {
		return err
	}
	u := &upload{stream: newStream(x), ids: map[string]string{}, done: FileLine{Type: "done"}}
	if u.run, err = ingest.New(ingest.Options{Lengths: lengths, Skip: u.skip, Progress: u.progress, Child: s.config.Parser}); err != nil {
		return err
	}
	err = u.read(x.Context(), multipart.NewReader(x.body, parameters["boundary"]))
	if err != nil && u.done.Files == 0 && u.file == "" { // no line has been written
		return err
	}
	u.end(&u.done.StreamLine, err)
	_ = u.tell(&u.done) // the client may have gone
	return nil
}

func (u *upload) read(ctx context.Context, form *multipart.Reader) error {
	for {
		u.rest()
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
		// FileName returns only the base name, so ids never contain the client's directories.
		if u.file = part.FileName(); u.file == "" {
			continue
		}
		if err := u.begin(ctx); err != nil {
			return err
		}
		content := &watched{r: part}
		err = u.one(ctx, content)
		if content.err != nil { // this cancels the request's context, too
			return bodyProblem(content.err)
		}
		if err != nil {
			return err
		}
	}
}

// one stores the documents of one file.
func (u *upload) one(ctx context.Context, content io.Reader) error {
	for d, err := range u.run.From(ctx, u.file, content) {
		if err != nil {
			return err
		}
		if first, given := u.ids[d.ID]; given && first != u.file {
			d.ID = ingest.Qualified(u.file, d.ID)
		}
		u.ids[d.ID] = u.file
		if u.isFull(len(d.Text)) {
			if err := u.flush(ctx); err != nil {
				return err
			}
			u.rest()
			if err := u.begin(ctx); err != nil {
				return err
			}
		}
		u.add(d, len(d.Text))
	}
	u.done.Files++
	err := u.flush(ctx)
	u.before = u.done.Bytes
	return err
}

func (u *upload) flush(ctx context.Context) error {
	if len(u.batch) > 0 {
		if err := u.store(ctx, u.batch, &u.done.StreamLine); err != nil {
			return err
		}
		u.empty()
	}
	now := u.done
	now.Type, now.File = "progress", u.file
	return u.tell(&now)
}

func (u *upload) skip(s ingest.Skip) {
	if u.done.Skipped++; u.done.Skipped <= shownSkips {
		now := u.done
		now.Type, now.File, now.Line, now.Kind, now.Reason = "skipped", s.Path, s.Line, string(s.Kind), s.Reason
		_ = u.tell(&now) // a later write reports the error
	}
}

func (u *upload) progress(bytes int64) { u.done.Bytes = u.before + bytes }

// watched records read errors. An ingest run treats a read error as a fault of the file and
// continues with the next file.
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
