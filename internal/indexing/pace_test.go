package indexing

import (
	"math"
	"testing"

	"github.com/nsfl-go/nsfl/internal/ingest"
)

// TestPace: after a small file of text, large PDF files with little text do not make the
// estimate jump.
func TestPace(t *testing.T) {
	text, pdf := ingest.Source{Name: "a.md", Size: 200_000}, ingest.Source{Name: "b.pdf", Size: 8_000_000}
	p := newPace([]ingest.Source{text, pdf})
	whole := func() float64 { done, left := p.estimate(); return done + left }
	before := whole()
	p.count(&text, 200_000, 190_000)
	afterText := whole()
	p.count(&pdf, 4_000_000, 600_000)
	half := whole()
	for _, got := range []float64{before, afterText, half} {
		if want := 1_390_000.0; math.Abs(got-want) > 0.2*want {
			t.Errorf("got an estimate of %.0f bytes of text, want about %.0f", got, want)
		}
	}
	p.count(&pdf, 4_000_000, 600_000)
	if done, left := p.estimate(); left != 0 || done != 1_390_000 {
		t.Errorf("at the end: got %.0f done and %.0f left, want 1390000 and 0", done, left)
	}
}
