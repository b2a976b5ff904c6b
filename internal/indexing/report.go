package indexing

import (
	"fmt"
	"io"

	"github.com/nsfl-go/nsfl/internal/ingest"
)

// Report is the result of a pass.
type Report struct {
	Documents int           `json:"documents"`       // stored
	Passages  int           `json:"passages"`        // of these
	Files     int           `json:"files"`           // read
	Unchanged int           `json:"unchanged"`       // not read
	Same      int           `json:"same"`            // read but already stored
	Moved     int           `json:"moved"`           // files that replaced one that no longer exists
	Gone      int           `json:"gone"`            // deleted files
	Removed   int           `json:"removed"`         // documents that are no longer in their files
	Renamed   int           `json:"renamed"`         // documents whose own id was taken
	Example   string        `json:"renamed_example"` // the id of one of them
	Cut       int           `json:"cut"`             // documents with a passage longer than the encoder's limit
	Skipped   []ingest.Skip `json:"skipped,omitempty"`
	Seconds   float64       `json:"seconds"`

	skips ingest.Summary
}

func (r *Report) skip(s ingest.Skip) {
	const shown = 1000 // in JSON; the counts are complete
	r.skips.Add(s)
	if len(r.Skipped) < shown {
		r.Skipped = append(r.Skipped, s)
	}
}

// Forget clears the skips recorded so far.
func (r *Report) Forget() { r.Skipped, r.skips = nil, ingest.Summary{} }

// Print lists the documents stored in the collection at a place, and the skips.
func (r *Report) Print(w io.Writer, place string) {
	fmt.Fprintf(w, "%s: %d documents (%d passages) stored from %d files in %.1f s", place, r.Documents, r.Passages, r.Files, r.Seconds)
	for _, part := range []struct {
		n    int
		text string
	}{{r.Unchanged, "files unchanged"}, {r.Same, "documents unchanged"}, {r.Moved, "files moved"}, {r.Gone, "files gone"}, {r.Removed, "documents removed"}} {
		if part.n > 0 {
			fmt.Fprintf(w, "; %d %s", part.n, part.text)
		}
	}
	fmt.Fprintln(w)
	if r.Renamed > 0 {
		fmt.Fprintf(w, "%d documents have the name of their file in their id, since others have theirs; one is %s\n", r.Renamed, r.Example)
	}
	if r.Cut > 0 {
		fmt.Fprintf(w, "%d documents have a passage that is longer than the encoder reads\n", r.Cut)
	}
	fmt.Fprint(w, r.skips.String())
}
