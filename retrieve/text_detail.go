package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nsfl-go/nsfl/engine"
	"github.com/nsfl-go/nsfl/internal/enum"
)

// TextDetail is how much of a document's text a hit includes.
type TextDetail uint8

const (
	Excerpt   TextDetail = iota // the matching passages, up to 8 KiB each
	Passage                     // the matching passages in full
	WholeText                   // the full passages and the document's text
)

var detailNames = []string{"snippet", "passage", "all"}

func (e TextDetail) String() string { return enum.Of(detailNames, e) }

// MarshalText returns the name.
func (e TextDetail) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText parses a name.
func (e *TextDetail) UnmarshalText(text []byte) (err error) {
	*e, err = enum.Find[TextDetail]("text", detailNames, string(text))
	return err
}

// extend adds the requested amount of text to the hits while the byte budget lasts; refs are
// the documents of the hits. It reads clipped texts again, because keeping the full text of
// every document read would take too much memory.
func (s *Searcher) extend(ctx context.Context, r *Result, o *Options, refs []engine.Ref, budget *byteBudget) error {
	var wanted []int
	for i := range r.Hits {
		if o.Text == WholeText || o.Text == Passage && r.Hits[i].clipped() {
			wanted = append(wanted, i)
		}
	}
	extended := 0
	for extended < len(wanted) && (budget == nil || budget.left > 0) {
		some := wanted[extended:min(extended+atOnce, len(wanted))]
		docs := make([]engine.Ref, len(some))
		for j, i := range some {
			docs[j] = refs[i]
		}
		full := false
		err := engine.Visit(ctx, s.Store, docs, engine.Titles|engine.Texts, func(j int, d *engine.Document) {
			if full = full || !r.Hits[some[j]].extend(d, o.Text, budget); !full {
				extended++
			}
		})
		if err != nil || full {
			if err != nil {
				return err
			}
			break
		}
	}
	if r.TextsLeftOut = len(wanted) - extended; r.TextsLeftOut > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the texts of %d results are left out or cut short: with them the answer would be longer than the %d bytes that it may have, so ask for fewer at once, or for one by its id", r.TextsLeftOut, o.Bytes))
	}
	return nil
}

// clipped reports whether a passage of the hit was too long for an excerpt.
func (h *Hit) clipped() bool {
	return slices.ContainsFunc(h.shown(), func(x *Snippet) bool { return x.clipped })
}

// shown returns all excerpts of a hit.
func (h *Hit) shown() []*Snippet {
	out := []*Snippet{&h.Snippet}
	for _, more := range [][]Snippet{h.Passages, h.Unwanted} {
		for i := range more {
			out = append(out, &more[i])
		}
	}
	return out
}

// extend restores the full text of a hit and reports whether it fit into the budget. A
// document that was deleted in the meantime stays as it is.
func (h *Hit) extend(d *engine.Document, e TextDetail, budget *byteBudget) bool {
	if d.ID == "" {
		return true
	}
	snippets := h.shown()
	bytes, whole := 0, ""
	if e == WholeText {
		whole = wholeText(d)
		bytes += fieldBytes + jsonBytes(whole)
	}
	for _, x := range snippets {
		if x.clipped {
			bytes += jsonBytes(x.passage(d))
		}
	}
	if !budget.take(bytes) {
		return false
	}
	h.Text = whole
	for _, x := range snippets {
		if x.clipped {
			x.Text, x.clipped = x.passage(d), false
		}
	}
	return true
}

// passage returns the full passage that an excerpt starts.
func (x *Snippet) passage(d *engine.Document) string {
	begin := strings.TrimSuffix(x.Text, "…")
	for i := range d.Passages {
		if p := &d.Passages[i]; p.Place == x.Place && strings.HasPrefix(p.Text, begin) {
			return p.Text
		}
	}
	return d.Text
}

// wholeText returns the text of a document or, if it has none, its passages joined.
func wholeText(d *engine.Document) string {
	if d.Text != "" {
		return d.Text
	}
	var parts []string
	for i := range d.Passages {
		if p := &d.Passages[i]; p.Text != d.Title || len(d.Passages) == 1 {
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, "\n\n")
}
